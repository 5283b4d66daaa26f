// NIST's curves over prime fields (SP 800-186 section 3.2.1), y^2 = x^3 - 3x + b, cofactor 1: ECDH (SP 800-56A) and
// ECDSA (FIPS 186-5). One row each; each row lists its implementations, best first, and every operation takes the first
// that this processor can run.
// Scalars and coordinates are curve->len bytes, big-endian; points are uncompressed SEC1: 0x04, x, y.
#ifndef TN_CRYPTO_CURVE_H
#define TN_CRYPTO_CURVE_H

#include "base/error.h"
#include "crypto/hash/hash.h"
#include "crypto/rng/rng.h"

#define TN_CURVE_MAX_WORDS 9
#define TN_CURVE_MAX_LEN 66
#define TN_CURVE_MAX_POINT (1 + 2 * TN_CURVE_MAX_LEN)
#define TN_CURVE_MAX_SIG (2 * TN_CURVE_MAX_LEN)

// Inside: an affine point as plain integers, words least significant first.
typedef struct tn_curve_point {
  uint64_t x[TN_CURVE_MAX_WORDS], y[TN_CURVE_MAX_WORDS];
} tn_curve_point;

// Inside: one implementation of one curve. Numbers modulo n, the order, are plain integers in [0, n), curve->words
// words. Constant time unless the name ends in _vartime.
typedef struct tn_curve_impl {
  const char *path;  // "portable", "adx"
  uint32_t cpu;      // the TN_CPU_ bits that it needs
  // Whether both coordinates are below p and the point is on the curve. leaks: that.
  bool (*is_point)(const tn_curve_point *p);
  // r = k G and r = k P, for 1 <= k < n and a point P of the curve.
  void (*mul_base)(tn_curve_point *r, const uint64_t *k);
  void (*mul)(tn_curve_point *r, const uint64_t *k, const tn_curve_point *p);
  // Whether the x-coordinate of a G + b P, modulo n, is r. Infinity has none.
  bool (*x_is_vartime)(const uint64_t *a, const uint64_t *b, const tn_curve_point *p, const uint64_t *r);
  // Modulo n. The inverse of 0 is 0.
  void (*order_mul)(uint64_t *r, const uint64_t *a, const uint64_t *b);
  void (*order_inv)(uint64_t *r, const uint64_t *a);
} tn_curve_impl;

typedef struct tn_curve {
  const char *name;  // "p256", "p384", "p521"
  uint16_t bits;     // of p, and of n
  uint8_t len;       // bytes of a coordinate and of a scalar
  uint8_t words;     // of the same
  uint64_t order[TN_CURVE_MAX_WORDS];
  const tn_hash *nonce_hash;          // that draws ECDSA's nonces: as strong as the curve
  const tn_curve_impl *const *impls;  // best first, the portable one last, then NULL
} tn_curve;

extern const tn_curve tn_p256, tn_p384, tn_p521;

// Every curve; ends with NULL.
extern const tn_curve *const tn_curves[];

static inline size_t tn_curve_point_len(const tn_curve *c) { return 1 + 2u * c->len; }
static inline size_t tn_curve_sig_len(const tn_curve *c) { return 2u * c->len; }

// The implementation that runs.
const tn_curve_impl *tn_curve_impl_of(const tn_curve *c);

// ---------------------------------------------------------------- keys and ECDH

// A private key, uniform in [1, n - 1] by rejection, and its public point. TN_E_NO_RANDOM if the generator fails, or
// gives what is out of range again and again.
TN_MUST_USE tn_result tn_ec_generate(const tn_curve *c, const tn_rng *rng, uint8_t *priv, uint8_t *pub);
// The public point of a private key. TN_E_KEY_INVALID unless 1 <= priv < n. Constant time.
TN_MUST_USE tn_result tn_ec_public(const tn_curve *c, const uint8_t *priv, uint8_t *pub);
// TN_E_KEY_INVALID unless pub is an uncompressed point of the curve (full validation). Public data.
TN_MUST_USE tn_result tn_ec_check_public(const tn_curve *c, tn_span pub);
// The x-coordinate of priv * peer. TN_E_BAD_KEY_SHARE if peer is not a valid point. Constant time in priv.
TN_MUST_USE tn_result tn_ecdh(const tn_curve *c, const uint8_t *priv, tn_span peer, uint8_t *secret);

// ---------------------------------------------------------------- ECDSA

// Signs a digest of any length (its leftmost bits, as many as n has, are used). sig is r and s, curve->len bytes each.
// The nonce is RFC 6979's with curve->nonce_hash, hedged: fresh random bytes enter as the additional data of
// section 3.6. A NULL rng gives the pure deterministic one, for vectors. The signature is checked before it leaves
// (ecdsa.c). Constant time in priv and the nonce.
TN_MUST_USE tn_result tn_ecdsa_sign(const tn_curve *c, const tn_rng *rng, const uint8_t *priv, const uint8_t *digest,
                                    size_t digest_len, uint8_t *sig);
// TN_E_BAD_SIGNATURE unless the signature is right; TN_E_KEY_INVALID for a bad point. Variable time: public data.
TN_MUST_USE tn_result tn_ecdsa_verify_vartime(const tn_curve *c, tn_span pub, const uint8_t *digest, size_t digest_len,
                                              const uint8_t *sig);

// ---------------------------------------------------------------- inside

// Whether in is a point's encoding, and which. leaks: that; points are public.
TN_MUST_USE bool tn_curve_decode(const tn_curve *c, tn_curve_point *r, tn_span in);
// Whether 1 <= in < n, and r = in mod n for an in below 2n. leaks: that.
TN_MUST_USE bool tn_curve_scalar(const tn_curve *c, uint64_t *r, const uint8_t *in);

#endif
