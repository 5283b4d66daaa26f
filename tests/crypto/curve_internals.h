// A template: what is inside one implementation of one curve, tested where carries are rare: not at the doors of the
// field, behind which every number is scrambled by Montgomery's form, but on the words themselves, chosen so that each
// sum, reduction and last subtraction lies at the edge of its range; and the group law where points are equal, opposite
// or infinite. The including file has included the implementation, and defines
//   CURVE          its tn_curve
//   IMPL           its tn_curve_impl
//   FACTOR_BITS    0, or the power of two of Montgomery's form
#include "base/cpu.h"
#include "curve_oracle.h"

static const uint64_t edges[] = {
    0,
    1,
    2,
    0x1ff,  // the highest word of p521
    0x200,
    0xfffffffe,
    0xffffffff,
    0x100000000,
    0x100000001,
    0x7fffffffffffffff,
    0x8000000000000000,
    0x8000000000000001,
    0xfffffffe00000001,
    0xffffffff00000000,
    0xffffffff00000001,  // words of p256 and p384
    0xfffffffffffffffd,
    0xfffffffffffffffe,
    0xffffffffffffffff,
};

static BN_CTX *ctx;

static int setup(void **state) {
  (void)state;
  ctx = BN_CTX_new();
  return ctx == NULL;
}

static int teardown(void **state) {
  (void)state;
  BN_CTX_free(ctx);
  return 0;
}

static uint64_t draw(test_rng *rng) {
  uint64_t pick = test_rng_next(rng) % (COUNT(edges) + 1);
  return pick < COUNT(edges) ? edges[pick] : test_rng_next(rng);
}

static void assert_words(const char *what, const uint64_t *got, size_t n, const BIGNUM *want) {
  uint64_t w[2 * TN_CURVE_MAX_WORDS];
  to_words(w, n, want);
  if (memcmp(got, w, 8 * n) != 0) {
    char *hex = BN_bn2hex(want);
    fail_msg("%s: wanted %s", what, hex);
  }
}

// ---------------------------------------------------------------- constants

static void the_numbers_of_the_curve(void **state) {
  (void)state;
  BIGNUM *b = BN_new(), *factor = BN_new(), *r2 = BN_new(), *x = BN_new();
  assert_words("p", P, WORDS, oracle_p(CURVE));
  assert_words("n", ORDER, WORDS, oracle_n(CURVE));
  assert_int_equal(ORDER[0], (uint64_t)ORDER_LOW);
  assert_int_equal(ORDER[0] * ORDER_MINUS_INVERSE, UINT64_MAX);
  assert_int_equal(EC_GROUP_get_curve(oracle_group(CURVE), NULL, NULL, b, ctx), 1);
  BN_set_word(factor, 1);
  BN_mod_lshift(factor, factor, FACTOR_BITS, oracle_p(CURVE), ctx);
  assert_words("one", fe_one.w, WORDS, factor);
  BN_mod_mul(b, b, factor, oracle_p(CURVE), ctx);
  assert_words("b", fe_b.w, WORDS, b);
  BN_set_word(r2, 1);
  BN_mod_lshift(r2, r2, 2 * 64 * WORDS, oracle_n(CURVE), ctx);
  assert_words("R^2 modulo the order", ORDER_R2, WORDS, r2);
  BN_free(b), BN_free(factor), BN_free(r2), BN_free(x);
}

// Each entry of the table is on the curve, and is the entry before it in its row plus the row's first.
static void every_entry_of_the_base_table_is_right(void **state) {
  (void)state;
  const EC_GROUP *group = oracle_group(CURVE);
  EC_POINT *base = EC_POINT_dup(EC_GROUP_get0_generator(group), group), *multiple = EC_POINT_new(group);
  const size_t rows = sizeof BASE_TABLE / sizeof *BASE_TABLE;
  assert_int_equal(rows * BASE_ROW_DIGITS >= BASE_DIGITS, 1);
  for (size_t row = 0; row < rows; row++) {
    EC_POINT_copy(multiple, base);
    for (size_t j = 0; j < BASE_MULTIPLES; j++) {
      uint8_t want[TN_CURVE_MAX_POINT], got[TN_CURVE_MAX_POINT] = {4};
      fe coordinate;
      uint64_t w[WORDS];
      const size_t len = tn_curve_point_len(CURVE);
      EC_POINT_point2oct(group, multiple, POINT_CONVERSION_UNCOMPRESSED, want, len, ctx);
      for (size_t which = 0; which < 2; which++) {
        memcpy(&coordinate, BASE_TABLE[row][j] + which * WORDS, sizeof coordinate);
        fe_to_words(w, &coordinate);
        tn_words_store(got + 1 + which * CURVE->len, CURVE->len, w);
      }
      assert_memory_equal(got, want, len);
      EC_POINT_add(group, multiple, multiple, base, ctx);
    }
    for (int i = 0; i < BASE_WINDOW * BASE_ROW_DIGITS; i++) EC_POINT_dbl(group, base, base, ctx);
  }
  EC_POINT_free(base);
  EC_POINT_free(multiple);
}

// ---------------------------------------------------------------- products and reductions

#if !defined(CURVE_ADX)
static void products(void **state) {
  (void)state;
  test_rng rng = {1};
  BIGNUM *want = BN_new();
  for (size_t i = 0; i < 30000; i++) {
    uint64_t a[WORDS], b[WORDS], t[2 * WORDS];
    for (size_t j = 0; j < WORDS; j++) a[j] = draw(&rng), b[j] = draw(&rng);
    BIGNUM *x = from_words(a, WORDS), *y = from_words(b, WORDS);
    BN_mul(want, x, y, ctx);
    tn_words_mul(t, a, b, WORDS);
    assert_words("product", t, 2 * WORDS, want);
    BN_sqr(want, x, ctx);
    tn_words_sqr(t, a, WORDS);
    assert_words("square", t, 2 * WORDS, want);
    BN_free(x);
    BN_free(y);
  }
  // A row's sum may carry out of its words.
  for (size_t i = 0; i < 30000; i++) {
    uint64_t t[WORDS + 2], b[WORDS], a = draw(&rng);
    for (size_t j = 0; j < WORDS; j++) b[j] = draw(&rng);
    for (size_t j = 0; j <= WORDS; j++) t[j] = draw(&rng);
    BIGNUM *x = from_words(&a, 1), *y = from_words(b, WORDS), *sum = from_words(t, WORDS + 1);
    BN_mul(want, x, y, ctx);
    BN_add(want, want, sum);
    t[WORDS + 1] = tn_words_mul_add_row(t, a, b, WORDS);
    assert_words("row", t, WORDS + 2, want);
    BN_free(x);
    BN_free(y);
    BN_free(sum);
  }
  BN_free(want);
}

typedef void reduction(uint64_t r[WORDS], uint64_t t[2 * WORDS]);

// Montgomery's: the multiples m of the modulus that the steps add are chosen; that fixes the low half of t, and what
// the steps make of it. Then its high half is chosen for itself, or so that the sum before the last subtraction is
// `modulus` or 2^(64 WORDS), a little less or more, or the largest there is.
static void reductions(reduction *run, const BIGNUM *n, const BIGNUM *limit, bool has_carry) {
  test_rng rng = {2};
  BIGNUM *r = BN_new(), *inverse = BN_new(), *low = BN_new(), *half = BN_new(), *t = BN_new();
  BIGNUM *high = BN_new(), *target = BN_new();
  const int bits = 64 * WORDS;
  BN_zero(r);
  BN_set_bit(r, bits);
  assert_non_null(BN_mod_inverse(inverse, r, n, ctx));
  size_t at_edge[12] = {0};
  for (size_t i = 0; i < 60000; i++) {
    uint64_t m[WORDS], w[2 * WORDS], out[WORDS];
    for (size_t j = 0; j < WORDS; j++) m[j] = draw(&rng);
    BIGNUM *multiple = from_words(m, WORDS);
    BN_mul(half, multiple, n, ctx);
    BN_mod(low, half, r, ctx);
    if (!BN_is_zero(low)) BN_sub(low, r, low);
    BN_add(half, half, low);
    BN_rshift(half, half, bits);  // exact
    BN_free(multiple);

    size_t kind = i % 12;
    if (kind < 5) {  // n - 2 to n + 2
      BN_copy(target, n);
      kind < 2 ? BN_sub_word(target, 2 - kind) : BN_add_word(target, kind - 2);
    } else if (kind < 10) {  // 2^bits - 2 to 2^bits + 2
      BN_copy(target, r);
      kind < 7 ? BN_sub_word(target, 7 - kind) : BN_add_word(target, kind - 7);
    }
    if (kind < 10) {
      BN_sub(high, target, half);
    } else if (kind == 10) {
      for (size_t j = 0; j < WORDS; j++) w[j] = draw(&rng);
      BIGNUM *any = from_words(w, WORDS);
      BN_copy(high, any);
      BN_free(any);
    } else {
      BN_sub(t, limit, low);
      BN_rshift(high, t, bits);  // the largest
    }
    BN_lshift(t, high, bits);
    BN_add(t, t, low);
    if (BN_is_negative(high) || BN_num_bits(high) > bits || BN_cmp(t, limit) > 0) continue;
    at_edge[kind]++;
    to_words(w, 2 * WORDS, t);
    run(out, w);
    BN_mod_mul(t, t, inverse, n, ctx);
    assert_words("reduction", out, WORDS, t);
  }
  for (size_t i = 0; i < COUNT(at_edge); i++)
    if (has_carry || i < 5 || i == 11) assert_true(at_edge[i] > 100);
  BN_free(r), BN_free(inverse), BN_free(low), BN_free(half), BN_free(t), BN_free(high), BN_free(target);
}

static void run_order_reduce(uint64_t r[WORDS], uint64_t t[2 * WORDS]) { order_reduce(r, t); }

static void reductions_modulo_the_order(void **state) {
  (void)state;
  BIGNUM *limit = BN_new();
  BN_lshift(limit, oracle_n(CURVE), 64 * WORDS);
  BN_sub_word(limit, 1);
  reductions(run_order_reduce, oracle_n(CURVE), limit, BITS % 64 == 0);
  BN_free(limit);
}

static void run_field_reduce(uint64_t r[WORDS], uint64_t t[2 * WORDS]) {
  fe out;
  fe_reduce(&out, t);
  memcpy(r, out.w, sizeof out.w);
}

static void reductions_of_the_field(void **state) {
  (void)state;
  BIGNUM *limit = BN_dup(oracle_p(CURVE));
  BN_sub_word(limit, 1);
  BN_sqr(limit, limit, ctx);
#if FACTOR_BITS != 0
  reductions(run_field_reduce, oracle_p(CURVE), limit, true);
#else
  // Numbers of the form h 2^BITS + l with h + l at the edges.
  test_rng rng = {3};
  BIGNUM *t = BN_new(), *high = BN_new(), *low = BN_new();
  size_t done = 0;
  for (size_t i = 0; i < 60000; i++) {
    uint64_t w[2 * WORDS], out[WORDS];
    for (size_t j = 0; j < WORDS; j++) w[j] = draw(&rng);
    BIGNUM *any = from_words(w, WORDS);
    BN_mask_bits(any, BITS);
    BN_copy(high, any);
    BN_copy(low, oracle_p(CURVE));
    if (i % 4 != 0) BN_sub(low, low, high);
    if (i % 4 == 2) BN_sub_word(low, 1);
    if (i % 4 == 3) BN_add_word(low, i / 4 % 3 + 1);
    BN_free(any);
    BN_lshift(t, high, BITS);
    BN_add(t, t, low);
    if (BN_is_negative(low) || BN_num_bits(low) > BITS || BN_cmp(t, limit) > 0) continue;
    done++;
    to_words(w, 2 * WORDS, t);
    run_field_reduce(out, w);
    BN_nnmod(t, t, oracle_p(CURVE), ctx);
    assert_words("reduction", out, WORDS, t);
  }
  assert_true(done > 40000);

  BN_free(t), BN_free(high), BN_free(low);
#endif
  BN_free(limit);
}
#endif

// ---------------------------------------------------------------- field elements

static BIGNUM *factor_inverse;

static void check_elements(const fe *a, const fe *b) {
  const BIGNUM *p = oracle_p(CURVE);
  BIGNUM *x = from_words(a->w, WORDS), *y = from_words(b->w, WORDS), *want = BN_new();
  fe r;
  BN_mod_mul(want, x, y, p, ctx);
  BN_mod_mul(want, want, factor_inverse, p, ctx);
  fe_mul(&r, a, b);
  assert_words("product", r.w, WORDS, want);
  r = *a;
  fe_mul(&r, &r, b);
  assert_words("product in place of the first", r.w, WORDS, want);
  r = *b;
  fe_mul(&r, a, &r);
  assert_words("product in place of the second", r.w, WORDS, want);
  BN_mod_sqr(want, x, p, ctx);
  BN_mod_mul(want, want, factor_inverse, p, ctx);
  fe_sqr(&r, a);
  assert_words("square", r.w, WORDS, want);
  r = *a;
  fe_sqr(&r, &r);
  assert_words("square in place", r.w, WORDS, want);
  BN_mod_add(want, x, y, p, ctx);
  fe_add(&r, a, b);
  assert_words("sum", r.w, WORDS, want);
  r = *b;
  fe_add(&r, a, &r);
  assert_words("sum in place", r.w, WORDS, want);
  BN_mod_add(want, x, x, p, ctx);
  fe_twice(&r, a);
  assert_words("double", r.w, WORDS, want);
  BN_mod_sub(want, x, y, p, ctx);
  fe_sub(&r, a, b);
  assert_words("difference", r.w, WORDS, want);
  r = *b;
  fe_sub(&r, a, &r);
  assert_words("difference in place", r.w, WORDS, want);
  BN_zero(want);
  BN_mod_sub(want, want, x, p, ctx);
  r = *a;
  fe_neg_if(&r, UINT64_MAX);
  assert_words("negative", r.w, WORDS, want);
  fe_neg_if(&r, 0);
  assert_words("negative, or not", r.w, WORDS, want);
  BN_free(x), BN_free(y), BN_free(want);
}

// Elements are compared word by word, so each operation must end below p, from any words below p.
static void field_elements_stay_reduced(void **state) {
  (void)state;
  test_rng rng = {4};
  const BIGNUM *p = oracle_p(CURVE);
  BIGNUM *factor = BN_new();
  BN_set_word(factor, 1);
  BN_lshift(factor, factor, FACTOR_BITS);
  factor_inverse = BN_mod_inverse(NULL, factor, p, ctx);
  for (size_t i = 0; i < 30000; i++) {
    fe a, b;
    for (size_t j = 0; j < WORDS; j++) a.w[j] = draw(&rng), b.w[j] = draw(&rng);
    BIGNUM *x = from_words(a.w, WORDS), *y = from_words(b.w, WORDS);
    BN_mask_bits(x, BITS);
    BN_mask_bits(y, BITS);
    BN_nnmod(x, x, p, ctx);
    BN_nnmod(y, y, p, ctx);
    if (i % 4 == 0) {  // a + b near p
      BN_sub(y, p, x);
      if (test_rng_next(&rng) % 2) BN_sub_word(y, 1);
      BN_nnmod(y, y, p, ctx);
    } else if (i % 4 == 1) {  // a + b near 2^BITS
      BN_zero(y);
      BN_set_bit(y, BITS);
      BN_sub(y, y, x);
      if (test_rng_next(&rng) % 2) BN_sub_word(y, 1);
      if (BN_cmp(y, p) >= 0) BN_zero(y);
    } else if (i % 4 == 2 && !BN_is_zero(x)) {
      // a b / factor near 0, p, or 2^BITS - p: a sum before the last subtraction that is near p or 2^BITS.
      const uint64_t kind = test_rng_next(&rng);
      BIGNUM *want = BN_new();
      if (kind % 3 != 0) BN_sub(want, factor, p);
      if (kind % 3 == 2 || BN_is_negative(want) || BN_cmp(want, p) >= 0) BN_zero(want);
      BN_add_word(want, 3);
      BN_sub_word(want, kind / 3 % 7);
      BN_nnmod(want, want, p, ctx);
      assert_non_null(BN_mod_inverse(y, x, p, ctx));
      BN_mod_mul(y, y, want, p, ctx);
      BN_mod_mul(y, y, factor, p, ctx);
      BN_free(want);
    }
    to_words(a.w, WORDS, x);
    to_words(b.w, WORDS, y);
    check_elements(&a, &b);
    BN_free(x);
    BN_free(y);
  }
  BN_free(factor), BN_free(factor_inverse);
}

// At the doors: from_words and to_words, and inverses.
static void elements_from_any_words(void **state) {
  (void)state;
  test_rng rng = {5};
  const BIGNUM *p = oracle_p(CURVE);
  for (size_t i = 0; i < 2000; i++) {
    uint64_t in[WORDS], out[WORDS];
    fe a;
    for (size_t j = 0; j < WORDS; j++) in[j] = draw(&rng);
    BIGNUM *x = from_words(in, WORDS), *want = BN_new();
    BN_mask_bits(x, BITS);
    if (i < 5) {  // p - 2 to p + 2
      BN_copy(x, p);
      i < 2 ? BN_sub_word(x, 2 - i) : BN_add_word(x, i - 2);
    }
    to_words(in, WORDS, x);
    assert_int_equal(fe_from_words(&a, in), BN_cmp(x, p) < 0 ? UINT64_MAX : 0);
    BN_nnmod(x, x, p, ctx);
    fe_to_words(out, &a);
    assert_words("to and fro", out, WORDS, x);
    if (BN_is_zero(x))
      BN_zero(want);
    else
      assert_non_null(BN_mod_inverse(want, x, p, ctx));
    fe_inv(&a, &a);
    fe_to_words(out, &a);
    assert_words("inverse", out, WORDS, want);
    BN_free(x), BN_free(want);
  }
}

// ---------------------------------------------------------------- the group law

static void assert_same(const point *got, const uint8_t *want) {
  tn_curve_point w;
  uint8_t octets[TN_CURVE_MAX_POINT] = {4};
  assert_int_equal(is_infinity(got), 0);
  point_to_words(&w, got);
  tn_words_store(octets + 1, CURVE->len, w.x);
  tn_words_store(octets + 1 + CURVE->len, CURVE->len, w.y);
  assert_memory_equal(octets, want, tn_curve_point_len(CURVE));
}

static void the_group_law_at_its_edges(void **state) {
  (void)state;
  test_rng rng = {6};
  const size_t len = tn_curve_point_len(CURVE);
  uint8_t bytes_a[TN_CURVE_MAX_POINT], want[TN_CURVE_MAX_POINT], two[TN_CURVE_MAX_LEN];
  random_point(CURVE, &rng, bytes_a);
  small_number(CURVE, two, 2);
  tn_curve_point words_a;
  affine_point a, minus_a, nothing = {{{0}}, {{0}}};
  tn_words_load(words_a.x, WORDS, bytes_a + 1, CURVE->len);
  tn_words_load(words_a.y, WORDS, bytes_a + 1 + CURVE->len, CURVE->len);
  assert_true(is_point(&words_a));
  (void)fe_from_words(&a.x, words_a.x);
  (void)fe_from_words(&a.y, words_a.y);
  minus_a = a;
  fe_neg_if(&minus_a.y, UINT64_MAX);
  point infinity = {{{0}}, {{0}}, {{0}}}, pa = {a.x, a.y, fe_one}, pm = {minus_a.x, minus_a.y, fe_one}, r, twice;
  // The same point over another z, 2 y of it: from a doubling and back would be another; scale by hand.
  point scaled;
  fe z2, z3;
  fe_sqr(&z2, &a.y);
  fe_mul(&z3, &z2, &a.y);
  fe_mul(&scaled.x, &a.x, &z2);
  fe_mul(&scaled.y, &a.y, &z3);
  scaled.z = a.y;
  assert_same(&scaled, bytes_a);

  point_double(&r, &infinity);
  assert_true(is_infinity(&r));
  point_add(&r, &pa, &pm);
  assert_true(is_infinity(&r));
  point_add(&r, &scaled, &pm);
  assert_true(is_infinity(&r));
  point_add_affine(&r, &scaled, &minus_a);
  assert_true(is_infinity(&r));
  // That infinity has x != 0 and must still be neutral.
  point_add(&r, &r, &pa);
  assert_same(&r, bytes_a);
  point_add_vartime(&r, &pa, &pm);
  assert_true(is_infinity(&r));
  point_add(&r, &infinity, &infinity);
  assert_true(is_infinity(&r));
  point_add_vartime(&r, &infinity, &infinity);
  assert_true(is_infinity(&r));
  point_add_affine_vartime(&r, &infinity, &nothing);
  assert_true(is_infinity(&r));
  point_add_affine(&r, &scaled, &nothing);
  assert_same(&r, bytes_a);
  point_add_affine(&r, &infinity, &a);
  assert_same(&r, bytes_a);
  point_add(&r, &scaled, &infinity);
  assert_same(&r, bytes_a);
  point_add(&r, &infinity, &scaled);
  assert_same(&r, bytes_a);

  // Twice, in each way, in place or not.
  assert_true(oracle_mul(CURVE, want, two, bytes_a));
  point_double(&twice, &scaled);
  assert_same(&twice, want);
  r = scaled;
  point_double(&r, &r);
  assert_same(&r, want);
  point_add_vartime(&r, &pa, &pa);
  assert_same(&r, want);
  point_add_vartime(&r, &pa, &scaled);
  assert_same(&r, want);
  point_add_affine_vartime(&r, &scaled, &a);
  assert_same(&r, want);

  // 2 a + a in place of either, and 3 a - a.
  const EC_GROUP *group = oracle_group(CURVE);
  EC_POINT *ea = EC_POINT_new(group), *three = EC_POINT_new(group);
  EC_POINT_oct2point(group, ea, bytes_a, len, ctx);
  EC_POINT_dbl(group, three, ea, ctx);
  EC_POINT_add(group, three, three, ea, ctx);
  uint8_t want_three[TN_CURVE_MAX_POINT];
  EC_POINT_point2oct(group, three, POINT_CONVERSION_UNCOMPRESSED, want_three, len, ctx);
  r = twice;
  point_add(&r, &r, &scaled);
  assert_same(&r, want_three);
  point_add_affine(&twice, &twice, &minus_a);
  assert_same(&twice, bytes_a);
  twice = scaled;
  point_add(&twice, &r, &pm);
  assert_same(&twice, want);
  r = scaled;
  point_add(&r, &twice, &r);
  assert_same(&r, want_three);
  EC_POINT_free(ea);
  EC_POINT_free(three);
}

int main(void) {
  if (!tn_cpu_has((IMPL).cpu)) return 77;
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_numbers_of_the_curve),
    cmocka_unit_test(every_entry_of_the_base_table_is_right),
#if !defined(CURVE_ADX)
    cmocka_unit_test(products),
    cmocka_unit_test(reductions_modulo_the_order),
    cmocka_unit_test(reductions_of_the_field),
#endif
    cmocka_unit_test(field_elements_stay_reduced),
    cmocka_unit_test(elements_from_any_words),
    cmocka_unit_test(the_group_law_at_its_edges),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
