#include "crypto/kdf/hmac.h"

#include <string.h>

#include "base/mem.h"

#define IPAD 0x3636363636363636
#define OPAD 0x5c5c5c5c5c5c5c5c
#define WORDS(n) ((n) / sizeof(uint64_t))  // every block is whole words

// What the hashes leave below the caller's frame: less than this for a block of 64 bytes, twice this for longer ones.
// tn_wipe_stack() would take longer than a short message's MAC.
#define HASH_STACK 1536
__attribute__((noinline)) static void wipe_stack_of(const tn_hash *hash) {
  uint8_t below[2 * HASH_STACK];
  const size_t n = hash->block_len <= 64 ? HASH_STACK : sizeof below;
  tn_wipe(below + sizeof below - n, n);  // the stack grows down
}

// Starts ctx with the one block of the key, xored with the pad.
static void absorb_key(tn_hash_ctx *ctx, const tn_hash *hash, const uint64_t *key, uint64_t pad) {
  uint64_t block[WORDS(TN_HASH_MAX_BLOCK)];
  for (size_t i = 0; i < WORDS(hash->block_len); i++) block[i] = key[i] ^ pad;
  tn_hash_init(ctx, hash);
  hash->blocks(ctx, (const uint8_t *)block, 1);
  ctx->total = hash->block_len;
  tn_wipe(block, sizeof block);
}

void tn_hmac_init(tn_hmac_ctx *ctx, const tn_hash *hash, const void *key, size_t key_len) {
  uint64_t block[WORDS(TN_HASH_MAX_BLOCK)] = {0};
  if (key_len > hash->block_len)
    tn_hash_once(hash, key, key_len, (uint8_t *)block);
  else
    tn_copy(block, key, key_len);
  absorb_key(&ctx->inner, hash, block, OPAD);
  ctx->outer = ctx->inner.state;
  absorb_key(&ctx->inner, hash, block, IPAD);
  tn_wipe(block, sizeof block);
}

void tn_hmac_update(tn_hmac_ctx *ctx, const void *p, size_t n) { tn_hash_update(&ctx->inner, p, n); }

void tn_hmac_final(tn_hmac_ctx *ctx, uint8_t *mac) {
  uint8_t digest[TN_HASH_MAX_DIGEST];
  tn_hash_ctx *hashing = &ctx->inner;
  const tn_hash *hash = hashing->hash;
  hash->finish(hashing, tn_hash_buffered(hashing), digest);

  // The outer hash in the same context: the path and the functions are the same.
  hashing->state = ctx->outer;
  hashing->total = hash->block_len + hash->digest_len;
  memcpy(hashing->buf, digest, hash->digest_len);  // shorter than any block
  hash->finish(hashing, hash->digest_len, mac);
  tn_wipe(digest, sizeof digest);
  tn_wipe(ctx, sizeof *ctx);
  wipe_stack_of(hash);
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
  wipe_stack_of(hash);
}

void tn_hmac_start(tn_hmac_ctx *ctx, const tn_hmac_key *key) {
  tn_hash_init(&ctx->inner, key->hash);
  ctx->inner.total = key->hash->block_len;
  memcpy(&ctx->inner.state, key->inner, sizeof key->inner);
  memcpy(&ctx->outer, key->outer, sizeof key->outer);
}
