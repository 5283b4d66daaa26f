// What every implementation of SHA-256 and SHA-224 is made of: words, constants, and the functions of FIPS 180-4
// section 4.1.2, which take a word or a vector of words.
#include "base/bytes.h"

typedef uint32_t word;
#define ROUNDS 64

extern const word tn_sha256_k[ROUNDS] __attribute__((aligned(16)));
#define K tn_sha256_k

static inline word load(const uint8_t *p) { return tn_load_be32(p); }

#define ROTR(x, n) ((x) >> (n) | (x) << (32 - (n)))
#define BIG_SIGMA0(x) (ROTR(x, 2) ^ ROTR(x, 13) ^ ROTR(x, 22))
#define BIG_SIGMA1(x) (ROTR(x, 6) ^ ROTR(x, 11) ^ ROTR(x, 25))
#define SMALL_SIGMA0(x) (ROTR(x, 7) ^ ROTR(x, 18) ^ (x) >> 3)
#define SMALL_SIGMA1(x) (ROTR(x, 17) ^ ROTR(x, 19) ^ (x) >> 10)
