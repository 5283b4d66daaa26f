// RSA, RFC 8017: keys, signatures (PKCS#1 v1.5 and PSS) and the key transport of TLS. Keys are in memory that the
// caller owns; no allocation.
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

// A public key over words that its owner keeps.
typedef struct tn_rsa_public {
  tn_bn_mod n;
  size_t len;  // k, the bytes of n
  uint64_t e;
} tn_rsa_public;

// The parts of a key, in the order of RFC 8017's RSAPrivateKey.
typedef enum tn_rsa_part {
  TN_RSA_N,
  TN_RSA_E,
  TN_RSA_D,
  TN_RSA_P,
  TN_RSA_Q,
  TN_RSA_DP,
  TN_RSA_DQ,
  TN_RSA_QINV,
  TN_RSA_PARTS
} tn_rsa_part;

// A private key, as long as its modulus wants: tn_rsa_private_size() bytes, aligned as any struct, which stay where
// they are; wipe them all at death. Numbers modulo p and q have as many words as half of n, in whole blocks.
typedef struct tn_rsa_private {
  tn_rsa_public public;
  tn_bn_mod p, q;
  uint64_t *d, *dp, *dq;
  uint64_t *qinv;  // in Montgomery's form modulo p
  // x^-e and x for a secret x, in Montgomery's form modulo n: each use squares both, under the lock.
  atomic_flag lock;
  bool blinding_ready;
  uint64_t *blind, *unblind;
  uint64_t words[];
} tn_rsa_private;

#define TN_RSA_HALF_WORDS(words) (((words) / TN_BN_BLOCK + 1) / 2 * TN_BN_BLOCK)
#define TN_RSA_PRIVATE_WORDS(words) (5 * (words) + 7 * TN_RSA_HALF_WORDS(words))

// Room for any key, where it need not be small.
typedef union tn_rsa_private_max {
  tn_rsa_private key;
  uint8_t bytes[sizeof(tn_rsa_private) + 8 * TN_RSA_PRIVATE_WORDS(TN_BN_MAX_WORDS)];
} tn_rsa_private_max;

// The bytes of a private key whose modulus has so many bits, TN_RSA_MAX_BITS at most.
static inline size_t tn_rsa_private_size(size_t bits) {
  return sizeof(tn_rsa_private) + 8 * TN_RSA_PRIVATE_WORDS(tn_bn_words(bits));
}

// The bit length of a big-endian number. leaks: the number, which is public
size_t tn_rsa_bits(tn_span number);

// Big-endian numbers, leading zeros allowed. `words` is room for n: TN_BN_MAX_WORDS, or tn_bn_words(tn_rsa_bits(n)).
// TN_E_KEY_INVALID unless n is odd and has at least 1024 bits, and e is odd and 3 or more; TN_E_KEY_UNSUPPORTED if n
// has more than 8192 bits or e more than 64. Public data.
TN_MUST_USE tn_result tn_rsa_public_load(tn_rsa_public *key, uint64_t *words, tn_span n, tn_span e);

// From all its parts, big-endian, leading zeros allowed; key has tn_rsa_private_size(tn_rsa_bits(n)) bytes. As above;
// TN_E_KEY_UNSUPPORTED for fewer than 2048 bits, too, and for p or q with more than half of n's words. TN_E_KEY_INVALID
// unless n = p q, d < n, d = dP mod p - 1, d = dQ mod q - 1, dP e = 1 mod p - 1, dQ e = 1 mod q - 1 and qInv q = 1 mod
// p, the latter three reduced. leaks: the lengths of p and q in bits, and the verdict.
TN_MUST_USE tn_result tn_rsa_private_load(tn_rsa_private *key, const tn_span parts[TN_RSA_PARTS]);

// A new key of 2048 to 8192 bits, a multiple of 8, in tn_rsa_private_size(bits) bytes; e = 65537. FIPS 186-5 appendix
// A.1.3. leaks: how many numbers were tried, and what is thrown away
TN_MUST_USE tn_result tn_rsa_generate(tn_rsa_private *key, size_t bits, const tn_rng *rng);

// A part, big-endian, without leading zeros: its length. There is room for key->public.len bytes at `out`.
// leaks: the length
size_t tn_rsa_private_part(const tn_rsa_private *key, tn_rsa_part part, uint8_t *out);

// A copy, in tn_rsa_private_size(from->public.n.bits) bytes, with a blinding of its own.
void tn_rsa_private_copy(tn_rsa_private *to, const tn_rsa_private *from);

// out = in^d mod n, both key->public.len bytes, blinded and checked: TN_E_BAD_ARGUMENT unless in < n, TN_E_SELF_CHECK
// after a fault (then `out` is zeroed). Constant time. Safe from any thread.
TN_MUST_USE tn_result tn_rsa_private_op(tn_rsa_private *key, const tn_rng *rng, const uint8_t *in, uint8_t *out);
// out = in^e mod n, likewise. Constant time in `in`. TN_E_BAD_ARGUMENT unless in < n.
TN_MUST_USE tn_result tn_rsa_public_op(const tn_rsa_public *key, const uint8_t *in, uint8_t *out);

// RSASSA-PKCS1-v1_5 of a digest. hash: SHA-1, SHA-2 or SHA-3; NULL for TLS 1.1's 36 bytes of MD5 and SHA-1 without
// DigestInfo. *sig_len is the room at sig on entry, key->public.len on success.
TN_MUST_USE tn_result tn_rsa_pkcs1_sign(tn_rsa_private *key, const tn_rng *rng, const tn_hash *hash, tn_span digest,
                                        uint8_t *sig, size_t *sig_len);
// TN_E_BAD_SIGNATURE unless sig is exactly the one signature.
TN_MUST_USE tn_result tn_rsa_pkcs1_verify(const tn_rsa_public *key, const tn_hash *hash, tn_span digest, tn_span sig);
// RSASSA-PSS. Signatures have MGF1 of the same hash, and a salt as long as the digest; those that are verified may have
// MGF1 of another hash, `mgf` (NULL: the same).
TN_MUST_USE tn_result tn_rsa_pss_sign(tn_rsa_private *key, const tn_rng *rng, const tn_hash *hash, tn_span digest,
                                      uint8_t *sig, size_t *sig_len);
TN_MUST_USE tn_result tn_rsa_pss_verify(const tn_rsa_public *key, const tn_hash *hash, const tn_hash *mgf,
                                        size_t salt_len, tn_span digest, tn_span sig);

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
TN_MUST_USE tn_result tn_rsa_pss_check(uint8_t *em, size_t bits, const tn_hash *hash, const tn_hash *mgf,
                                       tn_span digest, size_t salt_len);

#endif
