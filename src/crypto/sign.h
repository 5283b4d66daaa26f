// Keys for signatures, and the table of signature schemes that the floors above iterate.
// Signatures are in the form that TLS and X.509 carry (ECDSA: DER's Ecdsa-Sig-Value).
#ifndef TN_CRYPTO_SIGN_H
#define TN_CRYPTO_SIGN_H

#include "base/error.h"
#include "crypto/ec/curve.h"
#include "crypto/hash/hash.h"
#include "crypto/rng/rng.h"

#define TN_SIGNATURE_MAX 141  // ECDSA P-521 in DER

typedef enum tn_key_type {
  TN_KEY_NONE = 0,
  TN_KEY_P256,
  TN_KEY_P384,
  TN_KEY_P521,
  TN_KEY_ED25519,
} tn_key_type;

// The curve of a type of key; NULL for one without.
const tn_curve *tn_key_curve(tn_key_type type);

// A public key whose bytes are elsewhere. On a NIST curve: `point` is 0x04, x, y. Ed25519: 32 bytes, as in RFC 8032.
typedef struct tn_public_key {
  tn_key_type type;
  tn_span point;
} tn_public_key;

// A private key with its public half. Secret from birth; wipe it whole at death.
typedef struct tn_secret_key {
  tn_key_type type;
  uint8_t scalar[TN_CURVE_MAX_LEN];  // on a NIST curve the first curve->len bytes; Ed25519: RFC 8032's 32
  uint8_t point[TN_CURVE_MAX_POINT];
} tn_secret_key;

// Over the key's own memory.
tn_public_key tn_public_of(const tn_secret_key *k);

typedef struct tn_sign_scheme {
  const char *name;  // IANA's: "ecdsa_secp256r1_sha256"
  uint16_t id;       // SignatureScheme
  tn_key_type key_type;
  const tn_hash *hash;
  bool in_certificates_only;  // may sign certificates, never a TLS 1.3 handshake
  // Signs the whole message; *sig_len is the room at sig on entry, the signature's length on success.
  tn_result (*sign)(const tn_rng *rng, const tn_secret_key *key, tn_span msg, uint8_t *sig, size_t *sig_len);
  // TN_E_BAD_SIGNATURE unless sig is key's signature of msg. Public data.
  tn_result (*verify)(const tn_public_key *key, tn_span msg, tn_span sig);
  const char *(*path)(void);  // the name of the implementation that runs on this processor: "portable", "adx"
} tn_sign_scheme;

extern const tn_sign_scheme tn_ecdsa_secp256r1_sha256;
extern const tn_sign_scheme tn_ecdsa_secp384r1_sha384;
extern const tn_sign_scheme tn_ecdsa_secp521r1_sha512;
extern const tn_sign_scheme tn_ed25519;  // hashes inside: `hash` is no digest of the message
// A curve with another hash does not exist in TLS 1.3 handshakes; X.509 has them all. id 0: no SignatureScheme of their
// own; certificates only.
extern const tn_sign_scheme tn_ecdsa_p256_sha384;
extern const tn_sign_scheme tn_ecdsa_p256_sha512;
extern const tn_sign_scheme tn_ecdsa_p384_sha256;
extern const tn_sign_scheme tn_ecdsa_p384_sha512;
extern const tn_sign_scheme tn_ecdsa_p521_sha256;
extern const tn_sign_scheme tn_ecdsa_p521_sha384;

// Every scheme in our order of preference; ends with NULL.
extern const tn_sign_scheme *const tn_sign_schemes[];
// The scheme with this SignatureScheme number, or NULL. 0 finds nothing.
const tn_sign_scheme *tn_sign_scheme_find(uint16_t id);

// A new key of this type. TN_E_KEY_UNSUPPORTED for a type without generation.
TN_MUST_USE tn_result tn_secret_key_generate(tn_secret_key *key, tn_key_type type, const tn_rng *rng);

#endif
