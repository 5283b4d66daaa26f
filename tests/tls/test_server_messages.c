// Bad messages of a server after its hello, and the alert for each; the client's answer to a CertificateRequest.
#include "pki/identity.h"
#include "pki/key.h"
#include "tls/support/script.h"

enum { ACCEPTED = -1 };  // besides alerts

static pair with_alpn, stranger;

static int make(void **state) {
  static const tn_span protocols[] = {{(const uint8_t *)"h2", 2}, {(const uint8_t *)"http/1.1", 8}};
  pair_make(&with_alpn, NULL);
  pair_make(&stranger, NULL);
  assert_ok(tn_config_set_alpn(with_alpn.client_config, protocols, 2));
  return fixture_make(state);
}

static int unmake(void **state) {
  pair_free(&with_alpn);
  pair_free(&stranger);
  return fixture_free(state);
}

static void expect(script *s, const char *what, int outcome) {
  if (outcome >= 0)
    script_expect(s, what, (tn_alert)outcome);
  else if (!tn_ok(s->result))
    fail_msg("%s: %s", what, tn_reason_name(s->result.reason));
}

static void send_body(script *s, uint8_t type, const char *hex) {
  bytes body = bytes_from_hex(hex);
  script_handshake(s, type, bytes_span(body));
  bytes_free(&body);
}

typedef struct {
  const char *what;
  int outcome;  // an alert, or ACCEPTED
  const char *hex;
} row;

// Each row as the body of a message of this type, in this state.
static void try_all(pair *p, tn_state state, uint8_t type, const row *rows, size_t n) {
  for (size_t i = 0; i < n; i++) {
    script s;
    script_reach(&s, p, state);
    send_body(&s, type, rows[i].hex);
    expect(&s, rows[i].what, rows[i].outcome);
    script_close(&s);
  }
}

// ---------------------------------------------------------------- EncryptedExtensions

static void bad_encrypted_extensions(void **state) {
  (void)state;
  static const row rows[] = {
      {"nothing", ACCEPTED, "0000"},
      {"an empty message", TN_ALERT_DECODE_ERROR, ""},
      {"half a length", TN_ALERT_DECODE_ERROR, "00"},
      {"a block beyond the end", TN_ALERT_DECODE_ERROR, "0001"},
      {"bytes after the block", TN_ALERT_DECODE_ERROR, "0000 00"},
      {"half an extension", TN_ALERT_DECODE_ERROR, "0003 0000 00"},
      {"an extension beyond the block", TN_ALERT_DECODE_ERROR, "0004 0000 0001"},
      {"server_name", ACCEPTED, "0004 0000 0000"},
      {"server_name with contents", TN_ALERT_DECODE_ERROR, "0005 0000 0001 00"},
      {"server_name twice", TN_ALERT_ILLEGAL_PARAMETER, "0008 0000 0000 0000 0000"},
      {"supported_groups", ACCEPTED, "000c 000a 0008 0006 001d 0018 2a2a"},
      {"supported_groups without a list", TN_ALERT_DECODE_ERROR, "0004 000a 0000"},
      {"an empty group list", TN_ALERT_DECODE_ERROR, "0006 000a 0002 0000"},
      {"an odd group list", TN_ALERT_DECODE_ERROR, "0009 000a 0005 0003 001d 00"},
      {"ALPN that was not offered", TN_ALERT_UNSUPPORTED_EXTENSION, "0009 0010 0005 0003 02 6832"},
      {"an unknown extension", TN_ALERT_UNSUPPORTED_EXTENSION, "0004 fafa 0000"},
      {"early_data that was not offered", TN_ALERT_UNSUPPORTED_EXTENSION, "0004 002a 0000"},
      {"a cookie", TN_ALERT_UNSUPPORTED_EXTENSION, "0007 002c 0003 0001 aa"},
      {"a PSK", TN_ALERT_UNSUPPORTED_EXTENSION, "0006 0029 0002 0000"},
      {"key_share", TN_ALERT_ILLEGAL_PARAMETER, "0006 0033 0002 001d"},
      {"supported_versions", TN_ALERT_ILLEGAL_PARAMETER, "0006 002b 0002 0304"},
      {"signature_algorithms", TN_ALERT_ILLEGAL_PARAMETER, "0008 000d 0004 0002 0403"},
  };
  static const row alpn[] = {
      {"no protocol", ACCEPTED, "0000"},
      {"a protocol of ours", ACCEPTED, "0009 0010 0005 0003 02 6832"},
      {"another protocol", TN_ALERT_ILLEGAL_PARAMETER, "0009 0010 0005 0003 02 6833"},
      {"a prefix of ours", TN_ALERT_ILLEGAL_PARAMETER, "0008 0010 0004 0002 01 68"},
      {"two protocols", TN_ALERT_DECODE_ERROR, "000c 0010 0008 0006 02 6832 02 6832"},
      {"an empty protocol", TN_ALERT_DECODE_ERROR, "0007 0010 0003 0001 00"},
      {"an empty protocol list", TN_ALERT_DECODE_ERROR, "0006 0010 0002 0000"},
      {"no protocol list", TN_ALERT_DECODE_ERROR, "0004 0010 0000"},
      {"bytes after the list", TN_ALERT_DECODE_ERROR, "000a 0010 0006 0003 02 6832 00"},
  };
  try_all(&fixture, TN_CLIENT_WAIT_ENCRYPTED_EXTENSIONS, TN_MSG_ENCRYPTED_EXTENSIONS, rows, COUNT(rows));
  try_all(&with_alpn, TN_CLIENT_WAIT_ENCRYPTED_EXTENSIONS, TN_MSG_ENCRYPTED_EXTENSIONS, alpn, COUNT(alpn));
}

// A name that is an IP address is not sent, so nothing can acknowledge it.
static void no_name_was_sent(void **state) {
  (void)state;
  script s;
  hello h;
  script_open(&s, &fixture, TN_SERVER);
  tn_conn_free(s.engine);
  assert_ok(tn_conn_new(fixture.client_config, tn_span_of("192.0.2.1", 9), &s.engine));
  hello_server(&s, &h);
  assert_ok(script_hello(&s, &h));
  script_handshake_keys(&s);
  send_body(&s, TN_MSG_ENCRYPTED_EXTENSIONS, "0004 0000 0000");
  script_expect(&s, "server_name that was not offered", TN_ALERT_UNSUPPORTED_EXTENSION);
  script_close(&s);
}

// ---------------------------------------------------------------- CertificateRequest

static void bad_certificate_requests(void **state) {
  (void)state;
  static const row rows[] = {
      {"an honest request", ACCEPTED, "00 0008 000d 0004 0002 0403"},
      {"schemes that we do not have", ACCEPTED, "00 0008 000d 0004 0002 0804"},
      {"GREASE", ACCEPTED, "00 000c 000d 0004 0002 0403 fafa 0000"},
      {"certificate authorities, filters, OCSP, SCT", ACCEPTED,
       "00 0020 000d 0004 0002 0403 002f 0006 0004 0002 3000 0030 0002 0000 0005 0000 0012 0000"},
      {"an empty message", TN_ALERT_DECODE_ERROR, ""},
      {"a context", TN_ALERT_ILLEGAL_PARAMETER, "01 aa 0008 000d 0004 0002 0403"},
      {"a context beyond the end", TN_ALERT_DECODE_ERROR, "02 aa"},
      {"no extensions", TN_ALERT_DECODE_ERROR, "00"},
      {"no extension", TN_ALERT_MISSING_EXTENSION, "00 0000"},
      {"no schemes", TN_ALERT_MISSING_EXTENSION, "00 0004 fafa 0000"},
      {"an empty scheme list", TN_ALERT_DECODE_ERROR, "00 0006 000d 0002 0000"},
      {"an odd scheme list", TN_ALERT_DECODE_ERROR, "00 0009 000d 0005 0003 0403 04"},
      {"schemes twice", TN_ALERT_ILLEGAL_PARAMETER, "00 0010 000d 0004 0002 0403 000d 0004 0002 0403"},
      {"an unknown extension twice", TN_ALERT_ILLEGAL_PARAMETER, "00 0010 000d 0004 0002 0403 fafa 0000 fafa 0000"},
      {"key_share", TN_ALERT_ILLEGAL_PARAMETER, "00 000e 000d 0004 0002 0403 0033 0002 001d"},
      {"bytes after the end", TN_ALERT_DECODE_ERROR, "00 0008 000d 0004 0002 0403 00"},
  };
  try_all(&fixture, TN_CLIENT_WAIT_CERTIFICATE_OR_REQUEST, TN_MSG_CERTIFICATE_REQUEST, rows, COUNT(rows));
}

static void a_request_is_answered_with_no_certificate(void **state) {
  (void)state;
  script s;
  script_reach(&s, &fixture, TN_CLIENT_WAIT_CERTIFICATE);
  assert_ok(script_certificate(&s));
  assert_ok(script_certificate_verify(&s, 0x0403));
  assert_ok(script_finished(&s));
  script_application_keys(&s);
  tn_span certificate = script_take(&s, TN_MSG_CERTIFICATE);
  assert_int_equal(certificate.n, 4);
  assert_memory_equal(certificate.p, "\0\0\0\0", 4);
  uint8_t mac[TN_HASH_MAX_DIGEST];
  assert_ok(tn_finished_mac(s.suite->hash, &s.client_handshake, &s.transcript, mac));
  tn_span finished = script_take(&s, TN_MSG_FINISHED);
  assert_memory_equal(finished.p, mac, finished.n);
  script_close(&s);
}

// ---------------------------------------------------------------- Certificate

static void bad_certificates(void **state) {
  (void)state;
  static const row rows[] = {
      {"an empty message", TN_ALERT_DECODE_ERROR, ""},
      {"no certificate", TN_ALERT_DECODE_ERROR, "00 000000"},
      {"a context", TN_ALERT_ILLEGAL_PARAMETER, "01 aa 000006 000001 30 0000"},
      {"a context beyond the end", TN_ALERT_DECODE_ERROR, "09 000000"},
      {"a list beyond the end", TN_ALERT_DECODE_ERROR, "00 000007 000001 30 0000"},
      {"bytes after the list", TN_ALERT_DECODE_ERROR, "00 000006 000001 30 0000 00"},
      {"an empty certificate", TN_ALERT_DECODE_ERROR, "00 000005 000000 0000"},
      {"a certificate beyond its list", TN_ALERT_DECODE_ERROR, "00 000006 000004 30 0000"},
      {"no extensions", TN_ALERT_DECODE_ERROR, "00 000004 000001 30"},
      {"half of the extensions' length", TN_ALERT_DECODE_ERROR, "00 000005 000001 30 00"},
      {"garbage", TN_ALERT_BAD_CERTIFICATE, "00 000006 000001 30 0000"},
      {"more garbage", TN_ALERT_BAD_CERTIFICATE, "00 00000a 000005 3003020101 0000"},
      {"an unknown extension", TN_ALERT_UNSUPPORTED_EXTENSION, "00 00000a 000001 30 0004 fafa 0000"},
      {"an OCSP response that was not asked for", TN_ALERT_UNSUPPORTED_EXTENSION, "00 00000a 000001 30 0004 0005 0000"},
      {"SCTs that were not asked for", TN_ALERT_UNSUPPORTED_EXTENSION, "00 00000a 000001 30 0004 0012 0000"},
      {"an extension of other messages", TN_ALERT_ILLEGAL_PARAMETER, "00 00000a 000001 30 0004 000d 0000"},
      {"a chain of 17", TN_ALERT_BAD_CERTIFICATE,
       "00 000066 000001300000 000001300000 000001300000 000001300000 000001300000 000001300000 000001300000 "
       "000001300000 000001300000 000001300000 000001300000 000001300000 000001300000 000001300000 000001300000 "
       "000001300000 000001300000"},
  };
  try_all(&fixture, TN_CLIENT_WAIT_CERTIFICATE_OR_REQUEST, TN_MSG_CERTIFICATE, rows, COUNT(rows));
  try_all(&fixture, TN_CLIENT_WAIT_CERTIFICATE, TN_MSG_CERTIFICATE, rows, COUNT(rows));
}

// The certificate with one byte changed: whatever that makes of it, no handshake succeeds.
static void every_byte_of_a_certificate_counts(void **state) {
  (void)state;
  tn_span leaf = tn_identity_chain_der(fixture.pki.identity, 0);
  for (size_t i = 0; i < leaf.n; i += STRIDE(7)) {
    script s;
    script_reach(&s, &fixture, TN_CLIENT_WAIT_CERTIFICATE_OR_REQUEST);
    tn_writer w = tn_writer_growing(NULL, 65536);
    tn_write_u8(&w, 0);
    tn_write_u24(&w, (uint32_t)leaf.n + 5);
    tn_write_u24(&w, (uint32_t)leaf.n);
    tn_write_span(&w, leaf);
    tn_write_u16(&w, 0);
    w.buf[7 + i] ^= 1;
    script_handshake(&s, TN_MSG_CERTIFICATE, tn_writer_span(&w));
    assert_false(tn_ok(s.result));
    int alert = script_alert(&s);
    bool right = (alert >= TN_ALERT_BAD_CERTIFICATE && alert <= TN_ALERT_CERTIFICATE_UNKNOWN) ||
                 alert == TN_ALERT_UNKNOWN_CA || alert == TN_ALERT_ILLEGAL_PARAMETER;
    if (!right) fail_msg("certificate, byte %zu: alert %d", i, alert);
    tn_writer_free(&w);
    script_close(&s);
  }
}

static void an_impostor_of_the_issuer_is_refused(void **state) {
  (void)state;
  script s;
  script_reach(&s, &fixture, TN_CLIENT_WAIT_CERTIFICATE_OR_REQUEST);
  s.p = &stranger;
  script_certificate(&s);
  script_expect(&s, "an issuer of the same name", TN_ALERT_BAD_CERTIFICATE);
  script_close(&s);
}

// ---------------------------------------------------------------- CertificateVerify

static void bad_certificate_verify(void **state) {
  (void)state;
  static const row rows[] = {
      {"an empty message", TN_ALERT_DECODE_ERROR, ""},
      {"no signature", TN_ALERT_DECODE_ERROR, "0403"},
      {"an empty signature", TN_ALERT_DECRYPT_ERROR, "0403 0000"},
      {"garbage", TN_ALERT_DECRYPT_ERROR, "0403 0008 3006020101020101"},
      {"zeros", TN_ALERT_DECRYPT_ERROR, "0403 0008 3006020100020100"},
      {"a signature beyond the end", TN_ALERT_DECODE_ERROR, "0403 0009 3006020101020101"},
      {"bytes after the signature", TN_ALERT_DECODE_ERROR, "0403 0008 3006020101020101 00"},
      {"RSA-PSS", TN_ALERT_ILLEGAL_PARAMETER, "0804 0008 3006020101020101"},
      {"PKCS #1", TN_ALERT_ILLEGAL_PARAMETER, "0401 0008 3006020101020101"},
      {"another curve", TN_ALERT_ILLEGAL_PARAMETER, "0503 0008 3006020101020101"},
      {"SHA-1", TN_ALERT_ILLEGAL_PARAMETER, "0203 0008 3006020101020101"},
      {"scheme 0", TN_ALERT_ILLEGAL_PARAMETER, "0000 0008 3006020101020101"},
  };
  try_all(&fixture, TN_CLIENT_WAIT_CERTIFICATE_VERIFY, TN_MSG_CERTIFICATE_VERIFY, rows, COUNT(rows));
}

// A right signature under a scheme that was not offered, of another transcript, and by another key.
static void a_signature_of_something_else(void **state) {
  (void)state;
  script s;
  script_reach(&s, &fixture, TN_CLIENT_WAIT_CERTIFICATE_VERIFY);
  script_certificate_verify(&s, 0x0804);
  script_expect(&s, "the wrong scheme", TN_ALERT_ILLEGAL_PARAMETER);
  script_close(&s);
  script_reach(&s, &fixture, TN_CLIENT_WAIT_CERTIFICATE_VERIFY);
  tn_transcript_add(&s.transcript, tn_span_of("x", 1));
  script_certificate_verify(&s, 0x0403);
  script_expect(&s, "the wrong transcript", TN_ALERT_DECRYPT_ERROR);
  script_close(&s);
  script_reach(&s, &fixture, TN_CLIENT_WAIT_CERTIFICATE_VERIFY);
  s.p = &stranger;
  script_certificate_verify(&s, 0x0403);
  script_expect(&s, "the wrong key", TN_ALERT_DECRYPT_ERROR);
  script_close(&s);
}

// ---------------------------------------------------------------- Finished, of both sides

static void every_byte_of_finished_counts(void **state) {
  (void)state;
  static const tn_state where[] = {TN_CLIENT_WAIT_FINISHED, TN_SERVER_WAIT_FINISHED};
  for (size_t i = 0; i < COUNT(where); i++)
    for (size_t at = 0;; at++) {
      script s;
      script_reach(&s, &fixture, where[i]);
      uint8_t mac[TN_HASH_MAX_DIGEST];
      size_t n = s.suite->hash->digest_len;
      assert_ok(tn_finished_mac(s.suite->hash, i == 0 ? &s.server_handshake : &s.client_handshake, &s.transcript, mac));
      if (at < n) mac[at] ^= 0x10;
      script_handshake(&s, TN_MSG_FINISHED, tn_span_of(mac, n));
      bool done = at == n;
      if (done)
        assert_ok(s.result);
      else
        script_expect(&s, "a wrong byte in Finished", TN_ALERT_DECRYPT_ERROR);
      script_close(&s);
      if (done) break;
    }
}

static void the_length_of_finished_counts(void **state) {
  (void)state;
  static const tn_state where[] = {TN_CLIENT_WAIT_FINISHED, TN_SERVER_WAIT_FINISHED};
  static const int lengths[] = {-32, -31, -1, 1, 16, 17, 1000};
  static const uint8_t zeros[2000];
  for (size_t i = 0; i < COUNT(where); i++)
    for (size_t j = 0; j < COUNT(lengths); j++) {
      script s;
      script_reach(&s, &fixture, where[i]);
      script_handshake(&s, TN_MSG_FINISHED, tn_span_of(zeros, (size_t)(s.suite->hash->digest_len + lengths[j])));
      script_expect(&s, "a wrong length of Finished", TN_ALERT_DECODE_ERROR);
      script_close(&s);
    }
}

// A message whose length is announced as too long is refused before it arrives.
static void lengths_are_limited(void **state) {
  (void)state;
  static const struct {
    tn_state state;
    uint8_t type;
    uint32_t limit;
  } limits[] = {
      {TN_SERVER_WAIT_CLIENT_HELLO, 1, TN_MAX_HELLO},
      {TN_SERVER_WAIT_SECOND_HELLO, 1, TN_MAX_HELLO},
      {TN_SERVER_WAIT_FINISHED, 20, 48},
      {TN_SERVER_CONNECTED, 24, 1},
      {TN_CLIENT_WAIT_SERVER_HELLO, 2, TN_MAX_SMALL_MESSAGE},
      {TN_CLIENT_WAIT_ENCRYPTED_EXTENSIONS, 8, TN_MAX_SMALL_MESSAGE},
      {TN_CLIENT_WAIT_CERTIFICATE_OR_REQUEST, 11, TN_MAX_CERTIFICATE},
      {TN_CLIENT_WAIT_CERTIFICATE_OR_REQUEST, 13, TN_MAX_CERTIFICATE},
      {TN_CLIENT_WAIT_CERTIFICATE_VERIFY, 15, TN_MAX_SMALL_MESSAGE},
      {TN_CLIENT_WAIT_FINISHED, 20, 48},
      {TN_CLIENT_CONNECTED, 4, TN_MAX_HELLO},
  };
  for (size_t i = 0; i < COUNT(limits); i++)
    for (uint32_t excess = 0; excess < 2; excess++) {
      uint32_t n = limits[i].limit + excess;
      const uint8_t header[] = {limits[i].type, (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n};
      script s;
      script_reach(&s, &fixture, limits[i].state);
      script_record(&s, TN_CONTENT_HANDSHAKE, header, sizeof header);
      if (excess)
        script_expect(&s, "a message too long", TN_ALERT_DECODE_ERROR);
      else
        assert_ok(s.result);
      script_close(&s);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_encrypted_extensions),
      cmocka_unit_test(no_name_was_sent),
      cmocka_unit_test(bad_certificate_requests),
      cmocka_unit_test(a_request_is_answered_with_no_certificate),
      cmocka_unit_test(bad_certificates),
      cmocka_unit_test(every_byte_of_a_certificate_counts),
      cmocka_unit_test(an_impostor_of_the_issuer_is_refused),
      cmocka_unit_test(bad_certificate_verify),
      cmocka_unit_test(a_signature_of_something_else),
      cmocka_unit_test(every_byte_of_finished_counts),
      cmocka_unit_test(the_length_of_finished_counts),
      cmocka_unit_test(lengths_are_limited),
  };
  return cmocka_run_group_tests(tests, make, unmake);
}
