// ML-KEM's polynomial arithmetic with AVX-512, 32 coefficients a vector; a polynomial fits in eight of its registers.
// Noise and bytes, which take little time, are AVX2's.
#if defined(__x86_64__)

#include "base/cpu.h"
#include "base/mem.h"
#include "crypto/x86_64/mlkem_avx2.h"

#define WIDTH 32
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,popcnt")))
typedef int16_t vector __attribute__((vector_size(64)));
typedef int32_t wide __attribute__((vector_size(64)));
#define MULHI(a, b) ((vector)_mm512_mulhi_epi16((__m512i)(a), (__m512i)(b)))
#define MULHRS(a, b) ((vector)_mm512_mulhrs_epi16((__m512i)(a), (__m512i)(b)))
#define MADD(a, b) ((wide)_mm512_madd_epi16((__m512i)(a), (__m512i)(b)))
#define SET1_16(x) ((vector)_mm512_set1_epi16(x))
#define SHIFT_LEFT_32(v) ((vector)_mm512_slli_epi32((__m512i)(v), 16))
#define SHIFT_RIGHT_32(v) ((vector)_mm512_srli_epi32((__m512i)(v), 16))
#define BLEND_ODD(a, b) ((vector)_mm512_mask_blend_epi16(0xaaaaaaaa, (__m512i)(a), (__m512i)(b)))
#define SWAP_16(v) ((vector)_mm512_rol_epi32((__m512i)(v), 16))

#define EXCHANGE(len, first, second)                                                              \
  TARGET __attribute__((always_inline)) static inline void exchange_##len(vector *v, vector *w) { \
    const __m512i a = (__m512i)*v, b = (__m512i)*w;                                               \
    *v = (vector)(first);                                                                         \
    *w = (vector)(second);                                                                        \
  }
EXCHANGE(16, _mm512_shuffle_i64x2(a, b, 0x44), _mm512_shuffle_i64x2(a, b, 0xee))
EXCHANGE(8, _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), b),
         _mm512_permutex2var_epi64(a, _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), b))
EXCHANGE(4, _mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b))
EXCHANGE(2, _mm512_mask_blend_epi32(0xaaaa, a, _mm512_slli_epi64(b, 32)),
         _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(a, 32), b))

#include "crypto/x86_64/mlkem_vectors.h"

// Compressed in words of 32 bits, which AVX512F can. leaks: the bytes, which are public.
TARGET static size_t sample(int16_t *out, size_t room, const uint8_t *in, size_t n) {
  size_t taken = 0;
  for (size_t i = 0; i + 24 <= n && taken < room; i += 24) {
    const __m256i x = tn_poly_candidates(in + i);
    const __mmask16 take = _mm256_cmplt_epi16_mask(x, _mm256_set1_epi16(TN_MLKEM_Q));
    const __m256i packed = _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(take, _mm512_cvtepu16_epi32(x)));
    const size_t some = (size_t)_mm_popcnt_u32(take), fits = some < room - taken ? some : room - taken;
    if (room - taken >= 16)
      _mm256_storeu_si256((void *)(out + taken), packed);
    else
      _mm256_mask_storeu_epi16(out + taken, (__mmask16)((1u << fits) - 1), packed);
    taken += fits;
  }
  return taken;
}

const tn_poly_arithmetic tn_poly_avx512 = {
    .path = "avx512",
    .cpu = TN_CPU_AVX512 | TN_CPU_AVX2 | TN_CPU_BMI2,
    .ntt = ntt,
    .inverse_ntt = inverse_ntt,
    .twist = twist,
    .dot = dot,
    .scale_add = scale_add,
    .add = add,
    .subtract = subtract,
    .sample = sample,
    .noise2 = tn_poly_noise2_avx2,
    .encode = tn_poly_encode_avx2,
    .decode = tn_poly_decode_avx2,
    .is_reduced = is_reduced,
    .wipe_registers = tn_wipe_vectors_avx512,
};

#endif
