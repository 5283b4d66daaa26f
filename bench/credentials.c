#include "credentials.h"

#include <string.h>
#include <time.h>

#define DAY 86400

static void need(tn_result r, const char *what) {
  if (!tn_ok(r)) bench_die(what, tn_reason_text(r.reason));
}

static tn_span text(const char *s) { return tn_span_of(s, strlen(s)); }

void credentials_make(credentials *c, const char *name, const char *key_type) {
  const int64_t now = time(NULL);
  const tn_span dns_name = text(name);
  const tn_cert_spec anchor_spec = {
      .common_name = text("Benchmark CA"), .not_before = now - DAY, .not_after = now + DAY, .is_ca = true};
  const tn_cert_spec leaf_spec = {.common_name = dns_name,
                                  .dns_names = &dns_name,
                                  .n_dns_names = 1,
                                  .not_before = now - DAY,
                                  .not_after = now + DAY,
                                  .ext_key_usage = TN_EKU_SERVER_AUTH};
  tn_key *anchor_key, *leaf_key;
  tn_cert anchor;
  uint8_t anchor_der[1024], leaf_der[1024], key_der[TN_KEY_MAX_DER];
  size_t anchor_n = sizeof anchor_der, leaf_n = sizeof leaf_der, key_n = sizeof key_der;

  need(tn_key_generate_p256(NULL, &anchor_key), "key");
  need(tn_key_generate(NULL, key_type, &leaf_key), key_type);
  need(tn_cert_make(&anchor_spec, anchor_key, NULL, NULL, anchor_der, &anchor_n), "certificate");
  need(tn_cert_parse(&anchor, tn_span_of(anchor_der, anchor_n)), "certificate");
  need(tn_cert_make(&leaf_spec, leaf_key, &anchor, anchor_key, leaf_der, &leaf_n), "certificate");
  need(tn_key_to_pkcs8(leaf_key, key_der, &key_n), "key");
  c->anchor_len = sizeof c->anchor_pem;
  c->leaf_len = sizeof c->leaf_pem;
  c->key_len = sizeof c->key_pem;
  need(tn_pem_encode("CERTIFICATE", tn_span_of(anchor_der, anchor_n), c->anchor_pem, &c->anchor_len), "PEM");
  need(tn_pem_encode("CERTIFICATE", tn_span_of(leaf_der, leaf_n), c->leaf_pem, &c->leaf_len), "PEM");
  need(tn_pem_encode("PRIVATE KEY", tn_span_of(key_der, key_n), c->key_pem, &c->key_len), "PEM");
  tn_wipe(key_der, sizeof key_der);
  tn_key_free(anchor_key);
  tn_key_free(leaf_key);
}
