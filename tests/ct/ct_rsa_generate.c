// RSA key generation from secret bytes: what is thrown away may leak, what is kept may not.
#include "base/ct.h"
#include "crypto/rsa/rsa.h"
#include "support/support.h"

static tn_result secret_bytes_of(void *ctx, uint8_t *out, size_t n) {
  test_rng_bytes(ctx, out, n);
  TN_SECRET(out, n);
  return tn_success();
}

int main(void) {
  static tn_rsa_private_max memory;
  test_rng seed = {14};  // which finds its primes soon
  const tn_rng rng = {secret_bytes_of, &seed};
  if (!tn_ok(tn_rsa_generate(&memory.key, 2048, &rng))) return 1;
  return memory.key.public.n.bits == 2048 && memory.key.public.e == 65537 ? 0 : 2;
}
