// libcrypto's NIST curves for differential tests, and numbers for them.
#ifndef TN_TESTS_CURVE_ORACLE_H
#define TN_TESTS_CURVE_ORACLE_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>

#include "base/bytes.h"
#include "crypto/ec/curve.h"
#include "support/support.h"

// A curve of ours under the names of others.
typedef struct curve_names {
  const tn_curve *curve;
  int nid;
  const char *group;  // libcrypto's
  const char *nist;
  const char *secg;
} curve_names;

static const curve_names all_curves[] = {
    {&tn_p256, NID_X9_62_prime256v1, "prime256v1", "P-256", "secp256r1"},
    {&tn_p384, NID_secp384r1, "secp384r1", "P-384", "secp384r1"},
    {&tn_p521, NID_secp521r1, "secp521r1", "P-521", "secp521r1"},
};

static inline const curve_names *names_of(const tn_curve *c) {
  size_t i = 0;
  while (all_curves[i].curve != c) i++;
  return &all_curves[i];
}

// Made once, and never freed.
static inline const EC_GROUP *oracle_group(const tn_curve *c) {
  static EC_GROUP *groups[COUNT(all_curves)];
  const size_t i = (size_t)(names_of(c) - all_curves);
  if (groups[i] == NULL) groups[i] = EC_GROUP_new_by_curve_name(all_curves[i].nid);
  return groups[i];
}

static inline const BIGNUM *oracle_p(const tn_curve *c) { return EC_GROUP_get0_field(oracle_group(c)); }
static inline const BIGNUM *oracle_n(const tn_curve *c) { return EC_GROUP_get0_order(oracle_group(c)); }

// A number of curve->len bytes.
static inline void number_bytes(const tn_curve *c, uint8_t *out, const BIGNUM *a) {
  assert_int_equal(BN_bn2binpad(a, out, c->len), c->len);
}

static inline void small_number(const tn_curve *c, uint8_t *out, unsigned value) {
  memset(out, 0, c->len);
  out[c->len - 1] = (uint8_t)value;
  out[c->len - 2] = (uint8_t)(value >> 8);
}

// What `base` has, and `plus` more.
static inline void number_near(const tn_curve *c, uint8_t *out, const BIGNUM *base, int plus) {
  BIGNUM *a = BN_dup(base);
  assert_int_equal(plus < 0 ? BN_sub_word(a, (BN_ULONG)-plus) : BN_add_word(a, (BN_ULONG)plus), 1);
  number_bytes(c, out, a);
  BN_free(a);
}

static inline void to_words(uint64_t *w, size_t n, const BIGNUM *a) {
  uint8_t le[8 * 2 * TN_CURVE_MAX_WORDS];
  assert_int_equal(BN_bn2lebinpad(a, le, (int)(8 * n)), (int)(8 * n));
  for (size_t i = 0; i < n; i++) w[i] = tn_load_le64(le + 8 * i);
}

static inline BIGNUM *from_words(const uint64_t *w, size_t n) {
  uint8_t le[8 * 2 * TN_CURVE_MAX_WORDS];
  for (size_t i = 0; i < n; i++) tn_store_le64(le + 8 * i, w[i]);
  return BN_lebin2bn(le, (int)(8 * n), NULL);
}

// Random bytes with long runs of ones and zeros, which make carries; no more bits than the curve's numbers have.
static inline void runs(const tn_curve *c, test_rng *rng, uint8_t *out) {
  test_rng_bytes(rng, out, c->len);
  for (int i = 0; i < 4; i++) {
    uint64_t pick = test_rng_next(rng);
    size_t from = pick % c->len, n = (pick >> 8) % (c->len + 1u - from);
    if (pick >> 16 & 1) memset(out + from, pick >> 17 & 1 ? 0xff : 0, n);
  }
  out[0] &= (uint8_t)(0xff >> (8u * c->len - c->bits));
}

static inline void random_scalar(const tn_curve *c, test_rng *rng, uint8_t *out) {
  uint64_t k[TN_CURVE_MAX_WORDS];
  do {
    runs(c, rng, out);
  } while (!tn_curve_scalar(c, k, out));
}

// out = k * from, or k * G where from is NULL, SEC1 uncompressed. false for infinity.
static inline bool oracle_mul(const tn_curve *c, uint8_t *out, const uint8_t *k, const uint8_t *from) {
  const EC_GROUP *group = oracle_group(c);
  const size_t len = tn_curve_point_len(c);
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *scalar = BN_bin2bn(k, c->len, NULL);
  EC_POINT *p = EC_POINT_new(group), *r = EC_POINT_new(group);
  if (from != NULL) {
    assert_int_equal(EC_POINT_oct2point(group, p, from, len, ctx), 1);
    assert_int_equal(EC_POINT_mul(group, r, NULL, p, scalar, ctx), 1);
  } else {
    assert_int_equal(EC_POINT_mul(group, r, scalar, NULL, NULL, ctx), 1);
  }
  bool finite = !EC_POINT_is_at_infinity(group, r);
  if (finite) assert_int_equal(EC_POINT_point2oct(group, r, POINT_CONVERSION_UNCOMPRESSED, out, len, ctx), len);
  EC_POINT_free(p);
  EC_POINT_free(r);
  BN_free(scalar);
  BN_CTX_free(ctx);
  return finite;
}

static inline void random_point(const tn_curve *c, test_rng *rng, uint8_t *out) {
  uint8_t k[TN_CURVE_MAX_LEN];
  random_scalar(c, rng, k);
  assert_true(oracle_mul(c, out, k, NULL));
}

// A key from its public point and, unless NULL, its private scalar.
static inline EVP_PKEY *oracle_key(const tn_curve *c, const uint8_t *priv, const uint8_t *pub) {
  char group[16];
  uint8_t encoded[TN_CURVE_MAX_POINT], native[TN_CURVE_MAX_LEN];  // private keys come in the machine's byte order
  snprintf(group, sizeof group, "%s", names_of(c)->group);
  memcpy(encoded, pub, tn_curve_point_len(c));
  OSSL_PARAM params[4];
  int n = 0;
  params[n++] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0);
  params[n++] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, encoded, tn_curve_point_len(c));
  if (priv != NULL) {
    BIGNUM *d = BN_bin2bn(priv, c->len, NULL);
    BN_bn2nativepad(d, native, c->len);
    BN_free(d);
    params[n++] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, native, c->len);
  }
  params[n] = OSSL_PARAM_construct_end();
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  assert_int_equal(EVP_PKEY_fromdata_init(ctx), 1);
  assert_int_equal(EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_KEYPAIR, params), 1);
  EVP_PKEY_CTX_free(ctx);
  return key;
}

static inline bool oracle_verify(EVP_PKEY *key, const uint8_t *digest, size_t n, const uint8_t *der, size_t der_len) {
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
  assert_int_equal(EVP_PKEY_verify_init(ctx), 1);
  bool right = EVP_PKEY_verify(ctx, der, der_len, digest, n) == 1;
  EVP_PKEY_CTX_free(ctx);
  return right;
}

#define ORACLE_SIG_ROOM 160

static inline size_t oracle_sign(EVP_PKEY *key, const uint8_t *digest, size_t n, uint8_t der[ORACLE_SIG_ROOM]) {
  size_t len = ORACLE_SIG_ROOM;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
  assert_int_equal(EVP_PKEY_sign_init(ctx), 1);
  assert_int_equal(EVP_PKEY_sign(ctx, der, &len, digest, n), 1);
  EVP_PKEY_CTX_free(ctx);
  return len;
}

#endif
