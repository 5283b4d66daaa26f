// Private keys on their way from and to files: base64 both ways, parsing, writing, signing.
#include "base/ct.h"
#include "pki/key.h"
#include "support/rsa_key.h"
#include "support/support.h"
#include "tenon/pki.h"

static void require(tn_result r) {
  if (!tn_ok(r)) abort();
}

// Where the scalar is in the DER of a key: after the first 04 20.
static uint8_t *scalar_in(uint8_t *der, size_t n) {
  for (size_t i = 0; i + 34 <= n; i++)
    if (der[i] == 0x04 && der[i + 1] == 0x20) return der + i + 2;
  abort();
}

static void base64_of_every_length(void) {
  test_rng rng = {1};
  for (size_t n = 1; n < 150; n++) {
    uint8_t in[150], pem[400], out[300];
    size_t pem_n = sizeof pem, out_n = sizeof out;
    test_rng_bytes(&rng, in, n);
    TN_SECRET(in, n);
    require(tn_pem_encode("PRIVATE KEY", tn_span_of(in, n), pem, &pem_n));
    TN_PUBLIC(pem, pem_n);
    tn_span rest = {pem, pem_n}, label, body;
    require(tn_pem_next(&rest, NULL, &label, &body));
    TN_SECRET(body.p, body.n);
    require(tn_pem_decode(body, out, &out_n));
    TN_PUBLIC(out, out_n);
    TN_PUBLIC(in, n);
    if (out_n != n || memcmp(in, out, n) != 0) abort();
  }
}

static void keys_through_their_forms(void) {
  for (int i = 0; i < 3; i++) {
    tn_key *key, *again;
    uint8_t der[200], sig[TN_SIGNATURE_MAX];
    size_t n = sizeof der, sig_n = sizeof sig;
    require(tn_key_generate_p256(NULL, &key));
    TN_SECRET(key->secret.scalar, sizeof key->secret.scalar);
    require(i == 0 ? tn_key_to_sec1(key, der, &n) : tn_key_to_pkcs8(key, der, &n));
    TN_PUBLIC(der, n);
    TN_SECRET(scalar_in(der, n), 32);
    require(tn_key_parse(NULL, tn_span_of(der, n), &again));
    require(tn_key_sign(again, &tn_ecdsa_secp256r1_sha256, NULL, tn_span_of("m", 1), sig, &sig_n));
    tn_key_free(again);
    tn_key_free(key);
  }
}

// The numbers of RSA keys: which bytes of a file are theirs is known, and no more.
static void rsa_keys_through_their_forms(void) {
  static const tn_sign_scheme *const schemes[] = {&tn_rsa_pkcs1_sha256, &tn_rsa_pss_rsae_sha384,
                                                  &tn_rsa_pss_pss_sha256};
  rsa_key_is_secret();
  for (int i = 0; i < 3; i++) {
    tn_key key = {0}, *again, *copy;
    uint8_t der[TN_KEY_MAX_DER], sig[TN_SIGNATURE_MAX];
    size_t n = sizeof der, sig_n = sizeof sig;
    require(tn_secret_key_load_rsa(&key.secret, NULL, i == 2 ? TN_KEY_RSA_PSS : TN_KEY_RSA, rsa_key_parts));
    require(i == 0 ? tn_key_to_pkcs1(&key, der, &n) : tn_key_to_pkcs8(&key, der, &n));
    require(tn_key_parse(NULL, tn_span_of(der, n), &again));
    require(tn_key_copy(NULL, again, &copy));
    tn_key_free(again);
    require(tn_key_sign(copy, schemes[i], NULL, tn_span_of("m", 1), sig, &sig_n));
    TN_PUBLIC(sig, sig_n);
    const tn_public_key public = tn_key_public(copy);
    require(schemes[i]->verify(&public, tn_span_of("m", 1), tn_span_of(sig, sig_n)));
    tn_key_free(copy);
    tn_secret_key_free(&key.secret);
  }
}

int main(void) {
  rsa_keys_through_their_forms();
  base64_of_every_length();
  keys_through_their_forms();
  return 0;
}
