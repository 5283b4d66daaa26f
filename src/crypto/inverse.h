// Inverses modulo a word.
#ifndef TN_CRYPTO_INVERSE_H
#define TN_CRYPTO_INVERSE_H

#include <stdint.h>

// 1/m mod 2^64 for an odd m, by Newton's iteration: m is its own inverse modulo 8, and each step doubles the bits that
// are right. Constant time.
static inline uint64_t tn_inverse_mod_word(uint64_t m) {
  uint64_t x = m;
  for (int i = 0; i < 5; i++) x *= 2 - m * x;
  return x;
}

#endif
