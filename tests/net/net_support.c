#include "net_support.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "tenon/pki.h"

// ---------------------------------------------------------------- configurations

static tn_config *server, *client;

static tn_identity *make_identity(void) {
  tn_key *key = NULL;
  tn_identity *identity = NULL;
  const tn_span name = tn_span_of("localhost", 9);
  const int64_t now = time(NULL);
  const tn_cert_spec spec = {.common_name = name,
                             .dns_names = &name,
                             .n_dns_names = 1,
                             .not_before = now - 3600,
                             .not_after = now + 86400,
                             .ext_key_usage = TN_EKU_SERVER_AUTH};
  uint8_t der[2048];
  size_t n = sizeof der;
  assert_ok(tn_key_generate_p256(NULL, &key));
  assert_ok(tn_cert_make(&spec, key, NULL, NULL, der, &n));
  assert_ok(tn_identity_from_der(NULL, tn_span_of(der, n), key, &identity));
  tn_key_free(key);
  return identity;
}

tn_config *new_server_config(void) {
  tn_config *config = NULL;
  tn_identity *identity = make_identity();
  assert_ok(tn_config_new(TN_SERVER, NULL, &config));
  assert_ok(tn_config_add_identity(config, identity));
  tn_identity_unref(identity);
  return config;
}

tn_config *server_config(void) {
  if (server == NULL) server = new_server_config();
  return server;
}

tn_config *client_config(void) {
  if (client != NULL) return client;
  assert_ok(tn_config_new(TN_CLIENT, NULL, &client));
  assert_ok(tn_config_set_insecure(client));
  return client;
}

void configs_free(void) {
  tn_config_unref(server);
  tn_config_unref(client);
  server = client = NULL;
}

void warm_up(void) {
  uv_loop_t loop;
  if (uv_loop_init(&loop) == 0) uv_loop_close(&loop);
}

// ---------------------------------------------------------------- sides

uint8_t pattern_byte(uint64_t seed, size_t position) {
  return (uint8_t)((position + seed) * 0x9E3779B97F4A7C15u >> 56);
}

static void on_open(tn_stream *stream, void *ctx) {
  side *s = ctx;
  if (stream != s->stream || s->opens++ != 0 || s->closes != 0) s->disorder++;
  if (s->on_open != NULL) s->on_open(s);
}

static void on_data(tn_stream *stream, void *ctx, const uint8_t *data, size_t n) {
  side *s = ctx;
  if (stream != s->stream || s->opens != 1 || s->ends != 0 || s->closes != 0 || s->reading_off || n == 0) s->disorder++;
  for (size_t i = 0; i < n; i++) s->wrong_bytes += data[i] != pattern_byte(s->seed, s->received + i);
  s->received += n;
  if (s->on_data != NULL) s->on_data(s, data, n);
}

static void on_end(tn_stream *stream, void *ctx) {
  side *s = ctx;
  if (stream != s->stream || s->opens != 1 || s->ends++ != 0 || s->closes != 0) s->disorder++;
  if (s->on_end != NULL)
    s->on_end(s);
  else
    tn_stream_close(stream);
}

static void on_drain(tn_stream *stream, void *ctx) {
  side *s = ctx;
  s->drains++;
  if (stream != s->stream || s->opens != 1 || s->closes != 0 || tn_stream_queued(stream) != 0) s->disorder++;
  if (s->on_drain != NULL) s->on_drain(s);
}

static void on_close(tn_stream *stream, void *ctx, tn_result why, const char *text) {
  side *s = ctx;
  if (stream != s->stream || s->closes++ != 0) s->disorder++;
  s->why = why;
  snprintf(s->text, sizeof s->text, "%s", text);
  if (s->on_close != NULL) s->on_close(s);
  s->has_stream = false;
  world *w = s->world;
  if (++w->closes == w->expected && !w->timed_out) {
    uv_close((uv_handle_t *)&w->watchdog, NULL);
    tn_loop_stop(w->loop);
    uv_sem_post(&w->done);
  }
}

const tn_stream_events side_events = {on_open, on_data, on_end, on_drain, on_close};

tn_result side_write(side *s, const void *data, size_t n) {
  const tn_span span = tn_span_of(data, n);
  return tn_stream_write(s->stream, &span, 1);
}

void side_pump(side *s, size_t window, bool close_after) {
  uint8_t chunk[40000];
  if (s->closes != 0) return;
  while (s->sent < s->to_send && tn_stream_queued(s->stream) < window) {
    size_t n = 1 + test_rng_next(&s->rng) % sizeof chunk;
    if (n > s->to_send - s->sent) n = s->to_send - s->sent;
    for (size_t i = 0; i < n; i++) chunk[i] = pattern_byte(s->seed, s->sent + i);
    // In three spans, one of them empty.
    const tn_span spans[3] = {tn_span_of(chunk, n / 3), {NULL, 0}, tn_span_of(chunk + n / 3, n - n / 3)};
    if (!tn_ok(tn_stream_write(s->stream, spans, 3))) return;
    s->sent += n;
    if (tn_stream_queued(s->stream) > s->most_queued) s->most_queued = tn_stream_queued(s->stream);
  }
  if (close_after && s->sent == s->to_send) tn_stream_close(s->stream);
}

void side_read(side *s, bool on) {
  s->reading_off = !on;
  tn_stream_read(s->stream, on);
}

void assert_closed(const side *s, tn_reason why, const char *text) {
  assert_int_equal(s->closes, 1);
  assert_int_equal(s->disorder, 0);
  assert_string_equal(tn_reason_name(s->why.reason), tn_reason_name(why));
  if (text != NULL) assert_string_equal(s->text, text);
}

// ---------------------------------------------------------------- worlds

static bool on_accept(tn_listener *listener, void *ctx, tn_stream *stream, const tn_stream_events **events,
                      void **stream_ctx) {
  static const tn_stream_events no_end = {on_open, on_data, NULL, on_drain, on_close};
  (void)listener;
  world *w = ctx;
  if (w->refuse || w->n_accepted == MAX_SIDES) return false;
  side *s = &w->accepted[w->n_accepted++];
  *s = w->server_side;
  s->world = w;
  s->stream = stream;
  s->has_stream = true;
  *events = s->no_end ? &no_end : &side_events;
  *stream_ctx = s;
  return true;
}

static void on_watchdog(uv_timer_t *timer) {
  world *w = timer->data;
  w->timed_out = true;
  uv_close((uv_handle_t *)timer, NULL);
  tn_loop_stop(w->loop);
  uv_sem_post(&w->done);
}

void world_init(world *w, size_t expected_closes, const tn_listen_options *extra) {
  memset(w, 0, sizeof *w);
  w->expected = expected_closes;
  assert_int_equal(uv_sem_init(&w->done, 0), 0);
  assert_ok(tn_loop_new(&w->loop));
  tn_listen_options o = {0};
  if (extra != NULL) o = *extra;
  if (o.handshake_ms == 0) o.handshake_ms = WATCHDOG_MS;
  if (o.address == NULL) o.address = "127.0.0.1";
  o.config = server_config();
  o.on_accept = on_accept;
  o.ctx = w;
  const char *why = "";
  if (!tn_ok(tn_listen(w->loop, &o, &w->listener, &why))) fail_msg("tn_listen: %s", why);
  w->port = tn_listener_port(w->listener);
  assert_int_not_equal(w->port, 0);
  (void)client_config();  // made before there are threads
  uv_timer_init(tn_loop_uv(w->loop), &w->watchdog);
  w->watchdog.data = w;
}

void world_start(world *w) {
  uv_update_time(tn_loop_uv(w->loop));
  uv_timer_start(&w->watchdog, on_watchdog, WATCHDOG_MS, 0);
  assert_ok(tn_loop_start(w->loop));
}

void world_finish(world *w) {
  uv_sem_wait(&w->done);
  tn_loop_free(w->loop);
  uv_sem_destroy(&w->done);
  if (w->timed_out) fail_msg("%zu of %zu streams closed in time", w->closes, w->expected);
}

void side_connect_to(world *w, side *s, const char *host, uint16_t port, uint64_t timeout_ms) {
  s->world = w;
  const tn_connect_options o = {
      .host = host, .port = port, .config = client_config(), .timeout_ms = timeout_ms != 0 ? timeout_ms : WATCHDOG_MS};
  tn_result r = tn_connect(w->loop, &o, &side_events, s, &s->stream);
  s->has_stream = tn_ok(r);
  if (!tn_ok(r)) s->disorder++;
}

void side_connect(world *w, side *s) { side_connect_to(w, s, "127.0.0.1", w->port, 0); }

// ---------------------------------------------------------------- raw sockets

static void limit_time(int fd) {
  const struct timeval limit = {WATCHDOG_MS / 1000, 0};
  assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
  assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit), 0);
}

int raw_connect(uint16_t port) { return raw_connect_to(INADDR_LOOPBACK, port); }

int raw_connect_to(uint32_t address, uint16_t port) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_true(fd >= 0);
  limit_time(fd);
  const struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(address)}};
  assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof to), 0);
  return fd;
}

int raw_listen(uint16_t *port, int backlog) { return raw_listen_at(INADDR_LOOPBACK, port, backlog); }

int raw_listen_at(uint32_t address, uint16_t *port, int backlog) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_true(fd >= 0);
  limit_time(fd);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(address)}};
  socklen_t n = sizeof at;
  assert_int_equal(bind(fd, (const struct sockaddr *)&at, sizeof at), 0);
  assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &n), 0);
  if (backlog >= 0) assert_int_equal(listen(fd, backlog), 0);
  *port = ntohs(at.sin_port);
  return fd;
}

long raw_read_all(int fd, uint8_t *out, size_t room) {
  long total = 0;
  uint8_t block[4096];
  for (;;) {
    ssize_t n = read(fd, block, sizeof block);
    if (n < 0) return -errno;
    if (n == 0) return total;
    for (ssize_t i = 0; i < n; i++, total++)
      if ((size_t)total < room) out[total] = block[i];
  }
}

void raw_reset(int fd) {
  const struct linger at_once = {1, 0};
  assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once), 0);
  close(fd);
}

size_t count_fds(void) {
  DIR *d = opendir("/proc/self/fd");
  assert_non_null(d);
  size_t n = 0;
  while (readdir(d) != NULL) n++;
  closedir(d);
  return n;
}
