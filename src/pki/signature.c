#include "pki/signature.h"

#include "pki/der.h"
#include "pki/der_write.h"

// The first row of a key type is what we sign with. None of these has parameters (RFC 5758 section 3.2, RFC 8410
// section 3).
static const struct {
  tn_oid oid;
  const tn_sign_scheme *scheme;
} rows[] = {
    {TN_OID_ECDSA_SHA256, &tn_ecdsa_secp256r1_sha256}, {TN_OID_ECDSA_SHA384, &tn_ecdsa_secp384r1_sha384},
    {TN_OID_ECDSA_SHA512, &tn_ecdsa_secp521r1_sha512}, {TN_OID_ECDSA_SHA384, &tn_ecdsa_p256_sha384},
    {TN_OID_ECDSA_SHA512, &tn_ecdsa_p256_sha512},      {TN_OID_ECDSA_SHA256, &tn_ecdsa_p384_sha256},
    {TN_OID_ECDSA_SHA512, &tn_ecdsa_p384_sha512},      {TN_OID_ECDSA_SHA256, &tn_ecdsa_p521_sha256},
    {TN_OID_ECDSA_SHA384, &tn_ecdsa_p521_sha384},      {TN_OID_ED25519, &tn_ed25519},
};
#define N_ROWS (sizeof rows / sizeof *rows)

static bool read_parts(tn_span algorithm, tn_span *oid, tn_span *parameters) {
  tn_reader r = tn_reader_of(algorithm), body;
  tn_der ignored;
  if (!tn_der_enter(&r, TN_DER_SEQUENCE, &body) || r.n != 0 || !tn_der_read_oid(&body, oid)) return false;
  *parameters = tn_reader_rest(&body);
  return body.n == 0 || (tn_der_next(&body, &ignored) && body.n == 0);
}

bool tn_algorithm_read(tn_reader *r, tn_span *algorithm) {
  tn_reader at = *r;
  tn_span oid, parameters;
  if (!tn_der_read_whole(&at, TN_DER_SEQUENCE, algorithm) || !read_parts(*algorithm, &oid, &parameters)) return false;
  *r = at;
  return true;
}

const tn_sign_scheme *tn_signature_scheme(tn_span algorithm, tn_key_type type) {
  tn_span oid, parameters;
  if (!read_parts(algorithm, &oid, &parameters) || parameters.n != 0) return NULL;
  tn_oid found = tn_oid_find(oid);
  for (size_t i = 0; i < N_ROWS; i++)
    if (rows[i].oid == found && rows[i].scheme->key_type == type) return rows[i].scheme;
  return NULL;
}

const tn_sign_scheme *tn_signature_default(tn_key_type type) {
  for (size_t i = 0; i < N_ROWS; i++)
    if (rows[i].scheme->key_type == type) return rows[i].scheme;
  return NULL;
}

void tn_signature_write_algorithm(tn_writer *w, const tn_sign_scheme *scheme) {
  size_t algorithm = tn_der_open(w, TN_DER_SEQUENCE);
  for (size_t i = 0; i < N_ROWS; i++)
    if (rows[i].scheme == scheme) tn_der_write_oid(w, rows[i].oid);
  tn_der_close(w, algorithm);
}

const char *tn_cert_signature_name(const tn_cert *cert) {
  tn_span oid, parameters;
  return read_parts(cert->signature_algorithm, &oid, &parameters) ? tn_oid_words(tn_oid_find(oid)) : "unknown";
}

tn_result tn_cert_check_signature(const tn_cert *cert, const tn_public_key *issuer_key) {
  const tn_sign_scheme *scheme = tn_signature_scheme(cert->signature_algorithm, issuer_key->type);
  TN_ENSURE(scheme != NULL, TN_E_CERT_SIGNATURE_SCHEME);
  TN_ENSURE(tn_ok(scheme->verify(issuer_key, cert->tbs, cert->signature)), TN_E_CERT_SIGNATURE);
  return tn_success();
}
