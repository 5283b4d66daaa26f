// The ChaCha20 block function and stream, RFC 8439 sections 2.3 and 2.4.
#ifndef TN_CRYPTO_CHACHA20_H
#define TN_CRYPTO_CHACHA20_H

#include <stddef.h>
#include <stdint.h>

#define TN_CHACHA20_BLOCK 64

// Key and nonce are words as the RFC numbers them: each read little-endian from its four bytes.
// The block counter of the blocks is `counter`, counter + 1, ...; it wraps at 2^32, which callers avoid.
// Constant time. leaks: n_blocks.

// out = n_blocks blocks of key stream.
void tn_chacha20_blocks(const uint32_t key[8], uint32_t counter, const uint32_t nonce[3], uint8_t *out,
                        size_t n_blocks);

// out = in ^ n_blocks blocks of key stream. `in` and `out` are the same memory or do not overlap.
void tn_chacha20_xor(const uint32_t key[8], uint32_t counter, const uint32_t nonce[3], const uint8_t *in, uint8_t *out,
                     size_t n_blocks);

#endif
