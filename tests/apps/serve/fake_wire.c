#include "fake_wire.h"

#include "serve/text.h"
#include "support/support.h"

enum { LIMIT = 64 << 20 };

static tn_result fake_write(void *ctx, const tn_span *data, size_t n) {
  fake_wire *f = ctx;
  assert_false(f->closed || f->aborted);
  if (f->fails) return tn_fail(TN_E_BAD_STATE);
  size_t total = 0;
  for (size_t i = 0; i < n; i++) {
    tn_write_span(&f->out, data[i]);
    total += data[i].n;
  }
  if (total > f->largest) f->largest = total;
  if (f->drains_inside) tn_http_session_drain(&f->session);
  return tn_success();
}

static void fake_read(void *ctx, bool on) { ((fake_wire *)ctx)->reading = on; }

static void fake_close(void *ctx) {
  fake_wire *f = ctx;
  assert_false(f->closed || f->aborted);
  f->closed = true;
}

static void fake_abort(void *ctx) {
  fake_wire *f = ctx;
  assert_false(f->closed || f->aborted);
  f->aborted = true;
}

static void fake_deadline(void *ctx, uint64_t ms) { ((fake_wire *)ctx)->deadline = ms; }

static void fake_log(void *ctx, const tn_http_request *request, unsigned status, uint64_t sent) {
  fake_wire *f = ctx;
  tn_write_format(&f->log, "%u %llu ", status, (unsigned long long)sent);
  tn_write_span(&f->log, tn_http_request_line(request));
  tn_write_text(&f->log, "\n");
}

static const tn_http_wire wire = {fake_write, fake_read, fake_close, fake_abort, fake_deadline, fake_log};

static int64_t fake_now(void) { return FAKE_NOW; }

static void write_page(void *ctx, tn_writer *body) {
  assert_non_null(ctx);
  tn_write_text(body, "{\"page\": true}");
}

void fake_start(fake_wire *f, const tree *t) {
  static const tn_http_page page = {"/page", "application/json", write_page};
  static int roots[2];
  static tn_http_site site = {.roots = roots, .n_roots = 2, .pages = &page, .n_pages = 1, .now = fake_now};
  roots[0] = t->inside;
  roots[1] = t->second;
  *f = (fake_wire){.reading = true};
  f->out = tn_writer_growing(NULL, LIMIT);
  f->log = tn_writer_growing(NULL, LIMIT);
  tn_http_session_init(&f->session, &site, &wire, f);
}

void fake_end(fake_wire *f) {
  tn_http_session_end(&f->session);
  tn_writer_free(&f->out);
  tn_writer_free(&f->log);
}

void fake_feed(fake_wire *f, const char *text, size_t n) {
  // Memory of its own, so that a sanitizer sees whatever is kept of it.
  uint8_t *copy = malloc(n + 1);
  assert_non_null(copy);
  memcpy(copy, text, n);
  tn_http_session_data(&f->session, copy, n);
  free(copy);
}

static bool is_over(const fake_wire *f) { return f->closed || f->aborted; }

static void drain_all(fake_wire *f) {
  for (size_t before = SIZE_MAX; before != f->out.len && !is_over(f);) {
    before = f->out.len;
    tn_http_session_drain(&f->session);
  }
}

char *fake_exchange(const tree *t, const char *text, size_t split, size_t *n) {
  fake_wire f;
  size_t length = strlen(text);
  fake_start(&f, t);
  fake_feed(&f, text, split);
  drain_all(&f);
  if (!is_over(&f)) fake_feed(&f, text + split, length - split);
  drain_all(&f);
  char *out = malloc(f.out.len + 1);
  assert_non_null(out);
  memcpy(out, f.out.buf, f.out.len);
  out[f.out.len] = 0;
  *n = f.out.len;
  fake_end(&f);
  return out;
}
