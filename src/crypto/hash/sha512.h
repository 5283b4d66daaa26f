// What every implementation of SHA-512 and SHA-384 is made of: words, constants, and the functions of FIPS 180-4
// section 4.1.3, which take a word or a vector of words.
#include "base/bytes.h"

typedef uint64_t word;
#define ROUNDS 80

extern const word tn_sha512_k[ROUNDS] __attribute__((aligned(16)));
#define K tn_sha512_k

static inline word load(const uint8_t *p) { return tn_load_be64(p); }

#define ROTR(x, n) ((x) >> (n) | (x) << (64 - (n)))
#define BIG_SIGMA0(x) (ROTR(x, 28) ^ ROTR(x, 34) ^ ROTR(x, 39))
#define BIG_SIGMA1(x) (ROTR(x, 14) ^ ROTR(x, 18) ^ ROTR(x, 41))
#define SMALL_SIGMA0(x) (ROTR(x, 1) ^ ROTR(x, 8) ^ (x) >> 7)
#define SMALL_SIGMA1(x) (ROTR(x, 19) ^ ROTR(x, 61) ^ (x) >> 6)
