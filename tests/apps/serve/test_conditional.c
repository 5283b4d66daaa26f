#include "request_of.h"
#include "serve/conditional.h"

#define BEFORE "Sun, 06 Nov 1994 08:49:36 GMT"
#define AT "Sun, 06 Nov 1994 08:49:37 GMT"
#define AFTER "Sun, 06 Nov 1994 08:49:38 GMT"
#define NOW 1764500000

static const tn_validators ours = {.etag = "\"abc\"", .modified = 784111777};

static void preconditions(void **state) {
  (void)state;
  static const struct {
    const char *fields;
    unsigned status;
  } rows[] = {
      {"", 0},
      {"If-Match: \"abc\"\r\n", 0},
      {"If-Match: *\r\n", 0},
      {"If-Match: \"x\", \"abc\"\r\n", 0},
      {"If-Match: \"x\"\r\nIf-Match: \"abc\"\r\n", 0},
      {"If-Match: \"x\"\r\n", 412},
      {"If-Match: W/\"abc\"\r\n", 412},  // strong comparison
      {"If-Match: abc\r\n", 412},
      {"If-Match:\r\n", 412},
      {"If-Unmodified-Since: " AT "\r\n", 0},
      {"If-Unmodified-Since: " AFTER "\r\n", 0},
      {"If-Unmodified-Since: " BEFORE "\r\n", 412},
      {"If-Unmodified-Since: yesterday\r\n", 0},
      {"If-Match: \"abc\"\r\nIf-Unmodified-Since: " BEFORE "\r\n", 0},  // the first rules
      {"If-None-Match: \"abc\"\r\n", 304},
      {"If-None-Match: W/\"abc\"\r\n", 304},
      {"If-None-Match: *\r\n", 304},
      {"If-None-Match: \"x\" , W/\"y\",\"abc\"\r\n", 304},
      {"If-None-Match: ,, \"abc\"\r\n", 304},
      {"If-None-Match: \"a,\", \"abc\"\r\n", 304},
      {"If-None-Match: \"x\"\r\nif-none-match: \"abc\"\r\n", 304},
      {"If-None-Match: \"x\"\r\n", 0},
      {"If-None-Match: \"ab\r\n", 0},
      {"If-None-Match: \"abc\r\n", 0},
      {"If-None-Match: \"x\", *\r\n", 0},
      {"If-None-Match:\r\n", 0},
      {"If-Modified-Since: " AT "\r\n", 304},
      {"If-Modified-Since: " AFTER "\r\n", 304},
      {"If-Modified-Since: " BEFORE "\r\n", 0},
      {"If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT\r\n", 304},
      {"If-Modified-Since: soon\r\n", 0},
      {"If-Modified-Since: " AT "\r\nIf-Modified-Since: " AT "\r\n", 0},
      {"If-None-Match: \"x\"\r\nIf-Modified-Since: " AFTER "\r\n", 0},  // the first rules
      {"If-None-Match: \"abc\"\r\nIf-Modified-Since: " BEFORE "\r\n", 304},
      {"If-Match: \"abc\"\r\nIf-None-Match: \"abc\"\r\n", 304},
      {"If-Match: \"x\"\r\nIf-None-Match: \"abc\"\r\n", 412},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    tn_http_request *r = request_of("GET", rows[i].fields);
    unsigned status = tn_http_precondition(r, &ours, NOW);
    free(r);
    if (status != rows[i].status) fail_msg("%s: %u", rows[i].fields, status);
  }
}

static void if_range(void **state) {
  (void)state;
  static const struct {
    const char *fields;
    int64_t now;
    bool counts;
  } rows[] = {
      {"", NOW, true},
      {"If-Range: \"abc\"\r\n", NOW, true},
      {"If-Range: W/\"abc\"\r\n", NOW, false},
      {"If-Range: \"x\"\r\n", NOW, false},
      {"If-Range: *\r\n", NOW, false},
      {"If-Range: " AT "\r\n", NOW, true},
      {"If-Range: " AT "\r\n", 784111777, false},  // it may still change within this second
      {"If-Range: " AFTER "\r\n", NOW, false},
      {"If-Range: " BEFORE "\r\n", NOW, false},
      {"If-Range: \"abc\"\r\nIf-Range: \"abc\"\r\n", NOW, false},
      {"If-Range:\r\n", NOW, false},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    tn_http_request *r = request_of("GET", rows[i].fields);
    bool counts = tn_http_if_range(r, &ours, rows[i].now);
    free(r);
    if (counts != rows[i].counts) fail_msg("%s", rows[i].fields);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(preconditions),
      cmocka_unit_test(if_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
