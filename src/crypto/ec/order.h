// A template: integers modulo n, a curve's order, plain and in [0, n). The including file has defined:
//   WORDS, BITS
//   ORDER                  n, as const uint64_t[WORDS]
//   ORDER_R2               2^(128 WORDS) mod n
//   ORDER_MINUS_INVERSE    -1/n mod 2^64
// Constant time; outputs may alias inputs.
#include "crypto/ec/modinv.h"
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

// r = a b / 2^(64 WORDS).
static void order_montgomery(uint64_t r[WORDS], const uint64_t a[WORDS], const uint64_t b[WORDS]) {
  uint64_t t[2 * WORDS];
  tn_words_mul(t, a, b, WORDS);
  order_reduce(r, t);
}

static void order_mul(uint64_t *r, const uint64_t *a, const uint64_t *b) {
  uint64_t t[WORDS];
  order_montgomery(t, a, b);
  order_montgomery(r, t, ORDER_R2);
  tn_wipe(t, sizeof t);
}

static void order_inv(uint64_t *r, const uint64_t *a) { tn_modinv(r, a, ORDER, BITS); }
