// Cipher suites: one row each, in our order of preference.
#ifndef TN_TLS_SUITE_H
#define TN_TLS_SUITE_H

#include "crypto/aead/aead.h"
#include "crypto/hash/hash.h"

#define TN_SUITE_COUNT 3

typedef struct tn_suite {
  uint16_t id;
  const char *name;  // IANA's
  const tn_hash *hash;
  const tn_aead *aead;
} tn_suite;

extern const tn_suite tn_suites[TN_SUITE_COUNT];

// The suite with this number, or NULL.
const tn_suite *tn_suite_find(uint16_t id);

#endif
