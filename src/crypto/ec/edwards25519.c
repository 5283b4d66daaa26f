#include "crypto/ec/edwards25519.h"

#include <stddef.h>

#include "base/bytes.h"
#include "base/cpu.h"

extern const tn_edwards25519_impl tn_edwards25519_portable;
// MemorySanitizer does not see through assembly.
#if defined(__x86_64__) && !defined(TN_CT_MSAN)
extern const tn_edwards25519_impl tn_edwards25519_adx;
#define ACCELERATED &tn_edwards25519_adx,
#else
#define ACCELERATED
#endif

// clang-format off
const tn_edwards25519_impl *const tn_edwards25519_impls[] = {ACCELERATED &tn_edwards25519_portable, NULL};
// clang-format on

const tn_edwards25519_impl *tn_edwards25519_impl_of(void) {
  const tn_edwards25519_impl *const *impl = tn_edwards25519_impls;
  while (!tn_cpu_has((*impl)->cpu)) impl++;
  return *impl;
}

// RFC 8032 section 5.1.2: y, and the lowest bit of x on top.
void tn_edwards25519_encode(uint8_t out[32], const tn_edwards25519_affine *a) {
  for (int i = 0; i < 4; i++) tn_store_le64(out + 8 * i, a->y[i]);
  out[31] |= (uint8_t)(a->x[0] << 7);
}
