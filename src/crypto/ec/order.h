// A template: integers modulo n, a curve's order, plain and in [0, n). The including file has defined:
//   WORDS, BITS
//   ORDER                  n, as const uint64_t[WORDS]
//   ORDER_R2               2^(128 WORDS) mod n
//   ORDER_MINUS_INVERSE    -1/n mod 2^64
// Constant time; outputs may alias inputs.
#include "crypto/ec/words.h"

// r = t / 2^(64 WORDS) mod n, Montgomery's reduction. Precondition: t < 2^(64 WORDS) n.
//
// Bounds: each row adds the multiple m n that clears the lowest word, all rows less than 2^(64 WORDS) n, so that the
// quotient is below 2n. `carry` belongs to the word above the row: WORDS words, one above, and m n are below
// 2 * 2^(64 (WORDS + 1)).
TN_WORDS_INLINE void order_reduce(uint64_t r[WORDS], uint64_t t[2 * WORDS]) {
  uint64_t carry = 0;
  TN_WORDS_UNROLL for (int i = 0; i < WORDS; i++) {
    const uint64_t m = t[i] * ORDER_MINUS_INVERSE;
    uint64_t next = 0;
    t[i + WORDS] = tn_add_carry(t[i + WORDS], carry, &next);
    carry = next + tn_words_mul_add_row(t + i, m, ORDER, WORDS);
  }
  tn_words_reduce_once(r, t + WORDS, carry, ORDER, WORDS);
}

// r = a b / 2^(64 WORDS) and r = a^2 / 2^(64 WORDS).
static void order_montgomery(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS]) {
  uint64_t t[2 * WORDS];
  tn_words_mul(t, a, b, WORDS);
  order_reduce(r, t);
}

static void order_montgomery_sqr(uint64_t r[WORDS], const uint64_t a[WORDS]) {
  uint64_t t[2 * WORDS];
  tn_words_sqr(t, a, WORDS);
  order_reduce(r, t);
}

static void order_mul(uint64_t *r, const uint64_t *a, const uint64_t *b) {
  uint64_t t[WORDS];
  order_montgomery(t, a, b);
  order_montgomery(r, t, ORDER_R2);
  tn_wipe(t, sizeof t);
}

// a^(n - 2), Fermat, by windows of four bits. The exponent is public: it picks powers and skips zeros.
static void order_inv(uint64_t *r, const uint64_t *a) {
  static const uint64_t one[WORDS] = {1};
  uint64_t power[16][WORDS], exponent[WORDS], t[WORDS];  // power[i] = a^i in Montgomery's form
  order_montgomery(power[0], one, ORDER_R2);
  order_montgomery(power[1], a, ORDER_R2);
  for (int i = 2; i < 16; i++) order_montgomery(power[i], power[i - 1], power[1]);
  memcpy(exponent, ORDER, sizeof exponent);
  exponent[0] -= 2;  // n is odd and more than 1: no borrow where its lowest word is not 1
  memcpy(t, power[0], sizeof t);
  for (int bit = (BITS - 1) / 4 * 4; bit >= 0; bit -= 4) {
    for (int i = 0; i < 4; i++) order_montgomery_sqr(t, t);
    const unsigned nibble = (exponent[bit / 64] >> (bit % 64)) & 15;
    if (nibble != 0) order_montgomery(t, t, power[nibble]);
  }
  order_montgomery(r, t, one);
  tn_wipe(power, sizeof power);
  tn_wipe(t, sizeof t);
}
