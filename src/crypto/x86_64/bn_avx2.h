// Montgomery's multiplication with AVX2, in limbs of 28 bits, for a modulus that is -1 modulo 2^28: there the quotient
// of a step is the lowest limb itself.
//
// With R = 2^(28 limbs), numbers are kept below 2 n <= R / 2, not below n: T = (a b + q n) / R for a q < R is below
// (2 n)^2 / R + n <= 2 n if 4 n <= R. Any odd modulus has a multiple, less than 2^28 as large, that is -1 modulo 2^28.
//
// A number is cut into 2 or 4 parts of `length` limbs; vector k of `length` has limb k of every part. With 4 parts it
// is filled by one number, with 2 by two, each of which is computed with on its own. The limbs of a column of a product
// then are at the same place of the same vector, however far factors are shifted within a part.
#ifndef TN_CRYPTO_X86_64_BN_AVX2_H
#define TN_CRYPTO_X86_64_BN_AVX2_H

#include "crypto/bn/bn.h"

#define TN_BN_AVX2_BITS 28
#define TN_BN_AVX2_MASK (((uint64_t)1 << TN_BN_AVX2_BITS) - 1)
// Lengths are 10 to these, which the proof in bn_avx2_mul.c is for.
#define TN_BN_AVX2_MAX_SINGLE 37
#define TN_BN_AVX2_MAX 38

typedef uint64_t tn_bn_avx2_vector __attribute__((vector_size(32), may_alias));

// What a multiplication works in. It holds secrets afterwards.
typedef struct tn_bn_avx2_room {
  tn_bn_avx2_vector product[3][2 * TN_BN_AVX2_MAX], acc[2 * TN_BN_AVX2_MAX];
  tn_bn_avx2_vector high[TN_BN_AVX2_MAX], factor[TN_BN_AVX2_MAX];
} tn_bn_avx2_room;

// Limbs in and out are below 2^28 + 2^9, those of n, which is given as n + 1, below 2^28.
typedef struct tn_bn_avx2_kernel {
  size_t powers, parts, max_length;
  // r = a b / R; all below 2 n. r may be a or b.
  void (*mul)(tn_bn_avx2_vector *r, const tn_bn_avx2_vector *a, const tn_bn_avx2_vector *b, const tn_bn_avx2_vector *n,
              size_t length, tn_bn_avx2_room *room);
  // r = a^2 / R, likewise.
  void (*sqr)(tn_bn_avx2_vector *r, const tn_bn_avx2_vector *a, const tn_bn_avx2_vector *n, size_t length,
              tn_bn_avx2_room *room);
} tn_bn_avx2_kernel;

extern const tn_bn_avx2_kernel tn_bn_avx2_single, tn_bn_avx2_pair;

// The raise of paths for processors with AVX2: two powers of 1024 bits or more, and one of 2048 or more.
bool tn_bn_raise_avx2(const tn_bn_power *powers, size_t count, size_t bits, tn_bn_scratch *s);

#endif
