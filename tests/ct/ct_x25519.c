// X25519 with a secret scalar and a secret u.
#include "base/ct.h"
#include "crypto/ec/x25519.h"
#include "support/support.h"

int main(void) {
  uint8_t scalar[32], u[32], out[32], check[32];
  test_rng rng = {1};
  test_rng_bytes(&rng, scalar, sizeof scalar);
  test_rng_bytes(&rng, u, sizeof u);
  TN_SECRET(scalar, sizeof scalar);
  TN_SECRET(u, sizeof u);
  tn_x25519(out, scalar, u);
  tn_x25519(check, scalar, u);
  TN_PUBLIC(out, sizeof out);
  TN_PUBLIC(check, sizeof check);
  if (memcmp(out, check, sizeof out) != 0) return 1;

  tn_x25519_base(out, scalar);
  TN_PUBLIC(out, sizeof out);
  return memcmp(out, check, sizeof out) == 0;
}
