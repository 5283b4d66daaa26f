// P-384 on 64-bit integers.
#include "crypto/ec/p384.h"

#include "crypto/ec/field_ops.h"
#include "crypto/ec/weierstrass.h"

const tn_curve_impl tn_p384_portable = WEIERSTRASS_IMPL("portable", 0);

// An element is no more than its words.
void tn_p384_mul_portable(uint64_t *r, const uint64_t *a, const uint64_t *b) {
  fe_mul((fe *)r, (const fe *)a, (const fe *)b);
}

void tn_p384_sqr_portable(uint64_t *r, const uint64_t *a, const uint64_t *unused) {
  (void)unused;
  fe_sqr((fe *)r, (const fe *)a);
}

void tn_p384_reduce_portable(uint64_t *r, const uint64_t *a, const uint64_t *unused) {
  (void)unused;
  fe_reduce((fe *)r, a);
}

void tn_p384_product_portable(uint64_t *r, const uint64_t *a, const uint64_t *b) { tn_words_mul(r, a, b, WORDS); }
