// Points of P-256, y^2 = x^3 - 3x + b (SP 800-186, 3.2.1.3), cofactor 1.
// Constant time unless the name ends in _vartime; outputs may alias inputs.
#ifndef TN_CRYPTO_P256_POINT_H
#define TN_CRYPTO_P256_POINT_H

#include "base/error.h"
#include "crypto/ec/p256_field.h"

// Affine; (0, 0), which is not on the curve, stands for infinity.
typedef struct tn_p256_affine {
  tn_p256_fe x, y;
} tn_p256_affine;

// Jacobian: the affine point (x / z^2, y / z^3); infinity where z = 0.
typedef struct tn_p256_point {
  tn_p256_fe x, y, z;
} tn_p256_point;

void tn_p256_point_double(tn_p256_point *r, const tn_p256_point *a);
// r = a + b for any a and b except a = b: two equal points that are not infinity give (0, 0, 0).
void tn_p256_point_add(tn_p256_point *r, const tn_p256_point *a, const tn_p256_point *b);
void tn_p256_point_add_affine(tn_p256_point *r, const tn_p256_point *a, const tn_p256_affine *b);
// r = a + b, no exception.
void tn_p256_point_add_vartime(tn_p256_point *r, const tn_p256_point *a, const tn_p256_point *b);
void tn_p256_point_add_affine_vartime(tn_p256_point *r, const tn_p256_point *a, const tn_p256_affine *b);
// y becomes -y where mask is all ones.
void tn_p256_fe_neg_if(tn_p256_fe *y, uint64_t mask);

static inline uint64_t tn_p256_point_is_infinity(const tn_p256_point *a) { return tn_p256_fe_is_zero(&a->z); }

// The affine form; (0, 0) for infinity.
void tn_p256_point_to_affine(tn_p256_affine *r, const tn_p256_point *a);

// SEC1, uncompressed: 0x04, x, y. Decoding gives false for anything that is not a point of the curve in this form
// (other lengths, compressed, infinity, coordinates of p and above). leaks: whether it is one; points are public.
void tn_p256_point_encode(uint8_t out[65], const tn_p256_affine *a);
TN_MUST_USE bool tn_p256_point_decode(tn_p256_affine *r, tn_span in);

#endif
