#include "crypto/sign.h"

#include "base/mem.h"
#include "crypto/ec/p256.h"

const tn_sign_scheme *const tn_sign_schemes[] = {
    &tn_ecdsa_secp256r1_sha256,
    &tn_ecdsa_p256_sha384,
    &tn_ecdsa_p256_sha512,
    NULL,
};

const tn_sign_scheme *tn_sign_scheme_find(uint16_t id) {
  for (size_t i = 0; id != 0 && tn_sign_schemes[i] != NULL; i++)
    if (tn_sign_schemes[i]->id == id) return tn_sign_schemes[i];
  return NULL;
}

tn_result tn_secret_key_generate(tn_secret_key *key, tn_key_type type, const tn_rng *rng) {
  tn_wipe(key, sizeof *key);
  TN_ENSURE(type == TN_KEY_P256, TN_E_KEY_UNSUPPORTED);
  TN_TRY(tn_p256_generate(rng, key->scalar, key->point));
  key->type = type;
  return tn_success();
}
