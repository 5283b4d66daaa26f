// SHA-2, FIPS 180-4 sections 5 and 6: its two families differ in the width of the word, the rotations
// and the constants. A template: sha256.c and sha512.c define these, then include this file:
//   word                  the type of a word
//   LENGTH_LEN            bytes of the length field that ends the padding
//   ROUNDS, k             the number of rounds and their constants
//   load, store           a big-endian word
//   big_sigma0/1, small_sigma0/1 (of section 4.1)
#include <string.h>

#include "base/mem.h"
#include "crypto/hash/hash.h"

#define BLOCK_LEN (16 * sizeof(word))

static inline word choose(word x, word y, word z) { return z ^ (x & (y ^ z)); }
static inline word majority(word x, word y, word z) { return (x & y) | (z & (x | y)); }

// A round changes two of the eight words; the callers rename the eight instead of moving them.
#define ROUND(a, b, c, d, e, f, g, h, W, i)                          \
  do {                                                               \
    h += big_sigma1(e) + choose(e, f, g) + k[t + (i)] + W((i) % 16); \
    d += h;                                                          \
    h += big_sigma0(a) + majority(a, b, c);                          \
  } while (0)

#define EIGHT_ROUNDS(W, i)                   \
  ROUND(a, b, c, d, e, f, g, h, W, (i) + 0); \
  ROUND(h, a, b, c, d, e, f, g, W, (i) + 1); \
  ROUND(g, h, a, b, c, d, e, f, W, (i) + 2); \
  ROUND(f, g, h, a, b, c, d, e, W, (i) + 3); \
  ROUND(e, f, g, h, a, b, c, d, W, (i) + 4); \
  ROUND(d, e, f, g, h, a, b, c, W, (i) + 5); \
  ROUND(c, d, e, f, g, h, a, b, W, (i) + 6); \
  ROUND(b, c, d, e, f, g, h, a, W, (i) + 7)

// The message schedule W_t, of which the next round needs the last sixteen words only.
#define FIRST(i) (w[i] = load(p + (i) * sizeof(word)))
#define NEXT(i) (w[i] += small_sigma1(w[((i) + 14) % 16]) + w[((i) + 9) % 16] + small_sigma0(w[((i) + 1) % 16]))

static void compress(void *state, const uint8_t *p, size_t n_blocks) {
  word *s = state;
  word w[16];
  for (; n_blocks != 0; n_blocks--, p += BLOCK_LEN) {
    word a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
    size_t t = 0;
    EIGHT_ROUNDS(FIRST, 0);
    EIGHT_ROUNDS(FIRST, 8);
    for (t = 16; t < ROUNDS; t += 16) {
      EIGHT_ROUNDS(NEXT, 0);
      EIGHT_ROUNDS(NEXT, 8);
    }
    s[0] += a, s[1] += b, s[2] += c, s[3] += d, s[4] += e, s[5] += f, s[6] += g, s[7] += h;
  }
  tn_wipe(w, sizeof w);
}

static void blocks(tn_hash_ctx *ctx, const uint8_t *p, size_t n_blocks) { ctx->compress(&ctx->state, p, n_blocks); }

// The padding of section 5.1: a one bit, zeros, and the length of the message in bits.
static void finish(tn_hash_ctx *ctx, size_t used, uint8_t *digest) {
  uint8_t *buf = ctx->buf;
  buf[used++] = 0x80;
  memset(buf + used, 0, BLOCK_LEN - used);
  if (used > BLOCK_LEN - LENGTH_LEN) {
    ctx->compress(&ctx->state, buf, 1);
    memset(buf, 0, BLOCK_LEN);
  }
  if (LENGTH_LEN > 8) buf[BLOCK_LEN - 9] = (uint8_t)(ctx->total >> 61);
  tn_store_be64(buf + BLOCK_LEN - 8, ctx->total << 3);
  ctx->compress(&ctx->state, buf, 1);

  const word *s = (const word *)(const void *)&ctx->state;
  for (size_t i = 0; i < ctx->hash->digest_len / sizeof(word); i++) store(digest + i * sizeof(word), s[i]);
}
