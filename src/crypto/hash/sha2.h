// SHA-2's rounds, FIPS 180-4 section 6: its two families differ in the width of the word, the rotations and the
// constants. A template, included after sha256.h or sha512.h.
#define STATE_WORDS 8
#define BLOCK_LEN (16 * sizeof(word))
#define LENGTH_LEN (2 * sizeof(word))

static inline word choose(word x, word y, word z) { return z ^ (x & (y ^ z)); }
// The next round's y ^ z is this one's x ^ y.
static inline word majority(word x, word y, word z) { return y ^ ((x ^ y) & (y ^ z)); }

// A round with kw = K_t + W_t changes two of the eight words; the callers rename the eight instead of moving them.
#define ROUND(a, b, c, d, e, f, g, h, kw)        \
  do {                                           \
    h += (kw) + choose(e, f, g) + BIG_SIGMA1(e); \
    d += h;                                      \
    h += BIG_SIGMA0(a) + majority(a, b, c);      \
  } while (0)

// KW(i) to KW(i + 7) give K_t + W_t of the rounds.
#define EIGHT_ROUNDS(KW, i)                   \
  ROUND(a, b, c, d, e, f, g, h, KW((i)));     \
  ROUND(h, a, b, c, d, e, f, g, KW((i) + 1)); \
  ROUND(g, h, a, b, c, d, e, f, KW((i) + 2)); \
  ROUND(f, g, h, a, b, c, d, e, KW((i) + 3)); \
  ROUND(e, f, g, h, a, b, c, d, KW((i) + 4)); \
  ROUND(d, e, f, g, h, a, b, c, KW((i) + 5)); \
  ROUND(c, d, e, f, g, h, a, b, KW((i) + 6)); \
  ROUND(b, c, d, e, f, g, h, a, KW((i) + 7))

#define SIXTEEN_ROUNDS(KW) \
  EIGHT_ROUNDS(KW, 0);     \
  EIGHT_ROUNDS(KW, 8)

// The words a to h of a block's rounds, from the state s and, at the end, into it.
#define BEGIN_ROUNDS(s) word a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7]
#define END_ROUNDS(s) s[0] += a, s[1] += b, s[2] += c, s[3] += d, s[4] += e, s[5] += f, s[6] += g, s[7] += h
