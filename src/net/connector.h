// How a stream comes by its TCP connection.
#ifndef TN_NET_CONNECTOR_H
#define TN_NET_CONNECTOR_H

#include "net/loop.h"

typedef struct tn_connector {
  uv_getaddrinfo_t resolve;
  bool resolving;     // `resolve` is on its way and will come back
  tn_stream *stream;  // NULL: nobody waits for it any more
  uv_connect_t connect;
  struct addrinfo *found;
  struct addrinfo *next;  // to be tried next
  size_t n_left;          // from `next` on
  int error;              // why the last attempt failed
  uint64_t limit_at;      // in the loop's time
  uint16_t port;
  size_t size;  // of this
  char host[];
} tn_connector;

// The stream's timer fired while it has no connection yet.
void tn_connector_timeout(tn_stream *stream);
// The stream does not need it (any more): frees it, now or when the name resolution has come back. NULL is allowed.
void tn_connector_release(tn_connector *connector);

#endif
