#include "crypto/ec/rfc6979.h"

#include <string.h>

#include "base/mem.h"
#include "crypto/kdf/hmac.h"

// K = HMAC_K(V || mark || seed); V = HMAC_K(V)
static void rekey(tn_rfc6979 *g, uint8_t mark, const tn_span *seed, size_t n_seed) {
  tn_hmac_ctx mac;
  tn_hmac_init(&mac, g->hash, g->k, g->hash->digest_len);
  tn_hmac_update(&mac, g->v, g->hash->digest_len);
  tn_hmac_update(&mac, &mark, 1);
  for (size_t i = 0; i < n_seed; i++) tn_hmac_update(&mac, seed[i].p, seed[i].n);
  tn_hmac_final(&mac, g->k);
  tn_hmac(g->hash, g->k, g->hash->digest_len, g->v, g->hash->digest_len, g->v);
}

void tn_rfc6979_init(tn_rfc6979 *g, const tn_hash *hash, const uint8_t key[32], const uint8_t digest[32],
                     tn_span extra) {
  *g = (tn_rfc6979){.hash = hash};
  memset(g->v, 1, sizeof g->v);
  const tn_span seed[] = {{key, 32}, {digest, 32}, extra};
  rekey(g, 0, seed, 3);
  rekey(g, 1, seed, 3);
}

void tn_rfc6979_next(tn_rfc6979 *g, uint8_t candidate[32]) {
  if (g->used) rekey(g, 0, NULL, 0);
  g->used = true;
  for (size_t have = 0; have < 32;) {
    size_t n = g->hash->digest_len < 32 - have ? g->hash->digest_len : 32 - have;
    tn_hmac(g->hash, g->k, g->hash->digest_len, g->v, g->hash->digest_len, g->v);
    memcpy(candidate + have, g->v, n);
    have += n;
  }
}
