// Connectors: names and addresses that lead nowhere.
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net_support.h"

static void close_now(side *s) { tn_stream_close(s->stream); }

// The name "several.test" has these addresses; the library's own first call (for addresses in text form) is answered
// with them.
static const char *several[4];

int __real_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found);
int __wrap_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found);
int __wrap_getaddrinfo(const char *host, const char *port, const struct addrinfo *hints, struct addrinfo **found) {
  if (strcmp(host, "several.test") != 0) return __real_getaddrinfo(host, port, hints, found);
  struct addrinfo **end = found;
  for (size_t i = 0; i < COUNT(several) && several[i] != NULL; i++) {
    int error = __real_getaddrinfo(several[i], port, hints, end);
    if (error != 0) return error;
    end = &(*end)->ai_next;
  }
  return 0;
}

static void a_closed_port_refuses(void **state) {
  (void)state;
  size_t before = count_fds();
  world w;
  world_init(&w, 3, NULL);
  uint16_t port;
  int bound = raw_listen(&port, -1);  // bound, not listening
  side four = {0}, six = {0}, named = {0};
  side_connect_to(&w, &four, "127.0.0.1", port, 0);
  side_connect_to(&w, &six, "::1", port, 0);
  memcpy(several, (const char *const[]){"127.0.0.2", "127.0.0.1", NULL}, 3 * sizeof *several);
  side_connect_to(&w, &named, "several.test", port, 0);
  world_start(&w);
  world_finish(&w);
  close(bound);
  char text[100];
  snprintf(text, sizeof text, "could not connect to 127.0.0.1:%u: connection refused", port);
  assert_closed(&four, TN_E_SYSTEM, text);
  assert_closed(&six, TN_E_SYSTEM, NULL);
  snprintf(text, sizeof text, "could not connect to [::1]:%u: ", port);
  assert_memory_equal(six.text, text, strlen(text));
  snprintf(text, sizeof text, "could not connect to several.test:%u: connection refused", port);
  assert_closed(&named, TN_E_SYSTEM, text);
  assert_int_equal(count_fds(), before);
}

static void a_name_that_does_not_exist_is_told_apart(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  char too_long[400];
  memset(too_long, 'a', sizeof too_long - 1);
  too_long[sizeof too_long - 1] = 0;
  side invalid = {0}, length = {0};
  side_connect_to(&w, &invalid, "name.invalid", 443, 15000);
  // An engine may refuse it as a server name; else it cannot be resolved.
  const tn_connect_options o = {
      .host = too_long, .port = 1, .config = client_config(), .server_name = {(const uint8_t *)"x", 1}};
  length.world = &w;
  assert_ok(tn_connect(w.loop, &o, &side_events, &length, &length.stream));
  world_start(&w);
  world_finish(&w);
  assert_closed(&invalid, TN_E_RESOLVE, NULL);
  assert_memory_equal(invalid.text, "could not resolve name.invalid: ", 32);
  assert_closed(&length, TN_E_RESOLVE, NULL);
}

static void a_listener_that_never_speaks_times_out(void **state) {
  (void)state;
  world w;
  world_init(&w, 1, NULL);
  uint16_t port;
  int listener = raw_listen(&port, 5);
  side client = {0};
  side_connect_to(&w, &client, "127.0.0.1", port, 150);
  world_start(&w);
  world_finish(&w);
  close(listener);
  assert_closed(&client, TN_E_TIMED_OUT, "timed out in the handshake");
}

// With a full queue the system does not answer at all.
static void an_address_that_never_answers_times_out(void **state) {
  (void)state;
  world w;
  world_init(&w, 1, NULL);
  uint16_t port;
  int listener = raw_listen(&port, 0);
  int waiting = raw_connect(port);  // fills a queue of one
  side client = {0};
  side_connect_to(&w, &client, "127.0.0.1", port, 200);
  world_start(&w);
  world_finish(&w);
  close(waiting);
  close(listener);
  char text[100];
  snprintf(text, sizeof text, "could not connect to 127.0.0.1:%u: connection timed out", port);
  assert_closed(&client, TN_E_TIMED_OUT, text);
}

static void every_address_of_a_name_is_tried(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      {"127.0.0.2", "127.0.0.1", NULL}, {"::1", "127.0.0.2", "127.0.0.1"}, {"127.0.0.1", "::1", NULL}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    memcpy(several, cases[i], sizeof cases[i]);
    world w;
    world_init(&w, 2, NULL);
    side client = {.on_open = close_now};
    side_connect_to(&w, &client, "several.test", w.port, 0);
    world_start(&w);
    world_finish(&w);
    assert_closed(&client, TN_E_NONE, "closed");
    assert_int_equal(client.opens, 1);
  }
  // Where none answers, the last word is the most telling.
  memcpy(several, cases[0], sizeof cases[0]);
  world w;
  world_init(&w, 1, NULL);
  uint16_t port;
  int bound = raw_listen(&port, -1);
  side client = {0};
  side_connect_to(&w, &client, "several.test", port, 0);
  world_start(&w);
  world_finish(&w);
  close(bound);
  char text[100];
  snprintf(text, sizeof text, "could not connect to several.test:%u: connection refused", port);
  assert_closed(&client, TN_E_SYSTEM, text);
}

// One that does not answer leaves time for the next.
static void a_dead_address_does_not_take_all_the_time(void **state) {
  (void)state;
  static const char *const addresses[] = {"127.0.0.2", "127.0.0.1", NULL};
  memcpy(several, addresses, sizeof addresses);
  // The same port at two addresses: one whose queue is full, one of a listener of ours.
  uint16_t port;
  int dead = raw_listen_at(0x7f000002, &port, 0);
  int waiting = raw_connect_to(0x7f000002, port);
  world w;
  const tn_listen_options here = {.port = port};
  world_init(&w, 2, &here);
  side client = {.on_open = close_now};
  side_connect_to(&w, &client, "several.test", port, 2000);
  world_start(&w);
  world_finish(&w);
  close(waiting);
  close(dead);
  assert_closed(&client, TN_E_NONE, "closed");
}

static void a_connecting_stream_may_be_aborted_and_closed(void **state) {
  (void)state;
  const char *const hosts[] = {"127.0.0.1", "localhost", "name.invalid"};
  for (size_t i = 0; i < COUNT(hosts); i++)
    for (int close_it = 0; close_it < 2; close_it++) {
      world w;
      world_init(&w, 1, NULL);
      uint16_t port;
      int listener = raw_listen(&port, 5);
      side client = {0};
      side_connect_to(&w, &client, hosts[i], port, 0);
      if (close_it)
        tn_stream_close(client.stream);
      else
        tn_stream_abort(client.stream);
      assert_int_equal(client.closes, 0);
      world_start(&w);
      world_finish(&w);
      close(listener);
      assert_closed(&client, TN_E_CANCELED, "canceled");
    }
}

static void bad_options_are_refused_at_once(void **state) {
  (void)state;
  static const tn_stream_events no_close = {0};
  world w;
  world_init(&w, 0, NULL);
  tn_stream *s;
  const tn_connect_options good = {.host = "127.0.0.1", .port = 1, .config = client_config()};
  tn_connect_options o = good;
  o.host = "";
  assert_fails(tn_connect(w.loop, &o, &side_events, NULL, &s), BAD_ARGUMENT);
  assert_null(s);
  o = good;
  o.config = NULL;
  assert_fails(tn_connect(w.loop, &o, &side_events, NULL, &s), BAD_ARGUMENT);
  assert_fails(tn_connect(w.loop, &good, &no_close, NULL, &s), BAD_ARGUMENT);
  tn_loop_free(w.loop);
  uv_sem_destroy(&w.done);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_closed_port_refuses),
      cmocka_unit_test(a_name_that_does_not_exist_is_told_apart),
      cmocka_unit_test(a_listener_that_never_speaks_times_out),
      cmocka_unit_test(an_address_that_never_answers_times_out),
      cmocka_unit_test(every_address_of_a_name_is_tried),
      cmocka_unit_test(a_dead_address_does_not_take_all_the_time),
      cmocka_unit_test(a_connecting_stream_may_be_aborted_and_closed),
      cmocka_unit_test(bad_options_are_refused_at_once),
  };
  int failed = run_net_tests(tests);
  configs_free();
  return failed;
}
