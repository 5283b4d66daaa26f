// A certificate authority and a server's certificate and key, made on the spot.
#ifndef TN_BENCH_CREDENTIALS_H
#define TN_BENCH_CREDENTIALS_H

#include "bench.h"
#include "tenon/pki.h"

typedef struct credentials {
  uint8_t anchor_pem[2048], leaf_pem[2048], key_pem[512];
  size_t anchor_len, leaf_len, key_len;
} credentials;

// P-256 throughout: a self-signed CA, and a certificate for `name` that it issued. Dies if it cannot.
void credentials_make(credentials *c, const char *name);

#endif
