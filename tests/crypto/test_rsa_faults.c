// A result in which one step went wrong, by one bit, does not leave; and the next one is right again.
#include "crypto/rsa/rsa.h"
#include "support/rsa_key.h"
#include "support/support.h"

static unsigned step, wrong_step, wrong_bit;

static void spoil(uint64_t *result, size_t words) {
  if (++step != wrong_step) return;
  const unsigned bit = wrong_bit % (unsigned)(64 * words);
  result[bit / 64] ^= (uint64_t)1 << bit % 64;
}

static void spoilt_remainder(uint64_t *r, const uint64_t *a, size_t a_words, const uint64_t *n, size_t words,
                             size_t bits) {
  tn_bn_remainder(r, a, a_words, n, words, bits);
  spoil(r, words);
}

static void spoilt_reduce(uint64_t *r, const uint64_t *a, const tn_bn_mod *m) {
  tn_bn_mod_reduce(r, a, m);
  spoil(r, m->words);
}

static void spoilt_exp(const tn_bn_power *powers, size_t count, size_t bits, tn_bn_scratch *s) {
  tn_bn_mod_exp(powers, count, bits, s);
  for (size_t i = 0; i < count; i++) spoil(powers[i].r, powers[i].m->words);
}

static void spoilt_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, const tn_bn_mod *m) {
  tn_bn_mod_sub(r, a, b, m);
  spoil(r, m->words);
}

static void spoilt_product(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t words) {
  tn_bn_product(r, a, b, words);
  spoil(r, 2 * words);
}

static uint64_t spoilt_add(uint64_t *r, const uint64_t *a, const uint64_t *b, size_t words) {
  const uint64_t carry = tn_bn_add(r, a, b, words);
  spoil(r, words);
  return carry;
}

// Every multiplication modulo n, those of the public exponentiation too, and that of qInv modulo p.
static tn_bn_path spoilt_path;
static const tn_bn_path *right_path;

static void spoilt_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const tn_bn_mod *m, uint64_t *t) {
  right_path->mul(r, a, b, m, t);
  spoil(r, m->words);
}

static void spoilt_sqr(uint64_t *r, const uint64_t *a, const tn_bn_mod *m, uint64_t *t) {
  right_path->sqr(r, a, m, t);
  spoil(r, m->words);
}

static void spoilt_mod_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const tn_bn_mod *m) {
  tn_bn_mod_mul(r, a, b, m);
  if (m->path == right_path) spoil(r, m->words);
}

#define tn_bn_remainder spoilt_remainder
#define tn_bn_mod_reduce spoilt_reduce
#define tn_bn_mod_exp spoilt_exp
#define tn_bn_mod_sub spoilt_sub
#define tn_bn_mod_mul spoilt_mod_mul
#define tn_bn_product spoilt_product
#define tn_bn_add spoilt_add
#include "crypto/rsa/rsa_private.c"
#undef tn_bn_remainder

static tn_rsa_private_max memory;
static tn_rsa_private *const key = &memory.key;

static tn_result sign(uint8_t sig[256], bool fresh) {
  static const uint8_t digest[32] = {1, 2, 3};
  test_rng seed = {1};
  const tn_rng rng = test_rng_as_rng(&seed);
  size_t n = 256;
  step = 0;
  if (fresh) key->blinding_ready = false;
  return tn_rsa_pkcs1_sign(key, &rng, &tn_sha256, (tn_span){digest, sizeof digest}, sig, &n);
}

static void no_wrong_signature_leaves(void **state) {
  (void)state;
  static const uint8_t zeros[256];
  uint8_t right[256], sig[256];
  assert_ok(tn_rsa_private_load(key, rsa_key_parts));
  right_path = key->public.n.path;
  spoilt_path = *right_path;
  spoilt_path.mul = spoilt_mul;
  spoilt_path.sqr = spoilt_sqr;
  key->public.n.path = &spoilt_path;
  for (int fresh = 0; fresh < 2; fresh++) {
    wrong_step = 0;
    assert_ok(sign(right, true));
    assert_ok(sign(right, fresh));
    const unsigned steps = step;
    print_message("%u steps\n", steps);
    assert_true(steps >= (fresh ? 50 : 25));
    for (wrong_step = 1; wrong_step <= steps; wrong_step++)
      for (wrong_bit = 5; wrong_bit < 2048; wrong_bit += 1021) {
        memset(sig, 0xa5, sizeof sig);
        if (fresh && wrong_step == 1) {  // a blinding of another random number
          assert_ok(sign(sig, fresh));
          assert_memory_equal(sig, right, sizeof sig);
          continue;
        }
        assert_fails(sign(sig, fresh), SELF_CHECK);
        assert_memory_equal(sig, zeros, sizeof sig);
        assert_false(key->blinding_ready);
        const unsigned was = wrong_step;
        wrong_step = 0;
        assert_ok(sign(sig, false));
        assert_memory_equal(sig, right, sizeof sig);
        wrong_step = was;
      }
  }
}

// A wrong part of the key, as memory may give it.
static void no_wrong_key_signs(void **state) {
  (void)state;
  uint8_t sig[256];
  wrong_step = 0;
  assert_ok(tn_rsa_private_load(key, rsa_key_parts));
  uint64_t *const numbers[] = {key->dp, key->dq, key->qinv, key->words};
  for (size_t i = 0; i < COUNT(numbers); i++)
    for (size_t bit = 3; bit < 1024; bit += 256) {
      numbers[i][bit / 64] ^= (uint64_t)1 << bit % 64;
      assert_fails(sign(sig, true), SELF_CHECK);
      numbers[i][bit / 64] ^= (uint64_t)1 << bit % 64;
      assert_ok(sign(sig, true));
    }
}

static tn_result dry(void *ctx, uint8_t *out, size_t n) {
  (void)ctx;
  memset(out, 0x5a, n);
  return tn_fail(TN_E_NO_RANDOM);
}

static void without_random_bytes_nothing_leaves(void **state) {
  (void)state;
  static const uint8_t zeros[256], digest[32] = {1};
  const tn_rng rng = {dry, NULL};
  const tn_span d = {digest, sizeof digest};
  uint8_t out[256];
  size_t n = sizeof out;
  wrong_step = 0;
  assert_ok(tn_rsa_private_load(key, rsa_key_parts));
  memset(out, 0xa5, sizeof out);
  assert_fails(tn_rsa_pkcs1_sign(key, &rng, &tn_sha256, d, out, &n), NO_RANDOM);
  assert_memory_equal(out, zeros, sizeof out);
  assert_false(key->blinding_ready);
  assert_fails(tn_rsa_pss_sign(key, &rng, &tn_sha256, d, out, &n), NO_RANDOM);
  assert_fails(tn_rsa_pkcs1_encrypt(&key->public, &rng, d, out), NO_RANDOM);
  memset(out, 0xa5, sizeof out);
  assert_fails(tn_rsa_decrypt_premaster(key, &rng, 0x0303, (tn_span){zeros, 256}, out), NO_RANDOM);
  assert_memory_equal(out, zeros, TN_RSA_PREMASTER);
  // The lock was let go.
  assert_ok(tn_rsa_pkcs1_sign(key, NULL, &tn_sha256, d, out, &n));
  assert_ok(tn_rsa_pkcs1_sign(key, &rng, &tn_sha256, d, out, &n));  // whose blinding goes on
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_wrong_signature_leaves),
      cmocka_unit_test(no_wrong_key_signs),
      cmocka_unit_test(without_random_bytes_nothing_leaves),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
