// Signatures: an encoding, and the private operation of it.
#include "crypto/rsa/rsa.h"

tn_result tn_rsa_pkcs1_sign(tn_rsa_private *key, const tn_rng *rng, const tn_hash *hash, tn_span digest, uint8_t *sig,
                            size_t *sig_len) {
  uint8_t em[TN_RSA_MAX_BYTES];
  TN_ENSURE(*sig_len >= key->public.len, TN_E_NO_SPACE);
  TN_TRY(tn_rsa_pkcs1_encode(em, key->public.len, hash, digest));
  TN_TRY(tn_rsa_private_op(key, rng, em, sig));
  *sig_len = key->public.len;
  return tn_success();
}

tn_result tn_rsa_pss_sign(tn_rsa_private *key, const tn_rng *rng, const tn_hash *hash, tn_span digest, uint8_t *sig,
                          size_t *sig_len) {
  uint8_t em[TN_RSA_MAX_BYTES], salt[TN_HASH_MAX_DIGEST];
  TN_ENSURE(*sig_len >= key->public.len, TN_E_NO_SPACE);
  TN_TRY(tn_random(rng, salt, hash->digest_len));
  size_t bits = key->public.n.bits - 1, skip = key->public.len - (bits + 7) / 8;
  em[0] = 0;
  TN_TRY(tn_rsa_pss_encode(em + skip, bits, hash, digest, (tn_span){salt, hash->digest_len}));
  TN_TRY(tn_rsa_private_op(key, rng, em, sig));
  *sig_len = key->public.len;
  return tn_success();
}
