// Alerts, RFC 9846 section 6: the one place that sends them, and what an arriving one means.
#include <stdio.h>

#include "base/mem.h"
#include "tls/conn.h"

enum { WARNING = 1, FATAL = 2 };

// An alert that cannot be sent (no memory, or after our close_notify) is not: the connection just ends.
static void queue_alert(tn_conn *c, uint8_t level, uint8_t alert) {
  const uint8_t body[2] = {level, alert};
  c->alerted = tn_ok(tn_conn_queue_record(c, TN_CONTENT_ALERT, (tn_span){body, sizeof body}));
  c->alert_sent = alert;
}

// Reasons to which the peer gets no answer: it is gone, or spoke last.
static bool silent(uint16_t reason) { return reason == TN_E_PEER_ALERT || reason == TN_E_TRUNCATED; }

tn_result tn_conn_fail(tn_conn *c, tn_result why) {
  if (c->status & TN_CONN_FAILED) return c->error;
  c->status |= TN_CONN_FAILED;
  c->error = why;
  c->out.failed = false;  // an alert may fit where a flight did not
  c->alerted = false;     // a flight that was not sealed yet is never sent
  if (!silent(why.reason)) queue_alert(c, FATAL, (uint8_t)why.alert);
  tn_protection_wipe(&c->read);
  tn_protection_wipe(&c->write);
  tn_wipe(&c->read_secret, sizeof c->read_secret);
  tn_wipe(&c->write_secret, sizeof c->write_secret);
  tn_conn_end_handshake(c);
  tn_writer_free(&c->reassembly);
  return why;
}

void tn_conn_close(tn_conn *c) {
  if (c->status & (TN_CONN_FAILED | TN_CONN_CLOSED)) return;
  // Before the handshake is over, user_canceled says that this is no failure (section 6.1).
  if (!(c->status & TN_CONN_OPEN)) queue_alert(c, WARNING, TN_ALERT_USER_CANCELED);
  queue_alert(c, WARNING, TN_ALERT_CLOSE_NOTIFY);
  c->status |= TN_CONN_CLOSED;
}

tn_result tn_conn_take_alert(tn_conn *c, tn_span body) {
  TN_ENSURE(body.n != 0, TN_E_EMPTY_RECORD);
  TN_ENSURE(body.n == 2, TN_E_BAD_ALERT);
  // The level says nothing in TLS 1.3 (section 6): the description does.
  uint8_t alert = body.p[1];
  bool fatal = alert != TN_ALERT_CLOSE_NOTIFY && alert != TN_ALERT_USER_CANCELED;
  if (fatal) return tn_fail_alert(TN_E_PEER_ALERT, (tn_alert)alert);
  TN_ENSURE(c->reassembly.len == 0, TN_E_INTERLEAVED);
  if (alert == TN_ALERT_CLOSE_NOTIFY) {
    c->status |= TN_CONN_PEER_CLOSED;
    // An end in the middle of the handshake is a failure to connect, but an orderly one: no alert answers it.
    return c->status & TN_CONN_OPEN ? tn_success() : tn_fail_alert(TN_E_PEER_ALERT, TN_ALERT_CLOSE_NOTIFY);
  }
  return tn_conn_count_useless(c);
}

void tn_conn_error_text(const tn_conn *c, char *out, size_t room) {
  if (room == 0) return;
  const char *text = c->detail != NULL ? c->detail : tn_reason_text(c->error.reason);
  if (c->error.reason == TN_E_PEER_ALERT)
    snprintf(out, room, "%s",
             c->error.alert == TN_ALERT_CLOSE_NOTIFY ? "the peer closed the connection during the handshake" : text);
  else
    snprintf(out, room, "%s", text);
  size_t used = 0;
  while (out[used] != 0) used++;
  if (c->error.reason == TN_E_PEER_ALERT)
    snprintf(out + used, room - used, " (received alert %s)", tn_alert_name(c->error.alert));
  else if (c->alerted)
    snprintf(out + used, room - used, " (sent alert %s)", tn_alert_name(c->alert_sent));
}
