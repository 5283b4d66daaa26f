#include "crypto/sign.h"

#include "base/mem.h"
#include "crypto/ec/ed25519.h"
#include "crypto/rsa/sign_rsa.h"

const tn_sign_scheme *const tn_sign_schemes[] = {
    &tn_ecdsa_secp256r1_sha256,
    &tn_ecdsa_secp384r1_sha384,
    &tn_ecdsa_secp521r1_sha512,
    &tn_ed25519,
    &tn_rsa_pss_rsae_sha256,
    &tn_rsa_pss_rsae_sha384,
    &tn_rsa_pss_rsae_sha512,
    &tn_rsa_pss_pss_sha256,
    &tn_rsa_pss_pss_sha384,
    &tn_rsa_pss_pss_sha512,
    &tn_rsa_pkcs1_sha256,
    &tn_rsa_pkcs1_sha384,
    &tn_rsa_pkcs1_sha512,
    &tn_ecdsa_p256_sha384,
    &tn_ecdsa_p256_sha512,
    &tn_ecdsa_p384_sha256,
    &tn_ecdsa_p384_sha512,
    &tn_ecdsa_p521_sha256,
    &tn_ecdsa_p521_sha384,
    &tn_rsa_pkcs1_sha1,
    NULL,
};

const tn_sign_scheme *tn_sign_scheme_find(uint16_t id) {
  for (size_t i = 0; id != 0 && tn_sign_schemes[i] != NULL; i++)
    if (tn_sign_schemes[i]->id == id) return tn_sign_schemes[i];
  return NULL;
}

bool tn_sign_scheme_fits(const tn_sign_scheme *scheme, const tn_public_key *key) {
  return scheme->key_type == key->type && tn_pss_params_allow(&key->pss, scheme->hash, scheme->hash->digest_len);
}

const tn_curve *tn_key_curve(tn_key_type type) {
  static const tn_curve *const curves[] = {
      [TN_KEY_P256] = &tn_p256, [TN_KEY_P384] = &tn_p384, [TN_KEY_P521] = &tn_p521};
  return (size_t)type < sizeof curves / sizeof *curves ? curves[type] : NULL;
}

tn_public_key tn_public_of(const tn_secret_key *k) {
  const tn_curve *curve = tn_key_curve(k->type);
  const size_t n = curve != NULL ? tn_curve_point_len(curve) : k->type == TN_KEY_ED25519 ? TN_ED25519_LEN : 0;
  return (tn_public_key){
      .type = k->type, .point = {k->point, n}, .modulus = k->modulus, .exponent = k->exponent, .pss = k->pss};
}

size_t tn_public_key_bits(const tn_public_key *key) { return tn_rsa_bits(key->modulus); }

bool tn_public_key_equal_vartime(const tn_public_key *a, const tn_public_key *b) {
  return a->type == b->type && tn_span_equal_vartime(a->point, b->point) &&
         tn_span_equal_vartime(a->modulus, b->modulus) && tn_span_equal_vartime(a->exponent, b->exponent);
}

tn_result tn_secret_key_generate(tn_secret_key *key, const tn_allocator *a, tn_key_type type, size_t bits,
                                 const tn_rng *rng) {
  const tn_curve *curve = tn_key_curve(type);
  *key = (tn_secret_key){0};
  if (tn_key_is_rsa(type)) return tn_secret_rsa_generate(key, a, type, bits, rng);
  TN_ENSURE(bits == 0, TN_E_KEY_UNSUPPORTED);
  if (type == TN_KEY_ED25519) {
    TN_TRY(tn_ed25519_generate(rng, key->scalar, key->point));
  } else {
    TN_ENSURE(curve != NULL, TN_E_KEY_UNSUPPORTED);
    TN_TRY(tn_ec_generate(curve, rng, key->scalar, key->point));
  }
  key->type = type;
  return tn_success();
}

tn_result tn_secret_key_copy(tn_secret_key *copy, const tn_allocator *a, const tn_secret_key *key) {
  if (tn_key_is_rsa(key->type)) return tn_secret_rsa_copy(copy, a, key);
  *copy = *key;
  return tn_success();
}

void tn_secret_key_free(tn_secret_key *key) {
  tn_release(key->allocator, key->rsa, key->allocated);
  tn_wipe(key, sizeof *key);
}
