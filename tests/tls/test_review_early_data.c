// Early data that a server does not take: skipped where a client asked for it, within an allowance, and nowhere else.
#include "base/bytes.h"
#include "tls/support/pair.h"

// What the client has to say: its ClientHello, in one record.
static size_t hello_of(tn_conn *client, uint8_t out[2048]) {
  tn_writer wire = tn_writer_growing(NULL, 2048);
  drain(client, &wire);
  memcpy(out, wire.buf, wire.len);
  size_t n = wire.len;
  tn_writer_free(&wire);
  return n;
}

static void add_to_length(uint8_t length[2], size_t n) {
  n += (size_t)length[0] << 8 | length[1];
  length[0] = (uint8_t)(n >> 8), length[1] = (uint8_t)n;
}

// Appends an empty early_data extension to a first ClientHello, and to the client's memory of it.
static size_t ask_for_early_data(tn_conn *client, uint8_t hello[2048], size_t n) {
  static const uint8_t extension[] = {0, 42, 0, 0};
  size_t at = 5 + 4 + 2 + 32;
  at += 1u + hello[at];                                 // legacy_session_id
  at += 2u + ((size_t)hello[at] << 8 | hello[at + 1]);  // cipher_suites
  at += 1u + hello[at];                                 // legacy_compression_methods
  add_to_length(hello + 3, sizeof extension);           // the record
  add_to_length(hello + 7, sizeof extension);           // the message
  add_to_length(hello + at, sizeof extension);          // the extensions
  memcpy(hello + n, extension, sizeof extension);
  tn_transcript_init(&client->hs->transcript);
  tn_transcript_add(&client->hs->transcript, (tn_span){hello + 5, n + sizeof extension - 5});
  return n + sizeof extension;
}

// A record of type application_data that nobody has the keys of, n bytes long behind its header.
static tn_result feed_garbage(tn_conn *to, size_t n) {
  uint8_t *record = calloc(1, 5 + n);
  record[0] = 23, record[1] = record[2] = 3;
  record[3] = (uint8_t)(n >> 8), record[4] = (uint8_t)n;
  tn_result r = feed(to, (tn_span){record, 5 + n}, NULL);
  free(record);
  return r;
}

// A pair of which the server has taken the first hello.
static void start(pair *p, bool retry, bool asks) {
  static const uint16_t client_groups[] = {29, 23}, server_groups[] = {23};
  uint8_t hello[2048];
  pair_make(p, NULL);
  if (retry) {
    assert_ok(tn_config_set_groups(p->client_config, client_groups, 2));
    assert_ok(tn_config_set_groups(p->server_config, server_groups, 1));
  }
  pair_connect(p);
  size_t n = hello_of(p->client, hello);
  if (asks) n = ask_for_early_data(p->client, hello, n);
  assert_ok(feed(p->server, (tn_span){hello, n}, NULL));
}

// Records of every size, full ones among them, are passed over and the handshake goes on as if they were not there.
static void early_data_is_skipped(void **state) {
  (void)state;
  static const size_t sizes[] = {0, 1, 15, 16, 17, 1000, 16384, 16384 + 17};
  for (size_t i = 0; i < COUNT(sizes) * 2; i++) {
    pair p;
    start(&p, i % 2, true);
    assert_ok(feed_garbage(p.server, sizes[i / 2]));
    pair_handshake(&p);
    pair_exchange(p.client, p.server, 1000);
    pair_exchange(p.server, p.client, 1000);
    pair_free(&p);
  }
}

// Whatever the records' size, even none, they end.
static void skipping_ends(void **state) {
  (void)state;
  static const size_t sizes[] = {0, 1, 100, 16384 + 17, 16384 + 256};
  for (size_t i = 0; i < COUNT(sizes) * 2; i++) {
    pair p;
    start(&p, i % 2, true);
    tn_result r = tn_success();
    for (size_t n = 0; n < 10000 && tn_ok(r); n++) r = feed_garbage(p.server, sizes[i / 2]);
    assert_int_equal(r.reason, i % 2 ? TN_E_UNEXPECTED_RECORD : TN_E_BAD_RECORD_MAC);
    pair_free(&p);
  }
}

// Who did not ask may not send any, not even an empty record.
static void nothing_else_is_skipped(void **state) {
  (void)state;
  static const size_t sizes[] = {0, 1, 16, 17, 1000};
  for (size_t i = 0; i < COUNT(sizes); i++) {
    pair p;
    start(&p, false, false);
    assert_fails(feed_garbage(p.server, sizes[i]), BAD_RECORD_MAC);
    pair_free(&p);
    start(&p, true, false);
    assert_fails(feed_garbage(p.server, sizes[i]), UNEXPECTED_RECORD);
    pair_free(&p);
    // A client has keys to read with once the ServerHello is there.
    start(&p, false, false);
    tn_writer wire = tn_writer_growing(NULL, 1 << 16);
    drain(p.server, &wire);
    size_t server_hello = 5 + ((size_t)wire.buf[3] << 8 | wire.buf[4]);
    assert_ok(feed(p.client, (tn_span){wire.buf, server_hello}, NULL));
    assert_fails(feed_garbage(p.client, sizes[i]), BAD_RECORD_MAC);
    tn_writer_free(&wire);
    pair_free(&p);
  }
}

// RFC 9846 section 4.3.10: after a HelloRetryRequest there is no early data behind the second ClientHello.
static void the_second_hello_ends_it(void **state) {
  (void)state;
  pair p;
  start(&p, true, true);
  assert_ok(feed_garbage(p.server, 100));
  tn_writer wire = tn_writer_growing(NULL, 1 << 16);
  drain(p.server, &wire);
  assert_ok(feed(p.client, tn_writer_span(&wire), NULL));
  tn_writer_clear(&wire);
  drain(p.client, &wire);
  assert_ok(feed(p.server, tn_writer_span(&wire), NULL));
  assert_fails(feed_garbage(p.server, 100), BAD_RECORD_MAC);
  tn_writer_free(&wire);
  pair_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(early_data_is_skipped),
      cmocka_unit_test(skipping_ends),
      cmocka_unit_test(nothing_else_is_skipped),
      cmocka_unit_test(the_second_hello_ends_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
