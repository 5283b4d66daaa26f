// SHA-3, FIPS 202 section 6.1: for a digest of d bits a sponge of capacity 2d.
#include <string.h>

#include "crypto/hash/hash.h"
#include "crypto/hash/keccak.h"

static void init(tn_hash_ctx *ctx) {
  memset(&ctx->state, 0, sizeof ctx->state);
  ctx->path = tn_keccak_path();
  ctx->compress = NULL;
}

static void blocks(tn_hash_ctx *ctx, const uint8_t *p, size_t n_blocks) {
  tn_keccak_blocks(ctx->state.w64, ctx->hash->block_len, p, n_blocks);
}

static void finish(tn_hash_ctx *ctx, size_t used, uint8_t *digest) {
  uint64_t *a = ctx->state.w64;
  tn_keccak_xor(a, 0, ctx->buf, used);
  tn_keccak_pad(a, used, ctx->hash->block_len, TN_SHA3_DOMAIN);
  tn_keccak_f(a);
  tn_keccak_copy(a, 0, digest, ctx->hash->digest_len);
}

const tn_hash tn_sha3_224 = {"sha3-224", 28, TN_KECCAK_RATE(2 * 224), init, blocks, finish, NULL};
const tn_hash tn_sha3_256 = {"sha3-256", 32, TN_KECCAK_RATE(2 * 256), init, blocks, finish, NULL};
const tn_hash tn_sha3_384 = {"sha3-384", 48, TN_KECCAK_RATE(2 * 384), init, blocks, finish, NULL};
const tn_hash tn_sha3_512 = {"sha3-512", 64, TN_KECCAK_RATE(2 * 512), init, blocks, finish, NULL};
