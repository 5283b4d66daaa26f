// The signature schemes of P-256 keys.
#include "base/mem.h"
#include "crypto/ec/ecdsa_der.h"
#include "crypto/ec/p256.h"
#include "crypto/sign.h"

static tn_result sign(const tn_hash *hash, const tn_rng *rng, const tn_secret_key *key, tn_span msg, uint8_t *sig,
                      size_t *sig_len) {
  uint8_t digest[TN_HASH_MAX_DIGEST], raw[TN_P256_SIG_LEN], der[TN_ECDSA_P256_DER_MAX];
  TN_ENSURE(key->type == TN_KEY_P256, TN_E_KEY_UNSUPPORTED);
  tn_hash_once(hash, msg.p, msg.n, digest);
  TN_TRY(tn_p256_sign(rng, key->scalar, digest, hash->digest_len, raw));
  size_t n = tn_ecdsa_der_encode(der, raw);
  TN_ENSURE(n <= *sig_len, TN_E_NO_SPACE);
  tn_copy(sig, der, n);
  *sig_len = n;
  return tn_success();
}

static tn_result verify(const tn_hash *hash, const tn_public_key *key, tn_span msg, tn_span sig) {
  uint8_t digest[TN_HASH_MAX_DIGEST], raw[TN_P256_SIG_LEN];
  TN_ENSURE(key->type == TN_KEY_P256, TN_E_KEY_UNSUPPORTED);
  TN_TRY(tn_p256_check_public(key->point));
  TN_ENSURE(tn_ecdsa_der_decode(raw, sig), TN_E_BAD_SIGNATURE);
  tn_hash_once(hash, msg.p, msg.n, digest);
  return tn_p256_verify_vartime(key->point, digest, hash->digest_len, raw);
}

// The two functions of a scheme, bound to its hash.
#define BIND(hash)                                                                                                    \
  static tn_result sign_##hash(const tn_rng *rng, const tn_secret_key *key, tn_span msg, uint8_t *sig, size_t *len) { \
    return sign(&tn_##hash, rng, key, msg, sig, len);                                                                 \
  }                                                                                                                   \
  static tn_result verify_##hash(const tn_public_key *key, tn_span msg, tn_span sig) {                                \
    return verify(&tn_##hash, key, msg, sig);                                                                         \
  }
BIND(sha256)
BIND(sha384)
BIND(sha512)

const tn_sign_scheme tn_ecdsa_secp256r1_sha256 = {
    .name = "ecdsa_secp256r1_sha256",
    .id = 0x0403,
    .key_type = TN_KEY_P256,
    .hash = &tn_sha256,
    .sign = sign_sha256,
    .verify = verify_sha256,
};
const tn_sign_scheme tn_ecdsa_p256_sha384 = {
    .name = "ecdsa_p256_sha384",
    .key_type = TN_KEY_P256,
    .hash = &tn_sha384,
    .in_certificates_only = true,
    .sign = sign_sha384,
    .verify = verify_sha384,
};
const tn_sign_scheme tn_ecdsa_p256_sha512 = {
    .name = "ecdsa_p256_sha512",
    .key_type = TN_KEY_P256,
    .hash = &tn_sha512,
    .in_certificates_only = true,
    .sign = sign_sha512,
    .verify = verify_sha512,
};
