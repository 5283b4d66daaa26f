#include "crypto/sign.h"

#include "base/mem.h"
#include "crypto/ec/ed25519.h"

const tn_sign_scheme *const tn_sign_schemes[] = {
    &tn_ecdsa_secp256r1_sha256,
    &tn_ecdsa_secp384r1_sha384,
    &tn_ecdsa_secp521r1_sha512,
    &tn_ed25519,
    &tn_ecdsa_p256_sha384,
    &tn_ecdsa_p256_sha512,
    &tn_ecdsa_p384_sha256,
    &tn_ecdsa_p384_sha512,
    &tn_ecdsa_p521_sha256,
    &tn_ecdsa_p521_sha384,
    NULL,
};

const tn_sign_scheme *tn_sign_scheme_find(uint16_t id) {
  for (size_t i = 0; id != 0 && tn_sign_schemes[i] != NULL; i++)
    if (tn_sign_schemes[i]->id == id) return tn_sign_schemes[i];
  return NULL;
}

const tn_curve *tn_key_curve(tn_key_type type) {
  static const tn_curve *const curves[] = {
      [TN_KEY_P256] = &tn_p256, [TN_KEY_P384] = &tn_p384, [TN_KEY_P521] = &tn_p521};
  return (size_t)type < sizeof curves / sizeof *curves ? curves[type] : NULL;
}

tn_public_key tn_public_of(const tn_secret_key *k) {
  const tn_curve *curve = tn_key_curve(k->type);
  const size_t n = curve != NULL ? tn_curve_point_len(curve) : k->type == TN_KEY_ED25519 ? TN_ED25519_LEN : 0;
  return (tn_public_key){k->type, {k->point, n}};
}

tn_result tn_secret_key_generate(tn_secret_key *key, tn_key_type type, const tn_rng *rng) {
  const tn_curve *curve = tn_key_curve(type);
  tn_wipe(key, sizeof *key);
  if (type == TN_KEY_ED25519) {
    TN_TRY(tn_ed25519_generate(rng, key->scalar, key->point));
  } else {
    TN_ENSURE(curve != NULL, TN_E_KEY_UNSUPPORTED);
    TN_TRY(tn_ec_generate(curve, rng, key->scalar, key->point));
  }
  key->type = type;
  return tn_success();
}
