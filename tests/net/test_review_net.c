// What a review of floor 4 found: each test is for the whole kind.
#include "net/stream.h"
#include "net_support.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(records_kept_back_are_read_after_a_drain),
  };
  int failed = run_net_tests(tests);
  configs_free();
  return failed;
}
