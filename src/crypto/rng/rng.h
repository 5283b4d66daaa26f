// Random bytes. Everything that needs them takes a tn_rng, so that tests can give their own.
#ifndef TN_CRYPTO_RNG_H
#define TN_CRYPTO_RNG_H

#include "base/error.h"

typedef struct tn_rng {
  tn_result (*fill)(void *ctx, uint8_t *out, size_t n);
  void *ctx;
} tn_rng;

// The library's own: a generator per thread (ChaCha20 with fast key erasure) that mixes fresh bytes of the system's
// into every request, so that no fork and no clone of a virtual machine repeats another's. A request costs one system
// call. TN_E_NO_RANDOM if the system has none.
extern const tn_rng tn_rng_fast;

// The system's getrandom(2), uncached.
TN_MUST_USE tn_result tn_random_system(uint8_t *out, size_t n);

// n bytes from rng; a NULL rng is tn_rng_fast. On failure `out` is zeroed.
TN_MUST_USE tn_result tn_random(const tn_rng *rng, void *out, size_t n);

#endif
