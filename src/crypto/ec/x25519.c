#include "crypto/ec/x25519.h"

#include "base/bytes.h"
#include "base/mem.h"
#include "crypto/ec/edwards25519.h"

// decodeScalar25519 of RFC 7748 section 5.
static void clamp(uint64_t k[4], const uint8_t scalar[32]) {
  for (int i = 0; i < 4; i++) k[i] = tn_load_le64(scalar + 8 * i);
  k[0] &= ~(uint64_t)7;
  k[3] = (k[3] & INT64_MAX) | (uint64_t)1 << 62;
}

void tn_x25519(uint8_t out[32], const uint8_t scalar[32], const uint8_t u[32]) {
  uint64_t k[4];
  clamp(k, scalar);
  tn_edwards25519_impl_of()->multiply_u(out, k, u);
  tn_wipe(k, sizeof k);
  tn_wipe_stack();
}

void tn_x25519_base(uint8_t out[32], const uint8_t scalar[32]) {
  uint64_t k[4];
  clamp(k, scalar);
  tn_edwards25519_impl_of()->base_u(out, k);
  tn_wipe(k, sizeof k);
  tn_wipe_stack();
}
