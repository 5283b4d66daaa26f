// AES-GCM with VAES and VPCLMULQDQ on 256-bit registers: four registers of two blocks.
#include "base/cpu.h"
#include "base/mem.h"

#if defined(__x86_64__)

#include "crypto/x86_64/gcm_x86.h"

#define TARGET __attribute__((target("vaes,vpclmulqdq,avx2,aes,pclmul")))
#define VECTOR __m256i
#define LANES 2
#define GROUP 4
#define REGISTER "x"
#define WIPE_VECTORS tn_wipe_vectors_avx
#define WIDE_INLINE TARGET __attribute__((always_inline)) static inline

WIDE_INLINE __m256i wide_load(const void *p) { return _mm256_loadu_si256(p); }
WIDE_INLINE void wide_store(void *p, __m256i x) { _mm256_storeu_si256(p, x); }
WIDE_INLINE __m256i wide_broadcast(const __m128i *p) { return _mm256_broadcastsi128_si256(*p); }
WIDE_INLINE __m256i wide_low(__m128i b) { return _mm256_zextsi128_si256(b); }
WIDE_INLINE __m128i high_block(__m256i x) { return _mm256_extracti128_si256(x, 1); }
WIDE_INLINE __m128i wide_fold(__m256i x) { return _mm256_castsi256_si128(x) ^ high_block(x); }
WIDE_INLINE __m256i wide_reverse(__m256i x) {
  return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(byte_reversal()));
}
WIDE_INLINE __m256i wide_swap(__m256i x) { return _mm256_shuffle_epi32(x, 0x4e); }
WIDE_INLINE __m256i wide_aesenc(__m256i x, __m256i k) { return _mm256_aesenc_epi128(x, k); }
WIDE_INLINE __m256i wide_aesenclast(__m256i x, __m256i k) { return _mm256_aesenclast_epi128(x, k); }
WIDE_INLINE __m256i wide_multiply_low(__m256i a, __m256i b) { return _mm256_clmulepi64_epi128(a, b, 0x00); }
WIDE_INLINE __m256i wide_multiply_high(__m256i a, __m256i b) { return _mm256_clmulepi64_epi128(a, b, 0x11); }
WIDE_INLINE __m256i wide_count(__m256i x, int n) {
  return _mm256_add_epi32(x, _mm256_set_epi32(0, 0, 0, n, 0, 0, 0, n));
}
WIDE_INLINE __m256i wide_counters(__m128i c) {
  return _mm256_add_epi32(_mm256_broadcastsi128_si256(c), _mm256_set_epi32(0, 0, 0, 1, 0, 0, 0, 0));
}
WIDE_INLINE __m256i wide_load_part(const uint8_t *p, size_t n) {
  if (n < TN_GCM_BLOCK) return _mm256_zextsi128_si256(load_under_16(p, n));
  return _mm256_set_m128i(load_under_16(p + TN_GCM_BLOCK, n - TN_GCM_BLOCK), load(p));
}
WIDE_INLINE void wide_store_part(uint8_t *p, __m256i x, size_t n) {
  __m128i block = _mm256_castsi256_si128(x);
  if (n >= TN_GCM_BLOCK) {
    store(p, block);
    block = high_block(x);
    p += TN_GCM_BLOCK, n -= TN_GCM_BLOCK;
  }
  store_under_16(p, block, n);
}
WIDE_INLINE __m256i wide_keep(__m256i x, size_t n) { return x & wide_load(keep_bytes + 32 - n); }

#include "crypto/x86_64/gcm_wide.h"

#define NEEDS (X86_NEEDS | TN_CPU_AVX2 | TN_CPU_VAES | TN_CPU_VPCLMUL)

IMPL(vaes256, 128, 10, NEEDS)
IMPL(vaes256, 256, 14, NEEDS)

#endif
