#include "base/ct.h"
#include "support/support.h"

static const uint64_t edges[] = {
    0, 1, 2, 0x7f, 0x80, 0xff, 1ull << 31, 1ull << 32, (1ull << 63) - 1, 1ull << 63, UINT64_MAX - 1, UINT64_MAX};

static void masks_agree_with_the_operators(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(edges); i++) {
    uint64_t a = edges[i];
    assert_true(tn_ct_is_zero(a) == (a == 0 ? UINT64_MAX : 0));
    assert_true(tn_ct_mask_bit(a) == (a & 1 ? UINT64_MAX : 0));
    for (size_t j = 0; j < COUNT(edges); j++) {
      uint64_t b = edges[j];
      assert_true(tn_ct_eq(a, b) == (a == b ? UINT64_MAX : 0));
      assert_true(tn_ct_lt(a, b) == (a < b ? UINT64_MAX : 0));
      assert_true(tn_ct_select(UINT64_MAX, a, b) == a);
      assert_true(tn_ct_select(0, a, b) == b);
    }
  }
}

static void equality_sees_every_bit(void **state) {
  (void)state;
  uint8_t a[33] = {0}, b[33] = {0};
  assert_true(tn_ct_equal(a, b, sizeof a));
  assert_true(tn_ct_equal(a, b, 0));
  for (size_t bit = 0; bit < 8 * sizeof a; bit++) {
    b[bit / 8] ^= (uint8_t)(1u << bit % 8);
    assert_false(tn_ct_equal(a, b, sizeof a));
    b[bit / 8] = 0;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masks_agree_with_the_operators),
      cmocka_unit_test(equality_sees_every_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
