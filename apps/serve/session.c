#include "serve/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/static_file.h"
#include "serve/text.h"
#include "serve/url_path.h"

enum { HEAD_LIMIT = 64 * 1024 };

// ---------------------------------------------------------------- answering

static const tn_http_page *find_page(const tn_http_site *site, tn_span path) {
  for (size_t i = 0; i < site->n_pages; i++) {
    tn_span name = tn_text(site->pages[i].path);
    if (name.n == path.n && memcmp(name.p, path.p, name.n) == 0) return &site->pages[i];
  }
  return NULL;
}

static void answer_page(tn_http_session *s, const tn_http_page *page) {
  tn_http_response_field(&s->response, "Content-Type", page->type);
  tn_http_response_field(&s->response, "Cache-Control", "no-store");
  page->write(s->ctx, &s->response.text);
}

static void make_response(tn_http_session *s, int64_t now) {
  const tn_http_request *r = s->request;
  tn_span path, query;
  if (r->error != 0) {
    tn_http_response_page(&s->response, r->error);
    return;
  }
  if (!tn_http_method_is(r, "GET") && !tn_http_method_is(r, "HEAD")) {
    tn_http_response_page(&s->response, 405);
    tn_http_response_field(&s->response, "Allow", "GET, HEAD");
    return;
  }
  if (!tn_url_split(r->target, &path, &query)) {
    tn_http_response_page(&s->response, 400);
    return;
  }
  const tn_http_page *page = find_page(s->site, path);
  if (page != NULL) {
    answer_page(s, page);
  } else {
    tn_static_file_answer(s->site->roots, s->site->n_roots, r, path, query, now, &s->response);
  }
}

static void answer(tn_http_session *s) {
  int64_t now = s->site->now();
  s->n_requests++;
  s->keep_alive = s->request->keep_alive && !s->finishing && s->n_requests < TN_HTTP_REQUESTS_MAX;
  s->no_body = tn_http_method_is(s->request, "HEAD");
  s->sent = 0;
  tn_http_response_init(&s->response);
  s->head = tn_writer_growing(NULL, HEAD_LIMIT);
  s->has_response = true;
  make_response(s, now);
  tn_http_response_write_head(&s->response, &s->head, now, s->request->minor, s->keep_alive);
  bool whole = tn_http_response_is_whole(&s->response) && tn_ok(tn_writer_result(&s->head));
  s->phase = whole ? TN_HTTP_SENDING : TN_HTTP_ABORTING;  // out of memory
}

// The request and its response are over.
static void let_go(tn_http_session *s) {
  if (s->has_response) {
    if (s->request != NULL) s->wire->log(s->ctx, s->request, s->response.status, s->sent);
    tn_http_response_free(&s->response);
    tn_writer_free(&s->head);
    s->has_response = false;
  }
  free(s->request);
  s->request = NULL;
}

// ---------------------------------------------------------------- steps: false if there is nothing to do now

static bool write_all(tn_http_session *s, const tn_span *data, size_t n) {
  if (!tn_ok(s->wire->write(s->ctx, data, n))) {
    s->phase = TN_HTTP_ABORTING;
    return false;
  }
  for (size_t i = 0; i < n; i++) s->in_flight += data[i].n;
  return true;
}

static bool begin_request(tn_http_session *s) {
  s->request = malloc(sizeof *s->request);
  if (s->request == NULL) {
    s->phase = TN_HTTP_ABORTING;
    return false;
  }
  tn_http_request_init(s->request);
  s->continued = false;
  s->wire->deadline(s->ctx, TN_HTTP_HEAD_MS);
  return true;
}

static bool read_step(tn_http_session *s) {
  if (s->in.n == 0) return false;
  if (s->request == NULL && !begin_request(s)) return false;
  size_t used = tn_http_request_feed(s->request, s->in);
  s->in = tn_span_of(s->in.p + used, s->in.n - used);
  if (s->request->stage == TN_HTTP_DONE) {
    answer(s);
  } else if (s->request->stage == TN_HTTP_IN_BODY && s->request->expects_continue && !s->continued) {
    s->continued = true;
    tn_span text = tn_text("HTTP/1.1 100 Continue\r\n\r\n");
    return write_all(s, &text, 1);
  }
  return true;
}

// Reads the next piece of the file. False, and the connection is cut, if it is no longer as long as we promised.
static bool read_file(tn_http_session *s, uint8_t *chunk, size_t *n) {
  tn_http_response *r = &s->response;
  uint64_t left = r->end - r->at;
  size_t want = left < TN_HTTP_CHUNK ? (size_t)left : TN_HTTP_CHUNK;
  ssize_t got;
  do {
    got = pread(r->fd, chunk, want, (off_t)r->at);
  } while (got < 0 && errno == EINTR);
  if (got <= 0) {
    s->phase = TN_HTTP_ABORTING;
    return false;
  }
  *n = (size_t)got;
  return true;
}

static bool send_step(tn_http_session *s) {
  uint8_t chunk[TN_HTTP_CHUNK];
  tn_http_response *r = &s->response;
  bool first = s->head.len != 0;
  bool from_file = r->fd >= 0 && !s->no_body && r->at < r->end;
  tn_span body = {NULL, 0};
  if (from_file) {
    size_t n = 0;
    if (!read_file(s, chunk, &n)) return false;
    body = tn_span_of(chunk, n);
  } else if (first && r->fd < 0 && !s->no_body) {
    body = tn_writer_span(&r->text);
  }
  if (first || body.n != 0) {
    tn_span data[2] = {tn_writer_span(&s->head), body};
    if (!write_all(s, data + !first, 1 + (first && body.n != 0))) return false;
    tn_writer_clear(&s->head);
    s->sent += body.n;
    if (from_file) r->at += body.n;
  }
  if (r->fd >= 0 && !s->no_body && r->at < r->end) return true;
  let_go(s);
  s->phase = s->keep_alive ? TN_HTTP_READING : TN_HTTP_CLOSING;
  if (s->keep_alive) s->wire->deadline(s->ctx, TN_HTTP_IDLE_MS);
  return true;
}

static bool step(tn_http_session *s) {
  if (s->in_flight >= TN_HTTP_WINDOW) return false;
  if (s->phase == TN_HTTP_READING) return read_step(s);
  return s->phase == TN_HTTP_SENDING && send_step(s);
}

// ---------------------------------------------------------------- between events

// Keeps what is not used, which lies in the caller's memory or in `kept`.
static void keep_input(tn_http_session *s) {
  uint8_t *old = s->kept;
  s->kept = NULL;
  if (s->in.n != 0 && s->phase <= TN_HTTP_SENDING) {
    s->kept = malloc(s->in.n);
    if (s->kept == NULL) {
      s->phase = TN_HTTP_ABORTING;
    } else {
      memcpy(s->kept, s->in.p, s->in.n);
    }
  }
  s->in = tn_span_of(s->kept, s->kept != NULL ? s->in.n : 0);
  free(old);
}

// Tells the wire what comes next. It may call back at once, or the session may be gone: nothing is done after it.
static void settle(tn_http_session *s, bool reads) {
  switch (s->phase) {
    case TN_HTTP_CLOSING:
      s->phase = TN_HTTP_CLOSED;
      s->wire->close(s->ctx);
      break;
    case TN_HTTP_ABORTING:
      s->phase = TN_HTTP_CLOSED;
      s->wire->abort(s->ctx);
      break;
    case TN_HTTP_CLOSED:
      break;
    default:
      if (s->reading != reads) {
        s->reading = reads;
        s->wire->read(s->ctx, reads);
      }
  }
}

static void run(tn_http_session *s) {
  if (s->running) return;
  s->running = true;
  bool had_input = s->in.n != 0;
  while (step(s)) {
  }
  if (had_input) keep_input(s);
  bool waits = s->phase == TN_HTTP_READING && s->in.n == 0;
  if (waits && (s->peer_ended || (s->finishing && s->request == NULL))) s->phase = TN_HTTP_CLOSING;
  if (s->phase == TN_HTTP_SENDING) s->wire->deadline(s->ctx, TN_HTTP_SEND_MS);
  s->running = false;
  settle(s, waits && s->in_flight < TN_HTTP_WINDOW && !s->peer_ended);
}

void tn_http_session_init(tn_http_session *s, const tn_http_site *site, const tn_http_wire *wire, void *ctx) {
  *s = (tn_http_session){.site = site, .wire = wire, .ctx = ctx, .reading = true};
  wire->deadline(ctx, TN_HTTP_HEAD_MS);
}

void tn_http_session_end(tn_http_session *s) {
  let_go(s);
  free(s->kept);
  s->kept = NULL;
  s->in = tn_span_of(NULL, 0);
  s->phase = TN_HTTP_CLOSED;
}

void tn_http_session_data(tn_http_session *s, const uint8_t *data, size_t n) {
  if (s->phase > TN_HTTP_SENDING || n == 0) return;
  if (s->in.n == 0) {
    s->in = tn_span_of(data, n);
  } else {
    uint8_t *grown = realloc(s->kept, s->in.n + n);
    if (grown == NULL) {
      s->phase = TN_HTTP_ABORTING;
    } else {
      s->kept = grown;
      memcpy(grown + s->in.n, data, n);
      s->in = tn_span_of(grown, s->in.n + n);
    }
  }
  run(s);
}

void tn_http_session_drain(tn_http_session *s) {
  s->in_flight = 0;
  run(s);
}

void tn_http_session_peer_end(tn_http_session *s) {
  s->peer_ended = true;
  run(s);
}

void tn_http_session_finish(tn_http_session *s) {
  s->finishing = true;
  run(s);
}
