// The life of an HMAC_DRBG as the suites of NIST's CAVS have it, an operation each, and what all libraries are given:
// the same entropy at each seeding, one nonce, and a personalization string that has the operation's number.
#ifndef TN_BENCH_DRBG_CASE_H
#define TN_BENCH_DRBG_CASE_H

#include "crypto/rng/hmac_drbg.h"
#include "way.h"

typedef enum drbg_life {
  DRBG_REQUESTS,   // instantiated beforehand: one request of the row's size
  DRBG_NO_RESEED,  // instantiated, two requests
  DRBG_NO_PR,      // instantiated, reseeded, two requests with additional input
  DRBG_PR,         // instantiated, two requests with additional input, each of which reseeds
} drbg_life;

typedef struct drbg_case {
  drbg_life life;
  const tn_hash *hash;
} drbg_case;

#define DRBG_MAX_REQUEST 1024  // Mbed TLS's
#define DRBG_PERSONALIZATION 16
#define DRBG_ADDITIONAL 16
#define DRBG_RESEED_LATE (1 << 24)  // requests

static const uint8_t drbg_entropy[32] = "what is random in other places ";
static const uint8_t drbg_nonce[16] = "and what is new";
static const uint8_t drbg_additional[DRBG_ADDITIONAL] = "and what is add";

static inline const drbg_case *drbg_case_of(const bench_job *job) { return job->algorithm; }
// Of a request in the suites: four digests.
static inline size_t drbg_request(const bench_job *job) { return 4 * (size_t)drbg_case_of(job)->hash->digest_len; }

typedef struct drbg_personalization {
  uint8_t bytes[DRBG_PERSONALIZATION];
} drbg_personalization;
static inline drbg_personalization drbg_personalization_of(uint64_t i) {
  drbg_personalization p = {"operation"};
  for (size_t k = 0; k < 8; k++) p.bytes[8 + k] = (uint8_t)(i >> 8 * k);
  return p;
}

#endif
