// What ed25519_internals.h asks of fe25519.h's field.
#include <openssl/bn.h>

#include "support/support.h"

static fe limbs(test_rng *rng, uint64_t most) {
  fe a;
  for (int i = 0; i < 5; i++) {
    const uint64_t kind = test_rng_next(rng) % 4;
    a.limb[i] = kind == 0 ? most : kind == 1 ? 0 : test_rng_next(rng) % (most + 1);
  }
  return a;
}

static fe fe_factor(test_rng *rng) { return limbs(rng, ((uint64_t)1 << 54) - 1); }
static fe fe_first(test_rng *rng) { return limbs(rng, ((uint64_t)3 << 52) - 1); }
static fe fe_second(test_rng *rng) { return limbs(rng, ((uint64_t)1 << 51) + ((uint64_t)1 << 13) - 1); }

static BIGNUM *fe_number(const fe *a) {
  BIGNUM *sum = BN_new(), *limb = BN_new();
  BN_zero(sum);
  for (int i = 5; i-- > 0;) {
    BN_lshift(sum, sum, 51);
    BN_set_word(limb, a->limb[i]);
    BN_add(sum, sum, limb);
  }
  BN_free(limb);
  return sum;
}
