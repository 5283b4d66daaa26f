// A template: what is inside one implementation of edwards25519. The including file has included it, and defines
//   IMPL                     its tn_edwards25519_impl
//   fe_factor(rng)           an element at the edges of what a factor may be,
//   fe_first(rng)            of what the first operand of a sum or difference may be,
//   fe_second(rng)           and the second
//   fe_number(a)             its value as a new BIGNUM
#include <openssl/bn.h>

#include "base/cpu.h"
#include "crypto/ec/ed25519_scalar.h"
#include "support/support.h"

static BIGNUM *p;
static BN_CTX *ctx;

static int setup(void **state) {
  (void)state;
  ctx = BN_CTX_new();
  return BN_hex2bn(&p, "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed") == 0;
}

static int teardown(void **state) {
  (void)state;
  BN_free(p);
  BN_CTX_free(ctx);
  return 0;
}

// Takes `want`. That both compare as equal says that the representative is below p.
static void assert_is(const char *what, const fe *got, BIGNUM *want) {
  uint8_t is[32], wanted[32];
  fe_to_bytes(is, got);
  BN_nnmod(want, want, p, ctx);
  BN_bn2lebinpad(want, wanted, 32);
  if (memcmp(is, wanted, 32) != 0) fail_msg("%s", what);
  BN_free(want);
}

static void sums_and_products(void **state) {
  (void)state;
  test_rng rng = {1};
  for (int i = 0; i < 40000; i++) {
    const fe a = fe_factor(&rng), b = fe_factor(&rng), first = fe_first(&rng), second = fe_second(&rng);
    fe r;
    BIGNUM *x = fe_number(&a), *y = fe_number(&b), *want;
    BIGNUM *v = fe_number(&first), *z = fe_number(&second);
    assert_is("representative", &a, BN_dup(x));
    want = BN_new(), BN_mul(want, x, y, ctx);
    fe_mul(&r, &a, &b);
    assert_is("product", &r, BN_dup(want));
    r = a, fe_mul(&r, &r, &b);
    assert_is("product over a", &r, BN_dup(want));
    r = b, fe_mul(&r, &a, &r);
    assert_is("product over b", &r, want);
    want = BN_new(), BN_sqr(want, x, ctx);
    fe_sqr(&r, &a);
    assert_is("square", &r, BN_dup(want));
    r = a, fe_sqr_times(&r, &r, 3);
    BN_mod_sqr(want, want, p, ctx), BN_mod_sqr(want, want, p, ctx);
    assert_is("three squares", &r, want);
    want = BN_new(), BN_add(want, v, z);
    fe_add(&r, &first, &second);
    assert_is("sum", &r, want);
    want = BN_new(), BN_sub(want, v, z);
    fe_sub(&r, &first, &second);
    assert_is("difference", &r, want);
    r = second, fe_negate_where(&r, 0);
    assert_is("not negated", &r, BN_dup(z));
    r = second, fe_negate_where(&r, UINT64_MAX);
    BN_set_negative(z, !BN_is_zero(z));
    assert_is("negated", &r, z);
    BN_free(x), BN_free(y), BN_free(v);
  }
}

static void inverses(void **state) {
  (void)state;
  test_rng rng = {2};
  const fe zero = FE_ZERO;
  fe r = zero;
  fe_invert(&r, &r);
  assert_true(fe_equal(&r, &zero) == UINT64_MAX);
  for (int i = 0; i < 1000; i++) {
    const fe a = fe_factor(&rng), one = FE_ONE;
    fe_invert(&r, &a);
    fe_mul(&r, &r, &a);
    assert_true(fe_equal(&a, &zero) == UINT64_MAX || fe_equal(&r, &one) == UINT64_MAX);
  }
}

static void assert_same(const point *a, const point *b) {
  tn_edwards25519_affine x, y;
  fe t, xy;
  point_to_affine(&x, a);
  point_to_affine(&y, b);
  assert_memory_equal(&x, &y, sizeof x);
  assert_true(is_on_curve(&x));
  fe_mul(&t, &a->t, &a->z);
  fe_mul(&xy, &a->x, &a->y);
  assert_true(fe_equal(&t, &xy) == UINT64_MAX);
}

// Small multiples of B and of a point of order 8 times it, from sums and doublings of every kind.
static void group_law(void **state) {
  (void)state;
  static const uint8_t torsion[32] = {0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4,
                                      0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6,
                                      0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05};
  point multiple[40], other, sum;
  cached c;
  affine step;
  assert_true(point_decode_vartime(&other, torsion, false));
  for (int kind = 0; kind < 2; kind++) {
    multiple[0] = infinity;
    select_multiple(&step, tn_edwards25519_multiples[0], 1);
    point_cache(&c, &other);
    for (int i = 1; i < 40; i++) {
      multiple[i] = multiple[i - 1];
      kind == 0 ? point_add_affine(&multiple[i], &step) : point_add_cached(&multiple[i], &c);
    }
    for (int i = 0; i < 20; i++)
      for (int j = 0; j < 20; j++) {
        cached added;
        point_cache(&added, &multiple[j]);
        sum = multiple[i];
        point_add_cached(&sum, &added);
        assert_same(&sum, &multiple[i + j]);
        if (i != j) continue;
        sum = multiple[i];
        point_double(&sum, true);
        assert_same(&sum, &multiple[i + j]);
      }
    if (kind == 1) assert_same(&multiple[8], &multiple[0]);
  }
}

// Sums of many points as an implementation makes them, against sums one by one.
static void accumulators(void **state) {
  (void)state;
  test_rng rng = {5};
  point want = infinity, got;
  accumulator sum;
  affine step;
  cached c;
  accumulator_set(&sum, &infinity);
  for (int i = 0; i < 400; i++) {
    switch (test_rng_next(&rng) % 4) {
      case 0:
        accumulator_double(&sum, true);
        point_double(&want, true);
        break;
      case 1:
        select_multiple(&step, tn_edwards25519_multiples[i % 64], test_rng_next(&rng) % 17 - 8);
        accumulator_add_affine(&sum, &step);
        point_add_affine(&want, &step);
        break;
      case 2:
        point_cache(&c, &want);
        accumulator_add_cached(&sum, &c);
        point_add_cached(&want, &c);
        break;
      default:
        accumulator_set(&sum, &want);
    }
    accumulator_get(&got, &sum);
    assert_same(&got, &want);
  }
}

// Each entry of each row, and its negative, is what doublings and additions give.
static void tables(void **state) {
  (void)state;
  point row = infinity, sum;
  affine entry;
  cached c;
  select_multiple(&entry, tn_edwards25519_multiples[0], 1);
  point_add_affine(&row, &entry);
  for (int i = 0; i < 64; i++) {
    sum = infinity;
    point_cache(&c, &row);
    for (int j = 0; j <= 8; j++) {
      for (int sign = 0; sign < 2; sign++) {
        point got = infinity, want = sum;
        select_multiple(&entry, tn_edwards25519_multiples[i], sign ? 0 - (uint64_t)j : (uint64_t)j);
        point_add_affine(&got, &entry);
        fe_negate_where(&want.x, sign ? UINT64_MAX : 0);
        fe_negate_where(&want.t, sign ? UINT64_MAX : 0);
        assert_same(&got, &want);
      }
      point_add_cached(&sum, &c);
    }
    for (int j = 0; j < 4; j++) point_double(&row, true);
  }
  select_multiple(&entry, tn_edwards25519_multiples[0], 2);
  point_cache(&c, &infinity);
  sum = infinity;
  for (int i = 1; i < 128; i += 2) {
    point got;
    accumulator total;
    affine one;
    if (i == 1) {
      select_multiple(&one, tn_edwards25519_multiples[0], 1);
      point_add_affine(&sum, &one);
    } else {
      point_add_affine(&sum, &entry);
    }
    accumulator_set(&total, &infinity);
    add_base_digit_vartime(&total, i);
    accumulator_get(&got, &total);
    assert_same(&got, &sum);
    add_base_digit_vartime(&total, -i);
    accumulator_get(&got, &total);
    assert_same(&got, &infinity);
  }
}

// s B - h A = (s - h a) B for A = a B, in constant time's way; with scalars of long runs, which carry in their forms.
static void combinations(void **state) {
  (void)state;
  test_rng rng = {4};
  for (int i = 0; i < 400; i++) {
    uint64_t k[3][4], product[4];
    uint8_t wide[64], key[32], want[32];
    tn_edwards25519_affine a;
    for (int j = 0; j < 3; j++) {
      test_rng_bytes(&rng, wide, sizeof wide);
      if (i % 3 == j) memset(wide, i % 2 ? 0xff : 0, sizeof wide);
      if (i % 5 == j) memset(wide + 10, i % 2 ? 0 : 0xff, 20);
      if (i % 7 > 1) memset(wide + 31, 0, 33), wide[31] = (uint8_t)(i % 3);
      tn_ed25519_scalar_reduce(k[j], wide);
    }
    IMPL.base(&a, k[2]);
    assert_true(IMPL.is_on_curve(&a));
    tn_edwards25519_encode(key, &a);
    assert_true(IMPL.is_point_vartime(key));
    static const uint64_t zero[4] = {0};
    tn_ed25519_scalar_mul_add(product, k[1], k[2], zero);
    tn_ed25519_scalar_sub(product, k[0], product);
    IMPL.base(&a, product);
    tn_edwards25519_encode(want, &a);
    assert_true(IMPL.combines_vartime(want, k[0], k[1], key));
    want[i % 32] ^= (uint8_t)(1 << i % 8);
    assert_false(IMPL.combines_vartime(want, k[0], k[1], key));
    a.x[i % 4] ^= (uint64_t)1 << i % 60;
    assert_false(IMPL.is_on_curve(&a));
  }
}

int main(void) {
  if (!tn_cpu_has(IMPL.cpu)) return 77;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_and_products), cmocka_unit_test(inverses),
      cmocka_unit_test(group_law),         cmocka_unit_test(tables),
      cmocka_unit_test(accumulators),      cmocka_unit_test(combinations),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
