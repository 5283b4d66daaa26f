// The nonces of RFC 6979: HMAC_DRBG, section 3.2, with the additional data of 3.6.
#ifndef TN_CRYPTO_RFC6979_H
#define TN_CRYPTO_RFC6979_H

#include "crypto/hash/hash.h"

// Secret whole; tn_wipe() it at death.
typedef struct tn_rfc6979 {
  const tn_hash *hash;
  size_t bits;  // of the order
  uint8_t k[TN_HASH_MAX_DIGEST];
  uint8_t v[TN_HASH_MAX_DIGEST];
  bool used;  // a candidate has been drawn
} tn_rfc6979;

// key is int2octets(x), digest is bits2octets(h1), as many bytes both as an order of `bits` bits has. `extra` is k' of
// section 3.6, or empty.
void tn_rfc6979_init(tn_rfc6979 *g, const tn_hash *hash, size_t bits, const uint8_t *key, const uint8_t *digest,
                     tn_span extra);
// The next candidate, big-endian, as many bytes as the order. The caller tests it against [1, n - 1].
void tn_rfc6979_next(tn_rfc6979 *g, uint8_t *candidate);

#endif
