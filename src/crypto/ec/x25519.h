// X25519, RFC 7748.
#ifndef TN_CRYPTO_X25519_H
#define TN_CRYPTO_X25519_H

#include "base/error.h"

#define TN_X25519_LEN 32

// out = scalar * the point with u-coordinate `u`. The scalar is clamped here. Constant time in the scalar and u.
void tn_x25519(uint8_t out[32], const uint8_t scalar[32], const uint8_t u[32]);
// out = scalar * the base point.
void tn_x25519_base(uint8_t out[32], const uint8_t scalar[32]);

#endif
