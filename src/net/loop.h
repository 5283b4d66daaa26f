// A loop, as its streams and listeners see it.
#ifndef TN_NET_LOOP_H
#define TN_NET_LOOP_H

#include <uv.h>

#include "net/list.h"
#include "net/pool.h"
#include "tenon/net.h"

typedef struct tn_post tn_post;

struct tn_loop {
  uv_loop_t uv;
  uv_async_t wake;  // there are posts, or the loop is to stop
  uv_idle_t idle;   // runs while `soon` has streams
  uv_thread_t thread;
  bool started;  // `thread` runs the loop

  uv_mutex_t lock;  // guards the three below
  tn_post *posts;
  tn_post **posts_end;
  bool stopped;  // no more posts are taken

  // The rest belongs to the loop's thread.
  bool ending;  // everything is being closed
  bool ended;
  size_t open;  // streams and listeners that are not closed yet
  tn_link streams;
  tn_link listeners;
  tn_link soon;  // streams with events to deliver before the loop waits again
  tn_pool pool;

  // Limits of a closing stream, in milliseconds.
  uint64_t stall_ms;   // what is queued makes no progress
  uint64_t linger_ms;  // sending what is queued, in all
  uint64_t drain_ms;   // waiting for the peer's end after ours
};

// A stream or a listener came to be, or is closed for good.
void tn_loop_opened(tn_loop *loop);
void tn_loop_closed(tn_loop *loop);

// tn_stream_on_soon() is called for this stream (its `in_soon`) before the loop waits again.
void tn_loop_soon(tn_loop *loop, tn_link *in_soon);

#endif
