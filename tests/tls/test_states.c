// Every state against everything that may arrive in it: only what RFC 9846 allows there gets through.
#include "tls/support/script.h"

// Appendix A of the RFC, written down a second time: what this test believes, not what the engine's table says.
typedef struct {
  tn_state state;
  bool keys;    // the engine reads protected records
  bool open;    // application data is welcome
  bool compat;  // a change_cipher_spec is dropped
  struct {
    uint8_t type;
    bool ends_record;
  } allowed[2];
} expectation;

static const expectation states[] = {
    {TN_SERVER_WAIT_CLIENT_HELLO, false, false, false, {{1, true}}},
    {TN_SERVER_WAIT_SECOND_HELLO, false, false, true, {{1, true}}},
    {TN_SERVER_WAIT_FINISHED, true, false, true, {{20, true}}},
    {TN_SERVER_CONNECTED, true, true, false, {{24, true}}},
    {TN_CLIENT_WAIT_SERVER_HELLO, false, false, true, {{2, true}}},
    {TN_CLIENT_WAIT_RETRIED_HELLO, false, false, true, {{2, true}}},
    {TN_CLIENT_WAIT_ENCRYPTED_EXTENSIONS, true, false, true, {{8, false}}},
    {TN_CLIENT_WAIT_CERTIFICATE_OR_REQUEST, true, false, true, {{11, false}, {13, false}}},
    {TN_CLIENT_WAIT_CERTIFICATE, true, false, true, {{11, false}}},
    {TN_CLIENT_WAIT_CERTIFICATE_VERIFY, true, false, true, {{15, false}}},
    {TN_CLIENT_WAIT_FINISHED, true, false, true, {{20, true}}},
    {TN_CLIENT_CONNECTED, true, true, false, {{4, false}, {24, true}}},
};

static bool allowed(const expectation *e, unsigned type, bool *ends_record) {
  for (size_t i = 0; i < COUNT(e->allowed); i++)
    if (e->allowed[i].type == type && type != 0) {
      *ends_record = e->allowed[i].ends_record;
      return true;
    }
  return false;
}

static const char *name_of(const expectation *e, const char *what, unsigned a, unsigned b) {
  static char text[200];
  snprintf(text, sizeof text, "state %d, %s %u (%u)", e->state, what, a, b);
  return text;
}

// The engine took it and said nothing.
static void expect_silence(script *s, const char *what) {
  if (!tn_ok(s->result)) fail_msg("%s: %s", what, tn_reason_name(s->result.reason));
  assert_int_equal(script_alert(s), -1);
}

// Three forms of each message: whole and alone, whole with bytes after it in the record, its first byte only.
static void every_message_in_every_state(void **state) {
  (void)state;
  enum { ALONE, FOLLOWED, BEGUN };
  for (size_t i = 0; i < COUNT(states); i++)
    for (unsigned type = 0; type < 256; type++) {
      bool ends_record = false, known = allowed(&states[i], type, &ends_record);
      for (unsigned form = ALONE; form <= BEGUN; form++) {
        if (!known && (type + form + i) % STRIDE(16) != 0) continue;
        const uint8_t message[8] = {(uint8_t)type};
        script s;
        script_reach(&s, &fixture, states[i].state);
        script_record(&s, TN_CONTENT_HANDSHAKE, message, form == ALONE ? 4 : form == FOLLOWED ? 8 : 1);
        const char *what = name_of(&states[i], "message", type, form);
        if (known && form == BEGUN)
          expect_silence(&s, what);
        else if (known && !(form == FOLLOWED && ends_record))
          script_expect(&s, what, TN_ALERT_DECODE_ERROR);  // every message that may arrive has contents
        else
          script_expect(&s, what, TN_ALERT_UNEXPECTED_MESSAGE);
        script_close(&s);
      }
    }
}

// The same messages without protection where there should be some, and the reverse.
static void every_message_under_the_wrong_keys(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(states); i++)
    for (unsigned type = 0; type < 256; type += STRIDE(16)) {
      uint8_t message[40] = {(uint8_t)type};
      script s;
      script_reach(&s, &fixture, states[i].state);
      script_plain(&s, states[i].keys ? TN_CONTENT_HANDSHAKE : TN_CONTENT_APPLICATION_DATA, message, sizeof message);
      script_expect(&s, name_of(&states[i], "misprotected message", type, 0), TN_ALERT_UNEXPECTED_MESSAGE);
      script_close(&s);
    }
}

static void expect_outer(script *s, const expectation *e, unsigned type, size_t n) {
  const char *what = name_of(e, "content type", type, (unsigned)n);
  if (type == TN_CONTENT_CHANGE_CIPHER_SPEC && n == 1 && e->compat)
    expect_silence(s, what);
  else if (type == TN_CONTENT_ALERT && n != 0 && (!e->keys || e->state == TN_SERVER_WAIT_FINISHED))
    script_expect(s, what, TN_ALERT_DECODE_ERROR);
  else if (type == TN_CONTENT_APPLICATION_DATA && e->keys)
    script_expect(s, what, TN_ALERT_BAD_RECORD_MAC);
  else
    script_expect(s, what, TN_ALERT_UNEXPECTED_MESSAGE);
}

static void every_content_type_in_every_state(void **state) {
  (void)state;
  static const size_t lengths[] = {0, 1, 3, 40};
  static const uint8_t content[40] = {1};
  static const uint8_t no_message[40] = {3};
  for (size_t i = 0; i < COUNT(states); i++)
    for (unsigned type = 0; type < 256; type++)
      for (size_t j = 0; j < COUNT(lengths); j++) {
        if ((type < 20 || type > 23) && (type + j) % (4 * STRIDE(4)) != 0) continue;
        script s;
        script_reach(&s, &fixture, states[i].state);
        script_plain(&s, (uint8_t)type, type == TN_CONTENT_HANDSHAKE ? no_message : content, lengths[j]);
        expect_outer(&s, &states[i], type, lengths[j]);
        script_close(&s);
      }
}

// Inside a protected record. Type 0 is no type but padding: the type is then what precedes it.
static void every_inner_content_type_in_every_state(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(states); i++) {
    if (!states[i].keys) continue;
    for (unsigned type = 0; type < 256; type++)
      for (size_t n = 0; n < 2; n++) {
        if ((type < 20 || type > 23) && (type + n) % STRIDE(16) != 0) continue;
        script s;
        script_reach(&s, &fixture, states[i].state);
        script_padded(&s, (uint8_t)type, tn_span_of("\1", n), type % 3);
        const char *what = name_of(&states[i], "inner content type", type, (unsigned)n);
        bool ends_record, begun = n != 0 && type == TN_CONTENT_HANDSHAKE && allowed(&states[i], 1, &ends_record);
        if ((type == TN_CONTENT_APPLICATION_DATA && states[i].open) || begun) {
          if (!tn_ok(s.result)) fail_msg("%s: %s", what, tn_reason_name(s.result.reason));
          assert_int_equal(s.data.len, n);
        } else {
          script_expect(&s, what,
                        type == TN_CONTENT_ALERT && n == 1 ? TN_ALERT_DECODE_ERROR : TN_ALERT_UNEXPECTED_MESSAGE);
        }
        script_close(&s);
      }
    for (size_t n = 0; n < 70; n += 23) {  // nothing but zeros
      static const uint8_t zeros[70];
      script s;
      script_reach(&s, &fixture, states[i].state);
      script_record(&s, 0, zeros, n);
      script_expect(&s, name_of(&states[i], "zeros", (unsigned)n, 0), TN_ALERT_UNEXPECTED_MESSAGE);
      script_close(&s);
    }
  }
}

static void change_cipher_spec_in_every_state(void **state) {
  (void)state;
  static const struct {
    const char *body;
    size_t n;
  } wrong[] = {{"", 0}, {"\0", 1}, {"\2", 1}, {"\xff", 1}, {"\1\1", 2}, {"\1\0", 2}, {"\0\1", 2}};
  for (size_t i = 0; i < COUNT(states); i++) {
    script s;
    for (size_t j = 0; j < COUNT(wrong); j++) {
      script_reach(&s, &fixture, states[i].state);
      script_plain(&s, TN_CONTENT_CHANGE_CIPHER_SPEC, wrong[j].body, wrong[j].n);
      script_expect(&s, name_of(&states[i], "change_cipher_spec", (unsigned)j, 0), TN_ALERT_UNEXPECTED_MESSAGE);
      script_close(&s);
    }
    if (states[i].keys) {
      script_reach(&s, &fixture, states[i].state);
      script_record(&s, TN_CONTENT_CHANGE_CIPHER_SPEC, "\1", 1);
      script_expect(&s, "a protected change_cipher_spec", TN_ALERT_UNEXPECTED_MESSAGE);
      script_close(&s);
    }
    if (!states[i].compat) continue;
    script_reach(&s, &fixture, states[i].state);
    unsigned n = 0;
    while (tn_ok(script_compatibility(&s)) && n < 1000) n++;
    assert_in_range(n, 2, TN_MAX_USELESS_RECORDS);
    script_expect(&s, "too many change_cipher_specs", TN_ALERT_UNEXPECTED_MESSAGE);
    script_close(&s);
  }
}

// Nothing comes between the records of one handshake message (section 5.1).
static void nothing_interrupts_a_message(void **state) {
  (void)state;
  enum { COMPATIBILITY, DATA, EMPTY_DATA, USER_CANCELED, CLOSE, FATAL, KINDS };
  for (size_t i = 0; i < COUNT(states); i++)
    for (int kind = 0; kind < KINDS; kind++) {
      script s;
      script_reach(&s, &fixture, states[i].state);
      const uint8_t start[] = {states[i].allowed[0].type, 0};
      assert_ok(script_record(&s, TN_CONTENT_HANDSHAKE, start, sizeof start));
      if (kind == COMPATIBILITY) script_compatibility(&s);
      if (kind == DATA) script_record(&s, TN_CONTENT_APPLICATION_DATA, "x", 1);
      if (kind == EMPTY_DATA) script_record(&s, TN_CONTENT_APPLICATION_DATA, "", 0);
      if (kind == USER_CANCELED) script_record(&s, TN_CONTENT_ALERT, "\1\x5a", 2);
      if (kind == CLOSE) script_record(&s, TN_CONTENT_ALERT, "\1\0", 2);
      if (kind == FATAL) {  // no answer is due to it
        script_record(&s, TN_CONTENT_ALERT, "\2\x28", 2);
        assert_int_equal(s.result.reason, TN_E_PEER_ALERT);
        assert_int_equal(s.result.alert, TN_ALERT_HANDSHAKE_FAILURE);
        assert_int_equal(script_alert(&s), -1);
      } else {
        script_expect(&s, name_of(&states[i], "interruption", (unsigned)kind, 0), TN_ALERT_UNEXPECTED_MESSAGE);
      }
      script_close(&s);
    }
}

static void expect_alert_taken(script *s, const expectation *e, unsigned description) {
  unsigned status = tn_conn_status(s->engine);
  if (description == TN_ALERT_USER_CANCELED) {
    assert_ok(s->result);
    assert_false(status & (TN_CONN_PEER_CLOSED | TN_CONN_FAILED));
  } else if (description == TN_ALERT_CLOSE_NOTIFY && e->open) {
    assert_ok(s->result);
    assert_true(status & TN_CONN_PEER_CLOSED);
    assert_false(status & TN_CONN_FAILED);
    assert_ok(script_record(s, TN_CONTENT_APPLICATION_DATA, "x", 1));  // what follows is ignored
    assert_int_equal(s->data.len, 0);
    assert_ok(tn_conn_receive_eof(s->engine));
  } else {
    assert_int_equal(s->result.reason, TN_E_PEER_ALERT);
    assert_int_equal(s->result.alert, description);
    assert_true(status & TN_CONN_FAILED);
  }
  assert_int_equal(script_alert(s), -1);  // alerts are not answered
}

static void every_alert_in_every_state(void **state) {
  (void)state;
  static const uint8_t levels[] = {0, 1, 2, 3, 255};
  for (size_t i = 0; i < COUNT(states); i++)
    for (size_t j = 0; j < COUNT(levels); j++)
      for (unsigned description = 0; description < 256; description++) {
        bool special = description == TN_ALERT_CLOSE_NOTIFY || description == TN_ALERT_USER_CANCELED;
        if (!special && (description + j + i) % (j == 2 ? STRIDE(16) : 8 * STRIDE(4)) != 0) continue;
        const uint8_t alert[] = {levels[j], (uint8_t)description};
        script s;
        script_reach(&s, &fixture, states[i].state);
        script_record(&s, TN_CONTENT_ALERT, alert, sizeof alert);
        expect_alert_taken(&s, &states[i], description);
        script_close(&s);
      }
}

static void malformed_alerts_in_every_state(void **state) {
  (void)state;
  static const uint8_t bytes_of[] = {2, 40, 2, 40, 0};
  for (size_t i = 0; i < COUNT(states); i++)
    for (size_t n = 0; n <= sizeof bytes_of; n++) {
      if (n == 2) continue;  // n = 1: the first half of a fragmented one; 4: two in one record
      script s;
      script_reach(&s, &fixture, states[i].state);
      script_record(&s, TN_CONTENT_ALERT, bytes_of, n);
      script_expect(&s, name_of(&states[i], "alert of length", (unsigned)n, 0),
                    n == 0 ? TN_ALERT_UNEXPECTED_MESSAGE : TN_ALERT_DECODE_ERROR);
      script_close(&s);
    }
}

// A client that could not use the ServerHello says so before it has keys (and only then).
static void a_plain_alert_is_heard_while_the_client_may_lack_keys(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(states); i++) {
    script s;
    script_reach(&s, &fixture, states[i].state);
    script_plain(&s, TN_CONTENT_ALERT, "\2\x28", 2);
    if (states[i].keys && states[i].state != TN_SERVER_WAIT_FINISHED) {
      script_expect(&s, name_of(&states[i], "a plain alert", 0, 0), TN_ALERT_UNEXPECTED_MESSAGE);
    } else {
      assert_int_equal(s.result.reason, TN_E_PEER_ALERT);
      assert_int_equal(script_alert(&s), -1);
    }
    script_close(&s);
  }
  // Once a protected record arrived, the client has keys.
  script s;
  script_reach(&s, &fixture, TN_SERVER_WAIT_FINISHED);
  assert_ok(script_record(&s, TN_CONTENT_ALERT, "\1\x5a", 2));
  script_plain(&s, TN_CONTENT_ALERT, "\2\x28", 2);
  script_expect(&s, "a plain alert after a protected one", TN_ALERT_UNEXPECTED_MESSAGE);
  script_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_message_in_every_state),
      cmocka_unit_test(every_message_under_the_wrong_keys),
      cmocka_unit_test(every_content_type_in_every_state),
      cmocka_unit_test(every_inner_content_type_in_every_state),
      cmocka_unit_test(change_cipher_spec_in_every_state),
      cmocka_unit_test(nothing_interrupts_a_message),
      cmocka_unit_test(every_alert_in_every_state),
      cmocka_unit_test(malformed_alerts_in_every_state),
      cmocka_unit_test(a_plain_alert_is_heard_while_the_client_may_lack_keys),
  };
  return cmocka_run_group_tests(tests, fixture_make, fixture_free);
}
