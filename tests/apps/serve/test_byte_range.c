#include "serve/byte_range.h"
#include "serve/text.h"
#include "support/support.h"

static void ranges(void **state) {
  (void)state;
  static const struct {
    const char *value;
    uint64_t size;
    tn_range_kind kind;
    uint64_t first, end;
  } rows[] = {
      {"bytes=0-0", 10, TN_RANGE_PART, 0, 1},
      {"bytes=0-9", 10, TN_RANGE_PART, 0, 10},
      {"bytes=2-4", 10, TN_RANGE_PART, 2, 5},
      {"bytes=9-9", 10, TN_RANGE_PART, 9, 10},
      {"bytes=5-", 10, TN_RANGE_PART, 5, 10},
      {"bytes=5-99", 10, TN_RANGE_PART, 5, 10},
      {"bytes=5-18446744073709551615", 10, TN_RANGE_PART, 5, 10},
      {"bytes=5-99999999999999999999999", 10, TN_RANGE_PART, 5, 10},
      {"bytes=-3", 10, TN_RANGE_PART, 7, 10},
      {"bytes=-10", 10, TN_RANGE_PART, 0, 10},
      {"bytes=-11", 10, TN_RANGE_PART, 0, 10},
      {"bytes=-99999999999999999999999", 10, TN_RANGE_PART, 0, 10},
      {"Bytes=2-4", 10, TN_RANGE_PART, 2, 5},
      {"bytes= 2-4 ", 10, TN_RANGE_PART, 2, 5},
      {"bytes=18446744073709551614-", UINT64_MAX, TN_RANGE_PART, UINT64_MAX - 1, UINT64_MAX},
      {"bytes=10-", 10, TN_RANGE_UNSATISFIABLE, 0, 0},
      {"bytes=10-11", 10, TN_RANGE_UNSATISFIABLE, 0, 0},
      {"bytes=99999999999999999999999-", 10, TN_RANGE_UNSATISFIABLE, 0, 0},
      {"bytes=-0", 10, TN_RANGE_UNSATISFIABLE, 0, 0},
      {"bytes=0-", 0, TN_RANGE_UNSATISFIABLE, 0, 0},
      {"bytes=0-0", 0, TN_RANGE_UNSATISFIABLE, 0, 0},
      {"bytes=-1", 0, TN_RANGE_WHOLE, 0, 0},
      {"bytes=4-2", 10, TN_RANGE_WHOLE, 0, 0},
      {"bytes=0-1,3-4", 10, TN_RANGE_WHOLE, 0, 0},
      {"bytes=0-1, -1", 10, TN_RANGE_WHOLE, 0, 0},
      {"bytes=-", 10, TN_RANGE_WHOLE, 0, 0},
      {"bytes=", 10, TN_RANGE_WHOLE, 0, 0},
      {"bytes=a-b", 10, TN_RANGE_WHOLE, 0, 0},
      {"bytes=1", 10, TN_RANGE_WHOLE, 0, 0},
      {"bytes=1-2x", 10, TN_RANGE_WHOLE, 0, 0},
      {"bytes=+1-2", 10, TN_RANGE_WHOLE, 0, 0},
      {"bytes=1--2", 10, TN_RANGE_WHOLE, 0, 0},
      {"bytes 0-1", 10, TN_RANGE_WHOLE, 0, 0},
      {"lines=0-1", 10, TN_RANGE_WHOLE, 0, 0},
      {"byte", 10, TN_RANGE_WHOLE, 0, 0},
      {"", 10, TN_RANGE_WHOLE, 0, 0},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    uint64_t first = 77, end = 77;
    tn_range_kind kind = tn_byte_range(tn_text(rows[i].value), rows[i].size, &first, &end);
    if (kind != rows[i].kind) fail_msg("%s of %llu: %d", rows[i].value, (unsigned long long)rows[i].size, kind);
    // What is not a part leaves the two as they are.
    assert_true(first == (kind == TN_RANGE_PART ? rows[i].first : 77));
    assert_true(end == (kind == TN_RANGE_PART ? rows[i].end : 77));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ranges)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
