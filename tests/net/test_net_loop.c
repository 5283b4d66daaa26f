// Loops: posts, threads, stopping.
#include "net_support.h"

// ---------------------------------------------------------------- posts

#define THREADS 4
#define POSTS 20000

typedef struct poster {
  tn_loop *loop;
  struct message {
    struct poster *from;
    size_t number;
  } messages[POSTS];
  size_t next;  // the number that has to arrive next
  size_t disorder;
  size_t refused;
} poster;

static void receive(void *arg) {
  struct message *m = arg;
  if (m->number != m->from->next++) m->from->disorder++;
}

static void post_all(void *arg) {
  poster *p = arg;
  for (size_t i = 0; i < POSTS; i++) {
    p->messages[i] = (struct message){p, i};
    if (!tn_ok(tn_loop_post(p->loop, receive, &p->messages[i]))) p->refused++;
  }
}

static void posts_of_several_threads_all_arrive_each_in_its_order(void **state) {
  (void)state;
  tn_loop *loop;
  assert_ok(tn_loop_new(&loop));
  assert_ok(tn_loop_start(loop));
  assert_fails(tn_loop_start(loop), BAD_STATE);
  poster *posters = calloc(THREADS, sizeof *posters);
  assert_non_null(posters);
  uv_thread_t threads[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    posters[i].loop = loop;
    assert_int_equal(uv_thread_create(&threads[i], post_all, &posters[i]), 0);
  }
  for (size_t i = 0; i < THREADS; i++) uv_thread_join(&threads[i]);
  tn_loop_free(loop);  // what was taken runs before the end
  for (size_t i = 0; i < THREADS; i++) {
    assert_int_equal(posters[i].next, POSTS);
    assert_int_equal(posters[i].disorder, 0);
    assert_int_equal(posters[i].refused, 0);
  }
  free(posters);
}

static void count(void *arg) { ++*(int *)arg; }

static void a_stopped_loop_takes_no_posts(void **state) {
  (void)state;
  tn_loop *loop;
  int ran = 0;
  assert_ok(tn_loop_new(&loop));
  assert_ok(tn_loop_post(loop, count, &ran));
  tn_loop_stop(loop);
  tn_loop_stop(loop);
  assert_fails(tn_loop_post(loop, count, &ran), BAD_STATE);
  tn_loop_run(loop);
  assert_int_equal(ran, 1);
  assert_fails(tn_loop_post(loop, count, &ran), BAD_STATE);
  tn_loop_free(loop);
  assert_int_equal(ran, 1);
  tn_loop_free(NULL);
}

static void a_loop_that_never_ran_is_freed_with_what_it_was_given(void **state) {
  (void)state;
  size_t before = count_fds();
  for (int i = 0; i < 3; i++) {
    world w;
    side s = {0};
    world_init(&w, 0, NULL);
    side_connect(&w, &s);
    assert_int_equal(s.closes, 0);
    tn_loop_free(w.loop);  // the watchdog's timer is closed with the rest
    uv_sem_destroy(&w.done);
    assert_closed(&s, TN_E_CANCELED, "canceled");
  }
  assert_int_equal(count_fds(), before);
}

static void stop_loop(void *arg) { tn_loop_stop(arg); }

static void a_loop_is_stopped_by_a_post_and_by_another_thread(void **state) {
  (void)state;
  tn_loop *loop;
  assert_ok(tn_loop_new(&loop));
  assert_ok(tn_loop_post(loop, stop_loop, loop));
  tn_loop_run(loop);
  tn_loop_free(loop);

  assert_ok(tn_loop_new(&loop));
  uv_thread_t other;
  assert_int_equal(uv_thread_create(&other, stop_loop, loop), 0);
  tn_loop_run(loop);
  uv_thread_join(&other);
  tn_loop_free(loop);
}

// ---------------------------------------------------------------- the application's own handles

static void tick(uv_timer_t *timer) {
  int *left = timer->data;
  if (--*left == 0) tn_loop_stop((tn_loop *)timer->loop->data);
}

static void the_applications_own_timers_run_on_the_loop(void **state) {
  (void)state;
  tn_loop *loop;
  uv_timer_t timer;
  int left = 3;
  assert_ok(tn_loop_new(&loop));
  uv_loop_t *uv = tn_loop_uv(loop);
  uv->data = loop;  // libuv's field for the application
  timer.data = &left;
  assert_int_equal(uv_timer_init(uv, &timer), 0);
  assert_int_equal(uv_timer_start(&timer, tick, 1, 1), 0);
  tn_loop_run(loop);
  assert_true(left <= 0);
  tn_loop_free(loop);
}

// ---------------------------------------------------------------- stopping with streams

#define STREAMS 50

typedef struct crowd {
  world w;
  side clients[STREAMS];
  size_t opened;
} crowd;

static crowd *the_crowd;

static void stop_when_all_are_open(side *s) {
  (void)s;
  if (++the_crowd->opened == 2 * STREAMS) tn_loop_stop(the_crowd->w.loop);
}

static void connect_when_canceled(side *s) {
  // Nothing new begins in a loop that ends.
  tn_stream *again;
  const tn_connect_options o = {.host = "127.0.0.1", .port = 1, .config = client_config()};
  if (tn_connect(s->world->loop, &o, &side_events, s, &again).reason != TN_E_BAD_STATE) s->disorder++;
}

static void stopping_cancels_every_open_stream(void **state) {
  (void)state;
  size_t before = count_fds();
  crowd *c = calloc(1, sizeof *c);
  assert_non_null(c);
  the_crowd = c;
  world_init(&c->w, 2 * STREAMS, NULL);
  c->w.server_side.on_open = stop_when_all_are_open;
  for (size_t i = 0; i < STREAMS; i++) {
    c->clients[i].on_open = stop_when_all_are_open;
    c->clients[i].on_close = connect_when_canceled;
    side_connect(&c->w, &c->clients[i]);
  }
  world_start(&c->w);
  world_finish(&c->w);
  assert_int_equal(c->opened, 2 * STREAMS);
  assert_int_equal(c->w.n_accepted, STREAMS);
  for (size_t i = 0; i < STREAMS; i++) {
    assert_closed(&c->clients[i], TN_E_CANCELED, "canceled");
    assert_closed(&c->w.accepted[i], TN_E_CANCELED, "canceled");
  }
  free(c);
  assert_int_equal(count_fds(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(posts_of_several_threads_all_arrive_each_in_its_order),
      cmocka_unit_test(a_stopped_loop_takes_no_posts),
      cmocka_unit_test(a_loop_that_never_ran_is_freed_with_what_it_was_given),
      cmocka_unit_test(a_loop_is_stopped_by_a_post_and_by_another_thread),
      cmocka_unit_test(the_applications_own_timers_run_on_the_loop),
      cmocka_unit_test(stopping_cancels_every_open_stream),
  };
  int failed = run_net_tests(tests);
  configs_free();
  return failed;
}
