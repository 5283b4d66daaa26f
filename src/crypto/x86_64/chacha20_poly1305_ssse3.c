// ChaCha20-Poly1305 on vectors of 128 bits with SSSE3, whose byte shuffle rotates by 8 and 16 bits.
#include "base/cpu.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define LANES 1
#define TARGET __attribute__((target("ssse3")))
#define INLINE TARGET static inline __attribute__((always_inline))
#define RUN tn_chacha20_run_ssse3
#define SHUFFLE_BYTES(x, mask) ((lanes)_mm_shuffle_epi8((__m128i)(x), (__m128i)(mask)))
#define MAC_BLOCK(h, r, block) tn_poly1305_block(h, r, block, 1)
#define WIPE_VECTORS tn_wipe_vectors
#include "crypto/aead/chacha20_poly1305_lanes.h"

const tn_aead_impl tn_chacha20_poly1305_ssse3 = {.path = "ssse3", .cpu = TN_CPU_SSE41, CHACHA20_POLY1305_MEMBERS};

#endif
