// How a stream comes by its TCP connection: the name is resolved on libuv's thread pool, then each address is tried
// in turn, within one limit of time.
#include "net/connector.h"

#include <netdb.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "net/memory.h"
#include "net/stream.h"

#define TIMEOUT_MS 30000

static void try_next(tn_stream *s);

static uint64_t time_left(const tn_stream *s) {
  uint64_t now = uv_now(&s->loop->uv);
  return s->connector->limit_at > now ? s->connector->limit_at - now : 1;
}

// ---------------------------------------------------------------- connecting

static void attempt_closed(uv_handle_t *handle) {
  tn_stream *s = handle->data;
  if (s->state == TN_STREAM_GONE) {
    tn_stream_handle_closed(handle);
    return;
  }
  uv_tcp_init(&s->loop->uv, &s->tcp);
  s->tcp.data = s;
  try_next(s);
}

static void attempt_failed(tn_stream *s, int error) {
  tn_connector *c = s->connector;
  // "Connection refused" tells more than that there is no way to the other addresses.
  bool no_way =
      error == UV_ENETUNREACH || error == UV_EHOSTUNREACH || error == UV_EADDRNOTAVAIL || error == UV_EAFNOSUPPORT;
  if (c->error == 0 || !no_way) c->error = error;
  uv_close((uv_handle_t *)&s->tcp, attempt_closed);  // a socket that failed to connect is of no use for another try
}

static void on_connect(uv_connect_t *request, int status) {
  tn_stream *s = request->data;
  if (status == UV_ECANCELED || s->state == TN_STREAM_GONE) return;  // the handle is closing
  if (status < 0) {
    attempt_failed(s, status);
    return;
  }
  uint64_t ms = time_left(s);
  tn_connector_release(s->connector);
  s->connector = NULL;
  tn_stream_connected(s, ms);
}

static void try_next(tn_stream *s) {
  tn_connector *c = s->connector;
  if (c->next == NULL) {
    tn_stream_finish(s, TN_CAUSE_CONNECT, c->error);
    return;
  }
  // One address that never answers leaves its share of the time to the others.
  uint64_t share = time_left(s) / c->n_left;
  tn_stream_timer(s, share > 0 ? share : 1);
  const struct sockaddr *address = c->next->ai_addr;
  c->next = c->next->ai_next;
  c->n_left--;
  tn_address_text(address, s->peer);
  c->connect.data = s;
  int error = uv_tcp_connect(&c->connect, &s->tcp, address, on_connect);
  if (error != 0) attempt_failed(s, error);
}

void tn_connector_timeout(tn_stream *s) {
  tn_connector *c = s->connector;
  if (c->resolving)
    tn_stream_finish(s, TN_CAUSE_RESOLVE, UV_ETIMEDOUT);
  else if (c->next != NULL && !uv_is_closing((uv_handle_t *)&s->tcp))
    attempt_failed(s, UV_ETIMEDOUT);
  else
    tn_stream_finish(s, TN_CAUSE_CONNECT, UV_ETIMEDOUT);
}

// ---------------------------------------------------------------- resolving

static void use_addresses(tn_connector *c, struct addrinfo *found) {
  c->found = c->next = found;
  for (const struct addrinfo *a = found; a != NULL; a = a->ai_next) c->n_left++;
}

static void on_resolved(uv_getaddrinfo_t *request, int status, struct addrinfo *found) {
  tn_connector *c = request->data;
  c->resolving = false;
  use_addresses(c, found);
  if (c->stream == NULL)
    tn_connector_release(c);
  else if (c->stream->state == TN_STREAM_GONE)
    return;
  else if (status != 0 || found == NULL)
    tn_stream_finish(c->stream, TN_CAUSE_RESOLVE, status != 0 ? status : UV_EAI_NODATA);
  else
    try_next(c->stream);
}

static void resolve(tn_stream *s) {
  tn_connector *c = s->connector;
  char port[8];
  snprintf(port, sizeof port, "%u", c->port);
  struct addrinfo hints = {.ai_family = AF_UNSPEC,
                           .ai_socktype = SOCK_STREAM,
                           .ai_protocol = IPPROTO_TCP,
                           .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
  // An address in text form needs no thread.
  struct addrinfo *found = NULL;
  if (getaddrinfo(c->host, port, &hints, &found) == 0) {
    use_addresses(c, found);
    try_next(s);
    return;
  }
  hints.ai_flags = AI_NUMERICSERV;
  c->resolve.data = c;
  int error = uv_getaddrinfo(&s->loop->uv, &c->resolve, on_resolved, c->host, port, &hints);
  c->resolving = error == 0;
  if (error != 0) tn_stream_finish(s, TN_CAUSE_RESOLVE, error);
}

// ---------------------------------------------------------------- life

void tn_connector_release(tn_connector *c) {
  if (c == NULL) return;
  c->stream = NULL;
  if (c->resolving) {
    (void)uv_cancel((uv_req_t *)&c->resolve);  // if it has begun, it is only waited for
    return;                                    // on_resolved() comes back here
  }
  uv_freeaddrinfo(c->found);
  tn_net_release(c, c->size);
}

tn_result tn_connect(tn_loop *loop, const tn_connect_options *o, const tn_stream_events *events, void *ctx,
                     tn_stream **out) {
  *out = NULL;
  TN_ENSURE(!loop->ending, TN_E_BAD_STATE);
  TN_ENSURE(o->host != NULL && o->host[0] != 0 && o->config != NULL, TN_E_BAD_ARGUMENT);
  TN_ENSURE(events != NULL && events->on_close != NULL, TN_E_BAD_ARGUMENT);
  size_t n = strlen(o->host);
  // In a certificate and in SNI, names have no final dot.
  tn_span name = o->server_name.n > 0 ? o->server_name : tn_span_of(o->host, n - (o->host[n - 1] == '.'));
  tn_conn *conn;
  TN_TRY(tn_conn_new(o->config, name, &conn));
  size_t size = sizeof(tn_connector) + n + 1;
  tn_connector *c = tn_net_alloc(size);
  if (c == NULL) {
    tn_conn_free(conn);
    return tn_fail(TN_E_NO_MEMORY);
  }
  tn_stream *s;
  tn_result r = tn_stream_new(loop, conn, &s);
  if (!tn_ok(r)) {
    tn_net_release(c, size);
    return r;
  }
  s->events = *events;
  s->ctx = ctx;
  s->connector = c;
  c->stream = s;
  c->size = size;
  c->port = o->port;
  memcpy(c->host, o->host, n);

  uint64_t ms = o->timeout_ms != 0 ? o->timeout_ms : TIMEOUT_MS;
  tn_stream_timer(s, ms);
  c->limit_at = uv_now(&loop->uv) + ms;
  resolve(s);
  *out = s;
  return tn_success();
}
