// RSA private keys in their files: PKCS#1, and PKCS#8 with rsaEncryption and id-RSASSA-PSS.
#include <openssl/core_names.h>
#include <openssl/rsa.h>

#include "pki/der_write.h"
#include "pki/key.h"
#include "pki/pss.h"
#include "pki/rsa_der.h"
#include "pki_support.h"
#include "support/rsa_key.h"

// ---------------------------------------------------------------- against libcrypto

static const struct {
  const char *algorithm;
  int bits, primes;
  const char *hash;  // of a PSS key that is bound to one
  int salt_len;
} kinds[] = {
    {"RSA", 2048, 2, NULL, 0},          {"RSA", 2056, 2, NULL, 0},          {"RSA-PSS", 2048, 2, NULL, 0},
    {"RSA-PSS", 2048, 2, "SHA256", 32}, {"RSA-PSS", 2048, 2, "SHA384", 20},  // the default is left out
};

static EVP_PKEY *generate(const char *algorithm, int bits, int primes, const char *hash, int salt_len) {
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, algorithm, NULL);
  assert_int_equal(EVP_PKEY_keygen_init(ctx), 1);
  assert_int_equal(EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, bits), 1);
  if (primes != 2) assert_int_equal(EVP_PKEY_CTX_set_rsa_keygen_primes(ctx, primes), 1);
  if (hash != NULL) {
    assert_int_equal(EVP_PKEY_CTX_set_rsa_pss_keygen_md_name(ctx, hash, NULL), 1);
    assert_int_equal(EVP_PKEY_CTX_set_rsa_pss_keygen_mgf1_md_name(ctx, hash), 1);
    assert_int_equal(EVP_PKEY_CTX_set_rsa_pss_keygen_saltlen(ctx, salt_len), 1);
  }
  assert_int_equal(EVP_PKEY_generate(ctx, &key), 1);
  EVP_PKEY_CTX_free(ctx);
  return key;
}

static void assert_same_key(const tn_key *key, EVP_PKEY *evp) {
  static const char *const names[] = {OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
                                      OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
                                      OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
                                      OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1};
  for (size_t i = 0; i < TN_RSA_PARTS; i++) {
    BIGNUM *want = NULL;
    uint8_t ours[TN_RSA_MAX_BYTES], theirs[TN_RSA_MAX_BYTES];
    assert_int_equal(EVP_PKEY_get_bn_param(evp, names[i], &want), 1);
    const size_t n = tn_rsa_private_part(key->secret.rsa, (tn_rsa_part)i, ours);
    assert_int_equal(BN_bn2bin(want, theirs), n);
    assert_memory_equal(ours, theirs, n);
    BN_clear_free(want);
  }
  assert_int_equal(tn_key_get_type(key), EVP_PKEY_is_a(evp, "RSA") ? TN_KEY_RSA : TN_KEY_RSA_PSS);
}

static tn_result parse_bio(BIO *bio, tn_key **key) {
  char *data;
  const long n = BIO_get_mem_data(bio, &data);
  tn_result r = tn_key_parse(NULL, tn_span_of(data, (size_t)n), key);
  BIO_free(bio);
  return r;
}

static bool write_pkcs8(BIO *bio, EVP_PKEY *evp) { return PEM_write_bio_PKCS8PrivateKey(bio, evp, 0, 0, 0, 0, 0) == 1; }
static bool write_pkcs8_der(BIO *bio, EVP_PKEY *evp) { return i2d_PKCS8PrivateKey_bio(bio, evp, 0, 0, 0, 0, 0) == 1; }
static bool write_pkcs1(BIO *bio, EVP_PKEY *evp) {
  return PEM_write_bio_PrivateKey_traditional(bio, evp, 0, 0, 0, 0, 0) == 1;
}
static bool write_pkcs1_der(BIO *bio, EVP_PKEY *evp) { return i2d_PrivateKey_bio(bio, evp) == 1; }

// PKCS#1 last: a PSS key has no form but PKCS#8.
static bool (*const forms[])(BIO *, EVP_PKEY *) = {write_pkcs8, write_pkcs8_der, write_pkcs1, write_pkcs1_der};

static void assert_libcrypto_reads(const tn_key *key, EVP_PKEY *evp, bool is_pkcs1) {
  uint8_t der[TN_KEY_MAX_DER], pem[7000];
  size_t n = sizeof der, pem_n = sizeof pem;
  assert_ok(is_pkcs1 ? tn_key_to_pkcs1(key, der, &n) : tn_key_to_pkcs8(key, der, &n));
  assert_ok(tn_pem_encode(is_pkcs1 ? "RSA PRIVATE KEY" : "PRIVATE KEY", tn_span_of(der, n), pem, &pem_n));
  BIO *bio = BIO_new_mem_buf(pem, (int)pem_n);
  EVP_PKEY *read = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
  assert_non_null(read);
  assert_int_equal(EVP_PKEY_eq(read, evp), 1);
  assert_same_key(key, read);
  EVP_PKEY_free(read);
  BIO_free(bio);
  // To the byte as libcrypto writes it.
  bio = BIO_new(BIO_s_mem());
  char *want;
  assert_true((is_pkcs1 ? write_pkcs1_der : write_pkcs8_der)(bio, evp));
  assert_int_equal(BIO_get_mem_data(bio, &want), n);
  assert_memory_equal(want, der, n);
  BIO_free(bio);
}

static void keys_go_both_ways(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(kinds); i++) {
    EVP_PKEY *evp = generate(kinds[i].algorithm, kinds[i].bits, kinds[i].primes, kinds[i].hash, kinds[i].salt_len);
    const bool is_pss = !EVP_PKEY_is_a(evp, "RSA");
    for (size_t form = 0; form < (is_pss ? 2 : COUNT(forms)); form++) {
      BIO *bio = BIO_new(BIO_s_mem());
      tn_key *key;
      assert_true(forms[form](bio, evp));
      assert_ok(parse_bio(bio, &key));
      assert_same_key(key, evp);
      const tn_public_key public = tn_key_public(key);
      assert_int_equal(tn_public_key_bits(&public), kinds[i].bits);
      if (kinds[i].hash != NULL) {
        assert_int_equal(public.pss.hash->digest_len, strtoul(kinds[i].hash + 3, NULL, 10) / 8);
        assert_int_equal(public.pss.salt_len, kinds[i].salt_len);
      } else {
        assert_null(public.pss.hash);
      }
      assert_libcrypto_reads(key, evp, false);
      uint8_t der[TN_KEY_MAX_DER];
      size_t n = sizeof der;
      if (is_pss)
        assert_fails(tn_key_to_pkcs1(key, der, &n), KEY_UNSUPPORTED);
      else
        assert_libcrypto_reads(key, evp, true);
      assert_fails(tn_key_to_sec1(key, der, &n), KEY_UNSUPPORTED);
      tn_key_free(key);
    }
    EVP_PKEY_free(evp);
  }
}

static void says_what_it_cannot_use(void **state) {
  (void)state;
  EVP_PKEY *multi = generate("RSA", 2048, 3, NULL, 0), *weak = generate("RSA-PSS", 2048, 2, "SHA1", 20),
           *other = generate("RSA-PSS", 2048, 2, "SHA224", 28);
  for (size_t form = 0; form < COUNT(forms); form++) {
    tn_key *key;
    BIO *bio = BIO_new(BIO_s_mem());
    assert_true(forms[form](bio, multi));
    assert_fails(parse_bio(bio, &key), KEY_MULTI_PRIME);
    if (form >= 2) continue;
    bio = BIO_new(BIO_s_mem());
    assert_true(forms[form](bio, weak));
    assert_fails(parse_bio(bio, &key), KEY_UNSUPPORTED);
    bio = BIO_new(BIO_s_mem());
    assert_true(forms[form](bio, other));
    assert_fails(parse_bio(bio, &key), KEY_UNSUPPORTED);
  }
  EVP_PKEY_free(multi);
  EVP_PKEY_free(weak);
  EVP_PKEY_free(other);
}

// ---------------------------------------------------------------- DER in pieces

// How the numbers of the fixed key stand in the file: as they should, or one of them spoilt.
typedef enum { RIGHT, ABSENT, NEGATIVE, PADDED, EMPTY, ODD_BIT, ZERO } spoiling;

static void write_integer(tn_writer *w, tn_span number, spoiling how) {
  size_t at;
  switch (how) {
    case RIGHT:
      tn_der_write_number(w, number);
      return;
    case ABSENT:
      return;
    case NEGATIVE:
      at = tn_der_open(w, TN_DER_INTEGER);
      tn_write_u8(w, 0x80 | 1);
      tn_write_span(w, number);
      tn_der_close(w, at);
      return;
    case PADDED:
      at = tn_der_open(w, TN_DER_INTEGER);
      tn_write_u8(w, 0);
      if (number.p[0] >= 0x80) tn_write_u8(w, 0);
      tn_write_span(w, number);
      tn_der_close(w, at);
      return;
    case EMPTY:
      tn_der_write(w, TN_DER_INTEGER, (tn_span){NULL, 0});
      return;
    case ODD_BIT:
      at = tn_der_open(w, TN_DER_INTEGER);
      tn_write_u8(w, 1);
      tn_write_span(w, number);
      tn_der_close(w, at);
      return;
    case ZERO:
      tn_der_write_small(w, 0);
      return;
  }
}

static size_t write_key(uint8_t *out, size_t room, uint32_t version, size_t which, spoiling how, bool trailing) {
  tn_writer w = tn_writer_fixed(out, room);
  size_t sequence = tn_der_open(&w, TN_DER_SEQUENCE);
  tn_der_write_small(&w, version);
  for (size_t i = 0; i < TN_RSA_PARTS; i++) write_integer(&w, rsa_key_parts[i], i == which ? how : RIGHT);
  if (trailing) tn_der_write_null(&w);
  tn_der_close(&w, sequence);
  assert_ok(tn_writer_result(&w));
  return w.len;
}

static tn_reason parse(tn_span der) {
  tn_key *key = NULL;
  const tn_result r = tn_key_parse(NULL, der, &key);
  if (tn_ok(r)) tn_key_free(key);
  return (tn_reason)r.reason;
}

static void each_number_is_strict_der(void **state) {
  (void)state;
  uint8_t der[2000];
  assert_int_equal(parse(tn_span_of(der, write_key(der, sizeof der, 0, 0, RIGHT, false))), TN_E_NONE);
  for (size_t i = 0; i < TN_RSA_PARTS; i++) {
    static const spoiling malformed[] = {NEGATIVE, PADDED, EMPTY};
    for (size_t j = 0; j < COUNT(malformed); j++)
      assert_int_equal(parse(tn_span_of(der, write_key(der, sizeof der, 0, i, malformed[j], false))), TN_E_DER);
    const tn_reason absent = parse(tn_span_of(der, write_key(der, sizeof der, 0, i, ABSENT, false)));
    assert_int_equal(absent, TN_E_DER);
    assert_int_not_equal(parse(tn_span_of(der, write_key(der, sizeof der, 0, i, ODD_BIT, false))), TN_E_NONE);
    const tn_reason zero = parse(tn_span_of(der, write_key(der, sizeof der, 0, i, ZERO, false)));
    assert_true(zero == TN_E_KEY_INVALID || (i < 2 && zero == TN_E_DER));
  }
  assert_int_equal(parse(tn_span_of(der, write_key(der, sizeof der, 0, 0, RIGHT, true))), TN_E_DER);
  assert_int_equal(parse(tn_span_of(der, write_key(der, sizeof der, 1, 0, RIGHT, false))), TN_E_KEY_MULTI_PRIME);
  assert_int_equal(parse(tn_span_of(der, write_key(der, sizeof der, 2, 0, RIGHT, false))), TN_E_KEY_UNSUPPORTED);
}

// PKCS#8 around the fixed key, with these bytes as the parameters of the algorithm, and a public key behind it.
static tn_reason parse_pkcs8(tn_oid algorithm, const char *parameters, uint32_t version, const tn_span *n) {
  uint8_t inner[2000], der[3000];
  const size_t inner_n = write_key(inner, sizeof inner, 0, 0, RIGHT, false);
  bytes hex = bytes_from_hex(parameters);
  tn_writer w = tn_writer_fixed(der, sizeof der);
  size_t sequence = tn_der_open(&w, TN_DER_SEQUENCE);
  tn_der_write_small(&w, version);
  size_t identifier = tn_der_open(&w, TN_DER_SEQUENCE);
  tn_der_write_oid(&w, algorithm);
  tn_write_span(&w, bytes_span(hex));
  tn_der_close(&w, identifier);
  tn_der_write(&w, TN_DER_OCTET_STRING, tn_span_of(inner, inner_n));
  if (n != NULL) {
    size_t bits = tn_der_open(&w, TN_DER_CONTEXT(1));
    tn_write_u8(&w, 0);
    tn_rsa_public_write(&w, *n, rsa_key_parts[TN_RSA_E]);
    tn_der_close(&w, bits);
  }
  tn_der_close(&w, sequence);
  bytes_free(&hex);
  return parse(tn_writer_span(&w));
}

static void reads_pkcs8_in_its_forms(void **state) {
  (void)state;
  const tn_span n = rsa_key_parts[TN_RSA_N], p = rsa_key_parts[TN_RSA_P];
  assert_int_equal(parse_pkcs8(TN_OID_RSA_ENCRYPTION, "0500", 0, NULL), TN_E_NONE);
  assert_int_equal(parse_pkcs8(TN_OID_RSA_ENCRYPTION, "0500", 1, &n), TN_E_NONE);
  assert_int_equal(parse_pkcs8(TN_OID_RSA_ENCRYPTION, "0500", 1, &p), TN_E_KEY_INVALID);
  assert_int_equal(parse_pkcs8(TN_OID_RSA_ENCRYPTION, "0500", 0, &n), TN_E_DER);
  assert_int_equal(parse_pkcs8(TN_OID_RSA_ENCRYPTION, "", 0, NULL), TN_E_KEY_INVALID);
  assert_int_equal(parse_pkcs8(TN_OID_RSA_ENCRYPTION, "3000", 0, NULL), TN_E_KEY_INVALID);
  assert_int_equal(parse_pkcs8(TN_OID_RSA_ENCRYPTION, "050000", 0, NULL), TN_E_KEY_INVALID);
  assert_int_equal(parse_pkcs8(TN_OID_RSA_PSS, "", 0, NULL), TN_E_NONE);
  assert_int_equal(parse_pkcs8(TN_OID_RSA_PSS, "0500", 0, NULL), TN_E_KEY_INVALID);
  assert_int_equal(parse_pkcs8(TN_OID_RSA_PSS, "3000", 0, NULL), TN_E_KEY_UNSUPPORTED);  // SHA-1
  assert_int_equal(parse_pkcs8(TN_OID_RSA_SHA256, "0500", 0, NULL), TN_E_KEY_UNSUPPORTED);
}

// DSA's old form, which has fewer numbers.
static void dsa_is_told_apart(void **state) {
  (void)state;
  for (size_t n = 1; n <= 9; n++) {
    uint8_t der[100];
    tn_writer w = tn_writer_fixed(der, sizeof der);
    size_t sequence = tn_der_open(&w, TN_DER_SEQUENCE);
    tn_der_write_small(&w, 0);
    for (size_t i = 0; i < n; i++) tn_der_write_small(&w, 257);
    tn_der_close(&w, sequence);
    const tn_reason want = n == 5 ? TN_E_KEY_UNSUPPORTED : n == 8 ? TN_E_KEY_SIZE : TN_E_DER;
    assert_int_equal(parse(tn_writer_span(&w)), want);
  }
}

// ---------------------------------------------------------------- a hostile machine

static void broken_keys_do_no_harm(void **state) {
  (void)state;
  uint8_t der[2000], copy[2000];
  const size_t n = write_key(der, sizeof der, 0, 0, RIGHT, false);
  for (size_t cut = 0; cut < n; cut++) {
    uint8_t *exact = malloc(cut + (cut == 0));
    memcpy(exact, der, cut);
    assert_int_not_equal(parse(tn_span_of(exact, cut)), TN_E_NONE);
    free(exact);
  }
  for (size_t at = 0; at < n; at++) {
    memcpy(copy, der, n);
    copy[at] ^= (uint8_t)(1 << at % 8);
    assert_int_not_equal(parse(tn_span_of(copy, n)), TN_E_NONE);
  }
  tn_key *key;
  assert_ok(tn_key_parse(NULL, tn_span_of(der, n), &key));
  for (size_t room = 0; room < n; room++) {
    size_t small = room;
    memset(copy, 0xee, sizeof copy);
    assert_fails(tn_key_to_pkcs1(key, copy, &small), NO_SPACE);
    assert_int_equal(copy[room], 0xee);
  }
  size_t exact = n;
  assert_ok(tn_key_to_pkcs1(key, copy, &exact));
  assert_int_equal(exact, n);
  assert_memory_equal(copy, der, n);
  tn_key_free(key);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  uint8_t der[2000], pem[3000];
  const size_t n = write_key(der, sizeof der, 0, 0, RIGHT, false);
  size_t pem_n = sizeof pem;
  assert_ok(tn_pem_encode("RSA PRIVATE KEY", tn_span_of(der, n), pem, &pem_n));
  for (size_t fail_at = 1;; fail_at++) {
    counting c;
    tn_key *key, *copy = NULL;
    counting_init(&c, fail_at);
    tn_result r = tn_key_parse(&c.allocator, tn_span_of(pem, pem_n), &key);
    if (tn_ok(r)) {
      r = tn_key_copy(&c.allocator, key, &copy);
      tn_key_free(key);
    }
    if (tn_ok(r)) {
      assert_int_equal(fail_at, 6);
      tn_key_free(copy);
      assert_int_equal(c.live, 0);
      break;
    }
    assert_int_equal(r.reason, TN_E_NO_MEMORY);
    assert_int_equal(c.live, 0);
  }
}

static void names_of_new_keys(void **state) {
  (void)state;
  static const struct {
    const char *name;
    tn_key_type type;
    size_t bits;
  } good[] = {{"p256", TN_KEY_P256, 0},
              {"p384", TN_KEY_P384, 0},
              {"p521", TN_KEY_P521, 0},
              {"ed25519", TN_KEY_ED25519, 0},
              {"rsa-2048", TN_KEY_RSA, 2048},
              {"rsa-3072", TN_KEY_RSA, 3072},
              {"rsa-pss-2048", TN_KEY_RSA_PSS, 2048}};
  for (size_t i = 0; i < COUNT(good); i++) {
    tn_key *key;
    uint8_t der[TN_KEY_MAX_DER];
    size_t n = sizeof der;
    assert_ok(tn_key_generate(NULL, good[i].name, &key));
    const tn_public_key public = tn_key_public(key);
    assert_int_equal(public.type, good[i].type);
    assert_int_equal(tn_public_key_bits(&public), good[i].bits);
    assert_ok(tn_key_to_pkcs8(key, der, &n));
    const unsigned char *p = der;
    EVP_PKEY *evp = d2i_AutoPrivateKey(NULL, &p, (long)n);
    assert_non_null(evp);
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(evp, NULL);
    assert_int_equal(EVP_PKEY_check(ctx), 1);
    EVP_PKEY_CTX_free(ctx);
    EVP_PKEY_free(evp);
    tn_key_free(key);
  }
  static const char *const unknown[] = {"",         "P256",      "p2560",   "rsa",       "rsa-",
                                        "rsa-pss-", "rsa-204",   "p224",    "rsa-02048", "rsa-2048x",
                                        "rsa-+204", "rsa-20480", "dsa-2048"};
  static const char *const sizes[] = {"rsa-1024", "rsa-2047", "rsa-9000", "rsa-pss-1536"};
  tn_key *none;
  for (size_t i = 0; i < COUNT(unknown); i++) assert_fails(tn_key_generate(NULL, unknown[i], &none), KEY_UNSUPPORTED);
  for (size_t i = 0; i < COUNT(sizes); i++) assert_fails(tn_key_generate(NULL, sizes[i], &none), KEY_SIZE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_go_both_ways),         cmocka_unit_test(says_what_it_cannot_use),
      cmocka_unit_test(each_number_is_strict_der), cmocka_unit_test(reads_pkcs8_in_its_forms),
      cmocka_unit_test(dsa_is_told_apart),         cmocka_unit_test(broken_keys_do_no_harm),
      cmocka_unit_test(every_allocation_may_fail), cmocka_unit_test(names_of_new_keys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
