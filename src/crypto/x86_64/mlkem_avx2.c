// ML-KEM's polynomial arithmetic with AVX2, 16 coefficients a vector.
#if defined(__x86_64__)

#include "crypto/x86_64/mlkem_avx2.h"
#include "base/cpu.h"
#include "base/mem.h"

#define WIDTH 16
#define TARGET __attribute__((target("avx2,bmi2,popcnt")))
typedef int16_t vector __attribute__((vector_size(32)));
typedef int32_t wide __attribute__((vector_size(32)));
#define MULHI(a, b) ((vector)_mm256_mulhi_epi16((__m256i)(a), (__m256i)(b)))
#define MULHRS(a, b) ((vector)_mm256_mulhrs_epi16((__m256i)(a), (__m256i)(b)))
#define MADD(a, b) ((wide)_mm256_madd_epi16((__m256i)(a), (__m256i)(b)))
#define SET1_16(x) ((vector)_mm256_set1_epi16(x))
#define SHIFT_LEFT_32(v) ((vector)_mm256_slli_epi32((__m256i)(v), 16))
#define SHIFT_RIGHT_32(v) ((vector)_mm256_srli_epi32((__m256i)(v), 16))
#define BLEND_ODD(a, b) ((vector)_mm256_blend_epi16((__m256i)(a), (__m256i)(b), 0xaa))
#define SWAP_16(v)                                                                               \
  ((vector)_mm256_shufflehi_epi16(_mm256_shufflelo_epi16((__m256i)(v), _MM_SHUFFLE(2, 3, 0, 1)), \
                                  _MM_SHUFFLE(2, 3, 0, 1)))

#define EXCHANGE(len, first, second)                                                              \
  TARGET __attribute__((always_inline)) static inline void exchange_##len(vector *v, vector *w) { \
    const __m256i a = (__m256i)*v, b = (__m256i)*w;                                               \
    *v = (vector)(first);                                                                         \
    *w = (vector)(second);                                                                        \
  }
EXCHANGE(16, a, b)  // these are the two vectors
EXCHANGE(8, _mm256_permute2x128_si256(a, b, 0x20), _mm256_permute2x128_si256(a, b, 0x31))
EXCHANGE(4, _mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b))
EXCHANGE(2, _mm256_blend_epi32(a, _mm256_slli_epi64(b, 32), 0xaa),
         _mm256_blend_epi32(_mm256_srli_epi64(a, 32), b, 0xaa))

#include "crypto/x86_64/mlkem_vectors.h"

// ---------------------------------------------------------------- sampling

// Stores those of the eight words `x` whose byte in `take` is set, and whatever, 16 bytes in all.
INLINE void store_taken(int16_t *out, __m128i x, uint64_t take) {
  const __m128i low = _mm_cvtsi64_si128((long long)_pext_u64(0x0e0c0a0806040200, take));
  const __m128i bytes = _mm_unpacklo_epi8(low, _mm_add_epi8(low, _mm_set1_epi8(1)));
  _mm_storeu_si128((void *)out, _mm_shuffle_epi8(x, bytes));
}

// Appends those of the 16 candidates that are taken, and whatever, 32 bytes at most. How many.
INLINE size_t append(int16_t *out, const uint8_t in[24]) {
  const __m256i x = tn_poly_candidates(in);
  const __m256i less = _mm256_cmpgt_epi16(_mm256_set1_epi16(TN_MLKEM_Q), x);
  const __m128i take = _mm_packs_epi16(_mm256_castsi256_si128(less), _mm256_extracti128_si256(less, 1));
  const unsigned bits = (unsigned)_mm_movemask_epi8(take);
  store_taken(out, _mm256_castsi256_si128(x), (uint64_t)_mm_cvtsi128_si64(take));
  store_taken(out + _mm_popcnt_u32(bits & 0xff), _mm256_extracti128_si256(x, 1), (uint64_t)_mm_extract_epi64(take, 1));
  return (size_t)_mm_popcnt_u32(bits);
}

// leaks: the bytes, which are public.
TARGET static size_t sample(int16_t *out, size_t room, const uint8_t *in, size_t n) {
  size_t taken = 0, i = 0;
  for (; i < n && room - taken >= 16; i += 24) taken += append(out + taken, in + i);
  for (; i < n && taken < room; i += 24) {
    int16_t last[16];
    const size_t some = append(last, in + i), fits = some < room - taken ? some : room - taken;
    for (size_t j = 0; j < fits; j++) out[taken++] = last[j];
  }
  return taken;
}

// Four bits a coefficient, the sum of the lower two less that of the upper two.
TARGET void tn_poly_noise2_avx2(tn_poly *f, const uint8_t in[128]) {
  const __m128i ones = _mm_set1_epi8(0x55), pairs = _mm_set1_epi8(3);
  for (size_t i = 0; i < 128; i += 16) {
    const __m128i x = _mm_loadu_si128((const void *)(in + i));
    const __m128i sums = _mm_add_epi8(_mm_and_si128(x, ones), _mm_and_si128(_mm_srli_epi16(x, 1), ones));
    const __m128i low = _mm_sub_epi8(_mm_and_si128(sums, pairs), _mm_and_si128(_mm_srli_epi16(sums, 2), pairs));
    const __m128i high =
        _mm_sub_epi8(_mm_and_si128(_mm_srli_epi16(sums, 4), pairs), _mm_and_si128(_mm_srli_epi16(sums, 6), pairs));
    store(f->c + 2 * i, (vector)_mm256_cvtepi8_epi16(_mm_unpacklo_epi8(low, high)));
    store(f->c + 2 * i + 16, (vector)_mm256_cvtepi8_epi16(_mm_unpackhi_epi8(low, high)));
  }
}

// ---------------------------------------------------------------- bytes

// round(2^d * x / q) modulo 2^d, for |x| < q / 2. The quotient's first guess comes from 2^(12 + d) / q rounded, which
// puts it off by less than 0.2 before it is rounded: the remainder tells whether it is one too small or too large.
INLINE vector compress(vector x, unsigned d) {
  const vector factor = SET1_16((int16_t)(((2u << (12 + d)) / TN_MLKEM_Q + 1) / 2)), half = SET1_16(TN_MLKEM_Q / 2);
  const vector guess = MULHRS(x << 3, factor);
  const vector remainder = minus(mullo(x, SET1_16((int16_t)(1 << d))), mullo(guess, SET1_16(TN_MLKEM_Q)));
  const vector too_small = remainder > half, too_large = remainder < -half;  // -1 where so
  return (guess - too_small + too_large) & SET1_16((int16_t)((1 << d) - 1));
}

// Bytes of a group of eight coefficients are stored eight or twelve at a time, so the last need room.
#define SLACK 16

// Four words of d bits become one of 4 * d, then two of those d bytes.
INLINE void encode_bits(uint8_t *out, const tn_poly *f, unsigned d) {
  uint64_t words[TN_MLKEM_N / 4];
  uint8_t bytes[32 * 12 + SLACK];
  const __m256i join = _mm256_set1_epi32(1 | 1 << (16 + d)), shift = _mm256_set1_epi64x(32 - 2 * d);
  for (size_t i = 0; i < TN_MLKEM_N; i += WIDTH) {
    const vector x = reduce(load(f->c + i));
    const vector y = d == 12 ? x + (SET1_16(TN_MLKEM_Q) & (x >> 15)) : compress(x, d);
    const __m256i twos = _mm256_madd_epi16((__m256i)y, join);
    const __m256i fours = _mm256_srl_epi64(_mm256_sllv_epi32(twos, shift), _mm256_castsi256_si128(shift));
    _mm256_storeu_si256((void *)(words + i / 4), fours);
  }
  for (size_t i = 0; i < TN_MLKEM_N / 8; i++) {
    const uint64_t low = words[2 * i] | words[2 * i + 1] << 4 * d;
    __builtin_memcpy(bytes + d * i, &low, 8);
    if (d > 8) {
      const uint32_t high = (uint32_t)(words[2 * i + 1] >> (64 - 4 * d));
      __builtin_memcpy(bytes + d * i + 8, &high, 4);
    }
  }
  __builtin_memcpy(out, bytes, 32 * d);
}

// The four bytes from that where coefficient i of a group of eight begins.
#define BYTES_AT(d, i) \
  (char)((i) * (d) / 8), (char)((i) * (d) / 8 + 1), (char)((i) * (d) / 8 + 2), (char)((i) * (d) / 8 + 3)

// Eight coefficients from d bytes, as words of 32 bits.
INLINE __m256i eight(const uint8_t *in, unsigned d) {
  const __m256i bytes = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)in));
  const __m256i spread = _mm256_setr_epi8(BYTES_AT(d, 0), BYTES_AT(d, 1), BYTES_AT(d, 2), BYTES_AT(d, 3),  //
                                          BYTES_AT(d, 4), BYTES_AT(d, 5), BYTES_AT(d, 6), BYTES_AT(d, 7));
  const __m256i skip = _mm256_setr_epi32(0, (int)(d % 8), (int)(2 * d % 8), (int)(3 * d % 8), (int)(4 * d % 8),
                                         (int)(5 * d % 8), (int)(6 * d % 8), (int)(7 * d % 8));
  const __m256i words = _mm256_srlv_epi32(_mm256_shuffle_epi8(bytes, spread), skip);
  return _mm256_and_si256(words, _mm256_set1_epi32((1 << d) - 1));
}

// Decompress_d: round(q * y / 2^d) is one rounding product, of y with its d bits moved to the top of 15.
INLINE void decode_bits(tn_poly *f, const uint8_t *in, unsigned d) {
  uint8_t bytes[32 * 12 + SLACK];
  __builtin_memcpy(bytes, in, 32 * d);
  for (size_t i = 0; i < TN_MLKEM_N; i += WIDTH) {
    const __m256i first = eight(bytes + d * i / 8, d), second = eight(bytes + d * i / 8 + d, d);
    const vector y = (vector)_mm256_permute4x64_epi64(_mm256_packus_epi32(first, second), _MM_SHUFFLE(3, 1, 2, 0));
    store(f->c + i, d == 12 ? y : MULHRS(y << (15 - d), SET1_16(TN_MLKEM_Q)));
  }
}

#define EACH_D(function, ...)    \
  switch (d) {                   \
    case 1:                      \
      function(__VA_ARGS__, 1);  \
      break;                     \
    case 4:                      \
      function(__VA_ARGS__, 4);  \
      break;                     \
    case 5:                      \
      function(__VA_ARGS__, 5);  \
      break;                     \
    case 10:                     \
      function(__VA_ARGS__, 10); \
      break;                     \
    case 11:                     \
      function(__VA_ARGS__, 11); \
      break;                     \
    default:                     \
      function(__VA_ARGS__, 12); \
      break;                     \
  }

TARGET void tn_poly_encode_avx2(uint8_t *out, const tn_poly *f, unsigned d){EACH_D(encode_bits, out, f)} TARGET
    void tn_poly_decode_avx2(tn_poly *f, const uint8_t *in, unsigned d) {
  EACH_D(decode_bits, f, in)
}

const tn_poly_arithmetic tn_poly_avx2 = {
    .path = "avx2",
    .cpu = TN_CPU_AVX2 | TN_CPU_BMI2,
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
    .wipe_registers = tn_wipe_vectors_avx,
};

#endif
