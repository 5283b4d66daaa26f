// x25519 as a key-exchange group: RFC 9846 sections 4.2.8.2 and 7.4.2, RFC 7748 section 6.1.
#include "base/ct.h"
#include "base/mem.h"
#include "crypto/ec/edwards25519.h"
#include "crypto/ec/x25519.h"
#include "crypto/group.h"

static tn_result generate(const tn_rng *rng, uint8_t *priv, uint8_t *share) {
  TN_TRY(tn_random(rng, priv, TN_X25519_LEN));
  TN_SECRET(priv, TN_X25519_LEN);
  tn_x25519_base(share, priv);
  TN_PUBLIC(share, TN_X25519_LEN);
  return tn_success();
}

// leaks: whether the secret is all zeros, which the peer's share alone decides.
static tn_result finish(const uint8_t *priv, tn_span share, uint8_t *secret) {
  static const uint8_t zeros[TN_X25519_LEN];
  TN_ENSURE(share.n == TN_X25519_LEN, TN_E_BAD_KEY_SHARE);
  tn_x25519(secret, priv, share.p);
  TN_ENSURE(!tn_ct_equal(secret, zeros, TN_X25519_LEN), TN_E_BAD_KEY_SHARE);
  return tn_success();
}

static tn_result answer(const tn_rng *rng, tn_span client_share, uint8_t *share, uint8_t *secret) {
  uint8_t priv[TN_X25519_LEN];
  tn_result r = generate(rng, priv, share);
  if (tn_ok(r)) r = finish(priv, client_share, secret);
  tn_wipe(priv, sizeof priv);
  return r;
}

static const char *path(void) { return tn_edwards25519_impl_of()->path; }

const tn_group tn_group_x25519 = {
    .name = "x25519",
    .id = 0x001d,
    .private_len = TN_X25519_LEN,
    .client_share_len = TN_X25519_LEN,
    .server_share_len = TN_X25519_LEN,
    .secret_len = TN_X25519_LEN,
    .generate = generate,
    .answer = answer,
    .finish = finish,
    .path = path,
};
