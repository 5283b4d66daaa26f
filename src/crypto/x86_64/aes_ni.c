#include "crypto/x86_64/aes_ni.h"

#if defined(__x86_64__)

#include <stdbool.h>

#define TARGET __attribute__((target(TN_AES_NI_TARGET)))
#define INLINE TARGET __attribute__((always_inline)) static inline

// SubWord of the last word of `key`, rotated or not, in every word of the answer: on a block of four
// equal columns ShiftRows does nothing.
INLINE __m128i sub_last_word(__m128i key, bool rotated, uint8_t rcon) {
  const __m128i as_is = _mm_set1_epi32(0x0f0e0d0c), rotation = _mm_set1_epi32(0x0c0f0e0d);
  return _mm_aesenclast_si128(_mm_shuffle_epi8(key, rotated ? rotation : as_is), _mm_set1_epi32(rcon));
}

// Word i of the answer is the sum of the words 0 to i of `key`, and t.
INLINE __m128i add_words(__m128i key, __m128i t) {
  key = _mm_xor_si128(key, _mm_slli_si128(key, 4));
  key = _mm_xor_si128(key, _mm_slli_si128(key, 8));
  return _mm_xor_si128(key, t);
}

static const uint8_t rcon[10] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36};

TARGET void tn_aes_ni_expand_128(__m128i keys[11], const uint8_t *raw) {
  keys[0] = tn_load_128(raw);
  for (int i = 1; i <= 10; i++) keys[i] = add_words(keys[i - 1], sub_last_word(keys[i - 1], true, rcon[i - 1]));
}

TARGET void tn_aes_ni_expand_256(__m128i keys[15], const uint8_t *raw) {
  keys[0] = tn_load_128(raw), keys[1] = tn_load_128(raw + 16);
  for (int i = 2; i <= 14; i++) {
    bool even = i % 2 == 0;
    keys[i] = add_words(keys[i - 2], sub_last_word(keys[i - 1], even, even ? rcon[i / 2 - 1] : 0));
  }
}

TARGET void tn_aes_ni_invert(__m128i inverse[], const __m128i keys[], int rounds) {
  inverse[0] = keys[rounds];
  for (int r = 1; r < rounds; r++) inverse[r] = _mm_aesimc_si128(keys[rounds - r]);
  inverse[rounds] = keys[0];
}

#endif
