// Who asks for new keys, how often, and what it costs: RFC 9846 section 4.7.3.
#include "base/bytes.h"
#include "tls/support/pair.h"

// What the KeyUpdates that `from` has to send ask for, in their order, read with a copy of the keys of `to`; then all
// of it goes to `to`.
static size_t requests(tn_conn *from, tn_conn *to, uint8_t *asks, size_t room) {
  tn_protection keys = to->read;
  tn_traffic_secret secret = to->read_secret;
  tn_writer wire = tn_writer_growing(NULL, 1 << 16);
  size_t count = 0;
  drain(from, &wire);
  for (size_t at = 0; at < wire.len;) {
    uint8_t out[64], type;
    size_t n = 5 + ((size_t)wire.buf[at + 3] << 8 | wire.buf[at + 4]), length;
    assert_true(n <= sizeof out && count < room);
    assert_ok(tn_record_open(&keys, wire.buf + at, n, out, &type, &length));
    assert_int_equal(type, TN_CONTENT_HANDSHAKE);
    assert_int_equal(length, 5);
    assert_int_equal(out[0], TN_MSG_KEY_UPDATE);
    asks[count++] = out[4];
    assert_ok(tn_traffic_update(to->suite->hash, &secret));
    assert_ok(tn_protection_set(&keys, to->suite, &secret));
    at += n;
  }
  assert_ok(feed(to, tn_writer_span(&wire), NULL));
  tn_writer_free(&wire);
  return count;
}

static void start(pair *p) {
  pair_make(p, NULL);
  pair_connect(p);
  pair_handshake(p);
}

static void one_request_at_a_time(void **state) {
  (void)state;
  for (int role = 0; role < 2; role++) {
    pair p;
    start(&p);
    tn_conn *us = role ? p.server : p.client, *peer = role ? p.client : p.server;
    for (int round = 0; round < 3; round++) {
      uint8_t asks[8];
      assert_ok(tn_conn_update_keys(us, false));
      for (int i = 0; i < 3; i++) assert_ok(tn_conn_update_keys(us, true));
      static const uint8_t wanted[] = {0, 1, 0, 0};
      assert_int_equal(requests(us, peer, asks, sizeof asks), COUNT(wanted));
      assert_memory_equal(asks, wanted, sizeof wanted);
      // Still without an answer when they have left.
      assert_ok(tn_conn_update_keys(us, true));
      assert_int_equal(requests(us, peer, asks, sizeof asks), 1);
      assert_int_equal(asks[0], 0);
      // One answer, which asks for nothing, makes room for the next request.
      assert_int_equal(requests(peer, us, asks, sizeof asks), 1);
      assert_int_equal(asks[0], 0);
    }
    pair_exchange(us, peer, 100);
    pair_exchange(peer, us, 100);
    pair_free(&p);
  }
}

// However often it is asked, a peer that answers and says nothing else is in order.
static void answers_are_not_useless(void **state) {
  (void)state;
  pair p;
  start(&p);
  for (int round = 0; round < 3 * TN_MAX_USELESS_RECORDS; round++) {
    assert_ok(tn_conn_update_keys(p.client, true));
    pair_exchange(p.client, p.server, 10);
    assert_ok(pair_run(&p));
  }
  pair_free(&p);
}

// A peer that does it of its own accord, and says nothing else, is refused some day.
static void updates_that_nobody_asked_for_are(void **state) {
  (void)state;
  for (int asks = 0; asks < 2; asks++) {
    pair p;
    start(&p);
    tn_result r = tn_success();
    int count = 0;
    for (; count < 100 && tn_ok(r); count++) {
      tn_writer wire = tn_writer_growing(NULL, 1 << 16);
      p.client->key_update_asked = false;  // a peer that does not keep to the rule
      assert_ok(tn_conn_update_keys(p.client, asks));
      drain(p.client, &wire);
      r = feed(p.server, tn_writer_span(&wire), NULL);
      tn_writer_free(&wire);
    }
    assert_int_equal(r.reason, TN_E_TOO_MANY_EMPTY_RECORDS);
    assert_int_equal(count, TN_MAX_USELESS_RECORDS + 1);
    pair_free(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_request_at_a_time),
      cmocka_unit_test(answers_are_not_useless),
      cmocka_unit_test(updates_that_nobody_asked_for_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
