#include "base/ct.h"

#include <string.h>

uint64_t tn_ct_equal_mask(const void *a, const void *b, size_t n) {
  const uint8_t *x = a, *y = b;
  uint64_t difference = 0;
  for (; n >= 8; n -= 8, x += 8, y += 8) {
    uint64_t v, w;
    memcpy(&v, x, 8);
    memcpy(&w, y, 8);
    difference |= v ^ w;
  }
  for (size_t i = 0; i < n; i++) difference |= (uint64_t)(x[i] ^ y[i]);
  return tn_ct_is_zero(difference);
}

bool tn_ct_equal(const void *a, const void *b, size_t n) { return tn_ct_declassify(tn_ct_equal_mask(a, b, n)); }
