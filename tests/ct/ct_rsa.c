// RSA private keys: loaded, exported, signing, and decrypting premaster secrets, good ones and others.
#include "crypto/rsa/rsa.h"
#include "support/rsa_key.h"
#include "support/support.h"

static tn_rsa_private_max memory, second;

static bool signs(tn_rsa_private *key, const tn_rng *rng, bool pss) {
  uint8_t sig[256], digest[32] = {1};
  size_t n = sizeof sig;
  tn_span d = {digest, sizeof digest};
  if (!tn_ok(pss ? tn_rsa_pss_sign(key, rng, &tn_sha256, d, sig, &n)
                 : tn_rsa_pkcs1_sign(key, rng, &tn_sha256, d, sig, &n)))
    return false;
  TN_PUBLIC(sig, n);
  return tn_ok(pss ? tn_rsa_pss_verify(&key->public, &tn_sha256, NULL, sizeof digest, d, (tn_span){sig, n})
                   : tn_rsa_pkcs1_verify(&key->public, &tn_sha256, d, (tn_span){sig, n}));
}

// A premaster secret whose padding is spoilt at that place, or not.
static bool decrypts(tn_rsa_private *key, const tn_rng *rng, size_t spoilt) {
  uint8_t em[256], sealed[256], out[TN_RSA_PREMASTER], premaster[TN_RSA_PREMASTER] = {3, 3, 7};
  memset(em, 0x55, sizeof em);
  em[0] = 0, em[1] = 2, em[207] = 0;
  memcpy(em + 208, premaster, sizeof premaster);
  if (spoilt < sizeof em) em[spoilt] = spoilt == 0 || spoilt == 207 ? 1 : 0;
  TN_SECRET(em, sizeof em);
  if (!tn_ok(tn_rsa_public_op(&key->public, em, sealed))) return false;
  TN_PUBLIC(sealed, sizeof sealed);
  if (!tn_ok(tn_rsa_decrypt_premaster(key, rng, 0x0303, (tn_span){sealed, 256}, out))) return false;
  TN_PUBLIC(out, sizeof out);
  return (memcmp(out, premaster, sizeof out) == 0) == (spoilt == sizeof em);
}

int main(void) {
  static const size_t spoilt[] = {256, 0, 1, 2, 100, 207, 208, 209};
  tn_rsa_private *key = &memory.key;
  uint8_t part[256];
  test_rng seed = {1};
  tn_rng rng = test_rng_as_rng(&seed);
  rsa_key_is_secret();
  if (!tn_ok(tn_rsa_private_load(key, rsa_key_parts))) return 1;
  for (tn_rsa_part i = 0; i < TN_RSA_PARTS; i++)
    if (tn_rsa_private_part(key, i, part) != rsa_key_parts[i].n) return 2;
  tn_rsa_private_copy(&second.key, key);
  if (!signs(key, &rng, false) || !signs(&second.key, &rng, true)) return 3;
  for (size_t i = 0; i < COUNT(spoilt); i++)
    if (!decrypts(key, &rng, spoilt[i])) return 4;
  return 0;
}
