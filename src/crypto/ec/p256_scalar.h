// Integers modulo n, the order of P-256 (SP 800-186, 3.2.1.3). Constant time; outputs may alias inputs.
#ifndef TN_CRYPTO_P256_SCALAR_H
#define TN_CRYPTO_P256_SCALAR_H

#include "crypto/ec/p256_words.h"

// A plain integer in [0, n), least significant word first.
typedef struct tn_p256_scalar {
  uint64_t w[4];
} tn_p256_scalar;

extern const tn_p256_scalar tn_p256_order;  // n itself, the one that is out of range

// All ones if the 32 bytes are a number below n, else zero; r is that number modulo n in either case.
uint64_t tn_p256_scalar_from_bytes(tn_p256_scalar *r, const uint8_t in[32]);
// As from_bytes; whether 1 <= r < n, as private keys, nonces and the halves of signatures are. leaks: that.
TN_MUST_USE bool tn_p256_scalar_decode(tn_p256_scalar *r, const uint8_t in[32]);
void tn_p256_scalar_to_bytes(uint8_t out[32], const tn_p256_scalar *a);

void tn_p256_scalar_add(tn_p256_scalar *r, const tn_p256_scalar *a, const tn_p256_scalar *b);
void tn_p256_scalar_mul(tn_p256_scalar *r, const tn_p256_scalar *a, const tn_p256_scalar *b);
// 1 / a; 0 for a = 0.
void tn_p256_scalar_inv(tn_p256_scalar *r, const tn_p256_scalar *a);

static inline uint64_t tn_p256_scalar_is_zero(const tn_p256_scalar *a) { return tn_words4_is_zero(a->w); }

#endif
