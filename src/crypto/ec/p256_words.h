// Integers of four 64-bit words, least significant first: what the field and the scalars of P-256 share.
// Everything is constant-time; outputs may alias inputs.
#ifndef TN_CRYPTO_P256_WORDS_H
#define TN_CRYPTO_P256_WORDS_H

#include "base/bytes.h"
#include "base/ct.h"

__extension__ typedef unsigned __int128 tn_u128;

// a + b + *carry, the carry (0 or 1) updated.
static inline uint64_t tn_add_carry(uint64_t a, uint64_t b, uint64_t *carry) {
  tn_u128 s = (tn_u128)a + b + *carry;
  *carry = (uint64_t)(s >> 64);
  return (uint64_t)s;
}

// a - b - *borrow, the borrow (0 or 1) updated.
static inline uint64_t tn_sub_borrow(uint64_t a, uint64_t b, uint64_t *borrow) {
  tn_u128 d = (tn_u128)a - b - *borrow;
  *borrow = (uint64_t)(d >> 64) & 1;
  return (uint64_t)d;
}

// The low word of a * b + c + *high, the high word left in *high. The sum is at most 2^128 - 1.
static inline uint64_t tn_mul_add(uint64_t a, uint64_t b, uint64_t c, uint64_t *high) {
  tn_u128 s = (tn_u128)a * b + c + *high;
  *high = (uint64_t)(s >> 64);
  return (uint64_t)s;
}

static inline void tn_words4_load(uint64_t r[4], const uint8_t in[32]) {
  for (int i = 0; i < 4; i++) r[i] = tn_load_be64(in + 24 - 8 * i);
}

static inline void tn_words4_store(uint8_t out[32], const uint64_t a[4]) {
  for (int i = 0; i < 4; i++) tn_store_be64(out + 24 - 8 * i, a[i]);
}

// All ones if a = 0, else zero.
static inline uint64_t tn_words4_is_zero(const uint64_t a[4]) { return tn_ct_is_zero(a[0] | a[1] | a[2] | a[3]); }

// r = a where mask is all ones, b where it is zero.
static inline void tn_words4_select(uint64_t r[4], uint64_t mask, const uint64_t a[4], const uint64_t b[4]) {
  for (int i = 0; i < 4; i++) r[i] = tn_ct_select(mask, a[i], b[i]);
}

// r = a + b mod 2^256; returns the carry.
static inline uint64_t tn_words4_add(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]) {
  uint64_t carry = 0;
  for (int i = 0; i < 4; i++) r[i] = tn_add_carry(a[i], b[i], &carry);
  return carry;
}

// r = a - b mod 2^256; returns the borrow.
static inline uint64_t tn_words4_sub(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]) {
  uint64_t borrow = 0;
  for (int i = 0; i < 4; i++) r[i] = tn_sub_borrow(a[i], b[i], &borrow);
  return borrow;
}

// All ones if a < b, else zero.
static inline uint64_t tn_words4_less(const uint64_t a[4], const uint64_t b[4]) {
  uint64_t unused[4];
  return tn_ct_mask_bit(tn_words4_sub(unused, a, b));
}

// r = (carry * 2^256 + a) mod m. Precondition: that number is below 2m.
static inline void tn_words4_reduce_once(uint64_t r[4], const uint64_t a[4], uint64_t carry, const uint64_t m[4]) {
  uint64_t less[4];
  uint64_t borrow = tn_words4_sub(less, a, m);
  // Below m exactly when the subtraction borrows more than the carry can give.
  tn_words4_select(r, tn_ct_mask_bit(borrow & ~carry), a, less);
}

// r = a + b mod m and r = a - b mod m. Precondition: a, b < m.
static inline void tn_words4_add_mod(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], const uint64_t m[4]) {
  uint64_t sum[4];
  uint64_t carry = tn_words4_add(sum, a, b);
  tn_words4_reduce_once(r, sum, carry, m);
}

static inline void tn_words4_sub_mod(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], const uint64_t m[4]) {
  uint64_t difference[4], correction[4];
  uint64_t below = tn_ct_mask_bit(tn_words4_sub(difference, a, b));
  for (int i = 0; i < 4; i++) correction[i] = m[i] & below;
  (void)tn_words4_add(r, difference, correction);  // the carry cancels the borrow
}

#endif
