// Key generation: libcrypto agrees that a key is one, its parts are what FIPS 186-5 wants, and a bad generator is
// noticed.
#include "crypto/rsa/rsa_key.h"
#include "rsa_oracle.h"

static tn_rsa_private_max memory, again;
static tn_rsa_private *const key = &memory.key;
static rsa_number parts[TN_RSA_PARTS];

static BIGNUM *number(tn_rsa_part part) { return BN_bin2bn(parts[part].bytes, (int)parts[part].n, NULL); }

static void read_parts(void) {
  for (tn_rsa_part i = 0; i < TN_RSA_PARTS; i++) {
    memset(parts[i].bytes, 0, sizeof parts[i].bytes);
    parts[i].n = tn_rsa_private_part(key, i, parts[i].bytes);
    assert_true(parts[i].n != 0 && parts[i].bytes[0] != 0);
  }
}

static void assert_standard(size_t bits) {
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *n = number(TN_RSA_N), *d = number(TN_RSA_D), *e = number(TN_RSA_E), *p = number(TN_RSA_P),
         *q = number(TN_RSA_Q), *difference = BN_new(), *gcd = BN_new(), *lcm = BN_new(), *want = BN_new();
  assert_int_equal(BN_num_bits(n), bits);
  assert_int_equal(BN_num_bits(p), bits / 2);
  assert_int_equal(BN_num_bits(q), bits / 2);
  assert_true(BN_is_bit_set(p, (int)bits / 2 - 2) && BN_is_bit_set(q, (int)bits / 2 - 2));
  assert_true(BN_is_word(e, 65537));
  assert_int_equal(BN_check_prime(p, ctx, NULL), 1);
  assert_int_equal(BN_check_prime(q, ctx, NULL), 1);
  assert_int_equal(BN_sub(difference, p, q), 1);
  assert_true(!BN_is_negative(difference) && BN_num_bits(difference) > (int)bits / 2 - 100);
  assert_int_equal(BN_mul(want, p, q, ctx), 1);
  assert_int_equal(BN_cmp(want, n), 0);
  // d is the inverse of e modulo the least common multiple.
  assert_true(BN_sub_word(p, 1) && BN_sub_word(q, 1) && BN_gcd(gcd, p, q, ctx) && BN_mul(lcm, p, q, ctx) &&
              BN_div(lcm, NULL, lcm, gcd, ctx));
  assert_non_null(BN_mod_inverse(want, e, lcm, ctx));
  assert_int_equal(BN_cmp(want, d), 0);
  assert_true(BN_num_bits(d) > (int)bits / 2);
  BIGNUM *const all[] = {n, d, e, p, q, difference, gcd, lcm, want};
  for (size_t i = 0; i < COUNT(all); i++) BN_clear_free(all[i]);
  BN_CTX_free(ctx);
}

static void keys_are_keys(void **state) {
  (void)state;
  static const struct {
    size_t bits;
    int count;
  } sizes[] = {{2048, 6}, {2056, 1}, {3000, 1}, {3072, 1}, {4096, 1}};
  for (size_t i = 0; i < COUNT(sizes); i++)
    for (int j = 0; j < sizes[i].count; j++) {
      uint8_t sig[TN_RSA_MAX_BYTES], digest[32] = {9};
      size_t n = sizeof sig;
      const tn_span d = {digest, sizeof digest};
      assert_ok(tn_rsa_generate(key, sizes[i].bits, NULL));
      assert_int_equal(key->public.n.bits, sizes[i].bits);
      assert_int_equal(key->public.len, sizes[i].bits / 8);
      read_parts();
      assert_standard(sizes[i].bits);
      assert_ok(rsa_load(&again.key, parts));
      assert_ok(tn_rsa_pss_sign(key, NULL, &tn_sha256, d, sig, &n));
      assert_ok(tn_rsa_pss_verify(&again.key.public, &tn_sha256, NULL, 32, d, (tn_span){sig, n}));
      // The key that was loaded is the one that was made.
      const size_t words = (size_t)(key->blind - key->words);
      assert_memory_equal(key->words, again.key.words, 8 * words);
    }
}

static void the_same_bytes_make_the_same_key(void **state) {
  (void)state;
  rsa_number before[TN_RSA_PARTS];
  for (int i = 0; i < 2; i++) {
    test_rng seed = {5};
    const tn_rng rng = test_rng_as_rng(&seed);
    assert_ok(tn_rsa_generate(key, 2048, &rng));
    read_parts();
    if (i == 0) memcpy(before, parts, sizeof parts);
  }
  for (size_t i = 0; i < TN_RSA_PARTS; i++) assert_memory_equal(before[i].bytes, parts[i].bytes, parts[i].n);
}

static void other_sizes_are_refused(void **state) {
  (void)state;
  static const size_t sizes[] = {0, 512, 1024, 2040, 2047, 2049, 2052, 8193, 8200, 16384};
  for (size_t i = 0; i < COUNT(sizes); i++) assert_fails(tn_rsa_generate(key, sizes[i], NULL), BAD_ARGUMENT);
}

// ---------------------------------------------------------------- generators that fail
static test_rng bytes_of;
static size_t calls_left;

static tn_result runs_dry(void *ctx, uint8_t *out, size_t n) {
  (void)ctx;
  if (calls_left-- == 0) return tn_fail(TN_E_NO_RANDOM);
  test_rng_bytes(&bytes_of, out, n);
  return tn_success();
}

static tn_result repeats(void *ctx, uint8_t *out, size_t n) {
  memset(out, *(const int *)ctx, n);
  return tn_success();
}

// Begins again after `period` calls.
static size_t calls, period;
static tn_result goes_round(void *ctx, uint8_t *out, size_t n) {
  (void)ctx;
  if (period != 0 && calls % period == 0) bytes_of = (test_rng){8};
  calls++;
  test_rng_bytes(&bytes_of, out, n);
  return tn_success();
}

static void assert_wiped(size_t bits) {
  for (size_t i = 0; i < tn_rsa_private_size(bits); i++) assert_int_equal(memory.bytes[i], 0);
}

static void bad_generators_are_noticed(void **state) {
  (void)state;
  static const size_t after[] = {0, 1, 100, 1000};
  for (size_t i = 0; i < COUNT(after); i++) {
    const tn_rng rng = {runs_dry, NULL};
    bytes_of = (test_rng){7};
    calls_left = after[i];
    memset(&memory, 0xa5, sizeof memory);
    assert_fails(tn_rsa_generate(key, 2048, &rng), NO_RANDOM);
    assert_wiped(2048);
  }
  for (int byte = 0; byte < 256; byte += 51) {
    const tn_rng rng = {repeats, &byte};
    memset(&memory, 0xa5, sizeof memory);
    assert_fails(tn_rsa_generate(key, 2048, &rng), NO_RANDOM);
    assert_wiped(2048);
  }
}

static void equal_primes_are_noticed(void **state) {
  (void)state;
  const tn_rng rng = {goes_round, NULL};
  uint64_t p[16];
  bytes_of = (test_rng){8};
  calls = period = 0;
  assert_ok(tn_rsa_find_prime(p, 16, 1024, &rng));
  period = calls;
  calls = 0;
  assert_fails(tn_rsa_generate(key, 2048, &rng), NO_RANDOM);
  assert_int_equal(calls, 2 * period);
  assert_wiped(2048);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_are_keys),
      cmocka_unit_test(the_same_bytes_make_the_same_key),
      cmocka_unit_test(other_sizes_are_refused),
      cmocka_unit_test(bad_generators_are_noticed),
      cmocka_unit_test(equal_primes_are_noticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
