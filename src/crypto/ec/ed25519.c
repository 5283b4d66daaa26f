#include "crypto/ec/ed25519.h"

#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/mem.h"
#include "crypto/ec/ed25519_scalar.h"
#include "crypto/ec/edwards25519.h"
#include "crypto/hash/hash.h"

// The names are RFC 8032's: A = s B the public key, R = r B, k = SHA-512(R, A, M), S = r + k s.
typedef struct expanded {
  uint64_t s[4];
  uint8_t digest[64];  // the scalar before it is clamped, and the prefix
} expanded;

// Section 5.1.5, steps 1 and 2.
static void expand(expanded *e, const uint8_t priv[32]) {
  tn_hash_once(&tn_sha512, priv, 32, e->digest);
  for (int i = 0; i < 4; i++) e->s[i] = tn_load_le64(e->digest + 8 * i);
  e->s[0] &= ~(uint64_t)7;
  e->s[3] = (e->s[3] & INT64_MAX) | (uint64_t)1 << 62;
}

// SHA-512(a, b, msg) as a number modulo L; b may be NULL.
static void hash_to_scalar(uint64_t r[4], const uint8_t a[32], const uint8_t *b, tn_span msg) {
  tn_hash_ctx ctx;
  uint8_t digest[64];
  tn_hash_init(&ctx, &tn_sha512);
  tn_hash_update(&ctx, a, 32);
  if (b != NULL) tn_hash_update(&ctx, b, 32);
  tn_hash_update(&ctx, msg.p, msg.n);
  tn_hash_final(&ctx, digest);
  tn_ed25519_scalar_reduce(r, digest);
  tn_wipe(digest, sizeof digest);
}

// ---------------------------------------------------------------- keys

void tn_ed25519_public(const uint8_t priv[32], uint8_t pub[32]) {
  expanded e;
  tn_edwards25519_affine point;
  expand(&e, priv);
  tn_edwards25519_impl_of()->base(&point, e.s);
  tn_edwards25519_encode(pub, &point);
  TN_PUBLIC(pub, TN_ED25519_LEN);
  tn_wipe(&e, sizeof e);
  tn_wipe_stack();
}

tn_result tn_ed25519_generate(const tn_rng *rng, uint8_t priv[32], uint8_t pub[32]) {
  TN_TRY(tn_random(rng, priv, TN_ED25519_LEN));
  TN_SECRET(priv, TN_ED25519_LEN);
  tn_ed25519_public(priv, pub);
  return tn_success();
}

// Points of small order are points: RFC 8032 and FIPS 186-5 let them be, and so do TLS's other implementations. Whoever
// presents one as his key lets anybody sign for him, as he could by giving his private key away.
tn_result tn_ed25519_check_public(tn_span pub) {
  TN_ENSURE(pub.n == TN_ED25519_LEN, TN_E_KEY_INVALID);
  TN_ENSURE(tn_edwards25519_impl_of()->is_point_vartime(pub.p), TN_E_KEY_INVALID);
  return tn_success();
}

// ---------------------------------------------------------------- signing

typedef struct signing {
  const tn_edwards25519_impl *impl;
  expanded key;
  uint64_t r[4], k[4], s[4], product[4];
  tn_edwards25519_affine point;
} signing;

// A fault in a step of a deterministic signature gives the key away: beside a good one of the same message there are
// two equations S = r + k s with the same r. A full verification costs several signatures; this finds a fault in any
// computation: s, r and k are hashed anew, r is S - k s, and R is on the curve, which a wrong product or sum on the way
// to it is not. It does not find that an addition to R was left out, or was of another of the table's points, while all
// others were done: only a second multiplication would. That signature is of no use without the good one, and what TLS
// signs has new random bytes of ours in it, so that there is none. (Random bytes in r would hide the key from both, but
// RFC 8032 and FIPS 186-5 have none, and a signature takes a tenth longer with them.)
static bool is_right(signing *w, const uint8_t priv[32], const uint8_t pub[32], tn_span msg, const uint8_t sig[64]) {
  static const uint64_t zero[4] = {0};
  uint8_t encoded[32];
  uint64_t difference = 0;
  expand(&w->key, priv);
  hash_to_scalar(w->r, w->key.digest + 32, NULL, msg);
  tn_edwards25519_encode(encoded, &w->point);
  hash_to_scalar(w->k, encoded, pub, msg);
  const uint64_t reduced = tn_ed25519_scalar_load(w->s, sig + 32);
  tn_ed25519_scalar_mul_add(w->product, w->k, w->key.s, zero);
  tn_ed25519_scalar_sub(w->s, w->s, w->product);
  for (int i = 0; i < 4; i++) difference |= w->s[i] ^ w->r[i];
  return tn_ct_declassify(tn_ct_is_zero(difference) & reduced & tn_ct_equal_mask(encoded, sig, sizeof encoded)) &&
         w->impl->is_on_curve(&w->point);
}

// Section 5.1.6.
static tn_result sign(signing *w, const uint8_t priv[32], const uint8_t pub[32], tn_span msg, uint8_t sig[64]) {
  expand(&w->key, priv);
  hash_to_scalar(w->r, w->key.digest + 32, NULL, msg);
  w->impl->base(&w->point, w->r);
  tn_edwards25519_encode(sig, &w->point);
  TN_PUBLIC(&w->point, sizeof w->point);
  TN_PUBLIC(sig, 32);
  hash_to_scalar(w->k, sig, pub, msg);
  tn_ed25519_scalar_mul_add(w->s, w->k, w->key.s, w->r);
  for (int i = 0; i < 4; i++) tn_store_le64(sig + 32 + 8 * i, w->s[i]);
  TN_ENSURE(is_right(w, priv, pub, msg, sig), TN_E_SELF_CHECK);
  TN_PUBLIC(sig, TN_ED25519_SIG_LEN);
  return tn_success();
}

tn_result tn_ed25519_sign(const uint8_t priv[32], const uint8_t pub[32], tn_span msg, uint8_t sig[64]) {
  signing w;
  w.impl = tn_edwards25519_impl_of();
  const tn_result result = sign(&w, priv, pub, msg, sig);
  tn_wipe(&w, sizeof w);
  tn_wipe_stack();
  if (!tn_ok(result)) tn_wipe(sig, TN_ED25519_SIG_LEN);
  return result;
}

// ---------------------------------------------------------------- verification

// Section 5.1.7, with S < L and one encoding of each point. Of its two equations this is S B = R + k A, not that times
// 8: what every TLS implementation in use asks, so that nobody sees a signature as good that we refuse or the other way
// round. R is compared as bytes, so that what decodes to the same point is no other signature.
tn_result tn_ed25519_verify_vartime(tn_span pub, tn_span msg, tn_span sig) {
  uint64_t s[4], k[4];
  TN_TRY(tn_ed25519_check_public(pub));
  TN_ENSURE(sig.n == TN_ED25519_SIG_LEN, TN_E_BAD_SIGNATURE);
  TN_ENSURE(tn_ct_declassify(tn_ed25519_scalar_load(s, sig.p + 32)), TN_E_BAD_SIGNATURE);
  hash_to_scalar(k, sig.p, pub.p, msg);
  TN_ENSURE(tn_edwards25519_impl_of()->combines_vartime(sig.p, s, k, pub.p), TN_E_BAD_SIGNATURE);
  return tn_success();
}
