// Listeners: where they listen, whom they take, what happens when descriptors run out.
#include <errno.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "net_support.h"

static bool refuse_all(tn_listener *l, void *ctx, tn_stream *s, const tn_stream_events **e, void **c) {
  (void)l, (void)ctx, (void)s, (void)e, (void)c;
  return false;
}

static void a_listener_says_why_it_cannot_listen(void **state) {
  (void)state;
  size_t before = count_fds();
  world w;
  world_init(&w, 0, NULL);
  const struct {
    const char *address;
    uint16_t port;
    tn_reason reason;
    const char *why;
  } cases[] = {
      {"127.0.0.1", w.port, TN_E_SYSTEM, "address already in use"},
      {"192.0.2.77", 0, TN_E_SYSTEM, "address not available"},
      {"localhost", 0, TN_E_BAD_ARGUMENT, "not an IP address"},
      {"", 0, TN_E_BAD_ARGUMENT, "not an IP address"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    const tn_listen_options o = {
        .address = cases[i].address, .port = cases[i].port, .config = server_config(), .on_accept = refuse_all};
    tn_listener *l;
    const char *why = NULL;
    tn_result r = tn_listen(w.loop, &o, &l, &why);
    assert_string_equal(tn_reason_name(r.reason), tn_reason_name(cases[i].reason));
    assert_string_equal(why, cases[i].why);
    assert_null(l);
    r = tn_listen(w.loop, &o, &l, NULL);
    assert_false(tn_ok(r));
  }
  // A closed listener's port is free at once.
  uint16_t port = w.port;
  tn_listener_close(w.listener);
  const tn_listen_options again = {
      .address = "127.0.0.1", .port = port, .config = server_config(), .on_accept = refuse_all};
  const char *why = "";
  tn_result r = tn_listen(w.loop, &again, &w.listener, &why);
  if (!tn_ok(r)) fail_msg("%s", why);
  assert_int_equal(tn_listener_port(w.listener), port);
  tn_loop_free(w.loop);
  uv_sem_destroy(&w.done);
  assert_int_equal(count_fds(), before);
}

static void a_refused_connection_is_closed_without_events(void **state) {
  (void)state;
  world w;
  world_init(&w, 1, NULL);
  w.refuse = true;
  side client = {0};
  side_connect(&w, &client);
  world_start(&w);
  world_finish(&w);
  assert_int_equal(w.n_accepted, 0);
  assert_int_equal(client.closes, 1);
  assert_int_equal(client.opens, 0);
  assert_int_equal(client.why.reason, TN_E_SYSTEM);
}

// ---------------------------------------------------------------- the limit

static unsigned open_now, most_open;

static void opened(side *s) {
  (void)s;
  if (++open_now > most_open) most_open = open_now;
}

static void closed(side *s) {
  if (s->opens != 0) open_now--;
}

static void close_later(uv_timer_t *timer) {
  side *s = timer->data;
  if (s->has_stream) tn_stream_close(s->stream);
}

static void stay_a_while(side *s) {
  uv_timer_init(tn_loop_uv(s->world->loop), &s->timer);
  s->timer.data = s;
  uv_timer_start(&s->timer, close_later, 15, 0);
}

static void connections_over_the_limit_wait_their_turn(void **state) {
  (void)state;
  enum { CLIENTS = 12 };
  world w;
  const tn_listen_options three = {.max_streams = 3};
  world_init(&w, 2 * CLIENTS, &three);
  open_now = most_open = 0;
  w.server_side.on_open = opened;
  w.server_side.on_close = closed;
  side clients[CLIENTS];
  memset(clients, 0, sizeof clients);
  for (size_t i = 0; i < CLIENTS; i++) {
    clients[i].on_open = stay_a_while;
    side_connect(&w, &clients[i]);
  }
  world_start(&w);
  world_finish(&w);
  assert_int_equal(most_open, 3);
  for (size_t i = 0; i < CLIENTS; i++) {
    assert_closed(&clients[i], TN_E_NONE, "closed");
    assert_closed(&w.accepted[i], TN_E_NONE, "closed");
  }
}

// ---------------------------------------------------------------- want of descriptors

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void close_now(side *s) { tn_stream_close(s->stream); }

static void end_world(side *s) { s->world->expected = s->world->closes + 1; }

static void connect_side(void *arg) {
  side *s = arg;
  side_connect(s->world, s);
}

enum { RAW = 8, FILL = 300 };

typedef struct shortage {
  int fds[RAW];  // sockets to connect with, made before
  int fill[FILL];
  size_t n_fill;
  struct rlimit before;
} shortage;

// Leaves no descriptor: by a limit below every number in use (then not even the reserve helps), or by using up all
// below the limit.
static void begin_shortage(shortage *s, bool reserve_helps) {
  for (size_t i = 0; i < RAW; i++) {
    s->fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(s->fds[i] >= 0);
  }
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &s->before), 0);
  struct rlimit low = s->before;
  low.rlim_cur = reserve_helps ? FILL : 0;
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
  s->n_fill = 0;
  for (int fd; (fd = dup(0)) >= 0;) s->fill[s->n_fill++] = fd;
}

static void end_shortage(shortage *s) {
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &s->before), 0);
  while (s->n_fill > 0) close(s->fill[--s->n_fill]);
  for (size_t i = 0; i < RAW; i++) close(s->fds[i]);
}

static void meet(void *met) { uv_sem_post(met); }

// Waits until the loop's thread runs.
static void meet_loop(tn_loop *loop) {
  uv_sem_t met;
  assert_int_equal(uv_sem_init(&met, 0), 0);
  assert_ok(tn_loop_post(loop, meet, &met));
  uv_sem_wait(&met);
  uv_sem_destroy(&met);
}

// The loop neither spins meanwhile nor stays deaf afterwards.
static void a_want_of_descriptors_passes(void **state) {
  (void)state;
  for (int reserve_helps = 0; reserve_helps < 2; reserve_helps++) {
    world w;
    world_init(&w, SIZE_MAX, NULL);
    world_start(&w);
    meet_loop(w.loop);  // its own descriptors are open by then
    shortage s;
    begin_shortage(&s, reserve_helps);
    const struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(w.port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    double before = cpu_seconds();
    size_t dropped = 0;
    for (size_t i = 0; i < RAW; i++) assert_int_equal(connect(s.fds[i], (const struct sockaddr *)&to, sizeof to), 0);
    usleep(300000);
    for (size_t i = 0; i < RAW; i++) {
      uint8_t byte;
      ssize_t n = recv(s.fds[i], &byte, 1, reserve_helps ? 0 : MSG_DONTWAIT);
      dropped += n == 0 || (n < 0 && errno == ECONNRESET);
    }
    double spent = cpu_seconds() - before;
    end_shortage(&s);
    assert_true(spent < 0.15);
    assert_int_equal(dropped, reserve_helps ? RAW : 0);  // without it they wait in the queue

    side client = {.on_open = close_now, .on_close = end_world, .world = &w};
    assert_ok(tn_loop_post(w.loop, connect_side, &client));
    world_finish(&w);
    assert_closed(&client, TN_E_NONE, "closed");
    assert_true(w.n_accepted >= 1);
  }
}

// ---------------------------------------------------------------- closing, and other configurations

static void close_listener(side *s) {
  tn_listener_close(s->world->listener);
  stay_a_while(s);
}

static void the_streams_of_a_closed_listener_live_on(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  w.server_side.on_open = close_listener;
  side client = {0};
  side_connect(&w, &client);
  world_start(&w);
  world_finish(&w);
  assert_closed(&client, TN_E_NONE, "closed");
  assert_closed(&w.accepted[0], TN_E_NONE, "closed");
}

static uint16_t suite_of_client;

static void note_suite(side *s) {
  tn_conn_info info;
  tn_conn_get_info(tn_stream_conn(s->stream), &info);
  suite_of_client = info.suite_id;
  tn_stream_close(s->stream);
}

static void new_connections_get_the_new_configuration(void **state) {
  (void)state;
  static const uint16_t suites[] = {0x1301, 0x1303};
  for (size_t i = 0; i < COUNT(suites); i++) {
    world w;
    world_init(&w, 2, NULL);
    tn_config *other = new_server_config();
    assert_ok(tn_config_set_suites(other, &suites[i], 1));
    tn_listener_set_config(w.listener, other);
    tn_listener_set_config(w.listener, other);
    tn_config_unref(other);
    side client = {.on_open = note_suite};
    side_connect(&w, &client);
    world_start(&w);
    world_finish(&w);
    assert_closed(&client, TN_E_NONE, "closed");
    assert_int_equal(suite_of_client, suites[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_listener_says_why_it_cannot_listen),
      cmocka_unit_test(a_refused_connection_is_closed_without_events),
      cmocka_unit_test(connections_over_the_limit_wait_their_turn),
      cmocka_unit_test(a_want_of_descriptors_passes),
      cmocka_unit_test(the_streams_of_a_closed_listener_live_on),
      cmocka_unit_test(new_connections_get_the_new_configuration),
  };
  int failed = run_net_tests(tests);
  configs_free();
  return failed;
}
