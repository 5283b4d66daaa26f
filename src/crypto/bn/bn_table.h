// Reading a secret entry of a table, for each path to compile for the registers that it may use: TN_BN_LANES is their
// size in bytes.
#ifndef TN_CRYPTO_BN_TABLE_H
#define TN_CRYPTO_BN_TABLE_H

#include "crypto/bn/bn.h"

typedef uint32_t tn_bn_lanes __attribute__((vector_size(TN_BN_LANES)));
typedef uint32_t tn_bn_lanes_in_words __attribute__((vector_size(TN_BN_LANES), aligned(8), may_alias));
enum { TN_BN_VECTOR = TN_BN_LANES / 8 };  // words

// r = entry `index` of the table. Reads all of it.
__attribute__((always_inline)) static inline void tn_bn_table_select(uint64_t *r, const uint64_t *table, uint64_t index,
                                                                     size_t words) {
  tn_bn_lanes wanted = (tn_bn_lanes){0} + (uint32_t)index;
  // Two vectors at a time: a block is two or four.
  for (size_t at = 0; at < words; at += 2 * TN_BN_VECTOR) {
    tn_bn_lanes low = {0}, high = {0}, i = {0};
    for (const uint64_t *entry = table + at; entry < table + TN_BN_ENTRIES * words; entry += words, i += 1) {
      tn_bn_lanes mask = (tn_bn_lanes)(i == wanted);
      low |= *(const tn_bn_lanes_in_words *)entry & mask;
      high |= *(const tn_bn_lanes_in_words *)(entry + TN_BN_VECTOR) & mask;
    }
    *(tn_bn_lanes_in_words *)(r + at) = low;
    *(tn_bn_lanes_in_words *)(r + at + TN_BN_VECTOR) = high;
  }
}

#endif
