// One block of SHA-256 with the SHA extensions (Intel SDM volume 2, SHA256RNDS2 and its companions), for what hashes
// alone and what does something else beside it.
#ifndef TN_CRYPTO_SHA256_SHANI_H
#define TN_CRYPTO_SHA256_SHANI_H

#if defined(__x86_64__)

#include <immintrin.h>
#include <stdint.h>

#include "crypto/hash/sha256.h"
#include "crypto/x86_64/beside.h"

#define TN_SHA256_SHANI __attribute__((target("sha,ssse3,sse4.1"), always_inline)) static inline

// The state as the instructions want it: the lowest word is the last named.
typedef struct tn_sha256_lanes {
  __m128i abef, cdgh;
} tn_sha256_lanes;

// Four rounds, of which the instruction does two: abef and cdgh take turns.
#define TN_SHA256_FOUR(w, t)                                                                \
  do {                                                                                      \
    const __m128i wk = _mm_add_epi32(w, _mm_load_si128((const void *)(tn_sha256_k + (t)))); \
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);                                           \
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0e));                  \
    beside(what, (t) / 4);                                                                  \
  } while (0)

// The message schedule: w0 takes the four words after w3, whose sixteen before are w0 to w3.
#define TN_SHA256_NEXT(w0, w1, w2, w3) \
  w0 = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4)), w3)

#define TN_SHA256_WORDS(i) _mm_shuffle_epi8(_mm_loadu_si128((const void *)(p + 16 * (i))), big_endian)

#define TN_SHA256_SIXTEEN(t)      \
  TN_SHA256_NEXT(w0, w1, w2, w3); \
  TN_SHA256_FOUR(w0, (t));        \
  TN_SHA256_NEXT(w1, w2, w3, w0); \
  TN_SHA256_FOUR(w1, (t) + 4);    \
  TN_SHA256_NEXT(w2, w3, w0, w1); \
  TN_SHA256_FOUR(w2, (t) + 8);    \
  TN_SHA256_NEXT(w3, w0, w1, w2); \
  TN_SHA256_FOUR(w3, (t) + 12)

TN_SHA256_SHANI tn_sha256_lanes tn_sha256_load(const uint32_t *s) {
  const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128((const void *)s), 0xb1),
                hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const void *)(s + 4)), 0x1b);
  return (tn_sha256_lanes){_mm_alignr_epi8(badc, hgfe, 8), _mm_blend_epi16(hgfe, badc, 0xf0)};
}

TN_SHA256_SHANI void tn_sha256_store(uint32_t *s, tn_sha256_lanes v) {
  const __m128i feba = _mm_shuffle_epi32(v.abef, 0x1b), dchg = _mm_shuffle_epi32(v.cdgh, 0xb1);
  _mm_storeu_si128((void *)s, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128((void *)(s + 4), _mm_alignr_epi8(dchg, feba, 8));
}

TN_SHA256_SHANI tn_sha256_lanes tn_sha256_block(tn_sha256_lanes before, const uint8_t *p, tn_beside *beside,
                                                void *what) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i abef = before.abef, cdgh = before.cdgh;
  __m128i w0 = TN_SHA256_WORDS(0), w1 = TN_SHA256_WORDS(1), w2 = TN_SHA256_WORDS(2), w3 = TN_SHA256_WORDS(3);
  TN_SHA256_FOUR(w0, 0);
  TN_SHA256_FOUR(w1, 4);
  TN_SHA256_FOUR(w2, 8);
  TN_SHA256_FOUR(w3, 12);
  TN_SHA256_SIXTEEN(16);
  TN_SHA256_SIXTEEN(32);
  TN_SHA256_SIXTEEN(48);
  abef = _mm_add_epi32(abef, before.abef);
  cdgh = _mm_add_epi32(cdgh, before.cdgh);
  return (tn_sha256_lanes){abef, cdgh};
}

#endif
#endif
