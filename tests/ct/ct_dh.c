// Finite-field Diffie-Hellman: private keys, which are secret from birth, and the secrets that they make with a peer's
// share; in groups with a comb and without, and in one of a server's own.
#include "base/ct.h"
#include "crypto/dh/dh.h"
#include "support/support.h"

static bool run(const tn_dh_group *group, const tn_rng *rng) {
  static uint8_t priv[TN_DH_MAX_PRIVATE], share[TN_DH_MAX_BYTES], peer[TN_DH_MAX_BYTES];
  static uint8_t ours[TN_DH_MAX_BYTES], theirs[TN_DH_MAX_BYTES];
  if (!tn_ok(tn_dh_generate(group, rng, priv, share))) return false;
  if (!tn_ok(tn_dh_exchange(group, rng, (tn_span){share, group->len}, peer, theirs))) return false;
  if (!tn_ok(tn_dh_secret(group, priv, (tn_span){peer, group->len}, ours))) return false;
  TN_PUBLIC(ours, sizeof ours);
  TN_PUBLIC(theirs, sizeof theirs);
  return memcmp(ours, theirs, group->len) == 0;
}

int main(void) {
  static const char *const names[] = {"ffdhe2048", "ffdhe4096", "ffdhe6144", "modp2048"};
  test_rng seed = {1};
  const tn_rng rng = test_rng_as_rng(&seed);
  for (const tn_dh_group *group = tn_dh_groups; group->name != NULL; group++)
    for (size_t i = 0; i < COUNT(names); i++)
      if (strcmp(group->name, names[i]) == 0 && !run(group, &rng)) return 1;
  // Any odd modulus does here.
  static tn_dh_own own;
  for (size_t i = 0; i < 17; i++) own.p[i] = test_rng_next(&seed) | 1;
  own.g[0] = 3;
  own.group = (tn_dh_group){.len = 8 * 17, .private_bits = 64 * 17 - 64, .p = own.p, .g = own.g};
  return !run(&own.group, &rng);
}
