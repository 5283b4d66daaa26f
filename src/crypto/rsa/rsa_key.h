// What loading and generating private keys share.
#ifndef TN_CRYPTO_RSA_KEY_H
#define TN_CRYPTO_RSA_KEY_H

#include "crypto/rsa/rsa.h"

// Where the numbers of a private key with a modulus of that many bits are in its words; all else is zeroed.
typedef struct tn_rsa_layout {
  size_t words, half;
  uint64_t *n, *n_rr, *p, *p_rr, *q, *q_rr;
} tn_rsa_layout;
tn_rsa_layout tn_rsa_lay_out(tn_rsa_private *key, size_t bits);

#endif
