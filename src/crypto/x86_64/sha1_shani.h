// One block of SHA-1 with the SHA extensions (Intel SDM volume 2, SHA1RNDS4 and its companions), for what hashes alone
// and what does something else beside it.
#ifndef TN_CRYPTO_SHA1_SHANI_H
#define TN_CRYPTO_SHA1_SHANI_H

#if defined(__x86_64__)

#include <immintrin.h>
#include <stdint.h>

#include "crypto/x86_64/beside.h"

#define TN_SHA1_SHANI __attribute__((target("sha,ssse3,sse4.1"), always_inline)) static inline

// The state as the instructions want it: a in the top word of abcd, e in the top word of e.
typedef struct tn_sha1_lanes {
  __m128i abcd, e;
} tn_sha1_lanes;

// The n-th four steps. The instructions keep e in the top word: `next` is the abcd from which the e of these steps
// comes, and becomes that of the steps after them. Every twenty steps have their own function.
#define TN_SHA1_STEPS(n, w)                         \
  do {                                              \
    const __m128i e = _mm_sha1nexte_epu32(next, w); \
    next = abcd;                                    \
    abcd = _mm_sha1rnds4_epu32(abcd, e, (n) / 5);   \
    beside(what, n);                                \
  } while (0)

// The message schedule: w0 takes the four words after w3, whose sixteen before are w0 to w3.
#define TN_SHA1_NEXT(w0, w1, w2, w3) w0 = _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(w0, w1), w2), w3)

#define TN_SHA1_WORDS(i) _mm_shuffle_epi8(_mm_loadu_si128((const void *)(p + 16 * (i))), big_endian)

#define TN_SHA1_FOUR(n, w0, w1, w2, w3) \
  TN_SHA1_NEXT(w0, w1, w2, w3);         \
  TN_SHA1_STEPS(n, w0)

TN_SHA1_SHANI tn_sha1_lanes tn_sha1_load(const uint32_t *s) {
  return (tn_sha1_lanes){_mm_shuffle_epi32(_mm_loadu_si128((const void *)s), 0x1b), _mm_set_epi32((int)s[4], 0, 0, 0)};
}

TN_SHA1_SHANI void tn_sha1_store(uint32_t *s, tn_sha1_lanes v) {
  _mm_storeu_si128((void *)s, _mm_shuffle_epi32(v.abcd, 0x1b));
  s[4] = (uint32_t)_mm_extract_epi32(v.e, 3);
}

TN_SHA1_SHANI tn_sha1_lanes tn_sha1_block(tn_sha1_lanes before, const uint8_t *p, tn_beside *beside, void *what) {
  // Words come in from the top down, as a to d go.
  const __m128i big_endian = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
  __m128i abcd = before.abcd, e0 = before.e;
  __m128i w0 = TN_SHA1_WORDS(0), w1 = TN_SHA1_WORDS(1), w2 = TN_SHA1_WORDS(2), w3 = TN_SHA1_WORDS(3), next = abcd;
  abcd = _mm_sha1rnds4_epu32(abcd, _mm_add_epi32(e0, w0), 0);
  beside(what, 0);
  TN_SHA1_STEPS(1, w1);
  TN_SHA1_STEPS(2, w2);
  TN_SHA1_STEPS(3, w3);
  TN_SHA1_FOUR(4, w0, w1, w2, w3);
  TN_SHA1_FOUR(5, w1, w2, w3, w0);
  TN_SHA1_FOUR(6, w2, w3, w0, w1);
  TN_SHA1_FOUR(7, w3, w0, w1, w2);
  TN_SHA1_FOUR(8, w0, w1, w2, w3);
  TN_SHA1_FOUR(9, w1, w2, w3, w0);
  TN_SHA1_FOUR(10, w2, w3, w0, w1);
  TN_SHA1_FOUR(11, w3, w0, w1, w2);
  TN_SHA1_FOUR(12, w0, w1, w2, w3);
  TN_SHA1_FOUR(13, w1, w2, w3, w0);
  TN_SHA1_FOUR(14, w2, w3, w0, w1);
  TN_SHA1_FOUR(15, w3, w0, w1, w2);
  TN_SHA1_FOUR(16, w0, w1, w2, w3);
  TN_SHA1_FOUR(17, w1, w2, w3, w0);
  TN_SHA1_FOUR(18, w2, w3, w0, w1);
  TN_SHA1_FOUR(19, w3, w0, w1, w2);
  e0 = _mm_sha1nexte_epu32(next, before.e);
  abcd = _mm_add_epi32(abcd, before.abcd);
  return (tn_sha1_lanes){abcd, e0};
}

#endif
#endif
