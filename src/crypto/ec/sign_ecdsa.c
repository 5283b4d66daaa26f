// The signature schemes of ECDSA.
#include "base/mem.h"
#include "crypto/ec/curve.h"
#include "crypto/ec/ecdsa_der.h"
#include "crypto/sign.h"

static tn_result sign(const tn_curve *curve, const tn_hash *hash, const tn_rng *rng, const tn_secret_key *key,
                      tn_span msg, uint8_t *sig, size_t *sig_len) {
  uint8_t digest[TN_HASH_MAX_DIGEST], raw[TN_CURVE_MAX_SIG], der[TN_ECDSA_DER_MAX];
  TN_ENSURE(tn_key_curve(key->type) == curve, TN_E_KEY_UNSUPPORTED);
  tn_hash_once(hash, msg.p, msg.n, digest);
  TN_TRY(tn_ecdsa_sign(curve, rng, key->scalar, digest, hash->digest_len, raw));
  const size_t n = tn_ecdsa_der_encode(der, raw, curve->len);
  TN_ENSURE(n <= *sig_len, TN_E_NO_SPACE);
  tn_copy(sig, der, n);
  *sig_len = n;
  return tn_success();
}

static tn_result verify(const tn_curve *curve, const tn_hash *hash, const tn_public_key *key, tn_span msg,
                        tn_span sig) {
  uint8_t digest[TN_HASH_MAX_DIGEST], raw[TN_CURVE_MAX_SIG];
  TN_ENSURE(tn_key_curve(key->type) == curve, TN_E_KEY_UNSUPPORTED);
  TN_TRY(tn_ec_check_public(curve, key->point));
  TN_ENSURE(tn_ecdsa_der_decode(raw, curve->len, sig), TN_E_BAD_SIGNATURE);
  tn_hash_once(hash, msg.p, msg.n, digest);
  return tn_ecdsa_verify_vartime(curve, key->point, digest, hash->digest_len, raw);
}

// The functions of a scheme, bound to its curve and hash, and its row.
#define SCHEME(row, iana, number, curve, key, digest, certificates_only)                                         \
  static tn_result sign_##curve##_##digest(const tn_rng *rng, const tn_secret_key *k, tn_span msg, uint8_t *sig, \
                                           size_t *len) {                                                        \
    return sign(&tn_##curve, &tn_##digest, rng, k, msg, sig, len);                                               \
  }                                                                                                              \
  static tn_result verify_##curve##_##digest(const tn_public_key *k, tn_span msg, tn_span sig) {                 \
    return verify(&tn_##curve, &tn_##digest, k, msg, sig);                                                       \
  }                                                                                                              \
  static const char *path_##curve##_##digest(void) { return tn_curve_impl_of(&tn_##curve)->path; }               \
  const tn_sign_scheme row = {                                                                                   \
      .name = iana,                                                                                              \
      .id = number,                                                                                              \
      .key_type = key,                                                                                           \
      .hash = &tn_##digest,                                                                                      \
      .in_certificates_only = certificates_only,                                                                 \
      .sign = sign_##curve##_##digest,                                                                           \
      .verify = verify_##curve##_##digest,                                                                       \
      .path = path_##curve##_##digest,                                                                           \
  };

SCHEME(tn_ecdsa_secp256r1_sha256, "ecdsa_secp256r1_sha256", 0x0403, p256, TN_KEY_P256, sha256, false)
SCHEME(tn_ecdsa_secp384r1_sha384, "ecdsa_secp384r1_sha384", 0x0503, p384, TN_KEY_P384, sha384, false)
SCHEME(tn_ecdsa_secp521r1_sha512, "ecdsa_secp521r1_sha512", 0x0603, p521, TN_KEY_P521, sha512, false)
SCHEME(tn_ecdsa_p256_sha384, "ecdsa_p256_sha384", 0, p256, TN_KEY_P256, sha384, true)
SCHEME(tn_ecdsa_p256_sha512, "ecdsa_p256_sha512", 0, p256, TN_KEY_P256, sha512, true)
SCHEME(tn_ecdsa_p384_sha256, "ecdsa_p384_sha256", 0, p384, TN_KEY_P384, sha256, true)
SCHEME(tn_ecdsa_p384_sha512, "ecdsa_p384_sha512", 0, p384, TN_KEY_P384, sha512, true)
SCHEME(tn_ecdsa_p521_sha256, "ecdsa_p521_sha256", 0, p521, TN_KEY_P521, sha256, true)
SCHEME(tn_ecdsa_p521_sha384, "ecdsa_p521_sha384", 0, p521, TN_KEY_P521, sha384, true)
