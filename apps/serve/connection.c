#include "serve/connection.h"

#include <stdio.h>
#include <stdlib.h>

#include "serve/access_log.h"
#include "serve/connection_page.h"
#include "serve/text.h"

enum { LOG_LINE_LIMIT = 128 * 1024 };

struct tn_connection {
  tn_http_session session;
  tn_stream *stream;
  tn_connections *all;
  tn_connection *next;
  tn_connection **link;  // what points to this one
  bool open;
  uint64_t received;  // bytes of application data
  uint64_t sent;
};

// ---------------------------------------------------------------- log lines

// One write a line, so that lines of several threads do not mix.
static void put_line(FILE *to, tn_writer *line) {
  if (tn_ok(tn_writer_result(line))) fwrite(line->buf, 1, line->len, to);
  fflush(to);
  tn_writer_free(line);
}

static void report(const tn_connection *c, const char *text) {
  tn_writer line = tn_writer_growing(NULL, LOG_LINE_LIMIT);
  tn_write_text(&line, "tenon: ");
  tn_write_log(&line, tn_text(tn_stream_peer(c->stream)));
  tn_write_text(&line, ": ");
  tn_write_log(&line, tn_text(text));
  tn_write_text(&line, "\n");
  put_line(stderr, &line);
}

static void report_open(const tn_connection *c) {
  tn_conn_info info;
  tn_conn_get_info(tn_stream_conn(c->stream), &info);
  char text[256];
  snprintf(text, sizeof text, "%s, %s, %s%s", info.version, info.suite, info.group,
           info.retried ? ", after a HelloRetryRequest" : "");
  report(c, text);
}

// Whether a connection's end is news. Peers that go without a word, and those that were idle for too long, are not.
static bool is_news(const tn_connection *c, tn_result why) {
  if (tn_ok(why) || why.reason == TN_E_CANCELED) return false;
  if (!c->open || c->all->verbose) return true;
  if (why.reason == TN_E_TIMED_OUT) return tn_http_session_is_busy(&c->session);
  return why.reason != TN_E_SYSTEM && why.reason != TN_E_TRUNCATED;
}

// ---------------------------------------------------------------- what the session speaks through

static tn_result wire_write(void *ctx, const tn_span *data, size_t n) {
  tn_connection *c = ctx;
  for (size_t i = 0; i < n; i++) c->sent += data[i].n;
  return tn_stream_write(c->stream, data, n);
}

static void wire_read(void *ctx, bool on) { tn_stream_read(((tn_connection *)ctx)->stream, on); }
static void wire_close(void *ctx) { tn_stream_close(((tn_connection *)ctx)->stream); }
static void wire_abort(void *ctx) { tn_stream_abort(((tn_connection *)ctx)->stream); }
static void wire_deadline(void *ctx, uint64_t ms) { tn_stream_deadline(((tn_connection *)ctx)->stream, ms); }

static void wire_log(void *ctx, const tn_http_request *request, unsigned status, uint64_t sent) {
  tn_connection *c = ctx;
  tn_conn_info info;
  tn_conn_get_info(tn_stream_conn(c->stream), &info);
  tn_access access = {
      .peer = tn_stream_peer(c->stream),
      .time = c->all->site.now(),
      .request_line = tn_http_request_line(request),
      .status = status,
      .sent = sent,
      .version = info.version,
      .suite = info.suite,
  };
  tn_writer line = tn_writer_growing(NULL, LOG_LINE_LIMIT);
  tn_access_log_write(&line, &access);
  put_line(stdout, &line);
}

static const tn_http_wire wire = {
    .write = wire_write,
    .read = wire_read,
    .close = wire_close,
    .abort = wire_abort,
    .deadline = wire_deadline,
    .log = wire_log,
};

static void write_page(void *ctx, tn_writer *body) {
  tn_connection *c = ctx;
  tn_conn_info info;
  tn_conn_get_info(tn_stream_conn(c->stream), &info);
  tn_connection_page_write(body, &info, c->received, c->sent);
}

const tn_http_page tn_connection_page = {TN_CONNECTION_PAGE_PATH, "application/json", write_page};

// ---------------------------------------------------------------- what happens to the stream

static void on_open(tn_stream *stream, void *ctx) {
  (void)stream;
  tn_connection *c = ctx;
  c->open = true;
  if (c->all->verbose) report_open(c);
  tn_http_session_init(&c->session, &c->all->site, &wire, c);
}

static void on_data(tn_stream *stream, void *ctx, const uint8_t *data, size_t n) {
  (void)stream;
  tn_connection *c = ctx;
  c->received += n;
  tn_http_session_data(&c->session, data, n);
}

static void on_end(tn_stream *stream, void *ctx) {
  (void)stream;
  tn_http_session_peer_end(&((tn_connection *)ctx)->session);
}

static void on_drain(tn_stream *stream, void *ctx) {
  (void)stream;
  tn_http_session_drain(&((tn_connection *)ctx)->session);
}

static void on_close(tn_stream *stream, void *ctx, tn_result why, const char *text) {
  (void)stream;
  tn_connection *c = ctx;
  tn_connections *all = c->all;
  if (is_news(c, why)) report(c, text);
  tn_http_session_end(&c->session);
  *c->link = c->next;
  if (c->next != NULL) c->next->link = c->link;
  free(c);
  if (all->first == NULL && all->on_none != NULL) all->on_none(all);
}

static const tn_stream_events stream_events = {
    .on_open = on_open,
    .on_data = on_data,
    .on_end = on_end,
    .on_drain = on_drain,
    .on_close = on_close,
};

bool tn_connection_accept(tn_listener *listener, void *ctx, tn_stream *stream, const tn_stream_events **events,
                          void **stream_ctx) {
  (void)listener;
  tn_connections *all = ctx;
  tn_connection *c = calloc(1, sizeof *c);
  if (c == NULL) return false;
  c->stream = stream;
  c->all = all;
  c->next = all->first;
  c->link = &all->first;
  if (c->next != NULL) c->next->link = &c->next;
  all->first = c;
  *events = &stream_events;
  *stream_ctx = c;
  return true;
}

void tn_connections_finish(tn_connections *all) {
  for (tn_connection *c = all->first, *next; c != NULL; c = next) {
    next = c->next;
    if (c->open) {
      tn_http_session_finish(&c->session);
    } else {
      tn_stream_abort(c->stream);
    }
  }
}
