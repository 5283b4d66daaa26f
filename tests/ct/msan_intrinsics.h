// Included before all else in the `ct-msan` preset: instructions whose operands MemorySanitizer would report rather
// than follow, in a form through which a secret can be followed.
#ifndef TN_TESTS_MSAN_INTRINSICS_H
#define TN_TESTS_MSAN_INTRINSICS_H
#if defined(__x86_64__)
#include <immintrin.h>
#include <sanitizer/msan_interface.h>

// By the algebra of the truth table, so that each bit of the result follows its own three.
#define TN_MSAN_TERM(i) ((table >> (i)&1 ? ~none : none) & ((i)&4 ? a : ~a) & ((i)&2 ? b : ~b) & ((i)&1 ? c : ~c))
#define TN_MSAN_TERNARY(name, type, feature)                                                                           \
  __attribute__((always_inline, target(feature))) static inline type name(type a, type b, type c, int table) {         \
    const type none = {0};                                                                                             \
    return TN_MSAN_TERM(0) | TN_MSAN_TERM(1) | TN_MSAN_TERM(2) | TN_MSAN_TERM(3) | TN_MSAN_TERM(4) | TN_MSAN_TERM(5) | \
           TN_MSAN_TERM(6) | TN_MSAN_TERM(7);                                                                          \
  }
TN_MSAN_TERNARY(tn_msan_ternary_128, __m128i, "sse2")
TN_MSAN_TERNARY(tn_msan_ternary_256, __m256i, "avx")
TN_MSAN_TERNARY(tn_msan_ternary_512, __m512i, "avx512f")
#undef _mm_ternarylogic_epi32
#undef _mm_ternarylogic_epi64
#undef _mm256_ternarylogic_epi32
#undef _mm256_ternarylogic_epi64
#undef _mm512_ternarylogic_epi32
#undef _mm512_ternarylogic_epi64
#define _mm_ternarylogic_epi32 tn_msan_ternary_128
#define _mm_ternarylogic_epi64 tn_msan_ternary_128
#define _mm256_ternarylogic_epi32 tn_msan_ternary_256
#define _mm256_ternarylogic_epi64 tn_msan_ternary_256
#define _mm512_ternarylogic_epi32 tn_msan_ternary_512
#define _mm512_ternarylogic_epi64 tn_msan_ternary_512

// All of the result is secret if anything of an operand is.
#define TN_MSAN_ALL_FROM_ANY(x, y, instruction)                                                             \
  ({                                                                                                        \
    __m128i a_ = (x), b_ = (y), r_;                                                                         \
    const int secret_ = __msan_test_shadow(&a_, sizeof a_) >= 0 || __msan_test_shadow(&b_, sizeof b_) >= 0; \
    __msan_unpoison(&a_, sizeof a_);                                                                        \
    __msan_unpoison(&b_, sizeof b_);                                                                        \
    r_ = (instruction);                                                                                     \
    if (secret_) __msan_poison(&r_, sizeof r_);                                                             \
    r_;                                                                                                     \
  })
#undef _mm_sha1rnds4_epu32
#undef _mm_aeskeygenassist_si128
#define _mm_sha1rnds4_epu32(x, y, function) \
  TN_MSAN_ALL_FROM_ANY(x, y, (__m128i)__builtin_ia32_sha1rnds4((__v4si)a_, (__v4si)b_, function))
#define _mm_aeskeygenassist_si128(x, constant) \
  TN_MSAN_ALL_FROM_ANY(x, _mm_setzero_si128(), (__m128i)__builtin_ia32_aeskeygenassist128((__v2di)a_, constant))

// The carry as a function of the top bits (Hacker's Delight 2-13).
static inline unsigned char tn_msan_addcarry(unsigned char carry, unsigned long long a, unsigned long long b,
                                             unsigned long long *sum) {
  *sum = a + b + (carry & 1);
  return (unsigned char)(((a & b) | ((a | b) & ~*sum)) >> 63);
}
static inline unsigned char tn_msan_subborrow(unsigned char borrow, unsigned long long a, unsigned long long b,
                                              unsigned long long *difference) {
  *difference = a - b - (borrow & 1);
  return (unsigned char)(((~a & b) | (~(a ^ b) & *difference)) >> 63);
}
#define _addcarry_u64 tn_msan_addcarry
#define _addcarryx_u64 tn_msan_addcarry
#define _subborrow_u64 tn_msan_subborrow

#endif
#endif
