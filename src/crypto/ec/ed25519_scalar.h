// Integers modulo L = 2^252 + 27742317777372353535851937790883648493, the order of Ed25519's base point (RFC 8032
// section 5.1): four words, least significant first, in [0, L). Constant time; outputs may alias inputs.
#ifndef TN_CRYPTO_ED25519_SCALAR_H
#define TN_CRYPTO_ED25519_SCALAR_H

#include <stdint.h>

// r = wide mod L, little-endian.
void tn_ed25519_scalar_reduce(uint64_t r[4], const uint8_t wide[64]);
// r = a b + c mod L, for any a, b and c below 2^256.
void tn_ed25519_scalar_mul_add(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], const uint64_t c[4]);
// r = a - b mod L, for a, b in [0, L).
void tn_ed25519_scalar_sub(uint64_t r[4], const uint64_t a[4], const uint64_t b[4]);
// All ones if the little-endian number is below L, else zero; r is its words.
uint64_t tn_ed25519_scalar_load(uint64_t r[4], const uint8_t in[32]);

#endif
