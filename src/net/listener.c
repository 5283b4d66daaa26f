// A listening socket. It is polled, not left to libuv's own accepting, so that connections over the limit really wait
// in the system's queue and a want of descriptors never makes the loop spin.
#define _GNU_SOURCE  // accept4
#include "net/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <unistd.h>

#include "base/error.h"
#include "net/address.h"
#include "net/memory.h"
#include "net/stream.h"

#define HANDSHAKE_MS 10000
#define ACCEPT_AT_ONCE 32  // before other descriptors have their turn
#define REST_MS 100        // without descriptors

static void watch(tn_listener *l);

static bool is_full(const tn_listener *l) { return l->max_streams != 0 && l->n_streams >= l->max_streams; }

// ---------------------------------------------------------------- accepting

// Makes a stream of the new connection. fd is its own from here on.
static void welcome(tn_listener *l, int fd, const struct sockaddr *address) {
  tn_conn *conn;
  tn_stream *s;
  if (!tn_ok(tn_conn_new(l->config, (tn_span){0}, &conn)) || !tn_ok(tn_stream_new(l->loop, conn, &s))) {
    close(fd);
    return;
  }
  s->listener = l;
  l->n_streams++;
  tn_address_text(address, s->peer);
  int error = uv_tcp_open(&s->tcp, fd);
  if (error != 0) {
    close(fd);
    tn_stream_finish(s, TN_CAUSE_SYSTEM, error);
    return;
  }
  const tn_stream_events *events = NULL;
  void *ctx = NULL;
  bool wanted = l->on_accept(l, l->ctx, s, &events, &ctx);
  if (!wanted || events == NULL || events->on_close == NULL) {
    tn_stream_abort(s);
    return;
  }
  s->events = *events;
  s->ctx = ctx;
  if (s->state == TN_STREAM_CONNECTING) tn_stream_connected(s, l->handshake_ms);
}

static int open_reserve(void) { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

// With the reserve's descriptor takes one connection and drops it: its client hears at once that we cannot.
static bool shed(tn_listener *l) {
  if (l->reserve < 0) return false;
  close(l->reserve);
  int fd = accept4(l->fd, NULL, NULL, SOCK_CLOEXEC);
  if (fd >= 0) close(fd);
  l->reserve = open_reserve();
  return fd >= 0;
}

static void on_rested(uv_timer_t *rest) {
  tn_listener *l = rest->data;
  if (l->reserve < 0) l->reserve = open_reserve();
  watch(l);
}

static void on_connections(uv_poll_t *poll, int status, int events) {
  (void)status, (void)events;  // accepting tells more
  tn_listener *l = poll->data;
  for (int i = 0; i < ACCEPT_AT_ONCE && !l->shut && !is_full(l); i++) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    int fd = accept4(l->fd, (struct sockaddr *)&address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
      welcome(l, fd, (struct sockaddr *)&address);
    } else if (errno == EAGAIN) {
      break;
    } else if ((errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) && !shed(l)) {
      uv_timer_start(&l->rest, on_rested, REST_MS, 0);
      break;
    }
    // Any other error is of one connection that did not live to be accepted.
  }
  watch(l);
}

// Polls while there may be more streams.
static void watch(tn_listener *l) {
  if (l->shut) return;
  bool want = !is_full(l) && !uv_is_active((uv_handle_t *)&l->rest);
  if (want == (uv_is_active((uv_handle_t *)&l->poll) != 0)) return;
  if (want)
    uv_poll_start(&l->poll, UV_READABLE, on_connections);  // fails only for a closing handle
  else
    uv_poll_stop(&l->poll);
}

void tn_listener_stream_gone(tn_listener *l) {
  l->n_streams--;
  watch(l);
}

// ---------------------------------------------------------------- opening

// A bound and listening socket; a negative errno on failure.
static int open_socket(const struct sockaddr_storage *address, socklen_t length) {
  int fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  const int on = 1, off = 0;
  if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      (address->ss_family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) != 0) ||
      bind(fd, (const struct sockaddr *)address, length) != 0 || listen(fd, SOMAXCONN) != 0) {
    int error = -errno;
    close(fd);
    return error;
  }
  return fd;
}

static bool is_any6(const struct sockaddr_storage *address) {
  return address->ss_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

static int open_socket_at(const char *text, uint16_t port) {
  struct sockaddr_storage address;
  socklen_t length;
  if (!tn_address_parse(text, port, &address, &length)) return UV_EINVAL;
  int fd = open_socket(&address, length);
  // A machine without IPv6 still has every IPv4 address.
  if ((fd == -EAFNOSUPPORT || fd == -EADDRNOTAVAIL) && is_any6(&address) &&
      tn_address_parse("0.0.0.0", port, &address, &length))
    fd = open_socket(&address, length);
  return fd;
}

static tn_result refuse(tn_reason reason, const char *text, const char **why) {
  if (why != NULL) *why = text;
  return tn_fail(reason);
}

tn_result tn_listen(tn_loop *loop, const tn_listen_options *o, tn_listener **out, const char **why) {
  *out = NULL;
  if (loop->ending) return refuse(TN_E_BAD_STATE, "the loop has been stopped", why);
  if (o->config == NULL || o->on_accept == NULL || o->address == NULL)
    return refuse(TN_E_BAD_ARGUMENT, "an option is missing", why);
  int fd = open_socket_at(o->address, o->port);
  if (fd == UV_EINVAL) return refuse(TN_E_BAD_ARGUMENT, "not an IP address", why);
  if (fd < 0) return refuse(TN_E_SYSTEM, uv_strerror(fd), why);

  tn_listener *l = tn_net_alloc(sizeof *l);
  if (l == NULL) {
    close(fd);
    return refuse(TN_E_NO_MEMORY, "out of memory", why);
  }
  int error = uv_poll_init(&loop->uv, &l->poll, fd);
  if (error != 0) {
    close(fd);
    tn_net_release(l, sizeof *l);
    return refuse(TN_E_SYSTEM, uv_strerror(error), why);
  }
  uv_timer_init(&loop->uv, &l->rest);
  l->handles = 2;
  l->poll.data = l->rest.data = l;
  l->loop = loop;
  l->fd = fd;
  l->reserve = open_reserve();
  struct sockaddr_storage bound = {0};
  socklen_t length = sizeof bound;
  if (getsockname(fd, (struct sockaddr *)&bound, &length) == 0) l->port = tn_address_port(&bound);
  l->config = tn_config_ref(o->config);
  l->handshake_ms = o->handshake_ms != 0 ? o->handshake_ms : HANDSHAKE_MS;
  l->max_streams = o->max_streams;
  l->on_accept = o->on_accept;
  l->ctx = o->ctx;
  tn_list_init(&l->in_loop);
  tn_list_append(&loop->listeners, &l->in_loop);
  tn_loop_opened(loop);
  watch(l);
  *out = l;
  return tn_success();
}

uint16_t tn_listener_port(const tn_listener *l) { return l->port; }

void tn_listener_set_config(tn_listener *l, tn_config *config) {
  tn_config *before = l->config;
  l->config = tn_config_ref(config);
  tn_config_unref(before);
}

// ---------------------------------------------------------------- closing

static void free_listener(tn_listener *l) {
  tn_list_remove(&l->in_loop);
  tn_config_unref(l->config);
  tn_net_release(l, sizeof *l);
}

static void on_handle_closed(uv_handle_t *handle) {
  tn_listener *l = handle->data;
  if (--l->handles > 0) return;
  tn_loop *loop = l->loop;
  if (l->released) free_listener(l);
  tn_loop_closed(loop);
}

void tn_listener_shut(tn_listener *l) {
  if (l->shut) return;
  l->shut = true;
  for (tn_link *i = l->loop->streams.next; i != &l->loop->streams; i = i->next) {
    tn_stream *s = TN_LISTED(i, tn_stream, in_loop);
    if (s->listener == l) s->listener = NULL;
  }
  uv_close((uv_handle_t *)&l->poll, on_handle_closed);
  uv_close((uv_handle_t *)&l->rest, on_handle_closed);
  close(l->fd);
  if (l->reserve >= 0) close(l->reserve);
}

void tn_listener_close(tn_listener *l) {
  l->released = true;
  if (l->shut && l->handles == 0)
    free_listener(l);
  else
    tn_listener_shut(l);
}

void tn_listeners_free(tn_loop *loop) {
  while (!tn_list_empty(&loop->listeners)) free_listener(TN_LISTED(loop->listeners.next, tn_listener, in_loop));
}
