// A template: points of y^2 = x^3 - 3x + b over a prime field, cofactor 1. It stands on the field that the including
// file has defined:
//   WORDS                                  of an element
//   fe                                     an element: a struct with uint64_t w[WORDS], equal elements have equal words
//   fe_one, fe_b                           1 and b
//   fe_add, fe_sub, fe_mul, fe_sqr, fe_inv of (fe *r, const fe *a[, const fe *b]); r may be a or b; 1 / 0 = 0
//   fe_from_words, fe_to_words             plain integers; the former gives all ones if the number is below p, else
//   zero
//   POINT_ADX(name)                        if it has point_double, add_finite and add_affine_finite, with the names and
//   the contracts of p256_point_adx.S
// Constant time unless the name ends in _vartime; outputs may alias inputs.
#include "crypto/ec/curve.h"

// Affine; (0, 0), which is not on the curve, stands for infinity.
typedef struct affine_point {
  fe x, y;
} affine_point;

// Jacobian: the affine point (x / z^2, y / z^3); infinity where z = 0.
typedef struct point {
  fe x, y, z;
} point;

static inline uint64_t fe_is_zero(const fe *a) { return tn_words_is_zero(a->w, WORDS); }
static inline void fe_twice(fe *r, const fe *a) { fe_add(r, a, a); }
// r = a where mask is all ones, b where it is zero.
static inline void fe_select(fe *r, uint64_t mask, const fe *a, const fe *b) {
  tn_words_select(r->w, mask, a->w, b->w, WORDS);
}

static void fe_neg_if(fe *y, uint64_t mask) {
  static const fe zero;
  fe minus;
  fe_sub(&minus, &zero, y);
  fe_select(y, mask, &minus, y);
}

// r = a / 2: the half of a or of a + p, whichever is even. Below p: the sum is at most 2p - 1.
static inline void fe_half(fe *r, const fe *a) {
  const uint64_t odd = tn_ct_mask_bit(a->w[0]);
  uint64_t even[WORDS], carry = 0;
  TN_WORDS_UNROLL for (int i = 0; i < WORDS; i++) even[i] = tn_add_carry(a->w[i], P[i] & odd, &carry);
  TN_WORDS_UNROLL for (int i = 0; i < WORDS - 1; i++) r->w[i] = even[i] >> 1 | even[i + 1] << 63;
  r->w[WORDS - 1] = even[WORDS - 1] >> 1 | carry << 63;
}

static inline uint64_t is_infinity(const point *a) { return fe_is_zero(&a->z); }

#if defined(POINT_ADX)
void POINT_ADX(double)(point *r, const point *a);
void POINT_ADX(add)(point *r, const point *a, const point *b);
void POINT_ADX(add_affine)(point *r, const point *a, const affine_point *b);

static inline void point_double(point *r, const point *a) { POINT_ADX(double)(r, a); }
static inline void add_finite(point *r, const point *a, const point *b) { POINT_ADX(add)(r, a, b); }
static inline void add_affine_finite(point *r, const point *a, const affine_point *b) {
  POINT_ADX(add_affine)(r, a, b);
}
#else
// alpha = 3/2 (x - z^2)(x + z^2), half the slope of the tangent times 2 y z; x' = alpha^2 - 2 x y^2, y' = alpha (x y^2
// - x') - y^4, z' = y z. Infinity stays infinity; no point of the curve has y = 0, as the order is odd. The
// multiplications are in an order in which neighbours do not wait for each other.
static void point_double(point *r, const point *a) {
  fe alpha, beta, yy, t, u;
  fe_sqr(&t, &a->z);
  fe_sqr(&yy, &a->y);
  fe_add(&u, &a->x, &t);
  fe_sub(&t, &a->x, &t);
  fe_mul(&t, &t, &u);
  fe_mul(&beta, &a->x, &yy);
  fe_mul(&r->z, &a->y, &a->z);
  fe_half(&alpha, &t);
  fe_add(&alpha, &alpha, &t);
  fe_sqr(&t, &alpha);
  fe_sqr(&yy, &yy);
  fe_twice(&u, &beta);
  fe_sub(&r->x, &t, &u);
  fe_sub(&t, &beta, &r->x);
  fe_mul(&t, &alpha, &t);
  fe_sub(&r->y, &t, &yy);
}

// The chord through a and b, given over a common denominator: u1, u2 the x-coordinates, s1, s2 the y-coordinates,
// z the product of their z. h = u2 - u1, s = s2 - s1; x' = s^2 - h^3 - 2 u1 h^2, y' = s (u1 h^2 - x') - s1 h^3,
// z' = z h. For a = -b, h = 0 and so z' = 0: infinity, with x' = s^2 that is not 0. For a = b, all three are 0.
static inline void chord(point *r, const fe *u1, const fe *u2, const fe *s1, const fe *s2, const fe *z) {
  fe h, s, hh, hhh, v, t;
  fe_sub(&h, u2, u1);
  fe_sub(&s, s2, s1);
  fe_sqr(&hh, &h);
  fe_sqr(&t, &s);
  fe_mul(&r->z, z, &h);
  fe_mul(&hhh, &hh, &h);
  fe_mul(&v, u1, &hh);
  fe_sub(&t, &t, &hhh);
  fe_sub(&t, &t, &v);
  fe_mul(&hhh, s1, &hhh);
  fe_sub(&r->x, &t, &v);
  fe_sub(&t, &v, &r->x);
  fe_mul(&t, &s, &t);
  fe_sub(&r->y, &t, &hhh);
}

// r = a + b by the chord, for a and b that are not infinity.
static void add_finite(point *r, const point *a, const point *b) {
  fe za2, zb2, u1, u2, s1, s2, z;
  fe_sqr(&za2, &a->z);
  fe_sqr(&zb2, &b->z);
  fe_mul(&u1, &a->x, &zb2);
  fe_mul(&u2, &b->x, &za2);
  fe_mul(&s1, &a->y, &zb2);
  fe_mul(&s2, &b->y, &za2);
  fe_mul(&s1, &s1, &b->z);
  fe_mul(&s2, &s2, &a->z);
  fe_mul(&z, &a->z, &b->z);
  chord(r, &u1, &u2, &s1, &s2, &z);
}

static void add_affine_finite(point *r, const point *a, const affine_point *b) {
  fe za2, u2, s2;
  fe_sqr(&za2, &a->z);
  fe_mul(&u2, &b->x, &za2);
  fe_mul(&s2, &b->y, &a->z);
  fe_mul(&s2, &s2, &za2);
  chord(r, &a->x, &u2, &a->y, &s2, &a->z);
}
#endif

static inline void select_point(point *r, uint64_t mask, const point *a, const point *b) {
  fe_select(&r->x, mask, &a->x, &b->x);
  fe_select(&r->y, mask, &a->y, &b->y);
  fe_select(&r->z, mask, &a->z, &b->z);
}

// r = a + b for any a and b except a = b: two equal points that are not infinity give (0, 0, 0).
static void point_add(point *r, const point *a, const point *b) {
  const uint64_t a_infinite = is_infinity(a), b_infinite = is_infinity(b);
  point sum;
  add_finite(&sum, a, b);
  select_point(&sum, a_infinite, b, &sum);
  select_point(r, b_infinite, a, &sum);
}

static inline uint64_t affine_is_infinity(const affine_point *a) { return fe_is_zero(&a->x) & fe_is_zero(&a->y); }

static inline void to_jacobian(point *r, const affine_point *a) {
  static const fe zero;
  *r = (point){.x = a->x, .y = a->y};
  fe_select(&r->z, affine_is_infinity(a), &zero, &fe_one);
}

// As point_add.
static void point_add_affine(point *r, const point *a, const affine_point *b) {
  const uint64_t a_infinite = is_infinity(a), b_infinite = affine_is_infinity(b);
  point sum, b_jacobian;
  add_affine_finite(&sum, a, b);
  to_jacobian(&b_jacobian, b);
  select_point(&sum, a_infinite, &b_jacobian, &sum);
  select_point(r, b_infinite, a, &sum);
}

// Only a = b gives (0, 0, 0), see chord(); infinity may look the same, and its double is infinity too.
static void double_if_equal_vartime(point *sum, const point *a) {
  if (fe_is_zero(&sum->z) && fe_is_zero(&sum->x)) point_double(sum, a);
}

// r = a + b, no exception.
static void point_add_vartime(point *r, const point *a, const point *b) {
  point sum;
  point_add(&sum, a, b);
  double_if_equal_vartime(&sum, a);
  *r = sum;
}

static void point_add_affine_vartime(point *r, const point *a, const affine_point *b) {
  point sum;
  point_add_affine(&sum, a, b);
  double_if_equal_vartime(&sum, a);
  *r = sum;
}

// The affine form in plain integers, for a point that is not infinity.
static void point_to_words(tn_curve_point *r, const point *a) {
  fe inverse, inverse2, t;
  fe_inv(&inverse, &a->z);
  fe_sqr(&inverse2, &inverse);
  fe_mul(&t, &a->x, &inverse2);
  fe_to_words(r->x, &t);
  fe_mul(&t, &a->y, &inverse2);
  fe_mul(&t, &t, &inverse);
  fe_to_words(r->y, &t);
}

// Whether the coordinates are below p and y^2 = x^3 - 3x + b. leaks: that.
static bool is_point(const tn_curve_point *in) {
  fe x, y, left, right, three;
  const uint64_t in_range = fe_from_words(&x, in->x) & fe_from_words(&y, in->y);
  fe_twice(&three, &fe_one);
  fe_add(&three, &three, &fe_one);
  fe_sqr(&right, &x);
  fe_sub(&right, &right, &three);
  fe_mul(&right, &right, &x);
  fe_add(&right, &right, &fe_b);
  fe_sqr(&left, &y);
  return tn_ct_declassify(in_range & tn_words_eq(left.w, right.w, WORDS));
}
