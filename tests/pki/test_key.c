#include "crypto/ec/curve.h"
#include "pki/der_write.h"
#include "pki/key.h"
#include "pki_support.h"

// ---------------------------------------------------------------- against libcrypto

static void assert_same_key(const tn_key *key, EVP_PKEY *evp) {
  uint8_t point[TN_CURVE_MAX_POINT];
  size_t n;
  assert_int_equal(EVP_PKEY_get_octet_string_param(evp, "pub", point, sizeof point, &n), 1);
  tn_public_key public = tn_key_public(key);
  assert_int_equal(n, public.point.n);
  assert_memory_equal(point, public.point.p, n);
  BIGNUM *scalar = NULL;
  uint8_t octets[TN_CURVE_MAX_LEN];
  const int len = tn_key_curve(tn_key_get_type(key))->len;
  assert_int_equal(EVP_PKEY_get_bn_param(evp, "priv", &scalar), 1);
  assert_int_equal(BN_bn2binpad(scalar, octets, len), len);
  assert_memory_equal(octets, key->secret.scalar, len);
  BN_free(scalar);
}

static const struct {
  const char *name;
  tn_key_type type;
  size_t pkcs8_len, sec1_len;
} curves[] = {
    {"P-256", TN_KEY_P256, 138, 121},
    {"P-384", TN_KEY_P384, 185, 167},
    {"P-521", TN_KEY_P521, 241, 223},
};

static tn_key *new_key(size_t curve) {
  EVP_PKEY *evp = new_evp_key(curves[curve].name);
  BIO *bio = BIO_new(BIO_s_mem());
  char *data;
  tn_key *key;
  assert_int_equal(i2d_PrivateKey_bio(bio, evp), 1);
  long n = BIO_get_mem_data(bio, &data);
  assert_ok(tn_key_parse(NULL, tn_span_of(data, (size_t)n), &key));
  assert_int_equal(tn_key_get_type(key), curves[curve].type);
  BIO_free(bio);
  EVP_PKEY_free(evp);
  return key;
}

static void libcrypto_reads_ours(void **state) {
  (void)state;
  for (size_t i = 0; i < 8 * COUNT(curves); i++) {
    const size_t curve = i % COUNT(curves);
    tn_key *key;
    uint8_t der[300], pem[600];
    if (curve == 0)
      assert_ok(tn_key_generate_p256(NULL, &key));
    else
      key = new_key(curve);
    size_t n = sizeof der, pem_n = sizeof pem;
    assert_ok(tn_key_to_pkcs8(key, der, &n));
    assert_int_equal(n, curves[curve].pkcs8_len);
    const unsigned char *p = der;
    EVP_PKEY *evp = d2i_AutoPrivateKey(NULL, &p, (long)n);
    assert_non_null(evp);
    assert_same_key(key, evp);
    EVP_PKEY_free(evp);

    n = sizeof der;
    assert_ok(tn_key_to_sec1(key, der, &n));
    assert_int_equal(n, curves[curve].sec1_len);
    assert_ok(tn_pem_encode("EC PRIVATE KEY", tn_span_of(der, n), pem, &pem_n));
    BIO *bio = BIO_new_mem_buf(pem, (int)pem_n);
    evp = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
    assert_non_null(evp);
    assert_same_key(key, evp);
    EVP_PKEY_free(evp);
    BIO_free(bio);
    tn_key_free(key);
  }
}

// In a text, with other blocks and words before it.
static void assert_reads(BIO *bio, EVP_PKEY *evp) {
  char *data;
  long n = BIO_get_mem_data(bio, &data);
  tn_key *key;
  assert_ok(tn_key_parse(NULL, tn_span_of(data, (size_t)n), &key));
  assert_same_key(key, evp);
  tn_key_free(key);
  BIO_free(bio);
}

static void we_read_libcryptos(void **state) {
  (void)state;
  for (size_t i = 0; i < 8 * COUNT(curves); i++) {
    EVP_PKEY *evp = new_evp_key(curves[i % COUNT(curves)].name);
    BIO *bio = BIO_new(BIO_s_mem());
    BIO_puts(bio, "0 a comment\r\n-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n");
    assert_int_equal(PEM_write_bio_PrivateKey(bio, evp, NULL, NULL, 0, NULL, NULL), 1);
    assert_reads(bio, evp);
    bio = BIO_new(BIO_s_mem());
    assert_int_equal(PEM_write_bio_PrivateKey_traditional(bio, evp, NULL, NULL, 0, NULL, NULL), 1);
    assert_reads(bio, evp);
    bio = BIO_new(BIO_s_mem());
    assert_int_equal(i2d_PrivateKey_bio(bio, evp), 1);
    assert_reads(bio, evp);
    bio = BIO_new(BIO_s_mem());
    assert_int_equal(i2d_PKCS8PrivateKey_bio(bio, evp, NULL, NULL, 0, NULL, NULL), 1);
    assert_reads(bio, evp);
    // A compressed public key inside.
    assert_int_equal(EVP_PKEY_set_utf8_string_param(evp, "point-format", "compressed"), 1);
    bio = BIO_new(BIO_s_mem());
    assert_int_equal(i2d_PrivateKey_bio(bio, evp), 1);
    assert_int_equal(EVP_PKEY_set_utf8_string_param(evp, "point-format", "uncompressed"), 1);
    assert_reads(bio, evp);
    EVP_PKEY_free(evp);
  }
}

// RFC 8410: PKCS#8 of version 0, and of version 1, which has the public key too.
static void ed25519_keys(void **state) {
  (void)state;
  for (int i = 0; i < 10; i++) {
    EVP_PKEY *evp = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    uint8_t priv[32], pub[32], der[100], ours[100];
    size_t n = 32, ours_n = sizeof ours;
    unsigned char *at = der;
    assert_int_equal(EVP_PKEY_get_raw_private_key(evp, priv, &n), 1);
    assert_int_equal(EVP_PKEY_get_raw_public_key(evp, pub, &n), 1);
    const int len = i2d_PrivateKey(evp, &at);
    assert_int_equal(len, 48);
    tn_key *key;
    assert_ok(tn_key_parse(NULL, tn_span_of(der, (size_t)len), &key));
    assert_int_equal(tn_key_get_type(key), TN_KEY_ED25519);
    const tn_public_key public = tn_key_public(key);
    assert_int_equal(public.point.n, 32);
    assert_memory_equal(public.point.p, pub, 32);
    assert_memory_equal(key->secret.scalar, priv, 32);
    assert_ok(tn_key_to_pkcs8(key, ours, &ours_n));
    assert_int_equal(ours_n, len);
    assert_memory_equal(ours, der, ours_n);
    ours_n = sizeof ours;
    assert_fails(tn_key_to_sec1(key, ours, &ours_n), KEY_UNSUPPORTED);
    tn_key_free(key);

    BIO *bio = BIO_new(BIO_s_mem());
    char *text;
    assert_int_equal(PEM_write_bio_PrivateKey(bio, evp, NULL, NULL, 0, NULL, NULL), 1);
    const long text_n = BIO_get_mem_data(bio, &text);
    assert_ok(tn_key_parse(NULL, tn_span_of(text, (size_t)text_n), &key));
    tn_key_free(key);
    BIO_free(bio);

    // The public key behind it: [1] IMPLICIT BIT STRING; right, then wrong.
    der[1] += 35, der[4] = 1;
    memcpy(der + 48, (uint8_t[]){0x81, 33, 0}, 3);
    memcpy(der + 51, pub, 32);
    assert_ok(tn_key_parse(NULL, tn_span_of(der, 83), &key));
    tn_key_free(key);
    der[60] ^= 1;
    assert_fails(tn_key_parse(NULL, tn_span_of(der, 83), &key), KEY_INVALID);
    EVP_PKEY_free(evp);
  }
  // Of 31 bytes, with parameters, with a byte behind the key.
  tn_key *key;
  static const uint8_t prefix[] = {0x30, 45, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 33, 4, 31};
  uint8_t der[64] = {0};
  memcpy(der, prefix, sizeof prefix);
  assert_fails(tn_key_parse(NULL, tn_span_of(der, 47), &key), KEY_INVALID);
  memcpy(der, (uint8_t[]){0x30, 48, 2, 1, 0, 0x30, 7, 6, 3, 0x2b, 0x65, 0x70, 5, 0, 4, 34, 4, 32}, 18);
  assert_fails(tn_key_parse(NULL, tn_span_of(der, 50), &key), KEY_INVALID);
  memcpy(der, (uint8_t[]){0x30, 47, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 35, 4, 32}, 16);
  assert_fails(tn_key_parse(NULL, tn_span_of(der, 49), &key), DER);
}

static tn_result parse_bio(BIO *bio) {
  char *data;
  long n = BIO_get_mem_data(bio, &data);
  tn_key *key = NULL;
  tn_result r = tn_key_parse(NULL, tn_span_of(data, (size_t)n), &key);
  if (tn_ok(r)) tn_key_free(key);
  BIO_free(bio);
  return r;
}

static void says_what_it_cannot_use(void **state) {
  (void)state;
  EVP_PKEY *keys[] = {EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)1024), EVP_PKEY_Q_keygen(NULL, NULL, "ED448"),
                      new_evp_key("P-224"), new_evp_key("secp256k1")};
  for (size_t i = 0; i < COUNT(keys); i++) {
    BIO *bio = BIO_new(BIO_s_mem());
    const tn_reason why = i == 0 ? TN_E_KEY_SIZE : TN_E_KEY_UNSUPPORTED;
    PEM_write_bio_PrivateKey(bio, keys[i], NULL, NULL, 0, NULL, NULL);
    assert_int_equal(parse_bio(bio).reason, why);
    bio = BIO_new(BIO_s_mem());
    i2d_PKCS8PrivateKey_bio(bio, keys[i], NULL, NULL, 0, NULL, NULL);
    assert_int_equal(parse_bio(bio).reason, why);
    if (i == 1) continue;  // has no traditional form
    bio = BIO_new(BIO_s_mem());
    PEM_write_bio_PrivateKey_traditional(bio, keys[i], NULL, NULL, 0, NULL, NULL);
    assert_int_equal(parse_bio(bio).reason, why);
    bio = BIO_new(BIO_s_mem());
    i2d_PrivateKey_bio(bio, keys[i]);
    assert_int_equal(parse_bio(bio).reason, why);
  }
  for (size_t i = 0; i < COUNT(keys); i++) EVP_PKEY_free(keys[i]);

  EVP_PKEY *evp = new_evp_key("P-256");
  BIO *bio = BIO_new(BIO_s_mem());
  PEM_write_bio_PrivateKey(bio, evp, EVP_aes_128_cbc(), (const unsigned char *)"pw", 2, NULL, NULL);
  assert_fails(parse_bio(bio), KEY_ENCRYPTED);
  bio = BIO_new(BIO_s_mem());
  PEM_write_bio_PrivateKey_traditional(bio, evp, EVP_aes_128_cbc(), (const unsigned char *)"pw", 2, NULL, NULL);
  assert_fails(parse_bio(bio), KEY_ENCRYPTED);
  bio = BIO_new(BIO_s_mem());
  i2d_PKCS8PrivateKey_bio(bio, evp, EVP_aes_128_cbc(), "pw", 2, NULL, NULL);
  assert_fails(parse_bio(bio), KEY_ENCRYPTED);
  bio = BIO_new(BIO_s_mem());
  PEM_write_bio_PUBKEY(bio, evp);
  assert_fails(parse_bio(bio), NO_KEY_FOUND);
  // Curves by their parameters, not by name.
  EVP_PKEY_set_utf8_string_param(evp, "encoding", "explicit");
  bio = BIO_new(BIO_s_mem());
  i2d_PrivateKey_bio(bio, evp);
  assert_fails(parse_bio(bio), KEY_UNSUPPORTED);
  EVP_PKEY_free(evp);

  tn_key *key;
  assert_fails(tn_key_parse(NULL, text_span(""), &key), NO_KEY_FOUND);
  assert_fails(tn_key_parse(NULL, text_span("0 nothing"), &key), NO_KEY_FOUND);
  assert_fails(tn_key_parse(NULL, text_span("-----BEGIN PRIVATE KEY-----\nAQID\n"), &key), PEM);
  assert_fails(tn_key_parse(NULL, text_span("-----BEGIN PRIVATE KEY-----\n!\n-----END PRIVATE KEY-----\n"), &key), PEM);
  assert_fails(tn_key_parse(NULL, text_span("-----BEGIN PRIVATE KEY-----\nAQID\n-----END PRIVATE KEY-----\n"), &key),
               DER);
}

// ---------------------------------------------------------------- SEC1 in pieces

typedef struct {
  const char *what;
  uint32_t version;
  const char *scalar;
  const char *curve;   // an OID's hex; NULL: no parameters
  const char *public;  // hex; NULL: absent; "own": the right one
  tn_reason reason;
} sec1_row;

#define P256 "2a8648ce3d030107"
#define P384 "2b81040022"
#define P521 "2b81040023"
#define SECP256K1 "2b8104000a"
#define ORDER "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
#define ORDER_LESS_1 "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550"
#define ONE "0000000000000000000000000000000000000000000000000000000000000001"
#define G                                                              \
  "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" \
  "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"

static const sec1_row sec1_rows[] = {
    {"plain", 1, ONE, P256, G, TN_E_NONE},
    {"without its public half", 1, ONE, P256, NULL, TN_E_NONE},
    {"compressed", 1, ONE, P256, "036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296", TN_E_NONE},
    {"compressed, other parity", 1, ONE, P256, "026b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
     TN_E_KEY_INVALID},
    {"leading zeros stripped", 1, "01", P256, G, TN_E_NONE},
    {"n - 1", 1, ORDER_LESS_1, P256, NULL, TN_E_NONE},
    {"n", 1, ORDER, P256, NULL, TN_E_KEY_INVALID},
    {"zero", 1, "00", P256, NULL, TN_E_KEY_INVALID},
    {"no scalar", 1, "", P256, NULL, TN_E_KEY_INVALID},
    {"33 bytes", 1, "00" ONE, P256, NULL, TN_E_KEY_INVALID},
    {"another's public half", 1, "02", P256, G, TN_E_KEY_INVALID},
    {"empty public half", 1, ONE, P256, "", TN_E_KEY_INVALID},
    {"no curve", 1, ONE, NULL, G, TN_E_KEY_UNSUPPORTED},
    {"another curve", 1, ONE, SECP256K1, NULL, TN_E_KEY_UNSUPPORTED},
    {"on P-384", 1, "00000000000000000000000000000000" ONE, P384, NULL, TN_E_NONE},
    {"on P-384, leading zeros stripped", 1, ONE, P384, NULL, TN_E_NONE},
    {"on P-384, 49 bytes", 1, "0000000000000000000000000000000000" ONE, P384, NULL, TN_E_KEY_INVALID},
    {"on P-384, P-256's public half", 1, ONE, P384, G, TN_E_KEY_INVALID},
    {"on P-521", 1, "0000" ONE ONE, P521, NULL, TN_E_NONE},
    {"on P-521, beyond its bits", 1, "0200" ONE ONE, P521, NULL, TN_E_KEY_INVALID},
    {"on P-521, P-256's public half", 1, ONE, P521, G, TN_E_KEY_INVALID},
    {"version 2", 2, ONE, P256, G, TN_E_KEY_UNSUPPORTED},
};

static size_t write_sec1(uint8_t *buf, size_t room, const sec1_row *row) {
  tn_writer w = tn_writer_fixed(buf, room);
  bytes scalar = bytes_from_hex(row->scalar);
  size_t sequence = tn_der_open(&w, TN_DER_SEQUENCE);
  tn_der_write_small(&w, row->version);
  tn_der_write(&w, TN_DER_OCTET_STRING, bytes_span(scalar));
  if (row->curve != NULL) {
    bytes curve = bytes_from_hex(row->curve);
    size_t tag = tn_der_open(&w, 0xa0);
    tn_der_write(&w, TN_DER_OID, bytes_span(curve));
    tn_der_close(&w, tag);
    bytes_free(&curve);
  }
  if (row->public != NULL) {
    bytes point = bytes_from_hex(row->public);
    size_t tag = tn_der_open(&w, 0xa1);
    tn_der_write_bit_bytes(&w, TN_DER_BIT_STRING, bytes_span(point));
    tn_der_close(&w, tag);
    bytes_free(&point);
  }
  tn_der_close(&w, sequence);
  bytes_free(&scalar);
  assert_ok(tn_writer_result(&w));
  return w.len;
}

static void checks_scalars_and_public_halves(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(sec1_rows); i++) {
    uint8_t der[300];
    tn_key *key = NULL;
    tn_result r = tn_key_parse(NULL, tn_span_of(der, write_sec1(der, sizeof der, &sec1_rows[i])), &key);
    if (r.reason != sec1_rows[i].reason) fail_msg("%s: %s", sec1_rows[i].what, tn_reason_name(r.reason));
    if (tn_ok(r)) tn_key_free(key);
  }
}

// PKCS#8 with attributes, and RFC 5958's version 1 with the public key outside.
static void reads_pkcs8_in_its_forms(void **state) {
  (void)state;
  static const struct {
    const char *what;
    uint32_t version;
    bool attributes;
    const char *public;
    tn_reason reason;
  } rows[] = {
      {"plain", 0, false, NULL, TN_E_NONE},
      {"with attributes", 0, true, NULL, TN_E_NONE},
      {"v2", 1, false, G, TN_E_NONE},
      {"v2 with attributes", 1, true, G, TN_E_NONE},
      {"v2 of another key", 1, false, "00", TN_E_KEY_INVALID},
      {"v1 with a public key", 0, false, G, TN_E_DER},
      {"v3", 2, false, NULL, TN_E_KEY_UNSUPPORTED},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    uint8_t inner[200], der[400];
    static const sec1_row sec1 = {"", 1, ONE, NULL, NULL, TN_E_NONE};
    size_t inner_n = write_sec1(inner, sizeof inner, &sec1);
    tn_writer w = tn_writer_fixed(der, sizeof der);
    size_t sequence = tn_der_open(&w, TN_DER_SEQUENCE);
    tn_der_write_small(&w, rows[i].version);
    size_t algorithm = tn_der_open(&w, TN_DER_SEQUENCE);
    tn_der_write_oid(&w, TN_OID_EC_PUBLIC_KEY);
    tn_der_write_oid(&w, TN_OID_P256);
    tn_der_close(&w, algorithm);
    tn_der_write(&w, TN_DER_OCTET_STRING, tn_span_of(inner, inner_n));
    if (rows[i].attributes) tn_der_write(&w, 0xa0, text_span(""));
    if (rows[i].public != NULL) {
      bytes point = bytes_from_hex(rows[i].public);
      tn_der_write_bit_bytes(&w, 0x81, bytes_span(point));
      bytes_free(&point);
    }
    tn_der_close(&w, sequence);
    tn_key *key = NULL;
    tn_result r = tn_key_parse(NULL, tn_writer_span(&w), &key);
    if (r.reason != rows[i].reason) fail_msg("%s: %s", rows[i].what, tn_reason_name(r.reason));
    if (tn_ok(r)) tn_key_free(key);
  }
}

// ---------------------------------------------------------------- hostile bytes and a hostile machine

static void try_key(tn_span file) {
  tn_key *key = NULL;
  if (tn_ok(tn_key_parse(NULL, file, &key))) tn_key_free(key);
}

static void broken_keys_do_no_harm(void **state) {
  (void)state;
  tn_key *key;
  uint8_t der[200], pem[500];
  assert_ok(tn_key_generate_p256(NULL, &key));
  for (int form = 0; form < 2; form++) {
    size_t n = sizeof der, pem_n = sizeof pem;
    assert_ok(form == 0 ? tn_key_to_pkcs8(key, der, &n) : tn_key_to_sec1(key, der, &n));
    assert_ok(tn_pem_encode(form == 0 ? "PRIVATE KEY" : "EC PRIVATE KEY", tn_span_of(der, n), pem, &pem_n));
    for (size_t cut = 0; cut < n; cut++) {
      uint8_t *copy = malloc(cut + (cut == 0));
      memcpy(copy, der, cut);
      tn_key *none;
      tn_result r = tn_key_parse(NULL, tn_span_of(copy, cut), &none);
      assert_false(tn_ok(r));
      if (cut >= 5) assert_int_equal(r.reason, TN_E_DER);
      free(copy);
    }
    for (size_t at = 0; at < n; at++) {
      uint8_t copy[200];
      memcpy(copy, der, n);
      copy[at] ^= (uint8_t)(1 << at % 8);
      try_key(tn_span_of(copy, n));
    }
    for (size_t at = 0; at < pem_n; at++) {
      uint8_t copy[500];
      memcpy(copy, pem, pem_n);
      copy[at] ^= (uint8_t)(1 << at % 8);
      try_key(tn_span_of(copy, pem_n));
      try_key(tn_span_of(pem, at));
    }
    for (size_t room = 0; room < n; room++) {
      size_t small = room;
      assert_fails(form == 0 ? tn_key_to_pkcs8(key, der, &small) : tn_key_to_sec1(key, der, &small), NO_SPACE);
    }
  }
  tn_key_free(key);
}

static void corpora_do_no_harm(void **state) {
  (void)state;
  corpus_walk("fuzz/boringssl/privkey", try_key);
  corpus_walk("fuzz/boringssl/pkcs8", try_key);
  corpus_walk("fuzz/openssl/pem", try_key);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  tn_key *key = NULL, *copy = NULL;
  uint8_t der[200], pem[500];
  size_t n = sizeof der, pem_n = sizeof pem;
  assert_ok(tn_key_generate_p256(NULL, &key));
  assert_ok(tn_key_to_pkcs8(key, der, &n));
  assert_ok(tn_pem_encode("PRIVATE KEY", tn_span_of(der, n), pem, &pem_n));
  for (size_t fail_at = 1;; fail_at++) {
    counting c;
    counting_init(&c, fail_at);
    tn_result r = tn_key_parse(&c.allocator, tn_span_of(pem, pem_n), &copy);
    if (tn_ok(r)) {
      assert_true(fail_at > 2);
      tn_key_free(copy);
      assert_int_equal(c.live, 0);
      break;
    }
    assert_int_equal(r.reason, TN_E_NO_MEMORY);
    assert_int_equal(c.live, 0);
  }
  counting c;
  counting_init(&c, 1);
  assert_fails(tn_key_generate_p256(&c.allocator, &copy), NO_MEMORY);
  counting_init(&c, 1);
  assert_fails(tn_key_copy(&c.allocator, key, &copy), NO_MEMORY);
  tn_key_free(key);
}

static void signs_with_schemes_of_its_type(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(curves); i++) {
    tn_key *key = new_key(i);
    for (size_t k = 0; tn_sign_schemes[k] != NULL; k++) {
      const tn_sign_scheme *s = tn_sign_schemes[k];
      uint8_t sig[TN_SIGNATURE_MAX];
      size_t n = sizeof sig;
      if (s->key_type != curves[i].type) {
        assert_fails(tn_key_sign(key, s, NULL, text_span("hello"), sig, &n), BAD_ARGUMENT);
        continue;
      }
      assert_ok(tn_key_sign(key, s, NULL, text_span("hello"), sig, &n));
      tn_public_key public = tn_key_public(key);
      assert_ok(s->verify(&public, text_span("hello"), tn_span_of(sig, n)));
      assert_fails(s->verify(&public, text_span("hallo"), tn_span_of(sig, n)), BAD_SIGNATURE);
    }
    tn_key_free(key);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(libcrypto_reads_ours),
      cmocka_unit_test(we_read_libcryptos),
      cmocka_unit_test(ed25519_keys),
      cmocka_unit_test(says_what_it_cannot_use),
      cmocka_unit_test(checks_scalars_and_public_halves),
      cmocka_unit_test(reads_pkcs8_in_its_forms),
      cmocka_unit_test(broken_keys_do_no_harm),
      cmocka_unit_test(corpora_do_no_harm),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(signs_with_schemes_of_its_type),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
