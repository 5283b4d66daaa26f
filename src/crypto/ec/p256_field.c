#include "crypto/ec/p256_field.h"

#define P1 0x00000000ffffffffu
#define P3 0xffffffff00000001u

static const uint64_t p[4] = {0xffffffffffffffff, P1, 0, P3};

// 2^256 mod p and 2^512 mod p.
const tn_p256_fe tn_p256_fe_one = {{0x0000000000000001, 0xffffffff00000000, 0xffffffffffffffff, 0x00000000fffffffe}};
static const tn_p256_fe r_squared = {{0x0000000000000003, 0xfffffffbffffffff, 0xfffffffffffffffe, 0x00000004fffffffd}};

// r = t / 2^256 mod p. Precondition: t <= (p - 1)^2.
//
// Montgomery's reduction, a word at a time. As -1/p mod 2^64 = 1, the multiple of p that clears the
// lowest word m is m itself; and m * p = (m * P3) * 2^192 + m * 2^96 - m, whose last term clears the word.
//
// Bounds: the low half of t, with multiples of p that sum to less than 2^256 * p, becomes
// (2^256 - 1 + (2^256 - 1) p) / 2^256 < p + 1, so at most p; no step carries out of its four words, as
// each partial result is at most max(2^256 - 1, p) by the same bound. The high half is at most
// (p - 1)^2 / 2^256 < p - 1. The sum is below 2p.
__attribute__((always_inline)) static inline void reduce(tn_p256_fe *r, const uint64_t t[8]) {
  uint64_t a0 = t[0], a1 = t[1], a2 = t[2], a3 = t[3];
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    uint64_t m = a0, carry = 0, high;
    uint64_t low = tn_mul_wide(m, P3, &high);
    a0 = tn_add_carry(a1, m << 32, &carry);
    a1 = tn_add_carry(a2, m >> 32, &carry);
    a2 = tn_add_carry(a3, low, &carry);
    a3 = high + carry;
  }
  const uint64_t half[4] = {a0, a1, a2, a3};
  uint64_t sum[4];
  uint64_t carry = tn_words4_add(sum, half, t + 4);
  tn_words4_reduce_once(r->w, sum, carry, p);
}

void tn_p256_fe_mul(tn_p256_fe *r, const tn_p256_fe *a, const tn_p256_fe *b) {
  uint64_t t[8];
  tn_words4_mul(t, a->w, b->w);
  reduce(r, t);
}

void tn_p256_fe_sqr(tn_p256_fe *r, const tn_p256_fe *a) {
  uint64_t t[8];
  tn_words4_sqr(t, a->w);
  reduce(r, t);
}

void tn_p256_fe_add(tn_p256_fe *r, const tn_p256_fe *a, const tn_p256_fe *b) { tn_words4_add_mod(r->w, a->w, b->w, p); }
void tn_p256_fe_sub(tn_p256_fe *r, const tn_p256_fe *a, const tn_p256_fe *b) { tn_words4_sub_mod(r->w, a->w, b->w, p); }

void tn_p256_fe_neg(tn_p256_fe *r, const tn_p256_fe *a) {
  static const tn_p256_fe zero;
  tn_p256_fe_sub(r, &zero, a);
}

uint64_t tn_p256_fe_from_bytes(tn_p256_fe *r, const uint8_t in[32]) {
  tn_p256_fe a;
  tn_words4_load(a.w, in);
  uint64_t below = tn_words4_less(a.w, p);
  tn_words4_reduce_once(a.w, a.w, 0, p);
  tn_p256_fe_mul(r, &a, &r_squared);
  return below;
}

void tn_p256_fe_to_bytes(uint8_t out[32], const tn_p256_fe *a) {
  const uint64_t t[8] = {a->w[0], a->w[1], a->w[2], a->w[3]};
  tn_p256_fe plain;
  reduce(&plain, t);
  tn_words4_store(out, plain.w);
}

// r = a^(2^n) * b
static void sqr_n_mul(tn_p256_fe *r, const tn_p256_fe *a, int n, const tn_p256_fe *b) {
  tn_p256_fe t = *a;
  for (int i = 0; i < n; i++) tn_p256_fe_sqr(&t, &t);
  tn_p256_fe_mul(r, &t, b);
}

// a^(p - 2), Fermat. xN is a^(2^N - 1), N ones in binary; p - 2 in binary is 32 ones, 31 zeros, 1,
// 96 zeros, 94 ones, 0, 1.
void tn_p256_fe_inv(tn_p256_fe *r, const tn_p256_fe *a) {
  tn_p256_fe x2, x4, x8, x16, x24, x28, x30, x32, t;
  sqr_n_mul(&x2, a, 1, a);
  sqr_n_mul(&x4, &x2, 2, &x2);
  sqr_n_mul(&x8, &x4, 4, &x4);
  sqr_n_mul(&x16, &x8, 8, &x8);
  sqr_n_mul(&x24, &x16, 8, &x8);
  sqr_n_mul(&x28, &x24, 4, &x4);
  sqr_n_mul(&x30, &x28, 2, &x2);
  sqr_n_mul(&x32, &x30, 2, &x2);
  sqr_n_mul(&t, &x32, 32, a);
  sqr_n_mul(&t, &t, 96 + 32, &x32);
  sqr_n_mul(&t, &t, 32, &x32);
  sqr_n_mul(&t, &t, 30, &x30);
  sqr_n_mul(r, &t, 2, a);
}
