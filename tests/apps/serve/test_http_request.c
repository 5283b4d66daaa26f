#include "serve/http_request.h"
#include "serve/text.h"
#include "support/support.h"

// Feeds pieces that end at `split` and at the end; what follows the request is left.
static size_t feed(tn_http_request *r, const char *text, size_t n, size_t split, size_t step) {
  tn_http_request_init(r);
  size_t at = 0;
  while (at < n && r->stage != TN_HTTP_DONE) {
    size_t end = step != 0 ? at + step : at < split ? split : n;
    if (end > n) end = n;
    size_t used = tn_http_request_feed(r, tn_span_of(text + at, end - at));
    assert_in_range(used, 1, end - at);
    at += used;
  }
  return at;
}

typedef struct request_row {
  const char *text;
  size_t left;     // bytes that follow the request; for a good one
  unsigned error;  // 0: good
  bool keep_alive;
} request_row;

#define H "Host: x\r\n"
static const request_row rows[] = {
    // good
    {"GET / HTTP/1.1\r\n" H "\r\n", 0, 0, true},
    {"GET / HTTP/1.1\r\nhost:x\r\n\r\nGET", 3, 0, true},
    {"HEAD /a%20b?c=d HTTP/1.1\r\n" H "Accept: */*\r\n\r\n", 0, 0, true},
    {"GET / HTTP/1.0\r\n\r\n", 0, 0, false},
    {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 0, 0, true},
    {"GET / HTTP/1.1\r\n" H "Connection: close\r\n\r\n", 0, 0, false},
    {"GET / HTTP/1.1\r\n" H "Connection: x, Close\r\n\r\n", 0, 0, false},
    {"\r\n\r\nGET / HTTP/1.1\r\n" H "\r\n", 0, 0, true},
    {"GET https://example.org/a HTTP/1.1\r\nHost: example.org\r\n\r\n", 0, 0, true},
    {"OPTIONS * HTTP/1.1\r\n" H "\r\n", 0, 0, true},
    {"CONNECT example.org:443 HTTP/1.1\r\n" H "\r\n", 0, 0, false},
    {"POST / HTTP/1.1\r\n" H "Content-Length: 3\r\n\r\nabcGET", 3, 0, true},
    {"GET / HTTP/1.1\r\n" H "Content-Length: 0\r\n\r\nGET", 3, 0, true},
    {"GET / HTTP/1.1\r\n" H "Content-Length: 0003\r\n\r\nabcd", 1, 0, true},
    {"GET / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\nGET", 3, 0, false},
    {"GET / HTTP/1.1\r\n" H "Transfer-Encoding: Chunked\r\n\r\n1;a=b\r\nx\r\n0\r\nA: b\r\n\r\n", 0, 0, false},
    {"GET / HTTP/1.1\r\n" H "Upgrade: h2c\r\nConnection: upgrade\r\n\r\nGET", 3, 0, true},
    {"GET / HTTP/1.1\r\n" H "Upgrade: h2c\r\nConnection: upgrade\r\nContent-Length: 2\r\n\r\nabGET", 3, 0, true},
    {"GET / HTTP/1.1\r\n" H "X: \x80\xff\tb\r\n\r\n", 0, 0, true},
    {"GET / HTTP/1.1\r\nHost: [2001:db8::1]:8443\r\n\r\n", 0, 0, true},
    {"GET / HTTP/1.1\r\n" H "Expect: 100-Continue\r\n\r\n", 0, 0, true},
    // line discipline
    {"GET / HTTP/1.1\n" H "\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\nHost: x\n\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\n" H "\n", 0, 400, false},
    {"GET / HTTP/1.1\r\nHost: x\rA: b\r\n\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r" H "\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\n" H "\rX", 0, 400, false},
    {"GET / HTTP/1.1\r\n" H "A: b\r\n c\r\n\r\n", 0, 400, false},  // obs-fold
    {"GET / HTTP/1.1\r\n" H "A: b\r\n\tc\r\n\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\n A: b\r\n" H "\r\n", 0, 400, false},
    {"\nGET / HTTP/1.1\r\n" H "\r\n", 0, 400, false},
    // request line
    {"GET  / HTTP/1.1\r\n" H "\r\n", 0, 400, false},
    {"GET /  HTTP/1.1\r\n" H "\r\n", 0, 400, false},
    {"GET / HTTP/1.1 \r\n" H "\r\n", 0, 400, false},
    {" GET / HTTP/1.1\r\n" H "\r\n", 0, 400, false},
    {"GET\t/ HTTP/1.1\r\n" H "\r\n", 0, 400, false},
    {"GET /a b HTTP/1.1\r\n" H "\r\n", 0, 400, false},
    {"GET /\x80 HTTP/1.1\r\n" H "\r\n", 0, 400, false},
    {"GET /\x7f HTTP/1.1\r\n" H "\r\n", 0, 400, false},
    {"GET\r\n" H "\r\n", 0, 400, false},
    {"GET /\r\n" H "\r\n", 0, 400, false},
    {"get / HTTP/1.1\r\n" H "\r\n", 0, 501, false},
    {"BREW / HTTP/1.1\r\n" H "\r\n", 0, 501, false},
    {"GETTING-MUCH-LONGER-THAN-ANY-METHOD / HTTP/1.1\r\n" H "\r\n", 0, 501, false},
    {"\x16\x03\x01\x02\x01\r\n\r\n", 0, 400, false},
    // versions
    {"GET / HTTP/2.0\r\n" H "\r\n", 0, 505, false},
    {"GET / HTTP/1.2\r\n" H "\r\n", 0, 505, false},
    {"GET / HTTP/0.9\r\n" H "\r\n", 0, 505, false},
    {"GET / HTTP/9.9\r\n" H "\r\n", 0, 505, false},
    {"GET / HTTP/1.10\r\n" H "\r\n", 0, 400, false},
    {"GET / HTTP/11\r\n" H "\r\n", 0, 400, false},
    {"GET / HTTP/x.y\r\n" H "\r\n", 0, 400, false},
    {"GET / http/1.1\r\n" H "\r\n", 0, 400, false},
    {"GET / RTSP/1.0\r\n" H "\r\n", 0, 400, false},
    {"SOURCE / ICE/1.0\r\n" H "\r\n", 0, 400, false},
    {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 0, 505, false},
    // fields
    {"GET / HTTP/1.1\r\n\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\n" H H "\r\n", 0, 400, false},
    {"GET / HTTP/1.0\r\n" H H "\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\nHost:\r\n\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\nHost: a,b\r\n\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\nHost: u@x\r\n\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\nHost: x/y\r\n\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\n" H "A b: c\r\n\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\n" H "A : c\r\n\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\n" H ": c\r\n\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\n" H "A\r\n\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\n" H "A: \x01\r\n\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\n" H "A: \x7f\r\n\r\n", 0, 400, false},
    {"GET / HTTP/1.1\r\n" H "Expect: a miracle\r\n\r\n", 0, 417, false},
    // smuggling
    {"POST / HTTP/1.1\r\n" H "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Content-Length: 3\r\nContent-Length: 3\r\n\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Content-Length: 3\r\nContent-Length: 4\r\n\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Content-Length: 3, 3\r\n\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Content-Length: +3\r\n\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Content-Length: -3\r\n\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Content-Length: 0x3\r\n\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Content-Length: 3 3\r\n\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Content-Length:\r\n\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Content-Length : 3\r\n\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Content-Length: 99999999999999999999\r\n\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked, identity\r\n\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Transfer-Encoding: gzip, chunked\r\n\r\n", 0, 501, false},
    {"POST / HTTP/1.1\r\n" H "Transfer-Encoding: xchunked\r\n\r\n", 0, 501, false},
    {"POST / HTTP/1.1\r\n" H "Transfer-Encoding: \x0b"
     "chunked\r\n\r\n",
     0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Transfer-Encoding:\r\n\r\n", 0, 501, false},
    {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\nx\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n-1\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n1\nx", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n", 0, 400, false},
    {"POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", 0, 400, false},
    // sizes
    {"POST / HTTP/1.1\r\n" H "Content-Length: 65537\r\n\r\n", 0, 413, false},
};

static void check(const request_row *row, size_t split, size_t step) {
  static tn_http_request r;
  size_t n = strlen(row->text);
  size_t at = feed(&r, row->text, n, split, step);
  if (r.stage != TN_HTTP_DONE || r.error != row->error || r.keep_alive != row->keep_alive ||
      (row->error == 0 && at != n - row->left)) {
    fail_msg("split %zu, step %zu: stage %d, error %u, keep alive %d, %zu left:\n%s", split, step, r.stage, r.error,
             r.keep_alive, n - at, row->text);
  }
}

static void however_it_is_cut(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    size_t n = strlen(rows[i].text);
    for (size_t split = 0; split <= n; split++) check(&rows[i], split, 0);
    check(&rows[i], 0, 1);
    check(&rows[i], 0, 3);
  }
}

static void parts(void **state) {
  (void)state;
  static const char text[] =
      "HEAD /a?b HTTP/1.1\r\nHost: example.org\r\nEmpty:\r\nList: a\r\nlist: \t b  \r\nExpect: 100-continue\r\n"
      "Content-Length: 1\r\n\r\n";
  static tn_http_request r;
  feed(&r, text, strlen(text), 0, 0);
  assert_int_equal(r.stage, TN_HTTP_IN_BODY);
  assert_true(r.expects_continue);
  assert_true(tn_http_method_is(&r, "HEAD"));
  assert_false(tn_http_method_is(&r, "HEA"));
  assert_int_equal(r.target.n, 4);
  assert_memory_equal(r.target.p, "/a?b", 4);
  assert_int_equal(tn_http_request_line(&r).n, strlen("HEAD /a?b HTTP/1.1"));
  assert_int_equal(tn_http_request_value(&r, "empty", 0)->n, 0);
  assert_memory_equal(tn_http_request_value(&r, "LIST", 1)->p, "b", 1);
  assert_int_equal(tn_http_request_value(&r, "list", 1)->n, 1);
  assert_null(tn_http_request_value(&r, "list", 2));
  assert_null(tn_http_request_single(&r, "list"));
  assert_non_null(tn_http_request_single(&r, "host"));
  assert_null(tn_http_request_single(&r, "absent"));
  assert_int_equal(tn_http_request_feed(&r, tn_text("xGET")), 1);
  assert_int_equal(r.stage, TN_HTTP_DONE);
}

// A request whose target, or one field, or all fields, are `n` bytes of 'a'.
static unsigned error_of(const char *before, size_t n, const char *after) {
  static tn_http_request r;
  char *text = malloc(strlen(before) + n + strlen(after) + 1);
  assert_non_null(text);
  strcpy(text, before);
  memset(text + strlen(before), 'a', n);
  strcpy(text + strlen(before) + n, after);
  feed(&r, text, strlen(before) + n + strlen(after), 0, 0);
  assert_int_equal(r.stage, TN_HTTP_DONE);
  free(text);
  return r.error;
}

static void limits(void **state) {
  (void)state;
  static const char end[] = " HTTP/1.1\r\n" H "\r\n";
  assert_int_equal(error_of("GET /", TN_HTTP_TARGET_MAX - 1, end), 0);
  assert_int_equal(error_of("GET /", TN_HTTP_TARGET_MAX, end), 414);
  assert_int_equal(error_of("GET /", 100000, end), 414);

  static const char start[] = "GET / HTTP/1.1\r\n" H "X: ";
  size_t room = TN_HTTP_HEAD_MAX - strlen(start) - 4;
  assert_int_equal(error_of(start, room, "\r\n\r\n"), 0);
  assert_int_equal(error_of(start, room + 1, "\r\n\r\n"), 431);
  assert_int_equal(error_of(start, 100000, "\r\n\r\n"), 431);

  static const char post[] = "POST / HTTP/1.1\r\n" H "Content-Length: 65536\r\n\r\n";
  assert_int_equal(error_of(post, TN_HTTP_BODY_MAX, ""), 0);
  static const char chunked[] = "POST / HTTP/1.1\r\n" H "Transfer-Encoding: chunked\r\n\r\n";
  char before[256];
  snprintf(before, sizeof before, "%sffff\r\n", chunked);
  assert_int_equal(error_of(before, 0xffff, "\r\n0\r\n\r\n"), 413);  // the framing counts
  snprintf(before, sizeof before, "%s1000\r\n", chunked);
  assert_int_equal(error_of(before, 0x1000, "\r\n0\r\n\r\n"), 0);
  snprintf(before, sizeof before, "%s1;", chunked);
  assert_int_equal(error_of(before, 100000, "\r\nx\r\n0\r\n\r\n"), 413);  // an endless extension
  snprintf(before, sizeof before, "%s0\r\nA: ", chunked);
  assert_int_equal(error_of(before, 100000, "\r\n\r\n"), 413);  // endless trailers
}

static void number_of_fields(void **state) {
  (void)state;
  for (size_t n = TN_HTTP_FIELDS_MAX - 1; n <= TN_HTTP_FIELDS_MAX; n++) {
    static tn_http_request r;
    char text[4096] = "GET / HTTP/1.1\r\n" H;
    for (size_t i = 0; i < n; i++) strcat(text, "A: b\r\n");
    strcat(text, "\r\n");
    feed(&r, text, strlen(text), 0, 0);
    assert_int_equal(r.error, n < TN_HTTP_FIELDS_MAX ? 0 : 431);
  }
}

static void nul_bytes(void **state) {
  (void)state;
  static const char good[] = "GET /abc HTTP/1.1\r\nHost: x\r\n\r\n";
  static tn_http_request r;
  for (size_t i = 0; i < strlen(good); i++) {
    char text[sizeof good];
    memcpy(text, good, sizeof good);
    text[i] = 0;
    feed(&r, text, strlen(good), 0, 0);
    assert_int_equal(r.error, 400);
  }
}

// Every byte at every place: an answer, never a crash; and what is taken has one Host and one framing.
static void mutations(void **state) {
  (void)state;
  static const char good[] = "GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx";
  static tn_http_request r;
  for (size_t i = 0; i < strlen(good); i++) {
    for (unsigned c = 0; c < 256; c++) {
      char text[sizeof good];
      memcpy(text, good, sizeof good);
      text[i] = (char)c;
      feed(&r, text, strlen(good), 0, 0);
      if (r.stage == TN_HTTP_DONE && r.error == 0) assert_non_null(tn_http_request_single(&r, "host"));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(however_it_is_cut), cmocka_unit_test(parts),     cmocka_unit_test(limits),
      cmocka_unit_test(number_of_fields),  cmocka_unit_test(nul_bytes), cmocka_unit_test(mutations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
