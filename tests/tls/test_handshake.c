// Handshakes between our own two sides: every suite, every group, retries, names, ALPN, keys, closing.
#include "base/bytes.h"
#include "tls/support/pair.h"

static void every_suite_with_every_group(void **state) {
  (void)state;
  uint16_t suite, group;
  const char *suite_name, *group_name;
  for (size_t s = 0; tn_suite_at(s, &suite, &suite_name); s++)
    for (size_t g = 0; tn_group_at(g, &group, &group_name); g++) {
      pair p;
      pair_make(&p, NULL);
      assert_ok(tn_config_set_suites(p.server_config, &suite, 1));
      assert_ok(tn_config_set_groups(p.client_config, &group, 1));
      if (tn_group_find(group)->costly) assert_ok(tn_config_set_groups(p.server_config, &group, 1));
      pair_connect(&p);
      pair_handshake(&p);
      tn_conn *const sides[] = {p.client, p.server};
      for (size_t i = 0; i < 2; i++) {
        tn_conn_info info;
        tn_conn_get_info(sides[i], &info);
        assert_string_equal(info.version, "TLSv1.3");
        assert_string_equal(info.suite, suite_name);
        assert_string_equal(info.group, group_name);
        assert_string_equal(info.signature, "ecdsa_secp256r1_sha256");
        assert_int_equal(info.server_name.n, strlen(PAIR_NAME));
        assert_memory_equal(info.server_name.p, PAIR_NAME, strlen(PAIR_NAME));
        assert_false(info.retried);
        assert_int_equal(info.n_peer_chain, i == 0 ? 1 : 0);
        assert_int_equal(info.verified, i == 0);
      }
      static const size_t sizes[] = {0, 1, 100, 16383, 16384, 16385, 100000};
      for (size_t i = 0; i < COUNT(sizes); i++) {
        pair_exchange(p.client, p.server, sizes[i]);
        pair_exchange(p.server, p.client, sizes[i]);
      }
      pair_free(&p);
    }
}

// The client's first share is for a group that the server does not have.
static void a_retry_finds_the_common_group(void **state) {
  (void)state;
  uint16_t group;
  const char *name;
  for (size_t g = 0; tn_group_at(g, &group, &name); g++) {
    const uint16_t x25519 = 29, p256 = 23, client_groups[] = {group == x25519 ? p256 : x25519, group};
    pair p;
    pair_make(&p, NULL);
    assert_ok(tn_config_set_groups(p.client_config, client_groups, 2));
    assert_ok(tn_config_set_groups(p.server_config, &group, 1));
    pair_connect(&p);
    pair_handshake(&p);
    tn_conn_info info;
    tn_conn_get_info(p.client, &info);
    assert_true(info.retried);
    assert_string_equal(info.group, name);
    pair_exchange(p.client, p.server, 1000);
    pair_exchange(p.server, p.client, 1000);
    pair_free(&p);
  }
}

// What takes long is neither offered nor accepted unless it was asked for.
static void costly_groups_are_not_among_the_defaults(void **state) {
  (void)state;
  for (size_t g = 0; tn_groups[g] != NULL; g++) {
    const uint16_t x25519 = 29, groups[] = {tn_groups[g]->id, x25519};
    if (!tn_groups[g]->costly) continue;
    for (int server = 0; server < 2; server++) {
      pair p;
      pair_make(&p, NULL);
      assert_ok(tn_config_set_groups(server ? p.server_config : p.client_config, groups, 1));
      pair_connect(&p);
      assert_int_equal(pair_run(&p).reason, TN_E_NO_COMMON_GROUP);
      pair_free(&p);
    }
    pair p;
    pair_make(&p, NULL);
    assert_ok(tn_config_set_groups(p.client_config, groups, 2));
    pair_connect(&p);
    pair_handshake(&p);
    assert_true(p.client->retried && p.client->group == &tn_group_x25519);
    pair_free(&p);
  }
}

static void nothing_in_common_is_said_with_the_right_alert(void **state) {
  (void)state;
  static const uint16_t x25519 = 29, p256 = 23, aes = 0x1301, chacha = 0x1303;
  static const tn_span h2 = {(const uint8_t *)"h2", 2}, http = {(const uint8_t *)"http/1.1", 8};
  for (int what = 0; what < 3; what++) {
    pair p;
    pair_make(&p, NULL);
    if (what == 0) {
      assert_ok(tn_config_set_groups(p.client_config, &x25519, 1));
      assert_ok(tn_config_set_groups(p.server_config, &p256, 1));
    } else if (what == 1) {
      assert_ok(tn_config_set_suites(p.client_config, &aes, 1));
      assert_ok(tn_config_set_suites(p.server_config, &chacha, 1));
    } else {
      assert_ok(tn_config_set_alpn(p.client_config, &h2, 1));
      assert_ok(tn_config_set_alpn(p.server_config, &http, 1));
    }
    pair_connect(&p);
    static const tn_alert alerts[] = {TN_ALERT_HANDSHAKE_FAILURE, TN_ALERT_HANDSHAKE_FAILURE,
                                      TN_ALERT_NO_APPLICATION_PROTOCOL};
    static const tn_reason reasons[] = {TN_E_NO_COMMON_GROUP, TN_E_NO_COMMON_SUITE, TN_E_NO_COMMON_PROTOCOL};
    assert_int_equal(pair_run(&p).reason, reasons[what]);
    assert_int_equal(tn_conn_error(p.server).reason, reasons[what]);
    assert_int_equal(pair_run(&p).reason, reasons[what]);
    assert_int_equal(tn_conn_error(p.client).reason, TN_E_PEER_ALERT);
    assert_int_equal(tn_conn_error(p.client).alert, alerts[what]);
    pair_free(&p);
  }
}

static void alpn_is_the_servers_choice(void **state) {
  (void)state;
  static const tn_span ours[] = {{(const uint8_t *)"http/1.1", 8}, {(const uint8_t *)"h2", 2}};
  static const tn_span theirs[] = {
      {(const uint8_t *)"x", 1}, {(const uint8_t *)"h2", 2}, {(const uint8_t *)"http/1.1", 8}};
  pair p;
  pair_make(&p, NULL);
  assert_ok(tn_config_set_alpn(p.server_config, ours, 2));
  assert_ok(tn_config_set_alpn(p.client_config, theirs, 3));
  pair_connect(&p);
  pair_handshake(&p);
  tn_conn_info info;
  tn_conn_get_info(p.client, &info);
  assert_int_equal(info.alpn.n, 8);
  assert_memory_equal(info.alpn.p, "http/1.1", 8);
  pair_free(&p);
}

static void a_name_finds_its_identity(void **state) {
  (void)state;
  static const struct {
    const char *asked, *answered;  // NULL: refused by the client, since the default identity is not for the name
  } cases[] = {
      {PAIR_NAME, PAIR_NAME},
      {"SERVER.Example", PAIR_NAME},
      {"a.wild.example", "*.wild.example"},
      {"b.wild.example", "b.wild.example"},
      {"a.b.wild.example", NULL},
      {"wild.example", NULL},
      {"elsewhere.example", NULL},
      {"192.0.2.1", PAIR_NAME},
      {"192.0.2.2", NULL},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    pair p;
    pair_make(&p, NULL);
    tn_identity *other = pki_set_issue(&p.pki, "b.wild.example");
    assert_ok(tn_config_add_identity(p.server_config, other));
    tn_identity_unref(other);
    assert_ok(tn_conn_new(p.client_config, tn_span_of(cases[i].asked, strlen(cases[i].asked)), &p.client));
    assert_ok(tn_conn_new(p.server_config, (tn_span){NULL, 0}, &p.server));
    tn_result r = pair_run(&p);
    if (cases[i].answered == NULL) {
      assert_int_equal(r.reason, TN_E_CERT_NAME_MISMATCH);
    } else {
      assert_ok(r);
      tn_cert leaf;
      assert_ok(tn_cert_parse(&leaf, tn_conn_peer_cert(p.client, 0)));
      size_t at = 0;
      tn_name_type type;
      tn_span name;
      bool found = false;
      while (tn_cert_next_name(&leaf, &at, &type, &name))
        found |= name.n == strlen(cases[i].answered) && memcmp(name.p, cases[i].answered, name.n) == 0;
      assert_true(found);
    }
    pair_free(&p);
  }
}

static void keys_are_updated_while_data_flows(void **state) {
  (void)state;
  pair p;
  pair_make(&p, NULL);
  pair_connect(&p);
  assert_fails(tn_conn_update_keys(p.client, true), BAD_STATE);
  pair_handshake(&p);
  for (int round = 0; round < 5; round++) {
    assert_ok(tn_conn_update_keys(p.client, round % 2));
    pair_exchange(p.client, p.server, 5000);
    pair_exchange(p.server, p.client, 5000);
    assert_ok(tn_conn_update_keys(p.server, round % 2));
    pair_exchange(p.server, p.client, 5000);
    pair_exchange(p.client, p.server, 5000);
  }
  pair_free(&p);
}

// The AEAD's limit is reached: new keys before the next record, without being asked.
static void keys_are_updated_before_the_limit(void **state) {
  (void)state;
  static const uint16_t aes = 0x1301;
  pair p;
  pair_make(&p, NULL);
  assert_ok(tn_config_set_suites(p.client_config, &aes, 1));
  pair_connect(&p);
  pair_handshake(&p);
  uint64_t limit = p.client->suite->aead->record_limit;
  p.client->write.sequence = p.server->read.sequence = limit - 2;
  for (int i = 0; i < 5; i++) pair_exchange(p.client, p.server, 3000);
  assert_true(p.client->write.sequence < 10);
  assert_int_equal(p.client->write.sequence, p.server->read.sequence);
  pair_free(&p);
}

static void closing_is_orderly_in_each_direction(void **state) {
  (void)state;
  pair p;
  pair_make(&p, NULL);
  pair_connect(&p);
  pair_handshake(&p);
  tn_conn_close(p.client);
  assert_ok(pair_run(&p));
  assert_true(tn_conn_status(p.server) & TN_CONN_PEER_CLOSED);
  assert_false(tn_conn_status(p.client) & TN_CONN_PEER_CLOSED);
  pair_exchange(p.server, p.client, 1000);  // the other direction is still open
  const tn_span data = {(const uint8_t *)"x", 1};
  uint8_t out[100];
  size_t taken, written;
  assert_fails(tn_conn_send(p.client, &data, 1, (tn_mspan){out, sizeof out}, &taken, &written), BAD_STATE);
  assert_ok(tn_conn_receive_eof(p.server));
  assert_fails(tn_conn_receive_eof(p.client), TRUNCATED);
  pair_free(&p);
}

static void setters_are_refused_once_a_connection_exists(void **state) {
  (void)state;
  static const uint16_t aes = 0x1301, twice[] = {0x1301, 0x1301}, unknown = 0x1399;
  pair p;
  pair_make(&p, NULL);
  assert_fails(tn_config_set_suites(p.client_config, &unknown, 1), BAD_ARGUMENT);
  assert_fails(tn_config_set_suites(p.client_config, twice, 2), BAD_ARGUMENT);
  assert_fails(tn_config_set_suites(p.client_config, &aes, 0), BAD_ARGUMENT);
  assert_fails(tn_config_set_groups(p.client_config, &unknown, 1), BAD_ARGUMENT);
  assert_fails(tn_config_set_insecure(p.server_config), BAD_ARGUMENT);
  pair_connect(&p);
  assert_fails(tn_config_set_suites(p.client_config, &aes, 1), BAD_STATE);
  assert_fails(tn_config_set_insecure(p.client_config), BAD_STATE);
  assert_fails(tn_config_add_identity(p.server_config, p.pki.identity), BAD_STATE);
  pair_free(&p);
}

static void a_client_must_say_whom_it_wants(void **state) {
  (void)state;
  tn_config *config;
  tn_conn *conn;
  assert_ok(tn_config_new(TN_CLIENT, NULL, &config));
  assert_fails(tn_conn_new(config, (tn_span){NULL, 0}, &conn), BAD_ARGUMENT);  // no name
  assert_fails(tn_conn_new(config, tn_span_of("a", 1), &conn), BAD_ARGUMENT);  // no trust anchors
  assert_ok(tn_config_set_insecure(config));
  assert_ok(tn_conn_new(config, (tn_span){NULL, 0}, &conn));
  tn_conn_free(conn);
  tn_config_unref(config);
  assert_ok(tn_config_new(TN_SERVER, NULL, &config));
  assert_fails(tn_conn_new(config, (tn_span){NULL, 0}, &conn), NO_IDENTITY);
  tn_config_unref(config);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_suite_with_every_group),
      cmocka_unit_test(a_retry_finds_the_common_group),
      cmocka_unit_test(costly_groups_are_not_among_the_defaults),
      cmocka_unit_test(nothing_in_common_is_said_with_the_right_alert),
      cmocka_unit_test(alpn_is_the_servers_choice),
      cmocka_unit_test(a_name_finds_its_identity),
      cmocka_unit_test(keys_are_updated_while_data_flows),
      cmocka_unit_test(keys_are_updated_before_the_limit),
      cmocka_unit_test(closing_is_orderly_in_each_direction),
      cmocka_unit_test(setters_are_refused_once_a_connection_exists),
      cmocka_unit_test(a_client_must_say_whom_it_wants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
