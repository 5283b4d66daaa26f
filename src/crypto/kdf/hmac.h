// HMAC, RFC 2104 and FIPS 198-1, over any hash of hash.h.
#ifndef TN_CRYPTO_HMAC_H
#define TN_CRYPTO_HMAC_H

#include "crypto/hash/hash.h"

typedef struct tn_hmac_ctx {
  tn_hash_ctx inner;
  tn_hash_ctx outer;
} tn_hmac_ctx;

// A key of any length. leaks: lengths only. A context can be copied by assignment to reuse its key.
void tn_hmac_init(tn_hmac_ctx *ctx, const tn_hash *hash, const void *key, size_t key_len);
void tn_hmac_update(tn_hmac_ctx *ctx, const void *p, size_t n);
// Writes digest_len bytes and wipes ctx.
void tn_hmac_final(tn_hmac_ctx *ctx, uint8_t *mac);
// One shot.
void tn_hmac(const tn_hash *hash, const void *key, size_t key_len, const void *p, size_t n, uint8_t *mac);

#endif
