#include "pki/signature.h"

#include "pki/der.h"
#include "pki/der_write.h"
#include "pki/pss.h"

// What stands behind the identifier: nothing (RFC 5758 section 3.2, RFC 8410 section 3); NULL, or by mistake nothing,
// which has to be accepted (RFC 4055 section 5); RSASSA-PSS-params.
typedef enum { NOTHING, IS_NULL, PSS } parameters_kind;

// The first row of a key type is what we sign with. None has SHA-1: such signatures are not verified.
static const struct {
  tn_oid oid;
  parameters_kind parameters;
  const tn_sign_scheme *scheme;
} rows[] = {
    {TN_OID_ECDSA_SHA256, NOTHING, &tn_ecdsa_secp256r1_sha256},
    {TN_OID_ECDSA_SHA384, NOTHING, &tn_ecdsa_secp384r1_sha384},
    {TN_OID_ECDSA_SHA512, NOTHING, &tn_ecdsa_secp521r1_sha512},
    {TN_OID_ECDSA_SHA384, NOTHING, &tn_ecdsa_p256_sha384},
    {TN_OID_ECDSA_SHA512, NOTHING, &tn_ecdsa_p256_sha512},
    {TN_OID_ECDSA_SHA256, NOTHING, &tn_ecdsa_p384_sha256},
    {TN_OID_ECDSA_SHA512, NOTHING, &tn_ecdsa_p384_sha512},
    {TN_OID_ECDSA_SHA256, NOTHING, &tn_ecdsa_p521_sha256},
    {TN_OID_ECDSA_SHA384, NOTHING, &tn_ecdsa_p521_sha384},
    {TN_OID_ED25519, NOTHING, &tn_ed25519},
    {TN_OID_RSA_SHA256, IS_NULL, &tn_rsa_pkcs1_sha256},
    {TN_OID_RSA_SHA384, IS_NULL, &tn_rsa_pkcs1_sha384},
    {TN_OID_RSA_SHA512, IS_NULL, &tn_rsa_pkcs1_sha512},
    {TN_OID_RSA_PSS, PSS, &tn_rsa_pss_rsae_sha256},
    {TN_OID_RSA_PSS, PSS, &tn_rsa_pss_rsae_sha384},
    {TN_OID_RSA_PSS, PSS, &tn_rsa_pss_rsae_sha512},
    {TN_OID_RSA_PSS, PSS, &tn_rsa_pss_pss_sha256},
    {TN_OID_RSA_PSS, PSS, &tn_rsa_pss_pss_sha384},
    {TN_OID_RSA_PSS, PSS, &tn_rsa_pss_pss_sha512},
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

// Whether the parameters are of this kind, and those of PSS for this hash.
static bool parameters_fit(parameters_kind kind, tn_span parameters, const tn_hash *hash, size_t *salt_len) {
  tn_reader r = tn_reader_of(parameters);
  tn_pss_params pss;
  switch (kind) {
    case NOTHING:
      return parameters.n == 0;
    case IS_NULL:
      return parameters.n == 0 || (tn_der_read_null(&r) && r.n == 0);
    case PSS:
      if (!tn_ok(tn_pss_params_read(parameters, &pss)) || pss.hash != hash) return false;
      *salt_len = pss.salt_len;
      return true;
  }
  return false;
}

bool tn_signature_find(tn_span algorithm, tn_key_type type, tn_signature *out) {
  tn_span oid, parameters;
  if (!read_parts(algorithm, &oid, &parameters)) return false;
  const tn_oid found = tn_oid_find(oid);
  for (size_t i = 0; i < N_ROWS; i++) {
    const tn_sign_scheme *scheme = rows[i].scheme;
    if (rows[i].oid != found || scheme->key_type != type) continue;
    *out = (tn_signature){.scheme = scheme, .is_pss = rows[i].parameters == PSS};
    if (parameters_fit(rows[i].parameters, parameters, scheme->hash, &out->salt_len)) return true;
  }
  return false;
}

const tn_sign_scheme *tn_signature_default(const tn_public_key *key) {
  for (size_t i = 0; i < N_ROWS; i++)
    if (tn_sign_scheme_fits(rows[i].scheme, key)) return rows[i].scheme;
  return NULL;
}

void tn_signature_write_algorithm(tn_writer *w, const tn_sign_scheme *scheme) {
  size_t algorithm = tn_der_open(w, TN_DER_SEQUENCE);
  const tn_pss_params pss = {scheme->hash, scheme->hash->digest_len};
  for (size_t i = 0; i < N_ROWS; i++) {
    if (rows[i].scheme != scheme) continue;
    tn_der_write_oid(w, rows[i].oid);
    if (rows[i].parameters == IS_NULL) tn_der_write_null(w);
    if (rows[i].parameters == PSS) tn_pss_params_write(w, &pss);
  }
  tn_der_close(w, algorithm);
}

const char *tn_cert_signature_name(const tn_cert *cert) {
  tn_span oid, parameters;
  return read_parts(cert->signature_algorithm, &oid, &parameters) ? tn_oid_words(tn_oid_find(oid)) : "unknown";
}

tn_result tn_cert_check_signature(const tn_cert *cert, const tn_public_key *issuer_key) {
  tn_signature how;
  TN_ENSURE(tn_signature_find(cert->signature_algorithm, issuer_key->type, &how), TN_E_CERT_SIGNATURE_SCHEME);
  tn_result r = how.is_pss
                    ? tn_rsa_pss_verify_message(issuer_key, how.scheme->hash, how.salt_len, cert->tbs, cert->signature)
                    : how.scheme->verify(issuer_key, cert->tbs, cert->signature);
  TN_ENSURE(r.reason != TN_E_KEY_UNSUPPORTED, TN_E_CERT_SIGNATURE_SCHEME);
  TN_ENSURE(tn_ok(r), TN_E_CERT_SIGNATURE);
  return tn_success();
}
