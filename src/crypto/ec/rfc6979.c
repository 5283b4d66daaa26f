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

static size_t bytes_of(const tn_rfc6979 *g) { return (g->bits + 7) / 8; }

void tn_rfc6979_init(tn_rfc6979 *g, const tn_hash *hash, size_t bits, const uint8_t *key, const uint8_t *digest,
                     tn_span extra) {
  *g = (tn_rfc6979){.hash = hash, .bits = bits};
  memset(g->v, 1, sizeof g->v);
  const tn_span seed[] = {{key, bytes_of(g)}, {digest, bytes_of(g)}, extra};
  rekey(g, 0, seed, 3);
  rekey(g, 1, seed, 3);
}

void tn_rfc6979_next(tn_rfc6979 *g, uint8_t *candidate) {
  const size_t len = bytes_of(g), digest_len = g->hash->digest_len;
  if (g->used) rekey(g, 0, NULL, 0);
  g->used = true;
  for (size_t have = 0; have < len;) {
    const size_t n = digest_len < len - have ? digest_len : len - have;
    tn_hmac(g->hash, g->k, digest_len, g->v, digest_len, g->v);
    memcpy(candidate + have, g->v, n);
    have += n;
  }
  // bits2int, section 2.3.2: the leftmost bits of the bytes.
  const unsigned shift = (unsigned)(8 * len - g->bits);
  for (size_t i = len; shift != 0 && i-- > 0;)
    candidate[i] = (uint8_t)(candidate[i] >> shift | (i == 0 ? 0 : candidate[i - 1] << (8 - shift)));
}
