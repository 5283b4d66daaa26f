// Hash functions: one row each, one streaming context for all. Copying a context by assignment
// clones its state (that is how transcripts are read while they go on).
#ifndef TN_CRYPTO_HASH_H
#define TN_CRYPTO_HASH_H

#include "base/error.h"

#define TN_HASH_MAX_DIGEST 64
#define TN_HASH_MAX_BLOCK 144  // SHA3-224's rate, the largest block of any hash that HMAC is used with
#define TN_HASH_BUF 256        // a block on its way, and the two blocks of SHA-512 that padding may take

typedef struct tn_hash_ctx tn_hash_ctx;

// What goes from block to block.
typedef union tn_hash_state {
  uint32_t w32[8];
  uint64_t w64[25];
} tn_hash_state;

// A hash function.
typedef struct tn_hash {
  const char *name;  // as in `tenon speed`: "sha256"
  uint8_t digest_len;
  uint8_t block_len;
  // Starts ctx, choosing the path for this processor.
  void (*init)(tn_hash_ctx *ctx);
  // Absorbs whole blocks.
  void (*blocks)(tn_hash_ctx *ctx, const uint8_t *p, size_t n_blocks);
  // Pads (ctx->buf holds the `used` bytes of the last, partial block) and writes digest_len bytes.
  void (*finish)(tn_hash_ctx *ctx, size_t used, uint8_t *digest);
  // As tn_hash_once(), where that can be done quicker than by the three above; else NULL.
  void (*once)(const struct tn_hash *hash, const uint8_t *p, size_t n, uint8_t *digest);
} tn_hash;

struct tn_hash_ctx {
  const tn_hash *hash;
  uint64_t total;    // bytes absorbed
  const char *path;  // the implementation that runs: "portable", "shani"...
  void (*compress)(void *state, const uint8_t *p, size_t n_blocks);
  tn_hash_state state;
  _Alignas(16) uint8_t buf[TN_HASH_BUF];
};

extern const tn_hash tn_md5;   // RFC 1321
extern const tn_hash tn_sha1;  // FIPS 180-4, as all below
extern const tn_hash tn_sha224;
extern const tn_hash tn_sha256;
extern const tn_hash tn_sha384;
extern const tn_hash tn_sha512;
extern const tn_hash tn_sha3_224;  // FIPS 202
extern const tn_hash tn_sha3_256;
extern const tn_hash tn_sha3_384;
extern const tn_hash tn_sha3_512;

// Every hash, for tables, tests and benchmarks; ends with NULL.
extern const tn_hash *const tn_hashes[];

void tn_hash_init(tn_hash_ctx *ctx, const tn_hash *hash);
// The bytes of a partial block that wait in ctx->buf.
size_t tn_hash_buffered(const tn_hash_ctx *ctx);
void tn_hash_update(tn_hash_ctx *ctx, const void *p, size_t n);
// Writes hash->digest_len bytes and wipes ctx.
void tn_hash_final(tn_hash_ctx *ctx, uint8_t *digest);
// One shot. leaks: n.
void tn_hash_once(const tn_hash *hash, const void *p, size_t n, uint8_t *digest);

#endif
