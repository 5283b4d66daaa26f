// libcrypto's P-256 for differential tests.
#ifndef TN_TESTS_P256_ORACLE_H
#define TN_TESTS_P256_ORACLE_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>

#include "support/support.h"

#define P256_P "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
#define P256_N "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"

static inline BIGNUM *oracle_bn(const char *hex) {
  BIGNUM *n = NULL;
  assert_true(BN_hex2bn(&n, hex) > 0);
  return n;
}

// out = k * point, or k * G where point is NULL, SEC1 uncompressed. false for infinity.
static inline bool oracle_mul(uint8_t out[65], const uint8_t k[32], const uint8_t *point) {
  EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *scalar = BN_bin2bn(k, 32, NULL);
  EC_POINT *p = EC_POINT_new(group), *r = EC_POINT_new(group);
  if (point != NULL) {
    assert_int_equal(EC_POINT_oct2point(group, p, point, 65, ctx), 1);
    assert_int_equal(EC_POINT_mul(group, r, NULL, p, scalar, ctx), 1);
  } else {
    assert_int_equal(EC_POINT_mul(group, r, scalar, NULL, NULL, ctx), 1);
  }
  bool finite = !EC_POINT_is_at_infinity(group, r);
  if (finite) assert_int_equal(EC_POINT_point2oct(group, r, POINT_CONVERSION_UNCOMPRESSED, out, 65, ctx), 65);
  EC_POINT_free(p);
  EC_POINT_free(r);
  BN_free(scalar);
  BN_CTX_free(ctx);
  EC_GROUP_free(group);
  return finite;
}

// A key from its public point and, unless NULL, its private scalar.
static inline EVP_PKEY *oracle_key(const uint8_t *priv, const uint8_t pub[65]) {
  char group[] = "prime256v1";
  uint8_t point[65], native[32];  // private keys come in the machine's byte order
  memcpy(point, pub, 65);
  OSSL_PARAM params[4];
  int n = 0;
  params[n++] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0);
  params[n++] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point);
  if (priv != NULL) {
    BIGNUM *d = BN_bin2bn(priv, 32, NULL);
    BN_bn2nativepad(d, native, 32);
    BN_free(d);
    params[n++] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, native, sizeof native);
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

static inline size_t oracle_sign(EVP_PKEY *key, const uint8_t *digest, size_t n, uint8_t der[80]) {
  size_t len = 80;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
  assert_int_equal(EVP_PKEY_sign_init(ctx), 1);
  assert_int_equal(EVP_PKEY_sign(ctx, der, &len, digest, n), 1);
  EVP_PKEY_CTX_free(ctx);
  return len;
}

#endif
