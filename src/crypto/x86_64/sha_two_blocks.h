// The message schedules of two blocks at once: each block has one 128-bit half of every vector. The rounds of the first
// block run among the work on the schedules, those of the second follow. A template for SHA-1 and SHA-2, included after
// the hash's own header and the definition of TARGET.
#include <immintrin.h>

#include "base/mem.h"

#define INLINE TARGET __attribute__((always_inline)) static inline

typedef word vec __attribute__((vector_size(32)));

// The words of one block in a vector, and the vectors that hold the last sixteen.
#define WORDS (16 / sizeof(word))
#define VECTORS (16 / WORDS)

// In each half, the vector that begins `n` words into `low` and goes on into `high`.
#define WORDS_ON(low, high, n) ((vec)_mm256_alignr_epi8((__m256i)(high), (__m256i)(low), (n) * sizeof(word)))

// The words of both blocks from the sixteen bytes at each.
INLINE vec load_both(const uint8_t *first, const uint8_t *second) {
  const __m128i big_endian = sizeof(word) == 4 ? _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203)
                                               : _mm_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607);
  const __m128i low = _mm_loadu_si128((const void *)first), high = _mm_loadu_si128((const void *)second);
  const __m256i both = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
  return (vec)_mm256_shuffle_epi8(both, _mm256_broadcastsi128_si256(big_endian));
}

INLINE vec for_both(const word *k) { return (vec)_mm256_broadcastsi128_si256(_mm_load_si128((const void *)k)); }

// Leaves K_t + W_t of the next WORDS rounds of both blocks, the first block's before the second's.
INLINE void store_kw(word *kw, vec w, vec k) { _mm256_store_si256((void *)kw, (__m256i)(w + k)); }
// That of the t-th round from `at` on, which points to the first word of a block.
#define KW_AT(at, t) (at)[(t) / WORDS * 2 * WORDS + (t) % WORDS]
