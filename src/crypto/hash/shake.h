// SHAKE128 and SHAKE256, FIPS 202 section 6.2: any number of bytes in, then any number out. A context can be cloned by
// assignment at any time. Constant time. leaks: lengths.
#ifndef TN_CRYPTO_SHAKE_H
#define TN_CRYPTO_SHAKE_H

#include <stdbool.h>

#include "crypto/hash/keccak.h"

typedef struct tn_shake {
  uint64_t state[TN_KECCAK_LANES];
  uint8_t rate;
  uint8_t at;      // the bytes of this block that were absorbed or handed out
  bool squeezing;  // the message has ended
} tn_shake;

void tn_shake128_init(tn_shake *s);
void tn_shake256_init(tn_shake *s);
// Only before the first squeeze.
void tn_shake_absorb(tn_shake *s, const void *p, size_t n);
// The next n bytes of output; the first call ends the message.
void tn_shake_squeeze(tn_shake *s, void *out, size_t n);
// Every context dies here.
void tn_shake_wipe(tn_shake *s);

// One shot. `p` and `out` may overlap.
void tn_shake128(const void *p, size_t n, void *out, size_t out_len);
void tn_shake256(const void *p, size_t n, void *out, size_t out_len);

#endif
