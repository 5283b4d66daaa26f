// MD5, RFC 1321. Broken as a hash; TLS 1.0 and 1.1 use it in their PRF, beside SHA-1.
#include "base/bytes.h"
#include "crypto/hash/compress.h"
#include "crypto/hash/hash.h"

typedef uint32_t word;
#define STATE_WORDS 4
#define BLOCK_LEN 64
#define LENGTH_LEN 8

static inline void store(uint8_t *p, word v) { tn_store_le32(p, v); }
static inline void store_length(uint8_t *p, uint64_t v) { tn_store_le64(p, v); }

// Section 3.4's T: the whole part of 2^32 * abs(sin(i + 1)).
static const word t[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static inline word rotl(word x, unsigned n) { return x << n | x >> (32 - n); }

// The auxiliary functions. G's two halves have no bit in common: a sum lets the first be added before y is known.
static inline word f(word x, word y, word z) { return z ^ (x & (y ^ z)); }
static inline word g(word x, word y, word z) { return (x & z) + (y & ~z); }
static inline word h(word x, word y, word z) { return x ^ y ^ z; }
static inline word i(word x, word y, word z) { return y ^ (x | ~z); }

// One operation: [abcd k s i] of section 3.4.
#define STEP(fn, a, b, c, d, k, s, n) a = rotl(a + fn(b, c, d) + tn_load_le32(p + 4 * ((k) % 16)) + t[n], s) + b

// Four operations of a round: n counts from 0; the words are k, k + by, k + 2 by, k + 3 by.
#define FOUR(fn, k, by, s0, s1, s2, s3, n)           \
  STEP(fn, a, b, c, d, (k), s0, (n));                \
  STEP(fn, d, a, b, c, (k) + (by), s1, (n) + 1);     \
  STEP(fn, c, d, a, b, (k) + 2 * (by), s2, (n) + 2); \
  STEP(fn, b, c, d, a, (k) + 3 * (by), s3, (n) + 3)

#define ROUND(fn, k, by, s0, s1, s2, s3, n)              \
  FOUR(fn, (k), by, s0, s1, s2, s3, n);                  \
  FOUR(fn, (k) + 4 * (by), by, s0, s1, s2, s3, (n) + 4); \
  FOUR(fn, (k) + 8 * (by), by, s0, s1, s2, s3, (n) + 8); \
  FOUR(fn, (k) + 12 * (by), by, s0, s1, s2, s3, (n) + 12)

static void compress(void *state, const uint8_t *p, size_t n_blocks) {
  word *s = state;
  for (; n_blocks != 0; n_blocks--, p += BLOCK_LEN) {
    word a = s[0], b = s[1], c = s[2], d = s[3];
    ROUND(f, 0, 1, 7, 12, 17, 22, 0);
    ROUND(g, 1, 5, 5, 9, 14, 20, 16);
    ROUND(h, 5, 3, 4, 11, 16, 23, 32);
    ROUND(i, 0, 7, 6, 10, 15, 21, 48);
    s[0] += a, s[1] += b, s[2] += c, s[3] += d;
  }
}

static const compressor compressors[] = {{"portable", 0, compress}};

#include "crypto/hash/merkle_damgard.h"

static void init(tn_hash_ctx *ctx) {
  // Section 3.3.
  static const word initial[STATE_WORDS] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  start(ctx, initial);
}

const tn_hash tn_md5 = {"md5", 16, BLOCK_LEN, init, blocks, finish, once};
