// Keys for signatures, and the table of signature schemes that the floors above iterate.
// Signatures are in the form that TLS and X.509 carry (ECDSA: DER's Ecdsa-Sig-Value).
#ifndef TN_CRYPTO_SIGN_H
#define TN_CRYPTO_SIGN_H

#include "base/error.h"
#include "crypto/ec/curve.h"
#include "crypto/hash/hash.h"
#include "crypto/rng/rng.h"
#include "crypto/rsa/rsa.h"

#define TN_SIGNATURE_MAX 1024  // RSA of 8192 bits

typedef enum tn_key_type {
  TN_KEY_NONE = 0,
  TN_KEY_P256,
  TN_KEY_P384,
  TN_KEY_P521,
  TN_KEY_ED25519,
  TN_KEY_RSA,      // rsaEncryption: PKCS#1 v1.5 and PSS
  TN_KEY_RSA_PSS,  // id-RSASSA-PSS: PSS alone
  TN_KEY_TYPES
} tn_key_type;

// The curve of a type of key; NULL for one without.
const tn_curve *tn_key_curve(tn_key_type type);

static inline bool tn_key_is_rsa(tn_key_type type) { return type == TN_KEY_RSA || type == TN_KEY_RSA_PSS; }

// What a key of TN_KEY_RSA_PSS may be bound to, RFC 4055 section 1.2: one hash, MGF1 of the same, and a salt of at
// least this length. A NULL hash: to nothing.
typedef struct tn_pss_params {
  const tn_hash *hash;
  size_t salt_len;
} tn_pss_params;

// A public key whose bytes are elsewhere.
typedef struct tn_public_key {
  tn_key_type type;
  tn_span point;              // on a NIST curve: 0x04, x, y; Ed25519: 32 bytes, as in RFC 8032
  tn_span modulus, exponent;  // RSA: big-endian numbers without leading zeros
  tn_pss_params pss;
} tn_public_key;

// How strong an RSA key is: the bits of its modulus. 0 for other types.
size_t tn_public_key_bits(const tn_public_key *key);
bool tn_public_key_equal_vartime(const tn_public_key *a, const tn_public_key *b);

// A private key with its public half. Secret from birth; tn_secret_key_free() at death. The numbers of an RSA key are
// in memory of their own.
typedef struct tn_secret_key {
  tn_key_type type;
  uint8_t scalar[TN_CURVE_MAX_LEN];  // on a NIST curve the first curve->len bytes; Ed25519: RFC 8032's 32
  uint8_t point[TN_CURVE_MAX_POINT];
  tn_pss_params pss;
  tn_rsa_private *rsa;
  tn_span modulus, exponent;      // big-endian, behind `rsa` in its memory
  const tn_allocator *allocator;  // of that memory
  size_t allocated;
} tn_secret_key;

// Over the key's own memory.
tn_public_key tn_public_of(const tn_secret_key *k);

typedef struct tn_sign_scheme {
  const char *name;  // IANA's: "ecdsa_secp256r1_sha256"
  uint16_t id;       // SignatureScheme
  tn_key_type key_type;
  const tn_hash *hash;
  bool in_certificates_only;  // may sign certificates, never a TLS 1.3 handshake
  bool is_weak;               // SHA-1: no certificate and no TLS 1.3 handshake; not offered unless somebody asks for it
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

extern const tn_sign_scheme tn_rsa_pss_rsae_sha256;
extern const tn_sign_scheme tn_rsa_pss_rsae_sha384;
extern const tn_sign_scheme tn_rsa_pss_rsae_sha512;
extern const tn_sign_scheme tn_rsa_pss_pss_sha256;
extern const tn_sign_scheme tn_rsa_pss_pss_sha384;
extern const tn_sign_scheme tn_rsa_pss_pss_sha512;
extern const tn_sign_scheme tn_rsa_pkcs1_sha256;
extern const tn_sign_scheme tn_rsa_pkcs1_sha384;
extern const tn_sign_scheme tn_rsa_pkcs1_sha512;
extern const tn_sign_scheme tn_rsa_pkcs1_sha1;

// Every scheme in our order of preference; ends with NULL.
extern const tn_sign_scheme *const tn_sign_schemes[];
// The scheme with this SignatureScheme number, or NULL. 0 finds nothing.
const tn_sign_scheme *tn_sign_scheme_find(uint16_t id);

// Whether keys like this one may sign with the scheme: its type, and what a PSS key is bound to.
bool tn_sign_scheme_fits(const tn_sign_scheme *scheme, const tn_public_key *key);

// As a rsa_pss_ scheme verifies, but with a salt of any length: certificates name theirs.
TN_MUST_USE tn_result tn_rsa_pss_verify_message(const tn_public_key *key, const tn_hash *hash, size_t salt_len,
                                                tn_span msg, tn_span sig);

// A new key of this type. `bits`: an RSA key's, 2048 to 8192 in steps of 8, else TN_E_KEY_SIZE; else 0. The allocator
// (NULL: the C library's) is for RSA keys, and outlives them. TN_E_KEY_UNSUPPORTED for a type without generation.
TN_MUST_USE tn_result tn_secret_key_generate(tn_secret_key *key, const tn_allocator *a, tn_key_type type, size_t bits,
                                             const tn_rng *rng);
// An RSA key from its parts, of type TN_KEY_RSA or TN_KEY_RSA_PSS: TN_E_KEY_SIZE, or as tn_rsa_private_load().
TN_MUST_USE tn_result tn_secret_key_load_rsa(tn_secret_key *key, const tn_allocator *a, tn_key_type type,
                                             const tn_span parts[TN_RSA_PARTS]);
// A copy that shares nothing with the original.
TN_MUST_USE tn_result tn_secret_key_copy(tn_secret_key *copy, const tn_allocator *a, const tn_secret_key *key);
// Wipes the key and frees what it owns.
void tn_secret_key_free(tn_secret_key *key);

#endif
