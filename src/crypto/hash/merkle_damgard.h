// What MD5, SHA-1 and SHA-2 have in common: a compression function runs over whole blocks, the last of which ends with
// the message's length. A template: a hash's file defines these, then includes this file:
//   word, STATE_WORDS      the type of a word, and how many of them the state has
//   BLOCK_LEN, LENGTH_LEN  bytes of a block, and of the length that ends the padding
//   store                  writes a word of the digest
//   store_length           writes the low 64 bits of the length
//   compressors            a table of struct compressor
#include <string.h>

#include "base/mem.h"

// Starts ctx with the first implementation that this processor can run.
static void start(tn_hash_ctx *ctx, const word *state) {
  const uint32_t features = tn_cpu_features();
  const compressor *c = compressors;
  while ((features & c->cpu) != c->cpu) c++;
  ctx->path = c->path;
  ctx->compress = c->compress;
  memcpy(&ctx->state, state, STATE_WORDS * sizeof(word));
}

static void blocks(tn_hash_ctx *ctx, const uint8_t *p, size_t n_blocks) { ctx->compress(&ctx->state, p, n_blocks); }

// Pads the `used` bytes of the last, partial block with a one bit, zeros, and the length of the message in bits, to the
// end of this block or of the next. Gives the number of blocks.
static inline size_t pad(uint8_t buf[2 * BLOCK_LEN], size_t used, uint64_t total) {
  const size_t n_blocks = used < BLOCK_LEN - LENGTH_LEN ? 1 : 2;
  uint8_t *end = buf + n_blocks * BLOCK_LEN;
  memset(buf + used, 0, BLOCK_LEN);  // of one length for all: a few stores
  buf[used] = 0x80;
  if (LENGTH_LEN > 8) {
    memset(end - 16, 0, 8);
    end[-9] = (uint8_t)(total >> 61);
  }
  store_length(end - 8, total << 3);
  return n_blocks;
}

static inline void output(const tn_hash_state *state, uint8_t *digest, size_t digest_len) {
  const word *s = (const word *)(const void *)state;
  for (size_t i = 0; i < digest_len / sizeof(word); i++) store(digest + i * sizeof(word), s[i]);
}

static void finish(tn_hash_ctx *ctx, size_t used, uint8_t *digest) {
  _Static_assert(2 * BLOCK_LEN <= sizeof ctx->buf, "the padding fits");
  ctx->compress(&ctx->state, ctx->buf, pad(ctx->buf, used, ctx->total));
  output(&ctx->state, digest, ctx->hash->digest_len);
}

// The padding comes first: by the time that it is read it has long been written.
static void once(const tn_hash *hash, const uint8_t *p, size_t n, uint8_t *digest) {
  const size_t n_blocks = n / BLOCK_LEN, used = n % BLOCK_LEN;
  tn_hash_ctx ctx;
  if (used != 0) memcpy(ctx.buf, p + n_blocks * BLOCK_LEN, used);
  const size_t n_padded = pad(ctx.buf, used, n);
  hash->init(&ctx);
  if (n_blocks != 0) ctx.compress(&ctx.state, p, n_blocks);
  ctx.compress(&ctx.state, ctx.buf, n_padded);
  output(&ctx.state, digest, hash->digest_len);
  tn_wipe(&ctx.state, STATE_WORDS * sizeof(word));
  if (used != 0) tn_wipe(ctx.buf, BLOCK_LEN);
}
