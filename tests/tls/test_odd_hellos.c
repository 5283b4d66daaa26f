// Hellos that are legal in all but one thing, or unusual in all but the law.
#include "base/bytes.h"
#include "tls/support/script.h"

// RFC 9846 appendix E.5: whoever says SSL 3.0 is refused as that, whatever supported_versions says.
static void ssl_3_is_refused(void **state) {
  (void)state;
  script s;
  hello h;
  script_open(&s, &fixture, TN_CLIENT);
  hello_client(&s, &h);
  h.version = 0x0300;
  script_hello(&s, &h);
  script_expect(&s, "a client's SSL 3.0", TN_ALERT_PROTOCOL_VERSION);
  script_close(&s);
  script_open(&s, &fixture, TN_SERVER);
  hello_server(&s, &h);
  h.version = 0x0300;
  script_hello(&s, &h);
  script_expect(&s, "a server's SSL 3.0", TN_ALERT_PROTOCOL_VERSION);
  script_close(&s);
}

// As many unknown extensions as fit a hello are ignored; a number that comes again is noticed, near or far.
static void extensions_are_many_but_each_is_one(void **state) {
  (void)state;
  static const struct {
    size_t n;
    int twice;  // the number of the one that comes again at the end; -1: none
  } cases[] = {{1000, -1}, {14000, -1}, {1, 0}, {2, 0}, {2, 1}, {1000, 0}, {1000, 63}, {1000, 64}, {14000, 0}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    script s;
    hello h;
    script_open(&s, &fixture, TN_CLIENT);
    hello_client(&s, &h);
    tn_writer w = tn_writer_growing(NULL, 1 << 17);
    tn_write_u16(&w, h.version);
    tn_write_bytes(&w, h.random, 32);
    tn_write_u8(&w, 0);
    tn_write_u16(&w, 2);
    tn_write_u16(&w, h.suites[0]);
    tn_write_u16(&w, 0x0100);
    tn_scope block = tn_write_open(&w, 2);
    for (size_t e = 0; e < h.ext.n; e++) {
      tn_write_u16(&w, h.ext.at[e].id);
      tn_write_u16(&w, (uint16_t)h.ext.at[e].n);
      tn_write_bytes(&w, h.ext.at[e].body, h.ext.at[e].n);
    }
    for (size_t e = 0; e < cases[i].n; e++) tn_write_u32(&w, (uint32_t)(0x4000 + e) << 16);
    if (cases[i].twice >= 0) tn_write_u32(&w, (uint32_t)(0x4000 + cases[i].twice) << 16);
    tn_write_close(&w, block);
    assert_ok(tn_writer_result(&w));
    script_handshake(&s, TN_MSG_CLIENT_HELLO, tn_writer_span(&w));
    if (cases[i].twice < 0) {
      assert_ok(s.result);
      script_take_server_flight(&s);
      assert_ok(script_finished(&s));
    } else {
      script_expect(&s, "an extension twice", TN_ALERT_ILLEGAL_PARAMETER);
    }
    tn_writer_free(&w);
    script_close(&s);
  }
}

// Servers of large organisations list the names of hundreds of authorities.
static void a_certificate_request_may_be_long(void **state) {
  (void)state;
  script s;
  hello h;
  script_open(&s, &fixture, TN_SERVER);
  hello_server(&s, &h);
  assert_ok(script_hello(&s, &h));
  script_handshake_keys(&s);
  assert_ok(script_encrypted_extensions(&s, &(ext_list){0}));
  tn_writer w = tn_writer_growing(NULL, 1 << 17);
  tn_write_u8(&w, 0);
  tn_scope block = tn_write_open(&w, 2);
  static const uint8_t schemes[] = {0, 13, 0, 4, 0, 2, 4, 3};
  tn_write_bytes(&w, schemes, sizeof schemes);
  tn_write_u16(&w, 47);  // certificate_authorities
  tn_scope body = tn_write_open(&w, 2);
  memset(tn_write_space(&w, 65500), 0, 65500);
  tn_write_close(&w, body);
  tn_write_close(&w, block);
  s.cut = 16384;
  assert_ok(script_handshake(&s, TN_MSG_CERTIFICATE_REQUEST, tn_writer_span(&w)));
  assert_ok(script_certificate(&s));
  assert_ok(script_certificate_verify(&s, 0x0403));
  assert_ok(script_finished(&s));
  assert_true(tn_conn_status(s.engine) & TN_CONN_OPEN);
  tn_writer_free(&w);
  script_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ssl_3_is_refused),
      cmocka_unit_test(extensions_are_many_but_each_is_one),
      cmocka_unit_test(a_certificate_request_may_be_long),
  };
  return cmocka_run_group_tests(tests, fixture_make, fixture_free);
}
