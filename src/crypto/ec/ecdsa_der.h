// ECDSA signatures as X.509 and TLS carry them: DER's Ecdsa-Sig-Value (RFC 5480 appendix A),
// SEQUENCE { r INTEGER, s INTEGER }; raw is r and s, `len` bytes each.
#ifndef TN_CRYPTO_ECDSA_DER_H
#define TN_CRYPTO_ECDSA_DER_H

#include "crypto/ec/curve.h"

// Tag and long length, and two integers with theirs; a curve of whole bytes needs one byte more for the sign.
#define TN_ECDSA_DER_MAX (3 + 2 * (2 + TN_CURVE_MAX_LEN + 1))

// Returns the length written. raw is public; len is 1 to TN_CURVE_MAX_LEN.
size_t tn_ecdsa_der_encode(uint8_t der[TN_ECDSA_DER_MAX], const uint8_t *raw, size_t len);
// False for anything but the one DER form of two positive integers of at most `len` bytes.
TN_MUST_USE bool tn_ecdsa_der_decode(uint8_t *raw, size_t len, tn_span der);

#endif
