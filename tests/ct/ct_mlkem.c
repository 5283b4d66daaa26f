// ML-KEM: seeds, messages, decapsulation keys and whether a ciphertext was refused may not be seen. The public seed rho
// is: the implementation marks it so itself.
#include "base/ct.h"
#include "crypto/group.h"
#include "crypto/mlkem/mlkem.h"
#include "support/support.h"

static void same(uint8_t *a, uint8_t *b, size_t n, bool wanted) {
  TN_PUBLIC(a, n);
  TN_PUBLIC(b, n);
  if ((memcmp(a, b, n) == 0) != wanted) abort();
}

static void run(const tn_mlkem *p, test_rng *rng) {
  uint8_t seed[TN_MLKEM_SEED_LEN], m[TN_MLKEM_MESSAGE_LEN], ours[TN_MLKEM_SECRET_LEN], theirs[TN_MLKEM_SECRET_LEN];
  uint8_t public[TN_MLKEM_MAX_PUBLIC], private[TN_MLKEM_MAX_PRIVATE], ciphertext[TN_MLKEM_MAX_CIPHERTEXT];
  const tn_span sent = {ciphertext, p->ciphertext_len};
  test_rng_bytes(rng, seed, sizeof seed);
  test_rng_bytes(rng, m, sizeof m);
  TN_SECRET(seed, sizeof seed);
  TN_SECRET(m, sizeof m);
  tn_mlkem_generate_internal(p, seed, public, private);
  tn_mlkem_encapsulate_internal(p, public, m, ciphertext, ours);

  // All of the key, its public parts too; an honest ciphertext, then one that is refused.
  TN_SECRET(private, p->private_len);
  if (!tn_ok(tn_mlkem_decapsulate(p, private, sent, theirs))) abort();
  same(ours, theirs, sizeof ours, true);
  ciphertext[p->ciphertext_len - 1u] ^= 1;
  if (!tn_ok(tn_mlkem_decapsulate(p, private, sent, theirs))) abort();
  same(ours, theirs, sizeof ours, false);
  if (!tn_ok(tn_mlkem_check_private(p, tn_span_of(private, p->private_len)))) abort();
}

static void run_group(const tn_group *g, const tn_rng *rng) {
  uint8_t priv[TN_GROUP_MAX_PRIVATE], client[TN_GROUP_MAX_SHARE], server[TN_GROUP_MAX_SHARE];
  uint8_t ours[TN_GROUP_MAX_SECRET], theirs[TN_GROUP_MAX_SECRET];
  if (!tn_ok(g->generate(rng, priv, client))) abort();
  if (!tn_ok(g->answer(rng, (tn_span){client, g->client_share_len}, server, ours))) abort();
  if (!tn_ok(g->finish(priv, (tn_span){server, g->server_share_len}, theirs))) abort();
  same(ours, theirs, g->secret_len, true);
}

int main(void) {
  test_rng seed = {1};
  const tn_rng rng = test_rng_as_rng(&seed);
  run(&tn_mlkem512, &seed);
  run(&tn_mlkem768, &seed);
  run(&tn_mlkem1024, &seed);
  run_group(&tn_group_x25519_mlkem768, &rng);
  run_group(&tn_group_secp256r1_mlkem768, &rng);
  run_group(&tn_group_secp384r1_mlkem1024, &rng);
  return 0;
}
