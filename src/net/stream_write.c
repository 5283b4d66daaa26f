// From tn_stream_write() to the socket: records are encrypted into buffers of the pool, which are tried at once and,
// where the system takes no more, left to libuv, a few at a time.
#include "base/error.h"
#include "net/stream.h"

#define FULL_RECORD (TN_RECORD_MAX_PLAINTEXT + TN_RECORD_OVERHEAD)
#define SPANS 64           // handed to the engine at once
#define BUFFERS 4          // handed to libuv at once: as many as it takes without allocating
#define PENDING_ROOM 128   // for what the protocol has to say by itself
#define MAX_ANSWERS 16384  // bytes that the protocol said by itself and that the peer does not take

// ---------------------------------------------------------------- the caller's spans

typedef struct cursor {
  const tn_span *spans;
  size_t n;
  size_t offset;  // in the first of them
  size_t left;    // bytes
} cursor;

static void cursor_advance(cursor *c, size_t taken) {
  c->left -= taken;
  c->offset += taken;
  while (c->n > 0 && c->offset >= c->spans->n) {
    c->offset -= c->spans->n;
    c->spans++;
    c->n--;
  }
}

static cursor cursor_of(const tn_span *spans, size_t n) {
  cursor c = {spans, n, 0, 0};
  for (size_t i = 0; i < n; i++) c.left += spans[i].n;
  cursor_advance(&c, 0);  // the first span of a view is never empty: there is always progress
  return c;
}

static size_t cursor_view(const cursor *c, tn_span view[SPANS]) {
  size_t n = c->n < SPANS ? c->n : SPANS;
  for (size_t i = 0; i < n; i++) view[i] = c->spans[i];
  if (n > 0 && c->offset > 0) view[0] = tn_span_of(view[0].p + c->offset, view[0].n - c->offset);
  return n;
}

// ---------------------------------------------------------------- the queue

static tn_buffer *append_buffer(tn_stream *s) {
  tn_buffer *b = tn_pool_take(&s->loop->pool);
  if (b == NULL) return NULL;
  if (s->out == NULL)
    s->out = b;
  else
    s->out_last->next = b;
  s->out_last = b;
  return b;
}

// A buffer with room for a record of what is left; NULL when memory is out. Bytes may be added behind those that
// libuv is writing.
static tn_buffer *buffer_for(tn_stream *s, size_t left) {
  size_t want = left == 0 ? PENDING_ROOM : left >= TN_RECORD_MAX_PLAINTEXT ? FULL_RECORD : left + TN_RECORD_OVERHEAD;
  tn_buffer *b = s->out_last;
  return b != NULL && TN_BUFFER_SIZE - b->end >= want ? b : append_buffer(s);
}

static void drop_first(tn_stream *s) {
  tn_buffer *b = s->out;
  s->out = b->next;
  if (s->out == NULL) s->out_last = NULL;
  tn_pool_give(&s->loop->pool, b);
}

void tn_stream_drop_output(tn_stream *s) {
  while (s->out != NULL) drop_first(s);
  s->queued = 0;
}

size_t tn_stream_queued(const tn_stream *s) {
  return s->queued + uv_stream_get_write_queue_size((const uv_stream_t *)&s->tcp);
}

// ---------------------------------------------------------------- to the system

static void write_failed(tn_stream *s, int error) {
  // The peer is gone, but its last words (an alert) may still wait to be read.
  bool reset = error == UV_EPIPE || error == UV_ECONNRESET;
  if (reset && s->reading && s->state <= TN_STREAM_OPEN) {
    s->broken = error;
    tn_stream_drop_output(s);
  } else {
    tn_stream_finish(s, TN_CAUSE_SYSTEM, error);
  }
}

static void on_written(uv_write_t *write, int status) {
  tn_stream *s = write->data;
  if (s->state == TN_STREAM_GONE) return;
  for (; s->writing > 0; s->writing--) {
    s->out->start = s->out->sent;
    if (s->out->start == s->out->end) drop_first(s);  // only the last of them may have got more meanwhile
  }
  if (status != 0) write_failed(s, status);
  tn_stream_settle(s);
}

static unsigned gather(tn_stream *s, uv_buf_t bufs[BUFFERS], size_t *total) {
  unsigned n = 0;
  *total = 0;
  for (tn_buffer *b = s->out; b != NULL && n < BUFFERS; b = b->next, n++) {
    bufs[n] = uv_buf_init((char *)b->bytes + b->start, (unsigned)(b->end - b->start));
    *total += b->end - b->start;
  }
  return n;
}

static void consume(tn_stream *s, size_t n) {
  s->queued -= n;
  while (n > 0) {
    tn_buffer *b = s->out;
    size_t part = b->end - b->start < n ? b->end - b->start : n;
    b->start += part;
    n -= part;
    if (b->start == b->end) drop_first(s);
  }
}

static void leave_to_libuv(tn_stream *s) {
  uv_buf_t bufs[BUFFERS];
  size_t total;
  unsigned n = gather(s, bufs, &total);
  tn_buffer *b = s->out;
  for (unsigned i = 0; i < n; i++, b = b->next) b->sent = b->end;
  s->out->write.data = s;
  int error = uv_write(&s->out->write, (uv_stream_t *)&s->tcp, bufs, n, on_written);
  if (error != 0) {
    write_failed(s, error);
    return;
  }
  s->writing = (uint8_t)n;
  s->queued -= total;
}

void tn_stream_flush(tn_stream *s) {
  if (s->state == TN_STREAM_CONNECTING) return;
  while (s->queued > 0 && s->writing == 0 && s->state != TN_STREAM_GONE) {
    uv_buf_t bufs[BUFFERS];
    size_t total;
    unsigned n = gather(s, bufs, &total);
    int written = uv_try_write((uv_stream_t *)&s->tcp, bufs, n);
    if (written < 0 && written != UV_EAGAIN) {
      write_failed(s, written);
      return;
    }
    if (written > 0) consume(s, (size_t)written);
    if (written < 0 || (size_t)written < total) leave_to_libuv(s);
  }
  if (tn_stream_queued(s) == 0) s->answers = 0;
  bool all = s->queued == 0 && s->writing == 0 && (tn_conn_status(s->conn) & TN_CONN_PENDING) == 0;
  if (all && s->state == TN_STREAM_FLUSHING) tn_stream_flushed(s);
}

// ---------------------------------------------------------------- from the application and the engine

// Encrypts all of it into the queue, after what the engine itself has to say. Fails for want of memory, or with the
// engine.
static tn_result encrypt(tn_stream *s, cursor *c) {
  while (c->left > 0 || (tn_conn_status(s->conn) & TN_CONN_PENDING) != 0) {
    tn_buffer *b = buffer_for(s, c->left);
    TN_ENSURE(b != NULL, TN_E_NO_MEMORY);
    tn_span view[SPANS];
    size_t n = cursor_view(c, view);
    size_t taken = 0, written = 0;
    tn_mspan room = {b->bytes + b->end, TN_BUFFER_SIZE - b->end};
    tn_result r = tn_conn_send(s->conn, view, n, room, &taken, &written);
    b->end += written;
    s->queued += written;
    if (taken == 0 && s->state == TN_STREAM_OPEN) s->answers += written;
    TN_TRY(r);
    cursor_advance(c, taken);
    if (written == 0) {  // the rest of this buffer is too small: an empty one is not
      TN_ENSURE(b->end > 0, TN_E_SELF_CHECK);
      TN_ENSURE(append_buffer(s) != NULL, TN_E_NO_MEMORY);
    }
    if (TN_BUFFER_SIZE - b->end < FULL_RECORD) tn_stream_flush(s);
    if (s->broken != 0 || s->state == TN_STREAM_GONE) break;
  }
  return tn_success();
}

static void encryption_failed(tn_stream *s, tn_result why) {
  if ((tn_conn_status(s->conn) & TN_CONN_FAILED) != 0)
    tn_stream_fail(s);
  else
    tn_stream_finish(s, TN_CAUSE_SYSTEM, why.reason == TN_E_NO_MEMORY ? UV_ENOMEM : UV_EPROTO);
}

tn_result tn_stream_write(tn_stream *s, const tn_span *data, size_t n) {
  TN_ENSURE(s->state == TN_STREAM_OPEN && s->broken == 0, TN_E_BAD_STATE);
  TN_ENSURE((tn_conn_status(s->conn) & TN_CONN_CLOSED) == 0, TN_E_BAD_STATE);
  cursor c = cursor_of(data, n);
  tn_result r = encrypt(s, &c);
  if (!tn_ok(r)) {
    encryption_failed(s, r);
    return r;
  }
  s->drain_due = s->events.on_drain != NULL;
  if (s->busy) return r;  // sent with what else the events bring, by tn_stream_settle()
  tn_stream_flush(s);
  if (s->drain_due && s->state == TN_STREAM_OPEN && tn_stream_queued(s) == 0) tn_stream_soon(s);
  return r;
}

void tn_stream_send_pending(tn_stream *s) {
  if (s->state == TN_STREAM_CONNECTING || s->state == TN_STREAM_GONE || s->broken != 0) return;
  cursor nothing = {0};
  tn_result r = encrypt(s, &nothing);
  if (!tn_ok(r))
    encryption_failed(s, r);
  else if (s->answers > MAX_ANSWERS && s->state == TN_STREAM_OPEN)
    tn_stream_finish(s, TN_CAUSE_FLOOD, 0);  // else a peer that asks and never reads takes memory without end
}
