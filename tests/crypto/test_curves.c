// Each curve as its users see it, against libcrypto. What is inside has its tests in test_field_*.c.
#include "base/cpu.h"
#include "curve_oracle.h"

#define EACH_CURVE(c) for (const tn_curve *c = tn_curves[0], *const *each_ = tn_curves; (c = *each_) != NULL; each_++)

// ---------------------------------------------------------------- implementations

static void the_table(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(all_curves); i++) {
    const tn_curve *c = all_curves[i].curve;
    uint64_t order[TN_CURVE_MAX_WORDS];
    assert_ptr_equal(tn_curves[i], c);
    assert_int_equal(BN_num_bits(oracle_n(c)), c->bits);
    assert_int_equal((c->bits + 7) / 8, c->len);
    assert_int_equal((c->bits + 63) / 64, c->words);
    to_words(order, c->words, oracle_n(c));
    assert_memory_equal(order, c->order, 8u * c->words);
  }
  assert_null(tn_curves[COUNT(all_curves)]);
}

static void the_best_path_runs(void **state) {
  (void)state;
  const bool adx = tn_cpu_has(TN_CPU_AVX2 | TN_CPU_BMI2 | TN_CPU_ADX);
  assert_string_equal(tn_curve_impl_of(&tn_p256)->path, adx ? "adx" : "portable");
  assert_string_equal(tn_curve_impl_of(&tn_p384)->path, adx ? "adx" : "portable");
  assert_string_equal(tn_curve_impl_of(&tn_p521)->path, adx ? "adx" : "portable");
}

// ---------------------------------------------------------------- multiples of points

static void load(const tn_curve *c, uint64_t *r, const uint8_t *octets) {
  BIGNUM *a = BN_bin2bn(octets, c->len, NULL);
  to_words(r, c->words, a);
  BN_free(a);
}

static void assert_point(const tn_curve *c, const tn_curve_point *got, const uint8_t *want) {
  uint64_t x[TN_CURVE_MAX_WORDS], y[TN_CURVE_MAX_WORDS];
  load(c, x, want + 1);
  load(c, y, want + 1 + c->len);
  assert_memory_equal(got->x, x, 8u * c->words);
  assert_memory_equal(got->y, y, 8u * c->words);
}

// That the x-coordinate of a G + b P is that of `want`, or, for NULL, that it has none.
static void check_sum(const tn_curve *c, const uint64_t *a, const uint64_t *b, const tn_curve_point *p,
                      const uint8_t *want) {
  const tn_curve_impl *impl = tn_curve_impl_of(c);
  uint8_t octets[TN_CURVE_MAX_LEN];
  uint64_t r[TN_CURVE_MAX_WORDS] = {0};
  BIGNUM *x = BN_new();
  if (want != NULL) BN_bin2bn(want + 1, c->len, x);
  if (BN_cmp(x, oracle_n(c)) >= 0) BN_sub(x, x, oracle_n(c));
  number_bytes(c, octets, x);
  load(c, r, octets);
  assert_int_equal(impl->x_is_vartime(a, b, p, r), want != NULL);
  // Not another; of many calls, some ask for that.
  BN_add_word(x, 1);
  if (BN_mod_word(x, 8) == 0 && BN_cmp(x, oracle_n(c)) < 0) {
    number_bytes(c, octets, x);
    load(c, r, octets);
    assert_false(impl->x_is_vartime(a, b, p, r));
  }
  BN_free(x);
}

// k G and k P, each way that there is, for 1 <= k < n; nothing for another k.
static void check_multiple(const tn_curve *c, const uint8_t *k_bytes, const uint8_t *point) {
  static const uint64_t zero[TN_CURVE_MAX_WORDS];
  const tn_curve_impl *impl = tn_curve_impl_of(c);
  uint64_t k[TN_CURVE_MAX_WORDS];
  tn_curve_point p, r;
  uint8_t want[TN_CURVE_MAX_POINT];
  if (!tn_curve_scalar(c, k, k_bytes)) return;
  assert_true(tn_curve_decode(c, &p, tn_span_of(point, tn_curve_point_len(c))));
  assert_true(oracle_mul(c, want, k_bytes, NULL));
  impl->mul_base(&r, k);
  assert_point(c, &r, want);
  check_sum(c, k, zero, &p, want);
  assert_true(oracle_mul(c, want, k_bytes, point));
  impl->mul(&r, k, &p);
  assert_point(c, &r, want);
  check_sum(c, zero, k, &p, want);
}

// Small ones and their negatives: every first digit, and sums that are doublings or inverses in the last window.
static void small_multiples_and_their_negatives_agree(void **state) {
  (void)state;
  test_rng rng = {2};
  EACH_CURVE(c) {
    uint8_t point[TN_CURVE_MAX_POINT], k[TN_CURVE_MAX_LEN];
    random_point(c, &rng, point);
    for (int i = 1; i <= 130; i++) {
      small_number(c, k, (unsigned)i);
      check_multiple(c, k, point);
      number_near(c, k, oracle_n(c), -i);
      check_multiple(c, k, point);
    }
  }
}

// Each bit alone, each prefix of ones; of the larger curves one in eleven, in which each place in a window occurs.
static void multiples_with_few_runs_agree(void **state) {
  (void)state;
  test_rng rng = {3};
  EACH_CURVE(c) {
    uint8_t point[TN_CURVE_MAX_POINT], k[TN_CURVE_MAX_LEN];
    random_point(c, &rng, point);
    for (int i = 0; i<c->bits; i += c->bits> 256 ? 5 : 1) {
      const int last = c->len - 1;
      memset(k, 0, c->len);
      k[last - i / 8] = (uint8_t)(1 << i % 8);
      check_multiple(c, k, point);
      for (int j = 0; j < i; j++) k[last - j / 8] |= (uint8_t)(1 << j % 8);
      check_multiple(c, k, point);
    }
  }
}

// One digit after another at the edges of its range, in windows of each width in use: its size the largest, and the
// one beside, of either sign, next to nothing or to others.
static void digits_at_the_edges_of_windows_agree(void **state) {
  (void)state;
  test_rng rng = {4};
  EACH_CURVE(c) {
    uint8_t point[TN_CURVE_MAX_POINT], k[TN_CURVE_MAX_LEN];
    random_point(c, &rng, point);
    for (int w = 4; w <= 7; w++)
      for (int kind = 0; kind < 6; kind++) {
        BIGNUM *a = BN_new(), *digit = BN_new();
        BN_zero(a);
        for (int i = 0; i < c->bits; i += w) {
          const int half = 1 << (w - 1), value[] = {half, half - 1, half + 1, 1, 2 * half - 1, half};
          BN_set_word(digit, (BN_ULONG)value[kind]);
          BN_lshift(digit, digit, i);
          if (kind < 5 || i % (2 * w) == 0) BN_add(a, a, digit);
        }
        BN_mask_bits(a, c->bits - 1);
        number_bytes(c, k, a);
        check_multiple(c, k, point);
        BN_sub(a, oracle_n(c), a);
        number_bytes(c, k, a);
        check_multiple(c, k, point);
        BN_free(a);
        BN_free(digit);
      }
  }
}

static void multiples_at_random_agree(void **state) {
  (void)state;
  test_rng rng = {5};
  EACH_CURVE(c)
  for (int i = 0; i < 50; i++) {
    uint8_t point[TN_CURVE_MAX_POINT], k[TN_CURVE_MAX_LEN];
    random_point(c, &rng, point);
    random_scalar(c, &rng, k);
    check_multiple(c, k, point);
  }
}

// a G + b P where the two are equal, opposite, or one is nothing.
static void sums_of_multiples_have_no_exception(void **state) {
  (void)state;
  static const unsigned small[] = {0, 1, 2, 3, 4, 15, 16, 17, 31, 32, 33, 64, 65};
  test_rng rng = {6};
  BN_CTX *ctx = BN_CTX_new();
  EACH_CURVE(c)
  for (int which = 0; which < 15; which++) {
    // P = m G for a small or random m, so that collisions happen.
    uint8_t m[TN_CURVE_MAX_LEN], point[TN_CURVE_MAX_POINT], octets[TN_CURVE_MAX_LEN];
    if (which < 6)
      small_number(c, m, (unsigned)which + 1);
    else if (which < 12)
      number_near(c, m, oracle_n(c), 5 - which);
    else
      random_scalar(c, &rng, m);
    assert_true(oracle_mul(c, point, m, NULL));
    tn_curve_point p;
    assert_true(tn_curve_decode(c, &p, tn_span_of(point, tn_curve_point_len(c))));
    for (size_t i = 0; i<COUNT(small) * COUNT(small); i += c->bits> 256 ? 3 : 1) {
      uint64_t a[TN_CURVE_MAX_WORDS] = {small[i / COUNT(small)]}, b[TN_CURVE_MAX_WORDS] = {small[i % COUNT(small)]};
      BIGNUM *k = BN_bin2bn(m, c->len, NULL);
      BN_mul_word(k, b[0]);
      BN_add_word(k, a[0]);
      BN_nnmod(k, k, oracle_n(c), ctx);
      number_bytes(c, octets, k);
      check_sum(c, a, b, &p, oracle_mul(c, point, octets, NULL) ? point : NULL);
      BN_free(k);
    }
  }
  BN_CTX_free(ctx);
}

// ---------------------------------------------------------------- numbers modulo the order

static void check_order(const tn_curve *c, BN_CTX *ctx, const uint8_t *a_bytes, const uint8_t *b_bytes) {
  const tn_curve_impl *impl = tn_curve_impl_of(c);
  uint64_t a[TN_CURVE_MAX_WORDS], b[TN_CURVE_MAX_WORDS], r[TN_CURVE_MAX_WORDS], want[TN_CURVE_MAX_WORDS];
  BIGNUM *x = BN_bin2bn(a_bytes, c->len, NULL), *y = BN_bin2bn(b_bytes, c->len, NULL), *z = BN_new();
  const bool valid = !BN_is_zero(x) && BN_cmp(x, oracle_n(c)) < 0;
  assert_int_equal(tn_curve_scalar(c, a, a_bytes), valid);
  if (BN_cmp(x, oracle_n(c)) < 0 && BN_cmp(y, oracle_n(c)) < 0) {
    load(c, a, a_bytes);
    load(c, b, b_bytes);
    BN_mod_mul(z, x, y, oracle_n(c), ctx);
    to_words(want, c->words, z);
    impl->order_mul(r, a, b);
    assert_memory_equal(r, want, 8u * c->words);
    memcpy(r, a, sizeof r);
    impl->order_mul(r, r, b);
    assert_memory_equal(r, want, 8u * c->words);
    if (valid)
      assert_non_null(BN_mod_inverse(z, x, oracle_n(c), ctx));
    else
      BN_zero(z);
    to_words(want, c->words, z);
    impl->order_inv(a, a);
    assert_memory_equal(a, want, 8u * c->words);
  }
  BN_free(x), BN_free(y), BN_free(z);
}

static void numbers_modulo_the_order_agree(void **state) {
  (void)state;
  test_rng rng = {7};
  BN_CTX *ctx = BN_CTX_new();
  EACH_CURVE(c) {
    uint8_t edges[24][TN_CURVE_MAX_LEN];
    size_t n = 0;
    BIGNUM *power = BN_new();
    for (unsigned i = 0; i < 4; i++) small_number(c, edges[n++], i);
    for (int i = -4; i <= 2; i++) number_near(c, edges[n++], oracle_n(c), i);
    for (int i = -1; i <= 1; i++) number_near(c, edges[n++], oracle_p(c), i);
    for (int bit = 63; bit < c->bits; bit += (c->bits - 64) / 3) {
      BN_zero(power);
      BN_set_bit(power, bit);
      number_bytes(c, edges[n++], power);
      number_near(c, edges[n++], power, -1);
    }
    BN_rshift1(power, oracle_n(c));
    number_bytes(c, edges[n++], power);
    number_near(c, edges[n++], power, 1);
    BN_free(power);
    assert_true(n <= COUNT(edges));
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) check_order(c, ctx, edges[i], edges[j]);
    for (int i = 0; i < 1000; i++) {
      uint8_t a[TN_CURVE_MAX_LEN], b[TN_CURVE_MAX_LEN];
      runs(c, &rng, a);
      runs(c, &rng, b);
      check_order(c, ctx, a, b);
    }
  }
  BN_CTX_free(ctx);
}

// ---------------------------------------------------------------- keys and secrets

static void refuses_private_keys_out_of_range(void **state) {
  (void)state;
  test_rng rng = {8};
  EACH_CURVE(c) {
    uint8_t keys[8][TN_CURVE_MAX_LEN];
    static const bool valid[COUNT(keys)] = {false, true, true, false, false, false, false, false};
    small_number(c, keys[0], 0);
    small_number(c, keys[1], 1);
    for (int i = -1; i <= 1; i++) number_near(c, keys[3 + i], oracle_n(c), i);
    number_bytes(c, keys[5], oracle_p(c));
    memset(keys[6], 0xff, sizeof keys[6]);
    number_near(c, keys[7], oracle_n(c), 0);
    keys[7][0] |= 0x80;  // of P-521, beyond its bits
    keys[7][c->len - 1]++;
    uint8_t peer[TN_CURVE_MAX_POINT], pub[TN_CURVE_MAX_POINT], secret[TN_CURVE_MAX_LEN] = {0}, sig[TN_CURVE_MAX_SIG];
    random_point(c, &rng, peer);
    for (size_t i = 0; i < COUNT(keys); i++) {
      const uint16_t want = valid[i] ? TN_E_NONE : TN_E_KEY_INVALID;
      assert_int_equal(tn_ec_public(c, keys[i], pub).reason, want);
      assert_int_equal(tn_ecdh(c, keys[i], tn_span_of(peer, tn_curve_point_len(c)), secret).reason, want);
      assert_int_equal(tn_ecdsa_sign(c, NULL, keys[i], secret, 32, sig).reason, want);
    }
  }
}

static void assert_no_point(const tn_curve *c, const uint8_t *p, size_t n) {
  uint8_t priv[TN_CURVE_MAX_LEN], secret[TN_CURVE_MAX_LEN];
  small_number(c, priv, 77);
  assert_fails(tn_ec_check_public(c, tn_span_of(p, n)), KEY_INVALID);
  assert_fails(tn_ecdh(c, priv, tn_span_of(p, n), secret), BAD_KEY_SHARE);
}

static void refuses_what_is_no_point(void **state) {
  (void)state;
  test_rng rng = {9};
  static const uint8_t zeros[TN_CURVE_MAX_POINT], origin[TN_CURVE_MAX_POINT] = {4};
  EACH_CURVE(c) {
    const size_t len = tn_curve_point_len(c);
    uint8_t good[TN_CURVE_MAX_POINT], bad[TN_CURVE_MAX_POINT + 1];
    random_point(c, &rng, good);
    assert_ok(tn_ec_check_public(c, tn_span_of(good, len)));
    assert_no_point(c, NULL, 0);
    for (size_t n = 0; n <= len + 1; n++) {
      if (n == len) continue;
      memset(bad, 0, sizeof bad);
      memcpy(bad, good, n < len ? n : len);
      assert_no_point(c, bad, n);
    }
    // Every other first byte, hybrid forms among them.
    for (unsigned first = 0; first < 256; first++) {
      if (first == 4) continue;
      memcpy(bad, good, len);
      bad[0] = (uint8_t)first;
      assert_no_point(c, bad, len);
    }
    // Compressed, and infinity.
    memcpy(bad, good, 1u + c->len);
    bad[0] = (uint8_t)(2 + (good[len - 1] & 1));
    assert_no_point(c, bad, 1u + c->len);
    assert_no_point(c, zeros, 1);
    assert_no_point(c, zeros, len);
    assert_no_point(c, origin, len);
    // Each bit of the coordinates flipped.
    for (size_t bit = 8; bit < len * 8; bit++) {
      memcpy(bad, good, len);
      bad[bit / 8] ^= (uint8_t)(1 << bit % 8);
      assert_no_point(c, bad, len);
    }
  }
}

// Points whose coordinates have room for p more: the same points modulo p, in a form that is not reduced.
static void refuses_coordinates_that_are_not_reduced(void **state) {
  (void)state;
  BN_CTX *ctx = BN_CTX_new();
  EACH_CURVE(c) {
    const EC_GROUP *group = oracle_group(c);
    EC_POINT *point = EC_POINT_new(group);
    BIGNUM *x = BN_new(), *y = BN_new();
    int found = 0;
    for (BN_ULONG small = 0; small < 20; small++) {
      uint8_t octets[TN_CURVE_MAX_POINT];
      const size_t len = tn_curve_point_len(c);
      BN_set_word(x, small);
      if (EC_POINT_set_compressed_coordinates(group, point, x, 0, ctx) != 1) continue;
      assert_int_equal(EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, octets, len, ctx), len);
      assert_ok(tn_ec_check_public(c, tn_span_of(octets, len)));
      BN_add(x, x, oracle_p(c));
      number_bytes(c, octets + 1, x);
      assert_no_point(c, octets, len);
      found++;
    }
    assert_true(found > 4);
    EC_POINT_free(point);
    BN_free(x), BN_free(y);
  }
  BN_CTX_free(ctx);
}

static void shared_secrets_agree_with_libcrypto(void **state) {
  (void)state;
  test_rng seed = {10};
  tn_rng rng = test_rng_as_rng(&seed);
  EACH_CURVE(c)
  for (int i = 0; i < 60; i++) {
    const size_t len = tn_curve_point_len(c);
    uint8_t a[TN_CURVE_MAX_LEN], b[TN_CURVE_MAX_LEN], pub_a[TN_CURVE_MAX_POINT], pub_b[TN_CURVE_MAX_POINT];
    uint8_t secret_a[TN_CURVE_MAX_LEN], secret_b[TN_CURVE_MAX_LEN], point[TN_CURVE_MAX_POINT];
    assert_ok(tn_ec_generate(c, &rng, a, pub_a));
    assert_ok(tn_ec_generate(c, &rng, b, pub_b));
    assert_ok(tn_ec_check_public(c, tn_span_of(pub_a, len)));
    assert_ok(tn_ecdh(c, a, tn_span_of(pub_b, len), secret_a));
    assert_upper_vectors_wiped();
    assert_ok(tn_ecdh(c, b, tn_span_of(pub_a, len), secret_b));
    assert_memory_equal(secret_a, secret_b, c->len);
    EVP_PKEY *mine = oracle_key(c, a, pub_a), *theirs = oracle_key(c, NULL, pub_b);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(mine, NULL);
    size_t n = sizeof secret_b;
    assert_int_equal(EVP_PKEY_derive_init(ctx), 1);
    assert_int_equal(EVP_PKEY_derive_set_peer(ctx, theirs), 1);
    assert_int_equal(EVP_PKEY_derive(ctx, secret_b, &n), 1);
    assert_int_equal(n, c->len);
    assert_memory_equal(secret_a, secret_b, n);
    assert_true(oracle_mul(c, point, a, NULL));
    assert_memory_equal(pub_a, point, len);
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(mine);
    EVP_PKEY_free(theirs);
  }
}

// The key may be where the output goes.
static void outputs_may_take_the_inputs_place(void **state) {
  (void)state;
  test_rng seed = {11};
  tn_rng rng = test_rng_as_rng(&seed);
  EACH_CURVE(c) {
    const size_t len = tn_curve_point_len(c);
    uint8_t priv[TN_CURVE_MAX_POINT], pub[TN_CURVE_MAX_POINT], want[TN_CURVE_MAX_LEN];
    assert_ok(tn_ec_generate(c, &rng, priv, pub));
    assert_ok(tn_ecdh(c, priv, tn_span_of(pub, len), want));
    assert_ok(tn_ecdh(c, priv, tn_span_of(pub, len), pub));
    assert_memory_equal(pub, want, c->len);
    assert_ok(tn_ec_public(c, priv, pub));
    assert_ok(tn_ec_public(c, priv, priv));
    assert_memory_equal(priv, pub, len);
  }
}

// ---------------------------------------------------------------- generators that misbehave

typedef struct {
  unsigned calls, fail_at;
  uint8_t until, fill;  // calls up to `until` give bytes `fill`, later ones bytes 1
} bad_rng;

static tn_result bad_fill(void *ctx, uint8_t *out, size_t n) {
  bad_rng *r = ctx;
  if (++r->calls == r->fail_at) return tn_fail(TN_E_NO_RANDOM);
  memset(out, r->calls <= r->until ? r->fill : 1, n);
  return tn_success();
}

static void generation_rejects_candidates_and_passes_failures_on(void **state) {
  (void)state;
  EACH_CURVE(c) {
    uint8_t priv[TN_CURVE_MAX_LEN], pub[TN_CURVE_MAX_POINT], want[TN_CURVE_MAX_LEN];
    memset(want, 1, sizeof want);
    for (unsigned fill = 0; fill < 256; fill += 255) {
      bad_rng r = {.until = 3, .fill = (uint8_t)fill};
      assert_ok(tn_ec_generate(c, &(tn_rng){bad_fill, &r}, priv, pub));
      assert_int_equal(r.calls, 4);
      assert_memory_equal(priv, want, c->len);
      r = (bad_rng){.until = 255, .fill = (uint8_t)fill};
      assert_fails(tn_ec_generate(c, &(tn_rng){bad_fill, &r}, priv, pub), NO_RANDOM);
    }
    for (unsigned fail_at = 1; fail_at <= 3; fail_at++) {
      bad_rng r = {.fail_at = fail_at, .until = 2, .fill = 0xff};
      assert_fails(tn_ec_generate(c, &(tn_rng){bad_fill, &r}, priv, pub), NO_RANDOM);
      assert_int_equal(r.calls, fail_at);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table),
      cmocka_unit_test(the_best_path_runs),
      cmocka_unit_test(small_multiples_and_their_negatives_agree),
      cmocka_unit_test(multiples_with_few_runs_agree),
      cmocka_unit_test(digits_at_the_edges_of_windows_agree),
      cmocka_unit_test(multiples_at_random_agree),
      cmocka_unit_test(sums_of_multiples_have_no_exception),
      cmocka_unit_test(numbers_modulo_the_order_agree),
      cmocka_unit_test(refuses_private_keys_out_of_range),
      cmocka_unit_test(refuses_what_is_no_point),
      cmocka_unit_test(refuses_coordinates_that_are_not_reduced),
      cmocka_unit_test(shared_secrets_agree_with_libcrypto),
      cmocka_unit_test(outputs_may_take_the_inputs_place),
      cmocka_unit_test(generation_rejects_candidates_and_passes_failures_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
