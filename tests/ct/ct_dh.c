// Finite-field Diffie-Hellman: a private key, and the secret that it makes with a peer's share.
#include "base/ct.h"
#include "crypto/dh/dh.h"

int main(void) {
  const tn_dh_group *group = tn_dh_group_find(256);
  static uint8_t priv[TN_DH_MAX_PRIVATE], share[TN_DH_MAX_BYTES], secret[TN_DH_MAX_BYTES];
  if (!tn_ok(tn_dh_generate(group, NULL, priv, share))) return 1;
  TN_PUBLIC(share, sizeof share);
  TN_SECRET(priv, sizeof priv);
  if (!tn_ok(tn_dh_secret(group, priv, (tn_span){share, group->len}, secret))) return 1;
  TN_PUBLIC(secret, sizeof secret);
  return secret[0] == 0 && secret[1] == 0 && secret[2] == 0;
}
