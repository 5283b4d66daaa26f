#include "crypto/sign.h"
#include "pki/der_write.h"
#include "pki/signature.h"
#include "pki/spki.h"
#include "pki_support.h"

// ---------------------------------------------------------------- allocations, counted

#if !defined(__SANITIZE_ADDRESS__) && !defined(TN_CT_CHECK)
#define COUNTS_ALLOCATIONS
static size_t allocations;
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t m);
void *malloc(size_t n) {
  allocations++;
  return __libc_malloc(n);
}
void *calloc(size_t n, size_t m) {
  allocations++;
  return __libc_calloc(n, m);
}
#endif

// ---------------------------------------------------------------- samples

#define LEAF_EXTENSIONS                                                                                \
  "basicConstraints=critical,CA:FALSE;keyUsage=critical,digitalSignature;extendedKeyUsage=serverAuth;" \
  "subjectAltName=DNS:example.org,IP:127.0.0.1,email:a@example.org,URI:https://example.org;"           \
  "subjectKeyIdentifier=hash;certificatePolicies=DER:3007300506032a0304;1.2.3.5=DER:0500"

static EVP_PKEY *p256;

static int setup(void **state) {
  (void)state;
  p256 = new_evp_key("P-256");
  return 0;
}

static int teardown(void **state) {
  (void)state;
  EVP_PKEY_free(p256);
  return 0;
}

static bytes sample(const char *extensions) {
  return x509_issue("leaf", p256, "issuer", p256, NOW, NOW + DAY, extensions, EVP_sha256());
}

static void reads_what_libcrypto_wrote(void **state) {
  (void)state;
  bytes der = sample(LEAF_EXTENSIONS);
  tn_cert c;
  assert_ok(tn_cert_parse(&c, bytes_span(der)));
  const unsigned char *p = der.p;
  X509 *x = d2i_X509(NULL, &p, (long)der.n);
  tn_span cn;
  assert_int_equal(c.version, 3);
  assert_int_equal(c.serial.n, 2);
  assert_memory_equal(c.serial.p, "\x12\x67", 2);
  assert_int_equal(c.not_before, NOW);
  assert_int_equal(c.not_after, NOW + DAY);
  assert_true(tn_name_common_name(c.subject, &cn) && cn.n == 4 && memcmp(cn.p, "leaf", 4) == 0);
  assert_true(tn_name_common_name(c.issuer, &cn) && cn.n == 6 && memcmp(cn.p, "issuer", 6) == 0);
  assert_true(c.has_basic_constraints && !c.is_ca && !c.has_path_len);
  assert_true(c.has_key_usage && c.key_usage == TN_KU_DIGITAL_SIGNATURE);
  assert_true(c.has_ext_key_usage && c.ext_key_usage == TN_EKU_SERVER_AUTH);
  assert_false(c.has_name_constraints || c.has_unknown_critical);
  assert_true(tn_cert_matches(&c, text_span("example.org")) && tn_cert_matches(&c, text_span("127.0.0.1")));
  const ASN1_OCTET_STRING *id = X509_get0_subject_key_id(x);
  assert_int_equal(c.subject_key_id.n, id->length);
  assert_memory_equal(c.subject_key_id.p, id->data, c.subject_key_id.n);
  uint8_t fingerprint[32], want[32];
  unsigned n = 32;
  tn_cert_fingerprint(&c, fingerprint);
  assert_int_equal(X509_digest(x, EVP_sha256(), want, &n), 1);
  assert_memory_equal(fingerprint, want, 32);
  unsigned char *tbs = NULL;
  int tbs_n = i2d_re_X509_tbs(x, &tbs);
  assert_int_equal(tbs_n, c.tbs.n);
  assert_memory_equal(tbs, c.tbs.p, c.tbs.n);
  OPENSSL_free(tbs);
  X509_free(x);
  OPENSSL_free(der.p);
}

// Certificates of every kind of key parse; only those that we can use give a public key.
static void reads_every_kind_of_key(void **state) {
  (void)state;
  struct {
    EVP_PKEY *key;
    const char *name, *signature;
    const EVP_MD *md;
    tn_reason reason;
  } rows[] = {
      {new_evp_key("P-256"), "ECDSA P-256", "ecdsa-with-SHA512", EVP_sha512(), TN_E_NONE},
      {new_evp_key("P-384"), "ECDSA P-384", "ecdsa-with-SHA384", EVP_sha384(), TN_E_NONE},
      {new_evp_key("P-521"), "ECDSA P-521", "ecdsa-with-SHA256", EVP_sha256(), TN_E_NONE},
      {new_evp_key("secp256k1"), "unknown", "ecdsa-with-SHA256", EVP_sha256(), TN_E_KEY_UNSUPPORTED},
      {EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)1024), "RSA 1024", "sha256WithRSAEncryption", EVP_sha256(),
       TN_E_NONE},
      {EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"), "Ed25519", "Ed25519", NULL, TN_E_NONE},
      {EVP_PKEY_Q_keygen(NULL, NULL, "ED448"), "Ed448", "Ed448", NULL, TN_E_KEY_UNSUPPORTED},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    bytes der = x509_issue("x", rows[i].key, "x", rows[i].key, NOW, NOW + DAY, "", rows[i].md);
    tn_cert c;
    tn_public_key key;
    assert_ok(tn_cert_parse(&c, bytes_span(der)));
    assert_int_equal(c.version, 1);
    assert_string_equal(tn_cert_key_name(&c), rows[i].name);
    assert_string_equal(tn_cert_signature_name(&c), rows[i].signature);
    assert_int_equal(tn_cert_public_key(&c, &key).reason, rows[i].reason);
    if (rows[i].reason == TN_E_NONE) assert_ok(tn_cert_check_signature(&c, &key));
    OPENSSL_free(der.p);
    EVP_PKEY_free(rows[i].key);
  }
}

static void knows_its_extensions(void **state) {
  (void)state;
  static const struct {
    const char *extensions;
    tn_reason reason;
  } rows[] = {
      {"basicConstraints=critical,CA:TRUE,pathlen:3", TN_E_NONE},
      {"basicConstraints=DER:3000", TN_E_NONE},
      {"basicConstraints=DER:3003010100", TN_E_NONE},
      {"basicConstraints=DER:3003010101", TN_E_CERT_MALFORMED},
      {"basicConstraints=DER:30060101ff0201ff", TN_E_CERT_MALFORMED},
      {"basicConstraints=DER:30080101ff0203000001", TN_E_CERT_MALFORMED},
      {"basicConstraints=DER:30060101ff020105", TN_E_NONE},
      {"basicConstraints=DER:30080101ff0201050500", TN_E_CERT_MALFORMED},
      {"basicConstraints=DER:30000500", TN_E_CERT_MALFORMED},
      {"basicConstraints=DER:0500", TN_E_CERT_MALFORMED},
      {"keyUsage=DER:03020780", TN_E_NONE},
      {"keyUsage=DER:0303070080", TN_E_NONE},
      {"keyUsage=DER:030100", TN_E_CERT_MALFORMED},
      {"keyUsage=DER:03020700", TN_E_CERT_MALFORMED},
      {"keyUsage=DER:0304000000ff", TN_E_CERT_MALFORMED},
      {"extendedKeyUsage=DER:3000", TN_E_CERT_MALFORMED},
      {"extendedKeyUsage=DER:30020600", TN_E_CERT_MALFORMED},
      {"extendedKeyUsage=1.2.3.4", TN_E_NONE},
      {"subjectAltName=DER:3000", TN_E_CERT_MALFORMED},
      {"subjectAltName=DER:30038201ff", TN_E_CERT_MALFORMED},
      {"subjectAltName=DER:30058703010203", TN_E_CERT_MALFORMED},
      {"subjectAltName=DER:300387017f", TN_E_CERT_MALFORMED},
      {"subjectAltName=DER:3003890161", TN_E_CERT_MALFORMED},
      {"subjectAltName=DER:3003820161", TN_E_NONE},
      {"subjectAltName=DER:3003880161", TN_E_NONE},
      {"subjectKeyIdentifier=DER:0500", TN_E_CERT_MALFORMED},
      {"subjectKeyIdentifier=critical,DER:040101", TN_E_CERT_MALFORMED},
      {"authorityKeyIdentifier=DER:3000", TN_E_NONE},
      {"authorityKeyIdentifier=DER:3003800101", TN_E_NONE},
      {"authorityKeyIdentifier=DER:3003820101", TN_E_CERT_MALFORMED},
      {"authorityKeyIdentifier=critical,DER:3003800101", TN_E_CERT_MALFORMED},
      {"nameConstraints=DER:3000", TN_E_CERT_MALFORMED},
      {"certificatePolicies=critical,DER:3007300506032a0304", TN_E_NONE},
      {"certificatePolicies=DER:3000", TN_E_CERT_MALFORMED},
      {"1.2.3.4=DER:00", TN_E_NONE},
      {"1.2.3.4=critical,DER:00", TN_E_NONE},
      {"1.2.3.4=DER:00;1.2.3.4=DER:00", TN_E_CERT_MALFORMED},
      {"keyUsage=DER:03020780;keyUsage=DER:03020780", TN_E_CERT_MALFORMED},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    bytes der = sample(rows[i].extensions);
    tn_cert c;
    tn_result r = tn_cert_parse(&c, bytes_span(der));
    if (r.reason != rows[i].reason) fail_msg("%s: %s", rows[i].extensions, tn_reason_name(r.reason));
    if (!tn_ok(r)) assert_null(c.der.p);
    OPENSSL_free(der.p);
  }
}

static void tells_what_is_critical(void **state) {
  (void)state;
  static const struct {
    const char *extensions;
    bool unknown_critical, constraints;
  } rows[] = {{"1.2.3.4=critical,DER:0500", true, false},
              {"1.2.3.4=DER:0500", false, false},
              {"policyConstraints=critical,DER:3003800100", true, false},
              {"certificatePolicies=critical,DER:3007300506032a0304", false, false},
              {"nameConstraints=critical,DER:300da00b30098207666f6f2e636f6d", false, true},
              {"nameConstraints=DER:300da00b30098207666f6f2e636f6d", false, true}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    bytes der = sample(rows[i].extensions);
    tn_cert c;
    assert_ok(tn_cert_parse(&c, bytes_span(der)));
    assert_int_equal(c.has_unknown_critical, rows[i].unknown_critical);
    assert_int_equal(c.has_name_constraints, rows[i].constraints);
    OPENSSL_free(der.p);
  }
}

// ---------------------------------------------------------------- certificates in pieces

// A certificate written field by field, one of them odd.
static const struct {
  const char *what;
  const char *version, *inner, *outer, *validity, *subject, *tail, *after;  // hex; NULL is the usual
  tn_reason reason;
} pieces[] = {
    {.what = "usual"},
    {.what = "v2", .version = "a003020101"},
    {.what = "v1 said though it is the default", .version = "a003020100", .reason = TN_E_CERT_MALFORMED},
    {.what = "v4", .version = "a003020103", .reason = TN_E_CERT_MALFORMED},
    {.what = "a negative version", .version = "a0030201ff", .reason = TN_E_DER},
    {.what = "version and more", .version = "a0050201020500", .reason = TN_E_DER},
    {.what = "algorithms differ", .inner = "300a06082a8648ce3d040303", .reason = TN_E_CERT_MALFORMED},
    {.what = "parameters differ", .inner = "300c06082a8648ce3d0403020500", .reason = TN_E_CERT_MALFORMED},
    {.what = "algorithm with two parameters",
     .inner = "300e06082a8648ce3d04030205000500",
     .outer = "300e06082a8648ce3d04030205000500",
     .reason = TN_E_DER},
    {.what = "one date", .validity = "300f170d3235303130313030303030305a", .reason = TN_E_DER},
    {.what = "empty subject", .subject = "3000"},
    {.what = "a set without attributes", .subject = "30023100", .reason = TN_E_DER},
    {.what = "an attribute without a value", .subject = "300931073005 0603550403", .reason = TN_E_DER},
    {.what = "unique ids", .tail = "8102 00ff 8202 00ff"},
    {.what = "unique ids the wrong way round", .tail = "8202 00ff 8102 00ff", .reason = TN_E_DER},
    {.what = "no extensions in their list", .tail = "a3023000", .reason = TN_E_CERT_MALFORMED},
    {.what = "extensions and more", .tail = "a30e300a30080603550401040100 0500", .reason = TN_E_DER},
    {.what = "an unknown extension", .tail = "a30c300a30080603550401040100"},
    {.what = "critical, said FALSE", .tail = "a30f300d300b0603550401010100040100"},
    {.what = "critical, not DER", .tail = "a30f300d300b0603550401010101040100", .reason = TN_E_DER},
    {.what = "an extension and more", .tail = "a30e300c300a06035504010401000500", .reason = TN_E_DER},
    {.what = "v2 with extensions",
     .version = "a003020101",
     .tail = "a30c300a30080603550401040100",
     .reason = TN_E_CERT_MALFORMED},
    {.what = "v1 with a unique id", .version = "", .tail = "810200ff", .reason = TN_E_CERT_MALFORMED},
    {.what = "a fifth field", .tail = "a4020500", .reason = TN_E_DER},
    {.what = "no subject, names critical", .subject = "3000", .tail = "a314301230100603551d110101ff040630048202612e"},
    {.what = "no subject, names not critical",
     .subject = "3000",
     .tail = "a311300f300d0603551d11040630048202612e",
     .reason = TN_E_CERT_MALFORMED},
    {.what = "bytes after it", .after = "00", .reason = TN_E_DER},
};

static void put_hex(tn_writer *w, const char *hex, const char *usual) {
  bytes b = bytes_from_hex(hex == NULL ? usual : hex);
  tn_write_span(w, bytes_span(b));
  bytes_free(&b);
}

static void reads_pieces_strictly(void **state) {
  (void)state;
  static const char ecdsa_sha256[] = "300a06082a8648ce3d040302", name[] = "300c310a30080603550403 0c0178";
  for (size_t i = 0; i < COUNT(pieces); i++) {
    uint8_t der[512];
    tn_writer w = tn_writer_fixed(der, sizeof der);
    size_t certificate = tn_der_open(&w, TN_DER_SEQUENCE), tbs = tn_der_open(&w, TN_DER_SEQUENCE);
    put_hex(&w, pieces[i].version, "a003020102");
    put_hex(&w, NULL, "020101");
    put_hex(&w, pieces[i].inner, ecdsa_sha256);
    put_hex(&w, NULL, name);
    put_hex(&w, pieces[i].validity, "301e170d3235303130313030303030305a170d3236303130313030303030305a");
    put_hex(&w, pieces[i].subject, name);
    put_hex(&w, NULL, "300a300506032b6570030100");
    put_hex(&w, pieces[i].tail, "");
    tn_der_close(&w, tbs);
    put_hex(&w, pieces[i].outer, ecdsa_sha256);
    put_hex(&w, NULL, "03020000");
    tn_der_close(&w, certificate);
    put_hex(&w, pieces[i].after, "");
    assert_ok(tn_writer_result(&w));
    tn_cert c;
    tn_result r = tn_cert_parse(&c, tn_writer_span(&w));
    if (r.reason != (pieces[i].reason == TN_E_UNSET ? TN_E_NONE : pieces[i].reason))
      fail_msg("%s: %s", pieces[i].what, tn_reason_name(r.reason));
  }
}

static void too_many_extensions_are_refused(void **state) {
  (void)state;
  tn_cert c;
  for (unsigned n = 63; n <= 65; n++) {
    uint8_t list[65 * 12];
    tn_writer w = tn_writer_fixed(list, sizeof list);
    for (unsigned i = 0; i < n; i++) {
      const uint8_t one[] = {0x30, 8, 6, 3, 0x55, 4, (uint8_t)i, 4, 1, 0};
      tn_write_bytes(&w, one, sizeof one);
    }
    tn_writer whole = tn_writer_growing(NULL, 4096);
    size_t certificate = tn_der_open(&whole, TN_DER_SEQUENCE), tbs = tn_der_open(&whole, TN_DER_SEQUENCE);
    put_hex(&whole, NULL, "a003020102 020101 300a06082a8648ce3d040302 3000");
    put_hex(&whole, NULL, "301e170d3235303130313030303030305a170d3236303130313030303030305a");
    put_hex(&whole, NULL, "3000 300a300506032b6570030100");
    size_t tagged = tn_der_open(&whole, 0xa3);
    tn_der_write(&whole, TN_DER_SEQUENCE, tn_writer_span(&w));
    tn_der_close(&whole, tagged);
    tn_der_close(&whole, tbs);
    put_hex(&whole, NULL, "300a06082a8648ce3d040302 03020000");
    tn_der_close(&whole, certificate);
    assert_int_equal(tn_ok(tn_cert_parse(&c, tn_writer_span(&whole))), n <= 64);
    tn_writer_free(&whole);
  }
}

// ---------------------------------------------------------------- hostile bytes

// Everything that looks at a certificate, on whatever parses.
static void look_at(tn_span der) {
  tn_cert c;
  if (!tn_ok(tn_cert_parse(&c, der))) {
    assert_null(c.der.p);
    return;
  }
  char text[64];
  tn_span name;
  tn_name_type type;
  tn_public_key key;
  size_t names = 0;
  (void)tn_name_text(c.subject, text, sizeof text);
  (void)tn_name_text(c.issuer, text, sizeof text);
  (void)tn_name_common_name(c.subject, &name);
  for (size_t at = 0; tn_cert_next_name(&c, &at, &type, &name);) names++;
  assert_int_equal(names != 0, c.alt_names.n != 0);
  (void)tn_cert_matches(&c, text_span("www.example.com"));
  (void)tn_cert_matches(&c, text_span("127.0.0.1"));
  (void)tn_cert_key_name(&c);
  (void)tn_cert_signature_name(&c);
  tn_result r = tn_cert_public_key(&c, &key);
  (void)r;
  char when[24];
  tn_time_text(c.not_after, when);
}

static void every_truncation_and_every_flip_does_no_harm(void **state) {
  (void)state;
  bytes der = sample(LEAF_EXTENSIONS);
  tn_cert c;
  for (size_t n = 0; n < der.n; n++) {
    uint8_t *copy = malloc(n + (n == 0));  // exactly that long, for the sanitizer
    memcpy(copy, der.p, n);
    assert_fails(tn_cert_parse(&c, tn_span_of(copy, n)), DER);
    free(copy);
  }
  uint8_t *copy = malloc(der.n);
  for (size_t at = 0; at < der.n; at++)
    for (int value = 1; value < 256; value += value < 8 ? 1 : 31) {
      memcpy(copy, der.p, der.n);
      copy[at] ^= (uint8_t)value;
      look_at(tn_span_of(copy, der.n));
    }
  free(copy);
  OPENSSL_free(der.p);
}

static void a_parse_allocates_nothing(void **state) {
  (void)state;
#ifdef COUNTS_ALLOCATIONS
  bytes der = sample(LEAF_EXTENSIONS);
  size_t before = allocations;
  look_at(bytes_span(der));
  tn_cert c;
  tn_result good = tn_cert_parse(&c, bytes_span(der));
  tn_result bad = tn_cert_parse(&c, tn_span_of(der.p, der.n - 1));
  size_t after = allocations;
  assert_ok(good);
  assert_false(tn_ok(bad));
  assert_int_equal(after, before);
  void *(*volatile allocate)(size_t) = malloc;  // that a compiler does not leave out
  free(allocate(1));
  assert_true(allocations > before);  // the count counts
  OPENSSL_free(der.p);
#else
  skip();
#endif
}

static void visit(tn_span file) {
  look_at(file);
  tn_span rest = file, label, body;
  while (tn_ok(tn_pem_next(&rest, NULL, &label, &body))) {
    size_t n = body.n / 4 * 3 + 3;
    uint8_t *der = malloc(n);
    if (tn_ok(tn_pem_decode(body, der, &n))) look_at(tn_span_of(der, n));
    free(der);
  }
}

static void corpora_do_no_harm(void **state) {
  (void)state;
  static const char *const folders[] = {"certs",
                                        "fuzz/openssl/x509",
                                        "fuzz/openssl/asn1",
                                        "fuzz/openssl/pem",
                                        "fuzz/boringssl/cert",
                                        "fuzz/boringssl/parse_certificate_fuzzer",
                                        "fuzz/boringssl/read_pem",
                                        "fuzz/boringssl/spki",
                                        "pkits"};
  for (size_t i = 0; i < COUNT(folders); i++) corpus_walk(folders[i], visit);
}

// What Mbed TLS refuses of hand-mutilated DER, we refuse. (It accepts more than DER: serial numbers under a foreign
// tag, times without seconds, empty object identifiers.)
static void refuses_what_mbedtls_refuses(void **state) {
  (void)state;
  // It parses here, and has_unknown_critical says what is wrong.
  static const char exception[] = "X509 CRT ASN1 (Unsupported critical extension)";
  json_t *rows = vectors_load("certs/mbedtls/x509parse_der.json"), *row;
  size_t i, refused = 0;
  json_array_foreach(rows, i, row) {
    const char *name = json_string_value(json_object_get(row, "name"));
    if (strcmp(json_string_value(json_object_get(row, "kind")), "x509parse_crt") != 0) continue;
    bytes der = json_hex(row, "der");
    tn_cert c;
    look_at(bytes_span(der));
    tn_result r = tn_cert_parse(&c, bytes_span(der));
    if (strcmp(name, exception) == 0) {
      assert_true(tn_ok(r) && c.has_unknown_critical);
    } else if (strcmp(json_string_value(json_object_get(row, "mbedtls_result")), "0") != 0) {
      if (tn_ok(r)) fail_msg("accepted: %s", name);
      refused++;
    }
    bytes_free(&der);
  }
  assert_true(refused > 100);
  json_decref(rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_what_libcrypto_wrote),
      cmocka_unit_test(reads_every_kind_of_key),
      cmocka_unit_test(knows_its_extensions),
      cmocka_unit_test(tells_what_is_critical),
      cmocka_unit_test(reads_pieces_strictly),
      cmocka_unit_test(too_many_extensions_are_refused),
      cmocka_unit_test(every_truncation_and_every_flip_does_no_harm),
      cmocka_unit_test(a_parse_allocates_nothing),
      cmocka_unit_test(corpora_do_no_harm),
      cmocka_unit_test(refuses_what_mbedtls_refuses),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
