// SHA-2's compression function with the message schedules of two blocks at once in vector registers: each block has one
// 128-bit half of every vector. The rounds of the first block run among the work on the schedules, those of the second
// follow. A template, included after sha2.h and the definitions of
//   COMPRESS, TARGET  the function's name and its target attribute
//   SCHEDULE(w, v)    what puts the message schedule's next words into w[v]: w[0] to w[VECTORS - 1] hold the last
//                     sixteen words, w[v] the oldest
#include <immintrin.h>

#include "base/mem.h"

#define INLINE TARGET __attribute__((always_inline)) static inline

typedef word vec __attribute__((vector_size(32)));

// The words of one block in a vector, and the vectors that hold sixteen.
#define WORDS (16 / sizeof(word))
#define VECTORS (16 / WORDS)

// In each half, the vector that begins one word into `low` and ends one word into `high`.
#define ONE_ON(low, high) ((vec)_mm256_alignr_epi8((__m256i)(high), (__m256i)(low), sizeof(word)))

INLINE vec load_both(const uint8_t *first, const uint8_t *second) {
  const __m128i low = _mm_loadu_si128((const void *)first), high = _mm_loadu_si128((const void *)second);
  return (vec)_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

INLINE vec swap_bytes(vec x) {
  const __m128i words = sizeof(word) == 4 ? _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203)
                                          : _mm_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607);
  return (vec)_mm256_shuffle_epi8((__m256i)x, _mm256_broadcastsi128_si256(words));
}

// Leaves K_t + W_t of the WORDS rounds from t on where KW() finds them.
INLINE void store_kw(word *kw, vec w, const word *k) {
  const vec both = (vec)_mm256_broadcastsi128_si256(_mm_load_si128((const void *)k));
  _mm256_store_si256((void *)kw, (__m256i)(w + both));
}
#define KW(i) at[(i) / WORDS * 2 * WORDS + (i) % WORDS]

// The same, after the schedule of the rounds sixteen ahead.
#define KW_AND_SCHEDULE(i)                                         \
  ({                                                               \
    if ((i) % WORDS == 0) {                                        \
      SCHEDULE(w, (i) / WORDS);                                    \
      store_kw(at + 2 * (16 + (i)), w[(i) / WORDS], k + 16 + (i)); \
    }                                                              \
    KW(i);                                                         \
  })

TARGET void COMPRESS(void *state, const uint8_t *p, size_t n_blocks) {
  _Alignas(32) word kw[2 * ROUNDS];
  word *s = state;
  vec w[VECTORS];
  while (n_blocks != 0) {
    // The last of an odd number stands in both halves.
    const uint8_t *second = n_blocks == 1 ? p : p + BLOCK_LEN;
    for (size_t v = 0; v < VECTORS; v++) {
      w[v] = swap_bytes(load_both(p + 16 * v, second + 16 * v));
      store_kw(kw + 2 * WORDS * v, w[v], K + WORDS * v);
    }
    {
      BEGIN_ROUNDS(s);
      word *at = kw;
      for (const word *k = K; k != K + ROUNDS - 16; k += 16, at += 32) {
        SIXTEEN_ROUNDS(KW_AND_SCHEDULE);
      }
      SIXTEEN_ROUNDS(KW);
      END_ROUNDS(s);
    }
    if (second == p) break;
    {
      BEGIN_ROUNDS(s);
      for (const word *at = kw + WORDS; at < kw + 2 * ROUNDS; at += 32) {
        SIXTEEN_ROUNDS(KW);
      }
      END_ROUNDS(s);
    }
    p += 2 * BLOCK_LEN;
    n_blocks -= 2;
  }
  tn_wipe(kw, sizeof kw);
  tn_wipe_vectors_avx();
}
