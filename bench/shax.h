// The work of the hash suite: with each of five hashes, messages of five lengths in one piece, and 1,000,000 times `a`
// in pieces of 1,000.
#ifndef TN_BENCH_SHAX_H
#define TN_BENCH_SHAX_H

#include <stdint.h>
#include <string.h>

#include "bench.h"

#define SHAX_HASHES 5
static const char *const shax_hashes[SHAX_HASHES] = {"sha1", "sha224", "sha256", "sha384", "sha512"};
static const size_t shax_lengths[] = {0, 3, 64, 1024, 16384};
#define SHAX_LENGTHS (sizeof shax_lengths / sizeof *shax_lengths)
#define SHAX_DIGEST 64  // room for a digest
#define SHAX_DIGESTS (SHAX_HASHES * (SHAX_LENGTHS + 1))

// A library's hash in three steps; false: it failed.
typedef struct shax_hash {
  bool (*start)(void *ctx);
  bool (*update)(void *ctx, const uint8_t *p, size_t n);
  bool (*finish)(void *ctx, uint8_t *digest);
} shax_hash;

// Writes SHAX_DIGESTS digests. `ctx` of each hash is the library's.
static inline bool shax_run(const shax_hash *hash, void *const ctx[SHAX_HASHES], const uint8_t *message, uint8_t *out) {
  uint8_t piece[1000];
  bool good = true;
  memset(piece, 'a', sizeof piece);
  for (size_t h = 0; h < SHAX_HASHES; h++) {
    for (size_t i = 0; i < SHAX_LENGTHS; i++, out += SHAX_DIGEST)
      good &= hash->start(ctx[h]) && hash->update(ctx[h], message, shax_lengths[i]) && hash->finish(ctx[h], out);
    good &= hash->start(ctx[h]);
    for (size_t i = 0; i < 1000; i++) good &= hash->update(ctx[h], piece, sizeof piece);
    good &= hash->finish(ctx[h], out);
    out += SHAX_DIGEST;
  }
  return good;
}

#endif
