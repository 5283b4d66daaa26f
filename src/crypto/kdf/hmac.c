#include "crypto/kdf/hmac.h"

#include <string.h>

#include "base/mem.h"

_Static_assert(sizeof((tn_hash_state){0}.w32) <= TN_HMAC_KEY_STATE, "the state of 32-bit hashes fits");

// A hash that has absorbed the key, xored with `pad` throughout one block.
static void absorb_key(tn_hash_ctx *ctx, const tn_hash *hash, const uint8_t *key, size_t key_len, uint8_t pad) {
  uint8_t block[TN_HASH_MAX_BLOCK];
  for (size_t i = 0; i < hash->block_len; i++) block[i] = pad;
  for (size_t i = 0; i < key_len; i++) block[i] ^= key[i];
  tn_hash_init(ctx, hash);
  tn_hash_update(ctx, block, hash->block_len);
  tn_wipe(block, sizeof block);
}

void tn_hmac_init(tn_hmac_ctx *ctx, const tn_hash *hash, const void *key, size_t key_len) {
  uint8_t short_key[TN_HASH_MAX_DIGEST];
  const bool is_long = key_len > hash->block_len;
  if (is_long) {
    tn_hash_once(hash, key, key_len, short_key);
    key = short_key;
    key_len = hash->digest_len;
  }
  absorb_key(&ctx->inner, hash, key, key_len, 0x5c);
  ctx->outer = ctx->inner.state;
  absorb_key(&ctx->inner, hash, key, key_len, 0x36);
  if (is_long) tn_wipe(short_key, sizeof short_key);
}

void tn_hmac_update(tn_hmac_ctx *ctx, const void *p, size_t n) { tn_hash_update(&ctx->inner, p, n); }

void tn_hmac_final(tn_hmac_ctx *ctx, uint8_t *mac) {
  uint8_t digest[TN_HASH_MAX_DIGEST];
  const tn_hash *hash = ctx->inner.hash;
  tn_hash_final(&ctx->inner, digest);
  tn_hash_init(&ctx->inner, hash);
  ctx->inner.state = ctx->outer;
  ctx->inner.total = hash->block_len;
  tn_hash_update(&ctx->inner, digest, hash->digest_len);
  tn_hash_final(&ctx->inner, mac);
  tn_wipe(&ctx->outer, sizeof ctx->outer);
  tn_wipe(digest, sizeof digest);
  tn_wipe_stack();
}

void tn_hmac(const tn_hash *hash, const void *key, size_t key_len, const void *p, size_t n, uint8_t *mac) {
  tn_hmac_ctx ctx;
  tn_hmac_init(&ctx, hash, key, key_len);
  tn_hmac_update(&ctx, p, n);
  tn_hmac_final(&ctx, mac);
}

void tn_hmac_set_key(tn_hmac_key *key, const tn_hash *hash, const void *raw, size_t n) {
  tn_hmac_ctx ctx;
  tn_hmac_init(&ctx, hash, raw, n);
  key->hash = hash;
  memcpy(key->inner, &ctx.inner.state, sizeof key->inner);
  memcpy(key->outer, &ctx.outer, sizeof key->outer);
  tn_wipe(&ctx, sizeof ctx);
}

void tn_hmac_start(tn_hmac_ctx *ctx, const tn_hmac_key *key) {
  tn_hash_init(&ctx->inner, key->hash);
  ctx->inner.total = key->hash->block_len;
  memcpy(&ctx->inner.state, key->inner, sizeof key->inner);
  memcpy(&ctx->outer, key->outer, sizeof key->outer);
}
