#include "tls/support/script.h"

#include "base/mem.h"

#define ROOM (1u << 22)

void script_open(script *s, pair *p, tn_role role) {
  *s = (script){.p = p, .role = role, .group = &tn_group_x25519, .result = tn_success()};
  const tn_span name = {(const uint8_t *)PAIR_NAME, strlen(PAIR_NAME)};
  if (role == TN_SERVER)
    assert_ok(tn_conn_new(p->client_config, name, &s->engine));
  else
    assert_ok(tn_conn_new(p->server_config, (tn_span){NULL, 0}, &s->engine));
  tn_transcript_init(&s->transcript);
  s->held = tn_writer_growing(NULL, ROOM);
  s->wire = tn_writer_growing(NULL, ROOM);
  s->handshake = tn_writer_growing(NULL, ROOM);
  s->data = tn_writer_growing(NULL, ROOM);
}

void script_close(script *s) {
  tn_conn_free(s->engine);
  tn_writer_free(&s->held);
  tn_writer_free(&s->wire);
  tn_writer_free(&s->handshake);
  tn_writer_free(&s->data);
}

// ---------------------------------------------------------------- sending

tn_result script_wire(script *s, tn_span raw) { return s->result = feed(s->engine, raw, &s->data); }

tn_result script_plain(script *s, uint8_t type, const void *content, size_t n) {
  tn_writer w = tn_writer_growing(NULL, ROOM);
  tn_write_u8(&w, type);
  tn_write_u16(&w, 0x0303);
  tn_write_u16(&w, (uint16_t)n);
  tn_write_bytes(&w, content, n);
  script_wire(s, tn_writer_span(&w));
  tn_writer_free(&w);
  return s->result;
}

// The record layer of RFC 9846 section 5.2 by hand, since the engine's own refuses what is too long.
tn_result script_padded(script *s, uint8_t type, tn_span content, size_t padding) {
  if (s->write.suite == NULL) return script_plain(s, type, content.p, content.n);
  size_t inner = content.n + 1 + padding, length = inner + s->write.suite->aead->tag_len;
  uint8_t *record = calloc(1, TN_RECORD_HEADER + length), nonce[TN_AEAD_NONCE_LEN];
  uint8_t *body = record + TN_RECORD_HEADER;
  const uint8_t header[] = {TN_CONTENT_APPLICATION_DATA, 3, 3, (uint8_t)(length >> 8), (uint8_t)length};
  memcpy(record, header, sizeof header);
  if (content.n != 0) memcpy(body, content.p, content.n);
  body[content.n] = type;
  memcpy(nonce, s->write.iv, sizeof nonce);
  for (unsigned i = 0; i < 8; i++) nonce[11 - i] ^= (uint8_t)(s->write.sequence >> (8 * i));
  s->write.sequence++;
  const tn_span in = {body, inner};
  const tn_mspan out = {body, inner};
  assert_ok(tn_aead_seal(&s->write.key, nonce, tn_span_of(header, sizeof header), &in, 1, &out, 1, body + inner));
  script_wire(s, tn_span_of(record, TN_RECORD_HEADER + length));
  free(record);
  return s->result;
}

tn_result script_record(script *s, uint8_t type, const void *content, size_t n) {
  return script_padded(s, type, tn_span_of(content, n), 0);
}

tn_result script_flush(script *s) {
  tn_span left = tn_writer_span(&s->held);
  while (left.n != 0 && tn_ok(s->result)) {
    size_t n = s->cut == 0 || left.n < s->cut ? left.n : s->cut;
    if (n > TN_RECORD_MAX_PLAINTEXT) n = TN_RECORD_MAX_PLAINTEXT;
    script_record(s, TN_CONTENT_HANDSHAKE, left.p, n);
    left = (tn_span){left.p + n, left.n - n};
  }
  tn_writer_clear(&s->held);
  return s->result;
}

tn_result script_handshake(script *s, uint8_t type, tn_span body) {
  size_t start = s->held.len;
  tn_write_u8(&s->held, type);
  tn_write_u24(&s->held, (uint32_t)body.n);
  tn_write_span(&s->held, body);
  tn_transcript_add(&s->transcript, (tn_span){s->held.buf + start, s->held.len - start});
  return s->holding ? s->result : script_flush(s);
}

tn_result script_compatibility(script *s) { return script_plain(s, TN_CONTENT_CHANGE_CIPHER_SPEC, "\1", 1); }

// ---------------------------------------------------------------- receiving

bool script_next(script *s, uint8_t *type, tn_span *content) {
  drain(s->engine, &s->wire);
  size_t left = s->wire.len - s->wire_taken;
  if (left == 0) return false;
  uint8_t *record = s->wire.buf + s->wire_taken;
  assert_true(left >= TN_RECORD_HEADER);
  size_t n = TN_RECORD_HEADER + (size_t)(record[3] << 8 | record[4]);
  assert_true(left >= n);
  assert_int_equal(record[1] << 8 | record[2], 0x0303);
  s->wire_taken += n;
  *type = record[0];
  *content = tn_span_of(record + TN_RECORD_HEADER, n - TN_RECORD_HEADER);
  if (s->read.suite == NULL || record[0] == TN_CONTENT_CHANGE_CIPHER_SPEC) return true;
  assert_int_equal(record[0], TN_CONTENT_APPLICATION_DATA);
  assert_ok(tn_record_open(&s->read, record, n, record + TN_RECORD_HEADER, type, &content->n));
  return true;
}

tn_span script_take(script *s, uint8_t type) {
  for (;;) {
    tn_reader r = {s->handshake.buf + s->handshake_taken, s->handshake.len - s->handshake_taken}, body;
    const tn_span start = tn_reader_rest(&r);
    uint8_t got;
    if (tn_read_u8(&r, &got) && tn_read_block24(&r, &body)) {
      assert_int_equal(got, type);
      size_t n = TN_MESSAGE_HEADER + body.n;
      tn_transcript_add(&s->transcript, (tn_span){start.p, n});
      s->handshake_taken += n;
      return tn_reader_rest(&body);
    }
    uint8_t content_type;
    tn_span content;
    if (!script_next(s, &content_type, &content)) fail_msg("the engine sent no message of type %u", type);
    if (content_type == TN_CONTENT_CHANGE_CIPHER_SPEC) continue;
    assert_int_equal(content_type, TN_CONTENT_HANDSHAKE);
    tn_write_span(&s->handshake, content);
  }
}

int script_alert(script *s) {
  drain(s->engine, &s->wire);
  size_t left = s->wire.len - s->wire_taken;
  if (left == 0) return -1;
  const uint8_t *record = s->wire.buf + s->wire_taken;
  // An engine that never got to its keys speaks without them, whatever we have.
  if (record[0] == TN_CONTENT_ALERT) s->read = (tn_protection){0};
  uint8_t type;
  tn_span content;
  assert_true(script_next(s, &type, &content));
  assert_int_equal(type, TN_CONTENT_ALERT);
  assert_int_equal(content.n, 2);
  assert_int_equal(content.p[0], 2);
  int alert = content.p[1];
  assert_false(script_next(s, &type, &content));
  return alert;
}

// Whatever is asked of it, it answers as when it failed.
static void assert_stays_failed(script *s) {
  tn_result why = tn_conn_error(s->engine);
  const tn_span data = {(const uint8_t *)"x", 1};
  uint8_t out[100] = {22, 3, 3, 0, 1, 0};
  size_t taken, written;
  tn_received got;
  for (int again = 0; again < 2; again++) {
    assert_int_equal(tn_conn_receive(s->engine, (tn_mspan){out, 6}, (tn_mspan){NULL, 0}, &got).reason, why.reason);
    assert_int_equal(tn_conn_receive_eof(s->engine).reason, why.reason);
    assert_int_equal(tn_conn_send(s->engine, &data, 1, (tn_mspan){out, sizeof out}, &taken, &written).reason,
                     why.reason);
    assert_int_equal(taken + written + got.used + got.data.n, 0);
    assert_fails(tn_conn_update_keys(s->engine, true), BAD_STATE);
    tn_conn_close(s->engine);
    assert_true(tn_conn_status(s->engine) & TN_CONN_FAILED);
    assert_false(tn_conn_status(s->engine) & TN_CONN_PENDING);
  }
}

void script_expect(script *s, const char *what, tn_alert alert) {
  if (tn_ok(s->result)) fail_msg("%s: nothing was found wrong, wanted %s", what, tn_alert_name(alert));
  char text[200];
  tn_conn_error_text(s->engine, text, sizeof text);
  int got = script_alert(s);
  if (got != (int)alert)
    fail_msg("%s: wanted %s, got %s: %s", what, tn_alert_name(alert), got < 0 ? "none" : tn_alert_name((unsigned)got),
             text);
  assert_int_equal(tn_conn_error(s->engine).reason, s->result.reason);
  assert_int_equal(s->data.len, 0);
  assert_stays_failed(s);
}
