// What edwards25519_point.h asks of a field, of fe25519.h's.
#ifndef TN_CRYPTO_FE25519_PORTABLE_H
#define TN_CRYPTO_FE25519_PORTABLE_H

#include "crypto/ec/fe25519.h"

typedef tn_fe25519 fe;
#define FE_ZERO \
  {             \
    { 0 }       \
  }
#define FE_ONE \
  {            \
    { 1 }      \
  }
#define fe_mul tn_fe25519_mul
#define fe_sqr tn_fe25519_square
#define fe_mul_small tn_fe25519_mul_small
#define fe_add tn_fe25519_add
#define fe_sub tn_fe25519_sub
#define fe_select tn_fe25519_select
#define fe_from_words tn_fe25519_from_words
#define fe_to_words tn_fe25519_to_words

static void fe_sqr_times(fe *r, const fe *a, unsigned n) {
  fe_sqr(r, a);
  while (--n != 0) fe_sqr(r, r);
}

static void fe_negate_where(fe *a, uint64_t mask) {
  fe negative;
  fe_sub(&negative, &tn_fe25519_zero, a);
  fe_select(a, mask, &negative, a);
}

#endif
