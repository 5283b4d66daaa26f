// AES-GCM with VAES and VPCLMULQDQ on 512-bit registers: four registers of four blocks.
#include "base/cpu.h"
#include "base/mem.h"

#if defined(__x86_64__)

#include "crypto/x86_64/gcm_x86.h"

#define TARGET __attribute__((target("vaes,vpclmulqdq,avx512f,avx512bw,avx512dq,avx512vl,aes,pclmul")))
#define VECTOR __m512i
#define LANES 4
#define GROUP 4
#define REGISTER "v"
#define WIPE_VECTORS tn_wipe_vectors_avx512
#define WIDE_INLINE TARGET __attribute__((always_inline)) static inline

WIDE_INLINE __m512i wide_load(const void *p) { return _mm512_loadu_si512(p); }
WIDE_INLINE void wide_store(void *p, __m512i x) { _mm512_storeu_si512(p, x); }
WIDE_INLINE __m512i wide_broadcast(const __m128i *p) { return _mm512_broadcast_i32x4(*p); }
WIDE_INLINE __m512i wide_low(__m128i b) { return _mm512_zextsi128_si512(b); }
WIDE_INLINE __m128i wide_fold(__m512i x) {
  const __m256i sum = _mm512_castsi512_si256(x) ^ _mm512_extracti64x4_epi64(x, 1);
  return _mm256_castsi256_si128(sum) ^ _mm256_extracti128_si256(sum, 1);
}
WIDE_INLINE __m512i wide_reverse(__m512i x) { return _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(byte_reversal())); }
WIDE_INLINE __m512i wide_swap(__m512i x) { return _mm512_shuffle_epi32(x, 0x4e); }
WIDE_INLINE __m512i wide_aesenc(__m512i x, __m512i k) { return _mm512_aesenc_epi128(x, k); }
WIDE_INLINE __m512i wide_aesenclast(__m512i x, __m512i k) { return _mm512_aesenclast_epi128(x, k); }
WIDE_INLINE __m512i wide_multiply_low(__m512i a, __m512i b) { return _mm512_clmulepi64_epi128(a, b, 0x00); }
WIDE_INLINE __m512i wide_multiply_high(__m512i a, __m512i b) { return _mm512_clmulepi64_epi128(a, b, 0x11); }
WIDE_INLINE __m512i wide_count(__m512i x, int n) {
  return _mm512_add_epi32(x, _mm512_set_epi32(0, 0, 0, n, 0, 0, 0, n, 0, 0, 0, n, 0, 0, 0, n));
}
WIDE_INLINE __m512i wide_counters(__m128i c) {
  return _mm512_add_epi32(_mm512_broadcast_i32x4(c), _mm512_set_epi32(0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0));
}
WIDE_INLINE __mmask64 first_bytes(size_t n) { return ((uint64_t)1 << n) - 1; }
WIDE_INLINE __m512i wide_load_part(const uint8_t *p, size_t n) { return _mm512_maskz_loadu_epi8(first_bytes(n), p); }
WIDE_INLINE void wide_store_part(uint8_t *p, __m512i x, size_t n) { _mm512_mask_storeu_epi8(p, first_bytes(n), x); }
WIDE_INLINE __m512i wide_keep(__m512i x, size_t n) { return _mm512_maskz_mov_epi8(first_bytes(n), x); }

#include "crypto/x86_64/gcm_wide.h"

#define NEEDS (X86_NEEDS | TN_CPU_AVX2 | TN_CPU_VAES | TN_CPU_VPCLMUL | TN_CPU_AVX512)

IMPL(vaes512, 128, 10, NEEDS)
IMPL(vaes512, 256, 14, NEEDS)

#endif
