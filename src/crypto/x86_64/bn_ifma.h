// Montgomery's multiplication with AVX-512 IFMA, in limbs of 52 bits, for a modulus that is -1 modulo 2^52: there the
// quotient of a step is the lowest limb itself.
//
// With R = 2^(52 rows), numbers are kept below 2 n < R / 2, not below n: T = (a b + q n) / R for a q < R is below
// (2 n)^2 / R + n <= 2 n if 4 n <= R. Any odd modulus has a multiple, less than 2^52 as large, that is -1 modulo 2^52.
#ifndef TN_CRYPTO_X86_64_BN_IFMA_H
#define TN_CRYPTO_X86_64_BN_IFMA_H

#include <stddef.h>
#include <stdint.h>

#define TN_BN_LIMB_BITS 52
#define TN_BN_LIMB_MASK (((uint64_t)1 << TN_BN_LIMB_BITS) - 1)
#define TN_BN_LIMBS_MAX 128  // of one number, or of two side by side

// A size. A number has 8 `vectors` limbs, each below 2^52, those from `rows` on zero. What is called a number below is
// `powers` of them side by side, aligned to 64 bytes, and each is computed with on its own.
typedef struct tn_bn_ifma_size {
  size_t vectors, rows, powers;
  // r = a b / R; all below 2 n. n is given as (n + 1) / 2^52. r may be a or b.
  void (*mul)(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *n);
  // r = a^2 / R, likewise.
  void (*sqr)(uint64_t *r, const uint64_t *a, const uint64_t *n);
  // r = entry index[p] of a table of TN_BN_ENTRIES numbers, for each power p. Reads all of it.
  void (*select)(uint64_t *r, const uint64_t *table, const uint64_t *index);
} tn_bn_ifma_size;

// The size that has so many rows and powers, or NULL.
const tn_bn_ifma_size *tn_bn_ifma_size_of(size_t rows, size_t powers);

#endif
