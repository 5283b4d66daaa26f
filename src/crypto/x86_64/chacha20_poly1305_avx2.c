// ChaCha20-Poly1305 with AVX2 and BMI2: eight blocks of key stream at a time.
#include "base/cpu.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define LANES 2
#define TARGET __attribute__((target("avx2,bmi2")))
#define INLINE TARGET static inline __attribute__((always_inline))
#define RUN tn_chacha20_run_avx2
#define SHUFFLE_BYTES(x, mask) ((lanes)_mm256_shuffle_epi8((__m256i)(x), (__m256i)(mask)))
#define MAC_BLOCK tn_poly1305_block_bmi2
#define WIPE_VECTORS tn_wipe_vectors_avx
#include "crypto/aead/chacha20_poly1305_lanes.h"

const tn_aead_impl tn_chacha20_poly1305_avx2 = {
    .path = "avx2", .cpu = TN_CPU_AVX2 | TN_CPU_BMI2, CHACHA20_POLY1305_MEMBERS};

#endif
