// K-PKE, FIPS 203 section 5: the encryption scheme inside ML-KEM. Not for use alone.
// Vector registers are the caller's to wipe.
#ifndef TN_CRYPTO_MLKEM_PKE_H
#define TN_CRYPTO_MLKEM_PKE_H

#include "crypto/hash/sponges.h"
#include "crypto/mlkem/mlkem.h"
#include "crypto/mlkem/poly.h"

// The bytes of a vector of k transformed polynomials: K-PKE's decryption key, and the encryption key less rho.
static inline size_t tn_pke_vector_len(const tn_mlkem *p) { return (size_t)384 * p->k; }

// From d, a public key of p->public_len bytes and a private one of tn_pke_vector_len() bytes.
void tn_pke_generate(const tn_mlkem *p, const uint8_t d[32], uint8_t *public, uint8_t *private);

// An encryption key's matrix, transposed: p->k * p->k polynomials. Drawing it is most of an encryption's time, and
// leaves room for a sponge beside it.
void tn_pke_matrix(const tn_mlkem *p, const uint8_t *public, tn_poly *a_hat, tn_sponge *beside);
void tn_pke_encrypt(const tn_mlkem *p, const uint8_t *public, const tn_poly *a_hat, const uint8_t m[32],
                    const uint8_t r[32], uint8_t *ciphertext);
void tn_pke_decrypt(const tn_mlkem *p, const uint8_t *private, const uint8_t *ciphertext, uint8_t m[32]);

// Whether every coefficient of the public key is reduced. The registers hold nothing secret.
bool tn_pke_reduced(const tn_mlkem *p, const uint8_t *public);

#endif
