// Floor 2 as outsiders see it: keys, certificates, trust anchors, identities.
//
// Times are seconds since 1970-01-01T00:00:00Z. Names are spans, never C strings. Nothing here reads
// files or asks the clock: the caller brings bytes and the time.
#ifndef TENON_PKI_H
#define TENON_PKI_H

#include "tenon/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- PEM (RFC 7468)

// The next PEM block of *text whose label is `label` ("CERTIFICATE"), or any block if label is NULL. Text between
// blocks, CRLF and a byte order mark are allowed. On success *text is what follows the block, *found_label its
// label and *body its base64 body (undecoded). TN_E_PEM: a block that does not end; TN_E_NO_CERTIFICATE_FOUND: no
// further block.
TN_API TN_MUST_USE tn_result tn_pem_next(tn_span *text, const char *label, tn_span *found_label, tn_span *body);
// Decodes a body into out (which may not overlap it); *n is the room on entry and the length on success.
// Three bytes of room for every four of the body are always enough. Constant time in the contents.
TN_API TN_MUST_USE tn_result tn_pem_decode(tn_span body, uint8_t *out, size_t *n);
// Writes der as a PEM block with 64-column lines; *n as above. der.n * 4 / 3 + der.n / 48 + 100 is always enough.
TN_API TN_MUST_USE tn_result tn_pem_encode(const char *label, tn_span der, uint8_t *out, size_t *n);

// ---------------------------------------------------------------- private keys

// A private key with its public half; wiped when freed.
typedef struct tn_key tn_key;

// A new key: "p256", "p384", "p521", "ed25519", "rsa-2048" and "rsa-pss-2048" (or any bits up to 8192, in steps of 8).
// TN_E_KEY_UNSUPPORTED for another name, TN_E_KEY_SIZE for another size.
TN_API TN_MUST_USE tn_result tn_key_generate(const tn_allocator *a, const char *name, tn_key **out);
// "p256".
TN_API TN_MUST_USE tn_result tn_key_generate_p256(const tn_allocator *a, tn_key **out);
// The first private key in PEM text or DER bytes: PKCS#8 (RFC 5958), SEC1 (RFC 5915) or PKCS#1 (RFC 8017), of those
// types. TN_E_NO_KEY_FOUND, TN_E_KEY_ENCRYPTED, TN_E_KEY_UNSUPPORTED, TN_E_KEY_SIZE, TN_E_KEY_MULTI_PRIME,
// TN_E_KEY_INVALID or TN_E_DER say why not.
TN_API TN_MUST_USE tn_result tn_key_parse(const tn_allocator *a, tn_span text, tn_key **out);
// The key as PKCS#8 DER; *n is the room on entry (TN_KEY_MAX_DER is enough; 256 for all but RSA), the length on
// success. Secret.
#define TN_KEY_MAX_DER 4800
TN_API TN_MUST_USE tn_result tn_key_to_pkcs8(const tn_key *key, uint8_t *out, size_t *n);
// The key as SEC1 ECPrivateKey DER (RFC 5915), likewise; P-256, P-384 and P-521 only.
TN_API TN_MUST_USE tn_result tn_key_to_sec1(const tn_key *key, uint8_t *out, size_t *n);
// The key as PKCS#1 RSAPrivateKey DER (RFC 8017), likewise; "rsa-" only.
TN_API TN_MUST_USE tn_result tn_key_to_pkcs1(const tn_key *key, uint8_t *out, size_t *n);
// Frees and wipes; NULL is allowed.
TN_API void tn_key_free(tn_key *key);

// ---------------------------------------------------------------- certificates (RFC 5280), read in place

// KeyUsage bits, as numbered in RFC 5280 section 4.2.1.3 (bit i of the BIT STRING is 1 << i here).
enum {
  TN_KU_DIGITAL_SIGNATURE = 1 << 0,
  TN_KU_KEY_ENCIPHERMENT = 1 << 2,
  TN_KU_KEY_CERT_SIGN = 1 << 5,
  TN_KU_CRL_SIGN = 1 << 6,
};
// ExtendedKeyUsage purposes that we know.
enum {
  TN_EKU_SERVER_AUTH = 1 << 0,
  TN_EKU_CLIENT_AUTH = 1 << 1,
  TN_EKU_ANY = 1 << 2,
};

// A parsed certificate: spans over the caller's DER, which must outlive it. Nothing is copied.
typedef struct tn_cert {
  tn_span der;                  // the whole certificate
  tn_span tbs;                  // TBSCertificate, the signed bytes
  tn_span serial;               // the INTEGER's contents
  tn_span signature_algorithm;  // AlgorithmIdentifier
  tn_span issuer;               // Name, whole
  tn_span subject;              // Name, whole
  int64_t not_before;
  int64_t not_after;
  tn_span spki;       // SubjectPublicKeyInfo, whole
  tn_span signature;  // the BIT STRING's bytes
  uint8_t version;    // 1, 2 or 3
  // Extensions; absent ones are empty.
  tn_span alt_names;  // the contents of SubjectAltName's sequence
  tn_span subject_key_id;
  tn_span authority_key_id;
  bool has_basic_constraints;
  bool is_ca;
  bool has_path_len;
  uint32_t path_len;
  bool has_key_usage;
  uint16_t key_usage;  // TN_KU_
  bool has_ext_key_usage;
  uint8_t ext_key_usage;      // TN_EKU_
  bool has_name_constraints;  // present but not evaluated here: verification refuses such a CA
  bool has_unknown_critical;  // an extension that is critical and unknown
} tn_cert;

// Parses one DER certificate, strictly, to its last byte. No allocation. TN_E_DER or TN_E_CERT_MALFORMED.
TN_API TN_MUST_USE tn_result tn_cert_parse(tn_cert *cert, tn_span der);

// The names of SubjectAltName one by one. Start with *at = 0; false at the end.
typedef enum tn_name_type { TN_NAME_DNS, TN_NAME_IP, TN_NAME_OTHER } tn_name_type;
TN_API bool tn_cert_next_name(const tn_cert *cert, size_t *at, tn_name_type *type, tn_span *name);

// Whether the certificate is for this host name (RFC 9525: a wildcard is exactly one leftmost label; letter
// case does not matter; the common name never counts) or IP address in text form ("192.0.2.1", "2001:db8::1").
TN_API bool tn_cert_matches(const tn_cert *cert, tn_span name);

// The last common name in a Name (the subject's, the issuer's); false if there is none.
TN_API bool tn_name_common_name(tn_span name, tn_span *common_name);

// Writes the Name as RFC 4514-like text ("CN=localhost, O=Tenon"), unprintable bytes escaped; always ends with 0.
// Returns the length of the whole text, even where it was cut.
TN_API size_t tn_name_text(tn_span name, char *out, size_t room);
// Writes a time as "2026-03-01 12:00:00 UTC" (24 bytes with the final 0).
TN_API void tn_time_text(int64_t time, char out[24]);

// What the certificate's public key is: "ECDSA P-256", "RSA 2048" ("RSA" alone if its size is unusual), "unknown".
// Static.
TN_API const char *tn_cert_key_name(const tn_cert *cert);
// What signed it: "ecdsa-with-SHA256", or "unknown". Static.
TN_API const char *tn_cert_signature_name(const tn_cert *cert);
// SHA-256 of the DER.
TN_API void tn_cert_fingerprint(const tn_cert *cert, uint8_t out[32]);

// ---------------------------------------------------------------- certificates, written

typedef struct tn_cert_spec {
  tn_span common_name;       // subject CN; may be empty
  const tn_span *dns_names;  // SubjectAltName dNSName
  size_t n_dns_names;
  const tn_span *ip_addresses;  // SubjectAltName iPAddress, each 4 or 16 bytes
  size_t n_ip_addresses;
  int64_t not_before;
  int64_t not_after;
  bool is_ca;
  bool has_path_len;
  uint32_t path_len;
  uint8_t ext_key_usage;  // TN_EKU_; none written if 0
} tn_cert_spec;

// Writes a version 3 certificate for subject_key, with a random serial of 16 bytes, key identifiers, basic
// constraints and key usage. A NULL issuer makes it self-signed by subject_key (issuer_key is then not used).
// *n is the room at out on entry, the length on success.
TN_API TN_MUST_USE tn_result tn_cert_make(const tn_cert_spec *spec, const tn_key *subject_key, const tn_cert *issuer,
                                          const tn_key *issuer_key, uint8_t *out, size_t *n);

// ---------------------------------------------------------------- trust anchors

// A set of trust anchors. Fill it, then share it read-only between any number of threads. Counted references.
typedef struct tn_trust tn_trust;
TN_API TN_MUST_USE tn_result tn_trust_new(const tn_allocator *a, tn_trust **out);
TN_API tn_trust *tn_trust_ref(tn_trust *t);
TN_API void tn_trust_unref(tn_trust *t);  // NULL is allowed
// Adds every certificate of a PEM text (copied). Unparsable certificates are skipped and counted in *skipped (may be
// NULL); *added likewise. TN_E_NO_CERTIFICATE_FOUND if none was added.
TN_API TN_MUST_USE tn_result tn_trust_add_pem(tn_trust *t, tn_span text, size_t *added, size_t *skipped);
// Adds one DER certificate (copied).
TN_API TN_MUST_USE tn_result tn_trust_add_der(tn_trust *t, tn_span der);
TN_API size_t tn_trust_count(const tn_trust *t);

// ---------------------------------------------------------------- verification (RFC 5280 section 6)

typedef enum tn_purpose { TN_PURPOSE_SERVER, TN_PURPOSE_CLIENT } tn_purpose;

typedef struct tn_verify_params {
  const tn_trust *trust;
  int64_t now;
  tn_purpose purpose;
  tn_span name;          // host name or IP address text the leaf must be for; with any_name, ignored
  bool any_name;         // an explicit opt-out
  size_t n_chain;        // 1 or more
  const tn_span *chain;  // DER certificates, the leaf first; the others in any order
} tn_verify_params;

typedef struct tn_verdict {
  tn_result result;  // success only if everything was verified
  uint8_t depth;     // the certificate at fault: 0 the leaf, 1 its issuer, ...
  char text[256];    // in words, e.g. "example.org: the certificate `CN=x` expired on 2026-03-01 00:00:00 UTC"
} tn_verdict;

// Finds a path from the leaf to an anchor (or to a leaf that itself is an anchor), and checks signatures, dates, basic
// constraints, path length, key usages, critical extensions and the name. Bounded work. Returns verdict->result.
TN_API TN_MUST_USE tn_result tn_verify(const tn_verify_params *params, tn_verdict *verdict);

// ---------------------------------------------------------------- identities

// A certificate chain (leaf first) and its private key: what a server answers with. Immutable; counted references.
typedef struct tn_identity tn_identity;

// From the PEM text of a chain (certificates in any order; the one that matches the key is the leaf and the chain is
// put in order) and a key, which is copied. TN_E_NO_CERTIFICATE_FOUND, TN_E_CERT_MALFORMED, TN_E_KEY_MISMATCH, ...
TN_API TN_MUST_USE tn_result tn_identity_from_pem(const tn_allocator *a, tn_span chain, const tn_key *key,
                                                  tn_identity **out);
// From one DER certificate.
TN_API TN_MUST_USE tn_result tn_identity_from_der(const tn_allocator *a, tn_span leaf, const tn_key *key,
                                                  tn_identity **out);
TN_API tn_identity *tn_identity_ref(tn_identity *id);
TN_API void tn_identity_unref(tn_identity *id);  // NULL is allowed
TN_API const tn_cert *tn_identity_leaf(const tn_identity *id);
TN_API size_t tn_identity_chain_len(const tn_identity *id);
TN_API tn_span tn_identity_chain_der(const tn_identity *id, size_t i);

#ifdef __cplusplus
}
#endif
#endif
