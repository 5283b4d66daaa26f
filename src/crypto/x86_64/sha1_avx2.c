// SHA-1's compression function with AVX2 and BMI2, for processors without the SHA extensions.
#include "crypto/hash/sha1.h"

#include "crypto/hash/compress.h"

#if defined(__x86_64__)

#define TARGET __attribute__((target("avx2,bmi2")))
#include "crypto/x86_64/sha_two_blocks.h"

// The next four words: W_t = ROTL(W_(t-3) ^ W_(t-8) ^ W_(t-14) ^ W_(t-16), 1). The last of them needs the first, W_t,
// which is not there yet: its ROTL(W_t, 1) is added afterwards.
INLINE vec schedule(vec w16, vec w12, vec w8, vec w4) {
  const vec w3 = (vec)_mm256_srli_si256((__m256i)w4, 4), w14 = WORDS_ON(w16, w12, 2);
  const vec x = w3 ^ w8 ^ w14 ^ w16, first = (vec)_mm256_slli_si256((__m256i)x, 12);
  return ROTL(x, 1) ^ ROTL(first, 2);
}

#define KW(t) KW_AT(kw, t)
#define KW_OF_SECOND(t) KW_AT(kw + WORDS, t)
// The first block's, after the schedule of the steps sixteen ahead.
#define KW_AND_SCHEDULE(t)                                                                       \
  ({                                                                                             \
    if ((t) % 4 == 0 && (t) < 64) {                                                              \
      vec *next = &w[(t) / 4 % 4];                                                               \
      *next = schedule(*next, w[((t) / 4 + 1) % 4], w[((t) / 4 + 2) % 4], w[((t) / 4 + 3) % 4]); \
      store_kw(&KW((t) + 16), *next, (vec)_mm256_set1_epi32((int)K((t) + 16)));                  \
    }                                                                                            \
    KW(t);                                                                                       \
  })

TARGET void tn_sha1_compress_avx2(void *state, const uint8_t *p, size_t n_blocks) {
  _Alignas(32) word kw[2 * 80];
  word *s = state;
  vec w[VECTORS];
  while (n_blocks != 0) {
    // The last of an odd number stands in both halves.
    const uint8_t *second = n_blocks == 1 ? p : p + BLOCK_LEN;
    for (size_t v = 0; v < VECTORS; v++) {
      w[v] = load_both(p + 16 * v, second + 16 * v);
      store_kw(kw + 2 * WORDS * v, w[v], (vec)_mm256_set1_epi32((int)K(0)));
    }
    STEPS(s, KW_AND_SCHEDULE);
    if (n_blocks == 1) break;
    STEPS(s, KW_OF_SECOND);
    p += 2 * BLOCK_LEN;
    n_blocks -= 2;
  }
  tn_wipe(kw, sizeof kw);
  tn_wipe_vectors_avx();
}

#endif
