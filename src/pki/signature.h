// AlgorithmIdentifiers of signatures in certificates, and the schemes of src/crypto/sign.h that they mean.
#ifndef TN_PKI_SIGNATURE_H
#define TN_PKI_SIGNATURE_H

#include "base/bytes.h"
#include "crypto/sign.h"
#include "tenon/pki.h"

// The next AlgorithmIdentifier of r, whole, with its structure checked.
TN_MUST_USE bool tn_algorithm_read(tn_reader *r, tn_span *algorithm);
// The scheme that an AlgorithmIdentifier means under a key of this type; NULL if there is none.
const tn_sign_scheme *tn_signature_scheme(tn_span algorithm, tn_key_type type);
// The scheme that a key of this type signs certificates with (NULL if there is none), and its AlgorithmIdentifier.
const tn_sign_scheme *tn_signature_default(tn_key_type type);
void tn_signature_write_algorithm(tn_writer *w, const tn_sign_scheme *scheme);

// Whether issuer_key signed the certificate. TN_E_CERT_SIGNATURE or TN_E_CERT_SIGNATURE_SCHEME.
TN_MUST_USE tn_result tn_cert_check_signature(const tn_cert *cert, const tn_public_key *issuer_key);

#endif
