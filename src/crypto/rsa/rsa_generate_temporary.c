#include "crypto/rsa/rsa.h"
tn_result tn_rsa_generate(tn_rsa_private *key, size_t bits, const tn_rng *rng) {
  (void)key, (void)bits, (void)rng;
  return tn_fail(TN_E_KEY_UNSUPPORTED);
}
