// CBC and CTR with VAES on registers of 256 bits.
#if defined(__x86_64__)

#include "base/cpu.h"
#include "crypto/cipher/aes.h"
#include "crypto/x86_64/aes_ni.h"

#define TARGET __attribute__((target(TN_AES_NI_TARGET ",avx2,vaes")))
#define LANE TARGET __attribute__((always_inline)) static inline
#define LANES 2
#define WIPE tn_wipe_vectors_avx
#define PATH "vaes256"
#define CPU (TN_CPU_AESNI | TN_CPU_SSE41 | TN_CPU_AVX2 | TN_CPU_VAES)
#define MODE(name) name##_vaes256

typedef __m256i vec;

LANE vec broadcast(__m128i block) { return _mm256_broadcastsi128_si256(block); }
LANE vec lane_numbers(void) { return _mm256_set_epi64x(0, 1, 0, 0); }

LANE vec reverse_bytes(vec x) {
  const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm256_shuffle_epi8(x, broadcast(order));
}

LANE vec shift_in(vec x, vec before) { return _mm256_permute2x128_si256(before, x, 0x21); }

LANE vec load_some(const uint8_t *p, size_t blocks) {
  (void)blocks;  // one of two
  return _mm256_zextsi128_si256(tn_load_128(p));
}

LANE void store_some(uint8_t *p, vec x, size_t blocks) {
  (void)blocks;
  tn_store_128(p, _mm256_castsi256_si128(x));
}

LANE vec enc(vec x, vec k) { return _mm256_aesenc_epi128(x, k); }
LANE vec enc_last(vec x, vec k) { return _mm256_aesenclast_epi128(x, k); }
LANE vec dec(vec x, vec k) { return _mm256_aesdec_epi128(x, k); }
LANE vec dec_last(vec x, vec k) { return _mm256_aesdeclast_epi128(x, k); }

#include "crypto/x86_64/aes_parallel.h"

#endif
