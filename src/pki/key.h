// Private keys as the floors above use them: operations, never bytes, so that a key may one day live elsewhere.
#ifndef TN_PKI_KEY_H
#define TN_PKI_KEY_H

#include "base/bytes.h"
#include "crypto/sign.h"
#include "tenon/pki.h"

struct tn_key {
  const tn_allocator *allocator;
  tn_secret_key secret;
};

tn_key_type tn_key_get_type(const tn_key *key);
// The public half; lives as long as the key.
tn_public_key tn_key_public(const tn_key *key);
// Signs the whole message; *sig_len is the room at sig on entry, the signature's length on success.
// TN_E_BAD_ARGUMENT if the scheme is not for keys like this one.
TN_MUST_USE tn_result tn_key_sign(const tn_key *key, const tn_sign_scheme *scheme, const tn_rng *rng, tn_span msg,
                                  uint8_t *sig, size_t *sig_len);
TN_MUST_USE tn_result tn_key_copy(const tn_allocator *a, const tn_key *key, tn_key **out);
// Whether the certificate is for this key.
bool tn_key_is_of(const tn_key *key, const tn_cert *cert);

#endif
