#include "base/error.h"
#include "support/support.h"

static void nothing_set_is_a_failure(void **state) {
  (void)state;
  tn_result r = {0};
  assert_false(tn_ok(r));
  assert_true(tn_ok(tn_success()));
  assert_false(tn_ok(tn_fail(TN_E_NONE)));  // "no error" cannot be failed with
}

static void every_reason_has_words_and_an_alert_with_a_name(void **state) {
  (void)state;
  for (unsigned i = 0; i < TN_REASON_COUNT; i++) {
    tn_result r = tn_fail((tn_reason)i);
    assert_false(tn_ok(r));
    assert_true(strlen(tn_reason_text(i)) > 3);
    assert_string_not_equal(tn_alert_name(r.alert), "unknown_alert");
  }
  assert_string_equal(tn_reason_text(TN_REASON_COUNT), "an unknown error");
  assert_string_equal(tn_alert_name(200), "unknown_alert");
}

static tn_result three_steps(int fail_at, int *reached) {
  for (int step = 1; step <= 3; step++) {
    *reached = step;
    TN_TRY(step == fail_at ? tn_fail_alert(TN_E_DER, TN_ALERT_DECODE_ERROR) : tn_success());
  }
  return tn_success();
}

static void a_failure_travels_unchanged(void **state) {
  (void)state;
  int reached = 0;
  tn_result r = three_steps(2, &reached);
  assert_int_equal(reached, 2);
  assert_int_equal(r.reason, TN_E_DER);
  assert_int_equal(r.alert, TN_ALERT_DECODE_ERROR);
  assert_ok(three_steps(0, &reached));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_set_is_a_failure),
      cmocka_unit_test(every_reason_has_words_and_an_alert_with_a_name),
      cmocka_unit_test(a_failure_travels_unchanged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
