// The pseudorandom functions of TLS before 1.3.
#ifndef TN_CRYPTO_PRF_H
#define TN_CRYPTO_PRF_H

#include "crypto/hash/hash.h"

// n bytes of PRF(secret, label, seed), the seed being the n_seed spans of `seed` one after the other. `label` has no
// terminating zero in the PRF. Secret and seed of any length, 0 included; neither may overlap `out`.
// leaks: lengths and the label.

// TLS 1.0 and 1.1, RFC 2246 and RFC 4346 section 5: MD5 xor SHA-1.
void tn_prf_tls10(tn_span secret, const char *label, const tn_span *seed, size_t n_seed, uint8_t *out, size_t n);

// TLS 1.2, RFC 5246 section 5: the hash of the cipher suite, SHA-256 or SHA-384.
void tn_prf_tls12(const tn_hash *hash, tn_span secret, const char *label, const tn_span *seed, size_t n_seed,
                  uint8_t *out, size_t n);

#endif
