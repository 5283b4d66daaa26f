// Streams between our own two ends.
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "net/stream.h"
#include "net_support.h"

// ---------------------------------------------------------------- data

static void echo(side *s, const uint8_t *data, size_t n) {
  if (!tn_ok(side_write(s, data, n))) s->disorder++;
}

static void say_hello(side *s) {
  s->to_send = 1000;
  side_pump(s, SIZE_MAX, false);
}

static void close_when_all_came(side *s, const uint8_t *data, size_t n) {
  (void)data, (void)n;
  if (s->received == s->to_send) tn_stream_close(s->stream);
}

static void what_is_said_comes_back(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  w.server_side.on_data = echo;
  side client = {.on_open = say_hello, .on_data = close_when_all_came};
  side_connect(&w, &client);
  world_start(&w);
  world_finish(&w);
  assert_closed(&client, TN_E_NONE, "closed");
  assert_closed(&w.accepted[0], TN_E_NONE, "closed");
  assert_int_equal(client.received, 1000);
  assert_int_equal(client.wrong_bytes, 0);
  assert_int_equal(w.accepted[0].received, 1000);
  assert_int_equal(w.accepted[0].ends, 1);
  assert_true(client.drains >= 1);
}

#define BULK (20u << 20)  // more than all the system's buffers take
#define EXCHANGE (5u << 20)
#define WINDOW 262144

static void pump_window(side *s) { side_pump(s, WINDOW, true); }

static void begin_bulk(side *s) {
  s->to_send = BULK;
  pump_window(s);
}

static void begin_sending(side *s) {
  s->to_send = EXCHANGE;
  pump_window(s);
}

static void resume(uv_timer_t *timer) {
  side *s = timer->data;
  if (s->has_stream) side_read(s, true);
}

// Pauses now and then, for some milliseconds.
static void pause_at_random(side *s, const uint8_t *data, size_t n) {
  (void)data, (void)n;
  if (test_rng_next(&s->rng) % 40 != 0) return;
  side_read(s, false);
  uv_timer_start(&s->timer, resume, test_rng_next(&s->rng) % 4, 0);
}

static void prepare_timer(side *s) {
  uv_timer_init(tn_loop_uv(s->world->loop), &s->timer);
  s->timer.data = s;
}

static void bulk_data_arrives_whole_at_readers_that_pause(void **state) {
  (void)state;
  enum { CLIENTS = 4 };
  world w;
  world_init(&w, 2 * CLIENTS, NULL);
  w.server_side.on_open = begin_sending;
  w.server_side.on_drain = pump_window;
  side clients[CLIENTS];
  memset(clients, 0, sizeof clients);
  for (size_t i = 0; i < CLIENTS; i++) {
    clients[i].rng.state = i + 1;
    clients[i].on_open = prepare_timer;
    clients[i].on_data = pause_at_random;
    side_connect(&w, &clients[i]);
  }
  world_start(&w);
  world_finish(&w);
  for (size_t i = 0; i < CLIENTS; i++) {
    assert_closed(&clients[i], TN_E_NONE, "closed");
    assert_closed(&w.accepted[i], TN_E_NONE, "closed");
    assert_int_equal(clients[i].received, EXCHANGE);
    assert_int_equal(clients[i].wrong_bytes, 0);
    // One write of at most 40,000 bytes above the window, and the records' overhead.
    assert_in_range(w.accepted[i].most_queued, 1, WINDOW + 41000);
  }
}

static void pump_on(side *s) { side_pump(s, WINDOW, false); }

static void begin_exchange(side *s) {
  s->to_send = EXCHANGE;
  pump_on(s);
}

static void close_when_exchanged(side *s, const uint8_t *data, size_t n) {
  (void)data, (void)n;
  if (s->received == EXCHANGE && s->sent == EXCHANGE) tn_stream_close(s->stream);
}

static void both_directions_at_once(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  side client = {.on_open = begin_exchange, .on_drain = pump_on, .on_data = close_when_exchanged};
  w.server_side = client;
  side_connect(&w, &client);
  world_start(&w);
  world_finish(&w);
  const side *ends[] = {&client, &w.accepted[0]};
  for (size_t i = 0; i < COUNT(ends); i++) {
    assert_closed(ends[i], TN_E_NONE, "closed");
    assert_int_equal(ends[i]->received, EXCHANGE);
    assert_int_equal(ends[i]->wrong_bytes, 0);
  }
}

// ---------------------------------------------------------------- back-pressure

static void stop_reading(side *s) { side_read(s, false); }

static void abort_the_other(uv_timer_t *timer) {
  side *s = timer->data;
  tn_stream_abort(s->stream);
}

// The reader never reads: the writer's window fills, then it writes nothing more.
static void begin_bulk_for_a_while(side *s) {
  prepare_timer(s);
  uv_timer_start(&s->timer, abort_the_other, 300, 0);
  begin_bulk(s);
}

// A client that does not read does not see the server's end either.
static side *deaf;

static void abort_the_deaf(side *s) {
  (void)s;
  tn_stream_abort(deaf->stream);
}

static void a_reader_that_does_not_read_stops_the_writer(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  w.server_side.on_open = begin_bulk_for_a_while;
  w.server_side.on_drain = pump_window;
  w.server_side.on_close = abort_the_deaf;
  side client = {.on_open = stop_reading};
  deaf = &client;
  side_connect(&w, &client);
  world_start(&w);
  world_finish(&w);
  const side *server = &w.accepted[0];
  assert_closed(server, TN_E_CANCELED, "canceled");
  assert_closed(&client, TN_E_CANCELED, "canceled");
  assert_int_equal(client.received, 0);
  assert_in_range(server->sent, WINDOW, BULK - 1);
  assert_in_range(server->most_queued, WINDOW, WINDOW + 41000);
}

// An idle stream holds no buffer; all of them are back in the loop's pool.
static size_t idle_buffers_held;

static void look_at_buffers(uv_timer_t *timer) {
  side *s = timer->data;
  idle_buffers_held = (s->stream->in != NULL) + (s->stream->out != NULL);
  tn_stream_close(s->stream);
}

static void look_later(side *s, const uint8_t *data, size_t n) {
  (void)data, (void)n;
  if (s->received != s->to_send) return;
  prepare_timer(s);
  uv_timer_start(&s->timer, look_at_buffers, 20, 0);
}

static void an_idle_stream_holds_no_buffer(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  w.server_side.on_data = echo;
  side client = {.on_open = say_hello, .on_data = look_later};
  side_connect(&w, &client);
  idle_buffers_held = 99;
  world_start(&w);
  world_finish(&w);
  assert_int_equal(idle_buffers_held, 0);
}

// ---------------------------------------------------------------- closing

static void say_and_close(side *s) {
  say_hello(s);
  tn_stream_close(s->stream);
  if (side_write(s, "x", 1).reason != TN_E_BAD_STATE) s->disorder++;
  tn_stream_close(s->stream);
}

// TLS half-close: the client's direction ends, the server still answers at length.
static void end_direction(side *s) {
  tn_stream_end(s->stream);
  if (side_write(s, "x", 1).reason != TN_E_BAD_STATE) s->disorder++;
  tn_stream_end(s->stream);
}

// With the events that are being delivered.
static void end_at_once(side *s) {
  say_hello(s);
  end_direction(s);
}

static void end_by_timer(uv_timer_t *timer) { end_direction(timer->data); }

// In between.
static void end_later(side *s) {
  say_hello(s);
  prepare_timer(s);
  uv_timer_start(&s->timer, end_by_timer, 20, 0);
}

static void answer_at_length(side *s) {
  s->to_send = 3000000;
  side_pump(s, WINDOW, true);
}

static void half_closed_streams_go_on_in_the_other_direction(void **state) {
  (void)state;
  void (*const ways[])(side *) = {end_at_once, end_later};
  for (size_t i = 0; i < COUNT(ways); i++) {
    world w;
    world_init(&w, 2, NULL);
    w.server_side.on_end = answer_at_length;
    w.server_side.on_drain = pump_window;
    side client = {.on_open = ways[i]};
    side_connect(&w, &client);
    world_start(&w);
    world_finish(&w);
    assert_closed(&client, TN_E_NONE, "closed");
    assert_closed(&w.accepted[0], TN_E_NONE, "closed");
    assert_int_equal(w.accepted[0].received, 1000);
    assert_int_equal(client.received, 3000000);
    assert_int_equal(client.wrong_bytes, 0);
    assert_int_equal(client.ends, 1);
  }
}

static void what_was_written_before_close_arrives(void **state) {
  (void)state;
  for (int no_end = 0; no_end < 2; no_end++) {
    world w;
    world_init(&w, 2, NULL);
    w.server_side.no_end = no_end;
    side client = {.on_open = say_and_close};
    side_connect(&w, &client);
    world_start(&w);
    world_finish(&w);
    assert_closed(&client, TN_E_NONE, "closed");
    assert_closed(&w.accepted[0], TN_E_NONE, "closed");
    assert_int_equal(w.accepted[0].received, 1000);
    assert_int_equal(w.accepted[0].wrong_bytes, 0);
    assert_int_equal(w.accepted[0].ends, !no_end);
  }
}

// Closing while the peer is still sending: our last words must not be destroyed by a reset.
static void answer_and_close(side *s, const uint8_t *data, size_t n) {
  (void)data, (void)n;
  say_hello(s);
  tn_stream_close(s->stream);
}

static void stay_open(side *s) { tn_stream_close(s->stream); }

static void an_early_answer_survives_the_peers_sending(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  w.server_side.on_data = answer_and_close;
  side client = {.on_open = begin_bulk, .on_end = stay_open};
  side_connect(&w, &client);
  world_start(&w);
  world_finish(&w);
  assert_closed(&w.accepted[0], TN_E_NONE, "closed");
  assert_int_equal(client.received, 1000);
  assert_int_equal(client.wrong_bytes, 0);
}

static void abort_now(side *s) {
  tn_stream_abort(s->stream);
  if (s->closes != 0) s->disorder++;  // never from inside the call
  tn_stream_abort(s->stream);
  tn_stream_close(s->stream);
  tn_stream_read(s->stream, true);
  tn_stream_deadline(s->stream, 5);
  if (side_write(s, "x", 1).reason != TN_E_BAD_STATE) s->disorder++;
}

static void abort_on_data(side *s, const uint8_t *data, size_t n) {
  (void)data, (void)n;
  abort_now(s);
}

static void write_then_abort(side *s) {
  begin_bulk(s);
  abort_now(s);
}

static void write_to_peer(side *s) {
  s->to_send = 200000;
  side_pump(s, SIZE_MAX, true);
}

// The same from inside each event.
static void a_stream_may_be_aborted_from_each_of_its_events(void **state) {
  (void)state;
  static const side cases[] = {
      {.on_open = abort_now},        {.on_data = abort_on_data},
      {.on_end = abort_now},         {.on_open = say_hello, .on_drain = abort_now},
      {.on_open = write_then_abort}, {.on_open = abort_now, .on_close = abort_now},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    world w;
    world_init(&w, 2, NULL);
    w.server_side.on_open = write_to_peer;
    side client = cases[i];
    side_connect(&w, &client);
    world_start(&w);
    world_finish(&w);
    if (cases[i].on_close == NULL) assert_closed(&client, TN_E_CANCELED, "canceled");
    assert_int_equal(client.closes, 1);
    assert_int_equal(w.accepted[0].closes, 1);
  }
}

static void close_now(side *s) { tn_stream_close(s->stream); }

static void close_on_data(side *s, const uint8_t *data, size_t n) {
  (void)data, (void)n;
  tn_stream_close(s->stream);
}

static void a_stream_may_be_closed_from_each_of_its_events(void **state) {
  (void)state;
  static const side cases[] = {
      {.on_open = close_now},
      {.on_data = close_on_data},
      {.on_end = close_now},
      {.on_open = say_hello, .on_drain = close_now},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    world w;
    world_init(&w, 2, NULL);
    w.server_side.on_open = write_to_peer;
    side client = cases[i];
    side_connect(&w, &client);
    world_start(&w);
    world_finish(&w);
    assert_closed(&client, TN_E_NONE, "closed");
    assert_int_equal(w.accepted[0].closes, 1);
  }
}

static void an_end_without_close_notify_is_told_apart(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  w.server_side.on_data = echo;
  side client = {.on_open = say_hello, .on_data = abort_on_data};
  side_connect(&w, &client);
  world_start(&w);
  world_finish(&w);
  assert_closed(&w.accepted[0], TN_E_TRUNCATED, "the peer closed the connection without close_notify");
}

static void reset_on_data(side *s, const uint8_t *data, size_t n) {
  (void)data, (void)n;
  uv_os_fd_t fd;
  const struct linger at_once = {1, 0};
  if (uv_fileno((uv_handle_t *)&s->stream->tcp, &fd) != 0) s->disorder++;
  if (setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) != 0) s->disorder++;
  tn_stream_abort(s->stream);
}

static void a_reset_is_told_apart(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  w.server_side.on_data = echo;
  side client = {.on_open = say_hello, .on_data = reset_on_data};
  side_connect(&w, &client);
  world_start(&w);
  world_finish(&w);
  assert_closed(&w.accepted[0], TN_E_SYSTEM, "connection reset by peer");
}

// A peer that takes nothing cannot hold a closing stream.
static void close_full(side *s) {
  s->to_send = BULK;
  side_pump(s, 8u << 20, false);
  tn_stream_close(s->stream);
}

static void a_closing_stream_that_stalls_is_given_up(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  w.loop->stall_ms = 100;
  w.server_side.on_open = close_full;
  w.server_side.on_close = abort_the_deaf;
  side client = {.on_open = stop_reading};
  deaf = &client;
  side_connect(&w, &client);
  world_start(&w);
  world_finish(&w);
  assert_closed(&w.accepted[0], TN_E_TIMED_OUT, "timed out");
  assert_closed(&client, TN_E_CANCELED, "canceled");
}

static size_t not_yet_taken(const tn_stream *s) {
  uv_os_fd_t fd;
  int in_system = 0;
  if (uv_fileno((const uv_handle_t *)&s->tcp, &fd) != 0 || ioctl(fd, SIOCOUTQ, &in_system) != 0) return SIZE_MAX;
  return tn_stream_queued(s) + (size_t)in_system;
}

// One that takes it slowly is served to the end, however often the time runs out: here always when there was progress.
static size_t times_out;

static void take_some(side *s, const uint8_t *data, size_t n) {
  (void)data, (void)n;
  side_read(s, false);
  uv_timer_start(&s->timer, resume, 1, 0);
  side *closing = &s->world->accepted[0];
  if (!closing->has_stream || closing->stream->state != TN_STREAM_FLUSHING) return;
  if (not_yet_taken(closing->stream) >= closing->stream->linger_left) return;
  times_out++;
  tn_stream_linger_timeout(closing->stream);
}

static void a_closing_stream_that_makes_progress_is_not(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  w.loop->stall_ms = w.loop->linger_ms = WATCHDOG_MS;
  times_out = 0;
  w.server_side.on_open = close_full;
  side client = {.on_open = prepare_timer, .on_data = take_some};
  side_connect(&w, &client);
  world_start(&w);
  world_finish(&w);
  assert_closed(&w.accepted[0], TN_E_NONE, "closed");
  assert_int_equal(client.received, w.accepted[0].sent);
  assert_int_equal(client.wrong_bytes, 0);
  assert_true(times_out > 1);
}

// ---------------------------------------------------------------- deadlines and what streams tell

static void set_deadline(side *s) { tn_stream_deadline(s->stream, 50); }

static void a_deadline_that_passes_fails_the_stream(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  w.server_side.on_open = set_deadline;
  side client = {0};
  side_connect(&w, &client);
  world_start(&w);
  world_finish(&w);
  assert_closed(&w.accepted[0], TN_E_TIMED_OUT, "timed out");
  assert_closed(&client, TN_E_NONE, "closed");
  assert_int_equal(client.ends, 1);
}

static void lift_and_look(side *s) {
  tn_stream_deadline(s->stream, 0);
  char want[32];
  snprintf(want, sizeof want, "127.0.0.1:%u", s->world->port);
  if (strcmp(tn_stream_peer(s->stream), want) != 0) s->disorder++;
  if (tn_stream_loop(s->stream) != s->world->loop) s->disorder++;
  if ((tn_conn_status(tn_stream_conn(s->stream)) & TN_CONN_OPEN) == 0) s->disorder++;
  prepare_timer(s);
  uv_timer_start(&s->timer, look_at_buffers, 100, 0);
}

static void a_deadline_can_be_lifted(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  side client = {.on_open = lift_and_look};
  side_connect(&w, &client);
  tn_stream_deadline(client.stream, 50);
  if (side_write(&client, "x", 1).reason != TN_E_BAD_STATE) client.disorder++;
  world_start(&w);
  world_finish(&w);
  assert_closed(&client, TN_E_NONE, "closed");
}

static void the_kind_of_address_does_not_matter(void **state) {
  (void)state;
  world w;
  const tn_listen_options any = {.address = "::"};
  world_init(&w, 4, &any);
  side four = {.on_open = close_now}, six = {.on_open = close_now};
  side_connect_to(&w, &four, "127.0.0.1", w.port, 0);
  side_connect_to(&w, &six, "::1", w.port, 0);
  world_start(&w);
  uv_sem_wait(&w.done);
  tn_loop_free(w.loop);
  uv_sem_destroy(&w.done);
  assert_closed(&four, TN_E_NONE, "closed");
  if (six.why.reason == TN_E_SYSTEM) {
    print_message("no IPv6 on this machine: %s\n", six.text);
    skip();
  }
  assert_closed(&six, TN_E_NONE, "closed");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_said_comes_back),
      cmocka_unit_test(bulk_data_arrives_whole_at_readers_that_pause),
      cmocka_unit_test(both_directions_at_once),
      cmocka_unit_test(a_reader_that_does_not_read_stops_the_writer),
      cmocka_unit_test(an_idle_stream_holds_no_buffer),
      cmocka_unit_test(half_closed_streams_go_on_in_the_other_direction),
      cmocka_unit_test(what_was_written_before_close_arrives),
      cmocka_unit_test(an_early_answer_survives_the_peers_sending),
      cmocka_unit_test(a_stream_may_be_aborted_from_each_of_its_events),
      cmocka_unit_test(a_stream_may_be_closed_from_each_of_its_events),
      cmocka_unit_test(an_end_without_close_notify_is_told_apart),
      cmocka_unit_test(a_reset_is_told_apart),
      cmocka_unit_test(a_closing_stream_that_stalls_is_given_up),
      cmocka_unit_test(a_closing_stream_that_makes_progress_is_not),
      cmocka_unit_test(a_deadline_that_passes_fails_the_stream),
      cmocka_unit_test(a_deadline_can_be_lifted),
      cmocka_unit_test(the_kind_of_address_does_not_matter),
  };
  int failed = run_net_tests(tests);
  configs_free();
  return failed;
}
