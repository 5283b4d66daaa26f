// ECDSA signatures of P-256 as X.509 and TLS carry them: DER's Ecdsa-Sig-Value (RFC 5480 appendix A),
// SEQUENCE { r INTEGER, s INTEGER }; raw is r and s, 32 bytes each.
#ifndef TN_CRYPTO_ECDSA_DER_H
#define TN_CRYPTO_ECDSA_DER_H

#include "tenon/base.h"

#define TN_ECDSA_P256_DER_MAX 72

// Returns the length written. raw is public.
size_t tn_ecdsa_der_encode(uint8_t der[TN_ECDSA_P256_DER_MAX], const uint8_t raw[64]);
// False for anything but the one DER form of two positive integers below 2^256.
TN_MUST_USE bool tn_ecdsa_der_decode(uint8_t raw[64], tn_span der);

#endif
