// The operations of AVX2's path that AVX-512's shares: see crypto/mlkem/poly.h.
#ifndef TN_CRYPTO_X86_64_MLKEM_AVX2_H
#define TN_CRYPTO_X86_64_MLKEM_AVX2_H

#include <immintrin.h>

#include "crypto/mlkem/poly.h"

void tn_poly_noise2_avx2(tn_poly *f, const uint8_t in[128]);
void tn_poly_encode_avx2(uint8_t *out, const tn_poly *f, unsigned d);
void tn_poly_decode_avx2(tn_poly *f, const uint8_t *in, unsigned d);

// The 16 candidates of SampleNTT in 24 bytes.
__attribute__((target("avx2"), always_inline)) static inline __m256i tn_poly_candidates(const uint8_t in[24]) {
  // Both bytes of each; the odd ones start four bits up.
  const __m256i spread = _mm256_setr_epi8(0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11,  //
                                          4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11, 12, 13, 14, 14, 15);
  const __m256i bytes = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)in)),
                                                _mm_loadu_si128((const void *)(in + 8)), 1);
  const __m256i pairs = _mm256_shuffle_epi8(bytes, spread);
  return _mm256_and_si256(_mm256_blend_epi16(pairs, _mm256_srli_epi16(pairs, 4), 0xaa), _mm256_set1_epi16(0xfff));
}

#endif
