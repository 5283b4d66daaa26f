// From the wish or the need to close to on_close.
#include <linux/sockios.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "net/memory.h"
#include "net/stream.h"

// ---------------------------------------------------------------- closing in order

static int descriptor(const tn_stream *s) {
  uv_os_fd_t fd;
  return uv_fileno((const uv_handle_t *)&s->tcp, &fd) == 0 ? fd : -1;
}

// Bytes that the peer has not acknowledged: the system's queue is so long that ours alone may not move for long,
// though a slow peer reads all the time.
static size_t not_yet_taken(const tn_stream *s) {
  int in_system = 0;
  if (ioctl(descriptor(s), SIOCOUTQ, &in_system) != 0 || in_system < 0) in_system = 0;
  return tn_stream_queued(s) + (size_t)in_system;
}

// Sends what is queued and our end of the data; what still arrives is dropped, not left in the socket: a socket
// closed over unread bytes sends a reset, and that destroys what the peer has not read yet.
static void linger(tn_stream *s, tn_cause cause) {
  s->cause = (uint8_t)cause;
  s->state = TN_STREAM_FLUSHING;
  tn_stream_timer(s, s->loop->stall_ms);
  s->linger_until = uv_now(&s->loop->uv) + s->loop->linger_ms;
  tn_stream_send_pending(s);
  s->linger_left = not_yet_taken(s);
}

void tn_stream_end(tn_stream *s) {
  if (s->state != TN_STREAM_OPEN) return;
  tn_conn_close(s->conn);
  if (!s->busy) tn_stream_settle(s);
}

void tn_stream_close(tn_stream *s) {
  if (s->state == TN_STREAM_CONNECTING || (s->broken != 0 && s->state <= TN_STREAM_OPEN)) {
    tn_stream_finish(s, TN_CAUSE_CANCELED, 0);
  } else if (s->state == TN_STREAM_HANDSHAKE || s->state == TN_STREAM_OPEN) {
    tn_conn_close(s->conn);
    linger(s, s->opened ? TN_CAUSE_CLOSED : TN_CAUSE_CANCELED);
    if (!s->busy) tn_stream_settle(s);
  }
}

// An idle peer hears of the end by a close_notify (RFC 9846 section 6.1); one that takes nothing would not hear it.
void tn_stream_deadline_passed(tn_stream *s) {
  if (s->broken != 0 || tn_stream_queued(s) != 0) {
    tn_stream_finish(s, TN_CAUSE_TIME, 0);
    return;
  }
  tn_conn_close(s->conn);
  linger(s, TN_CAUSE_TIME);
  tn_stream_settle(s);
}

void tn_stream_flushed(tn_stream *s) {
  if (s->at_eof || s->peer_closed) {
    tn_stream_finish(s, TN_CAUSE_CLOSED, 0);
    return;
  }
  if (shutdown(descriptor(s), SHUT_WR) != 0) {
    tn_stream_finish(s, TN_CAUSE_CLOSED, 0);  // the peer is gone, with all that we had for it
    return;
  }
  s->state = TN_STREAM_DRAINING;
  tn_stream_timer(s, s->loop->drain_ms);
}

void tn_stream_linger_timeout(tn_stream *s) {
  if (s->state == TN_STREAM_DRAINING) {
    tn_stream_finish(s, TN_CAUSE_CLOSED, 0);
    return;
  }
  size_t left = not_yet_taken(s);
  if (left >= s->linger_left || uv_now(&s->loop->uv) >= s->linger_until) {
    tn_stream_finish(s, TN_CAUSE_TIME, 0);
    return;
  }
  s->linger_left = left;
  tn_stream_timer(s, s->loop->stall_ms);
}

// ---------------------------------------------------------------- failing

void tn_stream_fail(tn_stream *s) {
  if (s->state >= TN_STREAM_FLUSHING || s->broken != 0) {
    tn_stream_finish(s, TN_CAUSE_ENGINE, 0);
  } else if ((tn_conn_status(s->conn) & TN_CONN_PENDING) != 0) {
    linger(s, TN_CAUSE_ENGINE);
    if (!s->busy) tn_stream_settle(s);
  } else {
    tn_stream_finish(s, TN_CAUSE_ENGINE, 0);  // no alert of ours: the peer has sent one
  }
}

void tn_stream_abort(tn_stream *s) { tn_stream_finish(s, TN_CAUSE_CANCELED, 0); }

void tn_stream_finish(tn_stream *s, tn_cause cause, int error) {
  if (s->state == TN_STREAM_GONE) return;
  s->state = TN_STREAM_GONE;
  s->reading = false;
  if (s->cause == TN_CAUSE_NONE || s->cause == TN_CAUSE_CLOSED) {
    s->cause = (uint8_t)cause;
    s->error = error == UV_EPIPE ? UV_ECONNRESET : error;
  }
  uv_close((uv_handle_t *)&s->timer, tn_stream_handle_closed);
  // Between two attempts to connect it is closing already, and comes back to us all the same.
  if (!uv_is_closing((uv_handle_t *)&s->tcp)) uv_close((uv_handle_t *)&s->tcp, tn_stream_handle_closed);
}

// ---------------------------------------------------------------- on_close

static tn_result result_of(const tn_stream *s) {
  switch (s->cause) {
    case TN_CAUSE_CLOSED:
      return tn_success();
    case TN_CAUSE_CANCELED:
      return tn_fail(TN_E_CANCELED);
    case TN_CAUSE_ENGINE:
      return tn_conn_error(s->conn);
    case TN_CAUSE_EOF:
      return tn_fail(s->opened ? TN_E_TRUNCATED : TN_E_SYSTEM);
    case TN_CAUSE_TIME:
      return tn_fail(TN_E_TIMED_OUT);
    case TN_CAUSE_FLOOD:
      return tn_fail(TN_E_TOO_MANY_EMPTY_RECORDS);
    case TN_CAUSE_CONNECT:
    case TN_CAUSE_RESOLVE:
      if (s->error == UV_ETIMEDOUT) return tn_fail(TN_E_TIMED_OUT);
      if (s->cause == TN_CAUSE_RESOLVE && s->error != UV_ENOMEM) return tn_fail(TN_E_RESOLVE);
      break;
    default:
      break;
  }
  return tn_fail(s->error == UV_ENOMEM ? TN_E_NO_MEMORY : TN_E_SYSTEM);
}

static void text_of(const tn_stream *s, char *out, size_t room) {
  const char *handshake = s->opened ? "" : "handshake failed: ";
  char detail[256] = "";
  if (s->cause == TN_CAUSE_ENGINE)
    tn_conn_error_text(s->conn, detail, sizeof detail);
  else if (s->error != 0)
    uv_strerror_r(s->error, detail, sizeof detail);

  const tn_connector *c = s->connector;
  switch (s->cause) {
    case TN_CAUSE_CLOSED:
      snprintf(out, room, "closed");
      break;
    case TN_CAUSE_CANCELED:
      snprintf(out, room, "canceled");
      break;
    case TN_CAUSE_ENGINE:
      snprintf(out, room, "%s%s", handshake, detail);
      break;
    case TN_CAUSE_EOF:
      snprintf(out, room, "%sthe peer closed the connection%s", handshake, s->opened ? " without close_notify" : "");
      break;
    case TN_CAUSE_TIME:
      snprintf(out, room, s->opened ? "timed out" : "timed out in the handshake");
      break;
    case TN_CAUSE_FLOOD:
      snprintf(out, room, "the peer makes us answer and does not read the answers");
      break;
    case TN_CAUSE_CONNECT: {
      bool ip6 = strchr(c->host, ':') != NULL;
      snprintf(out, room, "could not connect to %s%s%s:%u: %s", ip6 ? "[" : "", c->host, ip6 ? "]" : "", c->port,
               detail);
      break;
    }
    case TN_CAUSE_RESOLVE:
      snprintf(out, room, "could not resolve %s: %s", c->host, detail);
      break;
    default:
      snprintf(out, room, "%s", detail);
      break;
  }
}

static void gone(tn_stream *s) {
  tn_loop *loop = s->loop;
  tn_list_remove(&s->in_loop);
  tn_list_remove(&s->in_soon);
  tn_stream_drop_input(s);
  tn_stream_drop_output(s);
  if (s->events.on_close != NULL) {
    char text[640];
    text_of(s, text, sizeof text);
    s->events.on_close(s, s->ctx, result_of(s), text);
  }
  tn_conn_free(s->conn);
  tn_connector_release(s->connector);
  if (s->listener != NULL) tn_listener_stream_gone(s->listener);
  tn_net_release(s, sizeof *s);
  tn_loop_closed(loop);
}

void tn_stream_handle_closed(uv_handle_t *handle) {
  tn_stream *s = handle->data;
  if (--s->handles == 0) gone(s);
}
