// Four elements of the field of fe25519.h in step, in AVX-512's 52-bit products (IFMA) on registers of 256 bits: vector
// i has limb i of all four. Bounds on limbs are: tight, < 2^51 + 2^15, what a product is; a factor, < 2^52.
#ifndef TN_CRYPTO_X86_64_FE25519_IFMA_H
#define TN_CRYPTO_X86_64_FE25519_IFMA_H

#include <immintrin.h>

#include "crypto/ec/fe25519.h"

#define INLINE __attribute__((always_inline)) static inline

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

typedef uint64_t lanes __attribute__((vector_size(32)));

typedef struct quad {
  lanes limb[5];
} quad;

// The lanes in another order: lane i of the result is that of the number i_.
#define PERMUTE(v, i0, i1, i2, i3) ((lanes)_mm256_permute4x64_epi64((__m256i)(v), _MM_SHUFFLE(i3, i2, i1, i0)))
// a, with those of b where the mask has a bit.
#define BLEND(a, b, mask) ((lanes)_mm256_mask_blend_epi64(mask, (__m256i)(a), (__m256i)(b)))

INLINE lanes madd_low(lanes sum, lanes a, lanes b) {
  return (lanes)_mm256_madd52lo_epu64((__m256i)sum, (__m256i)a, (__m256i)b);
}
INLINE lanes madd_high(lanes sum, lanes a, lanes b) {
  return (lanes)_mm256_madd52hi_epu64((__m256i)sum, (__m256i)a, (__m256i)b);
}

INLINE quad quad_of(const tn_fe25519 *a, const tn_fe25519 *b, const tn_fe25519 *c, const tn_fe25519 *d) {
  quad r;
  UNROLL for (int i = 0; i < 5; i++) r.limb[i] = (lanes){a->limb[i], b->limb[i], c->limb[i], d->limb[i]};
  return r;
}

INLINE void quad_to(tn_fe25519 *a, tn_fe25519 *b, tn_fe25519 *c, tn_fe25519 *d, const quad *q) {
  for (int i = 0; i < 5; i++) {
    a->limb[i] = q->limb[i][0];
    b->limb[i] = q->limb[i][1];
    c->limb[i] = q->limb[i][2];
    d->limb[i] = q->limb[i][3];
  }
}

// From any limbs < 2^61 to tight ones: what is above 51 bits goes to the next limb, that of the last, < 2^10, to the
// first, 19 times.
INLINE void quad_carry(quad *q) {
  const lanes low51 = ((lanes){0} - 1) >> 13, nineteen = (lanes){0} + 19;
  lanes *l = q->limb;
  const lanes c0 = l[0] >> 51, c1 = l[1] >> 51, c2 = l[2] >> 51, c3 = l[3] >> 51, c4 = l[4] >> 51;
  l[0] = madd_low(l[0] & low51, c4, nineteen);
  l[1] = (l[1] & low51) + c0;
  l[2] = (l[2] & low51) + c1;
  l[3] = (l[3] & low51) + c2;
  l[4] = (l[4] & low51) + c3;
}

// a b + c. In: factors, and a c of limbs < 2^53. The products of limbs are < 2^104; the lower halves of a column's and
// twice the upper ones of the column before, whose weight is 2^52, are less than 15 2^52; and 20 times that, for what
// wraps around, and c are less than 2^61.
INLINE quad quad_mul_add(const quad *a, const quad *b, const quad *c) {
  lanes low[9] = {{0}}, high[9] = {{0}}, column[10];
  quad r;
  UNROLL for (int i = 0; i < 5; i++) {
    UNROLL for (int j = 0; j < 5; j++) {
      low[i + j] = madd_low(low[i + j], a->limb[i], b->limb[j]);
      high[i + j] = madd_high(high[i + j], a->limb[i], b->limb[j]);
    }
  }
  column[0] = low[0];
  UNROLL for (int i = 1; i < 9; i++) column[i] = low[i] + (high[i - 1] << 1);
  column[9] = high[8] << 1;
  UNROLL for (int i = 0; i < 5; i++) {
    const lanes x = column[i + 5];
    r.limb[i] = (column[i] + c->limb[i] + x) + ((x << 1) + (x << 4));
  }
  quad_carry(&r);
  return r;
}

INLINE quad quad_mul(const quad *a, const quad *b) {
  const quad zero = {{{0}}};
  return quad_mul_add(a, b, &zero);
}

// The lanes in another order, of all limbs.
#define QUAD_PERMUTE(r, q, i0, i1, i2, i3) \
  UNROLL for (int i_ = 0; i_ < 5; i_++)(r).limb[i_] = PERMUTE((q).limb[i_], i0, i1, i2, i3)

// Limb i of 2p, in all lanes.
INLINE lanes two_p(int i) { return (lanes){0} + (((uint64_t)1 << 52) - (i == 0 ? 38 : 2)); }

// (a + b, a - b, c + d, c - d) of (a, b, c, d), not carried: limbs < 2^53. In: tight. `exchanged` is (b, a, d, c).
INLINE quad quad_sums(const quad *q, const quad *exchanged) {
  const lanes odd = {0, UINT64_MAX, 0, UINT64_MAX};
  quad r;
  // -x = ~x + 1
  UNROLL for (int i = 0; i < 5; i++) r.limb[i] = exchanged->limb[i] + (q->limb[i] ^ odd) + (odd & (two_p(i) + 1));
  return r;
}

#endif
