#define _GNU_SOURCE
#include "serve/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "serve/connection.h"
#include "serve/identities.h"
#include "serve/options.h"
#include "serve/text.h"

enum {
  FINISH_MS = 5000,       // for answers under way when the server is told to end
  SPARE_DESCRIPTORS = 64  // that are not connections'
};

typedef struct server {
  tn_connections connections;
  tn_config *config;
  tn_loop *loop;
  int *roots;
  size_t n_roots;
  tn_listener **listeners;
  size_t n_listeners;
  uv_signal_t interrupt;
  uv_signal_t terminate;
  uv_timer_t patience;
  bool ending;
} server;

static int64_t now(void) { return (int64_t)time(NULL); }

// ---------------------------------------------------------------- the start

static int open_roots(server *s, const tn_option_list *roots) {
  s->roots = calloc(roots->n, sizeof *s->roots);
  if (s->roots == NULL) return tn_failed("serve", tn_reason_text(TN_E_NO_MEMORY));
  for (size_t i = 0; i < roots->n; i++) {
    int fd = open(roots->items[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return tn_failed(roots->items[i], strerror(errno));
    s->roots[s->n_roots++] = fd;
  }
  s->connections.site =
      (tn_http_site){.roots = s->roots, .n_roots = s->n_roots, .pages = &tn_connection_page, .n_pages = 1, .now = now};
  return 0;
}

static int make_config(server *s, const tn_serve_options *options) {
  const tn_span protocols[] = {tn_text("http/1.1"), tn_text("http/1.0")};
  tn_result r = tn_config_new(TN_SERVER, NULL, &s->config);
  if (tn_ok(r)) r = tn_config_set_alpn(s->config, protocols, 2);
  if (!tn_ok(r)) return tn_failed("serve", tn_reason_text(r.reason));
  return tn_serve_add_identities(options, s->config);
}

// How many connections there are descriptors for: each may have a file open.
static size_t connections_at_once(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur == RLIM_INFINITY) return 0;
  return limit.rlim_cur > 2 * SPARE_DESCRIPTORS ? (size_t)(limit.rlim_cur - SPARE_DESCRIPTORS) / 2 : SPARE_DESCRIPTORS;
}

static bool has_ipv6(void) {
  const struct sockaddr_in6 any = {.sin6_family = AF_INET6};
  int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  bool bound = bind(fd, (const struct sockaddr *)&any, sizeof any) == 0;
  close(fd);
  return bound;
}

static void print_url(const char *address, uint16_t port) {
  static const char *const local[] = {"::", "0.0.0.0", "::1", "127.0.0.1"};
  bool is_v6 = strchr(address, ':') != NULL;
  for (size_t i = 0; i < sizeof local / sizeof *local; i++) {
    if (strcmp(address, local[i]) == 0) address = "localhost", is_v6 = false;
  }
  printf(is_v6 ? "https://[%s]:%u/\n" : "https://%s:%u/\n", address, port);
  fflush(stdout);
}

static int listen_at(server *s, const char *address, const char *port, size_t max_streams) {
  const tn_listen_options options = {
      .address = address,
      .port = (uint16_t)strtoul(port, NULL, 10),
      .config = s->config,
      .max_streams = max_streams,
      .on_accept = tn_connection_accept,
      .ctx = &s->connections,
  };
  const char *why = NULL;
  tn_result r = tn_listen(s->loop, &options, &s->listeners[s->n_listeners], &why);
  if (tn_ok(r)) {
    s->n_listeners++;
    return 0;
  }
  char thing[80];
  bool is_any = strcmp(address, "::") == 0 || strcmp(address, "0.0.0.0") == 0;
  snprintf(thing, sizeof thing, "%s%sport %s", is_any ? "" : address, is_any ? "" : " ", port);
  return tn_failed(thing, why != NULL ? why : tn_reason_text(r.reason));
}

static int listen_everywhere(server *s, const tn_serve_options *o) {
  const char *any = has_ipv6() ? "::" : "0.0.0.0";
  const char *const *addresses = o->addresses.n != 0 ? o->addresses.items : &any;
  size_t n_addresses = o->addresses.n != 0 ? o->addresses.n : 1;
  size_t n = n_addresses * o->ports.n;
  size_t at_once = connections_at_once();
  s->listeners = calloc(n, sizeof(tn_listener *));
  if (s->listeners == NULL) return tn_failed("serve", tn_reason_text(TN_E_NO_MEMORY));
  for (size_t i = 0; i < n; i++) {
    size_t share = at_once == 0 ? 0 : 1 + at_once / n;
    if (listen_at(s, addresses[i % n_addresses], o->ports.items[i / n_addresses], share) != 0) return 1;
  }
  for (size_t i = 0; i < n; i++) print_url(addresses[i % n_addresses], tn_listener_port(s->listeners[i]));
  return 0;
}

// ---------------------------------------------------------------- the end

static void on_none(tn_connections *all) {
  server *s = (server *)((char *)all - offsetof(server, connections));
  if (s->ending) tn_loop_stop(s->loop);
}

static void on_patience_ends(uv_timer_t *timer) { tn_loop_stop(((server *)timer->data)->loop); }

// The first signal lets answers under way be finished; the second ends everything.
static void on_signal(uv_signal_t *signal, int number) {
  (void)number;
  server *s = signal->data;
  if (s->ending) {
    tn_loop_stop(s->loop);
    return;
  }
  s->ending = true;
  for (size_t i = 0; i < s->n_listeners; i++) tn_listener_close(s->listeners[i]);
  uv_timer_start(&s->patience, on_patience_ends, FINISH_MS, 0);
  if (s->connections.first == NULL) tn_loop_stop(s->loop);
  tn_connections_finish(&s->connections);
}

static int watch_signals(server *s) {
  uv_loop_t *loop = tn_loop_uv(s->loop);
  s->interrupt.data = s->terminate.data = s->patience.data = s;
  int error = uv_timer_init(loop, &s->patience);
  if (error == 0) error = uv_signal_init(loop, &s->interrupt);
  if (error == 0) error = uv_signal_init(loop, &s->terminate);
  if (error == 0) error = uv_signal_start(&s->interrupt, on_signal, SIGINT);
  if (error == 0) error = uv_signal_start(&s->terminate, on_signal, SIGTERM);
  return error == 0 ? 0 : tn_failed("signals", uv_strerror(error));
}

static void server_free(server *s) {
  tn_loop_free(s->loop);  // closes what is on it
  tn_config_unref(s->config);
  for (size_t i = 0; i < s->n_roots; i++) close(s->roots[i]);
  free(s->roots);
  free(s->listeners);
}

// ---------------------------------------------------------------- the subcommand

static int serve(const tn_serve_options *options) {
  server s = {.connections = {.verbose = options->verbose, .on_none = on_none}};
  int status = open_roots(&s, &options->roots);
  if (status == 0) status = make_config(&s, options);
  if (status == 0) {
    tn_result r = tn_loop_new(&s.loop);
    if (!tn_ok(r)) status = tn_failed("serve", tn_reason_text(r.reason));
  }
  if (status == 0) status = watch_signals(&s);
  if (status == 0) status = listen_everywhere(&s, options);
  if (status == 0) tn_loop_run(s.loop);
  server_free(&s);
  return status;
}

static int run(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  tn_serve_options options;
  int status = tn_serve_options_parse(argc, argv, &options);
  if (status == 0) status = serve(&options);
  tn_serve_options_free(&options);
  return status;
}

const tn_command tn_command_serve = {
    .name = "serve",
    .summary = "serves files over HTTPS",
    .usage =
        "Usage: tenon serve [OPTION]...\n"
        "\n"
        "Serves the files of a directory over HTTPS until it is told to end by SIGINT or SIGTERM. Prints the URL once\n"
        "it listens, then a line for each request; a connection that fails is told of on standard error.\n"
        "\n"
        "  -p PORT      listens on this port (default 8443; 0 is any free one); may be repeated\n"
        "  -l ADDR      listens on this IP address (default: on all); may be repeated\n"
        "  -D DIR       serves this directory (default: the current one); of several, the first that has a file\n"
        "  -C CERT.pem  answers with this certificate and the chain behind it; may be repeated: each serves the names\n"
        "               in it, and a name may have one of each type of key (ECDSA, RSA, ...). Without it a P-256\n"
        "               certificate is made on the spot and its fingerprint told\n"
        "  -K KEY.pem   a private key; each finds its certificate itself. One may also stand in the -C file\n"
        "  -B           strong cryptography only. There is nothing else so far: it changes nothing yet\n"
        "  -v           tells of every connection on standard error\n"
        "\n"
        "No name that begins with a dot is served, except /.well-known (RFC 8615); no symbolic link leads out of a\n"
        "directory.\n"
        "https://HOST:PORT/.tenon/connection tells as JSON what was negotiated for the connection.\n",
    .run = run,
};
