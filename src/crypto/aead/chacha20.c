#include "crypto/aead/chacha20.h"

#include <string.h>

#include "base/mem.h"

// Four 32-bit lanes: one register where the processor has vectors, four words where it has none.
typedef uint32_t lanes __attribute__((vector_size(16)));

#define EACH(v) ((lanes){(v), (v), (v), (v)})
#define ROTATE(x, n) (((x) << (n)) | ((x) >> (32 - (n))))
// Lane i of the result is lane (i + n) % 4 of x.
#define TURN(x, n) __builtin_shufflevector(x, x, (n) % 4, (1 + (n)) % 4, (2 + (n)) % 4, (3 + (n)) % 4)

// RFC 8439 section 2.1, in each lane.
#define QUARTER_ROUND(a, b, c, d)      \
  do {                                 \
    a += b, d ^= a, d = ROTATE(d, 16); \
    c += d, b ^= c, b = ROTATE(b, 12); \
    a += b, d ^= a, d = ROTATE(d, 8);  \
    c += d, b ^= c, b = ROTATE(b, 7);  \
  } while (0)

static lanes load(const void *p) {
  lanes v;
  memcpy(&v, p, sizeof v);
  return v;
}

// The bytes of the words, little-endian.
static lanes serialized(lanes v) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  v = (ROTATE(v, 8) & EACH(0x00ff00ffu)) | (ROTATE(v, 24) & EACH(0xff00ff00u));
#endif
  return v;
}

// stream = one block. A vector holds one row of the state, so that the four quarter rounds of a column
// round are one; turning the rows by 1, 2 and 3 makes columns of the diagonals.
static void one_block(const uint32_t state[16], lanes stream[4]) {
  const lanes a0 = load(state), b0 = load(state + 4), c0 = load(state + 8), d0 = load(state + 12);
  lanes a = a0, b = b0, c = c0, d = d0;
  for (int i = 0; i < 10; i++) {
    QUARTER_ROUND(a, b, c, d);
    b = TURN(b, 1), c = TURN(c, 2), d = TURN(d, 3);
    QUARTER_ROUND(a, b, c, d);
    b = TURN(b, 3), c = TURN(c, 2), d = TURN(d, 1);
  }
  stream[0] = serialized(a + a0), stream[1] = serialized(b + b0);
  stream[2] = serialized(c + c0), stream[3] = serialized(d + d0);
}

// Of four blocks, the words 4 * row to 4 * row + 3: in as one word a vector, out as one block a vector.
static inline void store_row(lanes stream[16], size_t row, lanes w0, lanes w1, lanes w2, lanes w3) {
  const lanes low01 = __builtin_shufflevector(w0, w1, 0, 4, 1, 5), low23 = __builtin_shufflevector(w2, w3, 0, 4, 1, 5);
  const lanes top01 = __builtin_shufflevector(w0, w1, 2, 6, 3, 7), top23 = __builtin_shufflevector(w2, w3, 2, 6, 3, 7);
  stream[row] = serialized(__builtin_shufflevector(low01, low23, 0, 1, 4, 5));
  stream[row + 4] = serialized(__builtin_shufflevector(low01, low23, 2, 3, 6, 7));
  stream[row + 8] = serialized(__builtin_shufflevector(top01, top23, 0, 1, 4, 5));
  stream[row + 12] = serialized(__builtin_shufflevector(top01, top23, 2, 3, 6, 7));
}

// stream = four blocks, the first with the counter in state[12]. A vector holds one word of all four.
static void four_blocks(const uint32_t state[16], lanes stream[16]) {
  const lanes counters = EACH(state[12]) + (lanes){0, 1, 2, 3};
  lanes x0 = EACH(state[0]), x1 = EACH(state[1]), x2 = EACH(state[2]), x3 = EACH(state[3]);
  lanes x4 = EACH(state[4]), x5 = EACH(state[5]), x6 = EACH(state[6]), x7 = EACH(state[7]);
  lanes x8 = EACH(state[8]), x9 = EACH(state[9]), x10 = EACH(state[10]), x11 = EACH(state[11]);
  lanes x12 = counters, x13 = EACH(state[13]), x14 = EACH(state[14]), x15 = EACH(state[15]);
  for (int i = 0; i < 10; i++) {
    QUARTER_ROUND(x0, x4, x8, x12);
    QUARTER_ROUND(x1, x5, x9, x13);
    QUARTER_ROUND(x2, x6, x10, x14);
    QUARTER_ROUND(x3, x7, x11, x15);
    QUARTER_ROUND(x0, x5, x10, x15);
    QUARTER_ROUND(x1, x6, x11, x12);
    QUARTER_ROUND(x2, x7, x8, x13);
    QUARTER_ROUND(x3, x4, x9, x14);
  }
  store_row(stream, 0, x0 + EACH(state[0]), x1 + EACH(state[1]), x2 + EACH(state[2]), x3 + EACH(state[3]));
  store_row(stream, 1, x4 + EACH(state[4]), x5 + EACH(state[5]), x6 + EACH(state[6]), x7 + EACH(state[7]));
  store_row(stream, 2, x8 + EACH(state[8]), x9 + EACH(state[9]), x10 + EACH(state[10]), x11 + EACH(state[11]));
  store_row(stream, 3, x12 + counters, x13 + EACH(state[13]), x14 + EACH(state[14]), x15 + EACH(state[15]));
}

// The stream itself where `in` is NULL.
static inline void emit(const lanes *stream, const uint8_t *in, uint8_t *out, size_t n_vectors) {
  for (size_t i = 0; i < n_vectors; i++) {
    const lanes v = in == NULL ? stream[i] : stream[i] ^ load(in + 16 * i);
    memcpy(out + 16 * i, &v, sizeof v);
  }
}

static inline void run(const uint32_t key[8], uint32_t counter, const uint32_t nonce[3], const uint8_t *in,
                       uint8_t *out, size_t n_blocks) {
  uint32_t state[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  lanes stream[16];
  memcpy(state + 4, key, 8 * sizeof *key);
  state[12] = counter;
  memcpy(state + 13, nonce, 3 * sizeof *nonce);

  while (n_blocks != 0) {
    const size_t step = n_blocks >= 4 ? 4 : 1;
    if (step == 4)
      four_blocks(state, stream);
    else
      one_block(state, stream);
    emit(stream, in, out, 4 * step);
    state[12] += (uint32_t)step;
    if (in != NULL) in += step * TN_CHACHA20_BLOCK;
    out += step * TN_CHACHA20_BLOCK;
    n_blocks -= step;
  }
  tn_wipe(state, sizeof state);
  tn_wipe(stream, sizeof stream);
  tn_wipe_vectors();
}

void tn_chacha20_blocks(const uint32_t key[8], uint32_t counter, const uint32_t nonce[3], uint8_t *out,
                        size_t n_blocks) {
  run(key, counter, nonce, NULL, out, n_blocks);
}

void tn_chacha20_xor(const uint32_t key[8], uint32_t counter, const uint32_t nonce[3], const uint8_t *in, uint8_t *out,
                     size_t n_blocks) {
  run(key, counter, nonce, in, out, n_blocks);
}
