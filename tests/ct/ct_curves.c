// Every curve with secret keys, nonces and random bytes: key generation, public points, ECDH, signatures, inversions.
#include "base/ct.h"
#include "crypto/ec/curve.h"
#include "crypto/ec/modinv.h"
#include "support/support.h"

static void require(tn_result r) {
  if (!tn_ok(r)) abort();
}

static void same(uint8_t *a, uint8_t *b, size_t n) {
  TN_PUBLIC(a, n);
  TN_PUBLIC(b, n);
  if (memcmp(a, b, n) != 0) abort();
}

static void keys_and_secrets(const tn_curve *c, const tn_rng *rng) {
  const size_t point_len = tn_curve_point_len(c);
  uint8_t priv[TN_CURVE_MAX_LEN], pub[TN_CURVE_MAX_POINT], pub_again[TN_CURVE_MAX_POINT];
  uint8_t peer_priv[TN_CURVE_MAX_LEN], peer[TN_CURVE_MAX_POINT];
  uint8_t secret[TN_CURVE_MAX_LEN], again[TN_CURVE_MAX_LEN];
  require(tn_ec_generate(c, rng, priv, pub));
  require(tn_ec_generate(c, rng, peer_priv, peer));
  TN_SECRET(priv, sizeof priv);
  TN_SECRET(peer_priv, sizeof peer_priv);
  require(tn_ec_public(c, priv, pub_again));
  same(pub, pub_again, point_len);
  require(tn_ecdh(c, priv, tn_span_of(peer, point_len), secret));
  require(tn_ecdh(c, peer_priv, tn_span_of(pub, point_len), again));
  same(secret, again, c->len);

  // Edges: zeros in the scalar select nothing from the tables.
  static const uint8_t tops[] = {0, 1, 0x80};
  for (size_t i = 0; i < COUNT(tops); i++) {
    memset(priv, 0, sizeof priv);
    priv[c->bits % 8 != 0] = tops[i];
    priv[c->len - 1] = 1;
    TN_SECRET(priv, sizeof priv);
    require(tn_ec_public(c, priv, pub));
    require(tn_ecdh(c, priv, tn_span_of(peer, point_len), secret));
  }
}

static void signatures(const tn_curve *c, const tn_rng *rng) {
  const uint8_t digest[32] = {1, 2, 3};
  uint8_t priv[TN_CURVE_MAX_LEN], pub[TN_CURVE_MAX_POINT], sig[TN_CURVE_MAX_SIG];
  const tn_rng *const rngs[] = {rng, NULL};
  require(tn_ec_generate(c, rng, priv, pub));
  TN_SECRET(priv, sizeof priv);
  for (size_t i = 0; i < COUNT(rngs); i++) {
    require(tn_ecdsa_sign(c, rngs[i], priv, digest, sizeof digest, sig));
    require(tn_ecdsa_verify_vartime(c, tn_span_of(pub, tn_curve_point_len(c)), digest, sizeof digest, sig));
  }
}

// k / k = 1 modulo the order; and the inverse of 0.
static void inverses(const tn_curve *c, test_rng *seed) {
  const tn_curve_impl *impl = tn_curve_impl_of(c);
  uint64_t k[TN_CURVE_MAX_WORDS], inverse[TN_CURVE_MAX_WORDS], zero[TN_CURVE_MAX_WORDS] = {0};
  test_rng_bytes(seed, k, sizeof k);
  k[c->words - 1] &= c->order[c->words - 1] >> 1;
  TN_SECRET(k, sizeof k);
  TN_SECRET(zero, sizeof zero);
  impl->order_inv(inverse, k);
  impl->order_mul(k, k, inverse);
  tn_modinv(zero, zero, c->order, c->bits);
  TN_PUBLIC(k, sizeof k);
  TN_PUBLIC(zero, sizeof zero);
  if (k[0] != 1 || zero[0] != 0) abort();
}

int main(void) {
  test_rng seed = {1};
  const tn_rng rng = test_rng_as_rng(&seed);
  for (size_t i = 0; tn_curves[i] != NULL; i++) {
    keys_and_secrets(tn_curves[i], &rng);
    signatures(tn_curves[i], &rng);
    inverses(tn_curves[i], &seed);
  }
  return 0;
}
