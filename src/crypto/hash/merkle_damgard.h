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

// Pads with a one bit, zeros, and the length of the message in bits, to the end of this block or of the next.
static void finish(tn_hash_ctx *ctx, size_t used, uint8_t *digest) {
  _Static_assert(2 * BLOCK_LEN <= sizeof ctx->buf, "the padding fits");
  const size_t n_blocks = used < BLOCK_LEN - LENGTH_LEN ? 1 : 2;
  uint8_t *buf = ctx->buf, *end = buf + n_blocks * BLOCK_LEN;
  memset(buf + used, 0, BLOCK_LEN);  // of one length for all: a few stores
  buf[used] = 0x80;
  if (LENGTH_LEN > 8) {
    memset(end - 16, 0, 8);
    end[-9] = (uint8_t)(ctx->total >> 61);
  }
  store_length(end - 8, ctx->total << 3);
  ctx->compress(&ctx->state, buf, n_blocks);

  const word *s = (const word *)(const void *)&ctx->state;
  for (size_t i = 0; i < ctx->hash->digest_len / sizeof(word); i++) store(digest + i * sizeof(word), s[i]);
}
