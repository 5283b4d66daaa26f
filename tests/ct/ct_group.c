// Every group: the implementations mark their private keys secret themselves, and their shares public.
#include "base/ct.h"
#include "crypto/group.h"
#include "support/support.h"

static bool run(const tn_group *g, const tn_rng *rng) {
  uint8_t priv[TN_GROUP_MAX_PRIVATE], client[TN_GROUP_MAX_SHARE], server[TN_GROUP_MAX_SHARE];
  uint8_t ours[TN_GROUP_MAX_SECRET], theirs[TN_GROUP_MAX_SECRET];
  if (!tn_ok(g->generate(rng, priv, client))) return false;
  if (!tn_ok(g->answer(rng, (tn_span){client, g->client_share_len}, server, ours))) return false;
  if (!tn_ok(g->finish(priv, (tn_span){server, g->server_share_len}, theirs))) return false;
  TN_PUBLIC(ours, g->secret_len);
  TN_PUBLIC(theirs, g->secret_len);
  return memcmp(ours, theirs, g->secret_len) == 0;
}

int main(void) {
  test_rng seed = {1};
  const tn_rng rng = test_rng_as_rng(&seed);
  for (size_t i = 0; tn_groups[i] != NULL; i++)
    if (!tn_groups[i]->costly && !run(tn_groups[i], &rng)) return 1;  // ct_dh.c runs those
  return 0;
}
