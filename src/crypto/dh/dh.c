#include "crypto/dh/dh.h"

#include "base/mem.h"
#include "crypto/bn/bn.h"
#include "crypto/dh/dh_table.h"

const tn_dh_group tn_dh_groups[] = {
    {"ffdhe2048", 256, 256, 225, tn_ffdhe2048, NULL, tn_ffdhe2048_comb},
    {"ffdhe3072", 257, 384, 275, tn_ffdhe3072, NULL, tn_ffdhe3072_comb},
    {"ffdhe4096", 258, 512, 325, tn_ffdhe4096, NULL, tn_ffdhe4096_comb},
    {"ffdhe6144", 259, 768, 375, tn_ffdhe6144, NULL, NULL},
    {"ffdhe8192", 260, 1024, 400, tn_ffdhe8192, NULL, NULL},
    {"modp2048", 0, 256, 225, tn_modp2048, NULL, NULL},
    {"modp3072", 0, 384, 275, tn_modp3072, NULL, NULL},
    {"modp4096", 0, 512, 325, tn_modp4096, NULL, NULL},
    {"modp6144", 0, 768, 375, tn_modp6144, NULL, NULL},
    {"modp8192", 0, 1024, 400, tn_modp8192, NULL, NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

const tn_dh_group *tn_dh_group_find(uint16_t id) {
  for (const tn_dh_group *group = tn_dh_groups; group->name != NULL; group++)
    if (id != 0 && group->id == id) return group;
  return NULL;
}

bool tn_dh_in_range(const uint64_t *a, const uint64_t *p, size_t words) {
  uint64_t last[TN_BN_MAX_WORDS], one[TN_BN_MAX_WORDS] = {1};
  (void)tn_bn_sub(last, p, one, words);
  return tn_ct_declassify(tn_bn_less(one, a, words) & tn_bn_less(a, last, words));
}

// What an exchange works in. Secret but for m and rr.
typedef struct exchange {
  tn_bn_mod m;
  uint64_t rr[TN_BN_MAX_WORDS];
  uint64_t x[TN_BN_MAX_WORDS];  // the private key
  uint64_t g[TN_BN_MAX_WORDS];  // the generator, then our share
  uint64_t y[TN_BN_MAX_WORDS];  // the peer's share, then the secret
  tn_bn_scratch s;
} exchange;

// The number whose bits are those of x at `at`, `at` + step, ...
static uint64_t column(const uint64_t *x, size_t at, size_t step) {
  uint64_t bits = 0;
  for (size_t j = 0; j < TN_DH_TEETH; j++, at += step) bits |= (x[at / 64] >> at % 64 & 1) << j;
  return bits;
}

// e->g = 2^x with the group's comb (Lim and Lee, "More Flexible Exponentiation with Precomputation", 1994): the
// exponent is cut into TN_DH_TEETH pieces, which share their squarings.
static void comb(exchange *e, const tn_dh_group *group) {
  const tn_bn_path *path = e->m.path;
  const size_t words = e->m.words, columns = group->private_bits / TN_DH_TEETH;
  path->select(e->s.acc, group->comb, column(e->x, columns - 1, columns), words);
  for (size_t c = columns - 1; c-- != 0;) {
    path->sqr(e->s.acc, e->s.acc, &e->m, e->s.t);
    path->select(e->s.entry, group->comb, column(e->x, c, columns), words);
    path->mul(e->s.acc, e->s.acc, e->s.entry, &e->m, e->s.t);
  }
  for (size_t i = 0; i < words; i++) e->s.entry[i] = i == 0;
  path->mul(e->g, e->s.acc, e->s.entry, &e->m, e->s.t);
}

// e->g and e->y to the power of e->x, whichever are asked for; together where neither has a way of its own.
static void raise(exchange *e, const tn_dh_group *group, bool share, bool secret) {
  tn_bn_power powers[2];
  size_t n = 0;
  if (secret) powers[n++] = (tn_bn_power){e->y, e->y, e->x, &e->m};
  if (share && group->comb != NULL) {
    comb(e, group);
  } else if (share) {
    for (size_t i = 0; i < e->m.words; i++) e->g[i] = group->g != NULL ? group->g[i] : i == 0 ? 2 : 0;
    powers[n++] = (tn_bn_power){e->g, e->g, e->x, &e->m};
  }
  if (n != 0) tn_bn_mod_exp(powers, n, group->private_bits, &e->s);
}

// The share of a private key, or the secret that it makes with the peer's, or both; NULL for what is not wanted.
static tn_result exchange_keys(const tn_dh_group *group, const uint8_t *priv, tn_span peer, uint8_t *share,
                               uint8_t *secret) {
  exchange e;
  if (secret != NULL) tn_wipe(secret, group->len);
  const size_t words = tn_bn_words(8u * group->len);
  if (secret != NULL)
    TN_ENSURE(tn_bn_from_bytes(e.y, words, peer) && tn_dh_in_range(e.y, group->p, words), TN_E_BAD_KEY_SHARE);
  // What a comb needs is in Montgomery's form already.
  TN_TRY(tn_bn_mod_init(&e.m, group->p, secret == NULL && group->comb != NULL ? NULL : e.rr, words));
  const bool fits = tn_bn_from_bytes(e.x, TN_BN_MAX_WORDS, (tn_span){priv, tn_dh_private_len(group)});
  if (fits) {
    raise(&e, group, share != NULL, secret != NULL);
    if (share != NULL) {
      tn_bn_to_bytes(share, group->len, e.g);
      TN_PUBLIC(share, group->len);
    }
    if (secret != NULL) tn_bn_to_bytes(secret, group->len, e.y);
    tn_bn_scratch_wipe(&e.s, &e.m);
  }
  tn_wipe(e.x, sizeof e.x);
  tn_wipe(e.g, sizeof e.g);
  tn_wipe(e.y, sizeof e.y);
  tn_wipe_stack();
  return fits ? tn_success() : tn_fail(TN_E_BAD_ARGUMENT);
}

static tn_result draw(const tn_dh_group *group, const tn_rng *rng, uint8_t *priv) {
  const size_t n = tn_dh_private_len(group);
  TN_TRY(tn_random(rng, priv, n));
  TN_SECRET(priv, n);
  // The top bit is set: the exponent has its full length, and is neither zero nor small.
  const unsigned top = (group->private_bits - 1u) % 8;
  priv[0] = (uint8_t)((priv[0] & ((1u << top) - 1)) | 1u << top);
  return tn_success();
}

tn_result tn_dh_generate(const tn_dh_group *group, const tn_rng *rng, uint8_t *priv, uint8_t *share) {
  TN_TRY(draw(group, rng, priv));
  return exchange_keys(group, priv, (tn_span){NULL, 0}, share, NULL);
}

tn_result tn_dh_secret(const tn_dh_group *group, const uint8_t *priv, tn_span peer, uint8_t *secret) {
  return exchange_keys(group, priv, peer, NULL, secret);
}

tn_result tn_dh_exchange(const tn_dh_group *group, const tn_rng *rng, tn_span peer, uint8_t *share, uint8_t *secret) {
  uint8_t priv[TN_DH_MAX_PRIVATE];
  tn_result r = draw(group, rng, priv);
  if (tn_ok(r)) r = exchange_keys(group, priv, peer, share, secret);
  tn_wipe(priv, sizeof priv);
  return r;
}
