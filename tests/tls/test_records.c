// The record layer's limits, and handshakes cut into records in every way that RFC 9846 section 5.1 allows.
#include "tls/support/script.h"

static const tn_state connected[] = {TN_SERVER_CONNECTED, TN_CLIENT_CONNECTED};
static const uint8_t zeros[70000];

// ---------------------------------------------------------------- lengths

static void protected_records_have_a_limit(void **state) {
  (void)state;
  static const struct {
    size_t content, padding;
    int alert;  // -1: accepted
  } cases[] = {
      {16384, 0, -1},
      {1, 16383, -1},
      {0, 16384, -1},
      {16385, 0, TN_ALERT_RECORD_OVERFLOW},    // content over 2^14
      {1, 16384, TN_ALERT_RECORD_OVERFLOW},    // inner plaintext over 2^14 + 1
      {16384, 239, TN_ALERT_RECORD_OVERFLOW},  // the longest ciphertext, its inner plaintext too long
      {16384, 240, TN_ALERT_RECORD_OVERFLOW},  // ciphertext of 2^14 + 257
      {40000, 0, TN_ALERT_RECORD_OVERFLOW},
  };
  uint8_t *content = malloc(40000);
  memset(content, 'x', 40000);
  for (size_t i = 0; i < COUNT(connected); i++)
    for (size_t j = 0; j < COUNT(cases); j++) {
      script s;
      script_reach(&s, &fixture, connected[i]);
      script_padded(&s, TN_CONTENT_APPLICATION_DATA, tn_span_of(content, cases[j].content), cases[j].padding);
      if (cases[j].alert >= 0) {
        script_expect(&s, "a long protected record", (tn_alert)cases[j].alert);
      } else {
        assert_ok(s.result);
        assert_int_equal(s.data.len, cases[j].content);
        if (s.data.len != 0) assert_memory_equal(s.data.buf, content, s.data.len);
      }
      script_close(&s);
    }
  free(content);
}

// Known from its header alone.
static void a_long_record_is_refused_at_its_header(void **state) {
  (void)state;
  static const uint8_t types[] = {20, 21, 22, 23};
  for (tn_state where = TN_SERVER_WAIT_CLIENT_HELLO; where <= TN_CLIENT_CONNECTED; where++)
    for (size_t j = 0; j < COUNT(types); j++) {
      size_t limit = types[j] == 23 ? 16384 + 256 : 16384;
      for (size_t n = limit; n <= limit + 1; n++) {
        const uint8_t header[] = {types[j], 3, 3, (uint8_t)(n >> 8), (uint8_t)n};
        script s;
        script_reach(&s, &fixture, where);
        script_wire(&s, tn_span_of(header, sizeof header));
        if (n > limit)
          script_expect(&s, "a record too long", TN_ALERT_RECORD_OVERFLOW);
        else
          assert_ok(s.result);
        script_close(&s);
      }
    }
}

static void plain_records_may_be_full(void **state) {
  (void)state;
  script s;
  hello h;
  script_open(&s, &fixture, TN_CLIENT);
  hello_client(&s, &h);
  for (uint16_t i = 0; i < 110; i++) ext_fill(&h.ext, (uint16_t)(0x4000 + i), 500);  // 55 kB
  assert_ok(script_hello(&s, &h));
  script_take_server_flight(&s);
  assert_ok(script_finished(&s));
  script_close(&s);
}

static void short_ciphertexts_are_not_authentic(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(connected); i++)
    for (size_t n = 0; n < 20; n++) {
      script s;
      script_reach(&s, &fixture, connected[i]);
      script_plain(&s, TN_CONTENT_APPLICATION_DATA, zeros, n);
      script_expect(&s, "a short ciphertext", TN_ALERT_BAD_RECORD_MAC);
      script_close(&s);
    }
}

// The header is authenticated, but for what does not come through anyway.
static void every_bit_of_a_record_counts(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(connected); i++)
    for (size_t bit = 0; bit < 8 * (TN_RECORD_HEADER + 4 + 17); bit++) {
      script s;
      script_reach(&s, &fixture, connected[i]);
      uint8_t record[TN_RECORD_HEADER + 4 + 17];
      const tn_span data = tn_span_of("data", 4);
      assert_ok(tn_record_seal(&s.write, TN_CONTENT_APPLICATION_DATA, &data, 1, 0, 4, record));
      record[bit / 8] ^= (uint8_t)(1 << bit % 8);
      script_wire(&s, tn_span_of(record, sizeof record));
      if (bit / 8 == 0)
        script_expect(&s, "another outer type", TN_ALERT_UNEXPECTED_MESSAGE);
      else if (bit / 8 == 1)
        script_expect(&s, "another major version", TN_ALERT_PROTOCOL_VERSION);
      else if (bit == 8 * 3 + 7)
        script_expect(&s, "a huge length", TN_ALERT_RECORD_OVERFLOW);
      else if ((bit / 8 == 3 || bit / 8 == 4) && tn_ok(s.result))
        assert_fails(tn_conn_receive_eof(s.engine), TRUNCATED);  // it waits for more
      else
        script_expect(&s, "another bit", TN_ALERT_BAD_RECORD_MAC);
      assert_int_equal(s.data.len, 0);
      script_close(&s);
    }
}

static void records_are_taken_once_and_in_order(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(connected); i++)
    for (int replay = 0; replay < 2; replay++) {
      script s;
      script_reach(&s, &fixture, connected[i]);
      uint8_t records[2][TN_RECORD_HEADER + 4 + 17];
      const tn_span data = tn_span_of("data", 4);
      for (int j = 0; j < 2; j++)
        assert_ok(tn_record_seal(&s.write, TN_CONTENT_APPLICATION_DATA, &data, 1, 0, 4, records[j]));
      if (replay) assert_ok(script_wire(&s, tn_span_of(records[0], sizeof records[0])));
      script_wire(&s, tn_span_of(records[!replay], sizeof records[0]));
      s.data.len = 0;
      script_expect(&s, "a record out of its turn", TN_ALERT_BAD_RECORD_MAC);
      script_close(&s);
    }
}

// ---------------------------------------------------------------- sequence numbers

static void a_sequence_number_never_wraps(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(connected); i++) {
    script s;
    uint8_t type;
    tn_span content;
    script_reach(&s, &fixture, connected[i]);
    s.write.sequence = s.engine->read.sequence = UINT64_MAX - 1;
    assert_ok(script_record(&s, TN_CONTENT_APPLICATION_DATA, "x", 1));
    s.data.len = 0;
    script_record(&s, TN_CONTENT_APPLICATION_DATA, "x", 1);
    script_expect(&s, "the end of the numbers", TN_ALERT_INTERNAL_ERROR);
    script_close(&s);

    // Neither does our own: not even an alert goes out under a number that was used.
    script_reach(&s, &fixture, connected[i]);
    s.engine->write.sequence = UINT64_MAX;
    tn_conn_close(s.engine);
    assert_false(script_next(&s, &type, &content));
    script_close(&s);
    script_reach(&s, &fixture, connected[i]);
    s.engine->write.sequence = UINT64_MAX;
    script_record(&s, 99, "x", 1);
    assert_false(tn_ok(s.result));
    assert_false(script_next(&s, &type, &content));
    script_close(&s);
    script_reach(&s, &fixture, connected[i]);
    s.engine->write.sequence = UINT64_MAX;
    assert_fails(tn_conn_update_keys(s.engine, false), SEQUENCE_EXHAUSTED);
    assert_false(script_next(&s, &type, &content));
    script_close(&s);
  }
}

// ---------------------------------------------------------------- cutting and joining

static void as_client(script *s, bool retry, size_t cut) {
  hello h;
  script_open(s, &fixture, TN_CLIENT);
  s->cut = cut;
  hello_client(s, &h);
  if (retry) {
    ext_set(&h.ext, 51, "0000");
    assert_ok(script_hello(s, &h));
    script_take_retry(s, 0x001d);
    assert_ok(script_compatibility(s));
    hello fresh;
    hello_client(s, &fresh);
    size_t share = ext_find(&fresh.ext, 51);
    ext_set_bytes(&h.ext, 51, fresh.ext.at[share].body, fresh.ext.at[share].n);
  }
  assert_ok(script_hello(s, &h));
  script_take_server_flight(s);
  if (!retry) assert_ok(script_compatibility(s));
  assert_ok(script_finished(s));
  script_write_application(s);
}

static void as_server(script *s, bool retry, size_t cut, bool join) {
  hello h;
  script_open(s, &fixture, TN_SERVER);
  s->cut = cut;
  if (retry) {
    hello_retry(s, &h, 0x0017);
    assert_ok(script_hello(s, &h));
    assert_ok(script_compatibility(s));
  }
  hello_server(s, &h);
  assert_ok(script_hello(s, &h));
  if (!retry) assert_ok(script_compatibility(s));
  script_handshake_keys(s);
  s->holding = join;
  ext_list ext = {0};
  ext_set(&ext, 0, "");
  assert_ok(script_encrypted_extensions(s, &ext));
  assert_ok(script_certificate(s));
  assert_ok(script_certificate_verify(s, 0x0403));
  assert_ok(script_finished(s));
  assert_ok(script_flush(s));
  script_application_keys(s);
  script_write_application(s);
  s->holding = true;
  for (int i = 0; i < 2; i++)
    assert_ok(script_handshake(s, TN_MSG_NEW_SESSION_TICKET, tn_span_of("\0\0\0\1\0\0\0\0\0\0\1t\0\0", 14)));
  assert_ok(script_flush(s));
}

static void messages_may_be_cut_and_joined(void **state) {
  (void)state;
  static const size_t cuts[] = {1, 2, 3, 4, 5, 100, 0};
  for (size_t i = 0; i < COUNT(cuts); i++)
    for (int retry = 0; retry < 2; retry++) {
      script s;
      as_client(&s, retry, cuts[i]);
      assert_ok(script_record(&s, TN_CONTENT_APPLICATION_DATA, "x", 1));
      assert_int_equal(s.data.len, 1);
      script_close(&s);
      for (int join = 0; join < 2; join++) {
        as_server(&s, retry, cuts[i], join);
        assert_ok(script_record(&s, TN_CONTENT_APPLICATION_DATA, "x", 1));
        assert_int_equal(s.data.len, 1);
        script_close(&s);
      }
    }
}

// Keys change after these messages, so nothing may stand behind them in their record, cut or not.
static void nothing_is_joined_across_a_key_change(void **state) {
  (void)state;
  static const tn_state where[] = {TN_SERVER_WAIT_CLIENT_HELLO, TN_SERVER_WAIT_FINISHED, TN_CLIENT_WAIT_SERVER_HELLO,
                                   TN_CLIENT_WAIT_FINISHED};
  for (size_t i = 0; i < COUNT(where); i++)
    for (int cut = 0; cut < 2; cut++) {
      script s;
      hello h;
      bool hello_next = where[i] == TN_SERVER_WAIT_CLIENT_HELLO || where[i] == TN_CLIENT_WAIT_SERVER_HELLO;
      if (hello_next)
        script_open(&s, &fixture, where[i] == TN_SERVER_WAIT_CLIENT_HELLO ? TN_CLIENT : TN_SERVER);
      else
        script_reach(&s, &fixture, where[i]);
      s.holding = true;
      if (hello_next && s.role == TN_CLIENT) hello_client(&s, &h);
      if (hello_next && s.role == TN_SERVER) hello_server(&s, &h);
      if (hello_next)
        assert_ok(script_hello(&s, &h));
      else
        assert_ok(script_finished(&s));
      tn_write_u8(&s.held, 24);  // the first byte of another message
      if (cut) {
        assert_ok(script_record(&s, TN_CONTENT_HANDSHAKE, s.held.buf, 10));
        script_record(&s, TN_CONTENT_HANDSHAKE, s.held.buf + 10, s.held.len - 10);
      } else {
        script_flush(&s);
      }
      script_expect(&s, "a message across a key change", TN_ALERT_UNEXPECTED_MESSAGE);
      script_close(&s);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(protected_records_have_a_limit),
      cmocka_unit_test(a_long_record_is_refused_at_its_header),
      cmocka_unit_test(plain_records_may_be_full),
      cmocka_unit_test(short_ciphertexts_are_not_authentic),
      cmocka_unit_test(every_bit_of_a_record_counts),
      cmocka_unit_test(records_are_taken_once_and_in_order),
      cmocka_unit_test(a_sequence_number_never_wraps),
      cmocka_unit_test(messages_may_be_cut_and_joined),
      cmocka_unit_test(nothing_is_joined_across_a_key_change),
  };
  return cmocka_run_group_tests(tests, fixture_make, fixture_free);
}
