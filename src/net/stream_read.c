// From the socket to on_data. Records are decrypted where they were received; the buffer belongs to the stream only
// while bytes are in it.
#include <string.h>
#include <sys/socket.h>

#include "net/stream.h"

static bool wants_records(const tn_stream *s) {
  return s->state == TN_STREAM_HANDSHAKE || (s->state == TN_STREAM_OPEN && !s->paused && !s->peer_closed);
}

static void open_stream(tn_stream *s) {
  s->state = TN_STREAM_OPEN;
  s->opened = true;
  tn_stream_timer(s, s->deadline_ms);
  if (s->events.on_open != NULL) s->events.on_open(s, s->ctx);
}

static void end_of_data(tn_stream *s) {
  s->peer_closed = true;
  if (s->state == TN_STREAM_HANDSHAKE)
    tn_stream_finish(s, TN_CAUSE_EOF, 0);
  else if (s->state == TN_STREAM_OPEN && s->events.on_end != NULL)
    s->events.on_end(s, s->ctx);
  else
    tn_stream_close(s);
}

static void deliver(tn_stream *s, tn_mspan data) {
  unsigned status = tn_conn_status(s->conn);
  if (s->state == TN_STREAM_HANDSHAKE && (status & TN_CONN_OPEN) != 0) open_stream(s);
  if (data.n > 0 && s->state == TN_STREAM_OPEN && s->events.on_data != NULL)
    s->events.on_data(s, s->ctx, data.p, data.n);
  if ((status & TN_CONN_PEER_CLOSED) != 0 && !s->peer_closed) end_of_data(s);
}

// Moves the partial record to the front only if it could not be completed where it is.
static bool make_room(tn_buffer *in, size_t need) {
  if (need > sizeof in->bytes) return false;
  if (sizeof in->bytes - in->start >= need) return true;
  in->end -= in->start;
  memmove(in->bytes, in->bytes + in->start, in->end);
  in->start = 0;
  return true;
}

void tn_stream_take_records(tn_stream *s) {
  tn_buffer *in = s->in;
  while (in != NULL && in->start < in->end && wants_records(s)) {
    tn_received got = {0};
    tn_result r = tn_conn_receive(s->conn, (tn_mspan){in->bytes + in->start, in->end - in->start}, (tn_mspan){0}, &got);
    if (!tn_ok(r)) {
      tn_stream_fail(s);
    } else if (got.used == 0) {
      if (!make_room(in, got.need)) tn_stream_finish(s, TN_CAUSE_SYSTEM, UV_EMSGSIZE);
      break;
    } else {
      in->start += got.used;
      deliver(s, got.data);
    }
  }
}

// libuv reports a hang-up after the last bytes as an end, a reset too: the socket knows better.
static int why_ended(tn_stream *s, int error) {
  uv_os_fd_t fd;
  int code = 0;
  socklen_t n = sizeof code;
  if (error != UV_EOF || uv_fileno((uv_handle_t *)&s->tcp, &fd) != 0) return error;
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &n) != 0 || code == 0) return UV_EOF;
  return uv_translate_sys_error(code);
}

// The reading side has ended: with the peer's FIN (UV_EOF) or an error.
static void end_of_input(tn_stream *s, int error) {
  error = why_ended(s, error);
  if (s->broken != 0)
    tn_stream_finish(s, TN_CAUSE_SYSTEM, s->broken);
  else if (error != UV_EOF)
    tn_stream_finish(s, TN_CAUSE_SYSTEM, error);
  else if (s->state == TN_STREAM_FLUSHING)
    s->at_eof = true;  // it may still take what we send
  else if (s->state == TN_STREAM_DRAINING)
    tn_stream_finish(s, TN_CAUSE_CLOSED, 0);
  else if (!tn_ok(tn_conn_receive_eof(s->conn)))
    tn_stream_finish(s, TN_CAUSE_EOF, 0);
  else
    s->at_eof = true;
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buf) {
  (void)suggested;
  tn_stream *s = handle->data;
  *buf = uv_buf_init(NULL, 0);
  if (s->in == NULL) s->in = tn_pool_take(&s->loop->pool);
  if (s->in == NULL) return;  // libuv reports UV_ENOBUFS
  size_t room = sizeof s->in->bytes - s->in->end;
  *buf = uv_buf_init((char *)s->in->bytes + s->in->end, (unsigned)room);
}

static void on_read(uv_stream_t *handle, ssize_t n, const uv_buf_t *buf) {
  (void)buf;
  tn_stream *s = handle->data;
  s->busy = true;
  if (n > 0) {
    s->in->end += (size_t)n;
    tn_stream_take_records(s);
  } else if (n < 0) {
    s->reading = false;
    end_of_input(s, n == UV_ENOBUFS ? UV_ENOMEM : (int)n);
  }
  tn_stream_settle(s);
}

void tn_stream_update_reading(tn_stream *s) {
  if (s->state == TN_STREAM_CONNECTING || s->state == TN_STREAM_GONE) return;
  bool want = !s->at_eof && (s->state > TN_STREAM_OPEN || wants_records(s));
  if (s->broken != 0 && !want && s->state <= TN_STREAM_OPEN) {
    tn_stream_finish(s, TN_CAUSE_SYSTEM, s->broken);  // nobody would come upon the end
    return;
  }
  if (want == s->reading) return;
  s->reading = want;
  if (!want) {
    uv_read_stop((uv_stream_t *)&s->tcp);
    return;
  }
  int error = uv_read_start((uv_stream_t *)&s->tcp, on_alloc, on_read);
  if (error != 0) tn_stream_finish(s, TN_CAUSE_SYSTEM, error);
}

void tn_stream_drop_input(tn_stream *s) {
  if (s->in == NULL) return;
  tn_pool_give(&s->loop->pool, s->in);
  s->in = NULL;
}
