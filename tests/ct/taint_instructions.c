// The checker itself: through each kind of instruction that code with secrets uses, a secret operand must make the
// result secret; one that the checker lost would let every leak after it pass.
#include "base/cpu.h"
#include "secret.h"
#include "support/support.h"

#if defined(__x86_64__)
#include <immintrin.h>

typedef void (*instruction)(const uint8_t *a, const uint8_t *b, uint8_t *out);

#define X(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define Y(p) _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define Z(p) _mm512_loadu_si512(p)
#define DEFINE(name, features, body)                                                                               \
  __attribute__((target(features), noinline)) static void name(const uint8_t *a, const uint8_t *b, uint8_t *out) { \
    (void)b;                                                                                                       \
    body;                                                                                                          \
  }
#define XMM(name, features, result) DEFINE(name, features, _mm_storeu_si128((__m128i *)(void *)out, result))
#define YMM(name, features, result) DEFINE(name, features, _mm256_storeu_si256((__m256i *)(void *)out, result))
#define ZMM(name, features, result) DEFINE(name, features, _mm512_storeu_si512(out, result))

#define SSE "sse4.1,aes,pclmul,sha"
XMM(aesenc, SSE, _mm_aesenc_si128(X(a), X(b)))
XMM(aesenclast, SSE, _mm_aesenclast_si128(X(a), X(b)))
XMM(aesdec, SSE, _mm_aesdec_si128(X(a), X(b)))
XMM(aesdeclast, SSE, _mm_aesdeclast_si128(X(a), X(b)))
XMM(aesimc, SSE, _mm_aesimc_si128(_mm_xor_si128(X(a), X(b))))
XMM(aeskeygenassist, SSE, _mm_aeskeygenassist_si128(_mm_xor_si128(X(a), X(b)), 1))
XMM(pclmulqdq, SSE, _mm_clmulepi64_si128(X(a), X(b), 0x10))
XMM(pshufb, SSE, _mm_shuffle_epi8(X(a), X(b)))
XMM(palignr, SSE, _mm_alignr_epi8(X(a), X(b), 4))
XMM(pshufd, SSE, _mm_shuffle_epi32(_mm_xor_si128(X(a), X(b)), 0x1b))
XMM(pblendw, SSE, _mm_blend_epi16(X(a), X(b), 0x0f))
XMM(paddq, SSE, _mm_add_epi64(X(a), X(b)))
XMM(pmuludq, SSE, _mm_mul_epu32(X(a), X(b)))
XMM(psrlq, SSE, _mm_srli_epi64(_mm_xor_si128(X(a), X(b)), 63))
XMM(psrad, SSE, _mm_srai_epi32(_mm_xor_si128(X(a), X(b)), 31))
XMM(pslldq, SSE, _mm_slli_si128(_mm_xor_si128(X(a), X(b)), 8))
XMM(punpckhqdq, SSE, _mm_unpackhi_epi64(X(a), X(b)))
XMM(pcmpgtd, SSE, _mm_cmpgt_epi32(X(a), X(b)))
XMM(sha1rnds4, SSE, _mm_sha1rnds4_epu32(X(a), X(b), 1))
XMM(sha1nexte, SSE, _mm_sha1nexte_epu32(X(a), X(b)))
XMM(sha1msg1, SSE, _mm_sha1msg1_epu32(X(a), X(b)))
XMM(sha1msg2, SSE, _mm_sha1msg2_epu32(X(a), X(b)))
XMM(sha256rnds2, SSE, _mm_sha256rnds2_epu32(X(a), X(b), X(a)))
XMM(sha256rnds2_words, SSE, _mm_sha256rnds2_epu32(X(a), X(a), X(b)))
XMM(sha256msg1, SSE, _mm_sha256msg1_epu32(X(a), X(b)))
XMM(sha256msg2, SSE, _mm_sha256msg2_epu32(X(a), X(b)))

#define AVX2 "avx2,vaes,vpclmulqdq"
YMM(vaesenc_256, AVX2, _mm256_aesenc_epi128(Y(a), Y(b)))
YMM(vaesenclast_256, AVX2, _mm256_aesenclast_epi128(Y(a), Y(b)))
YMM(vaesdec_256, AVX2, _mm256_aesdec_epi128(Y(a), Y(b)))
YMM(vaesdeclast_256, AVX2, _mm256_aesdeclast_epi128(Y(a), Y(b)))
YMM(vpclmulqdq_256, AVX2, _mm256_clmulepi64_epi128(Y(a), Y(b), 0x01))
YMM(vpshufb_256, AVX2, _mm256_shuffle_epi8(Y(a), Y(b)))
YMM(vpermd_256, AVX2, _mm256_permutevar8x32_epi32(Y(a), Y(b)))
YMM(vpermq_256, AVX2, _mm256_permute4x64_epi64(_mm256_xor_si256(Y(a), Y(b)), 0x1b))
YMM(vperm2i128, AVX2, _mm256_permute2x128_si256(_mm256_xor_si256(Y(a), Y(b)), Y(a), 0x01))
YMM(vpmuludq_256, AVX2, _mm256_mul_epu32(Y(a), Y(b)))
YMM(vpackuswb_256, AVX2, _mm256_packus_epi16(Y(a), Y(b)))
YMM(vpblendvb_256, AVX2, _mm256_blendv_epi8(Y(a), Y(b), Y(b)))

#define AVX512 "avx512f,avx512bw,avx512dq,avx512vl,avx512ifma,avx512vbmi,vaes,vpclmulqdq"
ZMM(vaesenc_512, AVX512, _mm512_aesenc_epi128(Z(a), Z(b)))
ZMM(vaesenclast_512, AVX512, _mm512_aesenclast_epi128(Z(a), Z(b)))
ZMM(vaesdec_512, AVX512, _mm512_aesdec_epi128(Z(a), Z(b)))
ZMM(vaesdeclast_512, AVX512, _mm512_aesdeclast_epi128(Z(a), Z(b)))
ZMM(vpclmulqdq_512, AVX512, _mm512_clmulepi64_epi128(Z(a), Z(b), 0x01))
ZMM(vpshufb_512, AVX512, _mm512_shuffle_epi8(Z(a), Z(b)))
ZMM(vpermd_512, AVX512, _mm512_permutexvar_epi32(Z(a), Z(b)))
ZMM(vpermq_512, AVX512, _mm512_permutexvar_epi64(Z(a), Z(b)))
ZMM(vpermb_512, AVX512, _mm512_permutexvar_epi8(Z(a), Z(b)))
ZMM(vpermt2q_512, AVX512, _mm512_permutex2var_epi64(Z(a), _mm512_set_epi64(15, 1, 14, 2, 13, 3, 12, 4), Z(b)))
ZMM(valignq_512, AVX512, _mm512_alignr_epi64(Z(a), Z(b), 3))
ZMM(vshufi32x4_512, AVX512, _mm512_shuffle_i32x4(_mm512_xor_si512(Z(a), Z(b)), Z(a), 0x1b))
ZMM(vprold_512, AVX512, _mm512_rol_epi32(_mm512_xor_si512(Z(a), Z(b)), 7))
ZMM(vprolq_512, AVX512, _mm512_rol_epi64(_mm512_xor_si512(Z(a), Z(b)), 36))
ZMM(vpternlogd_512, AVX512, _mm512_ternarylogic_epi32(Z(a), Z(b), _mm512_setzero_si512(), 0x96))
ZMM(vpternlogq_512, AVX512, _mm512_ternarylogic_epi64(_mm512_setzero_si512(), Z(a), Z(b), 0xd2))
ZMM(vpmadd52luq_512, AVX512, _mm512_madd52lo_epu64(_mm512_setzero_si512(), Z(a), Z(b)))
ZMM(vpmadd52huq_512, AVX512, _mm512_madd52hi_epu64(_mm512_setzero_si512(), Z(a), Z(b)))
ZMM(vpmadd52luq_512_sum, AVX512, _mm512_madd52lo_epu64(Z(a), Z(b), Z(b)))
YMM(vpmadd52luq_256, AVX512, _mm256_madd52lo_epu64(_mm256_setzero_si256(), Y(a), Y(b)))
ZMM(vpmuludq_512, AVX512, _mm512_mul_epu32(Z(a), Z(b)))
ZMM(masked_load, AVX512, _mm512_xor_si512(_mm512_maskz_loadu_epi8(~0ull / 3, a), _mm512_maskz_loadu_epi8(~0ull / 3, b)))
DEFINE(masked_store, AVX512, _mm512_mask_storeu_epi8(out, ~0ull / 3, _mm512_xor_si512(Z(a), Z(b))))
DEFINE(masked_store_64, AVX512, _mm512_mask_storeu_epi64(out, 0x55, _mm512_xor_si512(Z(a), Z(b))))
ZMM(masked_move, AVX512, _mm512_mask_mov_epi8(Z(a), ~0ull / 3, Z(b)))
ZMM(masked_compare, AVX512, _mm512_maskz_set1_epi8(_mm512_cmplt_epu8_mask(Z(a), Z(b)), -1))
ZMM(inserted, AVX512, _mm512_inserti32x4(Z(a), X(b), 2))
DEFINE(extracted, AVX512,
       _mm_storeu_si128((__m128i *)(void *)out, _mm512_extracti32x4_epi32(_mm512_xor_si512(Z(a), Z(b)), 3)))

static const struct {
  const char *name;
  instruction run;
  uint32_t cpu;
} instructions[] = {
#define SSE_ROW(name) \
  { #name, name, TN_CPU_SSE41 | TN_CPU_AESNI | TN_CPU_PCLMUL }
#define SHA_ROW(name) \
  { #name, name, TN_CPU_SSE41 | TN_CPU_SHANI }
#define AVX2_ROW(name) \
  { #name, name, TN_CPU_AVX2 | TN_CPU_VAES | TN_CPU_VPCLMUL }
#define AVX512_ROW(name) \
  { #name, name, TN_CPU_AVX512 | TN_CPU_IFMA | TN_CPU_VBMI | TN_CPU_VAES | TN_CPU_VPCLMUL }
    SSE_ROW(aesenc),
    SSE_ROW(aesenclast),
    SSE_ROW(aesdec),
    SSE_ROW(aesdeclast),
    SSE_ROW(aesimc),
    SSE_ROW(aeskeygenassist),
    SSE_ROW(pclmulqdq),
    SSE_ROW(pshufb),
    SSE_ROW(palignr),
    SSE_ROW(pshufd),
    SSE_ROW(pblendw),
    SSE_ROW(paddq),
    SSE_ROW(pmuludq),
    SSE_ROW(psrlq),
    SSE_ROW(psrad),
    SSE_ROW(pslldq),
    SSE_ROW(punpckhqdq),
    SSE_ROW(pcmpgtd),
    SHA_ROW(sha1rnds4),
    SHA_ROW(sha1nexte),
    SHA_ROW(sha1msg1),
    SHA_ROW(sha1msg2),
    SHA_ROW(sha256rnds2),
    SHA_ROW(sha256rnds2_words),
    SHA_ROW(sha256msg1),
    SHA_ROW(sha256msg2),
    AVX2_ROW(vaesenc_256),
    AVX2_ROW(vaesenclast_256),
    AVX2_ROW(vaesdec_256),
    AVX2_ROW(vaesdeclast_256),
    AVX2_ROW(vpclmulqdq_256),
    AVX2_ROW(vpshufb_256),
    AVX2_ROW(vpermd_256),
    AVX2_ROW(vpermq_256),
    AVX2_ROW(vperm2i128),
    AVX2_ROW(vpmuludq_256),
    AVX2_ROW(vpackuswb_256),
    AVX2_ROW(vpblendvb_256),

    AVX512_ROW(vaesenc_512),
    AVX512_ROW(vaesenclast_512),
    AVX512_ROW(vaesdec_512),
    AVX512_ROW(vaesdeclast_512),
    AVX512_ROW(vpclmulqdq_512),
    AVX512_ROW(vpshufb_512),
    AVX512_ROW(vpermd_512),
    AVX512_ROW(vpermq_512),
    AVX512_ROW(vpermb_512),
    AVX512_ROW(vpermt2q_512),
    AVX512_ROW(valignq_512),
    AVX512_ROW(vshufi32x4_512),
    AVX512_ROW(vprold_512),
    AVX512_ROW(vprolq_512),
    AVX512_ROW(vpternlogd_512),
    AVX512_ROW(vpternlogq_512),
    AVX512_ROW(vpmadd52luq_512),
    AVX512_ROW(vpmadd52huq_512),
    AVX512_ROW(vpmadd52luq_512_sum),
    AVX512_ROW(vpmadd52luq_256),
    AVX512_ROW(vpmuludq_512),
    AVX512_ROW(masked_load),
    AVX512_ROW(masked_store),
    AVX512_ROW(masked_store_64),
    AVX512_ROW(masked_move),
    AVX512_ROW(masked_compare),
    AVX512_ROW(inserted),
    AVX512_ROW(extracted),
};

int main(void) {
  static uint8_t operands[2][64], out[64];
  test_rng rng = {1};
  int wrong = 0;
  size_t ran = 0;
  for (size_t i = 0; i < COUNT(instructions); i++) {
    if (!tn_cpu_has(instructions[i].cpu)) continue;
    ran++;
    for (size_t secret = 0; secret < 2; secret++) {
      test_rng_bytes(&rng, operands, sizeof operands);
      memset(out, 0, sizeof out);
      TN_SECRET(operands[secret], sizeof operands[secret]);
      instructions[i].run(operands[0], operands[1], out);
      const bool lost = secret_bytes(out, sizeof out) == 0;
      TN_PUBLIC(operands, sizeof operands);
      TN_PUBLIC(out, sizeof out);
      if (lost) printf("%s: what comes of the secret operand %zu is not secret\n", instructions[i].name, secret);
      wrong |= lost;
    }
  }
  printf("%zu instructions\n", ran);
  return wrong;
}
#else
int main(void) { return 77; }
#endif
