#if !defined(__x86_64__)
int main(void) { return 77; }
#else
#include "crypto/x86_64/edwards25519_adx.c"

#include <openssl/bn.h>

#include "support/support.h"

#define IMPL tn_edwards25519_adx

// Any four words: often all bits or none, or what is near p, 2p = 2^256 - 38 or 2^256.
static fe fe_factor(test_rng *rng) {
  static const uint64_t low[] = {
      0, 1, 18, 19, 37, 38, 39, UINT64_MAX, UINT64_MAX - 18, UINT64_MAX - 37, UINT64_MAX - 38};
  static const uint64_t high[] = {0, 1, UINT64_MAX, INT64_MAX, UINT64_MAX - 1, (uint64_t)1 << 63};
  fe a;
  for (int i = 0; i < 4; i++) {
    const uint64_t pick = test_rng_next(rng) % 16;
    a.w[i] = i == 0 && pick < COUNT(low) ? low[pick] : pick < COUNT(high) ? high[pick] : test_rng_next(rng);
  }
  if (test_rng_next(rng) % 4 == 0) a.w[1] = a.w[2] = UINT64_MAX, a.w[3] |= INT64_MAX;
  return a;
}

static fe fe_first(test_rng *rng) { return fe_factor(rng); }

static fe fe_second(test_rng *rng) {
  fe a = fe_factor(rng);
  if ((a.w[1] & a.w[2] & a.w[3]) == UINT64_MAX && a.w[0] > UINT64_MAX - 37) a.w[0] = UINT64_MAX - 37;
  return a;
}

static BIGNUM *fe_number(const fe *a) {
  uint8_t le[32];
  for (int i = 0; i < 4; i++) tn_store_le64(le + 8 * i, a->w[i]);
  return BN_lebin2bn(le, sizeof le, NULL);
}

#include "ed25519_internals.h"
#endif
