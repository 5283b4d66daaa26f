// Constant time: whole connections. Private keys and shared secrets are secret from birth (src/crypto), and so is here
// what the applications send. Public is what leaves the house and what it hands to the application, as marked in
// src/tls.
#include "base/bytes.h"
#include "base/ct.h"
#include "tls/support/pair.h"

static int wrong;

static void send_secret(tn_conn *from, tn_conn *to, size_t n) {
  test_rng rng = {n};
  uint8_t *data = malloc(n), *original = malloc(n), *out = malloc(n + 1000);
  test_rng_bytes(&rng, data, n);
  memcpy(original, data, n);
  TN_SECRET(data, n);
  const tn_span spans[] = {{data, n / 3}, {data + n / 3, n - n / 3}};
  size_t taken, written;
  wrong |= !tn_ok(tn_conn_send(from, spans, 2, (tn_mspan){out, n + 1000}, &taken, &written)) || taken != n;
  tn_writer got = tn_writer_growing(NULL, n);
  wrong |= !tn_ok(feed(to, tn_span_of(out, written), &got)) || got.len != n || memcmp(got.buf, original, n) != 0;
  tn_writer_free(&got);
  free(data);
  free(original);
  free(out);
}

static void converse(const tn_suite *suite, const tn_group *group, bool retry) {
  static const uint16_t x25519 = 29, p256 = 23;
  const uint16_t retried[] = {group->id == x25519 ? p256 : x25519, group->id};
  pair p;
  pair_make(&p, NULL);
  assert_ok(tn_config_set_suites(p.server_config, &suite->id, 1));
  assert_ok(tn_config_set_groups(p.client_config, retry ? retried : &group->id, retry ? 2 : 1));
  assert_ok(tn_config_set_groups(p.server_config, &group->id, 1));
  pair_connect(&p);
  pair_handshake(&p);
  wrong |= p.client->group != group || p.client->suite != suite;
  send_secret(p.client, p.server, 1000);
  send_secret(p.server, p.client, 1000);
  wrong |= !tn_ok(tn_conn_update_keys(p.client, true)) || !tn_ok(pair_run(&p));
  send_secret(p.client, p.server, 20000);
  send_secret(p.server, p.client, 1);
  // A record that was changed, and the alert.
  uint8_t record[] = {23, 3, 3, 0, 20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
  wrong |= feed(p.server, tn_span_of(record, sizeof record), NULL).reason != TN_E_BAD_RECORD_MAC;
  wrong |= pair_run(&p).reason != TN_E_BAD_RECORD_MAC;
  wrong |= pair_run(&p).reason != TN_E_BAD_RECORD_MAC || tn_conn_error(p.client).alert != TN_ALERT_BAD_RECORD_MAC;
  pair_free(&p);
}

int main(void) {
  for (size_t suite = 0; suite < TN_SUITE_COUNT; suite++)
    for (size_t group = 0; tn_groups[group] != NULL; group++) {
      const bool retry = suite == 0;
      // ct_dh.c runs those.
      if (tn_groups[group]->costly || (!retry && tn_groups[group]->secret_len > 256)) continue;
      converse(&tn_suites[suite], tn_groups[group], retry);
    }
  if (wrong) puts("a connection went wrong");
  return wrong;
}
