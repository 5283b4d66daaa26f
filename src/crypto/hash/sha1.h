// What every implementation of SHA-1 is made of: FIPS 180-4 sections 4.1.1, 4.2.1 and 6.1.2.
#include "base/bytes.h"

typedef uint32_t word;
#define STATE_WORDS 5
#define BLOCK_LEN 64
#define LENGTH_LEN 8

static inline word load(const uint8_t *p) { return tn_load_be32(p); }

#define ROTL(x, n) ((x) << (n) | (x) >> (32 - (n)))
static inline word choose(word x, word y, word z) { return z ^ (x & (y ^ z)); }
static inline word parity(word x, word y, word z) { return x ^ y ^ z; }
// The halves have no bit in common, so they may be summed.
static inline word majority(word x, word y, word z) { return (x & y) + (z & (x ^ y)); }

#define K(t) ((t) < 20 ? 0x5a827999u : (t) < 40 ? 0x6ed9eba1u : (t) < 60 ? 0x8f1bbcdcu : 0xca62c1d6u)

// A step with kw = K_t + W_t changes two of the five words; the callers rename the five instead of moving them.
#define STEP(f, a, b, c, d, e, kw) e += ROTL(a, 5) + f(b, c, d) + (kw), b = ROTL(b, 30)

// KW(t) gives K_t + W_t, t being a constant.
#define FIVE_STEPS(f, KW, t)           \
  STEP(f, a, b, c, d, e, KW((t)));     \
  STEP(f, e, a, b, c, d, KW((t) + 1)); \
  STEP(f, d, e, a, b, c, KW((t) + 2)); \
  STEP(f, c, d, e, a, b, KW((t) + 3)); \
  STEP(f, b, c, d, e, a, KW((t) + 4))
#define TWENTY_STEPS(f, KW, t) \
  FIVE_STEPS(f, KW, (t));      \
  FIVE_STEPS(f, KW, (t) + 5);  \
  FIVE_STEPS(f, KW, (t) + 10); \
  FIVE_STEPS(f, KW, (t) + 15)

// The eighty steps of a block, and their sum into the state s.
#define STEPS(s, KW)                                                 \
  do {                                                               \
    word a = (s)[0], b = (s)[1], c = (s)[2], d = (s)[3], e = (s)[4]; \
    TWENTY_STEPS(choose, KW, 0);                                     \
    TWENTY_STEPS(parity, KW, 20);                                    \
    TWENTY_STEPS(majority, KW, 40);                                  \
    TWENTY_STEPS(parity, KW, 60);                                    \
    (s)[0] += a, (s)[1] += b, (s)[2] += c, (s)[3] += d, (s)[4] += e; \
  } while (0)
