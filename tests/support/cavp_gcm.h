// NIST CAVS response files of AES-GCM.
#ifndef TN_TESTS_CAVP_GCM_H
#define TN_TESTS_CAVP_GCM_H

#include "support/support.h"

typedef struct cavp_gcm_case {
  bytes key, iv, aad, text, sealed, tag;
  bool fails;  // to open; then there is no text
} cavp_gcm_case;

// Calls `check` with every case of ../shared/vectors/cavp/aes_gcm/`name`; skips the running test where
// the folder is absent.
void cavp_gcm_each(const char *name, void (*check)(void *ctx, const cavp_gcm_case *c), void *ctx);

#endif
