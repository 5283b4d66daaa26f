// ChaCha20-Poly1305 with AVX-512 and BMI2: sixteen blocks of key stream at a time.
#include "base/cpu.h"

#if defined(__x86_64__)

#define LANES 4
#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi2")))
#define INLINE TARGET static inline __attribute__((always_inline))
#define RUN tn_chacha20_run_avx512
#define MAC_BLOCK tn_poly1305_block_bmi2
#define WIPE_VECTORS tn_wipe_vectors_avx512
#include "crypto/aead/chacha20_poly1305_lanes.h"

const tn_aead_impl tn_chacha20_poly1305_avx512 = {
    .path = "avx512", .cpu = TN_CPU_AVX512 | TN_CPU_BMI2, CHACHA20_POLY1305_MEMBERS};

#endif
