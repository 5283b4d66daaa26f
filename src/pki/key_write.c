// Private keys as DER: SEC1's ECPrivateKey (RFC 5915), PKCS#1's RSAPrivateKey (RFC 8017) and PKCS#8's PrivateKeyInfo
// (RFC 5208, version 0; Ed25519: RFC 8410) around either.
#include "crypto/ec/ed25519.h"
#include "pki/der_write.h"
#include "pki/key.h"
#include "pki/rsa_der.h"
#include "pki/spki.h"

// Inside PKCS#8 the curve is named outside of it.
static void write_ec_private_key(tn_writer *w, const tn_key *key, bool with_curve) {
  tn_public_key public = tn_key_public(key);
  size_t sequence = tn_der_open(w, TN_DER_SEQUENCE);
  tn_der_write_small(w, 1);
  tn_der_write(w, TN_DER_OCTET_STRING, tn_span_of(key->secret.scalar, tn_key_curve(public.type)->len));
  if (with_curve) {
    size_t parameters = tn_der_open(w, TN_DER_CONTEXT_CONSTRUCTED(0));
    tn_spki_write_curve(w, &public);
    tn_der_close(w, parameters);
  }
  size_t public_key = tn_der_open(w, TN_DER_CONTEXT_CONSTRUCTED(1));
  tn_der_write_bit_bytes(w, TN_DER_BIT_STRING, public.point);
  tn_der_close(w, public_key);
  tn_der_close(w, sequence);
}

static tn_result finish(const tn_writer *w, size_t *n) {
  tn_result r = tn_writer_result(w);
  if (tn_ok(r))
    *n = w->len;
  else
    tn_wipe(w->buf, w->len);
  return r;
}

tn_result tn_key_to_sec1(const tn_key *key, uint8_t *out, size_t *n) {
  TN_ENSURE(tn_key_curve(tn_key_get_type(key)) != NULL, TN_E_KEY_UNSUPPORTED);
  tn_writer w = tn_writer_fixed(out, *n);
  write_ec_private_key(&w, key, true);
  return finish(&w, n);
}

tn_result tn_key_to_pkcs1(const tn_key *key, uint8_t *out, size_t *n) {
  TN_ENSURE(tn_key_get_type(key) == TN_KEY_RSA, TN_E_KEY_UNSUPPORTED);
  tn_writer w = tn_writer_fixed(out, *n);
  tn_rsa_private_write(&w, &key->secret);
  return finish(&w, n);
}

tn_result tn_key_to_pkcs8(const tn_key *key, uint8_t *out, size_t *n) {
  tn_public_key public = tn_key_public(key);
  tn_writer w = tn_writer_fixed(out, *n);
  size_t sequence = tn_der_open(&w, TN_DER_SEQUENCE);
  tn_der_write_small(&w, 0);
  tn_spki_write_algorithm(&w, &public);
  size_t octets = tn_der_open(&w, TN_DER_OCTET_STRING);
  if (public.type == TN_KEY_ED25519)
    tn_der_write(&w, TN_DER_OCTET_STRING, tn_span_of(key->secret.scalar, TN_ED25519_LEN));
  else if (tn_key_is_rsa(public.type))
    tn_rsa_private_write(&w, &key->secret);
  else
    write_ec_private_key(&w, key, false);
  tn_der_close(&w, octets);
  tn_der_close(&w, sequence);
  return finish(&w, n);
}
