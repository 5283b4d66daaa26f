// A listener, as the loop and its streams see it.
#ifndef TN_NET_LISTENER_H
#define TN_NET_LISTENER_H

#include "net/loop.h"

struct tn_listener {
  tn_link in_loop;
  tn_loop *loop;
  uv_poll_t poll;   // the socket has connections
  uv_timer_t rest;  // running while there are no descriptors to accept with
  unsigned handles;
  int fd;
  int reserve;  // a descriptor to give up when there is no other; -1: none
  uint16_t port;
  bool shut;      // no longer listening
  bool released;  // by the application: freed as soon as the handles are closed
  tn_config *config;
  uint64_t handshake_ms;
  size_t max_streams;
  size_t n_streams;
  bool (*on_accept)(tn_listener *listener, void *ctx, tn_stream *stream, const tn_stream_events **events,
                    void **stream_ctx);
  void *ctx;
};

// Stops listening; the memory stays until the application or the loop frees it.
void tn_listener_shut(tn_listener *listener);
// Frees those that the application has not closed.
void tn_listeners_free(tn_loop *loop);
// One of its streams is gone.
void tn_listener_stream_gone(tn_listener *listener);

#endif
