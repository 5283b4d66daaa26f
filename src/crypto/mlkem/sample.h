// What ML-KEM draws from SHAKE: the public matrix and the secret noise, all that is wanted at one time at once.
#ifndef TN_CRYPTO_MLKEM_SAMPLE_H
#define TN_CRYPTO_MLKEM_SAMPLE_H

#include "crypto/hash/sponges.h"
#include "crypto/mlkem/poly.h"

// A polynomial that is drawn. `sponge` is the first member.
typedef struct tn_mlkem_draw {
  tn_sponge sponge;
  const tn_poly_arithmetic *ops;
  tn_poly *out;
  uint8_t suffix[2];  // of the sponge's message
  size_t have;        // coefficients, or bytes of wide[]
  uint8_t *wide;
} tn_mlkem_draw;

#define TN_MLKEM_MAX_NOISE (2 * TN_MLKEM_MAX_K + 1)
#define TN_MLKEM_MAX_DRAWS (TN_MLKEM_MAX_K * TN_MLKEM_MAX_K + TN_MLKEM_MAX_NOISE)
#define TN_MLKEM_WIDE_NOISE 192  // the bytes of a polynomial with eta = 3

typedef struct tn_mlkem_samples {
  const tn_poly_arithmetic *ops;
  size_t n_draws, n_sponges;
  tn_mlkem_draw draws[TN_MLKEM_MAX_DRAWS];
  tn_sponge *sponges[1 + TN_MLKEM_MAX_DRAWS];
  uint8_t wide[TN_MLKEM_MAX_NOISE][TN_MLKEM_WIDE_NOISE];
} tn_mlkem_samples;

void tn_mlkem_samples_begin(tn_mlkem_samples *s);

// These ask for something; what they are given must live until it is drawn. The longest first: one sponge for another
// purpose; the matrix; the noise.
void tn_mlkem_sample_beside(tn_mlkem_samples *s, tn_sponge *other);

// The matrix A that the seed rho stands for, k * k transformed polynomials, row by row; or its transpose.
// 0 <= a < q. rho is public.
void tn_mlkem_sample_matrix(tn_mlkem_samples *s, tn_poly *a, size_t k, const uint8_t rho[32], bool transposed);

// n polynomials of noise: SamplePolyCBD of PRF(seed, 0), PRF(seed, 1), ...; the first n_eta1 with the width eta1, the
// others with 2.
void tn_mlkem_sample_noise(tn_mlkem_samples *s, tn_poly *out, size_t n, size_t n_eta1, unsigned eta1,
                           const uint8_t seed[32]);

// Draws it all. The stack is the caller's to wipe.
void tn_mlkem_samples_draw(tn_mlkem_samples *s);

#endif
