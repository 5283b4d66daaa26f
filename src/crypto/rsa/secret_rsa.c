// RSA keys in a tn_secret_key: the private key, and behind it in one allocation the modulus and the exponent as bytes.
#include "base/mem.h"
#include "crypto/rsa/sign_rsa.h"

#define EXPONENT_MAX 8
static bool size_is_allowed(size_t bits) { return bits >= TN_RSA_MIN_SIGN_BITS && bits <= TN_RSA_MAX_BITS; }

static tn_result allocate(tn_secret_key *key, const tn_allocator *a, tn_key_type type, size_t bits) {
  TN_ENSURE(tn_key_is_rsa(type), TN_E_BAD_ARGUMENT);
  TN_ENSURE(size_is_allowed(bits), TN_E_KEY_SIZE);
  const size_t numbers = (bits + 7) / 8 + EXPONENT_MAX;
  *key = (tn_secret_key){.type = type, .allocator = a, .allocated = tn_rsa_private_size(bits) + numbers};
  key->rsa = tn_alloc(a, key->allocated);
  TN_ENSURE(key->rsa != NULL, TN_E_NO_MEMORY);
  return tn_success();
}

// Writes the public numbers behind the private key.
static void finish(tn_secret_key *key, size_t bits) {
  uint8_t *at = (uint8_t *)key->rsa + tn_rsa_private_size(bits);
  key->modulus = (tn_span){at, (bits + 7) / 8};
  at = tn_rsa_export;
}
