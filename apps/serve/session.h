// The HTTP/1 server's side of one connection: requests in, responses out, one after the other.
//
// It knows neither sockets nor TLS: it speaks through a tn_http_wire, and is told what arrives.
#ifndef TN_SERVE_SESSION_H
#define TN_SERVE_SESSION_H

#include "serve/http_request.h"
#include "serve/http_response.h"

enum {
  TN_HTTP_HEAD_MS = 10 * 1000,        // for the first byte of the first request, and for each request whole
  TN_HTTP_IDLE_MS = 60 * 1000,        // between requests
  TN_HTTP_SEND_MS = 60 * 1000,        // for the peer to take a window
  TN_HTTP_WINDOW = 256 * 1024,        // bytes written ahead of what the peer takes
  TN_HTTP_CHUNK = 64 * 1024,          // bytes of a file read and written at once
  TN_HTTP_REQUESTS_MAX = 100 * 1000,  // on one connection
};

// What a session speaks through. `ctx` is the session's.
typedef struct tn_http_wire {
  // Queues bytes; the memory is the caller's again on return. tn_http_session_drain() follows when they are gone.
  tn_result (*write)(void *ctx, const tn_span *data, size_t n);
  // Whether tn_http_session_data() is wanted; it is at first.
  void (*read)(void *ctx, bool on);
  // Closes after what was written; at once. The session does nothing after either.
  void (*close)(void *ctx);
  void (*abort)(void *ctx);
  // Cut the connection unless this is called again within `ms`.
  void (*deadline)(void *ctx, uint64_t ms);
  // A request was answered, wholly or (the connection went) in part: `sent` bytes of body.
  void (*log)(void *ctx, const tn_http_request *request, unsigned status, uint64_t sent);
} tn_http_wire;

// A page that is made at each request.
typedef struct tn_http_page {
  const char *path;
  const char *type;
  void (*write)(void *ctx, tn_writer *body);  // ctx is the session's
} tn_http_page;

// What is served; shared by sessions.
typedef struct tn_http_site {
  const int *roots;  // directories, open
  size_t n_roots;
  const tn_http_page *pages;  // these go before files
  size_t n_pages;
  int64_t (*now)(void);  // seconds since 1970
} tn_http_site;

typedef enum tn_http_phase {
  TN_HTTP_READING,
  TN_HTTP_SENDING,
  TN_HTTP_CLOSING,
  TN_HTTP_ABORTING,
  TN_HTTP_CLOSED,
} tn_http_phase;

typedef struct tn_http_session {
  const tn_http_site *site;
  const tn_http_wire *wire;
  void *ctx;
  tn_http_phase phase;
  tn_http_request *request;  // the one that is being read or answered; NULL between requests
  tn_http_response response;
  tn_writer head;     // of the response; empty once it is sent
  bool has_response;  // the two above are in use
  bool no_body;       // of this response
  bool keep_alive;    // after this response
  bool continued;     // 100 Continue was sent
  bool reading;       // as the wire was told
  bool running;       // guards against events from within calls of the wire
  bool peer_ended;
  bool finishing;
  uint64_t sent;  // bytes of this response's body
  size_t n_requests;
  size_t in_flight;  // bytes written since the last drain
  tn_span in;        // what arrived and is not used yet
  uint8_t *kept;     // the memory that holds it between events
} tn_http_session;

void tn_http_session_init(tn_http_session *s, const tn_http_site *site, const tn_http_wire *wire, void *ctx);
// The connection is gone: logs what was not finished, frees what the session holds.
void tn_http_session_end(tn_http_session *s);

// Events.
void tn_http_session_data(tn_http_session *s, const uint8_t *data, size_t n);
void tn_http_session_drain(tn_http_session *s);
// The peer sends nothing more: what it asked for is still answered.
void tn_http_session_peer_end(tn_http_session *s);
// The server is going: close as soon as no request is under way.
void tn_http_session_finish(tn_http_session *s);

// Whether a request is under way.
static inline bool tn_http_session_is_busy(const tn_http_session *s) { return s->request != NULL; }

#endif
