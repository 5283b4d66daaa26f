// HMAC, RFC 2104 and FIPS 198-1, over any hash of hash.h.
#ifndef TN_CRYPTO_HMAC_H
#define TN_CRYPTO_HMAC_H

#include "crypto/hash/hash.h"

typedef struct tn_hmac_ctx {
  tn_hash_ctx inner;
  tn_hash_state outer;  // after the outer padded key
} tn_hmac_ctx;

// A key of any length. leaks: lengths only. A context can be copied by assignment to reuse its key.
void tn_hmac_init(tn_hmac_ctx *ctx, const tn_hash *hash, const void *key, size_t key_len);
void tn_hmac_update(tn_hmac_ctx *ctx, const void *p, size_t n);
// Writes digest_len bytes and wipes ctx.
void tn_hmac_final(tn_hmac_ctx *ctx, uint8_t *mac);
// One shot.
void tn_hmac(const tn_hash *hash, const void *key, size_t key_len, const void *p, size_t n, uint8_t *mac);

// A key for many messages: the states after its inner and outer padded block. For MD5, SHA-1 and SHA-2, whose state is
// TN_HMAC_KEY_STATE bytes at most; the sponges' is larger. Wipe it with tn_wipe().
#define TN_HMAC_KEY_STATE 64
typedef struct tn_hmac_key {
  const tn_hash *hash;
  _Alignas(8) uint8_t inner[TN_HMAC_KEY_STATE];
  _Alignas(8) uint8_t outer[TN_HMAC_KEY_STATE];
} tn_hmac_key;

// `raw` as tn_hmac_init()'s key.
void tn_hmac_set_key(tn_hmac_key *key, const tn_hash *hash, const void *raw, size_t n);
// As tn_hmac_init() with that key.
void tn_hmac_start(tn_hmac_ctx *ctx, const tn_hmac_key *key);

#endif
