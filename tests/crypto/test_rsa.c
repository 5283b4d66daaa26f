// RSA signatures against libcrypto's, both ways, and Wycheproof's.
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include "crypto/rsa/rsa.h"
#include "support/rsp.h"
#include "support/support.h"

static tn_rsa_private key;
static tn_rsa_public public;

typedef struct part {
  uint8_t bytes[TN_RSA_MAX_BYTES];
  size_t n;
} part;
static part parts[7];  // n, e, p, q, dP, dQ, qInv

static EVP_PKEY *new_key(unsigned bits) {
  static const char *const names[] = {OSSL_PKEY_PARAM_RSA_N,           OSSL_PKEY_PARAM_RSA_E,
                                      OSSL_PKEY_PARAM_RSA_FACTOR1,     OSSL_PKEY_PARAM_RSA_FACTOR2,
                                      OSSL_PKEY_PARAM_RSA_EXPONENT1,   OSSL_PKEY_PARAM_RSA_EXPONENT2,
                                      OSSL_PKEY_PARAM_RSA_COEFFICIENT1};
  EVP_PKEY *k = EVP_RSA_gen(bits);
  assert_non_null(k);
  for (size_t i = 0; i < COUNT(parts); i++) {
    BIGNUM *v = NULL;
    assert_int_equal(EVP_PKEY_get_bn_param(k, names[i], &v), 1);
    parts[i].n = (size_t)BN_bn2bin(v, parts[i].bytes);
    BN_clear_free(v);
  }
  return k;
}

static tn_span span(size_t i) { return (tn_span){parts[i].bytes, parts[i].n}; }
static tn_result load(void) {
  return tn_rsa_private_load(&key, span(0), span(1), span(2), span(3), span(4), span(5), span(6));
}

static const struct {
  const tn_hash *hash;
  const EVP_MD *(*md)(void);
} hashes[] = {{&tn_sha1, EVP_sha1},     {&tn_sha224, EVP_sha224}, {&tn_sha256, EVP_sha256},
              {&tn_sha384, EVP_sha384}, {&tn_sha512, EVP_sha512}, {NULL, EVP_md5_sha1}};

static EVP_PKEY_CTX *theirs(EVP_PKEY *k, bool sign, bool pss, const EVP_MD *md) {
  EVP_PKEY_CTX *c = EVP_PKEY_CTX_new(k, NULL);
  assert_int_equal(sign ? EVP_PKEY_sign_init(c) : EVP_PKEY_verify_init(c), 1);
  assert_true(EVP_PKEY_CTX_set_rsa_padding(c, pss ? RSA_PKCS1_PSS_PADDING : RSA_PKCS1_PADDING) > 0);
  assert_true(EVP_PKEY_CTX_set_signature_md(c, md) > 0);
  if (pss) assert_true(EVP_PKEY_CTX_set_rsa_pss_saltlen(c, RSA_PSS_SALTLEN_DIGEST) > 0);
  return c;
}

static tn_result verify(bool pss, const tn_hash *hash, tn_span digest, tn_span sig) {
  if (pss) return tn_rsa_pss_verify(&key.public, hash, hash->digest_len, digest, sig);
  return tn_rsa_pkcs1_verify(&key.public, hash, digest, sig);
}

static void signatures_agree_with_libcrypto(void **state) {
  (void)state;
  static const unsigned sizes[] = {2048, 2049, 2056, 3000, 4096};
  test_rng rng = {1};
  for (size_t s = 0; s < COUNT(sizes); s++) {
    EVP_PKEY *k = new_key(sizes[s]);
    assert_ok(load());
    for (size_t i = 0; i < 2 * COUNT(hashes); i++) {
      bool pss = i >= COUNT(hashes);
      const tn_hash *hash = hashes[i % COUNT(hashes)].hash;
      if (pss && hash == NULL) continue;
      const EVP_MD *md = hashes[i % COUNT(hashes)].md();
      uint8_t digest[64], sig[TN_RSA_MAX_BYTES];
      test_rng_bytes(&rng, digest, sizeof digest);
      tn_span d = {digest, hash == NULL ? 36 : hash->digest_len};
      size_t n = sizeof sig;
      assert_ok(pss ? tn_rsa_pss_sign(&key, NULL, hash, d, sig, &n) : tn_rsa_pkcs1_sign(&key, NULL, hash, d, sig, &n));
      assert_int_equal(n, parts[0].n);
      EVP_PKEY_CTX *c = theirs(k, false, pss, md);
      assert_int_equal(EVP_PKEY_verify(c, sig, n, digest, d.n), 1);
      EVP_PKEY_CTX_free(c);
      c = theirs(k, true, pss, md);
      assert_int_equal(EVP_PKEY_sign(c, sig, &n, digest, d.n), 1);
      EVP_PKEY_CTX_free(c);
      assert_ok(verify(pss, hash, d, (tn_span){sig, n}));
      assert_fails(verify(pss, hash, d, (tn_span){sig, n - 1}), BAD_SIGNATURE);
      digest[0] ^= 1;
      assert_fails(verify(pss, hash, d, (tn_span){sig, n}), BAD_SIGNATURE);
      digest[0] ^= 1;
      sig[test_rng_next(&rng) % n] ^= 4;
      assert_fails(verify(pss, hash, d, (tn_span){sig, n}), BAD_SIGNATURE);
    }
    EVP_PKEY_free(k);
  }
}

static void broken_keys_are_refused(void **state) {
  (void)state;
  EVP_PKEY *k = new_key(2048);
  for (size_t i = 0; i < COUNT(parts); i++) {
    parts[i].bytes[parts[i].n - 1] ^= 2;
    assert_fails(load(), KEY_INVALID);
    parts[i].bytes[parts[i].n - 1] ^= 2;
  }
  assert_ok(load());
  EVP_PKEY_free(k);
}

// A fault in one half must not leave as a signature.
static void a_fault_is_caught(void **state) {
  (void)state;
  EVP_PKEY *k = new_key(2048);
  assert_ok(load());
  uint8_t sig[TN_RSA_MAX_BYTES], digest[32] = {1}, zeros[256] = {0};
  size_t n = sizeof sig;
  key.dp[0] ^= 2;
  assert_fails(tn_rsa_pkcs1_sign(&key, NULL, &tn_sha256, (tn_span){digest, 32}, sig, &n), SELF_CHECK);
  assert_memory_equal(sig, zeros, sizeof zeros);
  EVP_PKEY_free(k);
}

static const struct {
  const char *file;
  const tn_hash *hash;
  bool pss;
} wycheproof[] = {
    {"rsa_signature_2048_sha224_test", &tn_sha224, false},  {"rsa_signature_2048_sha256_test", &tn_sha256, false},
    {"rsa_signature_2048_sha384_test", &tn_sha384, false},  {"rsa_signature_2048_sha512_test", &tn_sha512, false},
    {"rsa_signature_3072_sha256_test", &tn_sha256, false},  {"rsa_signature_3072_sha384_test", &tn_sha384, false},
    {"rsa_signature_3072_sha512_test", &tn_sha512, false},  {"rsa_signature_4096_sha256_test", &tn_sha256, false},
    {"rsa_signature_4096_sha384_test", &tn_sha384, false},  {"rsa_signature_4096_sha512_test", &tn_sha512, false},
    {"rsa_pss_2048_sha1_mgf1_20_test", &tn_sha1, true},     {"rsa_pss_2048_sha256_mgf1_0_test", &tn_sha256, true},
    {"rsa_pss_2048_sha256_mgf1_32_test", &tn_sha256, true}, {"rsa_pss_2048_sha384_mgf1_48_test", &tn_sha384, true},
    {"rsa_pss_3072_sha256_mgf1_32_test", &tn_sha256, true}, {"rsa_pss_4096_sha256_mgf1_32_test", &tn_sha256, true},
    {"rsa_pss_4096_sha384_mgf1_48_test", &tn_sha384, true}, {"rsa_pss_4096_sha512_mgf1_32_test", &tn_sha512, true},
    {"rsa_pss_4096_sha512_mgf1_64_test", &tn_sha512, true},
};

static void wycheproof_verdicts(void **state) {
  (void)state;
  for (size_t f = 0; f < COUNT(wycheproof); f++) {
    char path[128];
    snprintf(path, sizeof path, "wycheproof/%s.json", wycheproof[f].file);
    json_t *file = vectors_load(path), *group, *test;
    size_t i, j, seen = 0;
    json_array_foreach(json_object_get(file, "testGroups"), i, group) {
      const json_t *k = json_object_get(group, "publicKey");
      bytes n = json_hex(k, "modulus"), e = json_hex(k, "publicExponent");
      assert_ok(tn_rsa_public_load(&public, bytes_span(n), bytes_span(e)));
      size_t salt = (size_t)json_integer_value(json_object_get(group, "sLen"));
      json_array_foreach(json_object_get(group, "tests"), j, test) {
        bytes msg = json_hex(test, "msg"), sig = json_hex(test, "sig");
        uint8_t digest[64];
        const tn_hash *hash = wycheproof[f].hash;
        tn_hash_once(hash, msg.p, msg.n, digest);
        tn_span d = {digest, hash->digest_len};
        bool good = tn_ok(wycheproof[f].pss ? tn_rsa_pss_verify(&public, hash, salt, d, bytes_span(sig))
                                            : tn_rsa_pkcs1_verify(&public, hash, d, bytes_span(sig)));
        const char *want = json_string_value(json_object_get(test, "result"));
        if (strcmp(want, "acceptable") != 0 && good != (strcmp(want, "valid") == 0))
          fail_msg("%s: test %d: wanted %s", path, (int)json_integer_value(json_object_get(test, "tcId")), want);
        seen++;
        bytes_free(&msg), bytes_free(&sig);
      }
      bytes_free(&n), bytes_free(&e);
    }
    assert_true(seen > 50);
    json_decref(file);
  }
}

static const tn_hash *hash_named(const char *name) {
  static const char *const names[] = {"SHA1", "SHA224", "SHA256", "SHA384", "SHA512"};
  for (size_t i = 0; i < COUNT(names); i++)
    if (strcmp(name, names[i]) == 0) return hashes[i].hash;
  fail_msg("%s", name);
  return NULL;
}

static const struct {
  const char *file;
  bool pss;
  size_t salt;
} cavp[] = {{"SigVer15_186-3", false, 0},
            {"SigVerPSS_186-3", true, 10},
            {"SigGen15_186-3", false, 0},
            {"SigGenPSS_186-3", true, 0}};

// NIST's signatures, good and bad, by keys of 1024 bits and more. Those made by its generator are all good.
static void cavp_verdicts(void **state) {
  (void)state;
  for (size_t f = 0; f < COUNT(cavp); f++) {
    char path[128];
    snprintf(path, sizeof path, "cavp/rsa/%s.rsp", cavp[f].file);
    rsp *file = rsp_open(path);
    bytes n = bytes_from_hex(""), e = bytes_from_hex("");
    size_t good = 0, seen = 0;
    while (rsp_next(file)) {
      if (rsp_text(file, "n") != NULL) bytes_free(&n), n = rsp_hex(file, "n");
      if (rsp_text(file, "e") != NULL) bytes_free(&e), e = rsp_hex(file, "e");
      if (rsp_text(file, "S") == NULL) continue;
      bytes msg = rsp_hex(file, "Msg"), sig = rsp_hex(file, "S");
      const tn_hash *hash = hash_named(rsp_text(file, "SHAAlg"));
      const char *verdict = rsp_text(file, "Result");
      uint8_t digest[64];
      tn_hash_once(hash, msg.p, msg.n, digest);
      tn_span d = {digest, hash->digest_len};
      assert_ok(tn_rsa_public_load(&public, bytes_span(n), bytes_span(e)));
      bool is = tn_ok(cavp[f].pss ? tn_rsa_pss_verify(&public, hash, cavp[f].salt, d, bytes_span(sig))
                                  : tn_rsa_pkcs1_verify(&public, hash, d, bytes_span(sig)));
      if (is != (verdict == NULL || verdict[0] == 'P')) fail_msg("%s: stanza %zu", path, seen);
      good += is;
      seen++;
      bytes_free(&msg), bytes_free(&sig);
    }
    assert_true(seen > 20 && good > 5);
    bytes_free(&n), bytes_free(&e);
    rsp_close(file);
  }
}

// A premaster secret arrives; anything else gives the version and random bytes, never a failure.
static void premaster_secrets_arrive_or_are_random(void **state) {
  (void)state;
  EVP_PKEY *k = new_key(2048);
  assert_ok(load());
  uint8_t sent[48] = {3, 3, 1, 2, 3, 4}, sealed[256], out[48], em[256], other[48];
  assert_ok(tn_rsa_pkcs1_encrypt(&key.public, NULL, (tn_span){sent, 48}, sealed));
  assert_ok(tn_rsa_decrypt_premaster(&key, NULL, 0x0303, (tn_span){sealed, 256}, out));
  assert_memory_equal(out, sent, 48);
  assert_fails(tn_rsa_decrypt_premaster(&key, NULL, 0x0303, (tn_span){sealed, 255}, out), DECODE);
  assert_ok(tn_rsa_decrypt_premaster(&key, NULL, 0x0302, (tn_span){sealed, 256}, out));
  assert_true(out[0] == 3 && out[1] == 2 && memcmp(out + 2, sent + 2, 46) != 0);
  static const size_t places[] = {0, 1, 2, 100, 206, 207, 208, 209};
  for (size_t i = 0; i < COUNT(places); i++) {
    size_t at = places[i];
    memset(em, 0x55, sizeof em);
    em[0] = 0, em[1] = 2, em[207] = 0;
    memcpy(em + 208, sent, 48);
    em[at] = at == 0 || at == 207 ? 1 : at == 1 ? 1 : at >= 208 ? 9 : 0;
    assert_ok(tn_rsa_public_op(&key.public, em, sealed));
    assert_ok(tn_rsa_decrypt_premaster(&key, NULL, 0x0303, (tn_span){sealed, 256}, out));
    assert_ok(tn_rsa_decrypt_premaster(&key, NULL, 0x0303, (tn_span){sealed, 256}, other));
    assert_true(out[0] == 3 && out[1] == 3 && memcmp(out + 2, sent + 2, 46) != 0 && memcmp(out, other, 48) != 0);
  }
  EVP_PKEY_free(k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(signatures_agree_with_libcrypto),
      cmocka_unit_test(broken_keys_are_refused),
      cmocka_unit_test(a_fault_is_caught),
      cmocka_unit_test(premaster_secrets_arrive_or_are_random),
      cmocka_unit_test(wycheproof_verdicts),
      cmocka_unit_test(cavp_verdicts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
