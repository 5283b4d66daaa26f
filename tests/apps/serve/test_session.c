// A connection's life: pipelining, windows, deadlines, ends.
#define _GNU_SOURCE
#include <unistd.h>

#include "fake_wire.h"
#include "support/support.h"

enum { BIG = 3 * 1024 * 1024 + 17 };

static tree files;
static uint8_t *big;

static int set_up(void **state) {
  (void)state;
  test_rng rng = {1};
  tree_make(&files);
  big = malloc(BIG);
  test_rng_bytes(&rng, big, BIG);
  tree_write(&files, "inside/big", big, BIG);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  tree_remove(&files);
  free(big);
  return 0;
}

#define H "Host: x\r\n"
#define GET(path) "GET " path " HTTP/1.1\r\n" H "\r\n"

static void feed(fake_wire *f, const char *text) { fake_feed(f, text, strlen(text)); }

static void assert_log(const fake_wire *f, const char *text) {
  assert_int_equal(f->log.len, strlen(text));
  assert_memory_equal(f->log.buf, text, f->log.len);
}

static size_t body_at(const fake_wire *f) {
  const uint8_t *end = memmem(f->out.buf, f->out.len, "\r\n\r\n", 4);
  assert_non_null(end);
  return (size_t)(end + 4 - f->out.buf);
}

// Answers to pipelined requests are those to the same requests one by one, cut wherever they are.
static void pipelining(void **state) {
  (void)state;
  static const char *const requests[] = {
      GET("/a.txt"),
      "POST / HTTP/1.1\r\n" H "Content-Length: 5\r\n\r\nhello",
      "HEAD /a.txt HTTP/1.1\r\n" H "\r\n",
      GET("/absent"),
      "\r\n" GET("/dir/b"),
      "GET / HTTP/1.1\r\n" H "Connection: close\r\n\r\n",
  };
  char all[1024] = "", expected[8192] = "";
  size_t n;
  for (size_t i = 0; i < COUNT(requests); i++) {
    char *one = fake_exchange(&files, requests[i], strlen(requests[i]), &n);
    strcat(all, requests[i]);
    strcat(expected, one);
    free(one);
  }
  strcat(all, GET("/never"));  // after a close
  for (size_t split = 0; split <= strlen(all); split++) {
    char *out = fake_exchange(&files, all, split, &n);
    assert_string_equal(out, expected);
    free(out);
  }
}

static void keeps_alive(void **state) {
  (void)state;
  fake_wire f;
  fake_start(&f, &files);
  assert_int_equal(f.deadline, TN_HTTP_HEAD_MS);
  for (int i = 0; i < 5; i++) {
    feed(&f, "GET /dir/b HTTP/1.1\r\n");
    assert_int_equal(f.deadline, TN_HTTP_HEAD_MS);
    assert_true(tn_http_session_is_busy(&f.session));
    feed(&f, H "\r\n");
    assert_int_equal(f.deadline, TN_HTTP_IDLE_MS);
    assert_false(tn_http_session_is_busy(&f.session));
    assert_true(f.reading);
    tn_http_session_drain(&f.session);
  }
  assert_false(f.closed);
  assert_log(&f,
             "200 1 GET /dir/b HTTP/1.1\n200 1 GET /dir/b HTTP/1.1\n200 1 GET /dir/b HTTP/1.1\n"
             "200 1 GET /dir/b HTTP/1.1\n200 1 GET /dir/b HTTP/1.1\n");
  fake_end(&f);
}

static void request_budget(void **state) {
  (void)state;
  fake_wire f;
  fake_start(&f, &files);
  f.session.n_requests = TN_HTTP_REQUESTS_MAX - 2;
  feed(&f, GET("/a.txt"));
  assert_false(f.closed);
  feed(&f, GET("/a.txt"));
  assert_true(f.closed);
  assert_non_null(memmem(f.out.buf, f.out.len, "Connection: close\r\n", 19));
  fake_end(&f);
}

static void head_and_body_in_one_write(void **state) {
  (void)state;
  fake_wire f;
  fake_start(&f, &files);
  feed(&f, GET("/a.txt"));
  assert_int_equal(f.largest, f.out.len);
  fake_end(&f);
}

// No more than a window is written ahead of the peer; meanwhile nothing is read.
static void window(void **state) {
  (void)state;
  fake_wire f;
  fake_start(&f, &files);
  feed(&f, GET("/big") GET("/dir/b"));
  size_t rounds = 0;
  for (size_t before = 0; !f.reading; rounds++) {
    size_t written = f.out.len - before;
    assert_in_range(written, TN_HTTP_WINDOW - TN_HTTP_CHUNK, TN_HTTP_WINDOW + TN_HTTP_CHUNK);
    assert_int_equal(f.deadline, TN_HTTP_SEND_MS);
    before = f.out.len;
    f.deadline = 0;
    tn_http_session_drain(&f.session);
  }
  assert_in_range(rounds, BIG / (TN_HTTP_WINDOW + TN_HTTP_CHUNK), BIG / (TN_HTTP_WINDOW - TN_HTTP_CHUNK));
  assert_int_equal(f.deadline, TN_HTTP_IDLE_MS);
  assert_in_range(f.largest, TN_HTTP_CHUNK, TN_HTTP_CHUNK + 1024);
  size_t at = body_at(&f);
  assert_memory_equal(f.out.buf + at, big, BIG);
  assert_memory_equal(f.out.buf + at + BIG, "HTTP/1.1 200 OK\r\n", 17);  // the second answer
  assert_log(&f, "200 3145745 GET /big HTTP/1.1\n200 1 GET /dir/b HTTP/1.1\n");
  fake_end(&f);
}

// A flood of small requests is held back as well, and all are answered in the end.
static void window_of_small_answers(void **state) {
  (void)state;
  enum { N = 4000 };
  static const char request[] = GET("/a.txt");
  char *all = malloc(N * strlen(request) + 1), *end = all;
  for (int i = 0; i < N; i++) end = stpcpy(end, request);
  fake_wire f;
  fake_start(&f, &files);
  feed(&f, all);
  size_t rounds = 0;
  for (size_t before = 0; !f.reading; rounds++) {
    assert_in_range(f.out.len - before, 1, TN_HTTP_WINDOW + TN_HTTP_CHUNK);
    before = f.out.len;
    tn_http_session_drain(&f.session);
  }
  assert_true(rounds > 1);
  assert_int_equal(f.session.n_requests, N);
  free(all);
  fake_end(&f);
}

static void drains_from_within_writes(void **state) {
  (void)state;
  fake_wire f;
  fake_start(&f, &files);
  f.drains_inside = true;
  feed(&f, GET("/big"));
  assert_memory_equal(f.out.buf + body_at(&f), big, BIG);
  assert_true(f.reading);
  fake_end(&f);
}

static void expect_continue(void **state) {
  (void)state;
  fake_wire f;
  fake_start(&f, &files);
  feed(&f, "GET /a.txt HTTP/1.1\r\n" H "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  static const char text[] = "HTTP/1.1 100 Continue\r\n\r\n";
  assert_int_equal(f.out.len, strlen(text));
  assert_memory_equal(f.out.buf, text, f.out.len);
  feed(&f, "a");
  assert_int_equal(f.out.len, strlen(text));
  feed(&f, "b");
  assert_memory_equal(f.out.buf + strlen(text), "HTTP/1.1 200 OK\r\n", 17);
  fake_end(&f);
}

static void bad_request_closes(void **state) {
  (void)state;
  fake_wire f;
  fake_start(&f, &files);
  feed(&f, "GET /a b HTTP/1.1\r\n" H "\r\n" GET("/a.txt"));
  assert_true(f.closed);
  char text[64];
  snprintf(text, sizeof text, "400 %zu GET /a b HTTP/1.1\n", f.out.len - body_at(&f));
  assert_log(&f, text);
  size_t n = f.out.len;
  feed(&f, GET("/a.txt"));
  tn_http_session_drain(&f.session);
  tn_http_session_peer_end(&f.session);
  tn_http_session_finish(&f.session);
  assert_int_equal(f.out.len, n);
  fake_end(&f);
}

static void a_file_that_shrinks(void **state) {
  (void)state;
  fake_wire f;
  tree_write(&files, "inside/shrinks", big, 2 * TN_HTTP_WINDOW);
  fake_start(&f, &files);
  feed(&f, GET("/shrinks"));
  tree_write(&files, "inside/shrinks", big, 1);
  tn_http_session_drain(&f.session);
  assert_true(f.aborted);
  assert_false(f.closed);
  fake_end(&f);
}

static void a_write_that_fails(void **state) {
  (void)state;
  fake_wire f;
  fake_start(&f, &files);
  f.fails = true;
  feed(&f, GET("/a.txt"));
  assert_true(f.aborted);
  fake_end(&f);
}

static void connection_lost_in_an_answer(void **state) {
  (void)state;
  fake_wire f;
  fake_start(&f, &files);
  feed(&f, GET("/big"));
  tn_http_session_end(&f.session);
  char text[64];
  snprintf(text, sizeof text, "200 %zu GET /big HTTP/1.1\n", f.out.len - body_at(&f));
  assert_log(&f, text);
  fake_end(&f);
}

static void peer_ends(void **state) {
  (void)state;
  static const struct {
    const char *text;
    const char *log;
  } cases[] = {
      {"", ""},
      {"GET / HT", ""},
      {GET("/a.txt") "GET / HT", "200 10 GET /a.txt HTTP/1.1\n"},
      {GET("/big") GET("/a.txt"), "200 3145745 GET /big HTTP/1.1\n200 10 GET /a.txt HTTP/1.1\n"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    fake_wire f;
    fake_start(&f, &files);
    feed(&f, cases[i].text);
    tn_http_session_peer_end(&f.session);
    for (int round = 0; round < 100 && !f.closed; round++) tn_http_session_drain(&f.session);
    assert_true(f.closed);
    assert_log(&f, cases[i].log);
    fake_end(&f);
  }
}

static void server_finishes(void **state) {
  (void)state;
  fake_wire f;
  fake_start(&f, &files);  // idle: at once
  tn_http_session_finish(&f.session);
  assert_true(f.closed);
  fake_end(&f);

  fake_start(&f, &files);  // in a request: after its answer
  feed(&f, "GET /a.txt HTTP/1.1\r\n");
  tn_http_session_finish(&f.session);
  assert_false(f.closed);
  feed(&f, H "\r\n" GET("/a.txt"));
  assert_true(f.closed);
  assert_log(&f, "200 10 GET /a.txt HTTP/1.1\n");
  assert_non_null(memmem(f.out.buf, f.out.len, "Connection: close\r\n", 19));
  fake_end(&f);

  fake_start(&f, &files);  // in an answer: after it
  feed(&f, GET("/big"));
  tn_http_session_finish(&f.session);
  assert_false(f.closed);
  for (int round = 0; round < 100 && !f.closed; round++) tn_http_session_drain(&f.session);
  assert_true(f.closed);
  assert_log(&f, "200 3145745 GET /big HTTP/1.1\n");
  fake_end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pipelining),
      cmocka_unit_test(keeps_alive),
      cmocka_unit_test(request_budget),
      cmocka_unit_test(head_and_body_in_one_write),
      cmocka_unit_test(window),
      cmocka_unit_test(window_of_small_answers),
      cmocka_unit_test(drains_from_within_writes),
      cmocka_unit_test(expect_continue),
      cmocka_unit_test(bad_request_closes),
      cmocka_unit_test(a_file_that_shrinks),
      cmocka_unit_test(a_write_that_fails),
      cmocka_unit_test(connection_lost_in_an_answer),
      cmocka_unit_test(peer_ends),
      cmocka_unit_test(server_finishes),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
