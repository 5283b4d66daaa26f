// ServerHello, RFC 9846 section 4.2.3, and HelloRetryRequest, section 4.2.4, which has its form.
#include "base/mem.h"
#include "tls/ext/extension.h"
#include "tls/msg/msg.h"

const uint8_t tn_retry_random[32] = {0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c,
                                     0x02, 0x1e, 0x65, 0xb8, 0x91, 0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb,
                                     0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c};

// ---------------------------------------------------------------- sending

tn_result tn_send_server_hello(tn_conn *c, const uint8_t random[32]) {
  tn_writer *w = &c->hs->flight;
  tn_scope message = tn_message_open(c, TN_MSG_SERVER_HELLO);
  tn_write_u16(w, TN_VERSION_1_2);  // legacy_version
  tn_write_bytes(w, random, 32);
  tn_scope session_id = tn_write_open(w, 1);
  tn_write_bytes(w, c->hs->session_id, c->hs->session_id_len);
  tn_write_close(w, session_id);
  tn_write_u16(w, c->suite->id);
  tn_write_u8(w, 0);  // legacy_compression_method
  TN_TRY(tn_extensions_write(c, random == tn_retry_random ? TN_IN_RETRY : TN_IN_SERVER_HELLO, w));
  return tn_message_close(c, message);
}

// ---------------------------------------------------------------- taking

typedef struct {
  uint16_t legacy_version;
  tn_span random;
  tn_reader session_id;
  uint16_t suite;
  uint8_t compression;
} server_hello;

static tn_result parse(tn_reader *body, server_hello *hello) {
  TN_READ(tn_read_u16(body, &hello->legacy_version));
  TN_READ(tn_read_span(body, 32, &hello->random));
  TN_READ(tn_read_block8(body, &hello->session_id) && hello->session_id.n <= 32);
  TN_READ(tn_read_u16(body, &hello->suite));
  TN_READ(tn_read_u8(body, &hello->compression));
  return tn_success();
}

// What the server chose, against what we offered.
static tn_result check_choices(tn_conn *c, const server_hello *hello) {
  tn_handshake *hs = c->hs;
  TN_ENSURE(hello->legacy_version != TN_VERSION_SSL_3_0, TN_E_BAD_VERSION);  // appendix E.5
  TN_ENSURE_ALERT(hello->legacy_version == TN_VERSION_1_2, TN_E_BAD_VERSION, TN_ALERT_ILLEGAL_PARAMETER);
  TN_ENSURE(hello->session_id.n == hs->session_id_len &&
                tn_equal_vartime(hello->session_id.p, hs->session_id, hs->session_id_len),
            TN_E_BAD_SESSION_ID);
  TN_ENSURE(hello->compression == 0, TN_E_BAD_COMPRESSION);
  c->suite = tn_config_suite(c->config, hello->suite);
  TN_ENSURE(c->suite != NULL, TN_E_BAD_SUITE);
  TN_ENSURE(!c->retried || c->suite == hs->retry_suite, TN_E_BAD_SUITE);
  return tn_success();
}

static tn_result take_retry(tn_conn *c, tn_span message, tn_extension_set *extensions) {
  tn_handshake *hs = c->hs;
  TN_TRY(tn_extensions_read(c, TN_IN_RETRY, extensions));
  TN_ENSURE(hs->retry_group != NULL || hs->cookie.n != 0, TN_E_BAD_RETRY);
  c->retried = true;
  hs->retry_suite = c->suite;
  tn_transcript_choose(&hs->transcript, c->suite->hash);
  tn_transcript_retry(&hs->transcript);
  tn_transcript_add(&hs->transcript, message);
  TN_TRY(tn_conn_queue_compatibility(c));
  return tn_send_client_hello(c);
}

static tn_result exchange_keys(tn_conn *c) {
  tn_handshake *hs = c->hs;
  uint8_t secret[TN_GROUP_MAX_SECRET];
  c->group = hs->share_group;
  tn_result r = c->group->finish(hs->share_private, hs->chosen_share, secret);
  if (tn_ok(r)) r = tn_conn_enter_handshake_keys(c, (tn_span){secret, c->group->secret_len});
  tn_wipe(secret, sizeof secret);
  tn_wipe(hs->share_private, sizeof hs->share_private);
  return r;
}

tn_result tn_take_server_hello(tn_conn *c, tn_span message, tn_reader *body, tn_state *next) {
  server_hello hello;
  tn_extension_set extensions = {0};
  TN_TRY(parse(body, &hello));
  bool retry = tn_equal_vartime(hello.random.p, tn_retry_random, sizeof tn_retry_random);
  tn_where where = retry ? TN_IN_RETRY : TN_IN_SERVER_HELLO;
  // Without supported_versions this is an older version's hello, whatever else is in it.
  bool is_1_3;
  TN_TRY(tn_has_supported_versions(*body, &is_1_3));
  TN_ENSURE(is_1_3, TN_E_BAD_VERSION);
  TN_ENSURE(!retry || !c->retried, TN_E_SECOND_RETRY);
  TN_TRY(tn_extensions_collect(c, where, body, &extensions));
  TN_AT_END(body);
  TN_TRY(tn_extension_read_one(c, where, &extensions, TN_EXT_SUPPORTED_VERSIONS));
  TN_TRY(check_choices(c, &hello));
  if (retry) {
    *next = TN_CLIENT_WAIT_RETRIED_HELLO;
    return take_retry(c, message, &extensions);
  }
  TN_TRY(tn_extensions_read(c, where, &extensions));
  tn_transcript_choose(&c->hs->transcript, c->suite->hash);
  tn_transcript_add(&c->hs->transcript, message);
  *next = TN_CLIENT_WAIT_ENCRYPTED_EXTENSIONS;
  return exchange_keys(c);
}
