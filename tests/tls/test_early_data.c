// A client with a ticket that is not ours sends early data under keys that we do not have: a server skips it, within
// limits, and goes on (RFC 9846 section 4.3.10).
#include "tls/support/script.h"

// A first hello that announces early data; `retry`: without a share.
static void say_hello(script *s, hello *h, bool retry) {
  script_open(s, &fixture, TN_CLIENT);
  hello_client(s, h);
  ext_set(&h->ext, 45, "01 01");
  ext_set(&h->ext, 42, "");
  if (retry) ext_set(&h->ext, 51, "0000");
  ext_set(&h->ext, 41,
          "0009 0003 666f6f 00000000 0021 20 0000000000000000000000000000000000000000000000000000000000000000");
  assert_ok(script_hello(s, h));
  if (retry) script_take_retry(s, tn_group_x25519.id);
}

// Records of early data: n of them, each with `payload` bytes under a key that nobody has.
static tn_result send_early(script *s, size_t n, size_t payload) {
  uint8_t *record = malloc(payload + 17);
  memset(record, 0x77, payload + 17);
  tn_result r = tn_success();
  for (size_t i = 0; i < n && tn_ok(r); i++) r = script_plain(s, TN_CONTENT_APPLICATION_DATA, record, payload + 17);
  free(record);
  return r;
}

static void say_second_hello(script *s, hello *h) {
  hello fresh;
  hello_client(s, &fresh);
  size_t share = ext_find(&fresh.ext, 51);
  ext_set_bytes(&h->ext, 51, fresh.ext.at[share].body, fresh.ext.at[share].n);
  ext_remove(&h->ext, 42);
  ext_remove(&h->ext, 41);
  assert_ok(script_hello(s, h));
}

static void finish(script *s) {
  script_take_server_flight(s);
  assert_ok(script_finished(s));
  script_write_application(s);
  assert_ok(script_record(s, TN_CONTENT_APPLICATION_DATA, "data", 4));
  assert_int_equal(s->data.len, 4);
  assert_int_equal(script_alert(s), -1);
}

static void early_data_is_skipped(void **state) {
  (void)state;
  static const struct {
    size_t n, payload;
  } amounts[] = {{0, 0}, {1, 0}, {1, 1}, {1, 16384}, {16384, 1}, {2, 8192}, {100, 100}};
  for (int retry = 0; retry < 2; retry++)
    for (size_t i = 0; i < COUNT(amounts); i++) {
      script s;
      hello h;
      say_hello(&s, &h, retry);
      assert_ok(script_compatibility(&s));
      assert_ok(send_early(&s, amounts[i].n, amounts[i].payload));
      if (retry) say_second_hello(&s, &h);
      finish(&s);
      script_close(&s);
    }
}

static void too_much_early_data_is_refused(void **state) {
  (void)state;
  static const size_t payloads[] = {0, 1, 1000, 16384};
  for (int retry = 0; retry < 2; retry++)
    for (size_t i = 0; i < COUNT(payloads); i++) {
      script s;
      hello h;
      say_hello(&s, &h, retry);
      send_early(&s, 100000, payloads[i]);
      if (!retry) script_take_server_flight(&s);
      s.read = (tn_protection){0};
      if (!retry) {  // the engine has no keys for reading yet, but writes with its application keys
        script_read_application(&s);
      }
      script_expect(&s, "endless early data", retry ? TN_ALERT_UNEXPECTED_MESSAGE : TN_ALERT_BAD_RECORD_MAC);
      script_close(&s);
    }
  // Even nothing at all cannot go on forever.
  for (int retry = 0; retry < 2; retry++) {
    script s;
    hello h;
    say_hello(&s, &h, retry);
    tn_result r = tn_success();
    for (size_t i = 0; i < 100000 && tn_ok(r); i++) r = script_plain(&s, TN_CONTENT_APPLICATION_DATA, "", 0);
    assert_false(tn_ok(r));
    script_close(&s);
  }
}

// After the first record that opens, and after a second hello, no early data is expected.
static void nothing_is_skipped_later(void **state) {
  (void)state;
  script s;
  hello h;
  say_hello(&s, &h, true);
  say_second_hello(&s, &h);
  script_take_server_flight(&s);
  send_early(&s, 1, 10);
  script_expect(&s, "early data after the second hello", TN_ALERT_BAD_RECORD_MAC);
  script_close(&s);

  say_hello(&s, &h, false);
  script_take_server_flight(&s);
  assert_ok(script_record(&s, TN_CONTENT_ALERT, "\1\x5a", 2));
  send_early(&s, 1, 10);
  script_expect(&s, "early data after a protected record", TN_ALERT_BAD_RECORD_MAC);
  script_close(&s);

  say_hello(&s, &h, true);
  assert_ok(script_plain(&s, TN_CONTENT_HANDSHAKE, "\1", 1));
  send_early(&s, 1, 10);
  script_expect(&s, "early data in the middle of the second hello", TN_ALERT_UNEXPECTED_MESSAGE);
  script_close(&s);

  say_hello(&s, &h, true);
  script_hello(&s, &h);
  script_expect(&s, "early data asked for again", TN_ALERT_ILLEGAL_PARAMETER);
  script_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(early_data_is_skipped),
      cmocka_unit_test(too_much_early_data_is_refused),
      cmocka_unit_test(nothing_is_skipped_later),
  };
  return cmocka_run_group_tests(tests, fixture_make, fixture_free);
}
