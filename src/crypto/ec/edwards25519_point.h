// A template: the field beyond products and sums, and points of edwards25519 (RFC 8032 section 5.1),
// -x^2 + y^2 = 1 + d x^2 y^2. The including file has defined the field:
//   fe, FE_ZERO, FE_ONE
//   fe_mul(r, a, b), fe_sqr(r, a), fe_sqr_times(r, a, n)   r = a^(2^n), n >= 1; `tight` out
//   fe_add(r, a, b), fe_sub(r, a, b)                       one of tight operands may be operand of any, and of a second
//                                                          sum or difference as its a
//   fe_from_words(r, w), fe_to_words(w, a)                 bit 255 is ignored; the one representative below p
// and, unless point_double is defined, takes these formulas from here.
#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/mem.h"
#include "crypto/ec/edwards25519.h"
#include "crypto/ec/modinv.h"

// ---------------------------------------------------------------- the field

static void fe_from_bytes(fe *r, const uint8_t in[32]) {
  uint64_t w[4];
  for (int i = 0; i < 4; i++) w[i] = tn_load_le64(in + 8 * i);
  fe_from_words(r, w);
}

static void fe_to_bytes(uint8_t out[32], const fe *a) {
  uint64_t w[4];
  fe_to_words(w, a);
  for (int i = 0; i < 4; i++) tn_store_le64(out + 8 * i, w[i]);
}

// 1/a, and 0 for 0.
static void fe_invert(fe *r, const fe *a) {
  static const uint64_t p[4] = {0xffffffffffffffed, 0xffffffffffffffff, 0xffffffffffffffff, 0x7fffffffffffffff};
  uint64_t w[4];
  fe_to_words(w, a);
  tn_modinv(w, w, p, 255);
  fe_from_words(r, w);
  tn_wipe(w, sizeof w);
}

// All ones if a = b, else zero.
static uint64_t fe_equal(const fe *a, const fe *b) {
  uint64_t v[4], w[4], difference = 0;
  fe_to_words(v, a);
  fe_to_words(w, b);
  for (int i = 0; i < 4; i++) difference |= v[i] ^ w[i];
  return tn_ct_is_zero(difference);
}

// a^((p - 5) / 8), (p - 5) / 8 = 2^252 - 3. The variable x_n is a^(2^n - 1): x_(m+n) = x_m^(2^n) x_n.
static void fe_pow_p58(fe *r, const fe *a) {
  fe x1 = *a, x5, x10, x, y;
  fe_sqr(&x, &x1);
  fe_mul(&x, &x, &x1);  // x_2
  fe_sqr_times(&y, &x, 2);
  fe_mul(&x, &y, &x);  // x_4
  fe_sqr(&x, &x);
  fe_mul(&x5, &x, &x1);
  fe_sqr_times(&x, &x5, 5);
  fe_mul(&x10, &x, &x5);
  fe_sqr_times(&x, &x10, 10);
  fe_mul(&x, &x, &x10);  // x_20
  fe_sqr_times(&y, &x, 20);
  fe_mul(&x, &y, &x);  // x_40
  fe_sqr_times(&x, &x, 10);
  fe_mul(&x, &x, &x10);  // x_50
  fe_sqr_times(&y, &x, 50);
  fe_mul(&y, &y, &x);  // x_100
  fe_sqr_times(&r[0], &y, 100);
  fe_mul(&y, r, &y);  // x_200
  fe_sqr_times(&y, &y, 50);
  fe_mul(&x, &y, &x);  // x_250
  fe_sqr_times(&x, &x, 2);
  fe_mul(r, &x, &x1);
}

// ---------------------------------------------------------------- points

// Extended coordinates: x = X / Z, y = Y / Z, x y = T / Z.
typedef struct point {
  fe x, y, z, t;
} point;

// What an addition takes of its second point: Y + X, Y - X, 2 d T, and 2 Z, which for an affine one is 2.
typedef struct affine {
  fe y_plus_x, y_minus_x, t2d;
} affine;

typedef struct cached {
  fe y_plus_x, y_minus_x, t2d, z2;
} cached;

static const point infinity = {FE_ZERO, FE_ONE, FE_ONE, FE_ZERO};

#ifndef point_double
// Hisil, Wong, Carter, Dawson, "Twisted Edwards curves revisited", 2008, sections 3.1 (complete, as a = -1 is a square
// and d is none) and 3.3, for a = -1; doubling with all four factors negated. The third operand says whether T is
// wanted.
static void point_double(point *p, bool with_t) {
  fe e, f, g, h;
  fe_add(&e, &p->x, &p->y);
  fe_sqr(&p->x, &p->x);
  fe_sqr(&p->y, &p->y);
  fe_sqr(&p->z, &p->z);
  fe_sqr(&e, &e);
  fe_add(&h, &p->x, &p->y);
  fe_sub(&e, &h, &e);
  fe_sub(&g, &p->x, &p->y);
  fe_add(&f, &p->z, &p->z);
  fe_add(&f, &f, &g);
  fe_mul(&p->x, &e, &f);
  fe_mul(&p->y, &g, &h);
  fe_mul(&p->z, &f, &g);
  if (with_t) fe_mul(&p->t, &e, &h);
}

// From the products a = (Y1 - X1) (Y2 - X2), b = (Y1 + X1) (Y2 + X2), c = 2 d T1 T2, and d = 2 Z1 Z2.
static void finish_addition(point *p, const fe *a, const fe *b, const fe *c, const fe *d) {
  fe e, f, g, h;
  fe_sub(&e, b, a);
  fe_add(&h, b, a);
  fe_add(&g, d, c);
  fe_sub(&f, d, c);
  fe_mul(&p->x, &e, &f);
  fe_mul(&p->y, &g, &h);
  fe_mul(&p->z, &f, &g);
  fe_mul(&p->t, &e, &h);
}

static inline void point_add_affine(point *p, const affine *q) {
  fe a, b, c, d;
  fe_sub(&a, &p->y, &p->x);
  fe_add(&b, &p->y, &p->x);
  fe_mul(&a, &a, &q->y_minus_x);
  fe_mul(&b, &b, &q->y_plus_x);
  fe_mul(&c, &p->t, &q->t2d);
  fe_add(&d, &p->z, &p->z);
  finish_addition(p, &a, &b, &c, &d);
}

static void point_add_cached(point *p, const cached *q) {
  fe a, b, c, d;
  fe_sub(&a, &p->y, &p->x);
  fe_add(&b, &p->y, &p->x);
  fe_mul(&a, &a, &q->y_minus_x);
  fe_mul(&b, &b, &q->y_plus_x);
  fe_mul(&c, &p->t, &q->t2d);
  fe_mul(&d, &p->z, &q->z2);
  finish_addition(p, &a, &b, &c, &d);
}
#endif

static void point_cache(cached *r, const point *p) {
  static const uint64_t two_d[4] = {0xebd69b9426b2f159, 0x00e0149a8283b156, 0x198e80f2eef3d130, 0x2406d9dc56dffce7};
  fe k;
  fe_from_words(&k, two_d);
  fe_add(&r->y_plus_x, &p->y, &p->x);
  fe_sub(&r->y_minus_x, &p->y, &p->x);
  fe_mul(&r->t2d, &p->t, &k);
  fe_add(&r->z2, &p->z, &p->z);
}

static void point_to_affine(tn_edwards25519_affine *r, const point *p) {
  fe z, x;
  fe_invert(&z, &p->z);
  fe_mul(&x, &p->x, &z);
  fe_to_words(r->x, &x);
  fe_mul(&x, &p->y, &z);
  fe_to_words(r->y, &x);
  tn_wipe(&z, sizeof z);
}

// The curve's equation as x^2 v = u: u = y^2 - 1, v = d y^2 + 1.
static void fe_from_y(fe *u, fe *v, const fe *y) {
  static const uint64_t d_words[4] = {0x75eb4dca135978a3, 0x00700a4d4141d8ab, 0x8cc740797779e898, 0x52036cee2b6ffe73};
  static const fe one = FE_ONE;
  fe d, yy;
  fe_from_words(&d, d_words);
  fe_sqr(&yy, y);
  fe_sub(u, &yy, &one);
  fe_mul(v, &d, &yy);
  fe_add(v, v, &one);
}

static bool is_on_curve(const tn_edwards25519_affine *p) {
  fe x, y, u, v;
  fe_from_words(&x, p->x);
  fe_from_words(&y, p->y);
  fe_from_y(&u, &v, &y);
  fe_sqr(&x, &x);
  fe_mul(&v, &v, &x);
  return tn_ct_declassify(fe_equal(&u, &v));
}

// RFC 8032 section 5.1.3: y < p; x^2 = u / v has a root; x = 0 has no sign. The root is u v^3
// (u v^7)^((p - 5) / 8), or that times 2^((p - 1) / 4), a root of -1. With `negate`, r is the point's negative.
static bool point_decode_vartime(point *r, const uint8_t in[32], bool negate) {
  static const uint64_t i_words[4] = {0xc4ee1b274a0ea0b0, 0x2f431806ad2fe478, 0x2b4d00993dfbd7a7, 0x2b8324804fc1df0b};
  static const fe one = FE_ONE, zero = FE_ZERO;
  fe i, u, v, vv, root, check, negative;
  uint8_t again[32];
  uint64_t x[4];
  const uint64_t sign = in[31] >> 7;
  fe_from_words(&i, i_words);

  fe_from_bytes(&r->y, in);
  fe_to_bytes(again, &r->y);
  again[31] |= (uint8_t)(sign << 7);
  if (memcmp(again, in, sizeof again) != 0) return false;

  fe_from_y(&u, &v, &r->y);
  fe_sqr(&vv, &v);
  fe_mul(&root, &u, &vv);
  fe_mul(&root, &root, &v);  // u v^3
  fe_sqr(&vv, &vv);
  fe_mul(&check, &root, &vv);  // u v^7
  fe_pow_p58(&check, &check);
  fe_mul(&root, &root, &check);

  fe_sqr(&check, &root);
  fe_mul(&check, &check, &v);  // u or -u
  if (!fe_equal(&check, &u)) {
    fe_mul(&root, &root, &i);
    fe_sqr(&check, &root);
    fe_mul(&check, &check, &v);
    if (!fe_equal(&check, &u)) return false;
  }
  fe_to_words(x, &root);
  if ((x[0] | x[1] | x[2] | x[3]) == 0 && sign != 0) return false;
  if ((x[0] & 1) != (sign ^ negate)) {
    fe_sub(&negative, &zero, &root);
    fe_mul(&root, &negative, &one);
  }
  r->x = root;
  r->z = one;
  fe_mul(&r->t, &r->x, &r->y);
  return true;
}
