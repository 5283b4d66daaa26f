#include "crypto/sign.h"

#include "curve_oracle.h"

static const char *oracle_hash(const tn_sign_scheme *s) {
  if (s == &tn_ed25519) return NULL;
  return s->hash == &tn_sha256 ? "SHA-256" : s->hash == &tn_sha384 ? "SHA-384" : "SHA-512";
}

static EVP_PKEY *oracle_key_of(const tn_secret_key *key) {
  return key->type == TN_KEY_ED25519 ? EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, key->scalar, 32)
                                     : oracle_key(tn_key_curve(key->type), key->scalar, key->point);
}

static bool oracle_verify_message(const tn_sign_scheme *s, EVP_PKEY *key, tn_span msg, tn_span sig) {
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  assert_int_equal(EVP_DigestVerifyInit_ex(ctx, NULL, oracle_hash(s), NULL, NULL, key, NULL), 1);
  bool right = EVP_DigestVerify(ctx, sig.p, sig.n, msg.p, msg.n) == 1;
  EVP_MD_CTX_free(ctx);
  return right;
}

static size_t oracle_sign_message(const tn_sign_scheme *s, EVP_PKEY *key, tn_span msg, uint8_t sig[ORACLE_SIG_ROOM]) {
  size_t n = ORACLE_SIG_ROOM;
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  assert_int_equal(EVP_DigestSignInit_ex(ctx, NULL, oracle_hash(s), NULL, NULL, key, NULL), 1);
  assert_int_equal(EVP_DigestSign(ctx, sig, &n, msg.p, msg.n), 1);
  EVP_MD_CTX_free(ctx);
  return n;
}

static void the_table_names_each_scheme_once(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint16_t id;
    tn_key_type key;
    const tn_hash *hash;
    bool in_certificates_only;
  } rows[] = {
      {"ecdsa_secp256r1_sha256", 0x0403, TN_KEY_P256, &tn_sha256, false},
      {"ecdsa_secp384r1_sha384", 0x0503, TN_KEY_P384, &tn_sha384, false},
      {"ecdsa_secp521r1_sha512", 0x0603, TN_KEY_P521, &tn_sha512, false},
      {"ed25519", 0x0807, TN_KEY_ED25519, &tn_sha512, false},
      {"ecdsa_p256_sha384", 0, TN_KEY_P256, &tn_sha384, true},
      {"ecdsa_p256_sha512", 0, TN_KEY_P256, &tn_sha512, true},
      {"ecdsa_p384_sha256", 0, TN_KEY_P384, &tn_sha256, true},
      {"ecdsa_p384_sha512", 0, TN_KEY_P384, &tn_sha512, true},
      {"ecdsa_p521_sha256", 0, TN_KEY_P521, &tn_sha256, true},
      {"ecdsa_p521_sha384", 0, TN_KEY_P521, &tn_sha384, true},
  };
  size_t i = 0;
  for (; tn_sign_schemes[i] != NULL; i++) {
    const tn_sign_scheme *s = tn_sign_schemes[i];
    assert_true(i < COUNT(rows));
    assert_string_equal(s->name, rows[i].name);
    assert_int_equal(s->id, rows[i].id);
    assert_ptr_equal(s->hash, rows[i].hash);
    assert_int_equal(s->in_certificates_only, rows[i].in_certificates_only);
    assert_int_equal(s->key_type, rows[i].key);
  }
  assert_int_equal(i, COUNT(rows));
}

static void only_known_numbers_are_found(void **state) {
  (void)state;
  for (unsigned id = 0; id <= 0xffff; id++) {
    const tn_sign_scheme *want = NULL;
    for (size_t i = 0; id != 0 && tn_sign_schemes[i] != NULL; i++)
      if (tn_sign_schemes[i]->id == id) want = tn_sign_schemes[i];
    assert_ptr_equal(tn_sign_scheme_find((uint16_t)id), want);
  }
}

static void keys_have_their_curves(void **state) {
  (void)state;
  assert_ptr_equal(tn_key_curve(TN_KEY_P256), &tn_p256);
  assert_ptr_equal(tn_key_curve(TN_KEY_P384), &tn_p384);
  assert_ptr_equal(tn_key_curve(TN_KEY_P521), &tn_p521);
  assert_null(tn_key_curve(TN_KEY_ED25519));
  assert_null(tn_key_curve(TN_KEY_NONE));
  assert_null(tn_key_curve((tn_key_type)99));
}

static void signatures_go_both_ways(void **state) {
  (void)state;
  test_rng seed = {1};
  tn_rng rng = test_rng_as_rng(&seed);
  for (size_t i = 0; tn_sign_schemes[i] != NULL; i++) {
    const tn_sign_scheme *s = tn_sign_schemes[i];
    for (size_t n = 0; n < 300; n = n * 2 + 1) {
      tn_secret_key key;
      uint8_t text[300] = {0}, sig[ORACLE_SIG_ROOM];
      test_rng_bytes(&seed, text, n);
      tn_span msg = tn_span_of(text, n);
      assert_ok(tn_secret_key_generate(&key, s->key_type, &rng));
      tn_public_key pub = tn_public_of(&key);
      EVP_PKEY *theirs = oracle_key_of(&key);

      size_t len = TN_SIGNATURE_MAX;
      assert_ok(s->sign(&rng, &key, msg, sig, &len));
      assert_true(oracle_verify_message(s, theirs, msg, tn_span_of(sig, len)));
      assert_ok(s->verify(&pub, msg, tn_span_of(sig, len)));

      len = oracle_sign_message(s, theirs, msg, sig);
      assert_ok(s->verify(&pub, msg, tn_span_of(sig, len)));
      text[0] ^= 1;
      assert_fails(s->verify(&pub, tn_span_of(text, n == 0 ? 1 : n), tn_span_of(sig, len)), BAD_SIGNATURE);
      EVP_PKEY_free(theirs);
    }
  }
}

static void a_signature_belongs_to_its_scheme_and_its_key(void **state) {
  (void)state;
  test_rng seed = {2};
  tn_rng rng = test_rng_as_rng(&seed);
  static const uint8_t text[] = "text";
  tn_span msg = tn_span_of(text, 4);
  for (size_t i = 0; tn_sign_schemes[i] != NULL; i++) {
    const tn_sign_scheme *s = tn_sign_schemes[i];
    tn_secret_key key, other;
    uint8_t sig[TN_SIGNATURE_MAX];
    size_t n = sizeof sig;
    assert_ok(tn_secret_key_generate(&key, s->key_type, &rng));
    assert_ok(tn_secret_key_generate(&other, s->key_type, &rng));
    tn_public_key pub = tn_public_of(&key), other_pub = tn_public_of(&other);
    assert_ok(s->sign(&rng, &key, msg, sig, &n));
    for (size_t j = 0; tn_sign_schemes[j] != NULL; j++) {
      const uint16_t same_curve = i == j ? TN_E_NONE : TN_E_BAD_SIGNATURE;
      assert_int_equal(tn_sign_schemes[j]->verify(&pub, msg, tn_span_of(sig, n)).reason,
                       tn_sign_schemes[j]->key_type == key.type ? same_curve : TN_E_KEY_UNSUPPORTED);
      if (tn_sign_schemes[j]->key_type == key.type) continue;
      uint8_t none[TN_SIGNATURE_MAX];
      size_t room = sizeof none;
      assert_fails(tn_sign_schemes[j]->sign(&rng, &key, msg, none, &room), KEY_UNSUPPORTED);
    }
    assert_fails(s->verify(&other_pub, msg, tn_span_of(sig, n)), BAD_SIGNATURE);
    assert_fails(s->verify(&pub, msg, tn_span_of(sig, n - 1)), BAD_SIGNATURE);
    assert_fails(s->verify(&pub, msg, (tn_span){0}), BAD_SIGNATURE);
  }
}

static void keys_are_checked(void **state) {
  (void)state;
  test_rng seed = {3};
  tn_rng rng = test_rng_as_rng(&seed);
  tn_secret_key key;
  uint8_t sig[TN_SIGNATURE_MAX];
  static const uint8_t text[] = "text";
  tn_span msg = tn_span_of(text, 4);
  assert_fails(tn_secret_key_generate(&key, TN_KEY_NONE, &rng), KEY_UNSUPPORTED);
  assert_fails(tn_secret_key_generate(&key, (tn_key_type)99, &rng), KEY_UNSUPPORTED);
  assert_int_equal(key.type, TN_KEY_NONE);
  assert_int_equal(tn_public_of(&key).point.n, 0);
  for (size_t i = 0; tn_sign_schemes[i] != NULL; i++) {
    const tn_sign_scheme *s = tn_sign_schemes[i];
    const tn_curve *c = tn_key_curve(s->key_type);
    assert_ok(tn_secret_key_generate(&key, s->key_type, &rng));
    size_t n = sizeof sig;
    assert_ok(s->sign(&rng, &key, msg, sig, &n));
    tn_public_key pub = tn_public_of(&key);
    pub.type = TN_KEY_NONE;
    assert_fails(s->verify(&pub, msg, tn_span_of(sig, n)), KEY_UNSUPPORTED);
    pub = tn_public_of(&key);
    pub.point.n--;
    assert_fails(s->verify(&pub, msg, tn_span_of(sig, n)), KEY_INVALID);
    pub.point = (tn_span){0};
    assert_fails(s->verify(&pub, msg, tn_span_of(sig, n)), KEY_INVALID);
    // No y or no x belongs to it.
    if (c == NULL)
      memcpy(key.point, (uint8_t[32]){2}, 32);
    else
      key.point[2 * c->len] ^= 1;
    pub = tn_public_of(&key);
    assert_fails(s->verify(&pub, msg, tn_span_of(sig, n)), KEY_INVALID);
    n = sizeof sig;
    for (int all = 0; c != NULL && all <= 0xff; all += 0xff) {
      memset(key.scalar, all, c->len);
      assert_fails(s->sign(&rng, &key, msg, sig, &n), KEY_INVALID);
    }
    key.type = TN_KEY_NONE;
    assert_fails(s->sign(&rng, &key, msg, sig, &n), KEY_UNSUPPORTED);
  }
}

// The room at sig: exactly enough is enough, one byte less is not, and nothing is written then.
static void room_is_respected(void **state) {
  (void)state;
  test_rng seed = {4};
  tn_rng rng = test_rng_as_rng(&seed);
  static const uint8_t text[] = "text";
  tn_span msg = tn_span_of(text, 4);
  for (size_t k = 0; tn_sign_schemes[k] != NULL && !tn_sign_schemes[k]->in_certificates_only; k++) {
    const tn_sign_scheme *s = tn_sign_schemes[k];
    tn_secret_key key;
    assert_ok(tn_secret_key_generate(&key, s->key_type, &rng));
    uint8_t sig[TN_SIGNATURE_MAX + 1], again[TN_SIGNATURE_MAX + 1];
    size_t n = TN_SIGNATURE_MAX;
    // Without a generator the signature is the same each time.
    assert_ok(s->sign(NULL, &key, msg, sig, &n));
    size_t room = n;
    memset(again, 0xee, sizeof again);
    assert_ok(s->sign(NULL, &key, msg, again, &room));
    assert_int_equal(room, n);
    assert_memory_equal(sig, again, n);
    assert_int_equal(again[n], 0xee);
    memset(again, 0xee, sizeof again);
    for (room = 0; room < n; room++) {
      size_t len = room;
      assert_fails(s->sign(NULL, &key, msg, again, &len), NO_SPACE);
      for (size_t i = 0; i < sizeof again; i++) assert_int_equal(again[i], 0xee);
    }
  }
}

static tn_result no_random(void *ctx, uint8_t *out, size_t n) {
  (void)ctx;
  memset(out, 1, n);
  return tn_fail(TN_E_NO_RANDOM);
}

static void a_generator_that_fails_leaves_no_key(void **state) {
  (void)state;
  tn_secret_key key;
  static const uint8_t zeros[TN_CURVE_MAX_LEN];
  memset(&key, 0xee, sizeof key);
  assert_fails(tn_secret_key_generate(&key, TN_KEY_P521, &(tn_rng){no_random, NULL}), NO_RANDOM);
  assert_int_equal(key.type, TN_KEY_NONE);
  assert_memory_equal(key.scalar, zeros, sizeof zeros);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_names_each_scheme_once),
      cmocka_unit_test(only_known_numbers_are_found),
      cmocka_unit_test(keys_have_their_curves),
      cmocka_unit_test(signatures_go_both_ways),
      cmocka_unit_test(a_signature_belongs_to_its_scheme_and_its_key),
      cmocka_unit_test(keys_are_checked),
      cmocka_unit_test(room_is_respected),
      cmocka_unit_test(a_generator_that_fails_leaves_no_key),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
