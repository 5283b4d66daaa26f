// RSA against libcrypto: its keys, signatures both ways, and the key transport of TLS.
#include "crypto/dh/dh.h"
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

static void assert_parts_come_back(void) {
  for (tn_rsa_part i = 0; i < TN_RSA_PARTS; i++) {
    uint8_t bytes_of[TN_RSA_MAX_BYTES];
    assert_int_equal(tn_rsa_private_part(key, i, bytes_of), parts[i].n);
    assert_memory_equal(bytes_of, parts[i].bytes, parts[i].n);
  }
}

static tn_result verify(bool pss, const tn_hash *hash, tn_span digest, tn_span sig) {
  if (pss) return tn_rsa_pss_verify(&key->public, hash, NULL, hash->digest_len, digest, sig);
  return tn_rsa_pkcs1_verify(&key->public, hash, digest, sig);
}

static void signatures_agree_with_libcrypto(void **state) {
  (void)state;
  // Whole words, bytes and bits; exponents of 2 to 64 bits.
  static const struct {
    unsigned bits;
    const char *e;
  } keys[] = {{2048, "65537"},
              {2049, "65537"},
              {2056, "3"},
              {3000, "65537"},
              {4097, "65537"},
              {2048, "3"},
              {2048, "4294967297"},
              {2048, "8589934591"},
              {2048, "72057594037927937"},
              {2048, "18446744073709551615"}};
  test_rng rng = {1};
  for (size_t s = 0; s < COUNT(keys); s++) {
    EVP_PKEY *k = rsa_new_key(keys[s].bits, keys[s].e);
    rsa_parts_of(k, parts);
    assert_ok(load());
    assert_parts_come_back();
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

static tn_result load_with(tn_rsa_part part, const BIGNUM *value) {
  const rsa_number was = parts[part];
  parts[part].n = (size_t)BN_bn2bin(value, parts[part].bytes);
  const tn_result r = load();
  parts[part] = was;
  return r;
}

static BIGNUM *number(tn_rsa_part part) { return BN_bin2bn(parts[part].bytes, (int)parts[part].n, NULL); }

// d modulo (p - 1)(q - 1) is one, too; not one of n and more, nor are parts that are not reduced.
static void other_forms_of_a_key(void **state) {
  (void)state;
  EVP_PKEY *k = new_key(2048);
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *p = number(TN_RSA_P), *q = number(TN_RSA_Q), *e = number(TN_RSA_E), *d = number(TN_RSA_D),
         *n = number(TN_RSA_N), *phi = BN_new(), *x = BN_new();
  assert_true(BN_sub_word(p, 1) && BN_sub_word(q, 1) && BN_mul(phi, p, q, ctx));
  assert_non_null(BN_mod_inverse(x, e, phi, ctx));
  assert_ok(load_with(TN_RSA_D, x));
  assert_true(BN_add(x, x, phi));
  assert_fails(load_with(TN_RSA_D, x), KEY_INVALID);
  BN_free(x), x = number(TN_RSA_DP);
  assert_true(BN_add(x, x, p));
  assert_fails(load_with(TN_RSA_DP, x), KEY_INVALID);
  BN_free(x), x = number(TN_RSA_QINV);
  assert_true(BN_add_word(p, 1) && BN_add(x, x, p));
  assert_fails(load_with(TN_RSA_QINV, x), KEY_INVALID);
  for (tn_rsa_part i = 0; i < TN_RSA_PARTS; i++) {
    BN_zero(x);
    assert_int_not_equal(load_with(i, x).reason, TN_E_NONE);
    assert_true(BN_one(x));
    assert_int_not_equal(load_with(i, x).reason, TN_E_NONE);
    assert_true(BN_lshift(x, x, 9000));
    assert_int_not_equal(load_with(i, x).reason, TN_E_NONE);
  }
  // The primes the other way round, with which qInv does not go; and one of them twice.
  const rsa_number was = parts[TN_RSA_P];
  parts[TN_RSA_P] = parts[TN_RSA_Q];
  assert_fails(load(), KEY_INVALID);
  parts[TN_RSA_Q] = was;
  assert_fails(load(), KEY_INVALID);
  BIGNUM *const all[] = {p, q, e, d, n, phi, x};
  for (size_t i = 0; i < COUNT(all); i++) BN_free(all[i]);
  BN_CTX_free(ctx);
  EVP_PKEY_free(k);
}

static void public_keys_are_checked(void **state) {
  (void)state;
  static const uint8_t e3[] = {3}, e1[] = {1}, e4[] = {4}, e65[] = {1, 0, 0, 0, 0, 0, 0, 0, 1},
                       padded[] = {0, 0, 1, 0, 1};
  static const struct {
    size_t bits;
    bool even;
    tn_span e;
    tn_reason want;
  } rows[] = {
      {1023, false, {e3, 1}, TN_E_KEY_INVALID},
      {1024, false, {e3, 1}, TN_E_NONE},
      {1025, false, {padded, 5}, TN_E_NONE},
      {2047, false, {e3, 1}, TN_E_NONE},
      {8192, false, {e3, 1}, TN_E_NONE},
      {8193, false, {e3, 1}, TN_E_KEY_UNSUPPORTED},
      {2048, true, {e3, 1}, TN_E_KEY_INVALID},
      {2048, false, {e1, 1}, TN_E_KEY_INVALID},
      {2048, false, {e4, 1}, TN_E_KEY_INVALID},
      {2048, false, {e65, 9}, TN_E_KEY_UNSUPPORTED},
      {2048, false, {e65 + 1, 8}, TN_E_KEY_INVALID},
      {2048, false, {NULL, 0}, TN_E_KEY_INVALID},
      {0, false, {e3, 1}, TN_E_KEY_INVALID},
  };
  static uint8_t n[1100];
  for (size_t i = 0; i < COUNT(rows); i++) {
    tn_rsa_public public;
    uint64_t words[TN_BN_MAX_WORDS + 1];
    memset(n, 0, sizeof n);
    n[sizeof n - 1] = rows[i].even ? 2 : 3;
    if (rows[i].bits != 0) n[sizeof n - 1 - (rows[i].bits - 1) / 8] |= (uint8_t)(1 << (rows[i].bits - 1) % 8);
    words[tn_bn_words(rows[i].bits) <= TN_BN_MAX_WORDS ? tn_bn_words(rows[i].bits) : TN_BN_MAX_WORDS] = 77;
    assert_int_equal(tn_rsa_bits((tn_span){n, sizeof n}), rows[i].bits == 0 ? 2 : rows[i].bits);
    const tn_result r = tn_rsa_public_load(&public, words, (tn_span){n, sizeof n}, rows[i].e);
    if (r.reason != rows[i].want) fail_msg("row %zu: %s", i, tn_reason_name(r.reason));
    if (tn_ok(r)) {
      assert_int_equal(public.n.bits, rows[i].bits);
      assert_int_equal(words[public.n.words], 77);
    }
  }
  assert_int_equal(tn_rsa_bits((tn_span){NULL, 0}), 0);
}

// A key of 2048 bits takes less than 3 KB, and no byte more is touched; a copy works alone.
static void keys_are_as_long_as_they_need(void **state) {
  (void)state;
  static tn_rsa_private_max copy;
  uint8_t sig[256], digest[32] = {4};
  size_t n = sizeof sig;
  const tn_span d = {digest, sizeof digest};
  const size_t size = tn_rsa_private_size(2048);
  EVP_PKEY *k = new_key(2048);
  assert_true(size < 3000 && tn_rsa_private_size(8192) <= sizeof memory);
  memset(&memory, 0xa5, sizeof memory);
  memset(&copy, 0xa5, sizeof copy);
  assert_ok(load());
  assert_ok(tn_rsa_pkcs1_sign(key, NULL, &tn_sha256, d, sig, &n));
  tn_rsa_private_copy(&copy.key, key);
  for (size_t i = size; i < sizeof memory; i++) assert_true(memory.bytes[i] == 0xa5 && copy.bytes[i] == 0xa5);
  memset(&memory, 0xa5, sizeof memory);
  assert_ok(tn_rsa_pkcs1_sign(&copy.key, NULL, &tn_sha256, d, sig, &n));
  assert_ok(tn_rsa_pkcs1_verify(&copy.key.public, &tn_sha256, d, (tn_span){sig, n}));
  EVP_PKEY_free(k);
}

// The longest keys, made of the primes of Diffie-Hellman's groups, which need not be searched for.
static void long_keys_agree_with_libcrypto(void **state) {
  (void)state;
  static const char *const groups[][2] = {{"ffdhe3072", "modp3072"}, {"ffdhe4096", "modp4096"}};
  BN_CTX *ctx = BN_CTX_new();
  for (size_t i = 0; i < COUNT(groups); i++) {
    BIGNUM *prime[2], *n = BN_new(), *e = BN_new(), *phi = BN_new(), *d, *want = BN_new();
    for (size_t j = 0; j < 2; j++) {
      const tn_dh_group *group = tn_dh_groups;
      while (strcmp(group->name, groups[i][j]) != 0) group++;
      prime[j] = BN_lebin2bn((const unsigned char *)group->p, group->len, NULL);
    }
    assert_true(BN_set_word(e, 65537) && BN_mul(n, prime[0], prime[1], ctx));
    assert_true(BN_sub_word(prime[0], 1) && BN_sub_word(prime[1], 1) && BN_mul(phi, prime[0], prime[1], ctx));
    assert_non_null(d = BN_mod_inverse(NULL, e, phi, ctx));
    assert_true(BN_add_word(prime[0], 1) && BN_add_word(prime[1], 1));
    const BIGNUM *const values[] = {n, e, d, prime[0], prime[1]};
    for (size_t j = 0; j < COUNT(values); j++) parts[j].n = (size_t)BN_bn2bin(values[j], parts[j].bytes);
    rsa_complete(parts);
    assert_ok(load());
    uint8_t in[TN_RSA_MAX_BYTES] = {0, 1, 2, 3}, out[TN_RSA_MAX_BYTES], right[TN_RSA_MAX_BYTES];
    const size_t len = key->public.len;
    BIGNUM *x = BN_bin2bn(in, (int)len, NULL);
    assert_ok(tn_rsa_private_op(key, NULL, in, out));
    assert_true(BN_mod_exp(want, x, d, n, ctx) && BN_bn2binpad(want, right, (int)len) == (int)len);
    assert_memory_equal(out, right, len);
    assert_ok(tn_rsa_public_op(&key->public, out, right));
    assert_memory_equal(right, in, len);
    BIGNUM *const all[] = {prime[0], prime[1], n, e, phi, d, want, x};
    for (size_t j = 0; j < COUNT(all); j++) BN_free(all[j]);
  }
  BN_CTX_free(ctx);
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
      cmocka_unit_test(other_forms_of_a_key),
      cmocka_unit_test(public_keys_are_checked),
      cmocka_unit_test(keys_are_as_long_as_they_need),
      cmocka_unit_test(long_keys_agree_with_libcrypto),
      cmocka_unit_test(premaster_secrets_arrive_or_are_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
