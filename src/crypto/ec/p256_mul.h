// Multiples of points of P-256.
#ifndef TN_CRYPTO_P256_MUL_H
#define TN_CRYPTO_P256_MUL_H

#include "crypto/ec/p256_point.h"
#include "crypto/ec/p256_scalar.h"

// r = k * point, a point of the curve that is not infinity. Constant time in both.
void tn_p256_mul(tn_p256_point *r, const tn_p256_scalar *k, const tn_p256_affine *point);
// r = k * G, the generator. Constant time.
void tn_p256_mul_base(tn_p256_point *r, const tn_p256_scalar *k);
// r = a * G + b * point.
void tn_p256_mul_add_vartime(tn_p256_point *r, const tn_p256_scalar *a, const tn_p256_scalar *b,
                             const tn_p256_affine *point);

#endif
