// SHA-2, FIPS 180-4 sections 5 and 6: its two families differ in the width of the word, the rotations
// and the constants. A template: sha256.c and sha512.c define these, then include this file:
//   word       the type of a word
//   ROUNDS, k  the number of rounds and their constants
//   load       reads a big-endian word
//   big_sigma0/1, small_sigma0/1 (of section 4.1)
#include "base/mem.h"

#define STATE_WORDS 8
#define BLOCK_LEN (16 * sizeof(word))
#define LENGTH_LEN (2 * sizeof(word))

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
