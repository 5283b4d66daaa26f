// RSA: the premaster secret's decryption, padding and version check included, and a signature.
#include "base/ct.h"
#include "crypto/rsa/rsa.h"
#include "support/support.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

static tn_rsa_private key;

int main(void) {
  static const char *const names[] = {"n",
                                      "e",
                                      OSSL_PKEY_PARAM_RSA_FACTOR1,
                                      OSSL_PKEY_PARAM_RSA_FACTOR2,
                                      OSSL_PKEY_PARAM_RSA_EXPONENT1,
                                      OSSL_PKEY_PARAM_RSA_EXPONENT2,
                                      OSSL_PKEY_PARAM_RSA_COEFFICIENT1};
  static uint8_t room[7][256];
  tn_span part[7];
  EVP_PKEY *k = EVP_RSA_gen(2048);
  for (size_t i = 0; i < 7; i++) {
    BIGNUM *v = NULL;
    if (EVP_PKEY_get_bn_param(k, names[i], &v) != 1) return 2;
    part[i] = (tn_span){room[i], (size_t)BN_bn2bin(v, room[i])};
    if (i >= 2) TN_SECRET(room[i], sizeof room[i]);
    BN_free(v);
  }
  tn_result r = tn_rsa_private_load(&key, part[0], part[1], part[2], part[3], part[4], part[5], part[6]);
  if (!tn_ok(r)) return 3;
  test_rng seed = {1};
  tn_rng rng = test_rng_as_rng(&seed);
  uint8_t premaster[TN_RSA_PREMASTER] = {3, 3, 7}, sealed[256], out[TN_RSA_PREMASTER], digest[32] = {1};
  if (!tn_ok(tn_rsa_pkcs1_encrypt(&key.public, &rng, (tn_span){premaster, sizeof premaster}, sealed))) return 4;
  if (!tn_ok(tn_rsa_decrypt_premaster(&key, &rng, 0x0303, (tn_span){sealed, 256}, out))) return 5;
  TN_PUBLIC(out, sizeof out);
  if (memcmp(out, premaster, sizeof out) != 0) return 6;
  size_t n = sizeof sealed;
  if (!tn_ok(tn_rsa_pkcs1_sign(&key, &rng, &tn_sha256, (tn_span){digest, 32}, sealed, &n))) return 7;
  TN_PUBLIC(sealed, n);
  EVP_PKEY_free(k);
  return tn_ok(tn_rsa_pkcs1_verify(&key.public, &tn_sha256, (tn_span){digest, 32}, (tn_span){sealed, n})) ? 0 : 8;
}
