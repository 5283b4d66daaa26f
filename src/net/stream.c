#include "net/stream.h"

#include "base/error.h"
#include "net/memory.h"

static void on_timer(uv_timer_t *timer) {
  tn_stream *s = timer->data;
  switch (s->state) {
    case TN_STREAM_CONNECTING:
      tn_connector_timeout(s);
      break;
    case TN_STREAM_HANDSHAKE:
      tn_stream_finish(s, TN_CAUSE_TIME, 0);
      break;
    case TN_STREAM_OPEN:
      tn_stream_deadline_passed(s);
      break;
    case TN_STREAM_FLUSHING:
    case TN_STREAM_DRAINING:
      tn_stream_linger_timeout(s);
      break;
    default:
      break;
  }
}

void tn_stream_timer(tn_stream *s, uint64_t ms) {
  if (ms == 0) {
    uv_timer_stop(&s->timer);
    return;
  }
  uv_update_time(&s->loop->uv);                // its clock stands while events are delivered, and before it runs
  uv_timer_start(&s->timer, on_timer, ms, 0);  // fails only for a closing handle
}

tn_result tn_stream_new(tn_loop *loop, tn_conn *conn, tn_stream **out) {
  tn_stream *s = tn_net_alloc(sizeof *s);
  *out = s;
  if (s == NULL) {
    tn_conn_free(conn);
    return tn_fail(TN_E_NO_MEMORY);
  }
  s->loop = loop;
  s->conn = conn;
  uv_tcp_init(&loop->uv, &s->tcp);  // neither can fail
  uv_timer_init(&loop->uv, &s->timer);
  s->handles = 2;
  s->tcp.data = s->timer.data = s;
  tn_list_init(&s->in_soon);
  tn_list_init(&s->in_loop);
  tn_list_append(&loop->streams, &s->in_loop);
  tn_loop_opened(loop);
  return tn_success();
}

void tn_stream_connected(tn_stream *s, uint64_t handshake_ms) {
  (void)uv_tcp_nodelay(&s->tcp, 1);  // slower without it, no worse
  s->state = TN_STREAM_HANDSHAKE;
  tn_stream_timer(s, handshake_ms);
  tn_stream_settle(s);
}

void tn_stream_soon(tn_stream *s) {
  if (tn_list_empty(&s->in_soon)) tn_loop_soon(s->loop, &s->in_soon);
}

void tn_stream_on_soon(tn_stream *s) {
  s->busy = true;
  tn_stream_take_records(s);
  tn_stream_settle(s);
}

static bool drained(const tn_stream *s) {
  return s->drain_due && s->state == TN_STREAM_OPEN && !s->broken && tn_stream_queued(s) == 0;
}

void tn_stream_settle(tn_stream *s) {
  tn_stream_send_pending(s);
  tn_stream_flush(s);
  if (drained(s)) {
    s->drain_due = false;
    s->busy = true;
    s->events.on_drain(s, s->ctx);
    tn_stream_flush(s);
    if (drained(s)) tn_stream_soon(s);  // it wrote again: the others' turn comes first
  }
  s->busy = false;
  if (s->in != NULL && (s->in->start == s->in->end || s->state > TN_STREAM_OPEN)) tn_stream_drop_input(s);
  tn_stream_update_reading(s);
}

// ---------------------------------------------------------------- for the application

void tn_stream_read(tn_stream *s, bool on) {
  bool resumes = on && s->paused;
  s->paused = !on;
  if (s->state != TN_STREAM_OPEN) return;
  if (resumes && s->in != NULL)
    tn_stream_soon(s);  // during events too: not each of them goes on to the records that were kept back
  else if (!s->busy)
    tn_stream_update_reading(s);
}

void tn_stream_deadline(tn_stream *s, uint64_t ms) {
  s->deadline_ms = ms;
  if (s->state == TN_STREAM_OPEN) tn_stream_timer(s, ms);
}

tn_conn *tn_stream_conn(tn_stream *s) { return s->conn; }
tn_loop *tn_stream_loop(tn_stream *s) { return s->loop; }
const char *tn_stream_peer(const tn_stream *s) { return s->peer; }
