// Inside of Diffie-Hellman: the primes of RFC 7919 appendix A and RFC 3526, lowest word first, and combs of
// some: entry i is 2 to the sum of 2^(j n / TN_DH_TEETH) over the bits j of i, in Montgomery's form, for exponents of n
// bits. tools/dh_table.py writes them.
#ifndef TN_CRYPTO_DH_TABLE_H
#define TN_CRYPTO_DH_TABLE_H

#include <stdint.h>

#define TN_DH_TEETH 5  // 2^5 entries, as tables of exponentiations have

extern const uint64_t tn_ffdhe2048[32], tn_ffdhe3072[48], tn_ffdhe4096[64], tn_ffdhe6144[96], tn_ffdhe8192[128];
extern const uint64_t tn_modp2048[32], tn_modp3072[48], tn_modp4096[64], tn_modp6144[96], tn_modp8192[128];

extern const uint64_t tn_ffdhe2048_comb[32 * 32], tn_ffdhe3072_comb[32 * 48], tn_ffdhe4096_comb[32 * 64];

#endif
