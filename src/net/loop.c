// A loop: the thread, the functions that other threads post to it, its orderly end.
#include "net/loop.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "base/error.h"
#include "net/listener.h"
#include "net/memory.h"
#include "net/stream.h"

#define STALL_MS 5000
#define LINGER_MS 60000
#define DRAIN_MS 1000

struct tn_post {
  tn_post *next;
  void (*fn)(void *arg);
  void *arg;
};

// ---------------------------------------------------------------- the end

void tn_loop_opened(tn_loop *loop) { loop->open++; }

static void end_if_closed(tn_loop *loop) {
  if (!loop->ending || loop->open != 0) return;
  loop->ended = true;
  uv_stop(&loop->uv);
}

void tn_loop_closed(tn_loop *loop) {
  loop->open--;
  end_if_closed(loop);
}

static void close_all(tn_loop *loop) {
  loop->ending = true;
  for (tn_link *l = loop->listeners.next; l != &loop->listeners; l = l->next)
    tn_listener_shut(TN_LISTED(l, tn_listener, in_loop));
  for (tn_link *l = loop->streams.next; l != &loop->streams; l = l->next)
    tn_stream_abort(TN_LISTED(l, tn_stream, in_loop));
  end_if_closed(loop);
}

// ---------------------------------------------------------------- posts

static void on_wake(uv_async_t *wake) {
  tn_loop *loop = wake->data;
  uv_mutex_lock(&loop->lock);
  tn_post *post = loop->posts;
  bool stopped = loop->stopped;
  loop->posts = NULL;
  loop->posts_end = &loop->posts;
  uv_mutex_unlock(&loop->lock);

  for (tn_post *next; post != NULL; post = next) {
    next = post->next;
    post->fn(post->arg);
    tn_net_release(post, sizeof *post);
  }
  // Whatever was taken before the stop has run by now.
  if (stopped && !loop->ending) close_all(loop);
}

tn_result tn_loop_post(tn_loop *loop, void (*fn)(void *arg), void *arg) {
  tn_post *post = tn_net_alloc(sizeof *post);
  TN_ENSURE(post != NULL, TN_E_NO_MEMORY);
  *post = (tn_post){NULL, fn, arg};

  uv_mutex_lock(&loop->lock);
  bool stopped = loop->stopped;
  if (!stopped) {
    *loop->posts_end = post;
    loop->posts_end = &post->next;
    uv_async_send(&loop->wake);
  }
  uv_mutex_unlock(&loop->lock);
  if (!stopped) return tn_success();
  tn_net_release(post, sizeof *post);
  return tn_fail(TN_E_BAD_STATE);
}

void tn_loop_stop(tn_loop *loop) {
  uv_mutex_lock(&loop->lock);
  if (!loop->stopped) {
    loop->stopped = true;
    uv_async_send(&loop->wake);
  }
  uv_mutex_unlock(&loop->lock);
}

static void on_idle(uv_idle_t *idle) {
  tn_loop *loop = idle->data;
  // Those that are added meanwhile wait for the next round: nobody starves the descriptors.
  tn_link now;
  tn_list_take(&now, &loop->soon);
  while (!tn_list_empty(&now)) {
    tn_link *link = now.next;
    tn_list_remove(link);
    tn_stream_on_soon(TN_LISTED(link, tn_stream, in_soon));
  }
  if (tn_list_empty(&loop->soon)) uv_idle_stop(idle);
}

void tn_loop_soon(tn_loop *loop, tn_link *in_soon) {
  tn_list_append(&loop->soon, in_soon);
  uv_idle_start(&loop->idle, on_idle);  // while it runs, the loop does not wait for descriptors
}

// ---------------------------------------------------------------- life

tn_result tn_loop_new(tn_loop **out) {
  *out = NULL;
  tn_loop *loop = tn_net_alloc(sizeof *loop);
  TN_ENSURE(loop != NULL, TN_E_NO_MEMORY);
  int error = uv_loop_init(&loop->uv);
  if (error != 0) goto no_loop;
  error = uv_mutex_init(&loop->lock);
  if (error != 0) goto no_lock;
  error = uv_async_init(&loop->uv, &loop->wake, on_wake);
  if (error != 0) goto no_wake;
  uv_idle_init(&loop->uv, &loop->idle);  // cannot fail
  loop->wake.data = loop->idle.data = loop;
  loop->posts_end = &loop->posts;
  tn_list_init(&loop->streams);
  tn_list_init(&loop->listeners);
  tn_list_init(&loop->soon);
  loop->stall_ms = STALL_MS;
  loop->linger_ms = LINGER_MS;
  loop->drain_ms = DRAIN_MS;
  *out = loop;
  return tn_success();

no_wake:
  uv_mutex_destroy(&loop->lock);
no_lock:
  uv_loop_close(&loop->uv);
no_loop:
  tn_net_release(loop, sizeof *loop);
  return tn_fail(error == UV_ENOMEM ? TN_E_NO_MEMORY : TN_E_SYSTEM);
}

void tn_loop_run(tn_loop *loop) {
  // A write to a connection that the peer has reset raises SIGPIPE; its EPIPE is all that we want.
  sigset_t pipe, before, pending;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  while (!loop->ended) uv_run(&loop->uv, UV_RUN_DEFAULT);
  // One that was pending before is not ours to take.
  const struct timespec at_once = {0, 0};
  if (!sigismember(&pending, SIGPIPE)) (void)sigtimedwait(&pipe, NULL, &at_once);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void run_thread(void *loop) { tn_loop_run(loop); }

tn_result tn_loop_start(tn_loop *loop) {
  TN_ENSURE(!loop->started, TN_E_BAD_STATE);
  // The application's signals are for its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = uv_thread_create(&loop->thread, run_thread, loop);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  TN_ENSURE(error == 0, error == UV_ENOMEM ? TN_E_NO_MEMORY : TN_E_SYSTEM);
  loop->started = true;
  return tn_success();
}

static void close_leftover(uv_handle_t *handle, void *arg) {
  (void)arg;
  if (!uv_is_closing(handle)) uv_close(handle, NULL);
}

void tn_loop_free(tn_loop *loop) {
  if (loop == NULL) return;
  tn_loop_stop(loop);
  if (loop->started) uv_thread_join(&loop->thread);
  if (!loop->ended) tn_loop_run(loop);  // it never ran: it still has to close what was opened
  uv_walk(&loop->uv, close_leftover, NULL);
  // Ends when the handles are closed and the last abandoned name resolution has come back.
  while (uv_run(&loop->uv, UV_RUN_DEFAULT) != 0) continue;
  uv_loop_close(&loop->uv);
  tn_listeners_free(loop);
  uv_mutex_destroy(&loop->lock);
  tn_pool_clear(&loop->pool);
  tn_net_release(loop, sizeof *loop);
}

void *tn_loop_uv(tn_loop *loop) { return &loop->uv; }
