#include "base/mem.h"
#include "support/support.h"

static void memory_comes_zeroed_from_any_allocator(void **state) {
  (void)state;
  uint8_t *p = tn_alloc(NULL, 1000);
  assert_non_null(p);
  for (size_t i = 0; i < 1000; i++) assert_int_equal(p[i], 0);
  memset(p, 0xaa, 1000);
  tn_release(NULL, p, 1000);
  assert_null(tn_alloc(NULL, 0));
  tn_release(NULL, NULL, 5);
}

static void wiping_survives_the_optimiser(void **state) {
  (void)state;
  uint8_t secret[64];
  memset(secret, 0x5a, sizeof secret);
  tn_wipe(secret, sizeof secret);
  const volatile uint8_t *seen = secret;
  for (size_t i = 0; i < sizeof secret; i++) assert_int_equal(seen[i], 0);
}

static void case_is_that_of_asciis_letters_alone(void **state) {
  (void)state;
  for (unsigned a = 0; a < 256; a++)
    for (unsigned b = 0; b < 256; b++) {
      const uint8_t x[2] = {'x', (uint8_t)a}, y[2] = {'X', (uint8_t)b};
      bool letters = ((a | 0x20) == (b | 0x20)) && (a | 0x20) >= 'a' && (a | 0x20) <= 'z';
      assert_int_equal(tn_span_equal_nocase_vartime(tn_span_of(x, 2), tn_span_of(y, 2)), a == b || letters);
    }
  assert_false(tn_span_equal_nocase_vartime(tn_span_of("ab", 2), tn_span_of("abc", 3)));
  assert_true(tn_span_equal_nocase_vartime((tn_span){NULL, 0}, (tn_span){NULL, 0}));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_comes_zeroed_from_any_allocator),
      cmocka_unit_test(wiping_survives_the_optimiser),
      cmocka_unit_test(case_is_that_of_asciis_letters_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
