// secp256r1 as a key-exchange group: RFC 9846 sections 4.2.8.2 and 7.4.2. The secret is the x-coordinate.
#include "base/mem.h"
#include "crypto/ec/p256.h"
#include "crypto/group.h"

static tn_result answer(const tn_rng *rng, tn_span client_share, uint8_t *share, uint8_t *secret) {
  uint8_t priv[TN_P256_SCALAR_LEN];
  tn_result r = tn_p256_generate(rng, priv, share);
  if (tn_ok(r)) r = tn_p256_ecdh(priv, client_share, secret);
  tn_wipe(priv, sizeof priv);
  return r;
}

const tn_group tn_group_secp256r1 = {
    .name = "secp256r1",
    .id = 0x0017,
    .private_len = TN_P256_SCALAR_LEN,
    .client_share_len = TN_P256_POINT_LEN,
    .server_share_len = TN_P256_POINT_LEN,
    .secret_len = TN_P256_SCALAR_LEN,
    .generate = tn_p256_generate,
    .answer = answer,
    .finish = tn_p256_ecdh,
};
