// HMAC_DRBG: neither seed nor additional input may be seen, nor what is drawn.
#include "base/ct.h"
#include "crypto/rng/hmac_drbg.h"
#include "support/support.h"

static uint8_t secret[100];

static tn_result draw(void *ctx, uint8_t *out, size_t n) {
  test_rng_bytes(ctx, out, n);
  TN_SECRET(out, n);
  return tn_success();
}

int main(void) {
  static const tn_hash *const hashes[] = {&tn_sha1, &tn_sha256, &tn_sha512, &tn_sha3_256};
  static const tn_drbg_mode modes[] = {TN_DRBG_RESEED, TN_DRBG_PREDICTION_RESISTANCE, TN_DRBG_NO_RESEED};
  static const size_t lengths[] = {0, 1, 31, 32, 33, 64, 200};
  uint8_t out[200];
  uint32_t seen = 0;
  test_rng rng = {1};
  const tn_rng source = {draw, &rng};
  test_rng_bytes(&rng, secret, sizeof secret);
  TN_SECRET(secret, sizeof secret);
  const tn_span input = {secret, sizeof secret}, none = {NULL, 0};

  for (size_t h = 0; h < COUNT(hashes); h++) {
    for (size_t m = 0; m < COUNT(modes); m++) {
      const tn_hmac_drbg_options options = {hashes[h], modes[m], &source, 0};
      tn_hmac_drbg g;
      if (!tn_ok(tn_hmac_drbg_instantiate(&g, &options, input))) return 1;
      for (size_t i = 0; i < COUNT(lengths); i++) {
        if (modes[m] != TN_DRBG_NO_RESEED && !tn_ok(tn_hmac_drbg_reseed(&g, input))) return 1;
        if (!tn_ok(tn_hmac_drbg_generate(&g, out, lengths[i], i % 2 ? input : none))) return 1;
        TN_PUBLIC(out, lengths[i]);
        for (size_t k = 0; k < lengths[i]; k++) seen = seen * 31 + out[k];
      }
      tn_hmac_drbg_uninstantiate(&g);
    }
  }
  printf("%u\n", (unsigned)seen);
  return 0;
}
