// RFC 8448 section 3, the simple 1-RTT handshake, byte for byte. The certificate there is an RSA one, so the server's
// own messages after the ServerHello are taken from the trace; every secret, every Finished and every record of both
// directions is ours. The ServerHello is the engine's own answer to the recorded ClientHello.
#include "tls/rfc8448.h"

#include "base/bytes.h"
#include "crypto/group.h"
#include "tls/ext/extension.h"
#include "tls/key_schedule.h"
#include "tls/record.h"
#include "tls/support/pair.h"

static void assert_hex(tn_span got, const char *hex) {
  bytes want = bytes_from_hex(hex);
  assert_int_equal(got.n, want.n);
  assert_memory_equal(got.p, want.p, want.n);
  bytes_free(&want);
}

static void add(tn_transcript *t, const char *hex) {
  bytes message = bytes_from_hex(hex);
  tn_transcript_add(t, bytes_span(message));
  bytes_free(&message);
}

// Seals what the trace's sender sealed, and opens what it sent.
static void assert_record(tn_protection *write, tn_protection *read, tn_content_type type, const char *payload_hex,
                          const char *record_hex) {
  bytes payload = bytes_from_hex(payload_hex), record = bytes_from_hex(record_hex);
  uint8_t out[1024], inner;
  size_t n;
  tn_span data = bytes_span(payload);
  assert_int_equal(tn_record_size(write, payload.n), record.n);
  assert_ok(tn_record_seal(write, type, &data, 1, 0, payload.n, out));
  assert_memory_equal(out, record.p, record.n);
  if (read->suite != NULL) {
    assert_ok(tn_record_open(read, record.p, record.n, record.p + TN_RECORD_HEADER, &inner, &n));
    assert_int_equal(inner, type);
    assert_int_equal(n, payload.n);
    assert_memory_equal(record.p + TN_RECORD_HEADER, payload.p, n);
  }
  bytes_free(&payload);
  bytes_free(&record);
}

typedef struct {
  tn_protection client_write, client_read, server_write, server_read;
} protections;

static void both(protections *p, const tn_traffic_secret *client, const tn_traffic_secret *server) {
  assert_ok(tn_protection_set(&p->client_write, &tn_suites[0], client));
  assert_ok(tn_protection_set(&p->server_read, &tn_suites[0], client));
  assert_ok(tn_protection_set(&p->server_write, &tn_suites[0], server));
  assert_ok(tn_protection_set(&p->client_read, &tn_suites[0], server));
}

static void assert_finished(const tn_traffic_secret *secret, const tn_transcript *t, const char *message_hex) {
  uint8_t message[4 + 32] = {TN_MSG_FINISHED, 0, 0, 32};
  assert_ok(tn_finished_mac(&tn_sha256, secret, t, message + 4));
  assert_hex(tn_span_of(message, sizeof message), message_hex);
}

static void both_sides_agree_on_the_secret(void **state) {
  (void)state;
  bytes client = bytes_from_hex(rfc8448_client_private), server = bytes_from_hex(rfc8448_server_public);
  uint8_t secret[32];
  assert_ok(tn_group_x25519.finish(client.p, bytes_span(server), secret));
  assert_hex(tn_span_of(secret, sizeof secret), rfc8448_shared_secret);
  bytes_free(&client);
  bytes_free(&server);
}

static void every_secret_and_every_record(void **state) {
  (void)state;
  bytes shared = bytes_from_hex(rfc8448_shared_secret);
  tn_transcript t;
  tn_key_schedule s = {0};
  tn_traffic_secret client = {0}, server = {0}, client_application = {0}, server_application = {0};
  protections p = {0};

  assert_record(&p.client_write, &p.server_read, TN_CONTENT_HANDSHAKE, rfc8448_server_hello,
                rfc8448_server_hello_record);
  tn_transcript_init(&t);
  add(&t, rfc8448_client_hello);
  tn_transcript_choose(&t, &tn_sha256);
  add(&t, rfc8448_server_hello);
  assert_ok(tn_schedule_start(&s, &tn_sha256));
  assert_ok(tn_schedule_handshake(&s, bytes_span(shared)));
  assert_ok(tn_schedule_derive(&s, TN_STAGE_HANDSHAKE, "c hs traffic", &t, &client));
  assert_ok(tn_schedule_derive(&s, TN_STAGE_HANDSHAKE, "s hs traffic", &t, &server));
  assert_hex(tn_span_of(client.bytes, 32), rfc8448_client_handshake_secret);
  assert_hex(tn_span_of(server.bytes, 32), rfc8448_server_handshake_secret);

  both(&p, &client, &server);
  assert_record(&p.server_write, &p.client_read, TN_CONTENT_HANDSHAKE, rfc8448_server_flight,
                rfc8448_server_flight_record);
  bytes flight = bytes_from_hex(rfc8448_server_flight);
  tn_transcript_add(&t, (tn_span){flight.p, flight.n - 36});
  assert_finished(&server, &t, rfc8448_server_finished);
  tn_transcript_add(&t, (tn_span){flight.p + flight.n - 36, 36});
  bytes_free(&flight);
  assert_finished(&client, &t, rfc8448_client_finished);
  assert_record(&p.client_write, &p.server_read, TN_CONTENT_HANDSHAKE, rfc8448_client_finished,
                rfc8448_client_finished_record);

  assert_ok(tn_schedule_master(&s));
  assert_ok(tn_schedule_derive(&s, TN_STAGE_MASTER, "c ap traffic", &t, &client_application));
  assert_ok(tn_schedule_derive(&s, TN_STAGE_MASTER, "s ap traffic", &t, &server_application));
  assert_hex(tn_span_of(client_application.bytes, 32), rfc8448_client_application_secret);
  assert_hex(tn_span_of(server_application.bytes, 32), rfc8448_server_application_secret);
  both(&p, &client_application, &server_application);
  assert_record(&p.server_write, &p.client_read, TN_CONTENT_HANDSHAKE, rfc8448_ticket, rfc8448_ticket_record);
  assert_record(&p.client_write, &p.server_read, TN_CONTENT_APPLICATION_DATA, rfc8448_data, rfc8448_client_data_record);
  assert_record(&p.server_write, &p.client_read, TN_CONTENT_APPLICATION_DATA, rfc8448_data, rfc8448_server_data_record);
  assert_record(&p.client_write, &p.server_read, TN_CONTENT_ALERT, rfc8448_alert, rfc8448_client_alert_record);
  assert_record(&p.server_write, &p.client_read, TN_CONTENT_ALERT, rfc8448_alert, rfc8448_server_alert_record);
  bytes_free(&shared);
}

// A secret that was never derived is not a secret.
static void nothing_is_derived_out_of_turn(void **state) {
  (void)state;
  static const uint8_t shared[32] = {1};
  tn_transcript t;
  tn_key_schedule s = {.hash = &tn_sha256};
  tn_traffic_secret out = {0};
  tn_protection p = {0};
  uint8_t mac[32];
  tn_transcript_init(&t);
  assert_fails(tn_schedule_derive(&s, TN_STAGE_NONE, "c hs traffic", &t, &out), BAD_STATE);
  assert_fails(tn_schedule_handshake(&s, tn_span_of(shared, 32)), BAD_STATE);
  assert_fails(tn_schedule_master(&s), BAD_STATE);
  assert_fails(tn_protection_set(&p, &tn_suites[0], &out), BAD_STATE);
  assert_fails(tn_finished_mac(&tn_sha256, &out, &t, mac), BAD_STATE);
  assert_fails(tn_traffic_update(&tn_sha256, &out), BAD_STATE);
  s = (tn_key_schedule){0};
  assert_ok(tn_schedule_start(&s, &tn_sha256));
  assert_fails(tn_schedule_handshake(&s, tn_span_of(shared, 0)), BAD_ARGUMENT);
  assert_fails(tn_schedule_derive(&s, TN_STAGE_HANDSHAKE, "c hs traffic", &t, &out), BAD_STATE);
  assert_ok(tn_schedule_handshake(&s, tn_span_of(shared, 32)));
  assert_fails(tn_schedule_derive(&s, TN_STAGE_MASTER, "c ap traffic", &t, &out), BAD_STATE);
}

// Gives the trace's random bytes in the order in which a server asks: its random, then its private key.
typedef struct {
  bytes queue[2];
  size_t next;
} scripted;

static tn_result script(void *ctx, uint8_t *out, size_t n) {
  scripted *s = ctx;
  if (s->next >= COUNT(s->queue) || s->queue[s->next].n != n) {  // the hedge of the signature
    memset(out, 0x5a, n);
    return tn_success();
  }
  memcpy(out, s->queue[s->next++].p, n);
  return tn_success();
}

static void the_engine_answers_the_recorded_hello(void **state) {
  (void)state;
  bytes server_hello = bytes_from_hex(rfc8448_server_hello), hello = bytes_from_hex(rfc8448_client_hello_record);
  bytes private_key = bytes_from_hex(rfc8448_server_private), want = bytes_from_hex(rfc8448_server_hello_record);
  scripted rng = {.queue = {{server_hello.p + 6, 32}, private_key}};
  pair p;
  pair_make(&p, NULL);
  assert_ok(tn_config_set_rng(p.server_config, (tn_rng){script, &rng}));
  assert_ok(tn_conn_new(p.server_config, (tn_span){NULL, 0}, &p.server));
  assert_ok(feed(p.server, bytes_span(hello), NULL));
  tn_writer wire = tn_writer_growing(NULL, 65536);
  drain(p.server, &wire);
  assert_true(wire.len > want.n);
  assert_memory_equal(wire.buf, want.p, want.n);
  assert_hex(tn_span_of(p.server->hs->client_handshake.bytes, 32), rfc8448_client_handshake_secret);
  assert_hex(tn_span_of(p.server->hs->server_handshake.bytes, 32), rfc8448_server_handshake_secret);
  tn_writer_free(&wire);
  bytes_free(&server_hello);
  bytes_free(&hello);
  bytes_free(&private_key);
  bytes_free(&want);
  pair_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_sides_agree_on_the_secret),
      cmocka_unit_test(every_secret_and_every_record),
      cmocka_unit_test(nothing_is_derived_out_of_turn),
      cmocka_unit_test(the_engine_answers_the_recorded_hello),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
