#include "crypto/rng/rng.h"

tn_result tn_random(const tn_rng *rng, void *out, size_t n) {
  if (rng == NULL) rng = &tn_rng_fast;
  tn_result r = rng->fill(rng->ctx, out, n);
  if (!tn_ok(r)) tn_wipe(out, n);
  return r;
}
