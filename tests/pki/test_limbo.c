#define _GNU_SOURCE
// x509-limbo (C2SP): path validation with the right verdict, by people who did not write this.
#include "pki_support.h"

// Where we differ, by the beginning of the case's name, and why.
static const struct {
  const char *prefix, *why;
} differences[] = {
    {"crl::", "no revocation lists yet"},
    {"pathlen::max-chain-depth-", "the caller has no say in the depth"},
    {"pathlen::validation-ignores-pathlen-in-leaf", "TLS 1.3 wants digitalSignature of a leaf with a key usage"},
    {"rfc5280::aki::", "a missing key identifier is no reason to refuse"},
    {"webpki::aki::", "a missing key identifier is no reason to refuse"},
    {"rfc5280::nc::", "a CA with name constraints is refused"},
    {"webpki::nc::", "a CA with name constraints is refused"},
    {"rfc5280::pc::", "policy constraints are an unknown extension"},
    {"rfc5280::serial::", "serial numbers of zero or too many bytes exist, and do no harm here"},
    {"webpki::cn::", "the common name counts for nothing, so it may say anything"},
    {"webpki::eku::", "rules for CAs about what to issue, not for those who verify"},
    {"webpki::san::public-suffix-multi-label-wildcard-san", "no list of public suffixes"},
    {"webpki::san::san-critical-with-nonempty-subject", "a rule for CAs"},
    {"webpki::malformed-aia", "not looked at"},
    {"webpki::forbidden-dsa-leaf", "a leaf's key is judged where it is used"},
    {"webpki::forbidden-rsa-not-divisible-by-8-in-root", "a rule for CAs: longer than 2048 bits is long enough"},
    {"webpki::forbidden-rsa-key-not-divisible-by-8-in-leaf", "a rule for CAs: longer than 2048 bits is long enough"},
    {"webpki::ee-basicconstraints-ca", "a leaf's CA bit decides nothing"},
};
static size_t n_differing[COUNT(differences)];

static bool is_expected(const char *id) {
  for (size_t i = 0; i < COUNT(differences); i++) {
    if (strncmp(differences[i].prefix, id, strlen(differences[i].prefix)) != 0) continue;
    n_differing[i]++;
    return true;
  }
  return false;
}

static bytes decode(const char *pem) {
  tn_span text = text_span(pem), label, body;
  assert_ok(tn_pem_next(&text, "CERTIFICATE", &label, &body));
  bytes out = {malloc(body.n), body.n};
  assert_ok(tn_pem_decode(body, out.p, &out.n));
  return out;
}

static tn_result judge(json_t *test, tn_verdict *v) {
  json_t *pem;
  size_t i, n = 0;
  bytes ders[128];
  tn_span chain[128];
  tn_trust *trust;
  assert_ok(tn_trust_new(NULL, &trust));
  json_array_foreach(json_object_get(test, "trusted_certs"), i, pem) {
    bytes der = decode(json_string_value(pem));
    tn_result r = tn_trust_add_der(trust, bytes_span(der));
    (void)r.reason;  // an anchor that does not parse is as good as absent
    bytes_free(&der);
  }
  ders[n++] = decode(json_string_value(json_object_get(test, "peer_certificate")));
  json_array_foreach(json_object_get(test, "untrusted_intermediates"), i, pem) {
    if (n < 128) ders[n++] = decode(json_string_value(pem));
  }
  for (i = 0; i < n; i++) chain[i] = bytes_span(ders[i]);
  const char *when = json_string_value(json_object_get(test, "validation_time"));
  struct tm tm = {0};
  if (when != NULL) assert_non_null(strptime(when, "%Y-%m-%dT%H:%M:%S", &tm));
  json_t *name = json_object_get(test, "expected_peer_name");
  const char *value = json_string_value(json_object_get(name, "value"));
  bool client = strcmp(json_string_value(json_object_get(test, "validation_kind")), "CLIENT") == 0;
  tn_verify_params params = {.trust = trust,
                             .now = when == NULL ? (int64_t)time(NULL) : (int64_t)timegm(&tm),
                             .purpose = client ? TN_PURPOSE_CLIENT : TN_PURPOSE_SERVER,
                             .name = text_span(value == NULL ? "" : value),
                             .any_name = value == NULL || client,
                             .n_chain = n,
                             .chain = chain};
  tn_result r = tn_verify(&params, v);
  for (i = 0; i < n; i++) bytes_free(&ders[i]);
  tn_trust_unref(trust);
  return r;
}

static void agrees_with_limbo(void **state) {
  (void)state;
  json_t *root = vectors_load("limbo/limbo-core.json"), *tests = json_object_get(root, "testcases"), *test;
  size_t i, agreed = 0, differed = 0;
  json_array_foreach(tests, i, test) {
    const char *id = json_string_value(json_object_get(test, "id"));
    bool want = strcmp(json_string_value(json_object_get(test, "expected_result")), "SUCCESS") == 0;
    tn_verdict v;
    if (tn_ok(judge(test, &v)) == want)
      agreed++;
    else if (is_expected(id))
      differed++;
    else
      fail_msg("%s: %s", id, v.text);
  }
  print_message("%zu agree, %zu differ for known reasons\n", agreed, differed);
  assert_true(agreed > 2 * differed);
  for (i = 0; i < COUNT(differences); i++)
    if (n_differing[i] == 0) fail_msg("%s: no difference any more", differences[i].prefix);
  json_decref(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_limbo)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
