#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/connect.h"
#include "cli/stdio.h"

// How far either side may run ahead of the other.
#define WINDOW ((size_t)256 << 10)

typedef struct session {
  tn_loop *loop;
  tn_stream *stream;  // NULL after its on_close
  tn_stdin input;
  tn_stdout output;
  tn_report how;
  const char *target;
  bool waits_for_drain;
  bool input_is_over;  // tn_stdin_stop() has done its work
  int status;
} session;

// ---------------------------------------------------------------- the end

static void finish_when_done(session *s) {
  if (s->stream == NULL && s->input_is_over && tn_stdout_idle(&s->output)) tn_loop_stop(s->loop);
}

static void give_up(session *s, const char *thing, const char *why) {
  if (s->status == 0) s->status = tn_failed(thing, why);
  if (s->stream != NULL) tn_stream_abort(s->stream);
}

static void on_input_stopped(void *ctx) {
  session *s = ctx;
  s->input_is_over = true;
  finish_when_done(s);
}

static void on_close(tn_stream *stream, void *ctx, tn_result why, const char *text) {
  session *s = ctx;
  (void)stream;
  if (!tn_ok(why) && s->status == 0) s->status = tn_failed(s->target, text);
  s->stream = NULL;
  tn_stdin_stop(&s->input);
  finish_when_done(s);
}

// ---------------------------------------------------------------- standard input to the peer

static void on_input(void *ctx, const uint8_t *data, size_t n, int error) {
  session *s = ctx;
  if (error != 0) {
    give_up(s, "standard input", strerror(error));
    return;
  }
  if (n == 0) {
    tn_stream_end(s->stream);
    return;
  }
  tn_span span = tn_span_of(data, n);
  // A failure is the stream's, which tells it by on_close: what the peer sent before still arrives.
  if (!tn_ok(tn_stream_write(s->stream, &span, 1))) return;
  s->waits_for_drain = tn_stream_queued(s->stream) > WINDOW;
  if (!s->waits_for_drain) tn_stdin_more(&s->input);
}

static void on_drain(tn_stream *stream, void *ctx) {
  session *s = ctx;
  (void)stream;
  if (!s->waits_for_drain) return;
  s->waits_for_drain = false;
  tn_stdin_more(&s->input);
}

// ---------------------------------------------------------------- the peer to standard output

static void on_open(tn_stream *stream, void *ctx) {
  session *s = ctx;
  tn_connect_report(stream, s->how);
  tn_stdin_more(&s->input);
}

static void on_data(tn_stream *stream, void *ctx, const uint8_t *data, size_t n) {
  session *s = ctx;
  if (s->output.error != 0) return;
  if (!tn_stdout_write(&s->output, data, n)) {
    give_up(s, "standard output", strerror(ENOBUFS));
  } else if (tn_stdout_waiting(&s->output) > WINDOW) {
    tn_stream_read(stream, false);
  }
}

static void on_output_progress(void *ctx) {
  session *s = ctx;
  if (s->output.error != 0) {
    give_up(s, "standard output", strerror(s->output.error));
  } else if (s->stream != NULL && tn_stdout_waiting(&s->output) <= WINDOW) {
    tn_stream_read(s->stream, true);
  }
  finish_when_done(s);
}

static void on_end(tn_stream *stream, void *ctx) {
  session *s = ctx;
  tn_stdin_stop(&s->input);
  tn_stream_close(stream);
}

// ---------------------------------------------------------------- all of it

static const tn_stream_events events = {
    .on_open = on_open, .on_data = on_data, .on_end = on_end, .on_drain = on_drain, .on_close = on_close};

static int run(session *s, const tn_connect_options *options) {
  tn_result r = tn_loop_new(&s->loop);
  if (!tn_ok(r)) return tn_failed("event loop", tn_reason_text(r.reason));
  uv_loop_t *uv = tn_loop_uv(s->loop);
  s->input.fd = STDIN_FILENO;
  s->input.on_input = on_input;
  s->input.on_stopped = on_input_stopped;
  s->input.ctx = s;
  s->output.fd = STDOUT_FILENO;
  s->output.on_progress = on_output_progress;
  s->output.ctx = s;
  if (!tn_stdout_init(&s->output, uv, 2 * WINDOW)) return tn_failed("buffers", tn_reason_text(TN_E_NO_MEMORY));
  if (!tn_stdin_init(&s->input, uv)) return tn_failed("standard input", strerror(errno));
  r = tn_connect(s->loop, options, &events, s, &s->stream);
  if (!tn_ok(r)) return tn_failed(s->target, tn_reason_text(r.reason));
  tn_loop_run(s->loop);
  return s->status;
}

int tn_connect_session(const tn_target *target, const tn_connect_options *options, tn_report how) {
  char name[300];
  bool v6 = strchr(target->host, ':') != NULL;
  snprintf(name, sizeof name, v6 ? "[%s]:%u" : "%s:%u", target->host, (unsigned)target->port);
  session *s = calloc(1, sizeof *s);
  if (s == NULL) return tn_failed(name, tn_reason_text(TN_E_NO_MEMORY));
  s->target = name;
  s->how = how;
  int status = run(s, options);
  tn_loop_free(s->loop);
  tn_stdout_free(&s->output);
  free(s);
  return status;
}
