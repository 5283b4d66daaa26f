// Keys of libcrypto's in our hands. For tests that include it.
#ifndef TN_TESTS_RSA_ORACLE_H
#define TN_TESTS_RSA_ORACLE_H

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include "crypto/rsa/rsa.h"
#include "support/support.h"

typedef struct rsa_number {
  uint8_t bytes[TN_RSA_MAX_BYTES];
  size_t n;
} rsa_number;

static const char *const rsa_part_names[] = {OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
                                             OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
                                             OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
                                             OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1};

static inline void rsa_parts_of(EVP_PKEY *k, rsa_number parts[TN_RSA_PARTS]) {
  for (size_t i = 0; i < TN_RSA_PARTS; i++) {
    BIGNUM *v = NULL;
    assert_int_equal(EVP_PKEY_get_bn_param(k, rsa_part_names[i], &v), 1);
    parts[i].n = (size_t)BN_bn2bin(v, parts[i].bytes);
    BN_clear_free(v);
  }
}

// dP, dQ and qInv from the others.
static inline void rsa_complete(rsa_number parts[TN_RSA_PARTS]) {
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *d = BN_bin2bn(parts[TN_RSA_D].bytes, (int)parts[TN_RSA_D].n, NULL), *prime[2], *r = BN_new();
  for (size_t i = 0; i < 2; i++) {
    prime[i] = BN_bin2bn(parts[TN_RSA_P + i].bytes, (int)parts[TN_RSA_P + i].n, NULL);
    assert_true(BN_sub_word(prime[i], 1) && BN_mod(r, d, prime[i], ctx) && BN_add_word(prime[i], 1));
    parts[TN_RSA_DP + i].n = (size_t)BN_bn2bin(r, parts[TN_RSA_DP + i].bytes);
  }
  assert_non_null(BN_mod_inverse(r, prime[1], prime[0], ctx));
  parts[TN_RSA_QINV].n = (size_t)BN_bn2bin(r, parts[TN_RSA_QINV].bytes);
  BN_free(d), BN_free(prime[0]), BN_free(prime[1]), BN_free(r);
  BN_CTX_free(ctx);
}

// A new key of libcrypto's with this exponent, in decimal.
static inline EVP_PKEY *rsa_new_key(unsigned bits, const char *e) {
  EVP_PKEY *k = NULL;
  BIGNUM *exponent = NULL;
  EVP_PKEY_CTX *c = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
  assert_true(BN_dec2bn(&exponent, e) > 0);
  assert_int_equal(EVP_PKEY_keygen_init(c), 1);
  assert_int_equal(EVP_PKEY_CTX_set_rsa_keygen_bits(c, (int)bits), 1);
  assert_int_equal(EVP_PKEY_CTX_set1_rsa_keygen_pubexp(c, exponent), 1);
  assert_int_equal(EVP_PKEY_generate(c, &k), 1);
  EVP_PKEY_CTX_free(c);
  BN_free(exponent);
  return k;
}

static inline tn_result rsa_load(tn_rsa_private *key, const rsa_number parts[TN_RSA_PARTS]) {
  tn_span spans[TN_RSA_PARTS];
  for (size_t i = 0; i < TN_RSA_PARTS; i++) spans[i] = tn_span_of(parts[i].bytes, parts[i].n);
  return tn_rsa_private_load(key, spans);
}

#endif
