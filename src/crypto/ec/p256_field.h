// The field of P-256: integers modulo p = 2^256 - 2^224 + 2^192 + 2^96 - 1 (SP 800-186, 3.2.1.3).
// Constant time; outputs may alias inputs.
#ifndef TN_CRYPTO_P256_FIELD_H
#define TN_CRYPTO_P256_FIELD_H

#include "crypto/ec/p256_words.h"

// The element a is held as a * 2^256 mod p (Montgomery's form), always in [0, p), so that equal
// elements have equal words.
typedef struct tn_p256_fe {
  uint64_t w[4];
} tn_p256_fe;

extern const tn_p256_fe tn_p256_fe_one;

// All ones if the 32 bytes are a number below p; r is that number modulo p in either case.
uint64_t tn_p256_fe_from_bytes(tn_p256_fe *r, const uint8_t in[32]);
void tn_p256_fe_to_bytes(uint8_t out[32], const tn_p256_fe *a);

void tn_p256_fe_add(tn_p256_fe *r, const tn_p256_fe *a, const tn_p256_fe *b);
void tn_p256_fe_sub(tn_p256_fe *r, const tn_p256_fe *a, const tn_p256_fe *b);
void tn_p256_fe_neg(tn_p256_fe *r, const tn_p256_fe *a);
void tn_p256_fe_mul(tn_p256_fe *r, const tn_p256_fe *a, const tn_p256_fe *b);
void tn_p256_fe_sqr(tn_p256_fe *r, const tn_p256_fe *a);
// 1 / a; 0 for a = 0.
void tn_p256_fe_inv(tn_p256_fe *r, const tn_p256_fe *a);

static inline uint64_t tn_p256_fe_is_zero(const tn_p256_fe *a) { return tn_words4_is_zero(a->w); }

static inline uint64_t tn_p256_fe_eq(const tn_p256_fe *a, const tn_p256_fe *b) {
  return tn_ct_is_zero((a->w[0] ^ b->w[0]) | (a->w[1] ^ b->w[1]) | (a->w[2] ^ b->w[2]) | (a->w[3] ^ b->w[3]));
}

// r = a where mask is all ones, b where it is zero.
static inline void tn_p256_fe_select(tn_p256_fe *r, uint64_t mask, const tn_p256_fe *a, const tn_p256_fe *b) {
  tn_words4_select(r->w, mask, a->w, b->w);
}

#endif
