// Compression functions, and their implementations for particular processors.
#ifndef TN_CRYPTO_COMPRESS_H
#define TN_CRYPTO_COMPRESS_H

#include "base/cpu.h"
#include "base/error.h"

// One implementation; a hash lists them in a table, best first, the portable one last.
typedef struct compressor {
  const char *path;  // "portable", "shani", ...
  uint32_t cpu;      // the TN_CPU_ bits that it needs
  void (*compress)(void *state, const uint8_t *p, size_t n_blocks);
} compressor;

#if defined(__x86_64__)
void tn_sha1_compress_shani(void *state, const uint8_t *p, size_t n_blocks);
void tn_sha1_compress_avx2(void *state, const uint8_t *p, size_t n_blocks);
void tn_sha256_compress_shani(void *state, const uint8_t *p, size_t n_blocks);
void tn_sha256_compress_avx2(void *state, const uint8_t *p, size_t n_blocks);
void tn_sha512_compress_avx2(void *state, const uint8_t *p, size_t n_blocks);
void tn_sha512_compress_avx512(void *state, const uint8_t *p, size_t n_blocks);
#endif

#endif
