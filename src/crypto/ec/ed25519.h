// Ed25519, RFC 8032 section 5.1 and FIPS 186-5 section 7: pure EdDSA, without a context.
// A private key is the 32 bytes of RFC 8032's, from which the scalar is hashed.
#ifndef TN_CRYPTO_ED25519_H
#define TN_CRYPTO_ED25519_H

#include "base/error.h"
#include "crypto/rng/rng.h"

#define TN_ED25519_LEN 32  // of either key
#define TN_ED25519_SIG_LEN 64

// A new key pair.
TN_MUST_USE tn_result tn_ed25519_generate(const tn_rng *rng, uint8_t priv[32], uint8_t pub[32]);
// The public half of a private key. Constant time.
void tn_ed25519_public(const uint8_t priv[32], uint8_t pub[32]);
// TN_E_KEY_INVALID unless pub is the one encoding of a point of the curve. Public data.
TN_MUST_USE tn_result tn_ed25519_check_public(tn_span pub);

// Deterministic. pub is priv's; TN_E_SELF_CHECK if the signature would be wrong (ed25519.c). Constant time in priv;
// leaks: msg.n.
TN_MUST_USE tn_result tn_ed25519_sign(const uint8_t priv[32], const uint8_t pub[32], tn_span msg, uint8_t sig[64]);
// TN_E_BAD_SIGNATURE unless sig is right, of msg and pub; TN_E_KEY_INVALID for a pub that is no point. Variable time:
// public data.
TN_MUST_USE tn_result tn_ed25519_verify_vartime(tn_span pub, tn_span msg, tn_span sig);

#endif
