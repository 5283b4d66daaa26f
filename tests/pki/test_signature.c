// RSA in certificates: the AlgorithmIdentifiers of keys and signatures, signatures of libcrypto's that we verify, and
// of ours, by every type of key, that libcrypto does.
#include <openssl/rsa.h>

#include "pki/der_write.h"
#include "pki/key.h"
#include "pki/pss.h"
#include "pki/rsa_der.h"
#include "pki/signature.h"
#include "pki/spki.h"
#include "pki_support.h"
#include "support/rsa_key.h"

// ---------------------------------------------------------------- parameters of PSS

#define SHA1 "06052b0e03021a"
#define SHA224 "0609608648016503040204"
#define SHA256 "0609608648016503040201"
#define SHA384 "0609608648016503040202"
#define MGF1 "06092a864886f70d010108"

static const struct {
  const char *what, *hex;
  const tn_hash *hash;  // NULL: not read, for this reason
  size_t salt_len;
  tn_reason reason;
} params_rows[] = {
    {"SHA-256", "3034 a00f 300d" SHA256 "0500 a11c 301a" MGF1 "300d" SHA256 "0500 a203 020120", &tn_sha256, 32,
     TN_E_NONE},
    {"SHA-384", "3034 a00f 300d" SHA384 "0500 a11c 301a" MGF1 "300d" SHA384 "0500 a203 020130", &tn_sha384, 48,
     TN_E_NONE},
    {"no NULLs", "3030 a00d 300b" SHA256 "a11a 3018" MGF1 "300b" SHA256 "a203 020120", &tn_sha256, 32, TN_E_NONE},
    {"one NULL", "3032 a00d 300b" SHA256 "a11c 301a" MGF1 "300d" SHA256 "0500 a203 020120", &tn_sha256, 32, TN_E_NONE},
    {"a default salt", "302f a00f 300d" SHA256 "0500 a11c 301a" MGF1 "300d" SHA256 "0500", &tn_sha256, 20, TN_E_NONE},
    {"no salt", "3034 a00f 300d" SHA256 "0500 a11c 301a" MGF1 "300d" SHA256 "0500 a203 020100", &tn_sha256, 0,
     TN_E_NONE},
    {"a long salt", "3035 a00f 300d" SHA256 "0500 a11c 301a" MGF1 "300d" SHA256 "0500 a204 020200de", &tn_sha256, 222,
     TN_E_NONE},
    {"all defaults", "3000", NULL, 0, TN_E_KEY_UNSUPPORTED},
    {"SHA-224", "3034 a00f 300d" SHA224 "0500 a11c 301a" MGF1 "300d" SHA224 "0500 a203 02011c", NULL, 0,
     TN_E_KEY_UNSUPPORTED},
    {"MGF1 of the default", "3016 a00f 300d" SHA256 "0500 a203 020120", NULL, 0, TN_E_KEY_UNSUPPORTED},
    {"MGF1 of another", "3034 a00f 300d" SHA256 "0500 a11c 301a" MGF1 "300d" SHA384 "0500 a203 020120", NULL, 0,
     TN_E_KEY_UNSUPPORTED},
    {"another mask", "3027 a00f 300d" SHA256 "0500 a10f 300d" SHA256 "0500 a203 020120", NULL, 0, TN_E_KEY_UNSUPPORTED},
    {"MGF1 alone", "301e a11c 301a" MGF1 "300d" SHA256 "0500", NULL, 0, TN_E_KEY_UNSUPPORTED},
    {"a default hash that is written", "300d a00b 3009" SHA1 "0500", NULL, 0, TN_E_DER},
    {"a default mask that is written", "302b a00f 300d" SHA256 "0500 a118 3016" MGF1 "3009" SHA1 "0500", NULL, 0,
     TN_E_DER},
    {"a default salt that is written", "3034 a00f 300d" SHA256 "0500 a11c 301a" MGF1 "300d" SHA256 "0500 a203 020114",
     NULL, 0, TN_E_DER},
    {"a trailer that is written",
     "3039 a00f 300d" SHA256 "0500 a11c 301a" MGF1 "300d" SHA256 "0500 a203 020120 a303 020101", NULL, 0, TN_E_DER},
    {"another trailer", "3039 a00f 300d" SHA256 "0500 a11c 301a" MGF1 "300d" SHA256 "0500 a203 020120 a303 020102",
     NULL, 0, TN_E_DER},
    {"a negative salt", "3034 a00f 300d" SHA256 "0500 a11c 301a" MGF1 "300d" SHA256 "0500 a203 0201ff", NULL, 0,
     TN_E_DER},
    {"a padded salt", "3035 a00f 300d" SHA256 "0500 a11c 301a" MGF1 "300d" SHA256 "0500 a204 02020020", NULL, 0,
     TN_E_DER},
    {"a salt twice", "3039 a00f 300d" SHA256 "0500 a11c 301a" MGF1 "300d" SHA256 "0500 a203 020120 a203 020120", NULL,
     0, TN_E_DER},
    {"the salt first", "3034 a203 020120 a00f 300d" SHA256 "0500 a11c 301a" MGF1 "300d" SHA256 "0500", NULL, 0,
     TN_E_DER},
    {"an empty field", "3036 a000 a00f 300d" SHA256 "0500 a11c 301a" MGF1 "300d" SHA256 "0500 a203 020120", NULL, 0,
     TN_E_DER},
    {"an empty hash", "3004 a002 3000", NULL, 0, TN_E_DER},
    {"parameters that are no NULL", "3034 a00f 300d" SHA256 "0400 a11c 301a" MGF1 "300d" SHA256 "0500 a203 020120",
     NULL, 0, TN_E_DER},
    {"a NULL with contents", "3035 a010 300e" SHA256 "050100 a11c 301a" MGF1 "300d" SHA256 "0500 a203 020120", NULL, 0,
     TN_E_DER},
    {"MGF1 without a hash", "301e a00f 300d" SHA256 "0500 a10d 300b" MGF1, NULL, 0, TN_E_DER},
    {"bytes behind the mask", "3031 a00f 300d" SHA256 "0500 a11e 301a" MGF1 "300d" SHA256 "0500 0500", NULL, 0,
     TN_E_DER},
    {"bytes behind it all", "3034 a00f 300d" SHA256 "0500 a11c 301a" MGF1 "300d" SHA256 "0500 a203 020120 0500", NULL,
     0, TN_E_DER},
    {"NULL", "0500", NULL, 0, TN_E_DER},
    {"nothing", "", NULL, 0, TN_E_DER},
};

static void reads_parameters_of_pss(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(params_rows); i++) {
    bytes der = bytes_from_hex(params_rows[i].hex);
    tn_pss_params params = {NULL, 0};
    const tn_result r = tn_pss_params_read(bytes_span(der), &params);
    if (r.reason != params_rows[i].reason) fail_msg("%s: %s", params_rows[i].what, tn_reason_name(r.reason));
    if (tn_ok(r)) {
      uint8_t again[100];
      tn_writer w = tn_writer_fixed(again, sizeof again);
      tn_pss_params read = {NULL, 0};
      assert_ptr_equal(params.hash, params_rows[i].hash);
      assert_int_equal(params.salt_len, params_rows[i].salt_len);
      tn_pss_params_write(&w, &params);
      assert_ok(tn_pss_params_read(tn_writer_span(&w), &read));
      assert_true(read.hash == params.hash && read.salt_len == params.salt_len);
      if (strstr(params_rows[i].what, "NULL") == NULL) {
        assert_int_equal(w.len, der.n);
        assert_memory_equal(again, der.p, der.n);
      }
    }
    // Cut anywhere, it is nothing.
    for (size_t cut = 0; tn_ok(r) && cut < der.n; cut++)
      assert_fails(tn_pss_params_read(tn_span_of(der.p, cut), &params), DER);
    bytes_free(&der);
  }
}

// ---------------------------------------------------------------- public keys

#define RSA_OID "06092a864886f70d010101"
#define PSS_OID "06092a864886f70d01010a"

static void reads_public_keys(void **state) {
  (void)state;
  // The key's own numbers are judged where it is used: these are short ones.
  static const struct {
    const char *what, *algorithm, *key;
    tn_reason reason;
  } rows[] = {
      {"rsaEncryption", RSA_OID "0500", "3006 020123 020103", TN_E_NONE},
      {"with a zero in front", RSA_OID "0500", "3007 02020083 020103", TN_E_NONE},
      {"without NULL", RSA_OID, "3006 020123 020103", TN_E_KEY_INVALID},
      {"with other parameters", RSA_OID "3000", "3006 020123 020103", TN_E_KEY_INVALID},
      {"a NULL with contents", RSA_OID "050100", "3006 020123 020103", TN_E_KEY_INVALID},
      {"a negative modulus", RSA_OID "0500", "3006 020183 020103", TN_E_KEY_INVALID},
      {"a padded modulus", RSA_OID "0500", "3007 02020023 020103", TN_E_KEY_INVALID},
      {"a modulus of zero", RSA_OID "0500", "3006 020100 020103", TN_E_KEY_INVALID},
      {"an empty modulus", RSA_OID "0500", "3005 0200 020103", TN_E_KEY_INVALID},
      {"a negative exponent", RSA_OID "0500", "3006 020123 0201ff", TN_E_KEY_INVALID},
      {"no exponent", RSA_OID "0500", "3003 020123", TN_E_KEY_INVALID},
      {"three numbers", RSA_OID "0500", "3009 020123 020103 020103", TN_E_KEY_INVALID},
      {"bytes behind them", RSA_OID "0500", "3006 020123 020103 00", TN_E_KEY_INVALID},
      {"no sequence", RSA_OID "0500", "020123", TN_E_KEY_INVALID},
      {"nothing", RSA_OID "0500", "", TN_E_KEY_INVALID},
      {"id-RSASSA-PSS", PSS_OID, "3006 020123 020103", TN_E_NONE},
      {"bound", PSS_OID "3034 a00f 300d" SHA256 "0500 a11c 301a" MGF1 "300d" SHA256 "0500 a203 020120",
       "3006 020123 020103", TN_E_NONE},
      {"bound to SHA-1", PSS_OID "3000", "3006 020123 020103", TN_E_KEY_UNSUPPORTED},
      {"with NULL", PSS_OID "0500", "3006 020123 020103", TN_E_KEY_INVALID},
      {"bound badly", PSS_OID "3002 a000", "3006 020123 020103", TN_E_KEY_INVALID},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    bytes algorithm = bytes_from_hex(rows[i].algorithm), body = bytes_from_hex(rows[i].key);
    uint8_t der[200];
    tn_writer w = tn_writer_fixed(der, sizeof der);
    size_t spki = tn_der_open(&w, TN_DER_SEQUENCE);
    tn_der_write(&w, TN_DER_SEQUENCE, bytes_span(algorithm));
    tn_der_write_bit_bytes(&w, TN_DER_BIT_STRING, bytes_span(body));
    tn_der_close(&w, spki);
    tn_public_key key;
    const tn_result r = tn_spki_public_key(tn_writer_span(&w), &key);
    if (r.reason != rows[i].reason) fail_msg("%s: %s", rows[i].what, tn_reason_name(r.reason));
    if (tn_ok(r)) {
      uint8_t again[200];
      tn_writer to = tn_writer_fixed(again, sizeof again);
      assert_int_equal(key.modulus.n, 1);
      assert_int_equal(key.exponent.n, 1);
      assert_int_equal(key.exponent.p[0], 3);
      assert_int_equal(key.pss.salt_len, strcmp(rows[i].what, "bound") == 0 ? 32 : 0);
      tn_spki_write(&to, &key);
      assert_int_equal(to.len, w.len);
      assert_memory_equal(again, der, w.len);
    }
    bytes_free(&algorithm);
    bytes_free(&body);
  }
}

// ---------------------------------------------------------------- signatures' identifiers

static void reads_signature_algorithms(void **state) {
  (void)state;
#define PSS_SHA256(salt) PSS_OID "3034 a00f 300d" SHA256 "0500 a11c 301a" MGF1 "300d" SHA256 "0500 a203 0201" salt
  static const struct {
    const char *hex;
    tn_key_type type;
    const tn_sign_scheme *scheme;  // NULL: means nothing
    size_t salt_len;
  } rows[] = {
      {"06092a864886f70d01010b 0500", TN_KEY_RSA, &tn_rsa_pkcs1_sha256, 0},
      {"06092a864886f70d01010b", TN_KEY_RSA, &tn_rsa_pkcs1_sha256, 0},
      {"06092a864886f70d01010c 0500", TN_KEY_RSA, &tn_rsa_pkcs1_sha384, 0},
      {"06092a864886f70d01010d 0500", TN_KEY_RSA, &tn_rsa_pkcs1_sha512, 0},
      {"06092a864886f70d01010b 0500", TN_KEY_RSA_PSS, NULL, 0},
      {"06092a864886f70d01010b 0500", TN_KEY_P256, NULL, 0},
      {"06092a864886f70d01010b 3000", TN_KEY_RSA, NULL, 0},
      {"06092a864886f70d01010b 050100", TN_KEY_RSA, NULL, 0},
      {"06092a864886f70d01010e 0500", TN_KEY_RSA, NULL, 0},  // SHA-224
      {"06092a864886f70d010105 0500", TN_KEY_RSA, NULL, 0},  // SHA-1
      {"06092a864886f70d010104 0500", TN_KEY_RSA, NULL, 0},  // MD5
      {"06092a864886f70d010101 0500", TN_KEY_RSA, NULL, 0},
      {PSS_SHA256("20"), TN_KEY_RSA, &tn_rsa_pss_rsae_sha256, 32},
      {PSS_SHA256("20"), TN_KEY_RSA_PSS, &tn_rsa_pss_pss_sha256, 32},
      {PSS_SHA256("40"), TN_KEY_RSA, &tn_rsa_pss_rsae_sha256, 64},
      {PSS_SHA256("20"), TN_KEY_P256, NULL, 0},
      {PSS_OID, TN_KEY_RSA, NULL, 0},
      {PSS_OID "3000", TN_KEY_RSA, NULL, 0},
      {PSS_OID "0500", TN_KEY_RSA_PSS, NULL, 0},
      {"06082a8648ce3d040302", TN_KEY_P256, &tn_ecdsa_secp256r1_sha256, 0},
      {"06082a8648ce3d040302 0500", TN_KEY_P256, NULL, 0},
      {"06082a8648ce3d040302", TN_KEY_RSA, NULL, 0},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    bytes body = bytes_from_hex(rows[i].hex);
    uint8_t der[200];
    tn_writer w = tn_writer_fixed(der, sizeof der);
    tn_der_write(&w, TN_DER_SEQUENCE, bytes_span(body));
    tn_signature how = {0};
    const bool found = tn_signature_find(tn_writer_span(&w), rows[i].type, &how);
    if (found != (rows[i].scheme != NULL)) fail_msg("%s for type %d", rows[i].hex, rows[i].type);
    if (found) {
      assert_ptr_equal(how.scheme, rows[i].scheme);
      assert_int_equal(how.salt_len, rows[i].salt_len);
    }
    bytes_free(&body);
  }
}

// ---------------------------------------------------------------- libcrypto's certificates

static EVP_PKEY *rsa[2], *pss_key;

static int setup(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(rsa); i++) rsa[i] = EVP_RSA_gen(2048);
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA-PSS", NULL);
  assert_int_equal(EVP_PKEY_keygen_init(ctx), 1);
  assert_int_equal(EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, 2048), 1);
  assert_int_equal(EVP_PKEY_generate(ctx, &pss_key), 1);
  EVP_PKEY_CTX_free(ctx);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(rsa); i++) EVP_PKEY_free(rsa[i]);
  EVP_PKEY_free(pss_key);
  return 0;
}

#define LEAF "basicConstraints=CA:FALSE"

// A certificate signed with these options: the hash, and for PSS the mask's hash and the salt's length.
static bytes signed_so(EVP_PKEY *key, const char *md, const char *mgf, int salt_len) {
  bytes plain = x509_issue("L", rsa[1], "R", rsa[0], NOW, NOW + DAY, LEAF, EVP_sha256());
  const unsigned char *p = plain.p;
  X509 *x = d2i_X509(NULL, &p, (long)plain.n);
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  EVP_PKEY_CTX *how;
  assert_int_equal(EVP_DigestSignInit_ex(ctx, &how, md, NULL, NULL, key, NULL), 1);
  if (mgf != NULL) {
    assert_int_equal(EVP_PKEY_CTX_set_rsa_padding(how, RSA_PKCS1_PSS_PADDING), 1);
    assert_int_equal(EVP_PKEY_CTX_set_rsa_mgf1_md_name(how, mgf, NULL), 1);
    assert_int_equal(EVP_PKEY_CTX_set_rsa_pss_saltlen(how, salt_len), 1);
  }
  assert_true(X509_sign_ctx(x, ctx) > 0);
  bytes out = {NULL, 0};
  out.n = (size_t)i2d_X509(x, &out.p);
  EVP_MD_CTX_free(ctx);
  X509_free(x);
  OPENSSL_free(plain.p);
  return out;
}

static bytes spki_of(EVP_PKEY *key) {
  bytes out = {NULL, 0};
  out.n = (size_t)i2d_PUBKEY(key, &out.p);
  return out;
}

static void verifies_libcryptos(void **state) {
  (void)state;
  static const struct {
    const char *md, *mgf;
    int salt_len;
    const char *name;
    tn_reason reason;
  } rows[] = {
      {"SHA256", NULL, 0, "sha256WithRSAEncryption", TN_E_NONE},
      {"SHA384", NULL, 0, "sha384WithRSAEncryption", TN_E_NONE},
      {"SHA512", NULL, 0, "sha512WithRSAEncryption", TN_E_NONE},
      {"SHA224", NULL, 0, "sha224WithRSAEncryption", TN_E_CERT_SIGNATURE_SCHEME},
      {"SHA1", NULL, 0, "sha1WithRSAEncryption", TN_E_CERT_SIGNATURE_SCHEME},
      {"MD5", NULL, 0, "md5WithRSAEncryption", TN_E_CERT_SIGNATURE_SCHEME},
      {"SHA256", "SHA256", 32, "RSASSA-PSS", TN_E_NONE},
      {"SHA384", "SHA384", 48, "RSASSA-PSS", TN_E_NONE},
      {"SHA512", "SHA512", 64, "RSASSA-PSS", TN_E_NONE},
      {"SHA256", "SHA256", 20, "RSASSA-PSS", TN_E_NONE},
      {"SHA256", "SHA256", 0, "RSASSA-PSS", TN_E_NONE},
      {"SHA256", "SHA256", 222, "RSASSA-PSS", TN_E_NONE},
      {"SHA256", "SHA1", 32, "RSASSA-PSS", TN_E_CERT_SIGNATURE_SCHEME},
      {"SHA1", "SHA1", 20, "RSASSA-PSS", TN_E_CERT_SIGNATURE_SCHEME},
  };
  for (size_t i = 0; i < COUNT(rows); i++)
    for (int restricted = 0; restricted <= (rows[i].mgf != NULL); restricted++) {
      EVP_PKEY *signer = restricted ? pss_key : rsa[0];
      bytes der = signed_so(signer, rows[i].md, rows[i].mgf, rows[i].salt_len), spki = spki_of(signer),
            other_spki = spki_of(rsa[1]);
      tn_cert cert;
      tn_public_key key, other;
      assert_ok(tn_cert_parse(&cert, bytes_span(der)));
      assert_string_equal(tn_cert_signature_name(&cert), rows[i].name);
      assert_ok(tn_spki_public_key(bytes_span(spki), &key));
      assert_ok(tn_spki_public_key(bytes_span(other_spki), &other));
      const tn_result r = tn_cert_check_signature(&cert, &key);
      if (r.reason != rows[i].reason)
        fail_msg("%s %s %d: %s", rows[i].md, rows[i].name, rows[i].salt_len, tn_reason_name(r.reason));
      if (tn_ok(r)) {
        assert_fails(tn_cert_check_signature(&cert, &other), CERT_SIGNATURE);
        der.p[der.n - 1] ^= 1;
        assert_fails(tn_cert_check_signature(&cert, &key), CERT_SIGNATURE);
        der.p[der.n - 1] ^= 1;
        der.p[20] ^= 1;
        assert_fails(tn_cert_check_signature(&cert, &key), CERT_SIGNATURE);
      }
      // What a key is bound to holds for certificates as well.
      if (restricted && tn_ok(r)) {
        der.p[20] ^= 1;
        key.pss = (tn_pss_params){&tn_sha256, 32};
        const bool fits = strcmp(rows[i].md, "SHA256") == 0 && rows[i].salt_len >= 32;
        assert_int_equal(tn_cert_check_signature(&cert, &key).reason, fits ? TN_E_NONE : TN_E_CERT_SIGNATURE_SCHEME);
      }
      OPENSSL_free(der.p);
      OPENSSL_free(spki.p);
      OPENSSL_free(other_spki.p);
    }
}

// ---------------------------------------------------------------- our certificates

static EVP_PKEY *as_evp(const tn_key *key) {
  uint8_t der[TN_KEY_MAX_DER];
  size_t n = sizeof der;
  assert_ok(tn_key_to_pkcs8(key, der, &n));
  const unsigned char *p = der;
  EVP_PKEY *evp = d2i_AutoPrivateKey(NULL, &p, (long)n);
  assert_non_null(evp);
  return evp;
}

static void libcrypto_verifies_ours(void **state) {
  (void)state;
  static const struct {
    const char *type, *key_name, *signature_name;
  } rows[] = {{"p256", "ECDSA P-256", "ecdsa-with-SHA256"},        {"p384", "ECDSA P-384", "ecdsa-with-SHA384"},
              {"p521", "ECDSA P-521", "ecdsa-with-SHA512"},        {"ed25519", "Ed25519", "Ed25519"},
              {"rsa-2048", "RSA 2048", "sha256WithRSAEncryption"}, {"rsa-2112", "RSA", "sha256WithRSAEncryption"},
              {"rsa-3072", "RSA 3072", "sha256WithRSAEncryption"}, {"rsa-4096", "RSA 4096", "sha256WithRSAEncryption"},
              {"rsa-pss-2048", "RSA-PSS 2048", "RSASSA-PSS"}};
  tn_key *keys[COUNT(rows)];
  EVP_PKEY *evp[COUNT(rows)];
  for (size_t i = 0; i < COUNT(rows); i++) {
    assert_ok(tn_key_generate(NULL, rows[i].type, &keys[i]));
    evp[i] = as_evp(keys[i]);
  }
  for (size_t i = 0; i < COUNT(rows); i++) {
    static uint8_t root_der[4096], leaf_der[4096];
    size_t root_n = sizeof root_der, leaf_n = sizeof leaf_der, leaf_key = (i + 1) % COUNT(rows);
    tn_cert root, leaf;
    const tn_span names[] = {text_span("l.test")};
    const tn_cert_spec ca = {.common_name = text_span("R"), .not_before = NOW, .not_after = NOW + DAY, .is_ca = true},
                       end = {.dns_names = names, .n_dns_names = 1, .not_before = NOW, .not_after = NOW + DAY};
    assert_ok(tn_cert_make(&ca, keys[i], NULL, NULL, root_der, &root_n));
    assert_ok(tn_cert_parse(&root, tn_span_of(root_der, root_n)));
    assert_ok(tn_cert_make(&end, keys[leaf_key], &root, keys[i], leaf_der, &leaf_n));
    assert_ok(tn_cert_parse(&leaf, tn_span_of(leaf_der, leaf_n)));
    assert_string_equal(tn_cert_key_name(&root), rows[i].key_name);
    assert_string_equal(tn_cert_signature_name(&root), rows[i].signature_name);
    assert_string_equal(tn_cert_signature_name(&leaf), rows[i].signature_name);
    assert_true(tn_key_is_of(keys[i], &root) && tn_key_is_of(keys[leaf_key], &leaf) && !tn_key_is_of(keys[i], &leaf));
    assert_int_equal(leaf.key_usage, tn_key_get_type(keys[leaf_key]) == TN_KEY_RSA
                                         ? TN_KU_DIGITAL_SIGNATURE | TN_KU_KEY_ENCIPHERMENT
                                         : TN_KU_DIGITAL_SIGNATURE);

    const unsigned char *p = leaf_der;
    X509 *x = d2i_X509(NULL, &p, (long)leaf_n);
    assert_int_equal(X509_verify(x, evp[i]), 1);
    assert_int_equal(X509_check_private_key(x, evp[leaf_key]), 1);
    X509_free(x);
    tn_trust *trust;
    tn_verdict v;
    const tn_span chain[] = {tn_span_of(leaf_der, leaf_n)};
    assert_ok(tn_trust_new(NULL, &trust));
    assert_ok(tn_trust_add_der(trust, root.der));
    const tn_verify_params params = {
        .trust = trust, .now = NOW, .name = text_span("l.test"), .n_chain = 1, .chain = chain};
    assert_ok(tn_verify(&params, &v));
    tn_trust_unref(trust);

    // As an identity, which has a copy of the key.
    tn_identity *id;
    assert_ok(tn_identity_from_der(NULL, root.der, keys[i], &id));
    tn_identity_unref(id);
    assert_fails(tn_identity_from_der(NULL, root.der, keys[leaf_key], &id), KEY_MISMATCH);
  }
  for (size_t i = 0; i < COUNT(rows); i++) {
    tn_key_free(keys[i]);
    EVP_PKEY_free(evp[i]);
  }
}

// ---------------------------------------------------------------- keys that are too short

static void short_keys_prove_nothing(void **state) {
  (void)state;
#define CA "basicConstraints=critical,CA:TRUE"
  EVP_PKEY *weak[] = {EVP_RSA_gen(1024), EVP_RSA_gen(2047)}, *good = rsa[0];
  for (size_t i = 0; i < COUNT(weak); i++) {
    const struct {
      EVP_PKEY *root, *middle, *leaf;
      uint8_t depth;
      bool is_anchor;
    } rows[] = {{weak[i], good, good, 2, false},
                {good, weak[i], good, 1, false},
                {good, good, weak[i], 0, false},
                {good, good, weak[i], 0, true}};
    for (size_t j = 0; j < COUNT(rows); j++) {
      bytes root = x509_issue("R", rows[j].root, "R", rows[j].root, NOW, NOW, CA, EVP_sha256()),
            middle = x509_issue("M", rows[j].middle, "R", rows[j].root, NOW, NOW, CA, EVP_sha256()),
            leaf = x509_issue("L", rows[j].leaf, "M", rows[j].middle, NOW, NOW, LEAF, EVP_sha256());
      tn_trust *trust;
      tn_verdict v;
      const tn_span chain[] = {bytes_span(leaf), bytes_span(middle)};
      assert_ok(tn_trust_new(NULL, &trust));
      assert_ok(tn_trust_add_der(trust, bytes_span(rows[j].is_anchor ? leaf : root)));
      const tn_verify_params params = {.trust = trust, .now = NOW, .any_name = true, .n_chain = 2, .chain = chain};
      assert_fails(tn_verify(&params, &v), CERT_WEAK_KEY);
      assert_int_equal(v.depth, rows[j].depth);
      assert_non_null(strstr(v.text, i == 0 ? "too short to be safe, RSA 1024" : "too short to be safe, RSA"));
      tn_trust_unref(trust);
      OPENSSL_free(root.p);
      OPENSSL_free(middle.p);
      OPENSSL_free(leaf.p);
    }
    EVP_PKEY_free(weak[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_parameters_of_pss),    cmocka_unit_test(reads_public_keys),
      cmocka_unit_test(reads_signature_algorithms), cmocka_unit_test(verifies_libcryptos),
      cmocka_unit_test(libcrypto_verifies_ours),    cmocka_unit_test(short_keys_prove_nothing),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
