// Numbers without a modulus, and conversions.
#include "crypto/bn/bn.h"

#include "base/bytes.h"

typedef unsigned __int128 wide;

bool tn_bn_from_bytes(uint64_t *r, size_t words, tn_span bytes) {
  size_t left = bytes.n;
  uint64_t excess = 0;
  for (size_t i = 0; i < words; i++) {
    if (left >= 8) {
      left -= 8;
      r[i] = tn_load_be64(bytes.p + left);
    } else {
      r[i] = 0;
      for (size_t j = 0; j < left; j++) r[i] = r[i] << 8 | bytes.p[j];
      left = 0;
    }
  }
  while (left != 0) excess |= bytes.p[--left];
  return tn_ct_declassify(tn_ct_is_zero(excess));
}

void tn_bn_to_bytes(uint8_t *out, size_t n, const uint64_t *a) {
  for (; n >= 8; n -= 8) tn_store_be64(out + n - 8, *a++);
  for (size_t i = 0; i < n; i++) out[n - 1 - i] = (uint8_t)(*a >> (8 * i));
}

uint64_t tn_bn_add(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t words) {
  uint64_t carry = 0;
  for (size_t i = 0; i < words; i++) {
    wide sum = (wide)a[i] + b[i] + carry;
    r[i] = (uint64_t)sum;
    carry = (uint64_t)(sum >> 64);
  }
  return carry;
}

uint64_t tn_bn_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t words) {
  uint64_t borrow = 0;
  for (size_t i = 0; i < words; i++) {
    wide difference = (wide)a[i] - b[i] - borrow;
    r[i] = (uint64_t)difference;
    borrow = (uint64_t)(difference >> 64) & 1;
  }
  return borrow;
}

uint64_t tn_bn_less(const uint64_t *a, const uint64_t *b, size_t words) {
  uint64_t borrow = 0;
  for (size_t i = 0; i < words; i++) borrow = (uint64_t)(((wide)a[i] - b[i] - borrow) >> 64) & 1;
  return tn_ct_mask_bit(borrow);
}

uint64_t tn_bn_equal(const uint64_t *a, const uint64_t *b, size_t words) {
  uint64_t difference = 0;
  for (size_t i = 0; i < words; i++) difference |= a[i] ^ b[i];
  return tn_ct_is_zero(difference);
}

uint64_t tn_bn_equal_word(const uint64_t *a, uint64_t b, size_t words) {
  uint64_t difference = a[0] ^ b;
  for (size_t i = 1; i < words; i++) difference |= a[i];
  return tn_ct_is_zero(difference);
}

void tn_bn_select(uint64_t *r, uint64_t mask, const uint64_t *a, const uint64_t *b, size_t words) {
  for (size_t i = 0; i < words; i++) r[i] = tn_ct_select(mask, a[i], b[i]);
}

uint64_t tn_bn_mul_add(uint64_t *r, const uint64_t *a, size_t words, uint64_t x) {
  uint64_t carry = 0;
  for (size_t i = 0; i < words; i++) {
    wide sum = (wide)a[i] * x + r[i] + carry;  // at most 2^128 - 1
    r[i] = (uint64_t)sum;
    carry = (uint64_t)(sum >> 64);
  }
  return carry;
}

void tn_bn_product(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t words) {
  for (size_t i = 0; i < words; i++) r[i] = 0;
  for (size_t i = 0; i < words; i++) r[words + i] = tn_bn_mul_add(r + i, a, words, b[i]);
}

size_t tn_bn_bits(const uint64_t *a, size_t words) {
  // The highest word that is not zero.
  uint64_t bits = 0, rest = 0;
  for (size_t i = 0; i < words; i++) {
    uint64_t zero = tn_ct_is_zero(a[i]);
    bits = tn_ct_select(zero, bits, 64 * i);
    rest = tn_ct_select(zero, rest, a[i]);
  }
  for (unsigned half = 32; half != 0; half /= 2) {
    uint64_t high = ~tn_ct_is_zero(rest >> half);
    bits += high & half;
    rest = tn_ct_select(high, rest >> half, rest);
  }
  bits += rest;  // 0 or 1
  TN_PUBLIC(&bits, sizeof bits);
  return bits;
}
