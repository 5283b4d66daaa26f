// RSA against libcrypto: its keys, signatures both ways, and the key transport of TLS.
#include "rsa_oracle.h"

static tn_rsa_private_max memory;
static tn_rsa_private *const key = &memory.key;
static rsa_number parts[TN_RSA_PARTS];

static EVP_PKEY *new_key(unsigned bits) {
  EVP_PKEY *k = rsa_new_key(bits, "65537");
  rsa_parts_of(k, parts);
  return k;
}

static tn_result load(void) { return rsa_load(key, parts); }

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
  if (pss) return tn_rsa_pss_verify(&key->public, hash, NULL, hash->digest_len, digest, sig);
  return tn_rsa_pkcs1_verify(&key->public, hash, digest, sig);
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
      assert_ok(pss ? tn_rsa_pss_sign(key, NULL, hash, d, sig, &n) : tn_rsa_pkcs1_sign(key, NULL, hash, d, sig, &n));
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
  key->dp[0] ^= 2;
  assert_fails(tn_rsa_pkcs1_sign(key, NULL, &tn_sha256, (tn_span){digest, 32}, sig, &n), SELF_CHECK);
  assert_memory_equal(sig, zeros, sizeof zeros);
  EVP_PKEY_free(k);
}

// A premaster secret arrives; anything else gives the version and random bytes, never a failure.
static void premaster_secrets_arrive_or_are_random(void **state) {
  (void)state;
  EVP_PKEY *k = new_key(2048);
  assert_ok(load());
  uint8_t sent[48] = {3, 3, 1, 2, 3, 4}, sealed[256], out[48], em[256], other[48];
  assert_ok(tn_rsa_pkcs1_encrypt(&key->public, NULL, (tn_span){sent, 48}, sealed));
  assert_ok(tn_rsa_decrypt_premaster(key, NULL, 0x0303, (tn_span){sealed, 256}, out));
  assert_memory_equal(out, sent, 48);
  assert_fails(tn_rsa_decrypt_premaster(key, NULL, 0x0303, (tn_span){sealed, 255}, out), DECODE);
  assert_ok(tn_rsa_decrypt_premaster(key, NULL, 0x0302, (tn_span){sealed, 256}, out));
  assert_true(out[0] == 3 && out[1] == 2 && memcmp(out + 2, sent + 2, 46) != 0);
  static const size_t places[] = {0, 1, 2, 100, 206, 207, 208, 209};
  for (size_t i = 0; i < COUNT(places); i++) {
    size_t at = places[i];
    memset(em, 0x55, sizeof em);
    em[0] = 0, em[1] = 2, em[207] = 0;
    memcpy(em + 208, sent, 48);
    em[at] = at == 0 || at == 207 ? 1 : at == 1 ? 1 : at >= 208 ? 9 : 0;
    assert_ok(tn_rsa_public_op(&key->public, em, sealed));
    assert_ok(tn_rsa_decrypt_premaster(key, NULL, 0x0303, (tn_span){sealed, 256}, out));
    assert_ok(tn_rsa_decrypt_premaster(key, NULL, 0x0303, (tn_span){sealed, 256}, other));
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
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
