// Bad ServerHellos and HelloRetryRequests, and the alert for each.
#include "tls/support/script.h"

enum { ACCEPTED = -1 };  // besides alerts

static void version_0301(hello *h) { h->version = 0x0301; }
static void version_0304(hello *h) { h->version = 0x0304; }
static void no_session_id(hello *h) { h->session_id_len = 0; }
static void session_id_31(hello *h) { h->session_id_len = 31; }
static void session_id_33(hello *h) { h->session_id_len = 33; }
static void session_id_other(hello *h) { h->session_id[31] ^= 1; }
static void suite_unknown(hello *h) { h->suites[0] = 0x1304; }
static void suite_of_1_2(hello *h) { h->suites[0] = 0xc02b; }
static void suite_other(hello *h) { h->suites[0] = h->suites[0] == 0x1303 ? 0x1301 : 0x1303; }
static void compression(hello *h) { h->compression[0] = 1; }
static void no_extensions(hello *h) { h->no_extensions = true; }
static void block_empty(hello *h) { h->ext.n = 0; }
static void block_too_long(hello *h) { h->block_excess = 1; }
static void block_too_short(hello *h) { h->block_excess = -1; }
static void junk_after_the_end(hello *h) { h->junk = 1; }
static void cookie_twice(hello *h) {
  for (int i = 0; i < 2; i++) ext_add(&h->ext, 44, "0001 aa");
}
static void share_in_two(hello *h) {
  size_t i = ext_find(&h->ext, 51);
  h->ext.at[i].body[3]--;
}
static void long_share(hello *h) {
  size_t i = ext_find(&h->ext, 51);
  h->ext.at[i].body[3]++;
  h->ext.at[i].n++;
}
static void short_share(hello *h) {
  size_t i = ext_find(&h->ext, 51);
  h->ext.at[i].body[3]--;
  h->ext.at[i].n--;
}

typedef struct {
  const char *what;
  int outcome;  // an alert, or ACCEPTED
  ext_operation op;
  uint16_t id;
  const char *hex;
  void (*change)(hello *);
} row;

static void change(hello *h, const row *r) {
  if (r->change != NULL)
    r->change(h);
  else
    ext_apply(&h->ext, r->op, r->id, r->hex);
}

// What both forms of the message have in common.
static const row both[] = {
    {"legacy_version 3.1", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, version_0301},
    {"legacy_version 3.4", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, version_0304},
    {"no session id", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, no_session_id},
    {"a shorter session id", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, session_id_31},
    {"another session id", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, session_id_other},
    {"a session id of 33 bytes", TN_ALERT_DECODE_ERROR, 0, 0, NULL, session_id_33},
    {"an unknown suite", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, suite_unknown},
    {"a suite of TLS 1.2", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, suite_of_1_2},
    {"compression", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, compression},
    {"an extension block too long", TN_ALERT_DECODE_ERROR, 0, 0, NULL, block_too_long},
    {"an extension block too short", TN_ALERT_DECODE_ERROR, 0, 0, NULL, block_too_short},
    {"bytes after the end", TN_ALERT_DECODE_ERROR, 0, 0, NULL, junk_after_the_end},
    {"TLS 1.2 in supported_versions", TN_ALERT_ILLEGAL_PARAMETER, SET, 43, "0303", NULL},
    {"a draft in supported_versions", TN_ALERT_ILLEGAL_PARAMETER, SET, 43, "7f1c", NULL},
    {"GREASE in supported_versions", TN_ALERT_ILLEGAL_PARAMETER, SET, 43, "3a3a", NULL},
    {"half a version", TN_ALERT_DECODE_ERROR, SET, 43, "03", NULL},
    {"a version list", TN_ALERT_DECODE_ERROR, SET, 43, "02 0304", NULL},
    {"supported_versions twice", TN_ALERT_ILLEGAL_PARAMETER, ADD, 43, "0304", NULL},
    {"key_share twice", TN_ALERT_ILLEGAL_PARAMETER, ADD, 51, "0017", NULL},
    {"an unknown extension", TN_ALERT_UNSUPPORTED_EXTENSION, SET, 0xfafa, "", NULL},
    {"a PSK that was not offered", TN_ALERT_UNSUPPORTED_EXTENSION, SET, 41, "0000", NULL},
    {"ALPN that was not offered", TN_ALERT_UNSUPPORTED_EXTENSION, SET, 16, "0003 02 6832", NULL},
    {"early_data that was not offered", TN_ALERT_UNSUPPORTED_EXTENSION, SET, 42, "", NULL},
    {"renegotiation_info", TN_ALERT_UNSUPPORTED_EXTENSION, SET, 0xff01, "00", NULL},
    {"extended_master_secret", TN_ALERT_UNSUPPORTED_EXTENSION, SET, 23, "", NULL},
    {"server_name", TN_ALERT_ILLEGAL_PARAMETER, SET, 0, "", NULL},
    {"supported_groups", TN_ALERT_ILLEGAL_PARAMETER, SET, 10, "0002 001d", NULL},
    {"signature_algorithms", TN_ALERT_ILLEGAL_PARAMETER, SET, 13, "0002 0403", NULL},
    {"half a key_share", TN_ALERT_DECODE_ERROR, SET, 51, "00", NULL},
    {"an empty key_share", TN_ALERT_DECODE_ERROR, SET, 51, "", NULL},
};

static const row server_hellos[] = {
    {"an honest ServerHello", ACCEPTED, SET, 43, "0304", NULL},
    {"an honest ServerHello in another order", ACCEPTED, LAST, 43, NULL, NULL},
    {"a ServerHello of TLS 1.2 without extensions", TN_ALERT_PROTOCOL_VERSION, 0, 0, NULL, no_extensions},
    {"a ServerHello of TLS 1.2 with no extension", TN_ALERT_PROTOCOL_VERSION, 0, 0, NULL, block_empty},
    {"a ServerHello of TLS 1.2", TN_ALERT_PROTOCOL_VERSION, DROP, 43, NULL, NULL},
    {"no share", TN_ALERT_MISSING_EXTENSION, DROP, 51, NULL, NULL},
    {"a group without a share", TN_ALERT_DECODE_ERROR, SET, 51, "001d", NULL},
    {"an empty share", TN_ALERT_DECODE_ERROR, SET, 51, "001d 0000", NULL},
    {"bytes after the share", TN_ALERT_DECODE_ERROR, 0, 0, NULL, share_in_two},
    {"a share too long", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, long_share},
    {"a share too short", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, short_share},
    {"a share of zeros", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     "001d 0020 0000000000000000000000000000000000000000000000000000000000000000", NULL},
    {"a share of low order", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     "001d 0020 e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800", NULL},
    {"a share for a group of which we sent none", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
     "0017 0041 046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
     "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
     NULL},
    {"a share for a group that we do not have", TN_ALERT_ILLEGAL_PARAMETER, SET, 51, "001e 0001 04", NULL},
    {"a cookie", TN_ALERT_UNSUPPORTED_EXTENSION, SET, 44, "0001 aa", NULL},
};

static const row retries[] = {
    {"an honest retry", ACCEPTED, SET, 51, "0017", NULL},
    {"a retry with a cookie", ACCEPTED, SET, 44, "0003 aabbcc", NULL},
    {"the group that we sent a share for", TN_ALERT_ILLEGAL_PARAMETER, SET, 51, "11ec", NULL},
    {"the group of our second share", TN_ALERT_ILLEGAL_PARAMETER, SET, 51, "001d", NULL},
    {"a group that we do not have", TN_ALERT_ILLEGAL_PARAMETER, SET, 51, "001e", NULL},
    {"a GREASE group", TN_ALERT_ILLEGAL_PARAMETER, SET, 51, "0a0a", NULL},
    {"a share where a group belongs", TN_ALERT_DECODE_ERROR, SET, 51, "0017 0001 04", NULL},
    {"nothing to change", TN_ALERT_ILLEGAL_PARAMETER, DROP, 51, NULL, NULL},
    {"a cookie without length", TN_ALERT_DECODE_ERROR, SET, 44, "", NULL},
    {"an empty cookie", TN_ALERT_DECODE_ERROR, SET, 44, "0000", NULL},
    {"a cookie beyond the end", TN_ALERT_DECODE_ERROR, SET, 44, "0002 aa", NULL},
    {"bytes after the cookie", TN_ALERT_DECODE_ERROR, SET, 44, "0001 aabb", NULL},
    {"a cookie twice", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, cookie_twice},
    {"no supported_versions", TN_ALERT_PROTOCOL_VERSION, DROP, 43, NULL, NULL},
};

// ---------------------------------------------------------------- the rest of the handshake

static void complete(script *s) {
  script_handshake_keys(s);
  s->holding = true;
  assert_ok(script_encrypted_extensions(s, NULL));
  assert_ok(script_certificate(s));
  assert_ok(script_certificate_verify(s, 0x0403));
  assert_ok(script_finished(s));
  assert_ok(script_flush(s));
  assert_true(tn_conn_status(s->engine) & TN_CONN_OPEN);
}

static void expect(script *s, const row *r) {
  if (r->outcome >= 0)
    script_expect(s, r->what, (tn_alert)r->outcome);
  else if (!tn_ok(s->result))
    fail_msg("%s: %s", r->what, tn_reason_name(s->result.reason));
}

static void a_server_hello(const row *r) {
  script s;
  hello h;
  script_open(&s, &fixture, TN_SERVER);
  hello_server(&s, &h);
  change(&h, r);
  script_hello(&s, &h);
  expect(&s, r);
  if (r->outcome == ACCEPTED) complete(&s);
  script_close(&s);
}

static void bad_server_hellos(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(both); i++) a_server_hello(&both[i]);
  for (size_t i = 0; i < COUNT(server_hellos); i++) a_server_hello(&server_hellos[i]);
}

// The group of the second share, the cookie, and all else as it was: hello_server() compares the randoms.
static void go_on_after_retry(script *s, const hello *retry) {
  hello h;
  hello_server(s, &h);
  bool has_cookie = retry->ext.n > 2;
  assert_int_equal(s->cookie_len, has_cookie ? retry->ext.at[ext_find(&retry->ext, 44)].n - 2 : 0);
  if (has_cookie) assert_memory_equal(s->cookie, retry->ext.at[ext_find(&retry->ext, 44)].body + 2, s->cookie_len);
  assert_int_equal(s->group->id, 0x0017);
  assert_ok(script_hello(s, &h));
  complete(s);
  tn_conn_info info;
  tn_conn_get_info(s->engine, &info);
  assert_true(info.retried);
}

static void a_retry(const row *r) {
  script s;
  hello h;
  script_open(&s, &fixture, TN_SERVER);
  hello_retry(&s, &h, 0x0017);
  change(&h, r);
  script_hello(&s, &h);
  expect(&s, r);
  if (r->outcome == ACCEPTED) go_on_after_retry(&s, &h);
  script_close(&s);
}

static void bad_retries(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(both); i++) a_retry(&both[i]);
  for (size_t i = 0; i < COUNT(retries); i++) a_retry(&retries[i]);
}

static void a_retry_for_a_cookie_alone(void **state) {
  (void)state;
  script s;
  hello h;
  script_open(&s, &fixture, TN_SERVER);
  hello_retry(&s, &h, 0x0017);
  uint8_t first_share[TN_GROUP_MAX_SHARE];
  memcpy(first_share, s.engine->hs->share_public, sizeof first_share);
  ext_remove(&h.ext, 51);
  uint8_t cookie[502] = {1, 0xf4};
  memset(cookie + 2, 0xcc, 500);
  ext_set_bytes(&h.ext, 44, cookie, sizeof cookie);
  assert_ok(script_hello(&s, &h));
  hello_server(&s, &h);
  assert_int_equal(s.cookie_len, 500);
  assert_memory_equal(s.cookie, cookie + 2, 500);
  assert_int_equal(s.group->id, 0x001d);
  assert_memory_equal(first_share, s.engine->hs->share_public, sizeof first_share);  // the same share again
  assert_ok(script_hello(&s, &h));
  complete(&s);
  script_close(&s);
}

static void after_a_retry(void **state) {
  (void)state;
  static const row rows[] = {
      {"another suite than the retry's", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, suite_other},
      {"the first share's group again", TN_ALERT_ILLEGAL_PARAMETER, SET, 51,
       "001d 0020 0900000000000000000000000000000000000000000000000000000000000000", NULL},
      {"another session id", TN_ALERT_ILLEGAL_PARAMETER, 0, 0, NULL, session_id_other},
      {"no share", TN_ALERT_MISSING_EXTENSION, DROP, 51, NULL, NULL},
      {"no supported_versions", TN_ALERT_PROTOCOL_VERSION, DROP, 43, NULL, NULL},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    script s;
    hello h;
    script_open(&s, &fixture, TN_SERVER);
    hello_retry(&s, &h, 0x0017);
    assert_ok(script_hello(&s, &h));
    hello_server(&s, &h);
    change(&h, &rows[i]);
    script_hello(&s, &h);
    expect(&s, &rows[i]);
    script_close(&s);
  }
}

static void a_second_retry(void **state) {
  (void)state;
  for (int with_cookie = 0; with_cookie < 2; with_cookie++) {
    script s;
    hello h;
    script_open(&s, &fixture, TN_SERVER);
    hello_retry(&s, &h, 0x0017);
    assert_ok(script_hello(&s, &h));
    script_take(&s, 1);
    if (with_cookie) ext_set(&h.ext, 44, "0001 aa");
    script_hello(&s, &h);
    script_expect(&s, "a second retry", TN_ALERT_UNEXPECTED_MESSAGE);
    script_close(&s);
  }
}

// The suite of a retry holds for the transcript: each one of ours.
static void a_retry_with_each_suite(void **state) {
  (void)state;
  for (size_t i = 0; i < TN_SUITE_COUNT; i++) {
    script s;
    hello h;
    script_open(&s, &fixture, TN_SERVER);
    s.suite = &tn_suites[i];
    hello_retry(&s, &h, 0x0017);
    assert_ok(script_hello(&s, &h));
    go_on_after_retry(&s, &h);
    script_close(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_server_hellos),
      cmocka_unit_test(bad_retries),
      cmocka_unit_test(a_retry_for_a_cookie_alone),
      cmocka_unit_test(after_a_retry),
      cmocka_unit_test(a_second_retry),
      cmocka_unit_test(a_retry_with_each_suite),
  };
  return cmocka_run_group_tests(tests, fixture_make, fixture_free);
}
