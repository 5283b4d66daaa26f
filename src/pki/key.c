#include "pki/key.h"

#include "base/mem.h"
#include "pki/spki.h"

tn_key_type tn_key_get_type(const tn_key *key) { return key->secret.type; }

tn_public_key tn_key_public(const tn_key *key) { return tn_public_of(&key->secret); }

tn_result tn_key_sign(const tn_key *key, const tn_sign_scheme *scheme, const tn_rng *rng, tn_span msg, uint8_t *sig,
                      size_t *sig_len) {
  TN_ENSURE(scheme->key_type == key->secret.type, TN_E_BAD_ARGUMENT);
  return scheme->sign(rng, &key->secret, msg, sig, sig_len);
}

tn_result tn_key_generate_p256(const tn_allocator *a, tn_key **out) {
  tn_key *key = tn_alloc(a, sizeof *key);
  TN_ENSURE(key != NULL, TN_E_NO_MEMORY);
  key->allocator = a;
  tn_result r = tn_secret_key_generate(&key->secret, TN_KEY_P256, NULL);
  if (tn_ok(r))
    *out = key;
  else
    tn_key_free(key);
  return r;
}

tn_result tn_key_copy(const tn_allocator *a, const tn_key *key, tn_key **out) {
  tn_key *copy = tn_duplicate(a, key, sizeof *key);
  TN_ENSURE(copy != NULL, TN_E_NO_MEMORY);
  copy->allocator = a;
  *out = copy;
  return tn_success();
}

void tn_key_free(tn_key *key) {
  if (key != NULL) tn_release(key->allocator, key, sizeof *key);
}

bool tn_key_is_of(const tn_key *key, const tn_cert *cert) {
  tn_public_key mine = tn_key_public(key), its;
  return tn_ok(tn_cert_public_key(cert, &its)) && its.type == mine.type && tn_span_equal_vartime(its.point, mine.point);
}
