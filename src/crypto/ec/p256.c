#include "crypto/ec/p256.h"

#include "base/ct.h"
#include "base/mem.h"
#include "crypto/ec/p256_mul.h"

// An honest generator is refused once in 2^32 times. One that is refused this often is broken.
#define MAX_DRAWS 16

tn_result tn_p256_public(const uint8_t priv[32], uint8_t pub[65]) {
  tn_p256_scalar k;
  tn_p256_point point;
  tn_p256_affine affine;
  bool valid = tn_p256_scalar_decode(&k, priv);
  if (valid) {
    tn_p256_mul_base(&point, &k);
    tn_p256_point_to_affine(&affine, &point);
    tn_p256_point_encode(pub, &affine);
    TN_PUBLIC(pub, TN_P256_POINT_LEN);
    // The projective coordinates tell of the scalar what the affine ones do not.
    tn_wipe(&point, sizeof point);
  }
  tn_wipe(&k, sizeof k);
  tn_wipe_stack();
  return valid ? tn_success() : tn_fail(TN_E_KEY_INVALID);
}

tn_result tn_p256_generate(const tn_rng *rng, uint8_t priv[32], uint8_t pub[65]) {
  for (int i = 0; i < MAX_DRAWS; i++) {
    TN_TRY(tn_random(rng, priv, TN_P256_SCALAR_LEN));
    TN_SECRET(priv, TN_P256_SCALAR_LEN);
    // That earlier candidates were out of range tells nothing of this one.
    if (tn_ok(tn_p256_public(priv, pub))) return tn_success();
  }
  tn_wipe(priv, TN_P256_SCALAR_LEN);
  return tn_fail(TN_E_NO_RANDOM);
}

tn_result tn_p256_check_public(tn_span pub) {
  tn_p256_affine point;
  return tn_p256_point_decode(&point, pub) ? tn_success() : tn_fail(TN_E_KEY_INVALID);
}

tn_result tn_p256_ecdh(const uint8_t priv[32], tn_span peer, uint8_t secret[32]) {
  tn_p256_affine affine;
  tn_p256_point point;
  tn_p256_scalar k;
  TN_ENSURE(tn_p256_point_decode(&affine, peer), TN_E_BAD_KEY_SHARE);
  bool valid = tn_p256_scalar_decode(&k, priv);
  if (valid) {
    // Not infinity: the order is prime and 1 <= k < n.
    tn_p256_mul(&point, &k, &affine);
    tn_p256_point_to_affine(&affine, &point);
    tn_p256_fe_to_bytes(secret, &affine.x);
    tn_wipe(&point, sizeof point);
    tn_wipe(&affine, sizeof affine);
  }
  tn_wipe(&k, sizeof k);
  tn_wipe_stack();
  return valid ? tn_success() : tn_fail(TN_E_KEY_INVALID);
}
