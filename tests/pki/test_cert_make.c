#include "pki/key.h"
#include "pki_support.h"

static const uint8_t loopback4[] = {127, 0, 0, 1}, loopback6[16] = {[15] = 1};

static X509 *as_x509(const issued *i) {
  const unsigned char *p = i->der;
  X509 *x = d2i_X509(NULL, &p, (long)i->n);
  assert_non_null(x);
  assert_ptr_equal(p, i->der + i->n);
  return x;
}

static EVP_PKEY *as_evp(const tn_key *key) {
  uint8_t der[200];
  size_t n = sizeof der;
  assert_ok(tn_key_to_sec1(key, der, &n));
  const unsigned char *p = der;
  EVP_PKEY *evp = d2i_PrivateKey(EVP_PKEY_EC, NULL, &p, (long)n);
  assert_non_null(evp);
  return evp;
}

static void libcrypto_reads_a_self_signed_one(void **state) {
  (void)state;
  tn_span dns[] = {text_span("localhost"), text_span("*.example.org")};
  tn_span ips[] = {{loopback4, 4}, {loopback6, 16}};
  tn_cert_spec spec = {.common_name = text_span("localhost"),
                       .dns_names = dns,
                       .n_dns_names = 2,
                       .ip_addresses = ips,
                       .n_ip_addresses = 2,
                       .not_before = NOW - DAY,
                       .not_after = INT64_C(4102444800),  // 2100: past UTCTime
                       .ext_key_usage = TN_EKU_SERVER_AUTH | TN_EKU_CLIENT_AUTH};
  issued i;
  issue(&i, &spec, NULL);
  X509 *x = as_x509(&i);
  EVP_PKEY *evp = as_evp(i.key);
  assert_int_equal(X509_get_version(x), 2);
  assert_int_equal(X509_verify(x, evp), 1);
  assert_int_equal(X509_check_private_key(x, evp), 1);
  assert_int_equal(X509_check_host(x, "localhost", 0, 0, NULL), 1);
  assert_int_equal(X509_check_host(x, "a.example.org", 0, 0, NULL), 1);
  assert_int_equal(X509_check_host(x, "example.org", 0, 0, NULL), 0);
  assert_int_equal(X509_check_ip_asc(x, "127.0.0.1", 0), 1);
  assert_int_equal(X509_check_ip_asc(x, "::1", 0), 1);
  assert_int_equal(X509_check_ca(x), 0);
  assert_int_equal(X509_get_key_usage(x), KU_DIGITAL_SIGNATURE);
  assert_int_equal(X509_get_extended_key_usage(x), XKU_SSL_SERVER | XKU_SSL_CLIENT);
  assert_int_equal(X509_get_extension_flags(x) & (EXFLAG_INVALID | EXFLAG_CRITICAL), 0);
  assert_int_equal(ASN1_STRING_length(X509_get0_subject_key_id(x)), 20);
  assert_int_equal(ASN1_OCTET_STRING_cmp(X509_get0_subject_key_id(x), X509_get0_authority_key_id(x)), 0);
  const ASN1_INTEGER *serial = X509_get0_serialNumber(x);
  assert_int_equal(serial->length, 16);
  assert_int_equal(serial->type, V_ASN1_INTEGER);  // positive
  int days, seconds;
  ASN1_TIME *t = ASN1_TIME_set(NULL, (time_t)spec.not_before);
  assert_int_equal(ASN1_TIME_diff(&days, &seconds, t, X509_get0_notBefore(x)), 1);
  assert_true(days == 0 && seconds == 0);
  ASN1_TIME_set(t, (time_t)spec.not_after);
  assert_int_equal(ASN1_TIME_diff(&days, &seconds, t, X509_get0_notAfter(x)), 1);
  assert_true(days == 0 && seconds == 0);
  ASN1_TIME_free(t);

  // And we read it the same.
  assert_int_equal(i.cert.version, 3);
  assert_int_equal(i.cert.not_before, spec.not_before);
  assert_int_equal(i.cert.not_after, spec.not_after);
  assert_true(i.cert.has_basic_constraints && !i.cert.is_ca && i.cert.key_usage == TN_KU_DIGITAL_SIGNATURE);
  assert_int_equal(i.cert.ext_key_usage, TN_EKU_SERVER_AUTH | TN_EKU_CLIENT_AUTH);
  assert_string_equal(tn_cert_key_name(&i.cert), "ECDSA P-256");
  assert_string_equal(tn_cert_signature_name(&i.cert), "ecdsa-with-SHA256");
  EVP_PKEY_free(evp);
  X509_free(x);
  issued_free(&i);
}

// Whether libcrypto finds the chain good.
static int libcrypto_verifies(const issued *leaf, const issued *intermediate, const issued *root) {
  X509 *l = as_x509(leaf), *i = as_x509(intermediate), *r = as_x509(root);
  X509_STORE *store = X509_STORE_new();
  X509_STORE_add_cert(store, r);
  STACK_OF(X509) *chain = sk_X509_new_null();
  sk_X509_push(chain, i);
  X509_STORE_CTX *ctx = X509_STORE_CTX_new();
  X509_STORE_CTX_init(ctx, store, l, chain);
  X509_VERIFY_PARAM *param = X509_STORE_CTX_get0_param(ctx);
  X509_VERIFY_PARAM_set_time(param, (time_t)NOW);
  X509_VERIFY_PARAM_set_flags(param, X509_V_FLAG_X509_STRICT);
  X509_STORE_CTX_set_purpose(ctx, X509_PURPOSE_SSL_SERVER);
  int good = X509_verify_cert(ctx);
  if (good != 1) print_message("%s\n", X509_verify_cert_error_string(X509_STORE_CTX_get_error(ctx)));
  X509_STORE_CTX_free(ctx);
  sk_X509_free(chain);
  X509_STORE_free(store);
  X509_free(l);
  X509_free(i);
  X509_free(r);
  return good;
}

static void libcrypto_verifies_a_chain(void **state) {
  (void)state;
  tn_span host = text_span("example.org");
  issued root, intermediate, leaf;
  tn_cert_spec ca = {.common_name = text_span("Root"), .not_before = NOW - DAY, .not_after = NOW + DAY, .is_ca = true};
  issue(&root, &ca, NULL);
  ca.common_name = text_span("Intermédiaire");
  ca.has_path_len = true;
  issue(&intermediate, &ca, &root);
  assert_true(intermediate.cert.has_path_len && intermediate.cert.path_len == 0);
  // A leaf without a subject: its names are then critical.
  tn_cert_spec end = {.dns_names = &host,
                      .n_dns_names = 1,
                      .not_before = NOW - DAY,
                      .not_after = NOW + DAY,
                      .ext_key_usage = TN_EKU_SERVER_AUTH};
  issue(&leaf, &end, &intermediate);
  assert_int_equal(libcrypto_verifies(&leaf, &intermediate, &root), 1);
  X509 *x = as_x509(&leaf);
  int critical = 0;
  GENERAL_NAMES *names = X509_get_ext_d2i(x, NID_subject_alt_name, &critical, NULL);
  assert_non_null(names);
  assert_int_equal(critical, 1);
  GENERAL_NAMES_free(names);
  X509_free(x);

  tn_trust *trust;
  assert_ok(tn_trust_new(NULL, &trust));
  assert_ok(tn_trust_add_der(trust, root.cert.der));
  tn_span chain[] = {leaf.cert.der, intermediate.cert.der};
  tn_verify_params params = {.trust = trust, .now = NOW, .name = host, .n_chain = 2, .chain = chain};
  tn_verdict verdict;
  assert_ok(tn_verify(&params, &verdict));
  tn_trust_unref(trust);
  issued_free(&root);
  issued_free(&intermediate);
  issued_free(&leaf);
}

static void serials_differ(void **state) {
  (void)state;
  tn_cert_spec spec = {.common_name = text_span("x"), .not_before = NOW, .not_after = NOW + DAY};
  issued a, b;
  issue(&a, &spec, NULL);
  issue(&b, &spec, NULL);
  assert_int_equal(a.cert.serial.n, 16);
  assert_memory_not_equal(a.cert.serial.p, b.cert.serial.p, 16);
  issued_free(&a);
  issued_free(&b);
}

static void refuses_what_no_certificate_may_say(void **state) {
  (void)state;
  static const uint8_t three[] = {1, 2, 3};
  tn_span bad_dns[] = {text_span("a b"),   text_span("*"),    text_span("*.com"),   text_span("a.*.example"),
                       text_span(""),      text_span(".a"),   text_span("a."),      text_span("a..b"),
                       text_span("a\n.b"), text_span("-a.b"), text_span("1.2.3.4"), tn_span_of("a\0b", 3)};
  tn_key *key;
  uint8_t der[1024];
  assert_ok(tn_key_generate_p256(NULL, &key));
  const tn_cert_spec good = {.common_name = text_span("x"), .not_before = NOW, .not_after = NOW + DAY};
  tn_cert_spec bad[40];
  size_t n = 0;
  for (size_t i = 0; i < COUNT(bad_dns); i++) {
    bad[n] = good;
    bad[n].dns_names = &bad_dns[i];
    bad[n++].n_dns_names = 1;
  }
  tn_span bad_ip = {three, 3};
  bad[n] = good, bad[n].ip_addresses = &bad_ip, bad[n++].n_ip_addresses = 1;
  bad[n] = good, bad[n++].not_after = NOW - 1;
  bad[n] = good, bad[n++].not_before = -631152001;
  bad[n] = good, bad[n++].not_after = INT64_C(253402300800);
  bad[n] = good, bad[n++].has_path_len = true;
  bad[n] = good, bad[n++].ext_key_usage = 0x80;
  bad[n] = good, bad[n++].common_name = text_span("");
  bad[n] = good, bad[n++].common_name = text_span("a\x1b");
  bad[n] = good, bad[n++].common_name = text_span("\xc0\x80");
  bad[n] = good, bad[n++].common_name = text_span("\xed\xa0\x80");
  bad[n] = good, bad[n++].common_name = text_span("\xe2\x82");
  bad[n] = good, bad[n++].common_name = text_span("\x80");
  bad[n] = good, bad[n++].common_name = text_span("\xf4\x90\x80\x80");
  bad[n] = good, bad[n++].common_name = tn_span_of("a\0b", 3);
  bad[n] = good, bad[n++].common_name = text_span("12345678901234567890123456789012345678901234567890123456789012345");
  for (size_t i = 0; i < n; i++) {
    size_t room = sizeof der;
    tn_result r = tn_cert_make(&bad[i], key, NULL, NULL, der, &room);
    if (r.reason != TN_E_BAD_ARGUMENT) fail_msg("row %zu: %s", i, tn_reason_name(r.reason));
  }
  size_t room = sizeof der;
  assert_ok(tn_cert_make(&good, key, NULL, NULL, der, &room));
  // A signature may be some bytes shorter the next time.
  for (size_t small = 0; small + 10 < room; small++) {
    size_t s = small;
    assert_fails(tn_cert_make(&good, key, NULL, NULL, der, &s), NO_SPACE);
    if (small < room - 100) small += 16;
  }
  tn_key_free(key);
}

static void refuses_issuers_that_cannot_issue(void **state) {
  (void)state;
  tn_cert_spec spec = {.common_name = text_span("x"), .not_before = NOW, .not_after = NOW + DAY};
  issued leaf, ca;
  uint8_t der[1024];
  size_t n = sizeof der;
  issue(&leaf, &spec, NULL);
  spec.is_ca = true;
  issue(&ca, &spec, NULL);
  assert_fails(tn_cert_make(&spec, leaf.key, &leaf.cert, leaf.key, der, &n), CERT_NOT_A_CA);
  assert_fails(tn_cert_make(&spec, leaf.key, &ca.cert, leaf.key, der, &n), KEY_MISMATCH);
  assert_fails(tn_cert_make(&spec, leaf.key, &ca.cert, NULL, der, &n), BAD_ARGUMENT);
  assert_ok(tn_cert_make(&spec, leaf.key, &ca.cert, ca.key, der, &n));
  issued_free(&leaf);
  issued_free(&ca);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(libcrypto_reads_a_self_signed_one),
      cmocka_unit_test(libcrypto_verifies_a_chain),
      cmocka_unit_test(serials_differ),
      cmocka_unit_test(refuses_what_no_certificate_may_say),
      cmocka_unit_test(refuses_issuers_that_cannot_issue),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
