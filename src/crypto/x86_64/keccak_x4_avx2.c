// Four Keccak states in AVX2's registers.
#if defined(__x86_64__)

#include <immintrin.h>

#include "base/cpu.h"

#define WAYS 4
#define TARGET __attribute__((target("avx2")))
typedef uint64_t lane __attribute__((vector_size(32)));

// Rotations by bytes are one instruction instead of three.
#define TWICE(...) _mm256_setr_epi8(__VA_ARGS__, __VA_ARGS__)
#define UP_1 TWICE(7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14)
#define DOWN_1 TWICE(1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8)
#define SHUFFLE(x, bytes) ((lane)_mm256_shuffle_epi8((__m256i)(x), bytes))
#define ROTATE(x, n) ((n) == 8 ? SHUFFLE(x, UP_1) : (n) == 56 ? SHUFFLE(x, DOWN_1) : ((x) << (n)) | ((x) >> (64 - (n))))
#include "crypto/x86_64/keccak_ways.h"

const tn_keccak_ways tn_keccak_x4_avx2 = {"avx2", TN_CPU_AVX2, WAYS, permute, copy, tn_wipe_vectors_avx};

#endif
