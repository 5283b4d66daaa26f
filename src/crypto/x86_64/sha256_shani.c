// SHA-256's compression function with the SHA extensions (Intel SDM volume 2, SHA256RNDS2 and its companions).
#include "base/mem.h"
#include "crypto/hash/compress.h"
#include "crypto/hash/sha256.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("sha,ssse3,sse4.1")))

// Four rounds, of which the instruction does two: abef and cdgh take turns.
#define FOUR_ROUNDS(w, t)                                                                   \
  do {                                                                                      \
    const __m128i wk = _mm_add_epi32(w, _mm_load_si128((const void *)(tn_sha256_k + (t)))); \
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);                                           \
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0e));                  \
  } while (0)

// The message schedule: w0 takes the four words after w3, whose sixteen before are w0 to w3.
#define NEXT(w0, w1, w2, w3) \
  w0 = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4)), w3)

#define LOAD(i) _mm_shuffle_epi8(_mm_loadu_si128((const void *)(p + 16 * (i))), big_endian)

TARGET void tn_sha256_compress_shani(void *state, const uint8_t *p, size_t n_blocks) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i *s = state;
  // From the order of the standard, a to h, to that of the instruction, whose lowest word is the last named.
  const __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(s), 0xb1),
                hgfe = _mm_shuffle_epi32(_mm_loadu_si128(s + 1), 0x1b);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);

  for (; n_blocks != 0; n_blocks--, p += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w0 = LOAD(0), w1 = LOAD(1), w2 = LOAD(2), w3 = LOAD(3);
    FOUR_ROUNDS(w0, 0);
    FOUR_ROUNDS(w1, 4);
    FOUR_ROUNDS(w2, 8);
    FOUR_ROUNDS(w3, 12);
#define SIXTEEN(t)          \
  NEXT(w0, w1, w2, w3);     \
  FOUR_ROUNDS(w0, (t));     \
  NEXT(w1, w2, w3, w0);     \
  FOUR_ROUNDS(w1, (t) + 4); \
  NEXT(w2, w3, w0, w1);     \
  FOUR_ROUNDS(w2, (t) + 8); \
  NEXT(w3, w0, w1, w2);     \
  FOUR_ROUNDS(w3, (t) + 12)
    SIXTEEN(16);
    SIXTEEN(32);
    SIXTEEN(48);
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }

  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(s, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(s + 1, _mm_alignr_epi8(dchg, feba, 8));
  tn_wipe_vectors();
}

#endif
