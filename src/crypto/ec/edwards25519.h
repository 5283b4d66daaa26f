// Curve25519 in its two forms, edwards25519 (RFC 8032 section 5.1) and curve25519 (RFC 7748 section 4.1), below X25519
// and Ed25519. Several implementations; every operation takes the first that this processor can run.
// Scalars are four words, least significant first; points are 32 bytes as in RFC 8032 section 5.1.2.
#ifndef TN_CRYPTO_EDWARDS25519_H
#define TN_CRYPTO_EDWARDS25519_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tn_edwards25519_affine {
  uint64_t x[4], y[4];  // below p
} tn_edwards25519_affine;

typedef struct tn_edwards25519_impl {
  const char *path;  // "portable", "adx", "ifma"
  uint32_t cpu;      // the TN_CPU_ bits that it needs
  // RFC 7748's ladder: the u-coordinate of k times the point with u-coordinate u, for an even k < 2^255. Constant time.
  void (*multiply_u)(uint8_t out[32], const uint64_t k[4], const uint8_t u[32]);
  // The u-coordinate of k B, and k B, for k < 2^255. Constant time.
  void (*base_u)(uint8_t u[32], const uint64_t k[4]);
  void (*base)(tn_edwards25519_affine *r, const uint64_t k[4]);
  // Whether p is on the curve. leaks: the verdict.
  bool (*is_on_curve)(const tn_edwards25519_affine *p);
  // Whether in is the encoding of a point: y < p, there is an x, and no sign where that is 0. leaks: everything.
  bool (*is_point_vartime)(const uint8_t in[32]);
  // Whether s B - h A encodes to r, for s, h < 2^253. False if a is no encoding of a point. leaks: everything.
  bool (*combines_vartime)(const uint8_t r[32], const uint64_t s[4], const uint64_t h[4], const uint8_t a[32]);
} tn_edwards25519_impl;

// Best first, the portable one last, then NULL.
extern const tn_edwards25519_impl *const tn_edwards25519_impls[];
// The implementation that runs.
const tn_edwards25519_impl *tn_edwards25519_impl_of(void);

void tn_edwards25519_encode(uint8_t out[32], const tn_edwards25519_affine *a);

// ---------------------------------------------------------------- inside

// A multiple (x, y) of the base point B: y + x, y - x and 2 d x y, below p.
typedef struct tn_edwards25519_entry {
  uint64_t y_plus_x[4], y_minus_x[4], t2d[4];
} __attribute__((aligned(32))) tn_edwards25519_entry;

// Row i has 1, 2, ... 8 times 16^i B.
extern const tn_edwards25519_entry tn_edwards25519_multiples[64][8];
// 1, 3, ... 127 times B.
extern const tn_edwards25519_entry tn_edwards25519_odd[64];

#endif
