// RSA keys behind the types of crypto/sign.h.
#ifndef TN_CRYPTO_RSA_SIGN_RSA_H
#define TN_CRYPTO_RSA_SIGN_RSA_H

#include "crypto/sign.h"

// Whether a key bound so may sign with this hash and a salt of this length.
static inline bool tn_pss_params_allow(const tn_pss_params *params, const tn_hash *hash, size_t salt_len) {
  return params->hash == NULL || (params->hash == hash && salt_len >= params->salt_len);
}

// As tn_secret_key_generate() and tn_secret_key_copy().
TN_MUST_USE tn_result tn_secret_rsa_generate(tn_secret_key *key, const tn_allocator *a, tn_key_type type, size_t bits,
                                             const tn_rng *rng);
TN_MUST_USE tn_result tn_secret_rsa_copy(tn_secret_key *copy, const tn_allocator *a, const tn_secret_key *key);

#endif
