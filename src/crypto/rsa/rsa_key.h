// What loading and generating private keys share.
#ifndef TN_CRYPTO_RSA_KEY_H
#define TN_CRYPTO_RSA_KEY_H

#include "crypto/rsa/rsa.h"

#define TN_RSA_GENERATED_E 65537

// Where the numbers of a private key's moduli are in its words.
typedef struct tn_rsa_layout {
  size_t words, half;
  uint64_t *n, *n_rr, *p, *p_rr, *q, *q_rr;
} tn_rsa_layout;

// Lays out a key whose n has that many bits; everything else of it is zeroed.
tn_rsa_layout tn_rsa_lay_out(tn_rsa_private *key, size_t bits);
// Sets up the moduli when their numbers are in place; false unless they are odd.
TN_MUST_USE bool tn_rsa_set_moduli(tn_rsa_private *key, const tn_rsa_layout *at);

// A random prime of so many bits, 1024 or more, the upper two of which are set, 3 modulo 4, where p - 1 has no factor
// in common with TN_RSA_GENERATED_E. leaks: how many numbers were tried
TN_MUST_USE tn_result tn_rsa_find_prime(uint64_t *p, size_t words, size_t bits, const tn_rng *rng);

#endif
