// Reading a secret entry of a table, for each path to compile for the registers that it may use: TN_BN_LANES is their
// size in bytes.
#ifndef TN_CRYPTO_BN_TABLE_H
#define TN_CRYPTO_BN_TABLE_H

#include <string.h>

#include "crypto/bn/bn.h"

typedef uint32_t tn_bn_lanes __attribute__((vector_size(TN_BN_LANES)));
enum { TN_BN_VECTORS = 8 * TN_BN_BLOCK / TN_BN_LANES };

// r = entry `index` of the table. Reads all of it.
__attribute__((always_inline)) static inline void tn_bn_table_select(uint64_t *r, const uint64_t *table, uint64_t index,
                                                                     size_t words) {
  tn_bn_lanes wanted = (tn_bn_lanes){0} + (uint32_t)index;
  for (size_t at = 0; at < words; at += TN_BN_BLOCK) {
    tn_bn_lanes sum[TN_BN_VECTORS] = {{0}}, i = {0};
    for (const uint64_t *from = table + at; from < table + TN_BN_ENTRIES * words; from += words, i += 1) {
      tn_bn_lanes mask = (tn_bn_lanes)(i == wanted), entry[TN_BN_VECTORS];
      memcpy(entry, from, sizeof entry);
      for (size_t j = 0; j < TN_BN_VECTORS; j++) sum[j] |= entry[j] & mask;
    }
    memcpy(r + at, sum, sizeof sum);
  }
}

#endif
