// ML-KEM as its callers see it: both sides agree, a changed ciphertext gives the secret that FIPS 203 says, bad keys
// and lengths are refused, nothing is written outside. Published vectors are in test_mlkem_vectors.c.
#include <openssl/evp.h>

#include "base/cpu.h"
#include "crypto/mlkem/mlkem.h"
#include "support/support.h"

static const tn_mlkem *const sets[] = {&tn_mlkem512, &tn_mlkem768, &tn_mlkem1024};

#define GUARD 16
#define GUARD_BYTE 0xa5

// An output at an odd address, between bytes that must stay.
typedef struct guarded {
  uint8_t before[GUARD + 1];
  uint8_t p[TN_MLKEM_MAX_PRIVATE + GUARD];
} guarded;

static guarded fresh(void) {
  guarded g;
  memset(&g, GUARD_BYTE, sizeof g);
  return g;
}

static void assert_length(const guarded *g, size_t n) {
  for (size_t i = 0; i < sizeof g->before; i++) assert_int_equal(g->before[i], GUARD_BYTE);
  for (size_t i = n; i < sizeof g->p; i++) assert_int_equal(g->p[i], GUARD_BYTE);
}

typedef struct exchange {
  guarded public, private, ciphertext, secret;
} exchange;

static exchange run(const tn_mlkem *p, const tn_rng *rng) {
  exchange x = {fresh(), fresh(), fresh(), fresh()};
  assert_ok(tn_mlkem_generate(p, rng, x.public.p, x.private.p));
  assert_ok(tn_mlkem_encapsulate(p, rng, tn_span_of(x.public.p, p->public_len), x.ciphertext.p, x.secret.p));
  return x;
}

static void decapsulate(const tn_mlkem *p, const exchange *x, uint8_t secret[TN_MLKEM_SECRET_LEN]) {
  assert_ok(tn_mlkem_decapsulate(p, x->private.p, tn_span_of(x->ciphertext.p, p->ciphertext_len), secret));
}

static void the_sets(void **state) {
  (void)state;
  // FIPS 203, table 3.
  static const struct {
    const char *name;
    size_t public_len, private_len, ciphertext_len;
  } wanted[] = {{"ML-KEM-512", 800, 1632, 768}, {"ML-KEM-768", 1184, 2400, 1088}, {"ML-KEM-1024", 1568, 3168, 1568}};
  for (size_t i = 0; i < COUNT(sets); i++) {
    assert_string_equal(sets[i]->name, wanted[i].name);
    assert_int_equal(sets[i]->public_len, wanted[i].public_len);
    assert_int_equal(sets[i]->private_len, wanted[i].private_len);
    assert_int_equal(sets[i]->ciphertext_len, wanted[i].ciphertext_len);
  }
}

static void the_path(void **state) {
  (void)state;
  const uint32_t avx2 = TN_CPU_AVX2 | TN_CPU_BMI2;
  const char *wanted = tn_cpu_has(avx2 | TN_CPU_AVX512) ? "avx512" : tn_cpu_has(avx2) ? "avx2" : "portable";
  assert_string_equal(tn_mlkem_path(), wanted);
}

static void both_sides_agree(void **state) {
  (void)state;
  test_rng seed = {1};
  const tn_rng given = test_rng_as_rng(&seed);
  for (size_t i = 0; i < COUNT(sets); i++) {
    const tn_mlkem *p = sets[i];
    uint8_t previous[TN_MLKEM_SECRET_LEN] = {0};
    for (int round = 0; round < 20; round++) {
      const exchange x = run(p, round % 4 == 0 ? NULL : &given);
      guarded secret = fresh();
      decapsulate(p, &x, secret.p);
      assert_length(&x.public, p->public_len);
      assert_length(&x.private, p->private_len);
      assert_length(&x.ciphertext, p->ciphertext_len);
      assert_length(&x.secret, TN_MLKEM_SECRET_LEN);
      assert_length(&secret, TN_MLKEM_SECRET_LEN);
      assert_memory_equal(secret.p, x.secret.p, TN_MLKEM_SECRET_LEN);
      assert_memory_not_equal(secret.p, previous, TN_MLKEM_SECRET_LEN);
      memcpy(previous, secret.p, sizeof previous);
      assert_ok(tn_mlkem_check_private(p, tn_span_of(x.private.p, p->private_len)));
    }
  }
}

// The same bytes as random ones, in the order of FIPS 203: d and z, m.
static void randomness_is_used_as_the_standard_says(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(sets); i++) {
    const tn_mlkem *p = sets[i];
    test_rng seed = {i}, same = {i};
    const tn_rng rng = test_rng_as_rng(&seed);
    const exchange x = run(p, &rng);
    uint8_t random[TN_MLKEM_SEED_LEN + TN_MLKEM_MESSAGE_LEN];
    exchange y = {fresh(), fresh(), fresh(), fresh()};
    test_rng_bytes(&same, random, TN_MLKEM_SEED_LEN);
    test_rng_bytes(&same, random + TN_MLKEM_SEED_LEN, TN_MLKEM_MESSAGE_LEN);
    tn_mlkem_generate_internal(p, random, y.public.p, y.private.p);
    tn_mlkem_encapsulate_internal(p, y.public.p, random + TN_MLKEM_SEED_LEN, y.ciphertext.p, y.secret.p);
    assert_memory_equal(&x, &y, sizeof x);
  }
}

static void rejection_secret(const tn_mlkem *p, const exchange *x, uint8_t out[TN_MLKEM_SECRET_LEN]) {
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  assert_int_equal(EVP_DigestInit_ex(ctx, EVP_shake256(), NULL), 1);
  assert_int_equal(EVP_DigestUpdate(ctx, x->private.p + p->private_len - 32, 32), 1);
  assert_int_equal(EVP_DigestUpdate(ctx, x->ciphertext.p, p->ciphertext_len), 1);
  assert_int_equal(EVP_DigestFinalXOF(ctx, out, TN_MLKEM_SECRET_LEN), 1);
  EVP_MD_CTX_free(ctx);
}

static void every_byte_of_a_ciphertext_counts(void **state) {
  (void)state;
  test_rng seed = {2};
  const tn_rng rng = test_rng_as_rng(&seed);
  for (size_t i = 0; i < COUNT(sets); i++) {
    const tn_mlkem *p = sets[i];
    exchange x = run(p, &rng);
    for (size_t at = 0; at < p->ciphertext_len; at++) {
      uint8_t secret[TN_MLKEM_SECRET_LEN], wanted[TN_MLKEM_SECRET_LEN];
      const uint8_t change = (uint8_t)(1u << at % 8);
      x.ciphertext.p[at] ^= change;
      decapsulate(p, &x, secret);
      rejection_secret(p, &x, wanted);
      assert_memory_equal(secret, wanted, sizeof secret);
      x.ciphertext.p[at] ^= change;
    }
    uint8_t secret[TN_MLKEM_SECRET_LEN];
    decapsulate(p, &x, secret);
    assert_memory_equal(secret, x.secret.p, sizeof secret);
  }
}

// Any coefficient of an encapsulation key that is q or more.
static void keys_that_are_not_reduced(void **state) {
  (void)state;
  test_rng seed = {3};
  const tn_rng rng = test_rng_as_rng(&seed);
  for (size_t i = 0; i < COUNT(sets); i++) {
    const tn_mlkem *p = sets[i];
    const exchange x = run(p, &rng);
    uint8_t key[TN_MLKEM_MAX_PUBLIC];
    for (size_t at = 0; at < (size_t)256 * p->k; at++) {
      static const unsigned values[] = {3328, 3329, 3330, 4095};
      const unsigned value = values[at < 8 ? at % 4 : 1 + at % 3];
      uint8_t *pair = key + at / 2 * 3;
      memcpy(key, x.public.p, p->public_len);
      if (at % 2 == 0) {
        pair[0] = (uint8_t)value;
        pair[1] = (uint8_t)((pair[1] & 0xf0) | value >> 8);
      } else {
        pair[1] = (uint8_t)((pair[1] & 0x0f) | value << 4);
        pair[2] = (uint8_t)(value >> 4);
      }
      guarded ciphertext = fresh(), secret = fresh();
      const tn_result r = tn_mlkem_encapsulate(p, &rng, tn_span_of(key, p->public_len), ciphertext.p, secret.p);
      if (value < 3329) {
        assert_ok(r);
      } else {
        assert_int_equal(r.reason, TN_E_KEY_INVALID);
        assert_length(&ciphertext, 0);
        assert_length(&secret, 0);
      }
    }
  }
}

static void lengths(void **state) {
  (void)state;
  test_rng seed = {4};
  const tn_rng rng = test_rng_as_rng(&seed);
  static const uint8_t zeros[2 * TN_MLKEM_MAX_PRIVATE];
  for (size_t i = 0; i < COUNT(sets); i++) {
    const tn_mlkem *p = sets[i];
    const exchange x = run(p, &rng);
    for (size_t n = 0; n < sizeof zeros; n += n < 40 || n % 32 > 29 ? 1 : 31 - n % 32) {
      uint8_t ciphertext[TN_MLKEM_MAX_CIPHERTEXT], secret[TN_MLKEM_SECRET_LEN];
      const tn_span span = tn_span_of(zeros, n);
      if (n != p->public_len) assert_fails(tn_mlkem_encapsulate(p, &rng, span, ciphertext, secret), KEY_INVALID);
      if (n != p->ciphertext_len) assert_fails(tn_mlkem_decapsulate(p, x.private.p, span, secret), DECODE);
      assert_fails(tn_mlkem_check_private(p, span), KEY_INVALID);
    }
  }
}

// The hash in a decapsulation key is that of the encapsulation key in it.
static void inconsistent_private_keys(void **state) {
  (void)state;
  test_rng seed = {5};
  const tn_rng rng = test_rng_as_rng(&seed);
  for (size_t i = 0; i < COUNT(sets); i++) {
    const tn_mlkem *p = sets[i];
    exchange x = run(p, &rng);
    const tn_span private = tn_span_of(x.private.p, p->private_len);
    for (size_t at = (size_t)384 * p->k; at < p->private_len - 32u; at += 7) {
      x.private.p[at] ^= 0x10;
      assert_fails(tn_mlkem_check_private(p, private), KEY_INVALID);
      x.private.p[at] ^= 0x10;
    }
    assert_ok(tn_mlkem_check_private(p, private));
  }
}

static tn_result fill_fails(void *ctx, uint8_t *out, size_t n) {
  (void)ctx, (void)out, (void)n;
  return tn_fail(TN_E_SYSTEM);
}

static void a_failing_rng(void **state) {
  (void)state;
  const tn_rng rng = {fill_fails, NULL};
  for (size_t i = 0; i < COUNT(sets); i++) {
    const tn_mlkem *p = sets[i];
    exchange x = run(p, NULL);
    assert_fails(tn_mlkem_generate(p, &rng, x.public.p, x.private.p), SYSTEM);
    assert_fails(tn_mlkem_encapsulate(p, &rng, tn_span_of(x.public.p, p->public_len), x.ciphertext.p, x.secret.p),
                 SYSTEM);
  }
}

static void registers_are_wiped(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(sets); i++) {
    const tn_mlkem *p = sets[i];
    exchange x = run(p, NULL);
    uint8_t seed[TN_MLKEM_SEED_LEN] = {1}, m[TN_MLKEM_MESSAGE_LEN] = {2};
    tn_mlkem_generate_internal(p, seed, x.public.p, x.private.p);
    assert_upper_vectors_wiped();
    tn_mlkem_encapsulate_internal(p, x.public.p, m, x.ciphertext.p, x.secret.p);
    assert_upper_vectors_wiped();
    const tn_result r = tn_mlkem_decapsulate(p, x.private.p, tn_span_of(x.ciphertext.p, p->ciphertext_len), x.secret.p);
    assert_upper_vectors_wiped();
    assert_ok(r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_sets),
      cmocka_unit_test(the_path),
      cmocka_unit_test(both_sides_agree),
      cmocka_unit_test(randomness_is_used_as_the_standard_says),
      cmocka_unit_test(every_byte_of_a_ciphertext_counts),
      cmocka_unit_test(keys_that_are_not_reduced),
      cmocka_unit_test(lengths),
      cmocka_unit_test(inconsistent_private_keys),
      cmocka_unit_test(a_failing_rng),
      cmocka_unit_test(registers_are_wiped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
