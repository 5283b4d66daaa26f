// ECDSA, FIPS 186-5 section 6.4.
#include <string.h>

#include "base/ct.h"
#include "base/mem.h"
#include "crypto/ec/curve.h"
#include "crypto/ec/rfc6979.h"
#include "crypto/ec/words.h"

// r = (carry * 2^(64 words) + a) mod n, for a number below 2n.
static void reduce_once(const tn_curve *c, uint64_t *r, const uint64_t *a, uint64_t carry) {
  uint64_t less[TN_CURVE_MAX_WORDS], borrow = 0;
  for (size_t i = 0; i < c->words; i++) less[i] = tn_sub_borrow(a[i], c->order[i], &borrow);
  const uint64_t keep = tn_ct_mask_bit(borrow & ~carry);
  for (size_t i = 0; i < c->words; i++) r[i] = tn_ct_select(keep, a[i], less[i]);
  tn_wipe(less, sizeof less);
}

static void add_mod(const tn_curve *c, uint64_t *r, const uint64_t *a, const uint64_t *b) {
  uint64_t carry = 0;
  for (size_t i = 0; i < c->words; i++) r[i] = tn_add_carry(a[i], b[i], &carry);
  reduce_once(c, r, r, carry);
}

static uint64_t is_zero(const tn_curve *c, const uint64_t *a) {
  uint64_t any = 0;
  for (size_t i = 0; i < c->words; i++) any |= a[i];
  return tn_ct_is_zero(any);
}

// bits2int of RFC 6979 section 2.3.2, modulo n: of the digest the leftmost bits, as many as n has, or all of a shorter
// one. Below 2n, as n's highest bit is set.
static void digest_to_scalar(const tn_curve *c, uint64_t *e, const uint8_t *digest, size_t n) {
  tn_words_load(e, c->words, digest, n < c->len ? n : c->len);
  const unsigned shift = 8u * c->len - c->bits;
  if (n >= c->len && shift != 0)
    for (size_t i = 0; i < c->words; i++) e[i] = e[i] >> shift | (i + 1u < c->words ? e[i + 1] << (64 - shift) : 0);
  reduce_once(c, e, e, 0);
}

// ---------------------------------------------------------------- verification

tn_result tn_ecdsa_verify_vartime(const tn_curve *c, tn_span pub, const uint8_t *digest, size_t digest_len,
                                  const uint8_t *sig) {
  const tn_curve_impl *impl = tn_curve_impl_of(c);
  tn_curve_point key;
  uint64_t r[TN_CURVE_MAX_WORDS], s[TN_CURVE_MAX_WORDS], e[TN_CURVE_MAX_WORDS];
  TN_ENSURE(tn_curve_decode(c, &key, pub), TN_E_KEY_INVALID);
  TN_ENSURE(tn_curve_scalar(c, r, sig) && tn_curve_scalar(c, s, sig + c->len), TN_E_BAD_SIGNATURE);
  digest_to_scalar(c, e, digest, digest_len);
  uint64_t u1[TN_CURVE_MAX_WORDS], u2[TN_CURVE_MAX_WORDS];
  impl->order_inv(s, s);
  impl->order_mul(u1, e, s);
  impl->order_mul(u2, r, s);
  TN_ENSURE(impl->x_is_vartime(u1, u2, &key, r), TN_E_BAD_SIGNATURE);
  return tn_success();
}

// ---------------------------------------------------------------- signing

typedef struct signing {
  const tn_curve *c;
  const tn_curve_impl *impl;
  uint64_t d[TN_CURVE_MAX_WORDS], e[TN_CURVE_MAX_WORDS], k[TN_CURVE_MAX_WORDS];
  uint64_t r[TN_CURVE_MAX_WORDS], s[TN_CURVE_MAX_WORDS], t[TN_CURVE_MAX_WORDS];
  tn_curve_point point;  // k G
  tn_rfc6979 nonces;
  uint8_t bytes[TN_CURVE_MAX_LEN];
  uint8_t extra[TN_CURVE_MAX_LEN];
} signing;

// r = x(k G) mod n and s = (e + r d) / k. False if one is zero: the nonce is of no use.
static bool sign_with_nonce(signing *w) {
  const tn_curve *c = w->c;
  w->impl->mul_base(&w->point, w->k);
  memcpy(w->r, w->point.x, c->words * sizeof *w->r);
  reduce_once(c, w->r, w->r, 0);
  w->impl->order_mul(w->s, w->r, w->d);
  add_mod(c, w->s, w->s, w->e);
  w->impl->order_inv(w->t, w->k);
  w->impl->order_mul(w->s, w->s, w->t);
  return !tn_ct_declassify(is_zero(c, w->r) | is_zero(c, w->s));
}

// A fault in the steps above could give the key away. A full verification costs more than twice the signature; this
// finds what faults in field and order arithmetic make: k G is on the curve and r is its x, and s k - e = r d, worked
// out anew from the key as it was given. A fault in k itself, before both uses, gives the signature of another nonce,
// which is a valid one; that the nonce is hedged keeps two runs on one message from using the same. Not found is a
// fault that turns k G into another multiple of G: that signature is wrong, and tells at most the few bits of k that
// the fault hit.
static bool is_right(signing *w, const uint8_t *priv) {
  const tn_curve *c = w->c;
  uint64_t left[TN_CURVE_MAX_WORDS], right[TN_CURVE_MAX_WORDS], difference = 0;
  bool good = w->impl->is_point(&w->point) && tn_curve_scalar(c, right, priv);
  reduce_once(c, w->t, w->point.x, 0);
  w->impl->order_mul(left, w->s, w->k);
  w->impl->order_mul(right, right, w->t);
  add_mod(c, right, right, w->e);
  for (size_t i = 0; i < c->words; i++) difference |= (left[i] ^ right[i]) | (w->t[i] ^ w->r[i]);
  good &= tn_ct_declassify(tn_ct_is_zero(difference));
  tn_wipe(left, sizeof left);
  tn_wipe(right, sizeof right);
  return good;
}

// A frame of its own, which tn_wipe_stack() reaches, for what the compiler spills.
__attribute__((noinline)) static tn_result sign(signing *w, const tn_rng *rng, const uint8_t *priv,
                                                const uint8_t *digest, size_t digest_len, uint8_t *sig) {
  const tn_curve *c = w->c;
  TN_ENSURE(tn_curve_scalar(c, w->d, priv), TN_E_KEY_INVALID);
  tn_span extra = {0};
  if (rng != NULL) {
    TN_TRY(tn_random(rng, w->extra, c->len));
    TN_SECRET(w->extra, c->len);
    extra = tn_span_of(w->extra, c->len);
  }
  digest_to_scalar(c, w->e, digest, digest_len);
  tn_words_store(w->bytes, c->len, w->e);
  tn_rfc6979_init(&w->nonces, c->nonce_hash, c->bits, priv, w->bytes, extra);
  // That a candidate is refused is no secret: it says nothing of those that follow.
  do {
    tn_rfc6979_next(&w->nonces, w->bytes);
  } while (!tn_curve_scalar(c, w->k, w->bytes) || !sign_with_nonce(w));
  TN_PUBLIC(&w->point, sizeof w->point);  // r tells it, but for the sign of y, which verification computes
  TN_ENSURE(is_right(w, priv), TN_E_SELF_CHECK);
  tn_words_store(sig, c->len, w->r);
  tn_words_store(sig + c->len, c->len, w->s);
  TN_PUBLIC(sig, tn_curve_sig_len(c));
  return tn_success();
}

tn_result tn_ecdsa_sign(const tn_curve *c, const tn_rng *rng, const uint8_t *priv, const uint8_t *digest,
                        size_t digest_len, uint8_t *sig) {
  signing w;
  memset(&w, 0, sizeof w);
  w.c = c;
  w.impl = tn_curve_impl_of(c);
  tn_result result = sign(&w, rng, priv, digest, digest_len, sig);
  tn_wipe(&w, sizeof w);
  tn_wipe_stack();
  if (!tn_ok(result)) tn_wipe(sig, tn_curve_sig_len(c));
  return result;
}
