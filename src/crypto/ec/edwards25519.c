#include "crypto/ec/edwards25519.h"

#include <stddef.h>

#include "base/cpu.h"

extern const tn_edwards25519_impl tn_edwards25519_portable;
#if defined(__x86_64__)
extern const tn_edwards25519_impl tn_edwards25519_adx;
#endif

const tn_edwards25519_impl *const tn_edwards25519_impls[] = {
#if defined(__x86_64__)
    &tn_edwards25519_adx,
#endif
    &tn_edwards25519_portable,
    NULL,
};

const tn_edwards25519_impl *tn_edwards25519_impl_of(void) {
  const tn_edwards25519_impl *const *impl = tn_edwards25519_impls;
  while (!tn_cpu_has((*impl)->cpu)) impl++;
  return *impl;
}
