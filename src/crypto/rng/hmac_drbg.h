// HMAC_DRBG, NIST SP 800-90A revision 1: section 10.1.2 over any hash of hash.h but MD5, within the bounds of
// section 9. Constant time in all that it is given and holds. leaks: lengths.
#ifndef TN_CRYPTO_HMAC_DRBG_H
#define TN_CRYPTO_HMAC_DRBG_H

#include "crypto/hash/hash.h"
#include "crypto/rng/rng.h"

#define TN_DRBG_MAX_REQUEST ((size_t)1 << 16)     // bytes a request
#define TN_DRBG_MAX_INTERVAL ((uint64_t)1 << 48)  // requests a seed
#define TN_DRBG_MAX_INPUT ((uint64_t)1 << 32)     // bytes of an entropy input, nonce, personalization, additional input

typedef enum tn_drbg_mode {
  TN_DRBG_RESEED,                 // may be reseeded; is, where it has a source, when a seed's requests are used up
  TN_DRBG_PREDICTION_RESISTANCE,  // is reseeded from its source before every request
  TN_DRBG_NO_RESEED,              // lives on one seed
} tn_drbg_mode;

typedef struct tn_hmac_drbg_options {
  const tn_hash *hash;
  tn_drbg_mode mode;
  const tn_rng *source;      // of entropy, full in every byte; outlives the generator. NULL: entropy is handed in
  uint64_t reseed_interval;  // requests a seed; 0 is TN_DRBG_MAX_INTERVAL
} tn_hmac_drbg_options;

// Zeroed, it is not instantiated. Never copied: two copies would give the same bytes.
typedef struct tn_hmac_drbg {
  tn_hmac_drbg_options options;
  bool instantiated;
  uint64_t requests;  // since the last seed
  uint8_t k[TN_HASH_MAX_DIGEST];
  uint8_t v[TN_HASH_MAX_DIGEST];
} tn_hmac_drbg;

// The security strength in bytes: what the source is asked for at each seeding, and the least that may be handed in.
size_t tn_hmac_drbg_strength(const tn_hash *hash);

// Every function but the last fails with
//   TN_E_BAD_ARGUMENT    for an input or a request that is longer or shorter than the standard allows; nothing happens;
//   TN_E_BAD_STATE       if the generator is not instantiated, or its mode does not allow the call;
//   the source's reason  when the source fails. The generator is uninstantiated then.

// With entropy and nonce from the source. `personalization` may be empty.
TN_MUST_USE tn_result tn_hmac_drbg_instantiate(tn_hmac_drbg *g, const tn_hmac_drbg_options *options,
                                               tn_span personalization);
// With `entropy`, of the strength at least, and `nonce`, of half of it at least; together they may stand in `entropy`.
TN_MUST_USE tn_result tn_hmac_drbg_instantiate_with(tn_hmac_drbg *g, const tn_hmac_drbg_options *options,
                                                    tn_span entropy, tn_span nonce, tn_span personalization);

// With entropy from the source, and with entropy of the strength at least. `additional` may be empty.
TN_MUST_USE tn_result tn_hmac_drbg_reseed(tn_hmac_drbg *g, tn_span additional);
TN_MUST_USE tn_result tn_hmac_drbg_reseed_with(tn_hmac_drbg *g, tn_span entropy, tn_span additional);

// n bytes, TN_DRBG_MAX_REQUEST at most. `additional` may be empty; it does not overlap `out`. On failure `out` is
// zeroed; TN_E_SEED_EXHAUSTED if the seed's requests are used up and the generator cannot reseed itself.
TN_MUST_USE tn_result tn_hmac_drbg_generate(tn_hmac_drbg *g, uint8_t *out, size_t n, tn_span additional);

// Wipes it.
void tn_hmac_drbg_uninstantiate(tn_hmac_drbg *g);

#endif
