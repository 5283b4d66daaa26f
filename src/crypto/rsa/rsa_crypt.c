// RSAES-PKCS1-v1_5, RFC 8017 section 7.2, as TLS transports keys with it.
#include "base/mem.h"
#include "crypto/rsa/rsa.h"

tn_result tn_rsa_pkcs1_encrypt(const tn_rsa_public *key, const tn_rng *rng, tn_span msg, uint8_t *out) {
  uint8_t em[TN_RSA_MAX_BYTES];
  TN_ENSURE(msg.n <= key->len - 11, TN_E_BAD_ARGUMENT);
  size_t end = key->len - msg.n - 1;
  em[0] = 0;
  em[1] = 2;
  tn_result result = tn_random(rng, em + 2, end - 2);
  // Padding has no zero byte. One is drawn again: that leaks only how often.
  for (size_t i = 2; tn_ok(result) && i < end; i++)
    while (tn_ok(result) && tn_ct_declassify(tn_ct_is_zero(em[i]))) result = tn_random(rng, em + i, 1);
  em[end] = 0;
  tn_copy(em + end + 1, msg.p, msg.n);
  if (tn_ok(result)) result = tn_rsa_public_op(key, em, out);
  tn_wipe(em, sizeof em);
  key->n.path->wipe();
  tn_wipe_stack();
  return result;
}

tn_result tn_rsa_decrypt_premaster(tn_rsa_private *key, const tn_rng *rng, uint16_t version, tn_span in,
                                   uint8_t out[TN_RSA_PREMASTER]) {
  uint8_t em[TN_RSA_MAX_BYTES];
  size_t len = key->public.len, at = len - TN_RSA_PREMASTER;
  TN_ENSURE(in.n == len, TN_E_DECODE);
  TN_TRY(tn_random(rng, out, TN_RSA_PREMASTER));
  tn_result result = tn_rsa_private_op(key, rng, in.p, em);
  if (tn_ok(result)) {
    out[0] = (uint8_t)(version >> 8);
    out[1] = (uint8_t)version;
    uint64_t wrong = em[0] | (em[1] ^ 2u) | em[at - 1] | (em[at] ^ out[0]) | (em[at + 1] ^ out[1]);
    uint64_t good = tn_ct_is_zero(wrong);
    for (size_t i = 2; i < at - 1; i++) good &= ~tn_ct_is_zero(em[i]);
    for (size_t i = 0; i < TN_RSA_PREMASTER; i++) out[i] = (uint8_t)tn_ct_select(good, em[at + i], out[i]);
  } else {
    tn_wipe(out, TN_RSA_PREMASTER);
  }
  tn_wipe(em, sizeof em);
  return result;
}
