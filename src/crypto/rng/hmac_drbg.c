#include "crypto/rng/hmac_drbg.h"

#include <string.h>

#include "base/mem.h"
#include "crypto/kdf/hmac.h"

#define MAX_STRENGTH 32

// SP 800-57 part 1, table 3: SHA-1 is good for 128 bits, hashes of 224 bits for 192, all others for 256.
size_t tn_hmac_drbg_strength(const tn_hash *hash) {
  return hash->digest_len <= 20 ? 16 : hash->digest_len <= 28 ? 24 : MAX_STRENGTH;
}

static bool fits(tn_span s) { return s.n <= TN_DRBG_MAX_INPUT; }

// ---------------------------------------------------------------- section 10.1.2

// K = HMAC(K, V || mark || data); V = HMAC(K, V)
static void rekey(tn_hmac_drbg *g, uint8_t mark, const tn_span *data, size_t n_data) {
  const tn_hash *hash = g->options.hash;
  tn_hmac_ctx mac;
  tn_hmac_init(&mac, hash, g->k, hash->digest_len);
  tn_hmac_update(&mac, g->v, hash->digest_len);
  tn_hmac_update(&mac, &mark, 1);
  for (size_t i = 0; i < n_data; i++) tn_hmac_update(&mac, data[i].p, data[i].n);
  tn_hmac_final(&mac, g->k);
  tn_hmac(hash, g->k, hash->digest_len, g->v, hash->digest_len, g->v);
}

// HMAC_DRBG_Update, section 10.1.2.2.
static void update(tn_hmac_drbg *g, const tn_span *data, size_t n_data) {
  bool any = false;
  for (size_t i = 0; i < n_data; i++) any |= data[i].n != 0;
  rekey(g, 0, data, n_data);
  if (any) rekey(g, 1, data, n_data);
}

static void instantiate(tn_hmac_drbg *g, const tn_hmac_drbg_options *options, tn_span entropy, tn_span nonce,
                        tn_span personalization) {
  *g = (tn_hmac_drbg){.options = *options, .instantiated = true};
  if (g->options.reseed_interval == 0) g->options.reseed_interval = TN_DRBG_MAX_INTERVAL;
  memset(g->v, 1, sizeof g->v);
  update(g, (const tn_span[]){entropy, nonce, personalization}, 3);
}

static void reseed(tn_hmac_drbg *g, tn_span entropy, tn_span additional) {
  update(g, (const tn_span[]){entropy, additional}, 2);
  g->requests = 0;
}

static void generate(tn_hmac_drbg *g, uint8_t *out, size_t n, tn_span additional) {
  const size_t digest_len = g->options.hash->digest_len;
  if (additional.n != 0) update(g, &additional, 1);
  tn_hmac_ctx keyed;
  tn_hmac_init(&keyed, g->options.hash, g->k, digest_len);
  while (n != 0) {
    const size_t take = n < digest_len ? n : digest_len;
    tn_hmac_ctx mac = keyed;
    tn_hmac_update(&mac, g->v, digest_len);
    tn_hmac_final(&mac, g->v);
    memcpy(out, g->v, take);
    out += take;
    n -= take;
  }
  tn_wipe(&keyed, sizeof keyed);
  update(g, &additional, 1);
  g->requests++;
}

// ---------------------------------------------------------------- section 9

static tn_result check_options(const tn_hmac_drbg_options *o) {
  TN_ENSURE(o->hash->digest_len >= 20 && o->reseed_interval <= TN_DRBG_MAX_INTERVAL, TN_E_BAD_ARGUMENT);
  TN_ENSURE(o->source != NULL || o->mode != TN_DRBG_PREDICTION_RESISTANCE, TN_E_BAD_ARGUMENT);
  return tn_success();
}

tn_result tn_hmac_drbg_instantiate_with(tn_hmac_drbg *g, const tn_hmac_drbg_options *options, tn_span entropy,
                                        tn_span nonce, tn_span personalization) {
  TN_TRY(check_options(options));
  const size_t strength = tn_hmac_drbg_strength(options->hash);
  TN_ENSURE(fits(entropy) && fits(nonce) && fits(personalization), TN_E_BAD_ARGUMENT);
  TN_ENSURE(entropy.n >= strength && entropy.n + nonce.n >= strength + strength / 2, TN_E_BAD_ARGUMENT);
  instantiate(g, options, entropy, nonce, personalization);
  return tn_success();
}

tn_result tn_hmac_drbg_instantiate(tn_hmac_drbg *g, const tn_hmac_drbg_options *options, tn_span personalization) {
  const tn_hmac_drbg_options o = *options;
  TN_TRY(check_options(&o));
  TN_ENSURE(o.source != NULL && fits(personalization), TN_E_BAD_ARGUMENT);
  uint8_t fresh[MAX_STRENGTH + MAX_STRENGTH / 2];
  const size_t strength = tn_hmac_drbg_strength(o.hash);
  const tn_span entropy = {fresh, strength}, nonce = {fresh + strength, strength / 2};
  tn_hmac_drbg_uninstantiate(g);
  TN_TRY(tn_random(o.source, fresh, entropy.n));
  tn_result r = tn_random(o.source, fresh + strength, nonce.n);
  if (tn_ok(r)) instantiate(g, &o, entropy, nonce, personalization);
  tn_wipe(fresh, sizeof fresh);
  return r;
}

static tn_result may_reseed(const tn_hmac_drbg *g, tn_span additional) {
  TN_ENSURE(g->instantiated && g->options.mode != TN_DRBG_NO_RESEED, TN_E_BAD_STATE);
  TN_ENSURE(fits(additional), TN_E_BAD_ARGUMENT);
  return tn_success();
}

tn_result tn_hmac_drbg_reseed_with(tn_hmac_drbg *g, tn_span entropy, tn_span additional) {
  TN_TRY(may_reseed(g, additional));
  TN_ENSURE(fits(entropy) && entropy.n >= tn_hmac_drbg_strength(g->options.hash), TN_E_BAD_ARGUMENT);
  reseed(g, entropy, additional);
  return tn_success();
}

tn_result tn_hmac_drbg_reseed(tn_hmac_drbg *g, tn_span additional) {
  TN_TRY(may_reseed(g, additional));
  TN_ENSURE(g->options.source != NULL, TN_E_BAD_STATE);
  uint8_t fresh[MAX_STRENGTH];
  const tn_span entropy = {fresh, tn_hmac_drbg_strength(g->options.hash)};
  tn_result r = tn_random(g->options.source, fresh, entropy.n);
  if (tn_ok(r))
    reseed(g, entropy, additional);
  else
    tn_hmac_drbg_uninstantiate(g);
  tn_wipe(fresh, sizeof fresh);
  return r;
}

// Reseeds where that is due; `additional` goes into the new seed then, and is empty afterwards.
static tn_result prepare(tn_hmac_drbg *g, size_t n, tn_span *additional) {
  TN_ENSURE(g->instantiated, TN_E_BAD_STATE);
  TN_ENSURE(n <= TN_DRBG_MAX_REQUEST && fits(*additional), TN_E_BAD_ARGUMENT);
  const tn_hmac_drbg_options *o = &g->options;
  const bool exhausted = g->requests == o->reseed_interval;
  if (o->mode != TN_DRBG_PREDICTION_RESISTANCE && !exhausted) return tn_success();
  TN_ENSURE(o->mode != TN_DRBG_NO_RESEED && o->source != NULL, TN_E_SEED_EXHAUSTED);
  TN_TRY(tn_hmac_drbg_reseed(g, *additional));
  *additional = (tn_span){NULL, 0};
  return tn_success();
}

tn_result tn_hmac_drbg_generate(tn_hmac_drbg *g, uint8_t *out, size_t n, tn_span additional) {
  tn_result r = prepare(g, n, &additional);
  if (tn_ok(r))
    generate(g, out, n, additional);
  else
    tn_wipe(out, n);
  return r;
}

void tn_hmac_drbg_uninstantiate(tn_hmac_drbg *g) { tn_wipe(g, sizeof *g); }
