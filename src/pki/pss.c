#include "pki/pss.h"

#include "pki/der.h"
#include "pki/der_write.h"

#define DEFAULT_SALT_LEN 20  // and SHA-1

static const struct {
  tn_oid oid;
  const tn_hash *hash;
} hashes[] = {{TN_OID_SHA256, &tn_sha256}, {TN_OID_SHA384, &tn_sha384}, {TN_OID_SHA512, &tn_sha512}};
#define N_HASHES (sizeof hashes / sizeof *hashes)

// A HashAlgorithm, whose parameters are NULL or absent (section 2.1).
static bool read_hash(tn_reader *r, tn_oid *hash) {
  tn_reader algorithm;
  tn_span oid;
  if (!tn_der_enter(r, TN_DER_SEQUENCE, &algorithm) || !tn_der_read_oid(&algorithm, &oid)) return false;
  if (algorithm.n != 0 && !tn_der_read_null(&algorithm)) return false;
  *hash = tn_oid_find(oid);
  return algorithm.n == 0;
}

// A MaskGenAlgorithm: MGF1's parameters are a HashAlgorithm; of others we know nothing.
static bool read_mask(tn_reader *r, tn_oid *hash) {
  tn_reader algorithm;
  tn_span oid;
  *hash = TN_OID_UNKNOWN;
  if (!tn_der_enter(r, TN_DER_SEQUENCE, &algorithm) || !tn_der_read_oid(&algorithm, &oid)) return false;
  if (tn_oid_find(oid) != TN_OID_MGF1) return true;
  return read_hash(&algorithm, hash) && algorithm.n == 0;
}

// Enters the field with this number, if it is next; false if it is there and malformed.
static bool enter(tn_reader *params, unsigned number, tn_reader *field) {
  *field = (tn_reader){NULL, 0};
  const uint8_t tag = (uint8_t)TN_DER_CONTEXT_CONSTRUCTED(number);
  return !tn_der_at(params, tag) || (tn_der_enter(params, tag, field) && field->n != 0);
}

tn_result tn_pss_params_read(tn_span der, tn_pss_params *out) {
  tn_reader r = tn_reader_of(der), params, field;
  tn_oid hash = TN_OID_SHA1, mask_hash = TN_OID_SHA1;
  uint32_t salt_len = DEFAULT_SALT_LEN;
  TN_ENSURE(tn_der_enter(&r, TN_DER_SEQUENCE, &params) && r.n == 0 && enter(&params, 0, &field), TN_E_DER);
  if (field.n != 0) TN_ENSURE(read_hash(&field, &hash) && field.n == 0 && hash != TN_OID_SHA1, TN_E_DER);
  TN_ENSURE(enter(&params, 1, &field), TN_E_DER);
  if (field.n != 0) TN_ENSURE(read_mask(&field, &mask_hash) && field.n == 0 && mask_hash != TN_OID_SHA1, TN_E_DER);
  TN_ENSURE(enter(&params, 2, &field), TN_E_DER);
  if (field.n != 0)
    TN_ENSURE(tn_der_read_small(&field, &salt_len) && field.n == 0 && salt_len != DEFAULT_SALT_LEN, TN_E_DER);
  TN_ENSURE(params.n == 0, TN_E_DER);  // trailerField has but its default
  for (size_t i = 0; i < N_HASHES; i++) {
    if (hashes[i].oid != hash || hash != mask_hash) continue;
    *out = (tn_pss_params){hashes[i].hash, salt_len};
    return tn_success();
  }
  return tn_fail(TN_E_KEY_UNSUPPORTED);
}

static void write_hash(tn_writer *w, tn_oid hash) {
  size_t algorithm = tn_der_open(w, TN_DER_SEQUENCE);
  tn_der_write_oid(w, hash);
  tn_der_write_null(w);
  tn_der_close(w, algorithm);
}

void tn_pss_params_write(tn_writer *w, const tn_pss_params *params) {
  size_t which = 0;
  while (which + 1 < N_HASHES && hashes[which].hash != params->hash) which++;
  size_t sequence = tn_der_open(w, TN_DER_SEQUENCE);
  size_t field = tn_der_open(w, TN_DER_CONTEXT_CONSTRUCTED(0));
  write_hash(w, hashes[which].oid);
  tn_der_close(w, field);
  field = tn_der_open(w, TN_DER_CONTEXT_CONSTRUCTED(1));
  size_t mask = tn_der_open(w, TN_DER_SEQUENCE);
  tn_der_write_oid(w, TN_OID_MGF1);
  write_hash(w, hashes[which].oid);
  tn_der_close(w, mask);
  tn_der_close(w, field);
  if (params->salt_len != DEFAULT_SALT_LEN) {
    field = tn_der_open(w, TN_DER_CONTEXT_CONSTRUCTED(2));
    tn_der_write_small(w, (uint32_t)params->salt_len);
    tn_der_close(w, field);
  }
  tn_der_close(w, sequence);
}
