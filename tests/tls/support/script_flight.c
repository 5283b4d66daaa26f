// The scripted peer's honest handshake after the hellos.
#include "pki/identity.h"
#include "pki/key.h"
#include "tls/msg/msg.h"
#include "tls/support/script.h"

// ---------------------------------------------------------------- keys

void script_handshake_keys(script *s) {
  bool server = s->role == TN_SERVER;
  tn_transcript_choose(&s->transcript, s->suite->hash);
  assert_ok(tn_schedule_start(&s->schedule, s->suite->hash));
  assert_ok(tn_schedule_handshake(&s->schedule, (tn_span){s->secret, s->group->secret_len}));
  assert_ok(tn_schedule_derive(&s->schedule, TN_STAGE_HANDSHAKE, "c hs traffic", &s->transcript, &s->client_handshake));
  assert_ok(tn_schedule_derive(&s->schedule, TN_STAGE_HANDSHAKE, "s hs traffic", &s->transcript, &s->server_handshake));
  assert_ok(tn_protection_set(&s->read, s->suite, server ? &s->client_handshake : &s->server_handshake));
  assert_ok(tn_protection_set(&s->write, s->suite, server ? &s->server_handshake : &s->client_handshake));
}

void script_application_keys(script *s) {
  assert_ok(tn_schedule_master(&s->schedule));
  assert_ok(tn_schedule_derive(&s->schedule, TN_STAGE_MASTER, "c ap traffic", &s->transcript, &s->client_application));
  assert_ok(tn_schedule_derive(&s->schedule, TN_STAGE_MASTER, "s ap traffic", &s->transcript, &s->server_application));
}

void script_write_application(script *s) {
  assert_ok(
      tn_protection_set(&s->write, s->suite, s->role == TN_SERVER ? &s->server_application : &s->client_application));
}

void script_read_application(script *s) {
  assert_ok(
      tn_protection_set(&s->read, s->suite, s->role == TN_SERVER ? &s->client_application : &s->server_application));
}

// ---------------------------------------------------------------- a client

// From the ServerHello: its suite and the secret that its share gives.
static void take_server_hello(script *s) {
  tn_reader r = tn_reader_of(script_take(s, TN_MSG_SERVER_HELLO)), session_id, block, body, key;
  uint8_t random[32], compression = 0xff;
  uint16_t version = 0, suite = 0, id;
  assert_true(tn_read_u16(&r, &version) && tn_read_copy(&r, random, 32) && tn_read_block8(&r, &session_id));
  assert_true(tn_read_u16(&r, &suite) && tn_read_u8(&r, &compression) && tn_read_block16(&r, &block));
  assert_int_equal(version, 0x0303);
  assert_int_equal(compression, 0);
  assert_memory_not_equal(random, tn_retry_random, 32);
  s->suite = tn_suite_find(suite);
  assert_non_null(s->suite);
  bool shared = false;
  while (tn_read_u16(&block, &id) && tn_read_block16(&block, &body)) {
    if (id != 51) continue;
    assert_true(tn_read_u16(&body, &id) && tn_read_block16(&body, &key));
    assert_int_equal(id, s->group->id);
    assert_ok(s->group->finish(s->private_key, tn_reader_rest(&key), s->secret));
    shared = true;
  }
  assert_true(shared);
}

void script_take_retry(script *s, uint16_t group) {
  s->suite = s->engine->suite;
  assert_non_null(s->suite);
  tn_transcript_choose(&s->transcript, s->suite->hash);
  tn_transcript_retry(&s->transcript);
  tn_reader r = tn_reader_of(script_take(s, TN_MSG_SERVER_HELLO)), block, body;
  assert_true(r.n > 2 + 32);
  assert_memory_equal(r.p + 2, tn_retry_random, 32);
  r = (tn_reader){r.p + 2 + 32, r.n - 2 - 32};
  tn_span suite_and_compression;
  uint16_t id, asked = 0;
  assert_true(tn_read_block8(&r, &body) && tn_read_span(&r, 3, &suite_and_compression) && tn_read_block16(&r, &block));
  while (tn_read_u16(&block, &id) && tn_read_block16(&block, &body))
    if (id == 51) assert_true(tn_read_u16(&body, &asked));
  assert_int_equal(asked, group);
  s->group = tn_group_find(group);
  uint8_t type;
  tn_span content;
  while (script_next(s, &type, &content)) assert_int_equal(type, TN_CONTENT_CHANGE_CIPHER_SPEC);
}

void script_take_server_flight(script *s) {
  take_server_hello(s);
  script_handshake_keys(s);
  script_take(s, TN_MSG_ENCRYPTED_EXTENSIONS);
  script_take(s, TN_MSG_CERTIFICATE);
  script_take(s, TN_MSG_CERTIFICATE_VERIFY);
  uint8_t mac[TN_HASH_MAX_DIGEST];
  assert_ok(tn_finished_mac(s->suite->hash, &s->server_handshake, &s->transcript, mac));
  tn_span finished = script_take(s, TN_MSG_FINISHED);
  assert_int_equal(finished.n, s->suite->hash->digest_len);
  assert_memory_equal(finished.p, mac, finished.n);
  script_application_keys(s);
  script_read_application(s);
}

tn_result script_finished(script *s) {
  uint8_t mac[TN_HASH_MAX_DIGEST];
  assert_ok(tn_finished_mac(s->suite->hash, s->role == TN_SERVER ? &s->server_handshake : &s->client_handshake,
                            &s->transcript, mac));
  return script_handshake(s, TN_MSG_FINISHED, (tn_span){mac, s->suite->hash->digest_len});
}

// ---------------------------------------------------------------- a server

tn_result script_encrypted_extensions(script *s, const ext_list *ext) {
  tn_writer w = tn_writer_growing(NULL, 1 << 20);
  static const ext_list none = {0};
  ext_write(ext == NULL ? &none : ext, &w);
  script_handshake(s, TN_MSG_ENCRYPTED_EXTENSIONS, tn_writer_span(&w));
  tn_writer_free(&w);
  return s->result;
}

tn_result script_certificate(script *s) {
  tn_writer w = tn_writer_growing(NULL, 1 << 20);
  tn_write_u8(&w, 0);
  tn_scope list = tn_write_open(&w, 3);
  tn_scope entry = tn_write_open(&w, 3);
  tn_write_span(&w, tn_identity_chain_der(s->p->pki.identity, 0));
  tn_write_close(&w, entry);
  tn_write_u16(&w, 0);
  tn_write_close(&w, list);
  script_handshake(s, TN_MSG_CERTIFICATE, tn_writer_span(&w));
  tn_writer_free(&w);
  return s->result;
}

static const tn_sign_scheme *scheme_for(const tn_key *key, uint16_t wanted) {
  const tn_public_key public = tn_key_public(key);
  const tn_sign_scheme *scheme = tn_sign_scheme_find(wanted);
  for (size_t i = 0; scheme == NULL || !tn_sign_scheme_fits(scheme, &public); i++) scheme = tn_sign_schemes[i];
  return scheme;
}

tn_result script_certificate_verify(script *s, uint16_t scheme) {
  static const char context[] = "TLS 1.3, server CertificateVerify";
  uint8_t content[64 + sizeof context + TN_HASH_MAX_DIGEST], signature[TN_SIGNATURE_MAX];
  size_t n = sizeof signature;
  memset(content, ' ', 64);
  memcpy(content + 64, context, sizeof context);
  tn_transcript_digest(&s->transcript, content + 64 + sizeof context);
  const tn_key *key = tn_identity_key(s->p->pki.identity);
  assert_ok(tn_key_sign(key, scheme_for(key, scheme), &tn_rng_fast,
                        tn_span_of(content, 64 + sizeof context + s->suite->hash->digest_len), signature, &n));
  uint8_t body[4 + TN_SIGNATURE_MAX];
  tn_writer w = tn_writer_fixed(body, sizeof body);
  tn_write_u16(&w, scheme);
  tn_write_u16(&w, (uint16_t)n);
  tn_write_bytes(&w, signature, n);
  return script_handshake(s, TN_MSG_CERTIFICATE_VERIFY, tn_writer_span(&w));
}

// ---------------------------------------------------------------- to a state

static void reach_server(script *s, tn_state state) {
  hello h;
  if (state == TN_SERVER_WAIT_CLIENT_HELLO) return;
  hello_client(s, &h);
  if (state == TN_SERVER_WAIT_SECOND_HELLO) ext_set(&h.ext, 51, "0000");
  assert_ok(script_hello(s, &h));
  if (state == TN_SERVER_WAIT_SECOND_HELLO) {
    script_take_retry(s, tn_group_x25519.id);
    return;
  }
  script_take_server_flight(s);
  if (state == TN_SERVER_WAIT_FINISHED) return;
  assert_ok(script_finished(s));
  script_write_application(s);
}

static void reach_client(script *s, tn_state state) {
  hello h;
  if (state == TN_CLIENT_WAIT_SERVER_HELLO) {
    script_take(s, TN_MSG_CLIENT_HELLO);
    return;
  }
  if (state == TN_CLIENT_WAIT_RETRIED_HELLO) {
    hello_retry(s, &h, tn_group_secp256r1.id);
    assert_ok(script_hello(s, &h));
    script_take(s, TN_MSG_CLIENT_HELLO);
    return;
  }
  hello_server(s, &h);
  assert_ok(script_hello(s, &h));
  script_handshake_keys(s);
  if (state == TN_CLIENT_WAIT_ENCRYPTED_EXTENSIONS) return;
  assert_ok(script_encrypted_extensions(s, NULL));
  if (state == TN_CLIENT_WAIT_CERTIFICATE_OR_REQUEST) return;
  if (state == TN_CLIENT_WAIT_CERTIFICATE) {
    ext_list ext = {0};
    ext_set(&ext, 13, "0002 0403");
    tn_writer w = tn_writer_growing(NULL, 1000);
    tn_write_u8(&w, 0);
    ext_write(&ext, &w);
    assert_ok(script_handshake(s, TN_MSG_CERTIFICATE_REQUEST, tn_writer_span(&w)));
    tn_writer_free(&w);
    return;
  }
  assert_ok(script_certificate(s));
  if (state == TN_CLIENT_WAIT_CERTIFICATE_VERIFY) return;
  assert_ok(script_certificate_verify(s, 0x0403));
  if (state == TN_CLIENT_WAIT_FINISHED) return;
  assert_ok(script_finished(s));
  script_application_keys(s);
  script_write_application(s);
  uint8_t mac[TN_HASH_MAX_DIGEST];
  assert_ok(tn_finished_mac(s->suite->hash, &s->client_handshake, &s->transcript, mac));
  tn_span finished = script_take(s, TN_MSG_FINISHED);
  assert_int_equal(finished.n, s->suite->hash->digest_len);
  assert_memory_equal(finished.p, mac, finished.n);
  script_read_application(s);
}

void script_reach(script *s, pair *p, tn_state state) {
  bool server_engine = state < TN_CLIENT_WAIT_SERVER_HELLO;
  script_open(s, p, server_engine ? TN_CLIENT : TN_SERVER);
  if (server_engine)
    reach_server(s, state);
  else
    reach_client(s, state);
  assert_int_equal(s->engine->state, state);
}
