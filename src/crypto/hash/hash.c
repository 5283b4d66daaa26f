#include "crypto/hash/hash.h"

#include <string.h>

#include "base/mem.h"

const tn_hash *const tn_hashes[] = {&tn_md5,      &tn_sha1,     &tn_sha224,   &tn_sha256,   &tn_sha384, &tn_sha512,
                                    &tn_sha3_224, &tn_sha3_256, &tn_sha3_384, &tn_sha3_512, NULL};

// n / block_len and n % block_len, without the division where it can be spared.
static size_t whole_blocks(size_t n, size_t block_len) {
  const bool power_of_two = (block_len & (block_len - 1)) == 0;
  return power_of_two ? n >> __builtin_ctzll(block_len) : n / block_len;
}
static size_t past_blocks(uint64_t n, size_t block_len) {
  const bool power_of_two = (block_len & (block_len - 1)) == 0;
  return (size_t)(power_of_two ? n & (block_len - 1) : n % block_len);
}

void tn_hash_init(tn_hash_ctx *ctx, const tn_hash *hash) {
  ctx->hash = hash;
  ctx->total = 0;
  hash->init(ctx);
}

size_t tn_hash_buffered(const tn_hash_ctx *ctx) { return past_blocks(ctx->total, ctx->hash->block_len); }

void tn_hash_update(tn_hash_ctx *ctx, const void *p, size_t n) {
  const tn_hash *hash = ctx->hash;
  const uint8_t *at = p;
  if (n == 0) return;
  const size_t used = tn_hash_buffered(ctx);
  ctx->total += n;
  if (used != 0) {
    const size_t room = hash->block_len - used;
    const size_t fits = n < room ? n : room;
    tn_copy(ctx->buf + used, at, fits);
    if (fits < room) return;
    hash->blocks(ctx, ctx->buf, 1);
    at += fits;
    n -= fits;
  }
  const size_t n_blocks = whole_blocks(n, hash->block_len);
  if (n_blocks != 0) hash->blocks(ctx, at, n_blocks);
  at += n_blocks * hash->block_len;
  n -= n_blocks * hash->block_len;
  tn_copy(ctx->buf, at, n);
}

void tn_hash_final(tn_hash_ctx *ctx, uint8_t *digest) {
  ctx->hash->finish(ctx, tn_hash_buffered(ctx), digest);
  tn_wipe(ctx, sizeof *ctx);
}

void tn_hash_once(const tn_hash *hash, const void *p, size_t n, uint8_t *digest) {
  if (hash->once != NULL) {
    hash->once(hash, p, n, digest);
    return;
  }
  tn_hash_ctx ctx;
  tn_hash_init(&ctx, hash);
  tn_hash_update(&ctx, p, n);
  tn_hash_final(&ctx, digest);
}
