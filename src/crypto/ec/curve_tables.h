// Multiples of the generators, written by tools/curve_table.py: row i has 1, 2, ... 2^(w - 1) times 2^(2 w i) G for w =
// TN_..._BASE_WINDOW, x and y as the curve's field holds them. Inside of the curves' implementations.
#ifndef TN_CRYPTO_CURVE_TABLES_H
#define TN_CRYPTO_CURVE_TABLES_H

#include <stdint.h>

#define TN_P256_BASE_WINDOW 7
#define TN_P384_BASE_WINDOW 6
#define TN_P521_BASE_WINDOW 5

extern const uint64_t tn_p256_table[19][64][2 * 4];
extern const uint64_t tn_p384_table[33][32][2 * 6];
extern const uint64_t tn_p521_table[53][16][2 * 9];

#endif
