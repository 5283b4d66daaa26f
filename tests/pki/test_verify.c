#include "pki_support.h"

// ---------------------------------------------------------------- a zoo of certificates

#define CA "basicConstraints=critical,CA:TRUE;keyUsage=critical,keyCertSign,cRLSign"
#define LEAF                                                                                           \
  "basicConstraints=critical,CA:FALSE;keyUsage=critical,digitalSignature;extendedKeyUsage=serverAuth;" \
  "subjectAltName=DNS:example.org,DNS:*.example.org,IP:192.0.2.1"
#define N_KEYS 12

// Dates in days from NOW. `key` and `issuer_key` number the keys.
static const struct row {
  const char *label, *subject;
  int key;
  const char *issuer;
  int issuer_key;
  int from, to;
  const char *extensions;
} zoo_rows[] = {
    {"root", "Root", 0, "Root", 0, -9, 9, CA},
    {"root2", "Root 2", 1, "Root 2", 1, -9, 9, CA},
    {"root-expired", "Root", 0, "Root", 0, -9, -1, CA},
    {"root-p0", "Root", 0, "Root", 0, -9, 9, "basicConstraints=critical,CA:TRUE,pathlen:0"},
    {"root-p1", "Root", 0, "Root", 0, -9, 9, "basicConstraints=critical,CA:TRUE,pathlen:1"},
    {"root-v1", "Root", 0, "Root", 0, -9, 9, ""},
    {"root-impostor", "Root", 11, "Root", 11, -9, 9, CA},
    {"inter", "Inter", 2, "Root", 0, -9, 9, CA},
    {"inter-expired", "Inter", 2, "Root", 0, -9, -1, CA},
    {"inter-early", "Inter", 2, "Root", 0, 1, 9, CA},
    {"inter-by-root2", "Inter", 2, "Root 2", 1, -9, 9, CA},
    {"inter-not-ca", "Inter", 2, "Root", 0, -9, 9, "basicConstraints=critical,CA:FALSE"},
    {"inter-no-bc", "Inter", 2, "Root", 0, -9, 9, "keyUsage=critical,keyCertSign"},
    {"inter-ku", "Inter", 2, "Root", 0, -9, 9, "basicConstraints=critical,CA:TRUE;keyUsage=critical,cRLSign"},
    {"inter-no-ku", "Inter", 2, "Root", 0, -9, 9, "basicConstraints=critical,CA:TRUE"},
    {"inter-eku", "Inter", 2, "Root", 0, -9, 9, CA ";extendedKeyUsage=clientAuth"},
    {"inter-eku-good", "Inter", 2, "Root", 0, -9, 9, CA ";extendedKeyUsage=serverAuth"},
    {"inter-critical", "Inter", 2, "Root", 0, -9, 9, CA ";1.2.3.4=critical,DER:0500"},
    {"inter-nc", "Inter", 2, "Root", 0, -9, 9,
     CA ";nameConstraints=critical,DER:3011a00f300d820b6578616d706c652e6f7267"},
    {"inter-nc-soft", "Inter", 2, "Root", 0, -9, 9, CA ";nameConstraints=DER:3011a00f300d820b6578616d706c652e6f7267"},
    {"inter-impostor", "Inter", 11, "Root", 0, -9, 9, CA},
    {"inter-policies", "Inter", 2, "Root", 0, -9, 9, CA ";certificatePolicies=critical,DER:3007300506032a0304"},
    {"sub", "Sub", 3, "Inter", 2, -9, 9, CA},
    {"inter-self-issued", "Inter", 4, "Inter", 2, -9, 9, CA},
    {"leaf", "leaf", 5, "Inter", 2, -9, 9, LEAF},
    {"leaf-early", "leaf", 5, "Inter", 2, 1, 9, LEAF},
    {"leaf-expired", "leaf", 5, "Inter", 2, -9, -1, LEAF},
    {"leaf-by-root", "leaf", 5, "Root", 0, -9, 9, LEAF},
    {"leaf-by-sub", "leaf", 5, "Sub", 3, -9, 9, LEAF},
    {"leaf-by-self-issued", "leaf", 5, "Inter", 4, -9, 9, LEAF},
    {"leaf-self", "leaf", 5, "leaf", 5, -9, 9, LEAF},
    {"leaf-self-before", "leaf", 11, "leaf", 11, -9, 9, LEAF},
    {"leaf-self-ca", "leaf", 10, "leaf", 10, -9, 9, CA},
    {"leaf-self-expired", "leaf", 5, "leaf", 5, -9, -1, LEAF},
    {"leaf-ca", "leaf", 5, "Inter", 2, -9, 9, CA ",digitalSignature;subjectAltName=DNS:example.org"},
    {"leaf-client", "leaf", 5, "Inter", 2, -9, 9, "extendedKeyUsage=clientAuth;subjectAltName=DNS:example.org"},
    {"leaf-any", "leaf", 5, "Inter", 2, -9, 9, "extendedKeyUsage=anyExtendedKeyUsage;subjectAltName=DNS:example.org"},
    {"leaf-no-eku", "leaf", 5, "Inter", 2, -9, 9, "subjectAltName=DNS:example.org"},
    {"leaf-ku", "leaf", 5, "Inter", 2, -9, 9, "keyUsage=critical,keyAgreement;subjectAltName=DNS:example.org"},
    {"leaf-critical", "leaf", 5, "Inter", 2, -9, 9, LEAF ";1.2.3.4=critical,DER:0500"},
    {"leaf-cn-only", "example.org", 5, "Inter", 2, -9, 9, "keyUsage=critical,digitalSignature"},
    {"leaf-nobody", "leaf", 5, "Nobody", 11, -9, 9, LEAF},
    {"leaf-no-issuer", "leaf", 5, "", 11, -9, 9, LEAF},
    {"junk", "Junk", 6, "Junk", 6, -9, 9, CA},
    {"junk2", "leaf", 6, "Root", 0, -9, 9, LEAF},
    // Two CAs that signed each other, and no root.
    {"ring-a", "Ring A", 7, "Ring B", 8, -9, 9, CA},
    {"ring-b", "Ring B", 8, "Ring A", 7, -9, 9, CA},
    {"leaf-ring", "leaf", 5, "Ring A", 7, -9, 9, LEAF},
};

static EVP_PKEY *keys[N_KEYS];
static bytes zoo[COUNT(zoo_rows)];

static bytes make(const struct row *row, const EVP_MD *md) {
  return x509_issue(row->subject, keys[row->key], row->issuer, keys[row->issuer_key], NOW + row->from * DAY,
                    NOW + row->to * DAY, row->extensions, md);
}

static int setup(void **state) {
  (void)state;
  for (size_t i = 0; i < N_KEYS; i++) keys[i] = new_evp_key("P-256");
  static const EVP_MD *(*const hashes[])(void) = {EVP_sha256, EVP_sha384, EVP_sha512};
  for (size_t i = 0; i < COUNT(zoo_rows); i++) zoo[i] = make(&zoo_rows[i], hashes[i % 3]());
  return 0;
}

static int teardown(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(zoo_rows); i++) OPENSSL_free(zoo[i].p);
  for (size_t i = 0; i < N_KEYS; i++) EVP_PKEY_free(keys[i]);
  return 0;
}

static tn_span find(const char *label) {
  for (size_t i = 0; i < COUNT(zoo_rows); i++)
    if (strcmp(zoo_rows[i].label, label) == 0) return bytes_span(zoo[i]);
  fail_msg("no '%s' in the zoo", label);
  return text_span("");
}

static size_t find_all(const char *labels, tn_span *out) {
  char copy[256], *rest = copy;
  size_t n = 0;
  snprintf(copy, sizeof copy, "%s", labels);
  for (char *one; rest != NULL && (one = strsep(&rest, " ")) != NULL && one[0] != 0;) out[n++] = find(one);
  return n;
}

static tn_trust *trust_in(const char *labels) {
  tn_trust *t;
  tn_span anchors[8];
  size_t n = find_all(labels, anchors);
  assert_ok(tn_trust_new(NULL, &t));
  for (size_t i = 0; i < n; i++) assert_ok(tn_trust_add_der(t, anchors[i]));
  return t;
}

// ---------------------------------------------------------------- the cases

static const struct {
  const char *chain, *anchors;
  tn_reason reason;
  uint8_t depth;
  const char *text;  // in the verdict; NULL: anything
  const char *name;  // NULL: example.org
  tn_purpose purpose;
} cases[] = {
    {"leaf inter", "root", TN_E_NONE, 0, .text = "example.org: the certificate is good"},
    {"leaf inter root", "root", TN_E_NONE, 0, .text = NULL},
    {"leaf root inter", "root", TN_E_NONE, 0, .text = NULL},
    {"leaf junk junk2 root2 inter junk", "root", TN_E_NONE, 0, .text = NULL},
    {"leaf inter", "root2 junk root", TN_E_NONE, 0, .text = NULL},
    {"leaf", "inter", TN_E_NONE, 0, .text = NULL},
    {"leaf", "leaf", TN_E_NONE, 0, .text = NULL},
    {"leaf-self", "leaf-self", TN_E_NONE, 0, .text = NULL},
    {"leaf-by-root", "root", TN_E_NONE, 0, .text = NULL},
    {"leaf-by-sub inter sub", "root", TN_E_NONE, 0, .text = NULL},
    {"leaf-ca inter", "root", TN_E_NONE, 0, .text = NULL},
    {"leaf inter-no-ku", "root", TN_E_NONE, 0, .text = NULL},
    {"leaf inter-policies", "root", TN_E_NONE, 0, .text = NULL},
    {"leaf inter-eku-good", "root", TN_E_NONE, 0, .text = NULL},
    // names
    {"leaf inter", "root", TN_E_NONE, 0, .text = NULL, .name = "www.EXAMPLE.org"},
    {"leaf inter", "root", TN_E_NONE, 0, .text = NULL, .name = "192.0.2.1"},
    {"leaf inter", "root", TN_E_CERT_NAME_MISMATCH, 0,
     .text = "www.example.net: the certificate `CN=leaf` is not for this name, only for example.org, *.example.org, "
             "192.0.2.1",
     .name = "www.example.net"},
    {"leaf inter", "root", TN_E_CERT_NAME_MISMATCH, 0, .text = NULL, .name = "192.0.2.2"},
    {"leaf inter", "root", TN_E_CERT_NAME_MISMATCH, 0, .text = NULL, .name = ""},
    {"leaf-cn-only inter", "root", TN_E_CERT_NAME_MISMATCH, 0, .text = "no name at all"},
    {"leaf-self", "leaf-self", TN_E_CERT_NAME_MISMATCH, 0, .text = NULL, .name = "other.example"},
    {"leaf inter", "root", TN_E_CERT_NAME_MISMATCH, 0, .text = "\\1B[2J: ", .name = "\x1b[2J"},
    // dates
    {"leaf-expired inter", "root", TN_E_CERT_EXPIRED, 0,
     .text = "example.org: the certificate `CN=leaf` expired on 2027-01-14 08:00:00 UTC"},
    {"leaf-early inter", "root", TN_E_CERT_NOT_YET_VALID, 0, .text = "is not valid before 2027-01-16 08:00:00 UTC"},
    {"leaf inter-expired", "root", TN_E_CERT_EXPIRED, 1, .text = "the intermediate `CN=Inter` expired on"},
    {"leaf inter-early", "root", TN_E_CERT_NOT_YET_VALID, 1, .text = "the intermediate `CN=Inter` is not valid before"},
    {"leaf inter", "root-expired", TN_E_CERT_EXPIRED, 2, .text = "the root `CN=Root` expired on"},
    // who signed
    {"leaf", "root", TN_E_CERT_UNKNOWN_ISSUER, 0,
     .text = "the certificate `CN=leaf` has an unknown issuer, `CN=Inter`"},
    {"leaf inter", "", TN_E_CERT_UNKNOWN_ISSUER, 1,
     .text = "the intermediate `CN=Inter` has an unknown issuer, `CN=Root`"},
    {"leaf inter root", "root2", TN_E_CERT_UNKNOWN_ISSUER, 2, .text = "the root `CN=Root` is not trusted"},
    {"leaf-nobody inter", "root", TN_E_CERT_UNKNOWN_ISSUER, 0, .text = NULL},
    {"leaf-no-issuer", "root", TN_E_CERT_UNKNOWN_ISSUER, 0, .text = "(no name)"},
    {"leaf-self", "root", TN_E_CERT_SELF_SIGNED, 0, .text = "the certificate `CN=leaf` is self-signed and not trusted"},
    {"leaf-self leaf-self", "root", TN_E_CERT_SELF_SIGNED, 0, .text = NULL},
    // an old certificate of the same name is trusted, or one that may not sign, or that expired
    {"leaf-self", "leaf-self-before", TN_E_CERT_SELF_SIGNED, 0, .text = NULL},
    {"leaf-self", "leaf-self-ca", TN_E_CERT_SELF_SIGNED, 0, .text = NULL},
    {"leaf-self leaf-self-before", "leaf-self-ca leaf-self-expired", TN_E_CERT_SELF_SIGNED, 0, .text = NULL},
    {"leaf-self-expired", "leaf-self", TN_E_CERT_EXPIRED, 0, .text = NULL},
    {"leaf inter", "root-impostor", TN_E_CERT_SIGNATURE, 1,
     .text = "the intermediate `CN=Inter` has a wrong signature"},
    {"leaf inter-impostor", "root", TN_E_CERT_SIGNATURE, 0, .text = "the certificate `CN=leaf` has a wrong signature"},
    {"leaf inter-impostor inter", "root", TN_E_NONE, 0, .text = NULL},
    {"leaf inter", "root-impostor root", TN_E_NONE, 0, .text = NULL},
    // CAs
    {"leaf inter-not-ca", "root", TN_E_CERT_NOT_A_CA, 1, .text = NULL},
    {"leaf inter-no-bc", "root", TN_E_CERT_NOT_A_CA, 1, .text = NULL},
    {"leaf inter", "root-v1", TN_E_CERT_NOT_A_CA, 2, .text = NULL},
    {"leaf inter-ku", "root", TN_E_CERT_KEY_USAGE, 1, .text = NULL},
    {"leaf inter-eku", "root", TN_E_CERT_EXT_KEY_USAGE, 1, .text = NULL},
    {"leaf inter-critical", "root", TN_E_CERT_CRITICAL_EXTENSION, 1, .text = NULL},
    {"leaf inter-nc", "root", TN_E_CERT_NAME_CONSTRAINTS, 1, .text = NULL},
    {"leaf inter-nc-soft", "root", TN_E_CERT_NAME_CONSTRAINTS, 1, .text = NULL},
    // path length: self-issued certificates do not count, the leaf neither
    {"leaf inter", "root-p0", TN_E_CERT_PATH_LENGTH, 2, .text = NULL},
    {"leaf-by-root", "root-p0", TN_E_NONE, 0, .text = NULL},
    {"leaf inter", "root-p1", TN_E_NONE, 0, .text = NULL},
    {"leaf-by-sub sub inter", "root-p1", TN_E_CERT_PATH_LENGTH, 3, .text = NULL},
    {"leaf-by-self-issued inter-self-issued inter", "root-p1", TN_E_NONE, 0, .text = NULL},
    // the leaf
    {"leaf-client inter", "root", TN_E_CERT_EXT_KEY_USAGE, 0, .text = NULL},
    {"leaf-client inter", "root", TN_E_NONE, 0, .text = NULL, .purpose = TN_PURPOSE_CLIENT},
    {"leaf inter", "root", TN_E_CERT_EXT_KEY_USAGE, 0, .text = NULL, .purpose = TN_PURPOSE_CLIENT},
    {"leaf-any inter", "root", TN_E_NONE, 0, .text = NULL},
    {"leaf-no-eku inter", "root", TN_E_NONE, 0, .text = NULL},
    {"leaf-ku inter", "root", TN_E_CERT_KEY_USAGE, 0, .text = NULL},
    {"leaf-critical inter", "root", TN_E_CERT_CRITICAL_EXTENSION, 0, .text = NULL},
    // alternatives: one path that does not lead anywhere hides none that does
    {"leaf inter-expired inter-by-root2", "root root2", TN_E_NONE, 0, .text = NULL},
    {"leaf inter-by-root2 inter-expired", "root root2", TN_E_NONE, 0, .text = NULL},
    {"leaf inter-by-root2 inter", "root", TN_E_NONE, 0, .text = NULL},
    {"leaf inter", "root-expired root", TN_E_NONE, 0, .text = NULL},
    {"leaf inter-nc inter", "root", TN_E_NONE, 0, .text = NULL},
    {"leaf inter-expired inter-by-root2", "root", TN_E_CERT_EXPIRED, 1, .text = NULL},
    // rings end
    {"leaf-ring ring-a ring-b", "root", TN_E_CERT_UNKNOWN_ISSUER, 2, .text = NULL},
};

static void judges_chains(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(cases); i++) {
    tn_span chain[8];
    tn_trust *trust = trust_in(cases[i].anchors);
    tn_verify_params params = {.trust = trust,
                               .now = NOW,
                               .purpose = cases[i].purpose,
                               .name = text_span(cases[i].name == NULL ? "example.org" : cases[i].name),
                               .n_chain = find_all(cases[i].chain, chain),
                               .chain = chain};
    tn_verdict v;
    tn_result r = tn_verify(&params, &v);
    if (r.reason != cases[i].reason || v.result.reason != r.reason || v.depth != cases[i].depth)
      fail_msg("%s | %s: %s at %u (%s)", cases[i].chain, cases[i].anchors, tn_reason_name(r.reason), v.depth, v.text);
    if (cases[i].text != NULL && strstr(v.text, cases[i].text) == NULL)
      fail_msg("%s | %s: %s", cases[i].chain, cases[i].anchors, v.text);
    if (!tn_ok(r)) assert_int_equal(r.alert, tn_fail(cases[i].reason).alert);
    tn_trust_unref(trust);
  }
}

static tn_result verify(const tn_span *chain, size_t n, const tn_trust *trust, int64_t now, tn_verdict *v) {
  tn_verify_params params = {.trust = trust, .now = now, .any_name = true, .n_chain = n, .chain = chain};
  return tn_verify(&params, v);
}

static void dates_are_inclusive(void **state) {
  (void)state;
  tn_trust *trust = trust_in("root");
  tn_span chain[2];
  tn_verdict v;
  find_all("leaf inter", chain);
  assert_ok(verify(chain, 2, trust, NOW - 9 * DAY, &v));
  assert_fails(verify(chain, 2, trust, NOW - 9 * DAY - 1, &v), CERT_NOT_YET_VALID);
  assert_ok(verify(chain, 2, trust, NOW + 9 * DAY, &v));
  assert_fails(verify(chain, 2, trust, NOW + 9 * DAY + 1, &v), CERT_EXPIRED);
  assert_string_equal(v.text, "the certificate `CN=leaf` expired on 2027-01-24 08:00:00 UTC");
  tn_trust_unref(trust);
}

static void refuses_what_is_no_chain(void **state) {
  (void)state;
  tn_verdict v;
  tn_span chain[2] = {text_span(""), find("inter")};
  assert_fails(verify(chain, 0, NULL, NOW, &v), CERT_MISSING);
  assert_fails(verify(chain, 2, NULL, NOW, &v), DER);
  assert_int_equal(v.depth, 0);
  chain[0] = find("leaf");
  assert_fails(verify(chain, 1, NULL, NOW, &v), CERT_UNKNOWN_ISSUER);
  chain[1] = text_span("junk");  // an intermediate that does not parse is as good as absent
  assert_fails(verify(chain, 2, NULL, NOW, &v), CERT_UNKNOWN_ISSUER);
}

// Every byte of the leaf changed in turn: nothing but the right leaf is good.
static void any_changed_byte_is_noticed(void **state) {
  (void)state;
  tn_trust *trust = trust_in("root");
  tn_span chain[2];
  tn_verdict v;
  find_all("leaf inter", chain);
  for (int which = 0; which < 2; which++) {
    tn_span original = chain[which];
    uint8_t *copy = malloc(original.n);
    chain[which].p = copy;
    for (size_t at = 0; at < original.n; at++) {
      memcpy(copy, original.p, original.n);
      copy[at] ^= (uint8_t)(1 << at % 8);
      assert_false(tn_ok(verify(chain, 2, trust, NOW, &v)));
      assert_true(strlen(v.text) > 0);
    }
    free(copy);
    chain[which] = original;
  }
  tn_trust_unref(trust);
}

static void says_which_algorithm_it_lacks(void **state) {
  (void)state;
  EVP_PKEY *rsa = EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)2048);
  bytes root = x509_issue("R", rsa, "R", rsa, NOW, NOW, CA, EVP_sha1());
  bytes leaf = x509_issue("L", keys[5], "R", rsa, NOW, NOW, LEAF, EVP_sha1());
  bytes weak = x509_issue("L", keys[5], "Root", keys[0], NOW, NOW, LEAF, EVP_sha1());
  tn_trust *trust = trust_in("root");
  tn_span chain[] = {bytes_span(leaf)};
  tn_verdict v;
  assert_ok(tn_trust_add_der(trust, bytes_span(root)));
  assert_fails(verify(chain, 1, trust, NOW, &v), CERT_SIGNATURE_SCHEME);
  assert_non_null(strstr(v.text, "sha1WithRSAEncryption"));
  chain[0] = bytes_span(weak);
  assert_fails(verify(chain, 1, trust, NOW, &v), CERT_SIGNATURE_SCHEME);
  assert_non_null(strstr(v.text, "ecdsa-with-SHA1"));
  tn_trust_unref(trust);
  OPENSSL_free(root.p);
  OPENSSL_free(leaf.p);
  OPENSSL_free(weak.p);
  EVP_PKEY_free(rsa);
}

// ---------------------------------------------------------------- bounded work

// Six CAs of one name that signed each other crosswise: thousands of paths, none of which ends.
static void a_maze_costs_a_bounded_amount(void **state) {
  (void)state;
  bytes certs[36];
  tn_span chain[37];
  size_t n = 0;
  struct row row = {"", "Maze", 0, "Maze", 0, -9, 9, CA};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      row.key = i, row.issuer_key = j;
      if (i != j) certs[n++] = make(&row, EVP_sha256());
    }
  row = (struct row){"", "leaf", 6, "Maze", 0, -9, 9, LEAF};
  certs[n++] = make(&row, EVP_sha256());
  chain[0] = bytes_span(certs[n - 1]);
  for (size_t i = 0; i + 1 < n; i++) chain[i + 1] = bytes_span(certs[i]);
  tn_verdict v;
  tn_trust *trust = trust_in("root");
  assert_fails(verify(chain, n, trust, NOW, &v), CERT_TOO_MUCH_WORK);
  tn_trust_unref(trust);
  for (size_t i = 0; i < n; i++) OPENSSL_free(certs[i].p);
}

// Chains of growing length: good up to the limit, refused beyond it.
static void long_chains_are_refused(void **state) {
  (void)state;
  bytes certs[12];
  tn_span chain[12];
  char names[12][16];
  for (int i = 0; i < 12; i++) {
    snprintf(names[i], sizeof names[i], "CA %d", i);
    struct row row = {"", names[i], i % N_KEYS, i == 0 ? "Root" : names[i - 1], i == 0 ? 0 : (i - 1) % N_KEYS,
                      -9, 9,        CA};
    certs[i] = make(&row, EVP_sha256());
  }
  tn_trust *trust = trust_in("root");
  for (size_t below = 1; below <= 11; below++) {
    tn_verdict v;
    struct row row = {"", "leaf", 6, names[below - 1], (int)(below - 1) % N_KEYS, -9, 9, LEAF};
    bytes leaf = make(&row, EVP_sha256());
    chain[0] = bytes_span(leaf);
    for (size_t i = 0; i < below; i++) chain[i + 1] = bytes_span(certs[i]);
    tn_result r = verify(chain, below + 1, trust, NOW, &v);
    assert_int_equal(r.reason, below + 1 <= 8 ? TN_E_NONE : TN_E_CERT_TOO_MUCH_WORK);
    OPENSSL_free(leaf.p);
  }
  tn_trust_unref(trust);
  for (size_t i = 0; i < 12; i++) OPENSSL_free(certs[i].p);
}

static void too_many_certificates_are_refused(void **state) {
  (void)state;
  tn_trust *trust = trust_in("root");
  tn_span chain[66];
  tn_verdict v;
  for (size_t i = 0; i < 66; i++) chain[i] = find("junk");
  chain[0] = find("leaf");
  chain[64] = find("inter");
  assert_ok(verify(chain, 65, trust, NOW, &v));
  assert_fails(verify(chain, 66, trust, NOW, &v), CERT_TOO_MUCH_WORK);
  tn_trust_unref(trust);
}

// Whatever the names are, the text ends within its space and its reason is in it.
static void texts_fit(void **state) {
  (void)state;
  char host[600], subject[65];
  memset(host, 'h', sizeof host);
  memset(subject, '"', sizeof subject);
  subject[64] = 0;
  struct row row = {"", subject, 5, "Inter", 2, -9, -1, LEAF};
  bytes leaf = make(&row, EVP_sha256());
  tn_span chain[] = {bytes_span(leaf)};
  tn_verdict v;
  tn_verify_params params = {.now = NOW, .name = {(uint8_t *)host, sizeof host}, .n_chain = 1, .chain = chain};
  assert_fails(tn_verify(&params, &v), CERT_EXPIRED);
  assert_non_null(strstr(v.text, "...: the certificate `CN=\\\"\\\""));
  assert_non_null(strstr(v.text, "...` expired on 2027-01-14 08:00:00 UTC"));
  OPENSSL_free(leaf.p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(judges_chains),
      cmocka_unit_test(dates_are_inclusive),
      cmocka_unit_test(refuses_what_is_no_chain),
      cmocka_unit_test(any_changed_byte_is_noticed),
      cmocka_unit_test(says_which_algorithm_it_lacks),
      cmocka_unit_test(a_maze_costs_a_bounded_amount),
      cmocka_unit_test(long_chains_are_refused),
      cmocka_unit_test(too_many_certificates_are_refused),
      cmocka_unit_test(texts_fit),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
