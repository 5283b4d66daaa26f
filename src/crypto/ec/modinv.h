// Inverses modulo an odd prime, in constant time: D. J. Bernstein, B.-Y. Yang, "Fast constant-time gcd computation and
// modular inversion", 2019.
#ifndef TN_CRYPTO_MODINV_H
#define TN_CRYPTO_MODINV_H

#include <stdint.h>

// r = 1 / a mod m, in [0, m); 0 for a = 0. a < m; m is public, odd, has `bits` bits (46 to 521), and both have
// (bits + 63) / 64 words, least significant first. r may be a.
void tn_modinv(uint64_t *r, const uint64_t *a, const uint64_t *m, int bits);

#endif
