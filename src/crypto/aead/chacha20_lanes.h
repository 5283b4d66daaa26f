// ChaCha20 (RFC 8439 section 2.3) on vectors of LANES times 128 bits, and Poly1305 of other text in its shadow: the
// former wants the vector units, the latter those for integers. For files that define, before they include this,
//   LANES           1, 2 or 4
//   INLINE          attributes of every function, with the target
//   SHUFFLE_BYTES   (x, mask): PSHUFB, where there is one
//   MAC_BLOCK       (h, r, block): one step of Poly1305
#include <string.h>

#include "base/ct.h"
#include "crypto/aead/chacha20.h"
#include "crypto/aead/poly1305_block.h"

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
// Hides a mask's value, else clang shuffles 16-bit words twice instead of bytes once.
#define OPAQUE(x) TN_OPAQUE("x", x)
// Puts an aligned array into the frame, else clang spills vectors across cache lines.
#if defined(TN_CT_MSAN)
#define IN_MEMORY(x) (void)0  // MemorySanitizer takes what assembly writes for public
#else
#define IN_MEMORY(x) __asm__("" : "+m"(x))
#endif
#else
#define UNROLL _Pragma("GCC unroll 16")
#define OPAQUE(x) (void)0
#define IN_MEMORY(x) (void)0
#endif

typedef uint32_t lanes __attribute__((vector_size(16 * LANES)));
typedef uint32_t unaligned_lanes __attribute__((vector_size(16 * LANES), aligned(1), may_alias));
typedef uint32_t four_words __attribute__((vector_size(16), aligned(1), may_alias));

#if LANES == 1
#define EACH_WORD(v) ((lanes){(v), (v), (v), (v)})
#define IN_EACH_LANE(v) (v)
#define SHUFFLE(x, y, i, j, k, l) __builtin_shufflevector(x, y, i, j, k, l)
#elif LANES == 2
#define EACH_WORD(v) ((lanes){(v), (v), (v), (v), (v), (v), (v), (v)})
#define IN_EACH_LANE(v) __builtin_shufflevector(v, v, 0, 1, 2, 3, 0, 1, 2, 3)
// Index i below 4 is of x's word i, and from 4 on of y's word i - 4, in each lane.
#define AT(i, lane) ((i) + 4 * (lane) + ((i) < 4 ? 0 : 4))
#define SHUFFLE(x, y, i, j, k, l) \
  __builtin_shufflevector(x, y, AT(i, 0), AT(j, 0), AT(k, 0), AT(l, 0), AT(i, 1), AT(j, 1), AT(k, 1), AT(l, 1))
#else
#define EACH_WORD(v) ((lanes){(v), (v), (v), (v), (v), (v), (v), (v), (v), (v), (v), (v), (v), (v), (v), (v)})
#define IN_EACH_LANE(v) __builtin_shufflevector(v, v, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3)
#define AT(i, lane) ((i) + 4 * (lane) + ((i) < 4 ? 0 : 12))
#define SHUFFLE(x, y, i, j, k, l)                                                                               \
  __builtin_shufflevector(x, y, AT(i, 0), AT(j, 0), AT(k, 0), AT(l, 0), AT(i, 1), AT(j, 1), AT(k, 1), AT(l, 1), \
                          AT(i, 2), AT(j, 2), AT(k, 2), AT(l, 2), AT(i, 3), AT(j, 3), AT(k, 3), AT(l, 3))
#endif

// Each word to the left: by 8 and 16 bits with a shuffle of bytes, where there is one.
#if defined(SHUFFLE_BYTES)
#define ROTATE(x, n) \
  ((n) == 16 ? SHUFFLE_BYTES(x, by_16) : (n) == 8 ? SHUFFLE_BYTES(x, by_8) : (x) << (n) | (x) >> (32 - (n)))
#define ROTATIONS                                                               \
  const four_words bytes_16 = {0x01000302, 0x05040706, 0x09080b0a, 0x0d0c0f0e}; \
  const four_words bytes_8 = {0x02010003, 0x06050407, 0x0a09080b, 0x0e0d0c0f};  \
  lanes by_16 = IN_EACH_LANE(bytes_16), by_8 = IN_EACH_LANE(bytes_8);           \
  OPAQUE(by_16);                                                                \
  OPAQUE(by_8)
#else
#define ROTATE(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define ROTATIONS
#endif

// In each lane, word i of the result is word (i + n) % 4 of x.
#define TURN(x, n) SHUFFLE(x, x, (n) % 4, (1 + (n)) % 4, (2 + (n)) % 4, (3 + (n)) % 4)

// RFC 8439 section 2.1, in each word; and two of them side by side, which keeps more units busy.
#define QUARTER_ROUND(a, b, c, d)      \
  do {                                 \
    a += b, d ^= a, d = ROTATE(d, 16); \
    c += d, b ^= c, b = ROTATE(b, 12); \
    a += b, d ^= a, d = ROTATE(d, 8);  \
    c += d, b ^= c, b = ROTATE(b, 7);  \
  } while (0)
#define TWO_QUARTER_ROUNDS(a, b, c, d, e, f, g, h)                        \
  do {                                                                    \
    a += b, e += f, d ^= a, h ^= e, d = ROTATE(d, 16), h = ROTATE(h, 16); \
    c += d, g += h, b ^= c, f ^= g, b = ROTATE(b, 12), f = ROTATE(f, 12); \
    a += b, e += f, d ^= a, h ^= e, d = ROTATE(d, 8), h = ROTATE(h, 8);   \
    c += d, g += h, b ^= c, f ^= g, b = ROTATE(b, 7), f = ROTATE(f, 7);   \
  } while (0)

#define WIDE_BLOCKS (4 * LANES)  // a word of each in one vector
#define WIDE (WIDE_BLOCKS * TN_CHACHA20_BLOCK)

// ---------------------------------------------------------------- Poly1305 in the shadow
// Steps follow each double round so that ten take WIDE bytes. Each step waits for the one before, which the widest
// vectors do not: there the two halves of WIDE bytes are hashed side by side, as a of a * r^n + b, n blocks each.

#define SHADE_MOST (WIDE / TN_POLY1305_BLOCK)
#define SHADE_STEP (LANES == 1 ? 2 : LANES == 2 ? 4 : 8)
#define HALVES (LANES == 4)
#define LOG2_HALF 5
_Static_assert(!HALVES || SHADE_MOST / 2 == 1 << LOG2_HALF, "r to the power of half the blocks");

// What is hashed meanwhile. Its words stay in registers.
typedef struct shade {
  uint64_t h[3];
  uint64_t second[3];  // of the second half, if it is hashed in halves
  const uint64_t *r;
  const uint8_t *text;
  size_t n_blocks;
  bool halves;
} shade;

// The barriers keep the words, which the step before has just stored one by one, from being loaded as one vector.
INLINE void shade_load(uint64_t h[3], const tn_poly1305 *mac) {
  for (size_t i = 0; i < 3; i++) h[i] = tn_value_barrier(mac->h[i]);
}

INLINE void shade_store(const uint64_t h[3], tn_poly1305 *mac) {
  for (size_t i = 0; i < 3; i++) mac->h[i] = h[i];
}

// n_blocks <= SHADE_MOST.
INLINE shade shade_begin(tn_poly1305 *mac, const uint8_t *text, size_t n_blocks) {
  shade s = {.r = mac->r, .text = text, .n_blocks = n_blocks};
  shade_load(s.h, mac);
  s.halves = HALVES && n_blocks == SHADE_MOST;
  if (s.halves && !mac->has_power) {
    uint64_t power[3] = {mac->r[0], mac->r[1], 0};
    for (int i = 0; i < LOG2_HALF; i++) {
      tn_poly1305_limbs(mac->power, power);
      tn_poly1305_mul(power, mac->power);
    }
    tn_poly1305_limbs(mac->power, power);
    mac->has_power = true;
  }
  return s;
}

INLINE void shade_step(shade *s) {
  if (s->halves) {
    if (s->n_blocks == 0) return;
    UNROLL
    for (size_t i = 0; i < SHADE_STEP / 2; i++) {
      MAC_BLOCK(s->h, s->r, s->text + i * TN_POLY1305_BLOCK);
      MAC_BLOCK(s->second, s->r, s->text + i * TN_POLY1305_BLOCK + WIDE / 2);
    }
    s->text += SHADE_STEP / 2 * TN_POLY1305_BLOCK, s->n_blocks -= SHADE_STEP;
  } else if (s->n_blocks >= SHADE_STEP) {
    UNROLL
    for (size_t i = 0; i < SHADE_STEP; i++) MAC_BLOCK(s->h, s->r, s->text + i * TN_POLY1305_BLOCK);
    s->text += SHADE_STEP * TN_POLY1305_BLOCK, s->n_blocks -= SHADE_STEP;
  } else {
    for (; s->n_blocks != 0; s->n_blocks--, s->text += TN_POLY1305_BLOCK) MAC_BLOCK(s->h, s->r, s->text);
  }
}

// The third word of the product is at most 4, that of the second half at most 2^63 - 6: their sum is below 2^63.
INLINE void shade_end(shade *s, tn_poly1305 *mac) {
  if (s->halves) {
    uint64_t carry = 0;
    tn_poly1305_mul(s->h, mac->power);
    s->h[0] = tn_poly1305_add(s->h[0], s->second[0], &carry);
    s->h[1] = tn_poly1305_add(s->h[1], s->second[1], &carry);
    s->h[2] += s->second[2] + carry;
  }
  shade_store(s->h, mac);
}

// ---------------------------------------------------------------- from words to bytes

INLINE lanes load(const uint8_t *p) { return *(const unaligned_lanes *)p; }

// The bytes of the words, little-endian, xor those at `in` if it is not NULL.
INLINE void emit_vector(lanes v, const uint8_t *in, uint8_t *out, size_t at) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  v = ((v << 8 | v >> 24) & EACH_WORD(0x00ff00ffu)) | ((v << 24 | v >> 8) & EACH_WORD(0xff00ff00u));
#endif
  if (in != NULL) v ^= load(in + at);
  *(unaligned_lanes *)(out + at) = v;
}

// LANES blocks, each in one lane of the four rows of its state.
INLINE void emit(lanes a, lanes b, lanes c, lanes d, const uint8_t *in, uint8_t *out) {
#if LANES == 1
  emit_vector(a, in, out, 0), emit_vector(b, in, out, 16), emit_vector(c, in, out, 32), emit_vector(d, in, out, 48);
#elif LANES == 2
  emit_vector(__builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11), in, out, 0);
  emit_vector(__builtin_shufflevector(c, d, 0, 1, 2, 3, 8, 9, 10, 11), in, out, 32);
  emit_vector(__builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15), in, out, 64);
  emit_vector(__builtin_shufflevector(c, d, 4, 5, 6, 7, 12, 13, 14, 15), in, out, 96);
#else
  // Lanes 0 and 1 of two rows, lanes 2 and 3 of two rows; then even ones and odd ones.
#define LOW_HALVES(x, y) __builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
#define HIGH_HALVES(x, y) __builtin_shufflevector(x, y, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)
#define EVEN_LANES(x, y) __builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27)
#define ODD_LANES(x, y) __builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)
  const lanes low_ab = LOW_HALVES(a, b), low_cd = LOW_HALVES(c, d);
  const lanes high_ab = HIGH_HALVES(a, b), high_cd = HIGH_HALVES(c, d);
  emit_vector(EVEN_LANES(low_ab, low_cd), in, out, 0);
  emit_vector(ODD_LANES(low_ab, low_cd), in, out, 64);
  emit_vector(EVEN_LANES(high_ab, high_cd), in, out, 128);
  emit_vector(ODD_LANES(high_ab, high_cd), in, out, 192);
#endif
}

// ---------------------------------------------------------------- a few blocks: a vector holds one row

INLINE lanes row(const uint32_t *p) {
  const four_words v = *(const four_words *)p;
  return IN_EACH_LANE(v);
}

// LANES * sets blocks, sets <= 2, from the one whose counter state[12] holds. The four quarter rounds of a column round
// are one; turning the rows by 1, 2 and 3 makes columns of the diagonals. Row b, which each round ends with, stays.
INLINE void narrow(const uint32_t state[16], size_t sets, uint8_t *out, shade *s) {
#if LANES == 1
  const lanes number = {0}, step = {1};
#elif LANES == 2
  const lanes number = {0, 0, 0, 0, 1}, step = {2, 0, 0, 0, 2};
#else
  const lanes number = {0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3}, step = {4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4};
#endif
  const lanes a0 = row(state), b0 = row(state + 4), c0 = row(state + 8), d0 = row(state + 12) + number;
  ROTATIONS;
  lanes a = a0, b = b0, c = c0, d = d0, a2 = a0, b2 = b0, c2 = c0, d2 = d0 + step;
  for (int i = 0; i < 10; i++) {
    QUARTER_ROUND(a, b, c, d);
    a = TURN(a, 3), c = TURN(c, 1), d = TURN(d, 2);
    if (sets == 2) {
      QUARTER_ROUND(a2, b2, c2, d2);
      a2 = TURN(a2, 3), c2 = TURN(c2, 1), d2 = TURN(d2, 2);
    }
    QUARTER_ROUND(a, b, c, d);
    a = TURN(a, 1), c = TURN(c, 3), d = TURN(d, 2);
    if (sets == 2) {
      QUARTER_ROUND(a2, b2, c2, d2);
      a2 = TURN(a2, 1), c2 = TURN(c2, 3), d2 = TURN(d2, 2);
    }
    shade_step(s);
  }
  emit(a + a0, b + b0, c + c0, d + d0, NULL, out);
  if (sets == 2) emit(a2 + a0, b2 + b0, c2 + c0, d2 + d0 + step, NULL, out + LANES * TN_CHACHA20_BLOCK);
}

// ---------------------------------------------------------------- many blocks: a vector holds one word

// Of WIDE_BLOCKS blocks, the words 4 * row to 4 * row + 3: in as one word a vector; out as, for each LANES blocks, one
// vector with the row of each.
INLINE void rows_of(lanes rows[4], lanes w0, lanes w1, lanes w2, lanes w3) {
  const lanes low01 = SHUFFLE(w0, w1, 0, 4, 1, 5), low23 = SHUFFLE(w2, w3, 0, 4, 1, 5);
  const lanes top01 = SHUFFLE(w0, w1, 2, 6, 3, 7), top23 = SHUFFLE(w2, w3, 2, 6, 3, 7);
  rows[0] = SHUFFLE(low01, low23, 0, 1, 4, 5), rows[1] = SHUFFLE(low01, low23, 2, 3, 6, 7);
  rows[2] = SHUFFLE(top01, top23, 0, 1, 4, 5), rows[3] = SHUFFLE(top01, top23, 2, 3, 6, 7);
}

// WIDE_BLOCKS blocks of key stream, or of text if `in` is not NULL. Word i of lane l is of block LANES * i + l.
INLINE void wide(const uint32_t state[16], const uint8_t *in, uint8_t *out, shade *s) {
#if LANES == 1
  const lanes number = {0, 1, 2, 3};
#elif LANES == 2
  const lanes number = {0, 2, 4, 6, 1, 3, 5, 7};
#else
  const lanes number = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
#endif
  lanes first[16];
  UNROLL
  for (size_t i = 0; i < 16; i++) first[i] = EACH_WORD(state[i]);
  first[12] += number;
  IN_MEMORY(first);
  ROTATIONS;
  lanes x0 = first[0], x1 = first[1], x2 = first[2], x3 = first[3], x4 = first[4], x5 = first[5], x6 = first[6];
  lanes x7 = first[7], x8 = first[8], x9 = first[9], x10 = first[10], x11 = first[11], x12 = first[12];
  lanes x13 = first[13], x14 = first[14], x15 = first[15];
  for (int i = 0; i < 10; i++) {
    TWO_QUARTER_ROUNDS(x0, x4, x8, x12, x1, x5, x9, x13);
    TWO_QUARTER_ROUNDS(x2, x6, x10, x14, x3, x7, x11, x15);
    TWO_QUARTER_ROUNDS(x0, x5, x10, x15, x1, x6, x11, x12);
    TWO_QUARTER_ROUNDS(x2, x7, x8, x13, x3, x4, x9, x14);
    shade_step(s);
  }
  lanes a[4], b[4], c[4], d[4];
  rows_of(a, x0 + first[0], x1 + first[1], x2 + first[2], x3 + first[3]);
  rows_of(b, x4 + first[4], x5 + first[5], x6 + first[6], x7 + first[7]);
  rows_of(c, x8 + first[8], x9 + first[9], x10 + first[10], x11 + first[11]);
  rows_of(d, x12 + first[12], x13 + first[13], x14 + first[14], x15 + first[15]);
#define EMIT(i)                                                                        \
  emit(a[i], b[i], c[i], d[i], in == NULL ? NULL : in + (i)*LANES * TN_CHACHA20_BLOCK, \
       out + (i)*LANES * TN_CHACHA20_BLOCK)
  EMIT(0), EMIT(1), EMIT(2), EMIT(3);
}
