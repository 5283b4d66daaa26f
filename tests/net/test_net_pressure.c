// Streams under pressure: reading turned on and off, answers nobody reads, resets, empty spans, deadlines.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/stream.h"
#include "net_support.h"
#include "tls/msg/msg.h"

static void prepare_timer(side *s) {
  uv_timer_init(tn_loop_uv(s->world->loop), &s->timer);
  s->timer.data = s;
}

// ---------------------------------------------------------------- reading that is turned on again

#define RECORDS 5
#define RECORD_SIZE 100
#define BULK (8u << 20)

static void say_in_records(side *s) {
  uint8_t record[RECORD_SIZE];
  for (size_t i = 0; i < RECORDS; i++) {
    for (size_t j = 0; j < sizeof record; j++) record[j] = pattern_byte(s->seed, i * sizeof record + j);
    if (!tn_ok(side_write(s, record, sizeof record))) s->disorder++;
  }
}

static void read_on(uv_timer_t *timer) {
  side *s = timer->data;
  uv_close((uv_handle_t *)timer, NULL);
  side_read(s, true);
}

// The records leave together; then nothing is read for a while, so that what the other side writes has to wait.
static void say_in_records_and_rest(side *s) {
  say_in_records(s);
  side_read(s, false);
  prepare_timer(s);
  uv_timer_start(&s->timer, read_on, 50, 0);
}

// Each record is answered before the next is read.
static void answer_alone(side *s, const uint8_t *data, size_t n) {
  (void)data, (void)n;
  side_read(s, false);
  s->to_send += BULK;
  side_pump(s, SIZE_MAX, false);
}

static void read_the_next(side *s) {
  if (s->received == RECORDS * RECORD_SIZE)
    tn_stream_close(s->stream);
  else
    side_read(s, true);
}

static void records_kept_back_are_read_after_a_drain(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  w.server_side.on_data = answer_alone;
  w.server_side.on_drain = read_the_next;
  side client = {.on_open = say_in_records_and_rest};
  side_connect(&w, &client);
  world_start(&w);
  world_finish(&w);
  assert_closed(&w.accepted[0], TN_E_NONE, "closed");
  assert_int_equal(w.accepted[0].received, RECORDS * RECORD_SIZE);
  assert_int_equal(w.accepted[0].wrong_bytes, 0);
  assert_int_equal(client.received, (size_t)RECORDS * BULK);
  assert_int_equal(client.wrong_bytes, 0);
}

// ---------------------------------------------------------------- peers that make us answer

// Sends all that the engine has for its peer; false when the connection is gone.
static bool raw_send_pending(int fd, tn_conn *conn, const tn_span *data, size_t n) {
  uint8_t out[TN_RECORD_MAX];
  size_t taken, written;
  do {
    assert_ok(tn_conn_send(conn, data, n, (tn_mspan){out, sizeof out}, &taken, &written));
    if (written != 0 && send(fd, out, written, MSG_NOSIGNAL) != (ssize_t)written) return false;
  } while (written != 0 && n == 0);
  return true;
}

// A client's connection over a raw socket, its handshake done.
static tn_conn *raw_handshake(int fd) {
  static uint8_t in[4 * TN_RECORD_MAX];
  size_t have = 0;
  tn_conn *conn = NULL;
  assert_ok(tn_conn_new(client_config(), tn_span_of("localhost", 9), &conn));
  assert_true(raw_send_pending(fd, conn, NULL, 0));
  while ((tn_conn_status(conn) & TN_CONN_OPEN) == 0) {
    ssize_t got = recv(fd, in + have, sizeof in - have, 0);
    assert_true(got > 0);
    have += (size_t)got;
    tn_received r;
    do {
      assert_ok(tn_conn_receive(conn, (tn_mspan){in, have}, (tn_mspan){0}, &r));
      memmove(in, in + r.used, have - r.used);
      have -= r.used;
    } while (r.used != 0);
  }
  assert_true(raw_send_pending(fd, conn, NULL, 0));
  return conn;
}

static void take_little(side *s) {
  uv_os_fd_t fd;
  const int small = 1;
  if (uv_fileno((uv_handle_t *)&s->stream->tcp, &fd) != 0 ||
      setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &small, sizeof small) != 0)
    s->disorder++;
}

// Each KeyUpdate asks for one in return, a byte of data in between makes them look useful, and nothing is read.
static void answers_that_nobody_reads_have_a_limit(void **state) {
  (void)state;
  world w;
  world_init(&w, 1, NULL);
  w.server_side.on_open = take_little;
  world_start(&w);
  const int on = 1, small = 4096;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
  const struct sockaddr_in to = {
      .sin_family = AF_INET, .sin_port = htons(w.port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof to), 0);
  assert_int_equal(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), 0);
  tn_conn *conn = raw_handshake(fd);
  const uint8_t byte = pattern_byte(0, 0);
  const tn_span data = {&byte, 1};
  bool alive = true;
  const uint64_t limit = uv_hrtime() + 30 * UINT64_C(1000000000);
  for (size_t i = 0; alive && uv_hrtime() < limit; i++) {
    assert_ok(tn_send_key_update(conn, true));
    alive = raw_send_pending(fd, conn, i % 16 == 15 ? &data : NULL, i % 16 == 15 ? 1 : 0);
    usleep(200);
  }
  tn_conn_free(conn);
  close(fd);
  world_finish(&w);
  assert_string_equal(w.accepted[0].text, "the peer makes us answer and does not read the answers");
  assert_int_equal(w.accepted[0].why.reason, TN_E_TOO_MANY_EMPTY_RECORDS);
}

// ---------------------------------------------------------------- peers that are gone

static void pause_and_write_late(side *s, const uint8_t *data, size_t n) {
  (void)data, (void)n;
  side_read(s, false);
  usleep(200000);  // meanwhile the peer goes
  s->to_send = 1000;
  side_pump(s, SIZE_MAX, false);
}

static void write_late_and_pause(side *s, const uint8_t *data, size_t n) {
  (void)data, (void)n;
  usleep(200000);
  s->to_send = 1000;
  side_pump(s, SIZE_MAX, false);
  side_read(s, false);
}

// Nobody reads any more who could find the end, and no deadline helps.
static void a_reset_is_noticed_though_reading_is_off(void **state) {
  (void)state;
  void (*const orders[])(side *, const uint8_t *, size_t) = {pause_and_write_late, write_late_and_pause};
  for (size_t i = 0; i < COUNT(orders); i++) {
    world w;
    world_init(&w, 1, NULL);
    w.server_side.on_data = orders[i];
    world_start(&w);
    int fd = raw_connect(w.port);
    tn_conn *conn = raw_handshake(fd);
    const uint8_t byte = pattern_byte(0, 0);
    const tn_span data = {&byte, 1};
    assert_true(raw_send_pending(fd, conn, &data, 1));
    usleep(50000);  // it is read by now
    raw_reset(fd);
    tn_conn_free(conn);
    world_finish(&w);
    assert_closed(&w.accepted[0], TN_E_SYSTEM, "connection reset by peer");
  }
}

// ---------------------------------------------------------------- any number of spans, any of them empty

// One write at a time, each when the one before has gone.
static void write_spans(side *s) {
  static const struct {
    size_t n, every;  // spans, and which of them have a byte: 0 is none
  } writes[] = {{0, 0}, {1, 0}, {64, 0}, {200, 0}, {200, 200}, {200, 64}, {65, 65}, {200, 1}, {1000, 3}};
  tn_span spans[1000];
  uint8_t letters[1000];
  size_t i = s->drains;
  if (i == COUNT(writes)) {
    tn_stream_close(s->stream);
    return;
  }
  for (size_t j = 0; j < writes[i].n; j++) {
    bool has_byte = writes[i].every != 0 && (j + 1) % writes[i].every == 0;
    if (has_byte) letters[j] = pattern_byte(s->seed, s->sent++);
    spans[j] = has_byte ? tn_span_of(&letters[j], 1) : (tn_span){NULL, 0};
  }
  if (!tn_ok(tn_stream_write(s->stream, spans, writes[i].n))) s->disorder++;
}

static void spans_may_be_many_and_empty(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  side client = {.on_open = write_spans, .on_drain = write_spans};
  side_connect(&w, &client);
  world_start(&w);
  world_finish(&w);
  assert_closed(&client, TN_E_NONE, "closed");
  assert_closed(&w.accepted[0], TN_E_NONE, "closed");
  assert_int_equal(w.accepted[0].received, 1 + 3 + 1 + 200 + 333);
  assert_int_equal(w.accepted[0].wrong_bytes, 0);
}

// ---------------------------------------------------------------- deadlines

static void fill_and_set_deadline(side *s) {
  s->to_send = BULK;
  side_pump(s, SIZE_MAX, false);
  tn_stream_deadline(s->stream, 50);
}

static side *deaf;
static void abort_the_deaf(side *s) {
  (void)s;
  tn_stream_abort(deaf->stream);
}

static void read_nothing(side *s) { side_read(s, false); }

// It is not given the closing's time on top.
static void a_deadline_cuts_a_peer_that_takes_nothing(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  w.loop->stall_ms = 30000;
  w.server_side.on_open = fill_and_set_deadline;
  w.server_side.on_close = abort_the_deaf;
  side client = {.on_open = read_nothing};
  deaf = &client;
  side_connect(&w, &client);
  world_start(&w);
  uint64_t began = uv_hrtime();
  world_finish(&w);
  assert_true(uv_hrtime() - began < 10 * UINT64_C(1000000000));
  assert_closed(&w.accepted[0], TN_E_TIMED_OUT, "timed out");
}

static void end_and_set_deadline(side *s) {
  tn_stream_end(s->stream);
  tn_stream_deadline(s->stream, 50);
}

// A direction that was ended has its close_notify already.
static void a_deadline_after_the_end_of_our_direction(void **state) {
  (void)state;
  world w;
  world_init(&w, 2, NULL);
  w.loop->drain_ms = 50;
  w.server_side.on_open = end_and_set_deadline;
  side client = {.on_end = read_nothing, .on_close = NULL};
  side_connect(&w, &client);
  tn_stream_deadline(client.stream, 300);
  world_start(&w);
  world_finish(&w);
  assert_closed(&w.accepted[0], TN_E_TIMED_OUT, "timed out");
  assert_closed(&client, TN_E_TIMED_OUT, "timed out");
  assert_int_equal(client.ends, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(records_kept_back_are_read_after_a_drain),
      cmocka_unit_test(answers_that_nobody_reads_have_a_limit),
      cmocka_unit_test(a_reset_is_noticed_though_reading_is_off),
      cmocka_unit_test(spans_may_be_many_and_empty),
      cmocka_unit_test(a_deadline_cuts_a_peer_that_takes_nothing),
      cmocka_unit_test(a_deadline_after_the_end_of_our_direction),
  };
  int failed = run_net_tests(tests);
  configs_free();
  return failed;
}
