// SHA-1's compression function with the SHA extensions (Intel SDM volume 2, SHA1RNDS4 and its companions).
#include "base/mem.h"
#include "crypto/hash/compress.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("sha,ssse3,sse4.1")))

// Four steps with function f. The instructions keep e in the top word: `next` is the abcd from which the e of these
// steps comes, and becomes that of the steps after them.
#define STEPS(f, w)                                 \
  do {                                              \
    const __m128i e = _mm_sha1nexte_epu32(next, w); \
    next = abcd;                                    \
    abcd = _mm_sha1rnds4_epu32(abcd, e, f);         \
  } while (0)

// The message schedule: w0 takes the four words after w3, whose sixteen before are w0 to w3.
#define NEXT(w0, w1, w2, w3) w0 = _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(w0, w1), w2), w3)

#define LOAD(i) _mm_shuffle_epi8(_mm_loadu_si128((const void *)(p + 16 * (i))), big_endian)

TARGET void tn_sha1_compress_shani(void *state, const uint8_t *p, size_t n_blocks) {
  // Words come in from the top down, as a to d go.
  const __m128i big_endian = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
  uint32_t *s = state;
  __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128((const void *)s), 0x1b);
  __m128i e0 = _mm_set_epi32((int)s[4], 0, 0, 0);

  for (; n_blocks != 0; n_blocks--, p += 64) {
    const __m128i abcd_before = abcd, e_before = e0;
    __m128i w0 = LOAD(0), w1 = LOAD(1), w2 = LOAD(2), w3 = LOAD(3), next = abcd;
    abcd = _mm_sha1rnds4_epu32(abcd, _mm_add_epi32(e0, w0), 0);
    STEPS(0, w1);
    STEPS(0, w2);
    STEPS(0, w3);
#define FOUR(f, w0, w1, w2, w3) \
  NEXT(w0, w1, w2, w3);         \
  STEPS(f, w0)
    FOUR(0, w0, w1, w2, w3);
    FOUR(1, w1, w2, w3, w0);
    FOUR(1, w2, w3, w0, w1);
    FOUR(1, w3, w0, w1, w2);
    FOUR(1, w0, w1, w2, w3);
    FOUR(1, w1, w2, w3, w0);
    FOUR(2, w2, w3, w0, w1);
    FOUR(2, w3, w0, w1, w2);
    FOUR(2, w0, w1, w2, w3);
    FOUR(2, w1, w2, w3, w0);
    FOUR(2, w2, w3, w0, w1);
    FOUR(3, w3, w0, w1, w2);
    FOUR(3, w0, w1, w2, w3);
    FOUR(3, w1, w2, w3, w0);
    FOUR(3, w2, w3, w0, w1);
    FOUR(3, w3, w0, w1, w2);
    e0 = _mm_sha1nexte_epu32(next, e_before);
    abcd = _mm_add_epi32(abcd, abcd_before);
  }

  _mm_storeu_si128((void *)s, _mm_shuffle_epi32(abcd, 0x1b));
  s[4] = (uint32_t)_mm_extract_epi32(e0, 3);
  tn_wipe_vectors();
}

#endif
