// Montgomery's multiplication in limbs of 28 bits, with AVX2, modulo one or two numbers at once.
//
// A number of LANES parts of `length` limbs each is an array of `length` vectors: vector k has limb k of every part.
// With two parts a vector has those of two numbers, which have nothing to do with one another (pair); with four, those
// of one (single). So all limbs of a product's column stand in whole vectors at whole vectors' places: no operand is
// ever shifted within a vector but where a part ends.
//
// R = 2^(28 limbs). Moduli N = c n = -1 mod 2^28, 4 N <= R, so that the factor that clears a limb is the limb itself.
// They are stored as N + 1.
#ifndef TN_CRYPTO_X86_64_BN_AVX2_H
#define TN_CRYPTO_X86_64_BN_AVX2_H

#include "crypto/bn/bn.h"

#define TN_BN_AVX2_BITS 28
#define TN_BN_AVX2_MASK (((uint64_t)1 << TN_BN_AVX2_BITS) - 1)
#define TN_BN_AVX2_MAX 38  // vectors of a number

typedef uint64_t tn_bn_avx2_vector __attribute__((vector_size(32), may_alias));

// What a multiplication works in; secret afterwards.
typedef struct tn_bn_avx2_room {
  tn_bn_avx2_vector product[3][2 * TN_BN_AVX2_MAX], acc[2 * TN_BN_AVX2_MAX];
  tn_bn_avx2_vector high[TN_BN_AVX2_MAX], factor[TN_BN_AVX2_MAX];
} tn_bn_avx2_room;

typedef struct tn_bn_avx2_lanes {
  size_t powers, parts;
  // r = a b / R and a^2 / R mod N, below 2 N if a and b are. r may be a or b. Limbs in and out are below 2^28 + 2^9.
  void (*mul)(tn_bn_avx2_vector *r, const tn_bn_avx2_vector *a, const tn_bn_avx2_vector *b, const tn_bn_avx2_vector *n,
              size_t length, tn_bn_avx2_room *room);
  void (*sqr)(tn_bn_avx2_vector *r, const tn_bn_avx2_vector *a, const tn_bn_avx2_vector *n, size_t length,
              tn_bn_avx2_room *room);
} tn_bn_avx2_lanes;

extern const tn_bn_avx2_lanes tn_bn_avx2_single, tn_bn_avx2_pair;

// tn_bn_path.raise
bool tn_bn_raise_avx2(const tn_bn_power *powers, size_t count, size_t bits, tn_bn_scratch *s);

#endif
