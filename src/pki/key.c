#include "pki/key.h"

#include <string.h>

#include "base/mem.h"
#include "pki/spki.h"

tn_key_type tn_key_get_type(const tn_key *key) { return key->secret.type; }

tn_public_key tn_key_public(const tn_key *key) { return tn_public_of(&key->secret); }

tn_result tn_key_sign(const tn_key *key, const tn_sign_scheme *scheme, const tn_rng *rng, tn_span msg, uint8_t *sig,
                      size_t *sig_len) {
  const tn_public_key public = tn_key_public(key);
  TN_ENSURE(tn_sign_scheme_fits(scheme, &public), TN_E_BAD_ARGUMENT);
  return scheme->sign(rng, &key->secret, msg, sig, sig_len);
}

// ---------------------------------------------------------------- generation

static const struct {
  const char *name;  // for RSA what comes before the bits
  tn_key_type type;
} names[] = {{"p256", TN_KEY_P256},       {"p384", TN_KEY_P384}, {"p521", TN_KEY_P521},
             {"ed25519", TN_KEY_ED25519}, {"rsa-", TN_KEY_RSA},  {"rsa-pss-", TN_KEY_RSA_PSS}};

// Four digits, the first of which is no zero.
static bool read_bits(const char *text, size_t *bits) {
  *bits = 0;
  for (size_t i = 0; i < 4; i++) {
    if (text[i] < '0' || text[i] > '9') return false;
    *bits = *bits * 10 + (size_t)(text[i] - '0');
  }
  return text[4] == 0 && *bits >= 1000;
}

static bool find_name(const char *name, tn_key_type *type, size_t *bits) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const size_t n = strlen(names[i].name);
    *type = names[i].type;
    *bits = 0;
    if (strncmp(name, names[i].name, n) != 0) continue;
    if (tn_key_is_rsa(*type) ? read_bits(name + n, bits) : name[n] == 0) return true;
  }
  return false;
}

tn_result tn_key_generate(const tn_allocator *a, const char *name, tn_key **out) {
  tn_key_type type;
  size_t bits;
  TN_ENSURE(find_name(name, &type, &bits), TN_E_KEY_UNSUPPORTED);
  tn_key *key = tn_alloc(a, sizeof *key);
  TN_ENSURE(key != NULL, TN_E_NO_MEMORY);
  key->allocator = a;
  tn_result r = tn_secret_key_generate(&key->secret, a, type, bits, NULL);
  if (tn_ok(r))
    *out = key;
  else
    tn_key_free(key);
  return r;
}

tn_result tn_key_generate_p256(const tn_allocator *a, tn_key **out) { return tn_key_generate(a, "p256", out); }

// ---------------------------------------------------------------- life and death

tn_result tn_key_copy(const tn_allocator *a, const tn_key *key, tn_key **out) {
  tn_key *copy = tn_alloc(a, sizeof *copy);
  TN_ENSURE(copy != NULL, TN_E_NO_MEMORY);
  copy->allocator = a;
  tn_result r = tn_secret_key_copy(&copy->secret, a, &key->secret);
  if (tn_ok(r))
    *out = copy;
  else
    tn_key_free(copy);
  return r;
}

void tn_key_free(tn_key *key) {
  if (key == NULL) return;
  tn_secret_key_free(&key->secret);
  tn_release(key->allocator, key, sizeof *key);
}

bool tn_key_is_of(const tn_key *key, const tn_cert *cert) {
  tn_public_key mine = tn_key_public(key), its;
  return tn_ok(tn_cert_public_key(cert, &its)) && tn_public_key_equal_vartime(&its, &mine);
}
