#include "crypto/sign.h"

#include "curve_oracle.h"
#include "rsa_oracle.h"

static const char *oracle_hash(const tn_sign_scheme *s) {
  static const struct {
    const tn_hash *hash;
    const char *name;
  } names[] = {{&tn_sha1, "SHA1"}, {&tn_sha256, "SHA-256"}, {&tn_sha384, "SHA-384"}, {&tn_sha512, "SHA-512"}};
  size_t i = 0;
  while (names[i].hash != s->hash) i++;
  return s == &tn_ed25519 ? NULL : names[i].name;
}

// Two RSA keys of libcrypto's, made once.
static EVP_PKEY *oracle_rsa(size_t which) {
  static EVP_PKEY *keys[2];
  if (keys[which] == NULL) keys[which] = rsa_new_key(2048, "65537");
  return keys[which];
}

static tn_result load_rsa(tn_secret_key *key, const tn_allocator *a, tn_key_type type, EVP_PKEY *from) {
  static rsa_number numbers[TN_RSA_PARTS];
  tn_span parts[TN_RSA_PARTS];
  rsa_parts_of(from, numbers);
  for (size_t i = 0; i < TN_RSA_PARTS; i++) parts[i] = tn_span_of(numbers[i].bytes, numbers[i].n);
  return tn_secret_key_load_rsa(key, a, type, parts);
}

// A key of this type: a new one, of RSA one of the two.
static void new_key(tn_secret_key *key, tn_key_type type, size_t which, const tn_rng *rng) {
  if (tn_key_is_rsa(type))
    assert_ok(load_rsa(key, NULL, type, oracle_rsa(which)));
  else
    assert_ok(tn_secret_key_generate(key, NULL, type, 0, rng));
}

static EVP_PKEY *oracle_key_of(const tn_secret_key *key) {
  if (tn_key_is_rsa(key->type)) {
    EVP_PKEY_up_ref(oracle_rsa(0));
    return oracle_rsa(0);
  }
  return key->type == TN_KEY_ED25519 ? EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, key->scalar, 32)
                                     : oracle_key(tn_key_curve(key->type), key->scalar, key->point);
}

static bool is_pss(const tn_sign_scheme *s) { return strncmp(s->name, "rsa_pss", 7) == 0; }

static void set_padding(const tn_sign_scheme *s, EVP_PKEY_CTX *ctx) {
  if (!is_pss(s)) return;
  assert_int_equal(EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING), 1);
  assert_int_equal(EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, RSA_PSS_SALTLEN_DIGEST), 1);
}

static bool oracle_verify_message(const tn_sign_scheme *s, EVP_PKEY *key, tn_span msg, tn_span sig) {
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  EVP_PKEY_CTX *how;
  assert_int_equal(EVP_DigestVerifyInit_ex(ctx, &how, oracle_hash(s), NULL, NULL, key, NULL), 1);
  set_padding(s, how);
  bool right = EVP_DigestVerify(ctx, sig.p, sig.n, msg.p, msg.n) == 1;
  EVP_MD_CTX_free(ctx);
  return right;
}

static size_t oracle_sign_message(const tn_sign_scheme *s, EVP_PKEY *key, tn_span msg, uint8_t sig[TN_SIGNATURE_MAX]) {
  size_t n = TN_SIGNATURE_MAX;
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  EVP_PKEY_CTX *how;
  assert_int_equal(EVP_DigestSignInit_ex(ctx, &how, oracle_hash(s), NULL, NULL, key, NULL), 1);
  set_padding(s, how);
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
    bool in_certificates_only, is_weak;
  } rows[] = {
      {"ecdsa_secp256r1_sha256", 0x0403, TN_KEY_P256, &tn_sha256, false, false},
      {"ecdsa_secp384r1_sha384", 0x0503, TN_KEY_P384, &tn_sha384, false, false},
      {"ecdsa_secp521r1_sha512", 0x0603, TN_KEY_P521, &tn_sha512, false, false},
      {"ed25519", 0x0807, TN_KEY_ED25519, &tn_sha512, false, false},
      {"rsa_pss_rsae_sha256", 0x0804, TN_KEY_RSA, &tn_sha256, false, false},
      {"rsa_pss_rsae_sha384", 0x0805, TN_KEY_RSA, &tn_sha384, false, false},
      {"rsa_pss_rsae_sha512", 0x0806, TN_KEY_RSA, &tn_sha512, false, false},
      {"rsa_pss_pss_sha256", 0x0809, TN_KEY_RSA_PSS, &tn_sha256, false, false},
      {"rsa_pss_pss_sha384", 0x080a, TN_KEY_RSA_PSS, &tn_sha384, false, false},
      {"rsa_pss_pss_sha512", 0x080b, TN_KEY_RSA_PSS, &tn_sha512, false, false},
      {"rsa_pkcs1_sha256", 0x0401, TN_KEY_RSA, &tn_sha256, true, false},
      {"rsa_pkcs1_sha384", 0x0501, TN_KEY_RSA, &tn_sha384, true, false},
      {"rsa_pkcs1_sha512", 0x0601, TN_KEY_RSA, &tn_sha512, true, false},
      {"ecdsa_p256_sha384", 0, TN_KEY_P256, &tn_sha384, true, false},
      {"ecdsa_p256_sha512", 0, TN_KEY_P256, &tn_sha512, true, false},
      {"ecdsa_p384_sha256", 0, TN_KEY_P384, &tn_sha256, true, false},
      {"ecdsa_p384_sha512", 0, TN_KEY_P384, &tn_sha512, true, false},
      {"ecdsa_p521_sha256", 0, TN_KEY_P521, &tn_sha256, true, false},
      {"ecdsa_p521_sha384", 0, TN_KEY_P521, &tn_sha384, true, false},
      {"rsa_pkcs1_sha1", 0x0201, TN_KEY_RSA, &tn_sha1, true, true},
  };
  size_t i = 0;
  for (; tn_sign_schemes[i] != NULL; i++) {
    const tn_sign_scheme *s = tn_sign_schemes[i];
    assert_true(i < COUNT(rows));
    assert_string_equal(s->name, rows[i].name);
    assert_int_equal(s->id, rows[i].id);
    assert_ptr_equal(s->hash, rows[i].hash);
    assert_int_equal(s->in_certificates_only, rows[i].in_certificates_only);
    assert_int_equal(s->is_weak, rows[i].is_weak);
    assert_int_equal(s->key_type, rows[i].key);
  }
  assert_int_equal(i, COUNT(rows));
  assert_true(i <= 32);  // a handshake has a bit for each
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
  assert_null(tn_key_curve(TN_KEY_RSA));
  assert_null(tn_key_curve(TN_KEY_RSA_PSS));
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
      uint8_t text[300] = {0}, sig[TN_SIGNATURE_MAX];
      test_rng_bytes(&seed, text, n);
      tn_span msg = tn_span_of(text, n);
      new_key(&key, s->key_type, 0, &rng);
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
      tn_secret_key_free(&key);
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
    new_key(&key, s->key_type, 0, &rng);
    new_key(&other, s->key_type, 1, &rng);
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
    tn_secret_key_free(&key);
    tn_secret_key_free(&other);
  }
}

static void types_without_keys(void **state) {
  (void)state;
  tn_secret_key key;
  assert_fails(tn_secret_key_generate(&key, NULL, TN_KEY_NONE, 0, NULL), KEY_UNSUPPORTED);
  assert_fails(tn_secret_key_generate(&key, NULL, (tn_key_type)99, 0, NULL), KEY_UNSUPPORTED);
  assert_fails(tn_secret_key_generate(&key, NULL, TN_KEY_P256, 256, NULL), KEY_UNSUPPORTED);
  for (size_t bits = 0; bits < 2048; bits += 1024)
    assert_fails(tn_secret_key_generate(&key, NULL, TN_KEY_RSA, bits, NULL), KEY_SIZE);
  assert_fails(tn_secret_key_generate(&key, NULL, TN_KEY_RSA_PSS, 8256, NULL), KEY_SIZE);
  assert_int_equal(key.type, TN_KEY_NONE);
  assert_int_equal(tn_public_of(&key).point.n, 0);
  tn_secret_key_free(&key);
}

// What a curve's point may lack, with a good signature at hand.
static void check_point(const tn_sign_scheme *s, tn_secret_key *key, tn_span msg, tn_span sig) {
  const tn_curve *c = tn_key_curve(s->key_type);
  tn_public_key pub = tn_public_of(key);
  pub.point.n--;
  assert_fails(s->verify(&pub, msg, sig), KEY_INVALID);
  pub.point = (tn_span){0};
  assert_fails(s->verify(&pub, msg, sig), KEY_INVALID);
  // No y or no x belongs to it.
  if (c == NULL)
    memcpy(key->point, (uint8_t[32]){2}, 32);
  else
    key->point[2 * c->len] ^= 1;
  pub = tn_public_of(key);
  assert_fails(s->verify(&pub, msg, sig), KEY_INVALID);
  for (int all = 0; c != NULL && all <= 0xff; all += 0xff) {
    uint8_t out[TN_SIGNATURE_MAX];
    size_t n = sizeof out;
    memset(key->scalar, all, c->len);
    assert_fails(s->sign(NULL, key, msg, out, &n), KEY_INVALID);
  }
}

static void check_modulus(const tn_sign_scheme *s, const tn_secret_key *key, tn_span msg, tn_span sig) {
  const tn_public_key good = tn_public_of(key);
  assert_int_equal(tn_public_key_bits(&good), 2048);
  tn_public_key pub = good;
  pub.modulus = (tn_span){0};
  assert_fails(s->verify(&pub, msg, sig), KEY_INVALID);
  pub.modulus = tn_span_of(good.modulus.p, 127);
  assert_int_equal(tn_public_key_bits(&pub), 127 * 8);
  assert_fails(s->verify(&pub, msg, sig), KEY_INVALID);
  uint8_t modulus[1032];
  memset(modulus, 0xff, sizeof modulus);
  pub.modulus = tn_span_of(modulus, 1025);
  assert_fails(s->verify(&pub, msg, sig), KEY_UNSUPPORTED);
  memcpy(modulus, good.modulus.p, 256);
  modulus[255] ^= 1;
  pub.modulus = tn_span_of(modulus, 256);
  assert_fails(s->verify(&pub, msg, sig), KEY_INVALID);
  pub = good;
  static const uint8_t exponents[][9] = {{1}, {4}, {1, 0, 0, 0, 0, 0, 0, 0, 1}};
  static const struct {
    size_t n;
    tn_reason reason;
  } verdicts[] = {{1, TN_E_KEY_INVALID}, {1, TN_E_KEY_INVALID}, {9, TN_E_KEY_UNSUPPORTED}};
  for (size_t i = 0; i < COUNT(verdicts); i++) {
    pub.exponent = tn_span_of(exponents[i], verdicts[i].n);
    assert_int_equal(s->verify(&pub, msg, sig).reason, verdicts[i].reason);
  }
}

static void keys_are_checked(void **state) {
  (void)state;
  test_rng seed = {3};
  tn_rng rng = test_rng_as_rng(&seed);
  static const uint8_t text[] = "text";
  tn_span msg = tn_span_of(text, 4);
  for (size_t i = 0; tn_sign_schemes[i] != NULL; i++) {
    const tn_sign_scheme *s = tn_sign_schemes[i];
    tn_secret_key key;
    uint8_t sig[TN_SIGNATURE_MAX];
    size_t n = sizeof sig;
    new_key(&key, s->key_type, 0, &rng);
    assert_ok(s->sign(&rng, &key, msg, sig, &n));
    tn_public_key pub = tn_public_of(&key);
    assert_true(tn_sign_scheme_fits(s, &pub));
    pub.type = TN_KEY_NONE;
    assert_false(tn_sign_scheme_fits(s, &pub));
    assert_fails(s->verify(&pub, msg, tn_span_of(sig, n)), KEY_UNSUPPORTED);
    if (tn_key_is_rsa(key.type))
      check_modulus(s, &key, msg, tn_span_of(sig, n));
    else
      check_point(s, &key, msg, tn_span_of(sig, n));
    const tn_key_type type = key.type;
    key.type = TN_KEY_NONE;
    assert_fails(s->sign(&rng, &key, msg, sig, &n), KEY_UNSUPPORTED);
    key.type = type;
    tn_secret_key_free(&key);
  }
}

// A PSS key may be bound to a hash, and to a salt of some length at least.
static void pss_keys_keep_to_what_they_are_bound_to(void **state) {
  (void)state;
  static const tn_sign_scheme *const schemes[] = {&tn_rsa_pss_pss_sha256, &tn_rsa_pss_pss_sha384,
                                                  &tn_rsa_pss_pss_sha512};
  static const struct {
    tn_pss_params params;
    bool fits[3];
  } rows[] = {{{NULL, 0}, {true, true, true}},
              {{&tn_sha256, 0}, {true, false, false}},
              {{&tn_sha256, 32}, {true, false, false}},
              {{&tn_sha256, 33}, {false, false, false}},
              {{&tn_sha512, 33}, {false, false, true}}};
  tn_secret_key key;
  new_key(&key, TN_KEY_RSA_PSS, 0, NULL);
  for (size_t i = 0; i < COUNT(rows); i++)
    for (size_t j = 0; j < COUNT(schemes); j++) {
      uint8_t sig[TN_SIGNATURE_MAX];
      const tn_span msg = tn_span_of("text", 4);
      size_t n = sizeof sig;
      key.pss = (tn_pss_params){NULL, 0};
      assert_ok(schemes[j]->sign(NULL, &key, msg, sig, &n));
      key.pss = rows[i].params;
      const tn_public_key pub = tn_public_of(&key);
      const tn_reason want = rows[i].fits[j] ? TN_E_NONE : TN_E_KEY_UNSUPPORTED;
      assert_int_equal(tn_sign_scheme_fits(schemes[j], &pub), rows[i].fits[j]);
      assert_int_equal(schemes[j]->verify(&pub, msg, tn_span_of(sig, n)).reason, want);
      assert_int_equal(schemes[j]->sign(NULL, &key, msg, sig, &n).reason, want);
      const tn_hash *hash = schemes[j]->hash;
      assert_int_equal(tn_rsa_pss_verify_message(&pub, hash, hash->digest_len, msg, tn_span_of(sig, n)).reason, want);
    }
  tn_secret_key_free(&key);
}

// The salts of certificates: any length that fits, and no other than the one that is named.
static void pss_with_other_salts(void **state) {
  (void)state;
  tn_secret_key key;
  new_key(&key, TN_KEY_RSA, 0, NULL);
  const tn_public_key pub = tn_public_of(&key);
  const tn_span msg = tn_span_of("text", 4);
  for (int salt = 0; salt <= 222; salt += 37) {
    uint8_t sig[256];
    size_t n = sizeof sig;
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    EVP_PKEY_CTX *how;
    assert_int_equal(EVP_DigestSignInit_ex(ctx, &how, "SHA-256", NULL, NULL, oracle_rsa(0), NULL), 1);
    assert_int_equal(EVP_PKEY_CTX_set_rsa_padding(how, RSA_PKCS1_PSS_PADDING), 1);
    assert_int_equal(EVP_PKEY_CTX_set_rsa_pss_saltlen(how, salt), 1);
    assert_int_equal(EVP_DigestSign(ctx, sig, &n, msg.p, msg.n), 1);
    EVP_MD_CTX_free(ctx);
    for (size_t claimed = 0; claimed <= 260; claimed++)
      assert_int_equal(tn_rsa_pss_verify_message(&pub, &tn_sha256, claimed, msg, tn_span_of(sig, n)).reason,
                       claimed == (size_t)salt ? TN_E_NONE : TN_E_BAD_SIGNATURE);
  }
  tn_secret_key_free(&key);
}

// The room at sig: exactly enough is enough, one byte less is not, and nothing is written then.
static void room_is_respected(void **state) {
  (void)state;
  test_rng seed = {4};
  tn_rng rng = test_rng_as_rng(&seed);
  static const uint8_t text[] = "text";
  tn_span msg = tn_span_of(text, 4);
  for (size_t k = 0; tn_sign_schemes[k] != NULL; k++) {
    const tn_sign_scheme *s = tn_sign_schemes[k];
    tn_secret_key key;
    new_key(&key, s->key_type, 0, &rng);
    uint8_t sig[TN_SIGNATURE_MAX + 1], again[TN_SIGNATURE_MAX + 1];
    size_t n = TN_SIGNATURE_MAX;
    // Without a generator the signature is the same each time, but for PSS, which always has a new salt.
    assert_ok(s->sign(NULL, &key, msg, sig, &n));
    size_t room = n;
    memset(again, 0xee, sizeof again);
    assert_ok(s->sign(NULL, &key, msg, again, &room));
    assert_int_equal(room, n);
    if (is_pss(s))
      assert_memory_not_equal(sig, again, n);
    else
      assert_memory_equal(sig, again, n);
    assert_int_equal(again[n], 0xee);
    memset(again, 0xee, sizeof again);
    for (room = 0; room < n; room++) {
      size_t len = room;
      assert_fails(s->sign(NULL, &key, msg, again, &len), NO_SPACE);
      for (size_t i = 0; i < sizeof again; i++) assert_int_equal(again[i], 0xee);
    }
    tn_secret_key_free(&key);
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
  assert_fails(tn_secret_key_generate(&key, NULL, TN_KEY_P521, 0, &(tn_rng){no_random, NULL}), NO_RANDOM);
  assert_int_equal(key.type, TN_KEY_NONE);
  assert_memory_equal(key.scalar, zeros, sizeof zeros);
}

// ---------------------------------------------------------------- the memory of RSA keys

typedef struct {
  tn_allocator allocator;
  size_t live, unwiped;
  bool is_exhausted;
} watchful;

static void *allocate(void *ctx, size_t n) {
  watchful *w = ctx;
  if (w->is_exhausted) return NULL;
  w->live += n;
  return malloc(n);
}

static void release(void *ctx, void *p, size_t n) {
  watchful *w = ctx;
  w->live -= n;
  for (size_t i = 0; i < n; i++) w->unwiped += ((const uint8_t *)p)[i] != 0;
  free(p);
}

static void copies_share_nothing(void **state) {
  (void)state;
  for (tn_key_type type = TN_KEY_P256; type <= TN_KEY_RSA_PSS; type++) {
    watchful first = {.allocator = {allocate, release, &first}}, second = {.allocator = {allocate, release, &second}};
    tn_secret_key key, copy;
    if (tn_key_is_rsa(type))
      assert_ok(load_rsa(&key, &first.allocator, type, oracle_rsa(0)));
    else
      assert_ok(tn_secret_key_generate(&key, &first.allocator, type, 0, NULL));
    if (type == TN_KEY_RSA_PSS) key.pss = (tn_pss_params){&tn_sha384, 48};
    if (tn_key_is_rsa(type)) {
      second.is_exhausted = true;
      assert_fails(tn_secret_key_copy(&copy, &second.allocator, &key), NO_MEMORY);
      second.is_exhausted = false;
    }
    assert_ok(tn_secret_key_copy(&copy, &second.allocator, &key));
    assert_int_equal(first.live, second.live);
    const tn_public_key one = tn_public_of(&key), two = tn_public_of(&copy);
    assert_true(tn_public_key_equal_vartime(&one, &two));
    tn_secret_key_free(&key);
    assert_int_equal(key.type, TN_KEY_NONE);
    assert_int_equal(first.live, 0);
    size_t n_signed = 0;
    for (size_t i = 0; tn_sign_schemes[i] != NULL; i++) {
      if (!tn_sign_scheme_fits(tn_sign_schemes[i], &two)) continue;
      uint8_t sig[TN_SIGNATURE_MAX];
      size_t n = sizeof sig;
      assert_ok(tn_sign_schemes[i]->sign(NULL, &copy, tn_span_of("text", 4), sig, &n));
      assert_ok(tn_sign_schemes[i]->verify(&two, tn_span_of("text", 4), tn_span_of(sig, n)));
      n_signed++;
    }
    assert_true(n_signed >= 1);
    tn_secret_key_free(&copy);
    assert_int_equal(second.live, 0);
    assert_int_equal(first.unwiped + second.unwiped, 0);
  }
}

static void rsa_keys_are_checked_as_they_are_loaded(void **state) {
  (void)state;
  static rsa_number numbers[TN_RSA_PARTS];
  tn_span parts[TN_RSA_PARTS];
  watchful memory = {.allocator = {allocate, release, &memory}};
  tn_secret_key key;
  rsa_parts_of(oracle_rsa(0), numbers);
  for (size_t i = 0; i < TN_RSA_PARTS; i++) parts[i] = tn_span_of(numbers[i].bytes, numbers[i].n);
  assert_fails(tn_secret_key_load_rsa(&key, &memory.allocator, TN_KEY_P256, parts), BAD_ARGUMENT);
  for (size_t i = 0; i < TN_RSA_PARTS; i++) {
    numbers[i].bytes[numbers[i].n - 1] ^= 2;
    assert_fails(tn_secret_key_load_rsa(&key, &memory.allocator, TN_KEY_RSA, parts), KEY_INVALID);
    numbers[i].bytes[numbers[i].n - 1] ^= 2;
    assert_int_equal(key.type, TN_KEY_NONE);
    assert_null(key.rsa);
  }
  parts[TN_RSA_N].n = 255;
  assert_fails(tn_secret_key_load_rsa(&key, &memory.allocator, TN_KEY_RSA, parts), KEY_SIZE);
  memory.is_exhausted = true;
  parts[TN_RSA_N].n = 256;
  assert_fails(tn_secret_key_load_rsa(&key, &memory.allocator, TN_KEY_RSA, parts), NO_MEMORY);
  assert_int_equal(memory.live, 0);
  assert_int_equal(memory.unwiped, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_names_each_scheme_once),
      cmocka_unit_test(only_known_numbers_are_found),
      cmocka_unit_test(keys_have_their_curves),
      cmocka_unit_test(signatures_go_both_ways),
      cmocka_unit_test(a_signature_belongs_to_its_scheme_and_its_key),
      cmocka_unit_test(types_without_keys),
      cmocka_unit_test(keys_are_checked),
      cmocka_unit_test(pss_keys_keep_to_what_they_are_bound_to),
      cmocka_unit_test(pss_with_other_salts),
      cmocka_unit_test(room_is_respected),
      cmocka_unit_test(a_generator_that_fails_leaves_no_key),
      cmocka_unit_test(copies_share_nothing),
      cmocka_unit_test(rsa_keys_are_checked_as_they_are_loaded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
