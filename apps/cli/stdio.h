// Standard input and output beside an event loop, whatever they are: files, pipes, terminals, sockets.
//
// Each is read or written by libuv's helper threads with blocking calls. The descriptors are never made
// non-blocking: they are shared with other processes, to which that would happen too.
#ifndef TN_CLI_STDIO_H
#define TN_CLI_STDIO_H

#include <uv.h>

#include "tenon/base.h"

// ---------------------------------------------------------------- input

typedef struct tn_stdin {
  uv_work_t work;
  uv_loop_t *loop;
  int fd;
  int stop[2];  // a pipe: its writing end is closed to end the wait
  bool busy;
  bool stopped;
  ssize_t got;
  int error;
  // n = 0: the end, or, if error is not 0, a failed read (errno's value). Ask for more with tn_stdin_more().
  void (*on_input)(void *ctx, const uint8_t *data, size_t n, int error);
  // After tn_stdin_stop(): nothing is going on any more.
  void (*on_stopped)(void *ctx);
  void *ctx;
  uint8_t buf[1 << 16];
} tn_stdin;

// fd, on_input, on_stopped, ctx are set by the caller. False with errno set.
TN_MUST_USE bool tn_stdin_init(tn_stdin *in, uv_loop_t *loop);
// Reads once more; on_input follows. Does nothing while a read is under way.
void tn_stdin_more(tn_stdin *in);
// No on_input after this; on_stopped follows, perhaps within the call.
void tn_stdin_stop(tn_stdin *in);

// ---------------------------------------------------------------- output

typedef struct tn_stdout {
  uv_work_t work;
  uv_loop_t *loop;
  int fd;
  bool busy;
  int error;        // errno's value of the write that failed; nothing is written after it
  int write_error;  // the helper thread's
  uint8_t *writing;
  size_t n_writing;
  uint8_t *waiting;  // gathered while `writing` is written
  size_t n_waiting;
  size_t cap;
  // A write has ended: look at error and tn_stdout_waiting().
  void (*on_progress)(void *ctx);
  void *ctx;
} tn_stdout;

// fd, on_progress, ctx are set by the caller. At most `cap` bytes wait. False without memory.
TN_MUST_USE bool tn_stdout_init(tn_stdout *out, uv_loop_t *loop, size_t cap);
// Queues a copy; false if it does not fit or a write has failed.
TN_MUST_USE bool tn_stdout_write(tn_stdout *out, const uint8_t *data, size_t n);
static inline size_t tn_stdout_waiting(const tn_stdout *out) { return out->n_waiting; }
// Nothing is being written and nothing waits.
static inline bool tn_stdout_idle(const tn_stdout *out) { return !out->busy; }
void tn_stdout_free(tn_stdout *out);

#endif
