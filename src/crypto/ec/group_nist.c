// NIST's curves as key-exchange groups: RFC 9846 sections 4.2.8.2 and 7.4.2. The secret is the x-coordinate.
#include "base/mem.h"
#include "crypto/ec/curve.h"
#include "crypto/group.h"

static tn_result answer(const tn_curve *curve, const tn_rng *rng, tn_span client_share, uint8_t *share,
                        uint8_t *secret) {
  uint8_t priv[TN_CURVE_MAX_LEN];
  tn_result r = tn_ec_generate(curve, rng, priv, share);
  if (tn_ok(r)) r = tn_ecdh(curve, priv, client_share, secret);
  tn_wipe(priv, sizeof priv);
  return r;
}

// The functions of a group, bound to its curve, and its row.
#define GROUP(row, iana, number, curve, bytes)                                                                \
  static tn_result generate_##curve(const tn_rng *rng, uint8_t *priv, uint8_t *share) {                       \
    return tn_ec_generate(&tn_##curve, rng, priv, share);                                                     \
  }                                                                                                           \
  static tn_result answer_##curve(const tn_rng *rng, tn_span client_share, uint8_t *share, uint8_t *secret) { \
    return answer(&tn_##curve, rng, client_share, share, secret);                                             \
  }                                                                                                           \
  static tn_result finish_##curve(const uint8_t *priv, tn_span server_share, uint8_t *secret) {               \
    return tn_ecdh(&tn_##curve, priv, server_share, secret);                                                  \
  }                                                                                                           \
  static const char *path_##curve(void) { return tn_curve_impl_of(&tn_##curve)->path; }                       \
  const tn_group row = {                                                                                      \
      .name = iana,                                                                                           \
      .id = number,                                                                                           \
      .private_len = bytes,                                                                                   \
      .client_share_len = 1 + 2 * bytes,                                                                      \
      .server_share_len = 1 + 2 * bytes,                                                                      \
      .secret_len = bytes,                                                                                    \
      .generate = generate_##curve,                                                                           \
      .answer = answer_##curve,                                                                               \
      .finish = finish_##curve,                                                                               \
      .path = path_##curve,                                                                                   \
  };

GROUP(tn_group_secp256r1, "secp256r1", 0x0017, p256, 32)
GROUP(tn_group_secp384r1, "secp384r1", 0x0018, p384, 48)
GROUP(tn_group_secp521r1, "secp521r1", 0x0019, p521, 66)
