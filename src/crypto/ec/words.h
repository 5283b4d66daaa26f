// Integers of n 64-bit words, least significant first: what the fields and the orders of the NIST curves share.
// n is a constant wherever these are used, and the loops unroll. Constant time; outputs may alias inputs unless said.
#ifndef TN_CRYPTO_WORDS_H
#define TN_CRYPTO_WORDS_H

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/bytes.h"
#include "base/ct.h"

__extension__ typedef unsigned __int128 tn_u128;

#define TN_WORDS_MAX 9  // 521 bits
#define TN_WORDS_INLINE __attribute__((always_inline)) static inline
#define TN_WORDS_UNROLL _Pragma("GCC unroll 18")

// a + b + *carry, the carry (0 or 1) updated; and a - b - *borrow.
#if defined(__x86_64__)
// The same as below, in the form in which compilers see chains of adc and sbb.
TN_WORDS_INLINE uint64_t tn_add_carry(uint64_t a, uint64_t b, uint64_t *carry) {
  unsigned long long sum;
  *carry = _addcarry_u64((unsigned char)*carry, a, b, &sum);
  return sum;
}

TN_WORDS_INLINE uint64_t tn_sub_borrow(uint64_t a, uint64_t b, uint64_t *borrow) {
  unsigned long long difference;
  *borrow = _subborrow_u64((unsigned char)*borrow, a, b, &difference);
  return difference;
}
#else
TN_WORDS_INLINE uint64_t tn_add_carry(uint64_t a, uint64_t b, uint64_t *carry) {
  tn_u128 s = (tn_u128)a + b + *carry;
  *carry = (uint64_t)(s >> 64);
  return (uint64_t)s;
}

TN_WORDS_INLINE uint64_t tn_sub_borrow(uint64_t a, uint64_t b, uint64_t *borrow) {
  tn_u128 d = (tn_u128)a - b - *borrow;
  *borrow = (uint64_t)(d >> 64) & 1;
  return (uint64_t)d;
}
#endif

// The low word of a * b, the high word in *high.
TN_WORDS_INLINE uint64_t tn_mul_wide(uint64_t a, uint64_t b, uint64_t *high) {
  tn_u128 product = (tn_u128)a * b;
  *high = (uint64_t)(product >> 64);
  return (uint64_t)product;
}

// Big-endian bytes, n_bytes of them; the words hold as many or more. Variable n: not for hot loops.
static inline void tn_words_load(uint64_t *r, size_t n, const uint8_t *in, size_t n_bytes) {
  for (size_t i = 0; i < n; i++) r[i] = 0;
  for (size_t i = 0; i < n_bytes; i++) r[i / 8] |= (uint64_t)in[n_bytes - 1 - i] << (8 * (i % 8));
}

static inline void tn_words_store(uint8_t *out, size_t n_bytes, const uint64_t *a) {
  for (size_t i = 0; i < n_bytes; i++) out[n_bytes - 1 - i] = (uint8_t)(a[i / 8] >> (8 * (i % 8)));
}

// All ones if a = 0, else zero.
TN_WORDS_INLINE uint64_t tn_words_is_zero(const uint64_t *a, int n) {
  uint64_t any = 0;
  TN_WORDS_UNROLL for (int i = 0; i < n; i++) any |= a[i];
  return tn_ct_is_zero(any);
}

// All ones if a = b, else zero.
TN_WORDS_INLINE uint64_t tn_words_eq(const uint64_t *a, const uint64_t *b, int n) {
  uint64_t any = 0;
  TN_WORDS_UNROLL for (int i = 0; i < n; i++) any |= a[i] ^ b[i];
  return tn_ct_is_zero(any);
}

// r = a where mask is all ones, b where it is zero.
TN_WORDS_INLINE void tn_words_select(uint64_t *r, uint64_t mask, const uint64_t *a, const uint64_t *b, int n) {
  TN_WORDS_UNROLL for (int i = 0; i < n; i++) r[i] = tn_ct_select(mask, a[i], b[i]);
}

// r = a + b mod 2^(64 n); returns the carry.
TN_WORDS_INLINE uint64_t tn_words_add(uint64_t *r, const uint64_t *a, const uint64_t *b, int n) {
  uint64_t carry = 0;
  TN_WORDS_UNROLL for (int i = 0; i < n; i++) r[i] = tn_add_carry(a[i], b[i], &carry);
  return carry;
}

// r = a - b mod 2^(64 n); returns the borrow.
TN_WORDS_INLINE uint64_t tn_words_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, int n) {
  uint64_t borrow = 0;
  TN_WORDS_UNROLL for (int i = 0; i < n; i++) r[i] = tn_sub_borrow(a[i], b[i], &borrow);
  return borrow;
}

// All ones if a < b, else zero.
TN_WORDS_INLINE uint64_t tn_words_less(const uint64_t *a, const uint64_t *b, int n) {
  uint64_t borrow = 0;
  TN_WORDS_UNROLL for (int i = 0; i < n; i++)(void) tn_sub_borrow(a[i], b[i], &borrow);
  return tn_ct_mask_bit(borrow);
}

// (t[0], ... t[n]) += a * b; returns the carry, which is 0 or 1.
TN_WORDS_INLINE uint64_t tn_words_mul_add_row(uint64_t *t, uint64_t a, const uint64_t *b, int n) {
  uint64_t low[TN_WORDS_MAX], high[TN_WORDS_MAX], low_carry = 0, high_carry = 0;
  TN_WORDS_UNROLL for (int j = 0; j < n; j++) low[j] = tn_mul_wide(a, b[j], &high[j]);
  TN_WORDS_UNROLL for (int j = 0; j < n; j++) t[j] = tn_add_carry(t[j], low[j], &low_carry);
  t[n] = tn_add_carry(t[n], 0, &low_carry);
  TN_WORDS_UNROLL for (int j = 0; j < n; j++) t[j + 1] = tn_add_carry(t[j + 1], high[j], &high_carry);
  return low_carry + high_carry;
}

// t = a * b, 2 n words that do not alias a and b. The partial sums are below 2^(64 (n + i + 1)).
TN_WORDS_INLINE void tn_words_mul(uint64_t *t, const uint64_t *a, const uint64_t *b, int n) {
  TN_WORDS_UNROLL for (int i = 0; i < 2 * n; i++) t[i] = 0;
  TN_WORDS_UNROLL for (int i = 0; i < n; i++)(void) tn_words_mul_add_row(t + i, a[i], b, n);
}

// t = a^2, 2 n words that do not alias a: the products of different words once each, a sum below 2^(128 n - 1) as twice
// it is part of a^2; then twice that, and the squares.
TN_WORDS_INLINE void tn_words_sqr(uint64_t *t, const uint64_t *a, int n) {
  TN_WORDS_UNROLL for (int i = 0; i < 2 * n; i++) t[i] = 0;
  TN_WORDS_UNROLL for (int i = 0; i < n - 1; i++)(void) tn_words_mul_add_row(t + 2 * i + 1, a[i], a + i + 1, n - 1 - i);
  uint64_t carry = 0, top = 0;
  TN_WORDS_UNROLL for (int i = 0; i < n; i++) {
    uint64_t high, low = tn_mul_wide(a[i], a[i], &high);
    const uint64_t even = t[2 * i] << 1 | top, odd = t[2 * i + 1] << 1 | t[2 * i] >> 63;
    top = t[2 * i + 1] >> 63;
    t[2 * i] = tn_add_carry(even, low, &carry);
    t[2 * i + 1] = tn_add_carry(odd, high, &carry);
  }
}

// r = (carry * 2^(64 n) + a) mod m. Precondition: that number is below 2m.
TN_WORDS_INLINE void tn_words_reduce_once(uint64_t *r, const uint64_t *a, uint64_t carry, const uint64_t *m, int n) {
  uint64_t less[TN_WORDS_MAX];
  uint64_t borrow = tn_words_sub(less, a, m, n);
  // Below m exactly when the subtraction borrows more than the carry can give.
  tn_words_select(r, tn_ct_mask_bit(borrow & ~carry), a, less, n);
}

// r = a + b mod m and r = a - b mod m. Precondition: a, b < m.
TN_WORDS_INLINE void tn_words_add_mod(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m, int n) {
  uint64_t sum[TN_WORDS_MAX];
  uint64_t carry = tn_words_add(sum, a, b, n);
  tn_words_reduce_once(r, sum, carry, m, n);
}

TN_WORDS_INLINE void tn_words_sub_mod(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *m, int n) {
  uint64_t difference[TN_WORDS_MAX], correction[TN_WORDS_MAX];
  uint64_t below = tn_ct_mask_bit(tn_words_sub(difference, a, b, n));
  TN_WORDS_UNROLL for (int i = 0; i < n; i++) correction[i] = m[i] & below;
  (void)tn_words_add(r, difference, correction, n);  // the carry cancels the borrow
}

#endif
