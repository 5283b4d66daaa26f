// Curve25519 on five limbs of 51 bits, with four coordinates or products in step where points are added in sequence:
// H. Hisil, B. Egrice, M. Yassi, "Fast 4 way vectorized ladder for the complete set of Montgomery curves", 2020, and
// Hisil, Wong, Carter, Dawson, "Twisted Edwards curves revisited", 2008, section 4.
#if defined(__x86_64__)

#include <immintrin.h>

#include "base/cpu.h"
#include "crypto/ec/fe25519_portable.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,avx512f,avx512vl,avx512ifma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,avx512f,avx512vl,avx512ifma")
#endif

#include "crypto/x86_64/fe25519_ifma.h"

// ---------------------------------------------------------------- sums of Edwards points

// (X, Y, Z, T) of edwards25519_point.h.
typedef struct quad accumulator;
struct point;
struct affine;
struct cached;
static void accumulator_set(accumulator *a, const struct point *p);
static void accumulator_get(struct point *p, const accumulator *a);
static void accumulator_double(accumulator *a, bool with_t);
static void accumulator_add_affine(accumulator *a, const struct affine *q);
static void accumulator_add_cached(accumulator *a, const struct cached *q);
#define accumulator_set accumulator_set

// ---------------------------------------------------------------- the Montgomery ladder

struct ladder;
static void ladder_steps(struct ladder *l, const uint64_t changes[4]);
#define ladder_steps ladder_steps
#define wipe_vectors tn_wipe_vectors_avx512

#include "crypto/ec/edwards25519_mul.h"

static void accumulator_set(accumulator *a, const point *p) { *a = quad_of(&p->x, &p->y, &p->z, &p->t); }
static void accumulator_get(point *p, const accumulator *a) { quad_to(&p->x, &p->y, &p->z, &p->t, a); }

// With the names of section 3.3, from the squares (A, B, Z^2, S) of (X, Y, Z, X + Y): H = A + B, G = A - B,
// F = 2 Z^2 + G, E = H - S.
static void accumulator_double(accumulator *a, bool with_t) {
  (void)with_t;  // it costs nothing
  quad exchanged, sums, v, x, y;
  QUAD_PERMUTE(exchanged, *a, 1, 0, 3, 2);
  sums = quad_sums(a, &exchanged);
  UNROLL for (int i = 0; i < 5; i++) v.limb[i] = BLEND(a->limb[i], PERMUTE(sums.limb[i], 0, 0, 0, 0), 8);
  quad_carry(&v);
  v = quad_mul(&v, &v);
  QUAD_PERMUTE(exchanged, v, 1, 0, 3, 2);
  sums = quad_sums(&v, &exchanged);
  QUAD_PERMUTE(sums, sums, 0, 1, 1, 0);
  UNROLL for (int i = 0; i < 5; i++) {
    const lanes third = {0, 0, UINT64_MAX, 0}, fourth = {0, 0, 0, UINT64_MAX};
    sums.limb[i] += (third & (v.limb[i] << 1)) + (fourth & (two_p(i) - v.limb[i]));
  }
  quad_carry(&sums);  // H, G, F, E
  QUAD_PERMUTE(x, sums, 3, 1, 2, 3);
  QUAD_PERMUTE(y, sums, 2, 0, 1, 0);
  *a = quad_mul(&x, &y);
}

// With the names of section 3.1: from (X + Y, X - Y, Z, T) times (y + x, y - x, 2 z, 2 d t), which is (B, -A, D, C),
// come E = B - A, H = B + A, G = D + C and F = D - C.
INLINE void accumulate(accumulator *a, const quad *q) {
  quad exchanged, sums, v, x, y;
  QUAD_PERMUTE(exchanged, *a, 1, 0, 3, 2);
  sums = quad_sums(a, &exchanged);
  UNROLL for (int i = 0; i < 5; i++) v.limb[i] = BLEND(sums.limb[i], a->limb[i], 12);
  quad_carry(&v);
  v = quad_mul(&v, q);
  QUAD_PERMUTE(exchanged, v, 1, 0, 3, 2);
  sums = quad_sums(&v, &exchanged);
  quad_carry(&sums);  // E, H, G, F
  QUAD_PERMUTE(x, sums, 0, 1, 2, 1);
  QUAD_PERMUTE(y, sums, 3, 2, 3, 0);
  *a = quad_mul(&x, &y);
}

static void accumulator_add_affine(accumulator *a, const affine *q) {
  static const fe two = {{2}};
  quad v = quad_of(&q->y_plus_x, &q->y_minus_x, &two, &q->t2d);
  quad_carry(&v);
  accumulate(a, &v);
}

static void accumulator_add_cached(accumulator *a, const cached *q) {
  quad v = quad_of(&q->y_plus_x, &q->y_minus_x, &q->z2, &q->t2d);
  quad_carry(&v);
  accumulate(a, &v);
}

// One of x25519_ladder.h's steps. The points (x2, z2, x3, z3) in, and out. `doubled` and `crossed` are the orders of
// (a, b, c, d) that give the factors of aa, bb, cb and da.
INLINE void step(quad *points, const quad *x1, lanes doubled, lanes crossed) {
  quad exchanged, sums, v, x, y, aa = {{{0}}};
  QUAD_PERMUTE(exchanged, *points, 1, 0, 3, 2);
  sums = quad_sums(points, &exchanged);  // a, b, c, d
  quad_carry(&sums);
  UNROLL for (int i = 0; i < 5; i++) {
    x.limb[i] = (lanes)_mm256_permutexvar_epi64((__m256i)doubled, (__m256i)sums.limb[i]);
    y.limb[i] = (lanes)_mm256_permutexvar_epi64((__m256i)crossed, (__m256i)sums.limb[i]);
  }
  v = quad_mul(&x, &y);
  QUAD_PERMUTE(exchanged, v, 1, 0, 3, 2);
  sums = quad_sums(&v, &exchanged);  // any, e = aa - bb, da + cb, cb - da
  quad_carry(&sums);
  UNROLL for (int i = 0; i < 5; i++) {
    const lanes a24 = (lanes){0} + (i == 0 ? 121665 : 0), second = {0, UINT64_MAX, 0, 0};  // (A - 2) / 4
    x.limb[i] = BLEND(sums.limb[i], v.limb[i], 1);
    y.limb[i] = BLEND(BLEND(sums.limb[i], exchanged.limb[i], 1), a24, 2);
    aa.limb[i] = exchanged.limb[i] & second;
  }
  v = quad_mul_add(&x, &y, &aa);  // x2 = aa bb, a24 e + aa, x3 = (da + cb)^2, (da - cb)^2
  UNROLL for (int i = 0; i < 5; i++) y.limb[i] = BLEND(x1->limb[i], sums.limb[i], 2);
  *points = quad_mul(&v, &y);
}

static void ladder_steps(ladder *l, const uint64_t changes[4]) {
  static const fe one = FE_ONE;
  const quad x1 = quad_of(&one, &one, &one, &l->x1);
  quad points = quad_of(&l->x2, &l->z2, &l->x3, &l->z3);
  for (int t = 254; t >= 0; t--) {
    const uint64_t mask = tn_ct_mask_bit(changes[t / 64] >> (t % 64));
    const lanes exchange = {mask & 2, mask & 2, 0, 0};
    step(&points, &x1, (lanes){0, 1, 2, 3} ^ exchange, (lanes){0, 1, 1, 0} ^ exchange);
  }
  quad_to(&l->x2, &l->z2, &l->x3, &l->z3, &points);
  tn_wipe(&points, sizeof points);
}

const tn_edwards25519_impl tn_edwards25519_ifma = EDWARDS25519_IMPL("ifma", TN_CPU_AVX2 | TN_CPU_AVX512 | TN_CPU_IFMA);

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
