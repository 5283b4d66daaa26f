// SHA-256's compression function with AVX2 and BMI2, for processors without the SHA extensions.
#include "crypto/hash/sha256.h"

#include "crypto/hash/compress.h"
#include "crypto/hash/sha2.h"

#if defined(__x86_64__)

#define TARGET __attribute__((target("avx2,bmi2")))
#include "crypto/x86_64/sha_two_blocks.h"

// sigma1 of two words in each half. Each stands twice in 64 bits, so that a shift of these rotates their lower 32.
INLINE __m256i pair_sigma1(__m256i twice) {
  const __m256i rotations = _mm256_xor_si256(_mm256_srli_epi64(twice, 17), _mm256_srli_epi64(twice, 19));
  return _mm256_xor_si256(rotations, _mm256_srli_epi32(twice, 10));
}
#define TO_LOW_PAIR _mm256_broadcastsi128_si256(_mm_set_epi64x(-1, 0x0b0a090803020100))
#define TO_HIGH_PAIR _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0b0a090803020100, -1))

// A vector is four words: W_t = sigma1(W_(t-2)) + W_(t-7) + sigma0(W_(t-15)) + W_(t-16). The upper two need the lower.
#define SCHEDULE(w, v)                                                                                         \
  do {                                                                                                         \
    const vec w15 = WORDS_ON(w[v], w[((v) + 1) % 4], 1), w7 = WORDS_ON(w[((v) + 2) % 4], w[((v) + 3) % 4], 1); \
    w[v] += SMALL_SIGMA0(w15) + w7;                                                                            \
    __m256i twice = _mm256_shuffle_epi32((__m256i)w[((v) + 3) % 4], 0xfa);                                     \
    w[v] += (vec)_mm256_shuffle_epi8(pair_sigma1(twice), TO_LOW_PAIR);                                         \
    twice = _mm256_shuffle_epi32((__m256i)w[v], 0x50);                                                         \
    w[v] += (vec)_mm256_shuffle_epi8(pair_sigma1(twice), TO_HIGH_PAIR);                                        \
  } while (0)

#define COMPRESS tn_sha256_compress_avx2
#define WIPE_VECTORS tn_wipe_vectors_avx
#include "crypto/x86_64/sha2_two_blocks.h"

#endif
