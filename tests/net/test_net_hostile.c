// Peers that are no TLS peers, or not for long: raw sockets against a listener.
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/loop.h"
#include "net_support.h"

static const tn_listen_options quick = {.handshake_ms = 150};

// The first flight of a client: enough of a record to begin with.
static const uint8_t half_a_record[] = {22, 3, 1, 1, 0, 1, 0, 0, 252, 3, 3};

static void a_silent_peer_times_out_in_the_handshake(void **state) {
  (void)state;
  world w;
  world_init(&w, 1, &quick);
  world_start(&w);
  int fd = raw_connect(w.port);
  assert_int_equal(raw_read_all(fd, NULL, 0), 0);
  world_finish(&w);
  close(fd);
  assert_closed(&w.accepted[0], TN_E_TIMED_OUT, "timed out in the handshake");
  assert_int_equal(w.accepted[0].opens, 0);
}

// Bytes now and then do not prolong the handshake.
static void a_trickling_peer_times_out_too(void **state) {
  (void)state;
  world w;
  world_init(&w, 1, &quick);
  world_start(&w);
  int fd = raw_connect(w.port);
  for (size_t i = 0; i < 20; i++) {
    if (send(fd, &half_a_record[i < sizeof half_a_record ? i : 10], 1, MSG_NOSIGNAL) != 1) break;
    usleep(20000);
  }
  world_finish(&w);
  close(fd);
  assert_closed(&w.accepted[0], TN_E_TIMED_OUT, "timed out in the handshake");
}

static void a_peer_that_resets_is_told_apart(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  world_start(&w);
  raw_reset(raw_connect(w.port));
  int fd = raw_connect(w.port);
  assert_int_equal(write(fd, half_a_record, sizeof half_a_record), sizeof half_a_record);
  raw_reset(fd);
  world_finish(&w);
  for (size_t i = 0; i < 2; i++) assert_closed(&w.accepted[i], TN_E_SYSTEM, "connection reset by peer");
}

static void a_peer_that_goes_in_the_handshake_is_told_apart(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  world_start(&w);
  close(raw_connect(w.port));
  int fd = raw_connect(w.port);
  assert_int_equal(write(fd, half_a_record, sizeof half_a_record), sizeof half_a_record);
  // It only ends its own direction: ours is closed at once all the same.
  assert_int_equal(shutdown(fd, SHUT_WR), 0);
  assert_int_equal(raw_read_all(fd, NULL, 0), 0);
  close(fd);
  world_finish(&w);
  for (size_t i = 0; i < 2; i++)
    assert_closed(&w.accepted[i], TN_E_SYSTEM, "handshake failed: the peer closed the connection");
}

// The alert must arrive, and after it an orderly end, even where the peer had sent much that nobody read: a socket
// that is closed over unread bytes sends a reset, which would destroy the alert.
static void the_alert_reaches_a_peer_that_sends_garbage(void **state) {
  (void)state;
  static uint8_t garbage[400000];
  memset(garbage, 'x', sizeof garbage);
  const size_t lengths[] = {5, 100, 70000, sizeof garbage};
  for (size_t i = 0; i < COUNT(lengths); i++) {
    world w;
    world_init(&w, 1, NULL);
    world_start(&w);
    int fd = raw_connect(w.port);
    assert_int_equal(send(fd, garbage, lengths[i], MSG_NOSIGNAL), lengths[i]);
    usleep(20000);
    uint8_t alert[64] = {0};
    assert_true(raw_read_all(fd, alert, sizeof alert) >= 7);
    assert_int_equal(alert[0], 21);
    assert_int_equal(alert[1], 3);
    close(fd);
    world_finish(&w);
    assert_closed(&w.accepted[0], TN_E_NOT_TLS, NULL);
    assert_memory_equal(w.accepted[0].text, "handshake failed: ", 18);
    assert_non_null(strstr(w.accepted[0].text, "sent alert unexpected_message"));
  }
}

// A peer that never ends after our alert is not waited for long.
static void a_peer_that_stays_after_the_alert_is_left(void **state) {
  (void)state;
  world w;
  world_init(&w, 1, NULL);
  w.loop->drain_ms = 100;
  world_start(&w);
  int fd = raw_connect(w.port);
  assert_int_equal(send(fd, "garbage", 7, MSG_NOSIGNAL), 7);
  world_finish(&w);
  assert_closed(&w.accepted[0], TN_E_NOT_TLS, NULL);
  close(fd);
}

// The other way round: a server that answers our client with an alert and closes.
static void the_clients_close_names_the_alert_that_it_got(void **state) {
  (void)state;
  static const uint8_t handshake_failure[] = {21, 3, 3, 0, 2, 2, 40};
  world w;
  world_init(&w, 1, NULL);
  uint16_t port;
  int listener = raw_listen(&port, 5);
  side client = {0};
  side_connect_to(&w, &client, "127.0.0.1", port, 0);
  world_start(&w);
  int fd = accept(listener, NULL, NULL);
  assert_true(fd >= 0);
  uint8_t hello[5];
  assert_int_equal(recv(fd, hello, sizeof hello, MSG_WAITALL), sizeof hello);
  assert_int_equal(hello[0], 22);
  assert_int_equal(write(fd, handshake_failure, sizeof handshake_failure), sizeof handshake_failure);
  shutdown(fd, SHUT_WR);
  world_finish(&w);
  close(fd);
  close(listener);
  assert_closed(&client, TN_E_PEER_ALERT, NULL);
  assert_memory_equal(client.text, "handshake failed: ", 18);
  assert_non_null(strstr(client.text, "handshake_failure"));
}

static void descriptors_are_all_given_back(void **state) {
  (void)state;
  size_t before = count_fds();
  a_silent_peer_times_out_in_the_handshake(state);
  a_peer_that_resets_is_told_apart(state);
  the_alert_reaches_a_peer_that_sends_garbage(state);
  the_clients_close_names_the_alert_that_it_got(state);
  assert_int_equal(count_fds(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_silent_peer_times_out_in_the_handshake),
      cmocka_unit_test(a_trickling_peer_times_out_too),
      cmocka_unit_test(a_peer_that_resets_is_told_apart),
      cmocka_unit_test(a_peer_that_goes_in_the_handshake_is_told_apart),
      cmocka_unit_test(the_alert_reaches_a_peer_that_sends_garbage),
      cmocka_unit_test(a_peer_that_stays_after_the_alert_is_left),
      cmocka_unit_test(the_clients_close_names_the_alert_that_it_got),
      cmocka_unit_test(descriptors_are_all_given_back),
  };
  int failed = run_net_tests(tests);
  configs_free();
  return failed;
}
