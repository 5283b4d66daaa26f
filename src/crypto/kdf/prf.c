#include "crypto/kdf/prf.h"

#include <string.h>

#include "base/mem.h"
#include "crypto/kdf/hmac.h"

// A seed as the PRF sees it: the label before it.
typedef struct labelled {
  const char *label;
  const tn_span *seed;
  size_t n_seed;
} labelled;

static void update_labelled(tn_hmac_ctx *ctx, const labelled *seed) {
  tn_hmac_update(ctx, seed->label, strlen(seed->label));
  for (size_t i = 0; i < seed->n_seed; i++) tn_hmac_update(ctx, seed->seed[i].p, seed->seed[i].n);
}

// Adds P_hash(secret, seed) to `out` by exclusive or: A(i) = HMAC(A(i-1)), and HMAC(A(i) | seed) is what comes out.
static void xor_p_hash(const tn_hash *hash, tn_span secret, const labelled *seed, uint8_t *out, size_t n) {
  tn_hmac_key key;
  tn_hmac_ctx ctx;
  uint8_t a[TN_HASH_MAX_DIGEST], t[TN_HASH_MAX_DIGEST];
  tn_hmac_set_key(&key, hash, secret.p, secret.n);
  tn_hmac_start(&ctx, &key);
  update_labelled(&ctx, seed);
  tn_hmac_final(&ctx, a);
  for (;;) {
    tn_hmac_start(&ctx, &key);
    tn_hmac_update(&ctx, a, hash->digest_len);
    update_labelled(&ctx, seed);
    tn_hmac_final(&ctx, t);
    const size_t fits = n < hash->digest_len ? n : hash->digest_len;
    for (size_t i = 0; i < fits; i++) out[i] ^= t[i];
    out += fits;
    n -= fits;
    if (n == 0) break;

    tn_hmac_start(&ctx, &key);
    tn_hmac_update(&ctx, a, hash->digest_len);
    tn_hmac_final(&ctx, a);
  }
  tn_wipe(&key, sizeof key);
  tn_wipe(a, sizeof a);
  tn_wipe(t, sizeof t);
}

void tn_prf_tls10(tn_span secret, const char *label, const tn_span *seed, size_t n_seed, uint8_t *out, size_t n) {
  // The halves of a secret of odd length share its middle byte.
  const size_t half = secret.n / 2 + secret.n % 2;
  const labelled s = {label, seed, n_seed};
  if (n == 0) return;
  memset(out, 0, n);
  xor_p_hash(&tn_md5, tn_span_of(secret.p, half), &s, out, n);
  xor_p_hash(&tn_sha1, tn_span_of(half == 0 ? secret.p : secret.p + (secret.n - half), half), &s, out, n);
}

void tn_prf_tls12(const tn_hash *hash, tn_span secret, const char *label, const tn_span *seed, size_t n_seed,
                  uint8_t *out, size_t n) {
  const labelled s = {label, seed, n_seed};
  if (n == 0) return;
  memset(out, 0, n);
  xor_p_hash(hash, secret, &s, out, n);
}
