// GHASH (NIST SP 800-38D section 6.4) with integer multiplications; constant time where those are.
// leaks: the number of blocks.
#ifndef TN_CRYPTO_GHASH_CT_H
#define TN_CRYPTO_GHASH_CT_H

#include <stddef.h>
#include <stdint.h>

// The halves of H and their sum, as they are and with their bits reversed.
typedef struct tn_ghash_ct_key {
  uint64_t h[3];
  uint64_t reversed[3];
} tn_ghash_ct_key;

void tn_ghash_ct_set_key(tn_ghash_ct_key *key, const uint8_t h[16]);

// Takes `count` blocks of 16 bytes into the accumulator y.
void tn_ghash_ct(const tn_ghash_ct_key *key, uint8_t y[16], const uint8_t *blocks, size_t count);

#endif
