// RSA keys in DER: RSAPublicKey and RSAPrivateKey (RFC 8017 appendix A.1).
#ifndef TN_PKI_RSA_DER_H
#define TN_PKI_RSA_DER_H

#include "base/bytes.h"
#include "crypto/sign.h"

// A whole RSAPublicKey: the numbers, positive, without leading zeros, over the same memory.
TN_MUST_USE bool tn_rsa_public_read(tn_span der, tn_span *modulus, tn_span *exponent);
void tn_rsa_public_write(tn_writer *w, tn_span modulus, tn_span exponent);

// A whole RSAPrivateKey, into the key. TN_E_DER, TN_E_KEY_MULTI_PRIME, or why the numbers do not load.
// Constant time in the secret numbers. leaks: their lengths in DER.
TN_MUST_USE tn_result tn_rsa_private_read(tn_span der, const tn_allocator *a, tn_key_type type, tn_secret_key *key);
// Likewise.
void tn_rsa_private_write(tn_writer *w, const tn_secret_key *key);

#endif
