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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_comes_zeroed_from_any_allocator),
      cmocka_unit_test(wiping_survives_the_optimiser),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
