#include "bench_pkcs8.h"

#include <openssl/evp.h>
#include <openssl/x509.h>

#include "bench.h"

#define KEPT 16

static EVP_PKEY *make(tn_key_type type, size_t bits) {
  switch (type) {
    case TN_KEY_P256:
      return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
    case TN_KEY_P384:
      return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-384");
    case TN_KEY_P521:
      return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-521");
    case TN_KEY_ED25519:
      return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    default:
      return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", bits);
  }
}

tn_span bench_pkcs8(tn_key_type type, size_t bits) {
  static struct {
    tn_key_type type;
    size_t bits;
    uint8_t *der;
    int n;
  } kept[KEPT];
  static size_t n;
  for (size_t i = 0; i < n; i++)
    if (kept[i].type == type && kept[i].bits == bits) return (tn_span){kept[i].der, (size_t)kept[i].n};
  BENCH_NEED(n < KEPT, "key");
  EVP_PKEY *key = make(type, bits);
  BENCH_NEED(key != NULL, "key");
  PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(key);
  kept[n].type = type;
  kept[n].bits = bits;
  kept[n].n = i2d_PKCS8_PRIV_KEY_INFO(info, &kept[n].der);
  BENCH_NEED(kept[n].n > 0, "key");
  PKCS8_PRIV_KEY_INFO_free(info);
  EVP_PKEY_free(key);
  n++;
  return (tn_span){kept[n - 1].der, (size_t)kept[n - 1].n};
}
