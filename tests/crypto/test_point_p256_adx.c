// P-256's point formulas in assembly against those in C, which curve_internals.h tests, on any words below p: they are
// the same polynomials, so that the coordinates have to be on no curve, and are chosen such that the sums, differences
// and halves on the way lie at the edges of their ranges.
#if !defined(__x86_64__)
int main(void) { return 77; }
#else
#include <openssl/err.h>

#include "base/cpu.h"
#include "crypto/ec/p256_portable.c"
#include "curve_oracle.h"

#define ROUNDS 20000
#define GUARD 0xa5

void tn_p256_point_double_adx(point *r, const point *a);
void tn_p256_point_add_adx(point *r, const point *a, const point *b);
void tn_p256_point_add_affine_adx(point *r, const point *a, const affine_point *b);

static BN_CTX *ctx;

static uint64_t draw(test_rng *rng) {
  static const uint64_t edges[] = {
      0,
      1,
      2,
      0xffffffff,
      0x100000000,
      0x7fffffffffffffff,
      0x8000000000000000,
      0xfffffffe00000001,
      0xffffffff00000000,
      0xffffffff00000001,
      0xfffffffffffffffe,
      0xffffffffffffffff,
  };
  const uint64_t pick = test_rng_next(rng) % (COUNT(edges) + 1);
  return pick < COUNT(edges) ? edges[pick] : test_rng_next(rng);
}

static void draw_element(test_rng *rng, fe *r) {
  uint64_t w[WORDS];
  for (size_t i = 0; i < WORDS; i++) w[i] = draw(rng);
  tn_words_reduce_once(r->w, w, 0, P, WORDS);
}

// A number of which some difference or sum is to be a little above or below 0, or have words at the edges.
static void draw_target(test_rng *rng, fe *r) {
  static const fe zero;
  fe small = {{test_rng_next(rng) % 4}};
  switch (test_rng_next(rng) % 3) {
    case 0:
      *r = small;
      break;
    case 1:
      fe_sub(r, &zero, &small);
      break;
    default:
      draw_element(rng, r);
  }
}

static BIGNUM *number(const fe *a) { return BN_lebin2bn((const uint8_t *)a->w, sizeof a->w, NULL); }

static void element(fe *r, const BIGNUM *a) {
  assert_int_equal(BN_bn2lebinpad(a, (uint8_t *)r->w, sizeof r->w), sizeof r->w);
}

// x and z for which (x - z^2)(x + z^2) is m, if there are: from the first factor, which is a.
static bool solve_slope(point *p, const fe *a, const fe *m) {
  const BIGNUM *prime = oracle_p(&tn_p256);
  fe b, c, x;
  bool good = false;
  fe_inv(&b, a);
  fe_mul(&b, &b, m);
  fe_add(&x, a, &b);
  fe_half(&x, &x);
  fe_sub(&c, &b, a);
  fe_half(&c, &c);
  // c = z^2 / 2^256 in plain words
  BIGNUM *square = number(&c), *root = BN_new();
  BN_mod_lshift(square, square, 256, prime, ctx);
  if (BN_mod_sqrt(root, square, prime, ctx) != NULL) {
    p->x = x;
    element(&p->z, root);
    good = true;
  }
  ERR_clear_error();
  BN_free(square), BN_free(root);
  return good;
}

static void doubles(void **state) {
  (void)state;
  test_rng rng = {1};
  size_t solved = 0;
  for (size_t i = 0; i < ROUNDS; i++) {
    point a, want, got;
    fe t, m;
    draw_element(&rng, &a.x);
    draw_element(&rng, &a.y);
    draw_element(&rng, &a.z);
    draw_target(&rng, &t);
    fe_sqr(&m, &a.z);
    switch (i % 4) {
      case 0:
        fe_add(&a.x, &m, &t);
        break;  // x - z^2
      case 1:
        fe_sub(&a.x, &t, &m);
        break;  // x + z^2
      case 2:
        solved += solve_slope(&a, &a.x, &t);
        break;
      default:
        break;
    }
    point_double(&want, &a);
    tn_p256_point_double_adx(&got, &a);
    assert_memory_equal(&got, &want, sizeof want);
    tn_p256_point_double_adx(&a, &a);
    assert_memory_equal(&a, &want, sizeof want);
  }
  assert_true(solved > ROUNDS / 16);
}

// b as it is or, over its z, affine; a such that the differences of the x- and y-coordinates are what they should be.
static void sums(void **state) {
  (void)state;
  test_rng rng = {2};
  for (size_t i = 0; i < ROUNDS; i++) {
    struct {
      point r;
      uint8_t guard[16];
    } got;
    point a, b, want;
    const bool affine = i % 2;
    fe t;
    draw_element(&rng, &a.x);
    draw_element(&rng, &a.y);
    draw_element(&rng, &a.z);
    draw_element(&rng, &b.x);
    draw_element(&rng, &b.y);
    draw_element(&rng, &b.z);
    if (i % 8 < 4) {  // x2 z1^2 - x1 and y2 z1^3 - y1 are targets
      b.z = fe_one;
      fe_sqr(&t, &a.z);
      fe_mul(&a.x, &b.x, &t);
      fe_mul(&t, &t, &a.z);
      fe_mul(&a.y, &b.y, &t);
      draw_target(&rng, &t);
      fe_sub(&a.x, &a.x, &t);
      draw_target(&rng, &t);
      fe_sub(&a.y, &a.y, &t);
    }
    memset(&got, GUARD, sizeof got);
    if (affine) {
      const affine_point b_affine = {b.x, b.y};
      add_affine_finite(&want, &a, &b_affine);
      tn_p256_point_add_affine_adx(&got.r, &a, &b_affine);
    } else {
      add_finite(&want, &a, &b);
      tn_p256_point_add_adx(&got.r, &a, &b);
    }
    assert_memory_equal(&got.r, &want, sizeof want);
    for (size_t j = 0; j < sizeof got.guard; j++) assert_int_equal(got.guard[j], GUARD);
  }
}

int main(void) {
  if (!tn_cpu_has(TN_CPU_BMI2 | TN_CPU_ADX)) return 77;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(doubles),
      cmocka_unit_test(sums),
  };
  ctx = BN_CTX_new();
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  BN_CTX_free(ctx);
  return failed;
}
#endif
