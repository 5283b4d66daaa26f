// NIST P-256 (secp256r1), SP 800-186: ECDH (SP 800-56A) and ECDSA (FIPS 186-5).
// Scalars and coordinates are 32 bytes, big-endian; points are uncompressed SEC1: 0x04, x, y.
#ifndef TN_CRYPTO_P256_H
#define TN_CRYPTO_P256_H

#include "base/error.h"
#include "crypto/rng/rng.h"

#define TN_P256_SCALAR_LEN 32
#define TN_P256_POINT_LEN 65
#define TN_P256_SIG_LEN 64  // r, s

// A private key, uniform in [1, n - 1] by rejection, and its public point.
TN_MUST_USE tn_result tn_p256_generate(const tn_rng *rng, uint8_t priv[32], uint8_t pub[65]);
// The public point of a private key. TN_E_KEY_INVALID unless 1 <= priv < n. Constant time.
TN_MUST_USE tn_result tn_p256_public(const uint8_t priv[32], uint8_t pub[65]);
// TN_E_KEY_INVALID unless pub is an uncompressed point of the curve (full validation). Public data.
TN_MUST_USE tn_result tn_p256_check_public(tn_span pub);
// The x-coordinate of priv * peer. TN_E_BAD_KEY_SHARE if peer is not a valid point. Constant time in priv.
TN_MUST_USE tn_result tn_p256_ecdh(const uint8_t priv[32], tn_span peer, uint8_t secret[32]);
// ECDSA over a digest of any length (leftmost 256 bits are used). The nonce is RFC 6979's with SHA-256, hedged:
// fresh random bytes enter as the additional data of section 3.6. A NULL rng gives the pure deterministic one,
// for vectors. The signature is verified before it leaves. Constant time in priv and the nonce.
TN_MUST_USE tn_result tn_p256_sign(const tn_rng *rng, const uint8_t priv[32], const uint8_t *digest, size_t digest_len,
                                   uint8_t sig[64]);
// TN_E_BAD_SIGNATURE unless the signature is right; TN_E_KEY_INVALID for a bad point. Variable time: public data.
TN_MUST_USE tn_result tn_p256_verify_vartime(tn_span pub, const uint8_t *digest, size_t digest_len,
                                             const uint8_t sig[64]);

#endif
