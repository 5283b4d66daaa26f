#include "pki/rsa_der.h"

#include "base/ct.h"
#include "base/mem.h"
#include "pki/der.h"
#include "pki/der_write.h"

// ---------------------------------------------------------------- public keys

// A positive INTEGER without the zero byte that keeps it positive.
static bool read_positive(tn_reader *r, tn_span *number) {
  if (!tn_der_read_integer(r, number) || (number->p[0] & 0x80) != 0) return false;
  if (number->p[0] == 0) *number = (tn_span){number->p + 1, number->n - 1};
  return number->n != 0;
}

bool tn_rsa_public_read(tn_span der, tn_span *modulus, tn_span *exponent) {
  tn_reader r = tn_reader_of(der), body;
  return tn_der_enter(&r, TN_DER_SEQUENCE, &body) && r.n == 0 && read_positive(&body, modulus) &&
         read_positive(&body, exponent) && body.n == 0;
}

void tn_rsa_public_write(tn_writer *w, tn_span modulus, tn_span exponent) {
  size_t sequence = tn_der_open(w, TN_DER_SEQUENCE);
  tn_der_write_number(w, modulus);
  tn_der_write_number(w, exponent);
  tn_der_close(w, sequence);
}

// ---------------------------------------------------------------- private keys

// The contents of a secret INTEGER, which must not be negative, in as few bytes as it takes: that verdict is all that
// is told.
static bool read_secret(tn_reader *r, tn_span *number) {
  tn_reader at = *r;
  if (!tn_der_read(&at, TN_DER_INTEGER, number) || number->n == 0) return false;
  uint64_t good = ~tn_ct_mask_bit(number->p[0] >> 7);
  if (number->n > 1) good &= ~tn_ct_is_zero(number->p[0]) | tn_ct_mask_bit(number->p[1] >> 7);
  if (!tn_ct_declassify(good)) return false;
  *r = at;
  return true;
}

tn_result tn_rsa_private_read(tn_span der, const tn_allocator *a, tn_key_type type, tn_secret_key *key) {
  tn_reader r = tn_reader_of(der), body;
  uint32_t version;
  tn_span parts[TN_RSA_PARTS];
  TN_ENSURE(tn_der_enter(&r, TN_DER_SEQUENCE, &body) && r.n == 0 && tn_der_read_small(&body, &version), TN_E_DER);
  TN_ENSURE(version != 1, TN_E_KEY_MULTI_PRIME);
  TN_ENSURE(version == 0, TN_E_KEY_UNSUPPORTED);
  TN_ENSURE(read_positive(&body, &parts[TN_RSA_N]) && read_positive(&body, &parts[TN_RSA_E]), TN_E_DER);
  for (size_t i = TN_RSA_D; i < TN_RSA_PARTS; i++) TN_ENSURE(read_secret(&body, &parts[i]), TN_E_DER);
  TN_ENSURE(body.n == 0, TN_E_DER);
  return tn_secret_key_load_rsa(key, a, type, parts);
}

void tn_rsa_private_write(tn_writer *w, const tn_secret_key *key) {
  uint8_t number[TN_RSA_MAX_BYTES];
  size_t sequence = tn_der_open(w, TN_DER_SEQUENCE);
  tn_der_write_small(w, 0);
  for (size_t i = 0; i < TN_RSA_PARTS; i++) {
    const size_t n = tn_rsa_private_part(key->rsa, (tn_rsa_part)i, number);
    tn_der_write_number(w, (tn_span){number, n});
  }
  tn_der_close(w, sequence);
  tn_wipe(number, sizeof number);
}
