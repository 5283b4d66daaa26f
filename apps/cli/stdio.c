#include "cli/stdio.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"

// ---------------------------------------------------------------- input

bool tn_stdin_init(tn_stdin *in, uv_loop_t *loop) {
  in->loop = loop;
  in->work.data = in;
  return pipe2(in->stop, O_CLOEXEC) == 0;
}

// In a helper thread.
static void read_once(uv_work_t *work) {
  tn_stdin *in = work->data;
  struct pollfd wait[2] = {{.fd = in->fd, .events = POLLIN}, {.fd = in->stop[0], .events = POLLIN}};
  in->got = 0;
  in->error = 0;
  for (;;) {
    if (poll(wait, 2, -1) < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      in->error = errno;
      return;
    }
    if (wait[1].revents != 0) return;
    in->got = read(in->fd, in->buf, sizeof in->buf);
    if (in->got >= 0) return;
    if (errno == EINTR || errno == EAGAIN) continue;  // somebody else made it non-blocking, or was faster
    in->error = errno;
    in->got = 0;
    return;
  }
}

static void stopped(tn_stdin *in) {
  close(in->stop[0]);
  in->on_stopped(in->ctx);
}

static void after_read(uv_work_t *work, int status) {
  tn_stdin *in = work->data;
  in->busy = false;
  if (in->stopped) {
    stopped(in);
    return;
  }
  in->on_input(in->ctx, in->buf, (size_t)in->got, status < 0 ? ECANCELED : in->error);
}

void tn_stdin_more(tn_stdin *in) {
  if (in->busy || in->stopped) return;
  in->busy = uv_queue_work(in->loop, &in->work, read_once, after_read) == 0;
}

void tn_stdin_stop(tn_stdin *in) {
  if (in->stopped) return;
  in->stopped = true;
  close(in->stop[1]);
  if (!in->busy) stopped(in);
}

// ---------------------------------------------------------------- output

bool tn_stdout_init(tn_stdout *out, uv_loop_t *loop, size_t cap) {
  out->loop = loop;
  out->work.data = out;
  out->cap = cap;
  out->writing = malloc(cap);
  out->waiting = malloc(cap);
  return out->writing != NULL && out->waiting != NULL;
}

// In a helper thread.
static void write_once(uv_work_t *work) {
  tn_stdout *out = work->data;
  out->write_error = tn_write_all(out->fd, out->writing, out->n_writing) ? 0 : errno;
}

static void start_writing(tn_stdout *out);

static void after_write(uv_work_t *work, int status) {
  tn_stdout *out = work->data;
  out->busy = false;
  out->error = status < 0 ? ECANCELED : out->write_error;
  if (out->error == 0 && out->n_waiting > 0) start_writing(out);
  out->on_progress(out->ctx);
}

static void start_writing(tn_stdout *out) {
  uint8_t *full = out->waiting;
  out->waiting = out->writing;
  out->writing = full;
  out->n_writing = out->n_waiting;
  out->n_waiting = 0;
  out->busy = uv_queue_work(out->loop, &out->work, write_once, after_write) == 0;
}

bool tn_stdout_write(tn_stdout *out, const uint8_t *data, size_t n) {
  if (out->error != 0 || n > out->cap - out->n_waiting) return false;
  memcpy(out->waiting + out->n_waiting, data, n);
  out->n_waiting += n;
  if (!out->busy) start_writing(out);
  return true;
}

void tn_stdout_free(tn_stdout *out) {
  free(out->writing);
  free(out->waiting);
}
