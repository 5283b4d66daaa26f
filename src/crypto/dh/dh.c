#include "crypto/dh/dh.h"

#include "base/mem.h"
#include "crypto/bn/bn.h"
#include "crypto/dh/dh_table.h"

#define PRIVATE_WORDS ((TN_DH_MAX_PRIVATE + 7) / 8)

const tn_dh_group tn_dh_groups[] = {
    {"ffdhe2048", 256, 256, 225, ffdhe2048},
    {"ffdhe3072", 257, 384, 275, ffdhe3072},
    {"ffdhe4096", 258, 512, 325, ffdhe4096},
    {"ffdhe6144", 259, 768, 375, ffdhe6144},
    {"ffdhe8192", 260, 1024, 400, ffdhe8192},
    {"modp2048", 0, 256, 225, modp2048},
    {"modp3072", 0, 384, 275, modp3072},
    {"modp4096", 0, 512, 325, modp4096},
    {"modp6144", 0, 768, 375, modp6144},
    {"modp8192", 0, 1024, 400, modp8192},
    {NULL, 0, 0, 0, NULL},
};

const tn_dh_group *tn_dh_group_find(uint16_t id) {
  for (const tn_dh_group *group = tn_dh_groups; group->name != NULL; group++)
    if (id != 0 && group->id == id) return group;
  return NULL;
}

const tn_dh_group *tn_dh_group_of(tn_span p, tn_span g) {
  uint64_t p_words[TN_BN_MAX_WORDS], g_words[TN_BN_BLOCK];
  if (!tn_bn_from_bytes(p_words, TN_BN_MAX_WORDS, p) || !tn_bn_from_bytes(g_words, TN_BN_BLOCK, g)) return NULL;
  if (tn_bn_equal_word(g_words, 2, TN_BN_BLOCK) == 0) return NULL;
  size_t bits = tn_bn_bits(p_words, TN_BN_MAX_WORDS);
  for (const tn_dh_group *group = tn_dh_groups; group->name != NULL; group++)
    if (bits == 8u * group->len && tn_bn_equal(p_words, group->p, group->len / 8) != 0) return group;
  return NULL;
}

// out = base^priv mod p
static tn_result power(const tn_dh_group *group, const uint64_t *base, const uint8_t *priv, uint8_t *out) {
  tn_bn_mod m;
  tn_bn_scratch s;
  uint64_t r[TN_BN_MAX_WORDS], rr[TN_BN_MAX_WORDS], x[PRIVATE_WORDS];
  TN_TRY(tn_bn_mod_init(&m, group->p, rr, group->len / 8));
  tn_result result = tn_fail(TN_E_BAD_ARGUMENT);
  if (tn_bn_from_bytes(x, PRIVATE_WORDS, (tn_span){priv, tn_dh_private_len(group)})) {
    tn_bn_mod_exp(&(tn_bn_power){r, base, x, &m}, 1, group->private_bits, &s);
    tn_bn_to_bytes(out, group->len, r);
    tn_bn_scratch_wipe(&s, &m);
    tn_wipe(r, sizeof r);
    result = tn_success();
  }
  tn_wipe(x, sizeof x);
  return result;
}

tn_result tn_dh_generate(const tn_dh_group *group, const tn_rng *rng, uint8_t *priv, uint8_t *share) {
  static const uint64_t g[TN_BN_MAX_WORDS] = {2};
  size_t n = tn_dh_private_len(group);
  TN_TRY(tn_random(rng, priv, n));
  // The top bit is set: the exponent has its full length, and is neither zero nor small.
  unsigned top = (group->private_bits - 1u) % 8;
  priv[0] = (uint8_t)((priv[0] & ((1u << top) - 1)) | 1u << top);
  tn_result result = power(group, g, priv, share);
  tn_wipe_stack();
  return result;
}

tn_result tn_dh_secret(const tn_dh_group *group, const uint8_t *priv, tn_span peer, uint8_t *secret) {
  uint64_t y[TN_BN_MAX_WORDS], last[TN_BN_MAX_WORDS], one[TN_BN_MAX_WORDS] = {1};
  size_t words = group->len / 8;
  bool good = tn_bn_from_bytes(y, words, peer);
  (void)tn_bn_sub(last, group->p, one, words);
  good = good && tn_ct_declassify(tn_bn_less(one, y, words) & tn_bn_less(y, last, words));
  tn_result result = good ? power(group, y, priv, secret) : tn_fail(TN_E_BAD_KEY_SHARE);
  if (!tn_ok(result)) tn_wipe(secret, group->len);
  tn_wipe_stack();
  return result;
}
