#include "crypto/ec/edwards25519.h"

#include <stddef.h>

#include "base/bytes.h"
#include "base/cpu.h"

extern const tn_edwards25519_impl tn_edwards25519_portable;
#if defined(__x86_64__)
extern const tn_edwards25519_impl tn_edwards25519_ifma;
extern const tn_edwards25519_impl tn_edwards25519_adx;
#endif

const tn_edwards25519_impl *const tn_edwards25519_impls[] = {
#if defined(__x86_64__)
    &tn_edwards25519_ifma,
#if !defined(TN_CT_MSAN)  // MemorySanitizer does not see through assembly
    &tn_edwards25519_adx,
#endif
#endif
    &tn_edwards25519_portable, NULL};

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
