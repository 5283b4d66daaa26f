// Public keys, and what they verify.
#include "base/mem.h"
#include "crypto/rsa/rsa.h"

static tn_span without_zeros(tn_span s) {
  while (s.n != 0 && *s.p == 0) s.p++, s.n--;
  return s;
}

tn_result tn_rsa_public_load(tn_rsa_public *key, tn_span n, tn_span e) {
  uint64_t w[TN_BN_MAX_WORDS];
  n = without_zeros(n);
  e = without_zeros(e);
  TN_ENSURE(n.n >= TN_RSA_MIN_VERIFY_BITS / 8 && n.n <= TN_RSA_MAX_BYTES && e.n <= 8, TN_E_KEY_INVALID);
  size_t words = tn_bn_words(8 * n.n);
  TN_ENSURE(tn_bn_from_bytes(w, words, n) && (w[0] & 1) != 0, TN_E_KEY_INVALID);
  TN_TRY(tn_bn_mod_init(&key->n, w, words));
  TN_ENSURE(key->n.bits >= TN_RSA_MIN_VERIFY_BITS, TN_E_KEY_INVALID);
  key->len = n.n;
  key->e = 0;
  for (size_t i = 0; i < e.n; i++) key->e = key->e << 8 | e.p[i];
  TN_ENSURE(key->e >= 3 && (key->e & 1) != 0, TN_E_KEY_INVALID);
  return tn_success();
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

tn_result tn_rsa_pss_verify(const tn_rsa_public *key, const tn_hash *hash, size_t salt_len, tn_span digest,
                            tn_span sig) {
  uint8_t em[TN_RSA_MAX_BYTES];
  TN_TRY(open(key, sig, em));
  // The encoding has one bit less than n: a byte less if that is a whole number of bytes.
  size_t bits = key->n.bits - 1, skip = key->len - (bits + 7) / 8;
  TN_ENSURE(skip == 0 || em[0] == 0, TN_E_BAD_SIGNATURE);
  return tn_rsa_pss_check(em + skip, bits, hash, digest, salt_len);
}
