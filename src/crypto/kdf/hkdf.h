// HKDF, RFC 5869, and TLS 1.3's labelled form, RFC 9846 section 7.1.
#ifndef TN_CRYPTO_HKDF_H
#define TN_CRYPTO_HKDF_H

#include "crypto/hash/hash.h"

// prk gets digest_len bytes. An empty salt means digest_len zeros.
void tn_hkdf_extract(const tn_hash *hash, tn_span salt, tn_span ikm, uint8_t *prk);

// Fails with TN_E_BAD_ARGUMENT if n > 255 * digest_len. prk is digest_len bytes or more.
TN_MUST_USE tn_result tn_hkdf_expand(const tn_hash *hash, tn_span prk, tn_span info, uint8_t *out, size_t n);

// HKDF-Expand-Label(secret, "tls13 " + label, context, n). `secret` is digest_len bytes.
// `out` may be `secret`.
// Fails with TN_E_BAD_ARGUMENT for a label over 249 bytes, a context over 255, or an n as above.
TN_MUST_USE tn_result tn_hkdf_expand_label(const tn_hash *hash, const uint8_t *secret, const char *label,
                                           tn_span context, uint8_t *out, size_t n);

#endif
