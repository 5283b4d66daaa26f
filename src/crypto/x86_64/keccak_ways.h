// WAYS Keccak states in vectors, as sponges.h has them. A template: who includes it
// defines WAYS, 4 or 8, and what keccak_rounds.h asks for; `lane` is a vector of WAYS words.
#include <string.h>

#include "base/mem.h"
#include "crypto/hash/keccak_rounds.h"
#include "crypto/hash/sponges.h"

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

// Of two vectors in a row, the words whose number has the bit 1, 2 or 4 clear, and those that have it set.
#if WAYS == 4
#define CLEAR_1 0, 4, 2, 6
#define SET_1 1, 5, 3, 7
#define CLEAR_2 0, 1, 4, 5
#define SET_2 2, 3, 6, 7
#else
#define CLEAR_1 0, 8, 2, 10, 4, 12, 6, 14
#define SET_1 1, 9, 3, 11, 5, 13, 7, 15
#define CLEAR_2 0, 1, 8, 9, 4, 5, 12, 13
#define SET_2 2, 3, 10, 11, 6, 7, 14, 15
#define CLEAR_4 0, 1, 2, 3, 8, 9, 10, 11
#define SET_4 4, 5, 6, 7, 12, 13, 14, 15
#endif

// Exchanges this bit of the number of each vector with that of the number of the word in it.
#define EXCHANGE(v, bit)                                                         \
  UNROLL for (int i = 0; i < WAYS; i++) {                                        \
    if (i & (bit)) continue;                                                     \
    const lane clear = __builtin_shufflevector(v[i], v[i + (bit)], CLEAR_##bit); \
    v[i + (bit)] = __builtin_shufflevector(v[i], v[i + (bit)], SET_##bit);       \
    v[i] = clear;                                                                \
  }

TARGET __attribute__((always_inline)) static inline void transpose(lane v[WAYS]) {
  EXCHANGE(v, 1)
  EXCHANGE(v, 2)
#if WAYS == 8
  EXCHANGE(v, 4)
#endif
}

// The states' bytes are taken in squares of WAYS lanes of all of them. The last square begins as early as it must to
// end with the last lane.
TARGET static void copy(uint8_t (*out)[TN_KECCAK_MAX_RATE], const uint64_t *state) {
  enum { LANES = TN_KECCAK_MAX_RATE / 8 };
  const lane *a = (const void *)state;
  for (size_t i = 0; i < LANES; i += WAYS) {
    const size_t at = i + WAYS <= LANES ? i : LANES - WAYS;
    lane v[WAYS];
    UNROLL for (size_t j = 0; j < WAYS; j++) v[j] = a[at + j];
    transpose(v);
    UNROLL for (size_t j = 0; j < WAYS; j++) memcpy(out[j] + 8 * at, &v[j], sizeof v[j]);
  }
}

TARGET static void permute(uint64_t *state) { keccak_rounds((void *)state); }
