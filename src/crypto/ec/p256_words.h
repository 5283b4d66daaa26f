// Integers of four 64-bit words, least significant first: what the field and the scalars of P-256 share.
// Everything is constant-time; outputs may alias inputs.
#ifndef TN_CRYPTO_P256_WORDS_H
#define TN_CRYPTO_P256_WORDS_H

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/bytes.h"
#include "base/ct.h"

__extension__ typedef unsigned __int128 tn_u128;

// a + b + *carry, the carry (0 or 1) updated; and a - b - *borrow.
#if defined(__x86_64__)
// The same as below, in the form in which compilers see chains of adc and sbb.
static inline uint64_t tn_add_carry(uint64_t a, uint64_t b, uint64_t *carry) {
  unsigned long long sum;
  *carry = _addcarry_u64((unsigned char)*carry, a, b, &sum);
  return sum;
}

static inline uint64_t tn_sub_borrow(uint64_t a, uint64_t b, uint64_t *borrow) {
  unsigned long long difference;
  *borrow = _subborrow_u64((unsigned char)*borrow, a, b, &difference);
  return difference;
}
#else
static inline uint64_t tn_add_carry(uint64_t a, uint64_t b, uint64_t *carry) {
  tn_u128 s = (tn_u128)a + b + *carry;
  *carry = (uint64_t)(s >> 64);
  return (uint64_t)s;
}

static inline uint64_t tn_sub_borrow(uint64_t a, uint64_t b, uint64_t *borrow) {
  tn_u128 d = (tn_u128)a - b - *borrow;
  *borrow = (uint64_t)(d >> 64) & 1;
  return (uint64_t)d;
}
#endif

// The low word of a * b, the high word in *high.
static inline uint64_t tn_mul_wide(uint64_t a, uint64_t b, uint64_t *high) {
  tn_u128 product = (tn_u128)a * b;
  *high = (uint64_t)(product >> 64);
  return (uint64_t)product;
}

static inline void tn_words4_load(uint64_t r[4], const uint8_t in[32]) {
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) r[i] = tn_load_be64(in + 24 - 8 * i);
}

static inline void tn_words4_store(uint8_t out[32], const uint64_t a[4]) {
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) tn_store_be64(out + 24 - 8 * i, a[i]);
}

// All ones if a = 0, else zero.
static inline uint64_t tn_words4_is_zero(const uint64_t a[4]) { return tn_ct_is_zero(a[0] | a[1] | a[2] | a[3]); }

// r = a where mask is all ones, b where it is zero.
static inline void tn_words4_select(uint64_t r[4], uint64_t mask, const uint64_t a[4], const uint64_t b[4]) {
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) r[i] = tn_ct_select(mask, a[i], b[i]);
}

// r = a + b mod 2^256; returns the carry.
static inline uint64_t tn_words4_add(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]) {
  uint64_t carry = 0;
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) r[i] = tn_add_carry(a[i], b[i], &carry);
  return carry;
}

// r = a - b mod 2^256; returns the borrow.
static inline uint64_t tn_words4_sub(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]) {
  uint64_t borrow = 0;
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) r[i] = tn_sub_borrow(a[i], b[i], &borrow);
  return borrow;
}

// (t[0], ... t[4]) += a * b; returns the carry, which is 0 or 1.
static inline uint64_t tn_words4_mul_add_row(uint64_t t[5], uint64_t a, const uint64_t b[4]) {
  uint64_t low[4], high[4], low_carry = 0, high_carry = 0;
#pragma GCC unroll 4
  for (int j = 0; j < 4; j++) low[j] = tn_mul_wide(a, b[j], &high[j]);
#pragma GCC unroll 4
  for (int j = 0; j < 4; j++) t[j] = tn_add_carry(t[j], low[j], &low_carry);
  t[4] = tn_add_carry(t[4], 0, &low_carry);
#pragma GCC unroll 4
  for (int j = 0; j < 4; j++) t[j + 1] = tn_add_carry(t[j + 1], high[j], &high_carry);
  return low_carry + high_carry;
}

// t = a * b
static inline void tn_words4_mul(uint64_t t[8], const uint64_t a[4], const uint64_t b[4]) {
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++) t[i] = 0;
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) (void)tn_words4_mul_add_row(t + i, a[i], b);  // partial sums are below 2^(64 (i + 5))
}

// t = a^2
static inline void tn_words4_sqr(uint64_t t[8], const uint64_t a[4]) {
  // The products of different words, once each: a sum below 2^511, as twice it is part of a^2 < 2^512.
  uint64_t h01, h02, h03, h12, h13, h23, carry = 0;
  t[1] = tn_mul_wide(a[0], a[1], &h01);
  t[2] = tn_mul_wide(a[0], a[2], &h02);
  t[3] = tn_mul_wide(a[0], a[3], &h03);
  uint64_t l12 = tn_mul_wide(a[1], a[2], &h12);
  t[4] = tn_mul_wide(a[1], a[3], &h13);
  t[5] = tn_mul_wide(a[2], a[3], &h23);
  t[2] = tn_add_carry(t[2], h01, &carry);
  t[3] = tn_add_carry(t[3], h02, &carry);
  t[4] = tn_add_carry(t[4], h03, &carry);
  t[5] = tn_add_carry(t[5], h13, &carry);
  t[6] = h23 + carry, carry = 0;
  t[3] = tn_add_carry(t[3], l12, &carry);
  t[4] = tn_add_carry(t[4], h12, &carry);
  t[5] = tn_add_carry(t[5], 0, &carry);
  t[6] += carry;
  // Twice that, and the squares.
  t[7] = t[6] >> 63;
#pragma GCC unroll 5
  for (int i = 6; i > 1; i--) t[i] = t[i] << 1 | t[i - 1] >> 63;
  t[1] <<= 1;
  carry = 0;
  t[0] = 0;
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    uint64_t high, low = tn_mul_wide(a[i], a[i], &high);
    t[2 * i] = tn_add_carry(t[2 * i], low, &carry);
    t[2 * i + 1] = tn_add_carry(t[2 * i + 1], high, &carry);
  }
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
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) correction[i] = m[i] & below;
  (void)tn_words4_add(r, difference, correction);  // the carry cancels the borrow
}

#endif
