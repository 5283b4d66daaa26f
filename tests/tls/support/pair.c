#include "tls/support/pair.h"

#include "base/bytes.h"

static int64_t fixed_clock(void *ctx) {
  (void)ctx;
  return PAIR_NOW;
}

static tn_span text(const char *s) { return tn_span_of(s, strlen(s)); }

static const tn_cert_spec ca_spec = {
    .not_before = PAIR_NOW - 86400,
    .not_after = PAIR_NOW + 86400,
    .is_ca = true,
};

static tn_identity *issue(const pki_set *set, const tn_allocator *a, const tn_key *key, const tn_span *names, size_t n,
                          const tn_span *addresses, size_t n_addresses) {
  tn_cert_spec spec = {
      .common_name = names[0],
      .dns_names = names,
      .n_dns_names = n,
      .ip_addresses = addresses,
      .n_ip_addresses = n_addresses,
      .not_before = PAIR_NOW - 3600,
      .not_after = PAIR_NOW + 3600,
      .ext_key_usage = TN_EKU_SERVER_AUTH,
  };
  tn_cert ca;
  uint8_t der[2048];
  size_t n_der = sizeof der;
  tn_identity *identity;
  assert_ok(tn_cert_parse(&ca, tn_span_of(set->ca_der, set->ca_len)));
  assert_ok(tn_cert_make(&spec, key, &ca, set->ca_key, der, &n_der));
  assert_ok(tn_identity_from_der(a, tn_span_of(der, n_der), key, &identity));
  return identity;
}

static tn_identity *issue_for_new_key(const pki_set *set, const tn_allocator *a, const tn_span *names, size_t n,
                                      const tn_span *addresses, size_t n_addresses) {
  tn_key *key;
  assert_ok(tn_key_generate_p256(a, &key));
  tn_identity *identity = issue(set, a, key, names, n, addresses, n_addresses);
  tn_key_free(key);
  return identity;
}

void pki_set_make(pki_set *set, const tn_allocator *a) {
  static const uint8_t address[] = {192, 0, 2, 1};
  const tn_span names[] = {text(PAIR_NAME), text("*.wild.example")};
  const tn_span addresses[] = {{address, sizeof address}};
  tn_cert_spec spec = ca_spec;
  spec.common_name = text("Test CA");
  set->ca_len = sizeof set->ca_der;
  assert_ok(tn_key_generate_p256(a, &set->ca_key));
  assert_ok(tn_cert_make(&spec, set->ca_key, NULL, NULL, set->ca_der, &set->ca_len));
  assert_ok(tn_trust_new(a, &set->trust));
  assert_ok(tn_trust_add_der(set->trust, tn_span_of(set->ca_der, set->ca_len)));
  set->identity = issue_for_new_key(set, a, names, COUNT(names), addresses, COUNT(addresses));
}

tn_identity *pki_set_issue(const pki_set *set, const char *dns_name) {
  const tn_span name = text(dns_name);
  return issue_for_new_key(set, NULL, &name, 1, NULL, 0);
}

tn_identity *pki_set_issue_for(const pki_set *set, const char *dns_name, const tn_key *key) {
  const tn_span name = text(dns_name);
  return issue(set, NULL, key, &name, 1, NULL, 0);
}

void pki_set_free(pki_set *set) {
  tn_identity_unref(set->identity);
  tn_trust_unref(set->trust);
  tn_key_free(set->ca_key);
}

void pair_make(pair *p, const tn_allocator *a) {
  *p = (pair){0};
  pki_set_make(&p->pki, NULL);
  assert_ok(tn_config_new(TN_CLIENT, a, &p->client_config));
  assert_ok(tn_config_set_trust(p->client_config, p->pki.trust));
  assert_ok(tn_config_set_clock(p->client_config, fixed_clock, NULL));
  assert_ok(tn_config_new(TN_SERVER, a, &p->server_config));
  assert_ok(tn_config_add_identity(p->server_config, p->pki.identity));
}

void pair_connect(pair *p) {
  assert_ok(tn_conn_new(p->client_config, text(PAIR_NAME), &p->client));
  assert_ok(tn_conn_new(p->server_config, (tn_span){NULL, 0}, &p->server));
}

void pair_free(pair *p) {
  tn_conn_free(p->client);
  tn_conn_free(p->server);
  tn_config_unref(p->client_config);
  tn_config_unref(p->server_config);
  pki_set_free(&p->pki);
}

void drain(tn_conn *from, tn_writer *wire) {
  uint8_t out[1000];
  size_t taken, written;
  do {
    assert_ok(tn_conn_send(from, NULL, 0, (tn_mspan){out, sizeof out}, &taken, &written));
    tn_write_bytes(wire, out, written);
  } while (written != 0);
  assert_false(tn_conn_status(from) & TN_CONN_PENDING);
  assert_ok(tn_writer_result(wire));
}

tn_result feed(tn_conn *to, tn_span wire, tn_writer *data) {
  uint8_t *copy = malloc(wire.n + 1);
  if (wire.n != 0) memcpy(copy, wire.p, wire.n);
  tn_mspan left = {copy, wire.n};
  tn_result r;
  for (;;) {
    tn_received got;
    r = tn_conn_receive(to, left, (tn_mspan){NULL, 0}, &got);
    if (!tn_ok(r) || got.used == 0) break;
    if (data != NULL) tn_write_bytes(data, got.data.p, got.data.n);
    left = (tn_mspan){left.p + got.used, left.n - got.used};
  }
  free(copy);
  return r;
}

tn_result pair_run(pair *p) {
  for (;;) {
    tn_writer to_server = tn_writer_growing(NULL, 1 << 20), to_client = tn_writer_growing(NULL, 1 << 20);
    drain(p->client, &to_server);
    tn_result r = feed(p->server, tn_writer_span(&to_server), NULL);
    drain(p->server, &to_client);
    tn_result s = feed(p->client, tn_writer_span(&to_client), NULL);
    bool quiet = to_server.len == 0 && to_client.len == 0;
    tn_writer_free(&to_server);
    tn_writer_free(&to_client);
    if (!tn_ok(r)) return r;
    if (!tn_ok(s)) return s;
    if (quiet) return tn_success();
  }
}

void pair_handshake(pair *p) {
  assert_ok(pair_run(p));
  assert_true(tn_conn_status(p->client) & TN_CONN_OPEN);
  assert_true(tn_conn_status(p->server) & TN_CONN_OPEN);
}

void pair_exchange(tn_conn *from, tn_conn *to, size_t n) {
  test_rng rng = {n};
  uint8_t *data = malloc(n + 1), out[4096];
  test_rng_bytes(&rng, data, n);
  tn_writer wire = tn_writer_growing(NULL, n * 2 + 65536), got = tn_writer_growing(NULL, n + 1);
  for (size_t at = 0; at < n || tn_conn_status(from) & TN_CONN_PENDING;) {
    const tn_span left = {data + at, n - at};
    size_t taken, written;
    assert_ok(tn_conn_send(from, &left, 1, (tn_mspan){out, sizeof out}, &taken, &written));
    assert_true(written != 0);
    tn_write_bytes(&wire, out, written);
    at += taken;
  }
  assert_ok(feed(to, tn_writer_span(&wire), &got));
  assert_int_equal(got.len, n);
  if (n != 0) assert_memory_equal(got.buf, data, n);
  tn_writer_free(&wire);
  tn_writer_free(&got);
  free(data);
}

pair fixture;

int fixture_make(void **state) {
  (void)state;
  pair_make(&fixture, NULL);
  return 0;
}

int fixture_free(void **state) {
  (void)state;
  pair_free(&fixture);
  return 0;
}
