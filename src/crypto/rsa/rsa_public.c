// Public keys, and what they verify.
#include "base/mem.h"
#include "crypto/rsa/rsa.h"

size_t tn_rsa_bits(tn_span number) {
  while (number.n != 0 && *number.p == 0) number.p++, number.n--;
  return number.n == 0 ? 0 : 8 * number.n - (size_t)__builtin_clz(*number.p) + 24;
}

tn_result tn_rsa_public_load(tn_rsa_public *key, uint64_t *words, tn_span n, tn_span e) {
  size_t bits = tn_rsa_bits(n), count = tn_bn_words(bits);
  TN_ENSURE(bits >= TN_RSA_MIN_VERIFY_BITS, TN_E_KEY_INVALID);
  TN_ENSURE(bits <= TN_RSA_MAX_BITS && tn_rsa_bits(e) <= 64, TN_E_KEY_UNSUPPORTED);
  TN_ENSURE(tn_bn_from_bytes(words, count, n) && tn_bn_from_bytes(&key->e, 1, e), TN_E_KEY_INVALID);
  TN_ENSURE((words[0] & 1) != 0 && key->e >= 3 && (key->e & 1) != 0, TN_E_KEY_INVALID);
  key->len = (bits + 7) / 8;
  return tn_bn_mod_init(&key->n, words, NULL, count);
}

tn_result tn_rsa_public_op(const tn_rsa_public *key, const uint8_t *in, uint8_t *out) {
  uint64_t x[TN_BN_MAX_WORDS];
  TN_ENSURE(tn_bn_from_bytes(x, key->n.words, (tn_span){in, key->len}), TN_E_BAD_ARGUMENT);
  bool below = tn_ct_declassify(tn_bn_less(x, key->n.n, key->n.words));
  if (below) {
    tn_bn_mod_exp_public(x, x, key->e, &key->n);
    tn_bn_to_bytes(out, key->len, x);
  }
  tn_wipe(x, key->n.words * sizeof *x);
  tn_wipe_vectors();
  TN_ENSURE(below, TN_E_BAD_ARGUMENT);
  return tn_success();
}

// The encoding that sig signs.
static tn_result open(const tn_rsa_public *key, tn_span sig, uint8_t *em) {
  TN_ENSURE(sig.n == key->len && tn_ok(tn_rsa_public_op(key, sig.p, em)), TN_E_BAD_SIGNATURE);
  return tn_success();
}

tn_result tn_rsa_pkcs1_verify(const tn_rsa_public *key, const tn_hash *hash, tn_span digest, tn_span sig) {
  uint8_t em[TN_RSA_MAX_BYTES], want[TN_RSA_MAX_BYTES];
  TN_TRY(tn_rsa_pkcs1_encode(want, key->len, hash, digest));
  TN_TRY(open(key, sig, em));
  TN_ENSURE(tn_equal_vartime(em, want, key->len), TN_E_BAD_SIGNATURE);
  return tn_success();
}

tn_result tn_rsa_pss_verify(const tn_rsa_public *key, const tn_hash *hash, const tn_hash *mgf, size_t salt_len,
                            tn_span digest, tn_span sig) {
  uint8_t em[TN_RSA_MAX_BYTES];
  TN_TRY(open(key, sig, em));
  // The encoding has one bit less than n: a byte less if that is a whole number of bytes.
  size_t bits = key->n.bits - 1, skip = key->len - (bits + 7) / 8;
  TN_ENSURE(skip == 0 || em[0] == 0, TN_E_BAD_SIGNATURE);
  return tn_rsa_pss_check(em + skip, bits, hash, mgf == NULL ? hash : mgf, digest, salt_len);
}
