// ML-KEM, FIPS 203: a key encapsulation mechanism. One row a parameter set.
// Constant time. leaks: lengths, the public seed rho of a key, and whether an encapsulation key is valid.
// A decapsulation key is FIPS 203's expanded form (dk): it decapsulates without generating the key pair anew, and it
// needs no memory after the handshake that it serves.
#ifndef TN_CRYPTO_MLKEM_H
#define TN_CRYPTO_MLKEM_H

#include "base/error.h"
#include "crypto/rng/rng.h"

#define TN_MLKEM_SEED_LEN 64  // d and z
#define TN_MLKEM_SECRET_LEN 32
#define TN_MLKEM_MESSAGE_LEN 32

// Of ML-KEM-1024.
#define TN_MLKEM_MAX_PUBLIC 1568
#define TN_MLKEM_MAX_PRIVATE 3168
#define TN_MLKEM_MAX_CIPHERTEXT 1568

typedef struct tn_mlkem {
  const char *name;
  uint8_t k;       // polynomials in a vector
  uint8_t eta1;    // width of the secret's noise; eta2 is 2 in every set
  uint8_t du, dv;  // bits of a coefficient of u and v in a ciphertext
  uint16_t public_len;
  uint16_t private_len;
  uint16_t ciphertext_len;
} tn_mlkem;

extern const tn_mlkem tn_mlkem512;
extern const tn_mlkem tn_mlkem768;
extern const tn_mlkem tn_mlkem1024;

// ML-KEM.KeyGen: the encapsulation key in `public`, the decapsulation key in `private`.
tn_result tn_mlkem_generate(const tn_mlkem *p, const tn_rng *rng, uint8_t *public, uint8_t *private);

// ML-KEM.Encaps with its input checks: TN_E_KEY_INVALID for a key of another length, or with a coefficient that is not
// reduced.
tn_result tn_mlkem_encapsulate(const tn_mlkem *p, const tn_rng *rng, tn_span public, uint8_t *ciphertext,
                               uint8_t secret[TN_MLKEM_SECRET_LEN]);

// ML-KEM.Decaps. A ciphertext that is not an honest one gives a secret that nobody else knows, the same every time.
// TN_E_DECODE for one of another length. `private` is what tn_mlkem_generate() gave, or has passed
// tn_mlkem_check_private().
tn_result tn_mlkem_decapsulate(const tn_mlkem *p, const uint8_t *private, tn_span ciphertext,
                               uint8_t secret[TN_MLKEM_SECRET_LEN]);

// The checks of sections 7.2 and 7.3 on keys that come from outside: TN_E_KEY_INVALID.
tn_result tn_mlkem_check_public(const tn_mlkem *p, tn_span public);
tn_result tn_mlkem_check_private(const tn_mlkem *p, tn_span private);

// What the random bytes decide: ML-KEM.KeyGen_internal(d, z) and ML-KEM.Encaps_internal(ek, m) of section 6. `public`
// has been checked.
void tn_mlkem_generate_internal(const tn_mlkem *p, const uint8_t seed[TN_MLKEM_SEED_LEN], uint8_t *public,
                                uint8_t *private);
void tn_mlkem_encapsulate_internal(const tn_mlkem *p, const uint8_t *public, const uint8_t m[TN_MLKEM_MESSAGE_LEN],
                                   uint8_t *ciphertext, uint8_t secret[TN_MLKEM_SECRET_LEN]);

// The arithmetic that this processor can run: "portable", "avx2", "avx512".
const char *tn_mlkem_path(void);

#endif
