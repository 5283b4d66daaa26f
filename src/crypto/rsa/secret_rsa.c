// RSA keys in a tn_secret_key: one allocation for the private key and, behind it, the public numbers as bytes.
#include "base/mem.h"
#include "crypto/rsa/sign_rsa.h"

#define EXPONENT_MAX 8

static tn_result allocate(tn_secret_key *key, const tn_allocator *a, tn_key_type type, size_t bits) {
  *key = (tn_secret_key){0};
  TN_ENSURE(tn_key_is_rsa(type), TN_E_BAD_ARGUMENT);
  TN_ENSURE(bits >= TN_RSA_MIN_SIGN_BITS && bits <= TN_RSA_MAX_BITS, TN_E_KEY_SIZE);
  const size_t n = tn_rsa_private_size(bits) + (bits + 7) / 8 + EXPONENT_MAX;
  tn_rsa_private *rsa = tn_alloc(a, n);
  TN_ENSURE(rsa != NULL, TN_E_NO_MEMORY);
  *key = (tn_secret_key){.type = type, .rsa = rsa, .allocator = a, .allocated = n};
  return tn_success();
}

// Adds the public numbers to a private key that is there, or gives all up.
static tn_result finish(tn_secret_key *key, tn_result r) {
  if (!tn_ok(r)) {
    tn_secret_key_free(key);
    return r;
  }
  const tn_rsa_private *rsa = key->rsa;
  uint8_t *at = (uint8_t *)key->rsa + tn_rsa_private_size(rsa->public.n.bits), e[TN_RSA_MAX_BYTES];
  key->modulus = (tn_span){at, tn_rsa_private_part(rsa, TN_RSA_N, at)};
  at += key->modulus.n;
  key->exponent = (tn_span){at, tn_rsa_private_part(rsa, TN_RSA_E, e)};
  tn_copy(at, e, key->exponent.n);
  return tn_success();
}

tn_result tn_secret_key_load_rsa(tn_secret_key *key, const tn_allocator *a, tn_key_type type,
                                 const tn_span parts[TN_RSA_PARTS]) {
  TN_TRY(allocate(key, a, type, tn_rsa_bits(parts[TN_RSA_N])));
  return finish(key, tn_rsa_private_load(key->rsa, parts));
}

tn_result tn_secret_rsa_generate(tn_secret_key *key, const tn_allocator *a, tn_key_type type, size_t bits,
                                 const tn_rng *rng) {
  *key = (tn_secret_key){0};
  TN_ENSURE(bits % 8 == 0, TN_E_KEY_SIZE);
  TN_TRY(allocate(key, a, type, bits));
  return finish(key, tn_rsa_generate(key->rsa, bits, rng));
}

tn_result tn_secret_rsa_copy(tn_secret_key *copy, const tn_allocator *a, const tn_secret_key *key) {
  TN_TRY(allocate(copy, a, key->type, key->rsa->public.n.bits));
  tn_rsa_private_copy(copy->rsa, key->rsa);
  copy->pss = key->pss;
  return finish(copy, tn_success());
}
