// SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7, RFC 5480): what keys certificates hold.
#ifndef TN_PKI_SPKI_H
#define TN_PKI_SPKI_H

#include "base/bytes.h"
#include "crypto/sign.h"
#include "pki/oid.h"
#include "tenon/pki.h"

// The next SubjectPublicKeyInfo of r, whole, with its structure checked, of whatever algorithm.
TN_MUST_USE bool tn_spki_read(tn_reader *r, tn_span *spki);
// Its algorithm, and its curve for elliptic-curve keys (TN_OID_UNKNOWN else).
TN_MUST_USE bool tn_spki_algorithm(tn_span spki, tn_oid *algorithm, tn_oid *curve);
// The key, over the same memory. TN_E_KEY_UNSUPPORTED for other algorithms, TN_E_KEY_INVALID for a point that is
// not of its curve's length and, on a NIST curve, of uncompressed form, and for RSA in what is not DER. Whether the
// point is on the curve, and the modulus one that we can use, is checked where it is used.
TN_MUST_USE tn_result tn_spki_public_key(tn_span spki, tn_public_key *out);
TN_MUST_USE tn_result tn_cert_public_key(const tn_cert *cert, tn_public_key *out);

// Writes the SubjectPublicKeyInfo of a key; only its AlgorithmIdentifier; only what is in its BIT STRING, of at most
// TN_SPKI_KEY_MAX bytes; only the curve's identifier, if it has one.
#define TN_SPKI_KEY_MAX (TN_RSA_MAX_BYTES + 32)
void tn_spki_write(tn_writer *w, const tn_public_key *key);
void tn_spki_write_algorithm(tn_writer *w, const tn_public_key *key);
void tn_spki_write_key(tn_writer *w, const tn_public_key *key);
void tn_spki_write_curve(tn_writer *w, const tn_public_key *key);

// The type of key that an algorithm and its curve name; for the parsers of private keys. TN_E_KEY_UNSUPPORTED.
TN_MUST_USE tn_result tn_spki_key_type(tn_oid algorithm, tn_oid curve, tn_key_type *out);
// What an AlgorithmIdentifier of rsaEncryption or id-RSASSA-PSS binds its key to by these parameters, whole or absent.
// TN_E_KEY_INVALID or TN_E_KEY_UNSUPPORTED.
TN_MUST_USE tn_result tn_spki_rsa_parameters(tn_key_type type, tn_span parameters, tn_pss_params *out);

#endif
