// After the handshake: KeyUpdates, tickets, closing; good, bad, and too many.
#include "tls/support/script.h"

static const tn_state connected[] = {TN_SERVER_CONNECTED, TN_CLIENT_CONNECTED};

static tn_result update(script *s, uint8_t request) {
  const uint8_t message[] = {TN_MSG_KEY_UPDATE, 0, 0, 1, request};
  return script_record(s, TN_CONTENT_HANDSHAKE, message, sizeof message);
}

static void next_keys(script *s, tn_traffic_secret *secret, tn_protection *p) {
  assert_ok(tn_traffic_update(s->suite->hash, secret));
  assert_ok(tn_protection_set(p, s->suite, secret));
}

static tn_traffic_secret *own(script *s) {
  return s->role == TN_SERVER ? &s->server_application : &s->client_application;
}
static tn_traffic_secret *theirs(script *s) {
  return s->role == TN_SERVER ? &s->client_application : &s->server_application;
}

static void data_flows(script *s) {
  size_t before = s->data.len;
  assert_ok(script_record(s, TN_CONTENT_APPLICATION_DATA, "abc", 3));
  assert_int_equal(s->data.len, before + 3);
  const tn_span data = {(const uint8_t *)"defg", 4};
  uint8_t out[100], type;
  tn_span content;
  size_t taken, written;
  assert_ok(tn_conn_send(s->engine, &data, 1, (tn_mspan){out, sizeof out}, &taken, &written));
  assert_int_equal(taken, 4);
  tn_write_bytes(&s->wire, out, written);
  assert_true(script_next(s, &type, &content));
  assert_int_equal(type, TN_CONTENT_APPLICATION_DATA);
  assert_int_equal(content.n, 4);
  assert_memory_equal(content.p, "defg", 4);
}

static void take_key_update(script *s, uint8_t request) {
  uint8_t type;
  tn_span content;
  assert_true(script_next(s, &type, &content));
  assert_int_equal(type, TN_CONTENT_HANDSHAKE);
  const uint8_t message[] = {TN_MSG_KEY_UPDATE, 0, 0, 1, request};
  assert_int_equal(content.n, sizeof message);
  assert_memory_equal(content.p, message, sizeof message);
  next_keys(s, theirs(s), &s->read);
}

static void key_updates_are_followed_and_answered(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(connected); i++) {
    script s;
    uint8_t type;
    tn_span content;
    script_reach(&s, &fixture, connected[i]);
    for (uint8_t round = 0; round < 10; round++) {
      assert_ok(update(&s, round % 2));
      next_keys(&s, own(&s), &s.write);
      if (round % 2) take_key_update(&s, 0);
      data_flows(&s);
      assert_ok(tn_conn_update_keys(s.engine, round % 2));
      drain(s.engine, &s.wire);
      take_key_update(&s, round % 2);
      data_flows(&s);
    }
    // Requests that arrive before the answer left are answered once.
    for (int n = 0; n < 3; n++) {
      assert_ok(update(&s, 1));
      next_keys(&s, own(&s), &s.write);
    }
    take_key_update(&s, 0);
    assert_false(script_next(&s, &type, &content));
    data_flows(&s);
    // The old keys are gone.
    assert_ok(update(&s, 0));
    script_record(&s, TN_CONTENT_APPLICATION_DATA, "x", 1);
    s.data.len = 0;
    script_expect(&s, "data under old keys", TN_ALERT_BAD_RECORD_MAC);
    script_close(&s);
  }
}

static void bad_key_updates(void **state) {
  (void)state;
  static const struct {
    const char *what;
    tn_alert alert;
    uint8_t n, message[8];
  } cases[] = {
      {"request 2", TN_ALERT_ILLEGAL_PARAMETER, 5, {24, 0, 0, 1, 2}},
      {"request 255", TN_ALERT_ILLEGAL_PARAMETER, 5, {24, 0, 0, 1, 255}},
      {"no request", TN_ALERT_DECODE_ERROR, 4, {24, 0, 0, 0}},
      {"two requests", TN_ALERT_DECODE_ERROR, 6, {24, 0, 0, 2, 0, 0}},
      {"a byte after it", TN_ALERT_UNEXPECTED_MESSAGE, 6, {24, 0, 0, 1, 0, 24}},
  };
  for (size_t i = 0; i < COUNT(connected); i++)
    for (size_t j = 0; j < COUNT(cases); j++) {
      script s;
      script_reach(&s, &fixture, connected[i]);
      script_record(&s, TN_CONTENT_HANDSHAKE, cases[j].message, cases[j].n);
      script_expect(&s, cases[j].what, cases[j].alert);
      script_close(&s);
    }
}

// Data between them makes any number welcome; in a row they are a flood.
static void floods_are_refused(void **state) {
  (void)state;
  enum { UPDATES, REQUESTS, EMPTY_DATA, CANCELS, TICKETS, KINDS };
  static const uint8_t ticket[] = {4, 0, 0, 14, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0x74, 0, 0};
  for (size_t i = 0; i < COUNT(connected); i++)
    for (int kind = 0; kind < KINDS; kind++)
      for (int patient = 0; patient < 2; patient++) {
        if (kind == TICKETS && connected[i] == TN_SERVER_CONNECTED) continue;
        script s;
        script_reach(&s, &fixture, connected[i]);
        unsigned n = 0;
        for (; n < 200 && tn_ok(s.result); n++) {
          if (kind == UPDATES || kind == REQUESTS) {
            update(&s, kind == REQUESTS);
            next_keys(&s, own(&s), &s.write);
            drain(s.engine, &s.wire);
          }
          if (kind == EMPTY_DATA) script_record(&s, TN_CONTENT_APPLICATION_DATA, "", 0);
          if (kind == CANCELS) script_record(&s, TN_CONTENT_ALERT, "\1\x5a", 2);
          if (kind == TICKETS) script_record(&s, TN_CONTENT_HANDSHAKE, ticket, sizeof ticket);
          if (patient && tn_ok(s.result)) script_record(&s, TN_CONTENT_APPLICATION_DATA, "x", 1);
        }
        if (patient) {
          assert_ok(s.result);
          assert_int_equal(s.data.len, 200);
        } else {
          assert_int_equal(n, TN_MAX_USELESS_RECORDS + 1);
          assert_int_equal(s.result.reason, TN_E_TOO_MANY_EMPTY_RECORDS);
          assert_int_equal(s.result.alert, TN_ALERT_UNEXPECTED_MESSAGE);
        }
        script_close(&s);
      }
}

// A peer that only receives still answers our requests, and may renew its own keys as we send: no flood.
static void answers_to_our_requests_are_no_flood(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(connected); i++) {
    script s;
    script_reach(&s, &fixture, connected[i]);
    for (int n = 0; n < 100; n++) {
      assert_ok(tn_conn_update_keys(s.engine, true));
      drain(s.engine, &s.wire);
      take_key_update(&s, 1);
      assert_ok(update(&s, 0));
      next_keys(&s, own(&s), &s.write);
    }
    for (int n = 0; n < 100; n++) {
      const tn_span data = {(const uint8_t *)"defg", 4};
      uint8_t out[100];
      size_t taken, written;
      assert_ok(tn_conn_send(s.engine, &data, 1, (tn_mspan){out, sizeof out}, &taken, &written));
      assert_ok(update(&s, 0));
      next_keys(&s, own(&s), &s.write);
    }
    script_close(&s);
  }
}

static void tickets(void **state) {
  (void)state;
  static const struct {
    const char *what;
    int alert;  // -1: accepted
    const char *hex;
  } cases[] = {
      {"an honest ticket", -1, "00000e10 01020304 08 0000000000000000 0004 74696b74 0000"},
      {"no nonce", -1, "00000e10 01020304 00 0001 74 0000"},
      {"a lifetime beyond a week", -1, "ffffffff 01020304 00 0001 74 0000"},
      {"early_data", -1, "00000e10 01020304 00 0001 74 0008 002a 0004 00004000"},
      {"unknown extensions", -1, "00000e10 01020304 00 0001 74 0008 fafa 0000 3a3a 0000"},
      {"an empty message", TN_ALERT_DECODE_ERROR, ""},
      {"half a lifetime", TN_ALERT_DECODE_ERROR, "0000"},
      {"no age", TN_ALERT_DECODE_ERROR, "00000e10 0102"},
      {"a nonce beyond the end", TN_ALERT_DECODE_ERROR, "00000e10 01020304 0a 0001 74 0000"},
      {"an empty ticket", TN_ALERT_DECODE_ERROR, "00000e10 01020304 00 0000 0000"},
      {"a ticket beyond the end", TN_ALERT_DECODE_ERROR, "00000e10 01020304 00 0009 74 0000"},
      {"no extensions", TN_ALERT_DECODE_ERROR, "00000e10 01020304 00 0001 74"},
      {"an extension beyond the end", TN_ALERT_DECODE_ERROR, "00000e10 01020304 00 0001 74 0004 002a 0004"},
      {"early_data without a size", TN_ALERT_DECODE_ERROR, "00000e10 01020304 00 0001 74 0004 002a 0000"},
      {"early_data with too much", TN_ALERT_DECODE_ERROR, "00000e10 01020304 00 0001 74 0009 002a 0005 0000400000"},
      {"an extension of other messages", TN_ALERT_ILLEGAL_PARAMETER, "00000e10 01020304 00 0001 74 0004 0033 0000"},
      {"an extension twice", TN_ALERT_ILLEGAL_PARAMETER, "00000e10 01020304 00 0001 74 0008 fafa 0000 fafa 0000"},
      {"bytes after the end", TN_ALERT_DECODE_ERROR, "00000e10 01020304 00 0001 74 0000 00"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    script s;
    bytes body = bytes_from_hex(cases[i].hex);
    script_reach(&s, &fixture, TN_CLIENT_CONNECTED);
    script_handshake(&s, TN_MSG_NEW_SESSION_TICKET, bytes_span(body));
    if (cases[i].alert >= 0) {
      script_expect(&s, cases[i].what, (tn_alert)cases[i].alert);
    } else {
      if (!tn_ok(s.result)) fail_msg("%s: %s", cases[i].what, tn_reason_name(s.result.reason));
      data_flows(&s);
    }
    bytes_free(&body);
    script_close(&s);
  }
}

// Whoever closed sends nothing more: no answer to a KeyUpdate, no alert, no Finished.
static void nothing_follows_our_close_notify(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(connected); i++) {
    script s;
    uint8_t type;
    tn_span content;
    script_reach(&s, &fixture, connected[i]);
    tn_conn_close(s.engine);
    assert_true(script_next(&s, &type, &content));
    assert_int_equal(type, TN_CONTENT_ALERT);
    assert_memory_equal(content.p, "\1\0", 2);
    assert_ok(update(&s, 1));
    next_keys(&s, own(&s), &s.write);
    assert_ok(script_record(&s, TN_CONTENT_APPLICATION_DATA, "x", 1));
    assert_int_equal(s.data.len, 1);
    script_record(&s, 99, "x", 1);
    assert_false(tn_ok(s.result));
    assert_false(script_next(&s, &type, &content));
    script_close(&s);
  }
}

static void nothing_follows_a_close_in_the_handshake(void **state) {
  (void)state;
  for (tn_state where = TN_SERVER_WAIT_CLIENT_HELLO; where < TN_CLIENT_CONNECTED; where++) {
    if (where == TN_SERVER_CONNECTED) continue;
    script s;
    uint8_t type;
    tn_span content;
    script_reach(&s, &fixture, where);
    tn_conn_close(s.engine);
    assert_true(script_next(&s, &type, &content));
    assert_memory_equal(content.p, "\1\x5a", 2);
    assert_true(script_next(&s, &type, &content));
    assert_memory_equal(content.p, "\1\0", 2);
    // The peer, who does not know yet, goes on.
    if (where == TN_SERVER_WAIT_CLIENT_HELLO) {
      hello h;
      hello_client(&s, &h);
      assert_ok(script_hello(&s, &h));
    } else if (where == TN_SERVER_WAIT_FINISHED || where == TN_CLIENT_WAIT_FINISHED) {
      assert_ok(script_finished(&s));
    } else {
      assert_ok(script_record(&s, 99, "x", 1));
    }
    assert_false(script_next(&s, &type, &content));
    assert_false(tn_conn_status(s.engine) & TN_CONN_OPEN);
    assert_fails(tn_conn_receive_eof(s.engine), TRUNCATED);
    assert_false(script_next(&s, &type, &content));
    script_close(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(key_updates_are_followed_and_answered),
      cmocka_unit_test(bad_key_updates),
      cmocka_unit_test(floods_are_refused),
      cmocka_unit_test(answers_to_our_requests_are_no_flood),
      cmocka_unit_test(tickets),
      cmocka_unit_test(nothing_follows_our_close_notify),
      cmocka_unit_test(nothing_follows_a_close_in_the_handshake),
  };
  return cmocka_run_group_tests(tests, fixture_make, fixture_free);
}
