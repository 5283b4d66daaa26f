// P-256 with secret keys, nonces and random bytes: key generation, public points, ECDH, signatures, inversions.
#include "base/ct.h"
#include "crypto/ec/p256.h"
#include "crypto/ec/p256_scalar.h"
#include "support/support.h"

static void require(tn_result r) {
  if (!tn_ok(r)) abort();
}

int main(void) {
  test_rng seed = {1};
  tn_rng rng = test_rng_as_rng(&seed);
  uint8_t priv[32], pub[65], peer_priv[32], peer[65], secret[32], again[32], sig[64], digest[32] = {1, 2, 3};

  require(tn_p256_generate(&rng, priv, pub));
  require(tn_p256_generate(&rng, peer_priv, peer));

  TN_SECRET(priv, sizeof priv);
  TN_SECRET(peer_priv, sizeof peer_priv);
  uint8_t pub_again[65];
  require(tn_p256_public(priv, pub_again));
  if (memcmp(pub, pub_again, sizeof pub) != 0) abort();

  require(tn_p256_ecdh(priv, tn_span_of(peer, sizeof peer), secret));
  require(tn_p256_ecdh(peer_priv, tn_span_of(pub, sizeof pub), again));
  TN_PUBLIC(secret, sizeof secret);
  TN_PUBLIC(again, sizeof again);
  if (memcmp(secret, again, sizeof secret) != 0) abort();

  require(tn_p256_sign(&rng, priv, digest, sizeof digest, sig));
  require(tn_p256_verify_vartime(tn_span_of(pub, sizeof pub), digest, sizeof digest, sig));
  require(tn_p256_sign(NULL, priv, digest, sizeof digest, sig));
  require(tn_p256_verify_vartime(tn_span_of(pub, sizeof pub), digest, sizeof digest, sig));

  // Edges: zeros in the scalar select nothing from the tables.
  static const uint8_t tops[] = {0, 1, 0x80};
  for (size_t i = 0; i < COUNT(tops); i++) {
    memset(priv, 0, sizeof priv);
    priv[0] = tops[i];
    priv[31] = 1;
    TN_SECRET(priv, sizeof priv);
    require(tn_p256_public(priv, pub));
    require(tn_p256_ecdh(priv, tn_span_of(peer, sizeof peer), secret));
  }

  tn_p256_scalar k, inverse;
  uint64_t below = tn_p256_scalar_from_bytes(&k, peer_priv);
  tn_p256_scalar_inv(&inverse, &k);
  tn_p256_scalar_mul(&k, &k, &inverse);
  TN_PUBLIC(&below, sizeof below);
  TN_PUBLIC(&k, sizeof k);
  return below != 0 && k.w[0] == 1 ? 0 : 1;
}
