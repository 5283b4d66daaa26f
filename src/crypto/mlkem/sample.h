// What ML-KEM draws from SHAKE: the public matrix and the secret noise, in batches that the vector registers hold.
#ifndef TN_CRYPTO_MLKEM_SAMPLE_H
#define TN_CRYPTO_MLKEM_SAMPLE_H

#include <stdbool.h>

#include "crypto/mlkem/poly.h"

// The matrix A that the seed rho stands for, k * k transformed polynomials, row by row; or its transpose.
// 0 <= a < q. rho is public.
void tn_mlkem_sample_matrix(const tn_poly_arithmetic *ops, tn_poly *a, size_t k, const uint8_t rho[32],
                            bool transposed);

// n <= 9 polynomials of noise: SamplePolyCBD of PRF(seed, 0), PRF(seed, 1), ...; the first n_eta1 with the width eta1,
// the others with 2. The stack is the caller's to wipe.
void tn_mlkem_sample_noise(const tn_poly_arithmetic *ops, tn_poly *out, size_t n, size_t n_eta1, unsigned eta1,
                           const uint8_t seed[32]);

#endif
