#include "crypto/ec/p256_point.h"

// Short names for the field, as in the formulas.
#define add tn_p256_fe_add
#define sub tn_p256_fe_sub
#define mul tn_p256_fe_mul
#define sqr tn_p256_fe_sqr

static void twice(tn_p256_fe *r, const tn_p256_fe *a) { add(r, a, a); }

// alpha = 3 (x - z^2)(x + z^2), the slope of the tangent; x' = alpha^2 - 8 x y^2,
// y' = alpha (4 x y^2 - x') - 8 y^4, z' = 2 y z. Infinity stays infinity; no point of the curve has y = 0, as
// the order is odd.
void tn_p256_point_double(tn_p256_point *r, const tn_p256_point *a) {
  tn_p256_fe alpha, beta, yy2, t, u;
  sqr(&t, &a->z);
  add(&u, &a->x, &t);
  sub(&t, &a->x, &t);
  mul(&t, &t, &u);
  twice(&alpha, &t);
  add(&alpha, &alpha, &t);

  sqr(&yy2, &a->y);
  twice(&yy2, &yy2);  // 2 y^2
  mul(&beta, &a->x, &yy2);
  twice(&beta, &beta);  // 4 x y^2

  mul(&t, &a->y, &a->z);
  twice(&r->z, &t);

  sqr(&u, &yy2);
  twice(&u, &u);  // 8 y^4

  sqr(&t, &alpha);
  sub(&t, &t, &beta);
  sub(&r->x, &t, &beta);

  sub(&t, &beta, &r->x);
  mul(&t, &alpha, &t);
  sub(&r->y, &t, &u);
}

// The chord through a and b, given over a common denominator: u1, u2 the x-coordinates, s1, s2 the y-coordinates,
// z the product of their z. h = u2 - u1, s = s2 - s1; x' = s^2 - h^3 - 2 u1 h^2, y' = s (u1 h^2 - x') - s1 h^3,
// z' = z h. For a = -b, h = 0 and so z' = 0: infinity, with x' = s^2 that is not 0. For a = b, all three are 0.
static void chord(tn_p256_point *r, const tn_p256_fe *u1, const tn_p256_fe *u2, const tn_p256_fe *s1,
                  const tn_p256_fe *s2, const tn_p256_fe *z) {
  tn_p256_fe h, s, hh, hhh, v, t;
  sub(&h, u2, u1);
  sub(&s, s2, s1);
  mul(&r->z, z, &h);
  sqr(&hh, &h);
  mul(&hhh, &hh, &h);
  mul(&v, u1, &hh);
  sqr(&t, &s);
  sub(&t, &t, &hhh);
  sub(&t, &t, &v);
  sub(&r->x, &t, &v);
  sub(&t, &v, &r->x);
  mul(&t, &s, &t);
  mul(&v, s1, &hhh);
  sub(&r->y, &t, &v);
}

static void select_point(tn_p256_point *r, uint64_t mask, const tn_p256_point *a, const tn_p256_point *b) {
  tn_p256_fe_select(&r->x, mask, &a->x, &b->x);
  tn_p256_fe_select(&r->y, mask, &a->y, &b->y);
  tn_p256_fe_select(&r->z, mask, &a->z, &b->z);
}

void tn_p256_point_add(tn_p256_point *r, const tn_p256_point *a, const tn_p256_point *b) {
  uint64_t a_infinite = tn_p256_point_is_infinity(a), b_infinite = tn_p256_point_is_infinity(b);
  tn_p256_fe za2, zb2, u1, u2, s1, s2, z;
  tn_p256_point sum;
  sqr(&za2, &a->z);
  sqr(&zb2, &b->z);
  mul(&u1, &a->x, &zb2);
  mul(&u2, &b->x, &za2);
  mul(&s1, &a->y, &zb2);
  mul(&s1, &s1, &b->z);
  mul(&s2, &b->y, &za2);
  mul(&s2, &s2, &a->z);
  mul(&z, &a->z, &b->z);
  chord(&sum, &u1, &u2, &s1, &s2, &z);
  select_point(&sum, a_infinite, b, &sum);
  select_point(r, b_infinite, a, &sum);
}

static uint64_t affine_is_infinity(const tn_p256_affine *a) {
  return tn_p256_fe_is_zero(&a->x) & tn_p256_fe_is_zero(&a->y);
}

static void to_jacobian(tn_p256_point *r, const tn_p256_affine *a) {
  static const tn_p256_fe zero;
  *r = (tn_p256_point){.x = a->x, .y = a->y};
  tn_p256_fe_select(&r->z, affine_is_infinity(a), &zero, &tn_p256_fe_one);
}

void tn_p256_point_add_affine(tn_p256_point *r, const tn_p256_point *a, const tn_p256_affine *b) {
  uint64_t a_infinite = tn_p256_point_is_infinity(a), b_infinite = affine_is_infinity(b);
  tn_p256_fe za2, u2, s2;
  tn_p256_point sum, b_jacobian;
  sqr(&za2, &a->z);
  mul(&u2, &b->x, &za2);
  mul(&s2, &b->y, &za2);
  mul(&s2, &s2, &a->z);
  chord(&sum, &a->x, &u2, &a->y, &s2, &a->z);
  to_jacobian(&b_jacobian, b);
  select_point(&sum, a_infinite, &b_jacobian, &sum);
  select_point(r, b_infinite, a, &sum);
}

// Only a = b gives (0, 0, 0), see chord(); infinity may look the same, and its double is infinity too.
static void double_if_equal_vartime(tn_p256_point *sum, const tn_p256_point *a) {
  if (tn_p256_fe_is_zero(&sum->z) && tn_p256_fe_is_zero(&sum->x)) tn_p256_point_double(sum, a);
}

void tn_p256_point_add_vartime(tn_p256_point *r, const tn_p256_point *a, const tn_p256_point *b) {
  tn_p256_point sum;
  tn_p256_point_add(&sum, a, b);
  double_if_equal_vartime(&sum, a);
  *r = sum;
}

void tn_p256_point_add_affine_vartime(tn_p256_point *r, const tn_p256_point *a, const tn_p256_affine *b) {
  tn_p256_point sum;
  tn_p256_point_add_affine(&sum, a, b);
  double_if_equal_vartime(&sum, a);
  *r = sum;
}

void tn_p256_fe_neg_if(tn_p256_fe *y, uint64_t mask) {
  tn_p256_fe minus;
  tn_p256_fe_neg(&minus, y);
  tn_p256_fe_select(y, mask, &minus, y);
}

void tn_p256_point_to_affine(tn_p256_affine *r, const tn_p256_point *a) {
  tn_p256_fe inverse, inverse2;
  tn_p256_fe_inv(&inverse, &a->z);
  sqr(&inverse2, &inverse);
  mul(&r->x, &a->x, &inverse2);
  mul(&r->y, &a->y, &inverse2);
  mul(&r->y, &r->y, &inverse);
}

// ---------------------------------------------------------------- SEC1 2.3.3 and 2.3.4

void tn_p256_point_encode(uint8_t out[65], const tn_p256_affine *a) {
  out[0] = 0x04;
  tn_p256_fe_to_bytes(out + 1, &a->x);
  tn_p256_fe_to_bytes(out + 33, &a->y);
}

// All ones if y^2 = x^3 - 3x + b.
static uint64_t on_curve(const tn_p256_affine *a) {
  // b in Montgomery's form.
  static const tn_p256_fe b = {{0xd89cdf6229c4bddf, 0xacf005cd78843090, 0xe5a220abf7212ed6, 0xdc30061d04874834}};
  tn_p256_fe left, right, three = tn_p256_fe_one;
  twice(&three, &three);
  add(&three, &three, &tn_p256_fe_one);
  sqr(&right, &a->x);
  sub(&right, &right, &three);
  mul(&right, &right, &a->x);
  add(&right, &right, &b);
  sqr(&left, &a->y);
  return tn_p256_fe_eq(&left, &right);
}

bool tn_p256_point_decode(tn_p256_affine *r, tn_span in) {
  if (in.n != 65 || in.p[0] != 0x04) return false;
  uint64_t x_in_range = tn_p256_fe_from_bytes(&r->x, in.p + 1);
  uint64_t y_in_range = tn_p256_fe_from_bytes(&r->y, in.p + 33);
  return tn_ct_declassify(x_in_range & y_in_range & on_curve(r));
}
