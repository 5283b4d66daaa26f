// A certificate authority and a server's certificate and key, made on the spot.
#ifndef TN_BENCH_CREDENTIALS_H
#define TN_BENCH_CREDENTIALS_H

#include "bench.h"
#include "tenon/pki.h"

typedef struct credentials {
  uint8_t anchor_pem[2048], leaf_pem[2048], key_pem[4096];
  size_t anchor_len, leaf_len, key_len;
} credentials;

// A self-signed CA with a P-256 key, and a certificate for `name` that it issued, whose key is of the type "p256",
// "rsa-2048" or another that tn_key_generate() knows. Dies if it cannot.
void credentials_make(credentials *c, const char *name, const char *key_type);

#endif
