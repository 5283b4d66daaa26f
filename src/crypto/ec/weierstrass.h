// A template: one implementation of one curve, a tn_curve_impl. The including file has defined what
// weierstrass_point.h, weierstrass_mul.h and order.h ask for.
#include <string.h>

#include "base/mem.h"
#include "crypto/ec/order.h"
#include "crypto/ec/weierstrass_mul.h"

static void mul_base(tn_curve_point *r, const uint64_t *k) {
  point product;
  multiply_base(&product, k);
  point_to_words(r, &product);
  // The projective coordinates tell of the scalar what the affine ones do not.
  tn_wipe(&product, sizeof product);
}

static void mul(tn_curve_point *r, const uint64_t *k, const tn_curve_point *p) {
  affine_point base;
  point product;
  (void)fe_from_words(&base.x, p->x);
  (void)fe_from_words(&base.y, p->y);
  multiply(&product, k, &base);
  point_to_words(r, &product);
  tn_wipe(&product, sizeof product);
}

// As n < p < 2n, x is r or r + n: compared as x z^2, without an inversion.
static bool x_is_vartime(const uint64_t *a, const uint64_t *b, const tn_curve_point *p, const uint64_t *r) {
  affine_point base;
  point sum;
  fe zz, x;
  (void)fe_from_words(&base.x, p->x);
  (void)fe_from_words(&base.y, p->y);
  multiply_add_vartime(&sum, a, b, &base);
  if (is_infinity(&sum)) return false;
  fe_sqr(&zz, &sum.z);
  (void)fe_from_words(&x, r);
  fe_mul(&x, &x, &zz);
  if (tn_words_eq(x.w, sum.x.w, WORDS)) return true;

  uint64_t second[WORDS];
  if (tn_words_add(second, r, ORDER, WORDS) != 0) return false;
  if (!fe_from_words(&x, second)) return false;
  fe_mul(&x, &x, &zz);
  return tn_words_eq(x.w, sum.x.w, WORDS) != 0;
}

#define WEIERSTRASS_IMPL(path, cpu) \
  { path, cpu, is_point, mul_base, mul, x_is_vartime, order_mul, order_inv }
