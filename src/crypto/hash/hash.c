#include "crypto/hash/hash.h"

#include "base/mem.h"

const tn_hash *const tn_hashes[] = {&tn_md5,      &tn_sha1,     &tn_sha224,   &tn_sha256,   &tn_sha384, &tn_sha512,
                                    &tn_sha3_224, &tn_sha3_256, &tn_sha3_384, &tn_sha3_512, NULL};

// n % block_len, without the division where it can be spared.
static size_t past_blocks(uint64_t n, size_t block_len) {
  const size_t mask = block_len - 1;
  return (size_t)((block_len & mask) == 0 ? n & mask : n % block_len);
}

void tn_hash_init(tn_hash_ctx *ctx, const tn_hash *hash) {
  ctx->hash = hash;
  ctx->total = 0;
  hash->init(ctx);
}

void tn_hash_update(tn_hash_ctx *ctx, const void *p, size_t n) {
  const tn_hash *hash = ctx->hash;
  const uint8_t *at = p;
  if (n == 0) return;
  const size_t used = past_blocks(ctx->total, hash->block_len);
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
  if (n >= hash->block_len) {
    hash->blocks(ctx, at, n / hash->block_len);
    at += n - past_blocks(n, hash->block_len);
    n = past_blocks(n, hash->block_len);
  }
  tn_copy(ctx->buf, at, n);
}

void tn_hash_final(tn_hash_ctx *ctx, uint8_t *digest) {
  ctx->hash->finish(ctx, past_blocks(ctx->total, ctx->hash->block_len), digest);
  tn_wipe(ctx, sizeof *ctx);
}

void tn_hash_once(const tn_hash *hash, const void *p, size_t n, uint8_t *digest) {
  tn_hash_ctx ctx;
  tn_hash_init(&ctx, hash);
  tn_hash_update(&ctx, p, n);
  tn_hash_final(&ctx, digest);
}
