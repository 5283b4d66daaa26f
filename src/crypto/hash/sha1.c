// SHA-1, FIPS 180-4 section 6.1. No longer fit for signatures; TLS before 1.3 uses it in HMAC and in its PRF.
#include "base/bytes.h"
#include "crypto/hash/compress.h"
#include "crypto/hash/hash.h"

typedef uint32_t word;
#define STATE_WORDS 5
#define BLOCK_LEN 64
#define LENGTH_LEN 8

static inline void store(uint8_t *p, word v) { tn_store_be32(p, v); }
static inline void store_length(uint8_t *p, uint64_t v) { tn_store_be64(p, v); }

static inline word rotl(word x, unsigned n) { return x << n | x >> (32 - n); }

// Section 4.1.1. The two halves of Maj have no bit in common, so they may be summed.
static inline word ch(word x, word y, word z) { return z ^ (x & (y ^ z)); }
static inline word parity(word x, word y, word z) { return x ^ y ^ z; }
static inline word maj(word x, word y, word z) { return (x & y) + (z & (x ^ y)); }

// The message schedule W_t, of which the next steps need the last sixteen words only.
#define FIRST(t) (w[t] = tn_load_be32(p + 4 * (t)))
#define NEXT(t) (w[(t) % 16] = rotl(w[((t) + 13) % 16] ^ w[((t) + 8) % 16] ^ w[((t) + 2) % 16] ^ w[(t) % 16], 1))

// A step changes two of the five words; the callers rename the five instead of moving them.
#define STEP(fn, k, W, a, b, c, d, e, t) e += rotl(a, 5) + fn(b, c, d) + (k) + W(t), b = rotl(b, 30)

#define FIVE(fn, k, W, t)                 \
  STEP(fn, k, W, a, b, c, d, e, (t));     \
  STEP(fn, k, W, e, a, b, c, d, (t) + 1); \
  STEP(fn, k, W, d, e, a, b, c, (t) + 2); \
  STEP(fn, k, W, c, d, e, a, b, (t) + 3); \
  STEP(fn, k, W, b, c, d, e, a, (t) + 4)

#define TWENTY(fn, k, t)       \
  FIVE(fn, k, NEXT, (t));      \
  FIVE(fn, k, NEXT, (t) + 5);  \
  FIVE(fn, k, NEXT, (t) + 10); \
  FIVE(fn, k, NEXT, (t) + 15)

static void compress(void *state, const uint8_t *p, size_t n_blocks) {
  word *s = state;
  word w[16];
  for (; n_blocks != 0; n_blocks--, p += BLOCK_LEN) {
    word a = s[0], b = s[1], c = s[2], d = s[3], e = s[4];
    FIVE(ch, 0x5a827999, FIRST, 0);
    FIVE(ch, 0x5a827999, FIRST, 5);
    FIVE(ch, 0x5a827999, FIRST, 10);
    STEP(ch, 0x5a827999, FIRST, a, b, c, d, e, 15);
    STEP(ch, 0x5a827999, NEXT, e, a, b, c, d, 16);
    STEP(ch, 0x5a827999, NEXT, d, e, a, b, c, 17);
    STEP(ch, 0x5a827999, NEXT, c, d, e, a, b, 18);
    STEP(ch, 0x5a827999, NEXT, b, c, d, e, a, 19);
    TWENTY(parity, 0x6ed9eba1, 20);
    TWENTY(maj, 0x8f1bbcdc, 40);
    TWENTY(parity, 0xca62c1d6, 60);
    s[0] += a, s[1] += b, s[2] += c, s[3] += d, s[4] += e;
  }
  tn_wipe(w, sizeof w);
}

static const compressor compressors[] = {
#if defined(__x86_64__)
    {"shani", TN_CPU_SHANI | TN_CPU_SSE41, tn_sha1_compress_shani},
#endif
    {"portable", 0, compress},
};

#include "crypto/hash/merkle_damgard.h"

static void init(tn_hash_ctx *ctx) {
  // Section 5.3.1.
  static const word initial[STATE_WORDS] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  start(ctx, initial);
}

const tn_hash tn_sha1 = {"sha1", 20, BLOCK_LEN, init, blocks, finish};
