// From the peer to the connection: a record at a time, by its content to whoever takes it.
#include "base/mem.h"
#include "tls/conn.h"
#include "tls/state.h"

// ---------------------------------------------------------------- handshake messages

// Gives one whole message to the handler that the table has for it. `rest_of_record` is what follows it there.
static tn_result take_message(tn_conn *c, const tn_transition *row, tn_span message, size_t rest_of_record) {
  TN_ENSURE(!row->ends_record || rest_of_record == 0, TN_E_NOT_AT_RECORD_END);
  tn_reader body = {message.p + TN_MESSAGE_HEADER, message.n - TN_MESSAGE_HEADER};
  tn_state next = TN_STATE_NONE;
  TN_TRY(row->handler(c, message, &body, &next));
  TN_ENSURE(body.n == 0, TN_E_TRAILING_BYTES);
  TN_ENSURE(row->next & 1u << next, TN_E_BAD_STATE);
  c->state = next;
  return tn_success();
}

// Whether this message may arrive now, as soon as its type and length are known.
static tn_result check_header(const tn_conn *c, tn_span start, const tn_transition **row) {
  *row = tn_transition_find(c->state, start.p[0]);
  TN_ENSURE(*row != NULL, TN_E_UNEXPECTED_MESSAGE);
  if (start.n < TN_MESSAGE_HEADER) return tn_success();
  tn_reader r = {start.p + 1, 3};
  uint32_t length;
  TN_READ(tn_read_u24(&r, &length));
  TN_ENSURE(length <= (*row)->max_length, TN_E_TOO_LONG);
  return tn_success();
}

// The length of the message that starts here, or 0 while its header is incomplete.
static size_t message_length(tn_span start) {
  tn_reader r = {start.p, start.n};
  uint8_t type;
  uint32_t length;
  if (!tn_read_u8(&r, &type) || !tn_read_u24(&r, &length)) return 0;
  return TN_MESSAGE_HEADER + (size_t)length;
}

// Completes the message that earlier records began; takes from *in what belongs to it.
static tn_result reassemble(tn_conn *c, tn_span *in) {
  while (in->n != 0) {
    tn_span have = tn_writer_span(&c->reassembly);
    size_t whole = message_length(have);
    size_t want = (whole == 0 ? TN_MESSAGE_HEADER : whole) - have.n;
    size_t n = want < in->n ? want : in->n;
    tn_write_bytes(&c->reassembly, in->p, n);
    TN_TRY(tn_writer_result(&c->reassembly));
    *in = (tn_span){in->p + n, in->n - n};
    have = tn_writer_span(&c->reassembly);
    const tn_transition *row;
    TN_TRY(check_header(c, have, &row));
    whole = message_length(have);
    if (whole == 0 || have.n < whole) continue;
    tn_writer message = c->reassembly;
    c->reassembly = tn_writer_growing(tn_conn_allocator(c), TN_MESSAGE_HEADER + TN_MAX_CERTIFICATE);
    tn_result r = take_message(c, row, have, in->n);
    tn_writer_free(&message);
    return r;
  }
  return tn_success();
}

static tn_result take_handshake(tn_conn *c, tn_span in) {
  TN_ENSURE(in.n != 0, TN_E_EMPTY_RECORD);
  while (in.n != 0) {
    if (c->reassembly.len != 0) {
      TN_TRY(reassemble(c, &in));
      continue;
    }
    const tn_transition *row;
    TN_TRY(check_header(c, in, &row));
    size_t whole = message_length(in);
    if (whole == 0 || in.n < whole) {
      tn_write_span(&c->reassembly, in);
      return tn_writer_result(&c->reassembly);
    }
    TN_TRY(take_message(c, row, (tn_span){in.p, whole}, in.n - whole));
    in = (tn_span){in.p + whole, in.n - whole};
  }
  return tn_success();
}

// ---------------------------------------------------------------- records

// RFC 9846 section 5: dropped between the first ClientHello and the peer's Finished, an error elsewhere.
static tn_result take_compatibility(tn_conn *c, tn_span body) {
  TN_ENSURE(c->peer_may_compat && c->reassembly.len == 0, TN_E_UNEXPECTED_RECORD);
  TN_ENSURE(body.n == 1 && body.p[0] == 1, TN_E_UNEXPECTED_RECORD);
  return tn_conn_count_useless(c);
}

static tn_result take_content(tn_conn *c, uint8_t type, tn_mspan body, tn_received *result) {
  tn_span in = {body.p, body.n};
  if (type == TN_CONTENT_HANDSHAKE) return take_handshake(c, in);
  if (type == TN_CONTENT_ALERT) return tn_conn_take_alert(c, in);
  TN_ENSURE(type == TN_CONTENT_APPLICATION_DATA && (c->status & TN_CONN_OPEN), TN_E_UNEXPECTED_RECORD);
  TN_ENSURE(c->reassembly.len == 0, TN_E_INTERLEAVED);
  if (body.n == 0) return tn_conn_count_useless(c);
  c->useless_records = 0;
  result->data = body;
  return tn_success();
}

// A client that asked for early data sends it under keys that we do not have: skipped within an allowance of payload,
// RFC 9846 section 4.3.10. A record without any costs something too.
static bool skip_early_data(tn_conn *c, size_t length) {
  const size_t overhead = 1 + TN_AEAD_MAX_TAG;
  size_t cost = length > overhead ? length - overhead : 1;
  if (c->hs == NULL || c->hs->early_data_allowance < cost) return false;
  c->hs->early_data_allowance -= cost;
  return true;
}

static tn_result take_protected(tn_conn *c, tn_mspan record, tn_mspan out, tn_received *result) {
  uint8_t *body = record.p + TN_RECORD_HEADER;
  size_t room = record.n - TN_RECORD_HEADER;
  // Only application data goes to `out`, and before the handshake is done there is none.
  bool elsewhere = out.p != NULL && (c->status & TN_CONN_OPEN) && out.n + c->read.suite->aead->tag_len >= room;
  uint8_t *to = elsewhere ? out.p : body;
  uint8_t type;
  size_t length;
  // Skipping needs the record as it came, and a failed opening overwrites it: nothing else looks at it then.
  tn_result r = tn_record_open(&c->read, record.p, record.n, to, &type, &length);
  if (r.reason == TN_E_BAD_RECORD_MAC && skip_early_data(c, room)) return tn_success();
  TN_TRY(r);
  if (c->hs != NULL) c->hs->early_data_allowance = 0;
  return take_content(c, type, (tn_mspan){to, length}, result);
}

// While a server waits for the client's first protected record, the client may have failed before it had keys.
static bool plain_alert_allowed(const tn_conn *c) {
  return c->state == TN_SERVER_WAIT_FINISHED && c->read.sequence == 0;
}

static tn_result take_record(tn_conn *c, tn_record_header h, tn_mspan record, tn_mspan out, tn_received *result) {
  tn_mspan body = {record.p + TN_RECORD_HEADER, record.n - TN_RECORD_HEADER};
  if (h.type == TN_CONTENT_CHANGE_CIPHER_SPEC) return take_compatibility(c, (tn_span){body.p, body.n});
  bool is_protected = c->read.suite != NULL && !(h.type == TN_CONTENT_ALERT && plain_alert_allowed(c));
  if (is_protected) {
    TN_ENSURE(h.type == TN_CONTENT_APPLICATION_DATA, TN_E_UNEXPECTED_RECORD);
    return take_protected(c, record, out, result);
  }
  bool between_hellos = c->state == TN_SERVER_WAIT_SECOND_HELLO && c->reassembly.len == 0;
  if (h.type == TN_CONTENT_APPLICATION_DATA && between_hellos && skip_early_data(c, body.n)) return tn_success();
  TN_ENSURE(h.type != TN_CONTENT_APPLICATION_DATA, TN_E_UNEXPECTED_RECORD);
  return take_content(c, h.type, body, result);
}

// ---------------------------------------------------------------- headers

static bool starts_with(tn_span in, const char *word, size_t n) { return in.n >= n && tn_equal_vartime(in.p, word, n); }

// A server's very first bytes: whoever is not speaking TLS is told apart for the log.
static tn_result check_first_bytes(tn_span in) {
  static const char *const methods[] = {"GET ", "POST", "HEAD", "PUT ", "DELE", "OPTI", "CONN", "TRAC", "PATC", "PRI "};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    TN_ENSURE(!starts_with(in, methods[i], 4), TN_E_PLAIN_HTTP);
  // An SSLv2-format ClientHello (RFC 5246 appendix E.2): a hello, but of nothing that we speak.
  TN_ENSURE(!(in.p[0] & 0x80 && in.p[2] == 1), TN_E_NO_COMMON_VERSION);
  return tn_success();
}

static tn_result check_record_header(const tn_conn *c, tn_span in, tn_record_header h) {
  if (c->state == TN_SERVER_WAIT_CLIENT_HELLO && c->reassembly.len == 0) TN_TRY(check_first_bytes(in));
  TN_ENSURE(h.type >= TN_CONTENT_CHANGE_CIPHER_SPEC && h.type <= TN_CONTENT_APPLICATION_DATA,
            c->read.suite == NULL ? TN_E_NOT_TLS : TN_E_UNEXPECTED_RECORD);
  TN_ENSURE_ALERT(h.version >> 8 == 3, TN_E_NOT_TLS, TN_ALERT_PROTOCOL_VERSION);
  // Protected records can arrive before we have keys: early data after a HelloRetryRequest.
  bool is_protected = h.type == TN_CONTENT_APPLICATION_DATA;
  TN_ENSURE(h.length <= (is_protected ? TN_RECORD_MAX_CIPHERTEXT : TN_RECORD_MAX_PLAINTEXT), TN_E_RECORD_OVERFLOW);
  return tn_success();
}

tn_result tn_conn_receive(tn_conn *c, tn_mspan in, tn_mspan out, tn_received *result) {
  *result = (tn_received){.need = TN_RECORD_HEADER};
  if (c->status & TN_CONN_FAILED) return c->error;
  // Section 6.1: anything after close_notify is ignored; and so is the rest of a handshake that we gave up.
  bool given_up = (c->status & TN_CONN_CLOSED) && !(c->status & TN_CONN_OPEN);
  if (given_up || c->status & TN_CONN_PEER_CLOSED) {
    result->used = in.n;
    return tn_success();
  }
  if (in.n < TN_RECORD_HEADER) return tn_success();
  tn_record_header h = tn_record_header_of(in.p);
  tn_result r = check_record_header(c, (tn_span){in.p, in.n}, h);
  if (!tn_ok(r)) return tn_conn_fail(c, r);
  result->need = TN_RECORD_HEADER + (size_t)h.length;
  if (in.n < result->need) return tn_success();
  result->used = result->need;
  r = take_record(c, h, (tn_mspan){in.p, result->used}, out, result);
  return tn_ok(r) ? r : tn_conn_fail(c, r);
}

tn_result tn_conn_receive_eof(tn_conn *c) {
  if (c->status & TN_CONN_FAILED) return c->error;
  if (c->status & TN_CONN_PEER_CLOSED) return tn_success();
  return tn_conn_fail(c, tn_fail(TN_E_TRUNCATED));
}
