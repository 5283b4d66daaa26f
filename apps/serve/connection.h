// One accepted TLS stream with its HTTP session, and all of them.
#ifndef TN_SERVE_CONNECTION_H
#define TN_SERVE_CONNECTION_H

#include "serve/session.h"
#include "tenon/net.h"

typedef struct tn_connection tn_connection;

// What the connections of one loop share.
typedef struct tn_connections {
  tn_http_site site;
  bool verbose;                                 // tell of every connection, not only of those that fail
  tn_connection *first;                         // the open ones
  void (*on_none)(struct tn_connections *all);  // the last one is gone; may be NULL
} tn_connections;

// The page at TN_CONNECTION_PAGE_PATH, for the site.
extern const tn_http_page tn_connection_page;

// For tn_listen_options: `ctx` is the tn_connections.
bool tn_connection_accept(tn_listener *listener, void *ctx, tn_stream *stream, const tn_stream_events **events,
                          void **stream_ctx);

// Every connection ends as soon as it has answered what it was asked.
void tn_connections_finish(tn_connections *all);

#endif
