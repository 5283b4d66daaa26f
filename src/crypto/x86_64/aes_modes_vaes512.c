// CBC and CTR with VAES on registers of 512 bits.
#if defined(__x86_64__)

#include "base/cpu.h"
#include "crypto/cipher/aes.h"
#include "crypto/x86_64/aes_ni.h"

#define TARGET __attribute__((target(TN_AES_NI_TARGET ",avx512f,avx512bw,avx512vl,vaes")))
#define LANE TARGET __attribute__((always_inline)) static inline
#define LANES 4
#define WIPE tn_wipe_vectors_avx512
#define PATH "vaes512"
#define CPU (TN_CPU_AESNI | TN_CPU_SSE41 | TN_CPU_AVX512 | TN_CPU_VAES)
#define MODE(name) name##_vaes512

typedef __m512i vec;

LANE vec broadcast(__m128i block) { return _mm512_broadcast_i32x4(block); }
LANE vec lane_numbers(void) { return _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0); }

LANE vec reverse_bytes(vec x) {
  const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm512_shuffle_epi8(x, broadcast(order));
}

LANE vec shift_in(vec x, vec before) { return _mm512_alignr_epi64(x, before, 6); }

LANE __mmask8 mask_of(size_t blocks) { return (__mmask8)((1u << 2 * blocks) - 1); }
LANE vec load_some(const uint8_t *p, size_t blocks) { return _mm512_maskz_loadu_epi64(mask_of(blocks), p); }
LANE void store_some(uint8_t *p, vec x, size_t blocks) { _mm512_mask_storeu_epi64(p, mask_of(blocks), x); }

LANE vec enc(vec x, vec k) { return _mm512_aesenc_epi128(x, k); }
LANE vec enc_last(vec x, vec k) { return _mm512_aesenclast_epi128(x, k); }
LANE vec dec(vec x, vec k) { return _mm512_aesdec_epi128(x, k); }
LANE vec dec_last(vec x, vec k) { return _mm512_aesdeclast_epi128(x, k); }

#include "crypto/x86_64/aes_parallel.h"

#endif
