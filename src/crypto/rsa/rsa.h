// RSA, RFC 8017: signatures (PKCS#1 v1.5 and PSS). Keys are structs that the caller owns; no allocation.
#ifndef TN_CRYPTO_RSA_H
#define TN_CRYPTO_RSA_H

#include <stdatomic.h>

#include "crypto/bn/bn.h"
#include "crypto/hash/hash.h"
#include "crypto/rng/rng.h"

#define TN_RSA_MIN_VERIFY_BITS 1024
#define TN_RSA_MIN_SIGN_BITS 2048
#define TN_RSA_MAX_BITS TN_BN_MAX_BITS
#define TN_RSA_MAX_BYTES (TN_RSA_MAX_BITS / 8)

typedef struct tn_rsa_public {
  tn_bn_mod n;
  size_t len;  // k, the bytes of n
  uint64_t e;
} tn_rsa_public;

// A private key; wipe it whole at death. Numbers modulo p and q have as many words as the longer of the two.
typedef struct tn_rsa_private {
  tn_rsa_public public;
  tn_bn_mod p, q;
  uint64_t dp[TN_BN_MAX_WORDS / 2];
  uint64_t dq[TN_BN_MAX_WORDS / 2];
  uint64_t qinv[TN_BN_MAX_WORDS / 2];  // in Montgomery's form modulo p
  // x^-e and x for a secret x, in Montgomery's form modulo n: each use squares both, under the lock.
  atomic_flag lock;
  bool blinding_ready;
  uint64_t blind[TN_BN_MAX_WORDS];
  uint64_t unblind[TN_BN_MAX_WORDS];
} tn_rsa_private;

// Big-endian numbers, leading zeros allowed. TN_E_KEY_INVALID unless n is odd and of 1024 to 8192 bits, and e is odd, 3
// or more, and below 2^64. Public data.
TN_MUST_USE tn_result tn_rsa_public_load(tn_rsa_public *key, tn_span n, tn_span e);

// TN_E_KEY_INVALID unless n = p q has 2048 to 8192 bits, p and q have at most half of its words, dP e = 1 mod p - 1,
// dQ e = 1 mod q - 1 and qInv q = 1 mod p. leaks: the lengths of p and q in bits, and the verdict.
TN_MUST_USE tn_result tn_rsa_private_load(tn_rsa_private *key, tn_span n, tn_span e, tn_span p, tn_span q, tn_span dp,
                                          tn_span dq, tn_span qinv);

// out = in^d mod n, both key->public.len bytes, blinded and checked: TN_E_BAD_ARGUMENT unless in < n, TN_E_SELF_CHECK
// after a fault (then `out` is zeroed). Constant time. Safe from any thread.
TN_MUST_USE tn_result tn_rsa_private_op(tn_rsa_private *key, const tn_rng *rng, const uint8_t *in, uint8_t *out);
// out = in^e mod n, likewise. Constant time in `in`. TN_E_BAD_ARGUMENT unless in < n.
TN_MUST_USE tn_result tn_rsa_public_op(const tn_rsa_public *key, const uint8_t *in, uint8_t *out);

// RSASSA-PKCS1-v1_5 of a digest. hash: SHA-1 or SHA-2; NULL for TLS 1.1's 36 bytes of MD5 and SHA-1 without DigestInfo.
// *sig_len is the room at sig on entry, key->public.len on success.
TN_MUST_USE tn_result tn_rsa_pkcs1_sign(tn_rsa_private *key, const tn_rng *rng, const tn_hash *hash, tn_span digest,
                                        uint8_t *sig, size_t *sig_len);
// TN_E_BAD_SIGNATURE unless sig is exactly the one signature.
TN_MUST_USE tn_result tn_rsa_pkcs1_verify(const tn_rsa_public *key, const tn_hash *hash, tn_span digest, tn_span sig);
// RSASSA-PSS with MGF1 of the same hash; signatures have a salt as long as the digest.
TN_MUST_USE tn_result tn_rsa_pss_sign(tn_rsa_private *key, const tn_rng *rng, const tn_hash *hash, tn_span digest,
                                      uint8_t *sig, size_t *sig_len);
TN_MUST_USE tn_result tn_rsa_pss_verify(const tn_rsa_public *key, const tn_hash *hash, size_t salt_len, tn_span digest,
                                        tn_span sig);

// RSAES-PKCS1-v1_5 of a message of at most public->len - 11 bytes; out is public->len bytes.
TN_MUST_USE tn_result tn_rsa_pkcs1_encrypt(const tn_rsa_public *key, const tn_rng *rng, tn_span msg, uint8_t *out);

// The premaster secret of TLS 1.0 to 1.2, RFC 5246 section 7.4.7.1: what `in` holds if it is well padded, 48 bytes long
// and starts with `version` (the ClientHello's), else `version` and 46 random bytes, drawn in any case. Constant time:
// which of the two is not told. Fails only for what is public: a wrong length, a number not below n, no random bytes.
#define TN_RSA_PREMASTER 48
TN_MUST_USE tn_result tn_rsa_decrypt_premaster(tn_rsa_private *key, const tn_rng *rng, uint16_t version, tn_span in,
                                               uint8_t out[TN_RSA_PREMASTER]);

// The encodings, RFC 8017 section 9. TN_E_KEY_UNSUPPORTED where the key is too short for the hash.
TN_MUST_USE tn_result tn_rsa_pkcs1_encode(uint8_t *em, size_t len, const tn_hash *hash, tn_span digest);
TN_MUST_USE tn_result tn_rsa_pss_encode(uint8_t *em, size_t bits, const tn_hash *hash, tn_span digest, tn_span salt);
TN_MUST_USE tn_result tn_rsa_pss_check(uint8_t *em, size_t bits, const tn_hash *hash, tn_span digest, size_t salt_len);

#endif
