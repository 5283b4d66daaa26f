// Four Keccak sponges in AVX2's registers.
#if defined(__x86_64__)

#include "base/cpu.h"

#include <stdint.h>

#define WAYS 4
#define TARGET __attribute__((target("avx2")))
typedef uint64_t lane __attribute__((vector_size(32)));
#include "crypto/x86_64/keccak_ways.h"

const tn_keccak_ways tn_keccak_x4_avx2 = {"avx2", TN_CPU_AVX2, WAYS, add, permute, copy, tn_wipe_vectors_avx};

#endif
