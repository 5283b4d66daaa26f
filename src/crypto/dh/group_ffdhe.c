// The groups of RFC 7919 as key-exchange groups: RFC 9846 sections 4.2.8.1 and 7.4.1. Shares and secrets are as long as
// p. A private key serves one connection.
#include "crypto/bn/bn.h"
#include "crypto/dh/dh.h"
#include "crypto/group.h"

static tn_result answer(const tn_dh_group *group, const tn_rng *rng, tn_span client_share, uint8_t *share,
                        uint8_t *secret) {
  TN_ENSURE(client_share.n == group->len, TN_E_BAD_KEY_SHARE);
  return tn_dh_exchange(group, rng, client_share, share, secret);
}

static tn_result finish(const tn_dh_group *group, const uint8_t *priv, tn_span server_share, uint8_t *secret) {
  TN_ENSURE(server_share.n == group->len, TN_E_BAD_KEY_SHARE);
  return tn_dh_secret(group, priv, server_share, secret);
}

static const char *path(void) { return tn_bn_path_here()->name; }

// The functions of a group, bound to its row in tn_dh_groups[], and its row here.
#define GROUP(size, number, exponent_bits, costs)                                                            \
  static tn_result generate_##size(const tn_rng *rng, uint8_t *priv, uint8_t *share) {                       \
    return tn_dh_generate(tn_dh_group_find(number), rng, priv, share);                                       \
  }                                                                                                          \
  static tn_result answer_##size(const tn_rng *rng, tn_span client_share, uint8_t *share, uint8_t *secret) { \
    return answer(tn_dh_group_find(number), rng, client_share, share, secret);                               \
  }                                                                                                          \
  static tn_result finish_##size(const uint8_t *priv, tn_span server_share, uint8_t *secret) {               \
    return finish(tn_dh_group_find(number), priv, server_share, secret);                                     \
  }                                                                                                          \
  const tn_group tn_group_ffdhe##size = {                                                                    \
      .name = "ffdhe" #size,                                                                                 \
      .id = number,                                                                                          \
      .costly = costs,                                                                                       \
      .private_len = (exponent_bits + 7) / 8,                                                                \
      .client_share_len = size / 8,                                                                          \
      .server_share_len = size / 8,                                                                          \
      .secret_len = size / 8,                                                                                \
      .generate = generate_##size,                                                                           \
      .answer = answer_##size,                                                                               \
      .finish = finish_##size,                                                                               \
      .path = path,                                                                                          \
  };

GROUP(2048, 0x0100, 225, false)
GROUP(3072, 0x0101, 275, false)
GROUP(4096, 0x0102, 325, false)
GROUP(6144, 0x0103, 375, true)
GROUP(8192, 0x0104, 400, true)
