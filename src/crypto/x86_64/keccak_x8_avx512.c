// Eight Keccak states in AVX-512's registers: a rotation is one instruction, and so is any function of three
// lanes (its immediate is the truth table).
#if defined(__x86_64__)

#include <immintrin.h>

#include "base/cpu.h"

#define WAYS 8
#define TARGET __attribute__((target("avx512f")))
typedef uint64_t lane __attribute__((vector_size(64)));
#define TERNARY(x, y, z, table) ((lane)_mm512_ternarylogic_epi64((__m512i)(x), (__m512i)(y), (__m512i)(z), table))
#define ROTATE(x, n) ((lane)_mm512_rol_epi64((__m512i)(x), n))
#define XOR3(x, y, z) TERNARY(x, y, z, 0x96)
#define CHI(x, y, z) TERNARY(x, y, z, 0xd2)
#include "crypto/x86_64/keccak_ways.h"

const tn_keccak_ways tn_keccak_x8_avx512 = {"avx512", TN_CPU_AVX512, WAYS, permute, copy, tn_wipe_vectors_avx512};

#endif
