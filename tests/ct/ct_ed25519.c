// Ed25519's keys and signatures with a secret key; secret numbers modulo L.
#include "base/ct.h"
#include "crypto/ec/ed25519.h"
#include "crypto/ec/ed25519_scalar.h"
#include "support/support.h"

static void require(bool condition) {
  if (!condition) abort();
}

int main(void) {
  test_rng seed = {1};
  tn_rng rng = test_rng_as_rng(&seed);
  uint8_t priv[32], pub[32], again[32], sig[64], text[100] = {1, 2, 3};
  require(tn_ok(tn_ed25519_generate(&rng, priv, pub)));
  tn_ed25519_public(priv, again);
  require(memcmp(pub, again, sizeof pub) == 0);
  for (size_t n = 0; n <= sizeof text; n += 50) {
    require(tn_ok(tn_ed25519_sign(priv, pub, tn_span_of(text, n), sig)));
    require(tn_ok(tn_ed25519_verify_vartime(tn_span_of(pub, 32), tn_span_of(text, n), tn_span_of(sig, 64))));
  }

  // Numbers that no hash gives: the estimate of a quotient too large, or one bit too long.
  for (int top = 0; top < 256; top += 51) {
    uint8_t wide[64];
    uint64_t r[4], s[4];
    memset(wide, 0xff, sizeof wide);
    wide[63] = (uint8_t)top;
    TN_SECRET(wide, sizeof wide);
    tn_ed25519_scalar_reduce(r, wide);
    tn_ed25519_scalar_mul_add(s, r, r, r);
    tn_ed25519_scalar_sub(s, s, r);
    (void)tn_ed25519_scalar_load(s, wide);
  }
  return 0;
}
