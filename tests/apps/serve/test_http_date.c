#include <time.h>

#include "serve/http_date.h"
#include "serve/text.h"
#include "support/support.h"

#define NOW 1764500000  // 2025-11-30

static void formats(void **state) {
  (void)state;
  static const struct {
    int64_t time;
    const char *text;
  } rows[] = {
      {0, "Thu, 01 Jan 1970 00:00:00 GMT"},
      {784111777, "Sun, 06 Nov 1994 08:49:37 GMT"},  // RFC 9110 section 5.6.7
      {951782399, "Mon, 28 Feb 2000 23:59:59 GMT"},
      {951782400, "Tue, 29 Feb 2000 00:00:00 GMT"},
      {951868800, "Wed, 01 Mar 2000 00:00:00 GMT"},
      {4107542400, "Mon, 01 Mar 2100 00:00:00 GMT"},
      {-1, "Wed, 31 Dec 1969 23:59:59 GMT"},
      {253402300799, "Fri, 31 Dec 9999 23:59:59 GMT"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    char text[TN_HTTP_DATE_LEN + 1];
    tn_http_date_format(rows[i].time, text);
    assert_string_equal(text, rows[i].text);
    int64_t time = 1;
    assert_true(tn_http_date_parse(tn_text(text), NOW, &time));
    assert_int_equal(time, rows[i].time);
  }
}

static void every_day_as_gmtime(void **state) {
  (void)state;
  for (int64_t day = -800; day < 60000; day++) {
    time_t time = (time_t)(day * 86400 + day % 86400);
    struct tm tm;
    char expected[64], text[TN_HTTP_DATE_LEN + 1];
    assert_non_null(gmtime_r(&time, &tm));
    strftime(expected, sizeof expected, "%a, %d %b %Y %H:%M:%S GMT", &tm);
    tn_http_date_format(time, text);
    assert_string_equal(text, expected);
    int64_t back;
    assert_true(tn_http_date_parse(tn_text(text), NOW, &back));
    assert_int_equal(back, time);
  }
}

static void reads_all_three_formats(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool ok;
    int64_t time;
  } rows[] = {
      {"Sun, 06 Nov 1994 08:49:37 GMT", true, 784111777},
      {"Sunday, 06-Nov-94 08:49:37 GMT", true, 784111777},
      {"Sun Nov  6 08:49:37 1994", true, 784111777},
      {"Sun Nov 16 08:49:37 1994", true, 784975777},
      {"Friday, 31-Dec-99 23:59:59 GMT", true, 946684799},     // 74 years ahead would be too far: 1999
      {"Saturday, 30-Nov-75 00:00:00 GMT", true, 3342297600},  // 50 years ahead is not: 2075
      {"Tue, 29 Feb 2000 00:00:00 GMT", true, 951782400},
      {"Sat, 31 Dec 2016 23:59:60 GMT", true, 1483228800},  // a leap second
      {"Thu, 29 Feb 1900 00:00:00 GMT", false, 0},
      {"Mon, 29 Feb 2021 00:00:00 GMT", false, 0},
      {"Mon, 31 Apr 2021 00:00:00 GMT", false, 0},
      {"Mon, 00 Apr 2021 00:00:00 GMT", false, 0},
      {"Sun, 06 Nov 1994 24:00:00 GMT", false, 0},
      {"Sun, 06 Nov 1994 08:60:00 GMT", false, 0},
      {"Sun, 06 Nov 1994 08:49:61 GMT", false, 0},
      {"Sun, 06 Nov 1994 08:49:37 UTC", false, 0},
      {"Sun, 06 Nov 1994 08:49:37 GMT ", false, 0},
      {"Sun, 6 Nov 1994 08:49:37 GMT", false, 0},
      {"Sun, 06 nov 1994 08:49:37 GMT", false, 0},
      {"Son, 06 Nov 1994 08:49:37 GMT", false, 0},
      {"Sun, 06 Nov 1994 08:49:3", false, 0},
      {"784111777", false, 0},
      {"", false, 0},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    int64_t time = 0;
    if (tn_http_date_parse(tn_text(rows[i].text), NOW, &time) != rows[i].ok) fail_msg("%s", rows[i].text);
    if (rows[i].ok && time != rows[i].time) fail_msg("%s: %lld", rows[i].text, (long long)time);
  }
}

// A file may be of any time that its file system can say.
static void times_without_a_date(void **state) {
  (void)state;
  static const struct {
    int64_t time;
    const char *text;
  } rows[] = {
      {INT64_MIN, "Sat, 01 Jan 0000 00:00:00 GMT"},    {-62167219201, "Sat, 01 Jan 0000 00:00:00 GMT"},
      {-62167219200, "Sat, 01 Jan 0000 00:00:00 GMT"}, {253402300799, "Fri, 31 Dec 9999 23:59:59 GMT"},
      {253402300800, "Fri, 31 Dec 9999 23:59:59 GMT"}, {INT64_MAX, "Fri, 31 Dec 9999 23:59:59 GMT"},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    char text[TN_HTTP_DATE_LEN + 1];
    tn_http_date_format(rows[i].time, text);
    assert_string_equal(text, rows[i].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formats),
      cmocka_unit_test(every_day_as_gmtime),
      cmocka_unit_test(reads_all_three_formats),
      cmocka_unit_test(times_without_a_date),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
