// ECDSA over P-256, FIPS 186-5 section 6.4.
#include <string.h>

#include "base/ct.h"
#include "base/mem.h"
#include "crypto/ec/p256.h"
#include "crypto/ec/p256_mul.h"
#include "crypto/ec/rfc6979.h"

// bits2int of RFC 6979 section 2.3.2, modulo n: the leftmost 256 bits of the digest, or all of a shorter one.
static void digest_to_scalar(tn_p256_scalar *e, const uint8_t *digest, size_t n) {
  uint8_t bytes[32] = {0};
  if (n > 32) n = 32;
  tn_copy(bytes + 32 - n, digest, n);
  (void)tn_p256_scalar_from_bytes(e, bytes);
}

// ---------------------------------------------------------------- verification

// Whether x(point) mod n = r. As n < p < 2n, x is r or r + n: compared as x z^2, without an inversion.
static bool x_matches_vartime(const tn_p256_point *point, const tn_p256_scalar *r) {
  if (tn_p256_point_is_infinity(point)) return false;
  tn_p256_fe zz, x;
  uint8_t bytes[32];
  tn_p256_fe_sqr(&zz, &point->z);
  tn_p256_scalar_to_bytes(bytes, r);
  (void)tn_p256_fe_from_bytes(&x, bytes);
  tn_p256_fe_mul(&x, &x, &zz);
  if (tn_p256_fe_eq(&x, &point->x)) return true;

  uint64_t second[4];
  if (tn_words4_add(second, r->w, tn_p256_order.w) != 0) return false;
  tn_words4_store(bytes, second);
  if (!tn_p256_fe_from_bytes(&x, bytes)) return false;
  tn_p256_fe_mul(&x, &x, &zz);
  return tn_p256_fe_eq(&x, &point->x) != 0;
}

tn_result tn_p256_verify_vartime(tn_span pub, const uint8_t *digest, size_t digest_len, const uint8_t sig[64]) {
  tn_p256_affine key;
  tn_p256_scalar r, s, e, u1, u2;
  tn_p256_point point;
  TN_ENSURE(tn_p256_point_decode(&key, pub), TN_E_KEY_INVALID);
  TN_ENSURE(tn_p256_scalar_decode(&r, sig) && tn_p256_scalar_decode(&s, sig + 32), TN_E_BAD_SIGNATURE);
  digest_to_scalar(&e, digest, digest_len);
  tn_p256_scalar_inv(&s, &s);
  tn_p256_scalar_mul(&u1, &e, &s);
  tn_p256_scalar_mul(&u2, &r, &s);
  tn_p256_mul_add_vartime(&point, &u1, &u2, &key);
  TN_ENSURE(x_matches_vartime(&point, &r), TN_E_BAD_SIGNATURE);
  return tn_success();
}

// ---------------------------------------------------------------- signing

typedef struct {
  tn_p256_scalar d, e, k, r, s;
  tn_p256_point point;
  tn_p256_affine affine;
  tn_rfc6979 nonces;
  uint8_t bytes[32];
  uint8_t extra[32];
} signing;

// r = x(k G) mod n and s = (e + r d) / k. False if one is zero: the nonce is of no use.
static bool sign_with_nonce(signing *w, uint8_t sig[64]) {
  tn_p256_mul_base(&w->point, &w->k);
  tn_p256_point_to_affine(&w->affine, &w->point);
  tn_p256_fe_to_bytes(w->bytes, &w->affine.x);
  (void)tn_p256_scalar_from_bytes(&w->r, w->bytes);
  tn_p256_scalar_mul(&w->s, &w->r, &w->d);
  tn_p256_scalar_add(&w->s, &w->s, &w->e);
  tn_p256_scalar_inv(&w->k, &w->k);
  tn_p256_scalar_mul(&w->s, &w->s, &w->k);
  tn_p256_scalar_to_bytes(sig, &w->r);
  tn_p256_scalar_to_bytes(sig + 32, &w->s);
  return !tn_ct_declassify(tn_p256_scalar_is_zero(&w->r) | tn_p256_scalar_is_zero(&w->s));
}

static tn_result sign(signing *w, const tn_rng *rng, const uint8_t priv[32], const uint8_t *digest, size_t digest_len,
                      uint8_t sig[64]) {
  uint8_t pub[TN_P256_POINT_LEN];
  TN_ENSURE(tn_p256_scalar_decode(&w->d, priv), TN_E_KEY_INVALID);
  tn_span extra = {0};
  if (rng != NULL) {
    TN_TRY(tn_random(rng, w->extra, sizeof w->extra));
    TN_SECRET(w->extra, sizeof w->extra);
    extra = tn_span_of(w->extra, sizeof w->extra);
  }
  digest_to_scalar(&w->e, digest, digest_len);
  tn_p256_scalar_to_bytes(w->bytes, &w->e);
  tn_rfc6979_init(&w->nonces, &tn_sha256, priv, w->bytes, extra);
  // That a candidate is refused is no secret: it says nothing of those that follow.
  do {
    tn_rfc6979_next(&w->nonces, w->bytes);
  } while (!tn_p256_scalar_decode(&w->k, w->bytes) || !sign_with_nonce(w, sig));
  TN_PUBLIC(sig, TN_P256_SIG_LEN);

  // A fault in any step above could give the key away.
  TN_TRY(tn_p256_public(priv, pub));
  if (!tn_ok(tn_p256_verify_vartime(tn_span_of(pub, sizeof pub), digest, digest_len, sig)))
    return tn_fail(TN_E_SELF_CHECK);
  return tn_success();
}

tn_result tn_p256_sign(const tn_rng *rng, const uint8_t priv[32], const uint8_t *digest, size_t digest_len,
                       uint8_t sig[64]) {
  signing w;
  memset(&w, 0, sizeof w);
  tn_result result = sign(&w, rng, priv, digest, digest_len, sig);
  tn_wipe(&w, sizeof w);
  tn_wipe_stack();
  if (!tn_ok(result)) tn_wipe(sig, TN_P256_SIG_LEN);
  return result;
}
