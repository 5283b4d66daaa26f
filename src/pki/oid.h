// The object identifiers that this floor knows.
#ifndef TN_PKI_OID_H
#define TN_PKI_OID_H

#include "tenon/base.h"

// X(NAME, WORDS, ENCODING): WORDS is how texts call it; ENCODING the contents of its DER.
// clang-format off
#define TN_OIDS(X)                                                                                       \
  /* attributes of names, RFC 4519 and RFC 5280 appendix A.1 */                                          \
  X(COMMON_NAME, "CN", "\x55\x04\x03")                                                                   \
  X(SURNAME, "SN", "\x55\x04\x04")                                                                       \
  X(SERIAL_NUMBER, "serialNumber", "\x55\x04\x05")                                                       \
  X(COUNTRY, "C", "\x55\x04\x06")                                                                        \
  X(LOCALITY, "L", "\x55\x04\x07")                                                                       \
  X(STATE, "ST", "\x55\x04\x08")                                                                         \
  X(STREET, "STREET", "\x55\x04\x09")                                                                    \
  X(ORGANIZATION, "O", "\x55\x04\x0a")                                                                   \
  X(ORGANIZATIONAL_UNIT, "OU", "\x55\x04\x0b")                                                           \
  X(TITLE, "title", "\x55\x04\x0c")                                                                      \
  X(GIVEN_NAME, "GN", "\x55\x04\x2a")                                                                    \
  X(ORGANIZATION_ID, "organizationIdentifier", "\x55\x04\x61")                                           \
  X(DOMAIN_COMPONENT, "DC", "\x09\x92\x26\x89\x93\xf2\x2c\x64\x01\x19")                                  \
  X(USER_ID, "UID", "\x09\x92\x26\x89\x93\xf2\x2c\x64\x01\x01")                                          \
  X(EMAIL_ADDRESS, "emailAddress", "\x2a\x86\x48\x86\xf7\x0d\x01\x09\x01")                               \
  /* public keys */                                                                                      \
  X(EC_PUBLIC_KEY, "ECDSA", "\x2a\x86\x48\xce\x3d\x02\x01")                                              \
  X(RSA_ENCRYPTION, "RSA", "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01")                                       \
  X(DSA, "DSA", "\x2a\x86\x48\xce\x38\x04\x01")                                                          \
  X(X25519, "X25519", "\x2b\x65\x6e")                                                                    \
  X(X448, "X448", "\x2b\x65\x6f")                                                                        \
  /* curves */                                                                                           \
  X(P256, "P-256", "\x2a\x86\x48\xce\x3d\x03\x01\x07")                                                   \
  X(P384, "P-384", "\x2b\x81\x04\x00\x22")                                                               \
  X(P521, "P-521", "\x2b\x81\x04\x00\x23")                                                               \
  /* signatures; the Edwards curves have one identifier for key and signature */                         \
  X(ECDSA_SHA1, "ecdsa-with-SHA1", "\x2a\x86\x48\xce\x3d\x04\x01")                                       \
  X(ECDSA_SHA224, "ecdsa-with-SHA224", "\x2a\x86\x48\xce\x3d\x04\x03\x01")                               \
  X(ECDSA_SHA256, "ecdsa-with-SHA256", "\x2a\x86\x48\xce\x3d\x04\x03\x02")                               \
  X(ECDSA_SHA384, "ecdsa-with-SHA384", "\x2a\x86\x48\xce\x3d\x04\x03\x03")                               \
  X(ECDSA_SHA512, "ecdsa-with-SHA512", "\x2a\x86\x48\xce\x3d\x04\x03\x04")                               \
  X(RSA_MD5, "md5WithRSAEncryption", "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x04")                             \
  X(RSA_SHA1, "sha1WithRSAEncryption", "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x05")                           \
  X(MGF1, "MGF1", "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x08")                                               \
  X(RSA_PSS, "RSASSA-PSS", "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0a")                                       \
  X(RSA_SHA256, "sha256WithRSAEncryption", "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0b")                       \
  X(RSA_SHA384, "sha384WithRSAEncryption", "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0c")                       \
  X(RSA_SHA512, "sha512WithRSAEncryption", "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0d")                       \
  X(RSA_SHA224, "sha224WithRSAEncryption", "\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0e")                       \
  X(ED25519, "Ed25519", "\x2b\x65\x70")                                                                  \
  X(ED448, "Ed448", "\x2b\x65\x71")                                                                      \
  /* digests, RFC 8017 appendix B.1 */                                                                   \
  X(SHA1, "SHA-1", "\x2b\x0e\x03\x02\x1a")                                                              \
  X(SHA256, "SHA-256", "\x60\x86\x48\x01\x65\x03\x04\x02\x01")                                          \
  X(SHA384, "SHA-384", "\x60\x86\x48\x01\x65\x03\x04\x02\x02")                                          \
  X(SHA512, "SHA-512", "\x60\x86\x48\x01\x65\x03\x04\x02\x03")                                          \
  /* extensions */                                                                                       \
  X(SUBJECT_KEY_ID, "subjectKeyIdentifier", "\x55\x1d\x0e")                                              \
  X(KEY_USAGE, "keyUsage", "\x55\x1d\x0f")                                                               \
  X(SUBJECT_ALT_NAME, "subjectAltName", "\x55\x1d\x11")                                                  \
  X(BASIC_CONSTRAINTS, "basicConstraints", "\x55\x1d\x13")                                               \
  X(NAME_CONSTRAINTS, "nameConstraints", "\x55\x1d\x1e")                                                 \
  X(CERTIFICATE_POLICIES, "certificatePolicies", "\x55\x1d\x20")                                         \
  X(AUTHORITY_KEY_ID, "authorityKeyIdentifier", "\x55\x1d\x23")                                          \
  X(EXT_KEY_USAGE, "extKeyUsage", "\x55\x1d\x25")                                                        \
  /* purposes */                                                                                         \
  X(ANY_EXT_KEY_USAGE, "anyExtendedKeyUsage", "\x55\x1d\x25\x00")                                        \
  X(SERVER_AUTH, "serverAuth", "\x2b\x06\x01\x05\x05\x07\x03\x01")                                       \
  X(CLIENT_AUTH, "clientAuth", "\x2b\x06\x01\x05\x05\x07\x03\x02")
// clang-format on

typedef enum tn_oid {
  TN_OID_UNKNOWN,
#define TN_OID_ENUM(name, words, encoding) TN_OID_##name,
  TN_OIDS(TN_OID_ENUM)
#undef TN_OID_ENUM
      TN_OID_COUNT
} tn_oid;

// Which one these contents are.
tn_oid tn_oid_find(tn_span contents);
// The contents of its DER.
tn_span tn_oid_contents(tn_oid oid);
// How texts call it; "unknown" for TN_OID_UNKNOWN. Static.
const char *tn_oid_words(tn_oid oid);

#endif
