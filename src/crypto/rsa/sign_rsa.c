// The signature schemes of RSA: RFC 8017, RFC 8446 section 4.2.3.
#include "crypto/rsa/sign_rsa.h"

#include "base/mem.h"

typedef enum { PKCS1, PSS } padding;

static tn_result sign(tn_key_type type, padding how, const tn_hash *hash, const tn_rng *rng, const tn_secret_key *key,
                      tn_span msg, uint8_t *sig, size_t *sig_len) {
  uint8_t digest[TN_HASH_MAX_DIGEST];
  TN_ENSURE(key->type == type && tn_pss_params_allow(&key->pss, hash, hash->digest_len), TN_E_KEY_UNSUPPORTED);
  tn_hash_once(hash, msg.p, msg.n, digest);
  const tn_span in = {digest, hash->digest_len};
  return how == PSS ? tn_rsa_pss_sign(key->rsa, rng, hash, in, sig, sig_len)
                    : tn_rsa_pkcs1_sign(key->rsa, rng, hash, in, sig, sig_len);
}

static tn_result verify(const tn_public_key *key, padding how, const tn_hash *hash, size_t salt_len, tn_span msg,
                        tn_span sig) {
  uint8_t digest[TN_HASH_MAX_DIGEST];
  uint64_t words[TN_BN_MAX_WORDS];
  tn_rsa_public rsa;
  TN_ENSURE(tn_pss_params_allow(&key->pss, hash, salt_len), TN_E_KEY_UNSUPPORTED);
  TN_TRY(tn_rsa_public_load(&rsa, words, key->modulus, key->exponent));
  tn_hash_once(hash, msg.p, msg.n, digest);
  const tn_span in = {digest, hash->digest_len};
  return how == PSS ? tn_rsa_pss_verify(&rsa, hash, NULL, salt_len, in, sig) : tn_rsa_pkcs1_verify(&rsa, hash, in, sig);
}

tn_result tn_rsa_pss_verify_message(const tn_public_key *key, const tn_hash *hash, size_t salt_len, tn_span msg,
                                    tn_span sig) {
  TN_ENSURE(tn_key_is_rsa(key->type), TN_E_KEY_UNSUPPORTED);
  return verify(key, PSS, hash, salt_len, msg, sig);
}

static const char *path(void) { return tn_bn_path_here()->name; }

// The two functions of a scheme, bound to its kind of key, its padding and its hash, and its row.
#define SCHEME(family, number, key, padding, digest, ...)                                                         \
  static tn_result sign_##family##_##digest(const tn_rng *rng, const tn_secret_key *k, tn_span msg, uint8_t *sig, \
                                            size_t *len) {                                                        \
    return sign(key, padding, &tn_##digest, rng, k, msg, sig, len);                                               \
  }                                                                                                               \
  static tn_result verify_##family##_##digest(const tn_public_key *k, tn_span msg, tn_span sig) {                 \
    TN_ENSURE(k->type == key, TN_E_KEY_UNSUPPORTED);                                                              \
    return verify(k, padding, &tn_##digest, tn_##digest.digest_len, msg, sig);                                    \
  }                                                                                                               \
  const tn_sign_scheme tn_rsa_##family##_##digest = {.name = "rsa_" #family "_" #digest,                          \
                                                     .id = number,                                                \
                                                     .key_type = key,                                             \
                                                     .hash = &tn_##digest,                                        \
                                                     .sign = sign_##family##_##digest,                            \
                                                     .verify = verify_##family##_##digest,                        \
                                                     .path = path,                                                \
                                                     __VA_ARGS__};

SCHEME(pss_rsae, 0x0804, TN_KEY_RSA, PSS, sha256)
SCHEME(pss_rsae, 0x0805, TN_KEY_RSA, PSS, sha384)
SCHEME(pss_rsae, 0x0806, TN_KEY_RSA, PSS, sha512)
SCHEME(pss_pss, 0x0809, TN_KEY_RSA_PSS, PSS, sha256)
SCHEME(pss_pss, 0x080a, TN_KEY_RSA_PSS, PSS, sha384)
SCHEME(pss_pss, 0x080b, TN_KEY_RSA_PSS, PSS, sha512)
SCHEME(pkcs1, 0x0401, TN_KEY_RSA, PKCS1, sha256, .in_certificates_only = true)
SCHEME(pkcs1, 0x0501, TN_KEY_RSA, PKCS1, sha384, .in_certificates_only = true)
SCHEME(pkcs1, 0x0601, TN_KEY_RSA, PKCS1, sha512, .in_certificates_only = true)
SCHEME(pkcs1, 0x0201, TN_KEY_RSA, PKCS1, sha1, .in_certificates_only = true, .is_weak = true)
