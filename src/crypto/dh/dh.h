// Finite-field Diffie-Hellman in the groups of RFC 7919 and RFC 3526: p is a safe prime, g = 2 generates the subgroup
// of prime order. Everything is big-endian and as long as p, leading zeros kept, as TLS 1.3 wants; TLS 1.2's premaster
// secret is without them, which is for its caller to strip.
#ifndef TN_CRYPTO_DH_H
#define TN_CRYPTO_DH_H

#include "base/error.h"
#include "crypto/rng/rng.h"

#define TN_DH_MAX_BYTES 1024
#define TN_DH_MAX_PRIVATE 50

typedef struct tn_dh_group {
  const char *name;       // "ffdhe2048"
  uint16_t id;            // NamedGroup, or 0
  uint16_t len;           // bytes of p, of a share and of a secret
  uint16_t private_bits;  // of an exponent: twice the group's strength, RFC 7919 section 5.2
  const uint64_t *p;      // words, lowest first
} tn_dh_group;

// Every group; ends with a NULL name.
extern const tn_dh_group tn_dh_groups[];
const tn_dh_group *tn_dh_group_find(uint16_t id);  // NULL if there is none; 0 finds nothing
// The group with this p and g, as a TLS 1.2 server sends them (leading zeros allowed), or NULL.
const tn_dh_group *tn_dh_group_of(tn_span p, tn_span g);

static inline size_t tn_dh_private_len(const tn_dh_group *group) { return (group->private_bits + 7u) / 8; }

// A private key of tn_dh_private_len() bytes, and its share of group->len.
TN_MUST_USE tn_result tn_dh_generate(const tn_dh_group *group, const tn_rng *rng, uint8_t *priv, uint8_t *share);
// The secret of group->len bytes. TN_E_BAD_KEY_SHARE unless 1 < peer < p - 1 (leading zeros allowed): then `secret` is
// zeroed. Constant time in priv and in the secret. leaks: whether the share is good.
TN_MUST_USE tn_result tn_dh_secret(const tn_dh_group *group, const uint8_t *priv, tn_span peer, uint8_t *secret);

#endif
