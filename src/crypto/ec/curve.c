#include "crypto/ec/curve.h"

#include "base/cpu.h"
#include "base/ct.h"
#include "base/mem.h"
#include "crypto/ec/words.h"

// An honest generator is refused once in 2^32 times (P-521: once in 2 times, were it not for the mask). One that is
// refused this often is broken.
#define MAX_DRAWS 16

extern const tn_curve_impl tn_p256_portable, tn_p384_portable, tn_p521_portable;
extern const tn_curve_impl tn_p256_adx, tn_p384_adx, tn_p521_adx;

// MemorySanitizer follows no secret through assembly; valgrind does.
#if defined(__x86_64__) && !defined(TN_CT_MSAN)
#define HAVE_ADX
#endif

static const tn_curve_impl *const impls_256[] = {
#if defined(HAVE_ADX)
    &tn_p256_adx,
#endif
    &tn_p256_portable,
    NULL,
};
static const tn_curve_impl *const impls_384[] = {
#if defined(HAVE_ADX)
    &tn_p384_adx,
#endif
    &tn_p384_portable,
    NULL,
};
static const tn_curve_impl *const impls_521[] = {
#if defined(HAVE_ADX)
    &tn_p521_adx,
#endif
    &tn_p521_portable,
    NULL,
};

const tn_curve tn_p256 = {
    .name = "p256",
    .bits = 256,
    .len = 32,
    .words = 4,
    .order = {0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000},
    .nonce_hash = &tn_sha256,
    .impls = impls_256,
};
const tn_curve tn_p384 = {
    .name = "p384",
    .bits = 384,
    .len = 48,
    .words = 6,
    .order = {0xecec196accc52973, 0x581a0db248b0a77a, 0xc7634d81f4372ddf, 0xffffffffffffffff, 0xffffffffffffffff,
              0xffffffffffffffff},
    .nonce_hash = &tn_sha384,
    .impls = impls_384,
};
const tn_curve tn_p521 = {
    .name = "p521",
    .bits = 521,
    .len = 66,
    .words = 9,
    .order = {0xbb6fb71e91386409, 0x3bb5c9b8899c47ae, 0x7fcc0148f709a5d0, 0x51868783bf2f966b, 0xfffffffffffffffa,
              0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, 0x00000000000001ff},
    .nonce_hash = &tn_sha512,
    .impls = impls_521,
};

const tn_curve *const tn_curves[] = {&tn_p256, &tn_p384, &tn_p521, NULL};

const tn_curve_impl *tn_curve_impl_of(const tn_curve *c) {
  const tn_curve_impl *const *impl = c->impls;
  while (!tn_cpu_has((*impl)->cpu)) impl++;
  return *impl;
}

// ---------------------------------------------------------------- numbers and points as bytes

// A frame of its own, which the callers' tn_wipe_stack() reaches, for what the compiler spills.
__attribute__((noinline)) bool tn_curve_scalar(const tn_curve *c, uint64_t *r, const uint8_t *in) {
  tn_words_load(r, c->words, in, c->len);
  uint64_t borrow = 0, any = 0;
  for (size_t i = 0; i < c->words; i++) {
    (void)tn_sub_borrow(r[i], c->order[i], &borrow);
    any |= r[i];
  }
  return tn_ct_declassify(tn_ct_mask_bit(borrow) & ~tn_ct_is_zero(any));
}

// SEC1 2.3.4: uncompressed points alone.
bool tn_curve_decode(const tn_curve *c, tn_curve_point *r, tn_span in) {
  if (in.n != tn_curve_point_len(c) || in.p[0] != 0x04) return false;
  tn_words_load(r->x, c->words, in.p + 1, c->len);
  tn_words_load(r->y, c->words, in.p + 1 + c->len, c->len);
  return tn_curve_impl_of(c)->is_point(r);
}

static void encode(const tn_curve *c, uint8_t *out, const tn_curve_point *a) {
  out[0] = 0x04;
  tn_words_store(out + 1, c->len, a->x);
  tn_words_store(out + 1 + c->len, c->len, a->y);
}

// ---------------------------------------------------------------- keys

tn_result tn_ec_public(const tn_curve *c, const uint8_t *priv, uint8_t *pub) {
  uint64_t k[TN_CURVE_MAX_WORDS];
  tn_curve_point point;
  const bool valid = tn_curve_scalar(c, k, priv);
  if (valid) {
    tn_curve_impl_of(c)->mul_base(&point, k);
    encode(c, pub, &point);
    TN_PUBLIC(pub, tn_curve_point_len(c));
  }
  tn_wipe(k, sizeof k);
  tn_wipe_stack();
  return valid ? tn_success() : tn_fail(TN_E_KEY_INVALID);
}

tn_result tn_ec_generate(const tn_curve *c, const tn_rng *rng, uint8_t *priv, uint8_t *pub) {
  for (int i = 0; i < MAX_DRAWS; i++) {
    TN_TRY(tn_random(rng, priv, c->len));
    TN_SECRET(priv, c->len);
    priv[0] &= (uint8_t)(0xff >> (8u * c->len - c->bits));
    // That earlier candidates were out of range tells nothing of this one.
    if (tn_ok(tn_ec_public(c, priv, pub))) return tn_success();
  }
  tn_wipe(priv, c->len);
  return tn_fail(TN_E_NO_RANDOM);
}

tn_result tn_ec_check_public(const tn_curve *c, tn_span pub) {
  tn_curve_point point;
  return tn_curve_decode(c, &point, pub) ? tn_success() : tn_fail(TN_E_KEY_INVALID);
}

tn_result tn_ecdh(const tn_curve *c, const uint8_t *priv, tn_span peer, uint8_t *secret) {
  tn_curve_point point, product;
  uint64_t k[TN_CURVE_MAX_WORDS];
  TN_ENSURE(tn_curve_decode(c, &point, peer), TN_E_BAD_KEY_SHARE);
  const bool valid = tn_curve_scalar(c, k, priv);
  if (valid) {
    // Not infinity: the order is prime and 1 <= k < n.
    tn_curve_impl_of(c)->mul(&product, k, &point);
    tn_words_store(secret, c->len, product.x);
    tn_wipe(&product, sizeof product);
  }
  tn_wipe(k, sizeof k);
  tn_wipe_stack();
  return valid ? tn_success() : tn_fail(TN_E_KEY_INVALID);
}
