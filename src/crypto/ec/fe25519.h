// The field of integers modulo p = 2^255 - 19, in five limbs of radix 2^51. Constant time throughout.
//
// Two bounds on limbs, which each function states:
//   tight: < 2^51 + 2^13, what a product is;
//   loose: < 2^54, what a product takes: the sum or difference of a few tight elements.
// Every output may be the same object as any input.
#ifndef TN_CRYPTO_FE25519_H
#define TN_CRYPTO_FE25519_H

#include <stdint.h>

#include "base/ct.h"

typedef struct tn_fe25519 {
  uint64_t limb[5];
} tn_fe25519;

static const tn_fe25519 tn_fe25519_zero = {{0}}, tn_fe25519_one = {{1}};

// Words least significant first; bit 255 is ignored and values from p on are taken modulo p (RFC 7748 section 5).
// Out: tight.
void tn_fe25519_from_words(tn_fe25519 *out, const uint64_t words[4]);
// The one representative below p. In: loose.
void tn_fe25519_to_words(uint64_t words[4], const tn_fe25519 *a);

// In: loose. Out: tight.
void tn_fe25519_mul(tn_fe25519 *out, const tn_fe25519 *a, const tn_fe25519 *b);
void tn_fe25519_square(tn_fe25519 *out, const tn_fe25519 *a);
void tn_fe25519_mul_small(tn_fe25519 *out, const tn_fe25519 *a, uint32_t b);

// out = a + b, limb by limb: two tight ones give limbs < 2^52 + 2^14; any sum < 2^54 is loose.
static inline void tn_fe25519_add(tn_fe25519 *out, const tn_fe25519 *a, const tn_fe25519 *b) {
  for (int i = 0; i < 5; i++) out->limb[i] = a->limb[i] + b->limb[i];
}

// out = a - b + 2p, so that no limb goes below zero: 2p has limbs of at least 2^52 - 38.
// b is tight; a's limbs grow by at most 2^52. So tight minus tight is < 2^53.
static inline void tn_fe25519_sub(tn_fe25519 *out, const tn_fe25519 *a, const tn_fe25519 *b) {
  const uint64_t two_p0 = ((uint64_t)1 << 52) - 38, two_p = ((uint64_t)1 << 52) - 2;
  out->limb[0] = a->limb[0] + two_p0 - b->limb[0];
  for (int i = 1; i < 5; i++) out->limb[i] = a->limb[i] + two_p - b->limb[i];
}

// out = a where `mask` is all ones, b where it is zero.
static inline void tn_fe25519_select(tn_fe25519 *out, uint64_t mask, const tn_fe25519 *a, const tn_fe25519 *b) {
  for (int i = 0; i < 5; i++) out->limb[i] = tn_ct_select(mask, a->limb[i], b->limb[i]);
}

#endif
