// From the connection to the peer: flights and alerts through `out`, application data straight into the
// caller's memory.
#include "base/mem.h"
#include "tls/conn.h"
#include "tls/msg/msg.h"

tn_result tn_conn_queue_record(tn_conn *c, tn_content_type type, tn_span body) {
  TN_ENSURE(!(c->status & TN_CONN_CLOSED), TN_E_CANCELED);  // section 6.1: nothing follows our close_notify
  size_t start = c->out.len;
  uint8_t *to = tn_write_space(&c->out, tn_record_size(&c->write, body.n));
  TN_TRY(tn_writer_result(&c->out));
  tn_result r = tn_record_seal(&c->write, type, &body, 1, 0, body.n, to);
  if (!tn_ok(r)) c->out.len = start;  // nothing of a record that was not sealed leaves
  return r;
}

tn_scope tn_message_open(tn_conn *c, tn_message_type type) {
  tn_write_u8(&c->hs->flight, (uint8_t)type);
  return tn_write_open(&c->hs->flight, 3);
}

tn_result tn_message_close(tn_conn *c, tn_scope message) {
  tn_writer *w = &c->hs->flight;
  tn_write_close(w, message);
  TN_TRY(tn_writer_result(w));
  size_t start = message.at - 1;
  tn_transcript_add(&c->hs->transcript, (tn_span){w->buf + start, w->len - start});
  return tn_success();
}

tn_result tn_conn_flush_flight(tn_conn *c) {
  tn_span left = tn_writer_span(&c->hs->flight);
  while (left.n != 0) {
    size_t n = left.n < TN_RECORD_MAX_PLAINTEXT ? left.n : TN_RECORD_MAX_PLAINTEXT;
    TN_TRY(tn_conn_queue_record(c, TN_CONTENT_HANDSHAKE, (tn_span){left.p, n}));
    left = (tn_span){left.p + n, left.n - n};
  }
  tn_writer_clear(&c->hs->flight);
  return tn_success();
}

tn_result tn_conn_queue_compatibility(tn_conn *c) {
  if (c->hs->session_id_len == 0 || c->hs->compatibility_sent) return tn_success();
  c->hs->compatibility_sent = true;
  static const uint8_t record[] = {TN_CONTENT_CHANGE_CIPHER_SPEC, 3, 3, 0, 1, 1};  // never protected
  tn_write_bytes(&c->out, record, sizeof record);
  return tn_writer_result(&c->out);
}

static size_t drain_out(tn_conn *c, tn_mspan to) {
  size_t waiting = c->out.len - c->out_sent;
  size_t n = waiting < to.n ? waiting : to.n;
  if (n == 0) return 0;
  tn_copy(to.p, c->out.buf + c->out_sent, n);
  c->out_sent += n;
  if (c->out_sent == c->out.len) {  // an idle connection holds no buffer
    tn_writer_free(&c->out);
    c->out = tn_writer_growing(tn_conn_allocator(c), TN_MAX_OUT);
    c->out_sent = 0;
    c->key_update_answered = false;
  }
  return n;
}

// How many of the bytes from `skip` on go into one record: at most `max`, from no more spans than it can have.
static size_t record_share(const tn_span *data, size_t n, size_t skip, size_t max) {
  size_t total = 0;
  for (size_t i = 0, used = 0; i < n && total < max && used < TN_RECORD_MAX_SPANS; i++) {
    if (skip >= data[i].n) {
      skip -= data[i].n;
      continue;
    }
    total += data[i].n - skip;
    skip = 0;
    used++;
  }
  return total < max ? total : max;
}

static tn_result send_data(tn_conn *c, const tn_span *data, size_t n, tn_mspan out, size_t *taken, size_t *written) {
  for (;;) {
    size_t room = out.n - *written;
    if (room <= TN_RECORD_OVERHEAD) return tn_success();
    size_t max =
        room - TN_RECORD_OVERHEAD < TN_RECORD_MAX_PLAINTEXT ? room - TN_RECORD_OVERHEAD : TN_RECORD_MAX_PLAINTEXT;
    size_t share = record_share(data, n, *taken, max);
    if (share == 0) return tn_success();
    if (c->write.sequence >= c->suite->aead->record_limit) {
      TN_TRY(tn_send_key_update(c, false));
      *written += drain_out(c, (tn_mspan){out.p + *written, out.n - *written});
      if (c->out.len != 0) return tn_success();
      continue;
    }
    TN_TRY(tn_record_seal(&c->write, TN_CONTENT_APPLICATION_DATA, data, n, *taken, share, out.p + *written));
    c->useless_records = 0;  // a peer that only listens may renew its keys as we talk
    *taken += share;
    *written += tn_record_size(&c->write, share);
  }
}

tn_result tn_conn_send(tn_conn *c, const tn_span *data, size_t n, tn_mspan out, size_t *taken, size_t *written) {
  *taken = *written = 0;
  // Data that cannot be sent is refused before anything is written: who looks at the failure only loses nothing.
  if (n != 0 && c->status & TN_CONN_FAILED) return c->error;
  TN_ENSURE(n == 0 || !(c->status & TN_CONN_CLOSED), TN_E_BAD_STATE);
  *written = drain_out(c, out);
  if (n == 0 || !(c->status & TN_CONN_OPEN) || c->out.len != 0) return tn_success();
  tn_result r = send_data(c, data, n, out, taken, written);
  return tn_ok(r) ? r : tn_conn_fail(c, r);
}

tn_result tn_conn_update_keys(tn_conn *c, bool ask_peer) {
  TN_ENSURE((c->status & TN_CONN_OPEN) && !(c->status & (TN_CONN_CLOSED | TN_CONN_FAILED)), TN_E_BAD_STATE);
  // Section 4.7.3: no second request before the first is answered, which serves both.
  tn_result r = tn_send_key_update(c, ask_peer && !c->key_update_asked);
  c->key_update_asked |= ask_peer;
  return tn_ok(r) ? r : tn_conn_fail(c, r);
}
