// Big integers: every path against libcrypto's, at every size in blocks, on random numbers and on those that carry.
#include <openssl/bn.h>

#include "base/mem.h"
#include "crypto/bn/bn.h"
#include "support/support.h"

#define GUARD 0xa5a5a5a5a5a5a5a5

static BN_CTX *ctx;

static const struct {
  const tn_bn_path *path;
  uint32_t needs;
} paths[] = {
    {&tn_bn_portable, 0},
#if defined(__x86_64__)
    {&tn_bn_avx2, TN_BN_AVX2_NEEDS},
    {&tn_bn_adx, TN_BN_ADX_NEEDS},
    {&tn_bn_ifma, TN_BN_IFMA_NEEDS},
#endif
};

static BIGNUM *theirs(const uint64_t *a, size_t words) {
  BIGNUM *n = BN_lebin2bn((const unsigned char *)a, (int)(8 * words), NULL);
  assert_non_null(n);
  return n;
}

static void assert_same(const uint64_t *ours, const BIGNUM *want, size_t words) {
  uint64_t w[2 * TN_BN_MAX_WORDS];
  assert_true(BN_bn2lebinpad(want, (unsigned char *)w, (int)(8 * words)) >= 0);
  assert_memory_equal(ours, w, 8 * words);
}

// Random words, among them many that are zero or all ones.
static void random_words(test_rng *rng, uint64_t *out, size_t words) {
  uint64_t kind = test_rng_next(rng) % 4;
  for (size_t i = 0; i < words; i++) {
    uint64_t w = test_rng_next(rng);
    if (kind == 0) w = 0 - (w & 1);
    if (kind == 1 && (w & 6) != 0) w = (w & 2) != 0 ? ~(uint64_t)0 : 0;
    if (kind == 2) w = ~(uint64_t)0;
    out[i] = w;
  }
}

// A random odd modulus of that many bits, and numbers below it.
static void random_modulus(test_rng *rng, uint64_t *n, size_t words, size_t bits) {
  random_words(rng, n, words);
  for (size_t i = 0; i < words; i++)
    if (64 * i >= bits)
      n[i] = 0;
    else if (64 * (i + 1) > bits)
      n[i] &= ~(uint64_t)0 >> (64 * (i + 1) - bits);
  n[(bits - 1) / 64] |= (uint64_t)1 << ((bits - 1) % 64);
  n[0] |= 1;
}
static void random_below(test_rng *rng, uint64_t *a, const uint64_t *n, size_t words) {
  uint64_t one[TN_BN_MAX_WORDS] = {1};
  random_words(rng, a, words);
  switch (test_rng_next(rng) % 8) {
    case 0:
      (void)tn_bn_sub(a, n, one, words);  // n - 1
      break;
    case 1:
      memset(a, 0, 8 * words);
      break;
  }
  BIGNUM *x = theirs(a, words), *m = theirs(n, words);
  assert_int_equal(BN_mod(x, x, m, ctx), 1);
  assert_true(BN_bn2lebinpad(x, (unsigned char *)a, (int)(8 * words)) >= 0);
  BN_free(x), BN_free(m);
}

static tn_bn_mod m;
static uint64_t rr[TN_BN_MAX_WORDS + 1];
static tn_bn_scratch scratch;

static void check_one(test_rng *rng, const tn_bn_path *path, size_t bits) {
  size_t words = tn_bn_words(bits);
  uint64_t n[TN_BN_MAX_WORDS], a[2 * TN_BN_MAX_WORDS], b[TN_BN_MAX_WORDS], r[TN_BN_MAX_WORDS + 1];
  random_modulus(rng, n, words, bits);
  random_below(rng, a, n, words);
  random_below(rng, b, n, words);
  rr[words] = GUARD;
  assert_ok(tn_bn_mod_init_path(&m, n, rr, words, path));
  assert_int_equal(m.bits, bits);
  assert_int_equal(rr[words], GUARD);
  BIGNUM *mn = theirs(n, words), *ta = theirs(a, words), *tb = theirs(b, words), *want = BN_new(), *inv = BN_new();
  assert_int_equal(BN_set_bit(want, (int)(64 * words)), 1);
  assert_non_null(BN_mod_inverse(inv, want, mn, ctx));  // 1 / R
  assert_int_equal(BN_mod_sqr(want, want, mn, ctx), 1);
  assert_same(m.rr, want, words);
  r[words] = GUARD;
  path->mul(r, a, b, &m, scratch.t);
  assert_int_equal(BN_mod_mul(want, ta, tb, mn, ctx), 1);
  assert_int_equal(BN_mod_mul(want, want, inv, mn, ctx), 1);
  assert_same(r, want, words);
  path->sqr(r, a, &m, scratch.t);
  assert_int_equal(BN_mod_sqr(want, ta, mn, ctx), 1);
  assert_int_equal(BN_mod_mul(want, want, inv, mn, ctx), 1);
  assert_same(r, want, words);
  assert_int_equal(r[words], GUARD);
  // In place.
  memcpy(r, a, 8 * words);
  path->sqr(r, r, &m, scratch.t);
  assert_same(r, want, words);
  memcpy(r, a, 8 * words);
  path->mul(r, r, r, &m, scratch.t);
  assert_same(r, want, words);
  tn_bn_mod_sub(r, a, b, &m);
  assert_int_equal(BN_mod_sub(want, ta, tb, mn, ctx), 1);
  assert_same(r, want, words);
  // Any factor of a whole R, and any number of two.
  random_words(rng, a, 2 * words);
  BN_free(ta), ta = theirs(a, words);
  tn_bn_mod_mul(r, a, b, &m);
  assert_int_equal(BN_mod_mul(want, ta, tb, mn, ctx), 1);
  assert_int_equal(BN_mod_mul(want, want, inv, mn, ctx), 1);
  assert_same(r, want, words);
  BN_free(ta), ta = theirs(a, 2 * words);
  tn_bn_mod_reduce(r, a, &m);
  assert_int_equal(BN_mod(want, ta, mn, ctx), 1);
  assert_same(r, want, words);
  assert_int_equal(r[words], GUARD);
  BN_free(mn), BN_free(ta), BN_free(tb), BN_free(want), BN_free(inv);
}

static void every_size_agrees_with_libcrypto(void **state) {
  (void)state;
  test_rng rng = {1};
  for (size_t p = 0; p < COUNT(paths); p++)
    if (tn_cpu_has(paths[p].needs))
      for (size_t words = TN_BN_BLOCK; words <= TN_BN_MAX_WORDS; words += TN_BN_BLOCK)
        for (size_t round = 0; round < 12; round++)
          check_one(&rng, paths[p].path, round < 8 ? 64 * words : 64 * words - test_rng_next(&rng) % 400);
}

static void powers_agree_with_libcrypto(void **state) {
  (void)state;
  static const size_t sizes[] = {65, 512, 1000, 1024, 1536, 2047, 2048, 2049, 3000, 3072};
  static const size_t exponents[] = {0, 1, 5, 63, 64, 65, 225, 320, 509};
  test_rng rng = {2};
  memset(&scratch, 0, sizeof scratch);
  for (size_t p = 0; p < COUNT(paths); p++)
    for (size_t i = 0; tn_cpu_has(paths[p].needs) && i < COUNT(sizes) * COUNT(exponents); i++) {
      size_t bits = sizes[i % COUNT(sizes)], e_bits = exponents[i / COUNT(sizes)], words = tn_bn_words(bits);
      uint64_t n[TN_BN_MAX_WORDS], a[TN_BN_MAX_WORDS], e[8], r[TN_BN_MAX_WORDS + 1];
      random_modulus(&rng, n, words, bits);
      random_below(&rng, a, n, words);
      random_words(&rng, e, 8);
      for (size_t j = 0; j < 512; j++)
        if (j >= e_bits) e[j / 64] &= ~((uint64_t)1 << (j % 64));
      assert_ok(tn_bn_mod_init_path(&m, n, rr, words, paths[p].path));
      BIGNUM *mn = theirs(n, words), *ta = theirs(a, words), *te = theirs(e, 8), *want = BN_new();
      assert_int_equal(BN_mod_exp(want, ta, te, mn, ctx), 1);
      r[words] = GUARD;
      tn_bn_mod_exp(&(tn_bn_power){r, a, e, &m}, 1, e_bits, &scratch);
      assert_same(r, want, words);
      e[0] |= 3;
      BN_free(te), te = theirs(e, 1);
      assert_int_equal(BN_mod_exp(want, ta, te, mn, ctx), 1);
      tn_bn_mod_exp_public(r, a, e[0], &m);
      assert_same(r, want, words);
      assert_int_equal(r[words], GUARD);
      tn_bn_scratch_wipe(&scratch, &m);
      for (size_t j = 0; j < sizeof scratch / 8; j++)
        if (((const uint64_t *)&scratch)[j] != 0) fail_msg("word %zu of the scratch is not wiped", j);
      BN_free(mn), BN_free(ta), BN_free(te), BN_free(want);
    }
}

static void entries_are_selected(void **state) {
  (void)state;
  test_rng rng = {3};
  test_rng_bytes(&rng, scratch.table, sizeof scratch.table);
  for (size_t p = 0; p < COUNT(paths); p++)
    for (size_t words = TN_BN_BLOCK; tn_cpu_has(paths[p].needs) && words <= TN_BN_MAX_WORDS; words *= 2)
      for (uint64_t i = 0; i < TN_BN_ENTRIES; i++) {
        uint64_t r[TN_BN_MAX_WORDS + 1];
        r[words] = GUARD;
        paths[p].path->select(r, scratch.table, i, words);
        assert_memory_equal(r, scratch.table + i * words, 8 * words);
        assert_int_equal(r[words], GUARD);
      }
}

static void bad_moduli_are_refused(void **state) {
  (void)state;
  uint64_t n[2 * TN_BN_MAX_WORDS] = {0};
  n[0] = 1;
  assert_fails(tn_bn_mod_init(&m, n, rr, 8), BAD_ARGUMENT);  // one
  n[7] = 1;
  assert_ok(tn_bn_mod_init(&m, n, rr, 8));
  static const size_t wrong[] = {0, 1, 7, 9, TN_BN_MAX_WORDS + 1, TN_BN_MAX_WORDS + 8};
  for (size_t i = 0; i < COUNT(wrong); i++) assert_fails(tn_bn_mod_init(&m, n, rr, wrong[i]), BAD_ARGUMENT);
  n[0] = 2;
  assert_fails(tn_bn_mod_init(&m, n, rr, 8), BAD_ARGUMENT);
}

static void bytes_and_words_convert(void **state) {
  (void)state;
  uint8_t in[70], back[64];
  test_rng rng = {4};
  uint64_t a[8];
  for (size_t n = 0; n <= 64; n++) {
    memset(in, 0, sizeof in);
    test_rng_bytes(&rng, in + 70 - n, n);
    assert_true(tn_bn_from_bytes(a, 8, (tn_span){in, 70}));
    tn_bn_to_bytes(back, 64, a);
    assert_memory_equal(back, in + 6, 64);
    size_t bits = tn_bn_bits(a, 8);
    BIGNUM *t = theirs(a, 8);
    assert_int_equal(bits, BN_num_bits(t));
    BN_free(t);
  }
  for (size_t i = 0; i < 6; i++) {
    memset(in, 0, sizeof in);
    in[i] = 0x80;
    assert_false(tn_bn_from_bytes(a, 8, (tn_span){in, 70}));
  }
}

// The path expected for what the processor has at this level is the one that runs.
static void the_best_path_runs(void **state) {
  (void)state;
  const char *want = NULL;
  for (size_t p = 0; p < COUNT(paths); p++)  // the last that runs
    if (tn_cpu_has(paths[p].needs)) want = paths[p].path->name;
  uint64_t n[8] = {1, 1};
  assert_ok(tn_bn_mod_init(&m, n, rr, 8));
  assert_string_equal(m.path->name, want);
}

int main(void) {
  ctx = BN_CTX_new();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_size_agrees_with_libcrypto),
      cmocka_unit_test(powers_agree_with_libcrypto),
      cmocka_unit_test(entries_are_selected),
      cmocka_unit_test(bad_moduli_are_refused),
      cmocka_unit_test(bytes_and_words_convert),
      cmocka_unit_test(the_best_path_runs),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  BN_CTX_free(ctx);
  return failed;
}
