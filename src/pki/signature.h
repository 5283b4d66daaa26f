// AlgorithmIdentifiers of signatures in certificates, and the schemes of src/crypto/sign.h that they mean.
#ifndef TN_PKI_SIGNATURE_H
#define TN_PKI_SIGNATURE_H

#include "base/bytes.h"
#include "crypto/sign.h"
#include "tenon/pki.h"

// The next AlgorithmIdentifier of r, whole, with its structure checked.
TN_MUST_USE bool tn_algorithm_read(tn_reader *r, tn_span *algorithm);
// How a signature was made.
typedef struct tn_signature {
  const tn_sign_scheme *scheme;
  bool is_pss;
  size_t salt_len;  // of PSS: not always the scheme's own
} tn_signature;

// What an AlgorithmIdentifier means under a key of this type; false if it means nothing that we verify.
TN_MUST_USE bool tn_signature_find(tn_span algorithm, tn_key_type type, tn_signature *out);
// The scheme that a key like this one signs certificates with (NULL if there is none), and its AlgorithmIdentifier.
const tn_sign_scheme *tn_signature_default(const tn_public_key *key);
void tn_signature_write_algorithm(tn_writer *w, const tn_sign_scheme *scheme);

// Whether issuer_key signed the certificate. TN_E_CERT_SIGNATURE or TN_E_CERT_SIGNATURE_SCHEME.
TN_MUST_USE tn_result tn_cert_check_signature(const tn_cert *cert, const tn_public_key *issuer_key);

#endif
