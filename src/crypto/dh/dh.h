// Finite-field Diffie-Hellman: in the groups of RFC 7919 and RFC 3526, whose p is a safe prime and whose g = 2
// generates the subgroup of prime order, and in a group of a server's own. Shares and secrets are big-endian and as
// long as p, leading zeros kept, as TLS 1.3 wants.
//
// TLS 1.0 to 1.2 want the premaster secret without leading zeros (RFC 5246 section 8.1.2): its caller strips them. Its
// length then depends on the secret, and so does the time of the PRF; who could have many secrets made of one share
// would learn bits of one of them (Raccoon, CVE-2020-1968). So a private key serves one connection: a new one for each.
#ifndef TN_CRYPTO_DH_H
#define TN_CRYPTO_DH_H

#include "base/error.h"
#include "crypto/rng/rng.h"

#define TN_DH_MIN_BITS 2048  // that we accept unless told otherwise
#define TN_DH_MAX_BITS 8192
#define TN_DH_MAX_BYTES (TN_DH_MAX_BITS / 8)
#define TN_DH_MAX_PRIVATE TN_DH_MAX_BYTES  // of a server's own group; the table's have 50 bytes at most

typedef struct tn_dh_group {
  const char *name;       // "ffdhe2048"; NULL for a server's own
  uint16_t id;            // NamedGroup, or 0
  uint16_t len;           // bytes of p, of a share and of a secret
  uint16_t private_bits;  // of an exponent
  const uint64_t *p;      // whole blocks of words (bn.h), lowest first
  const uint64_t *g;      // likewise; NULL: 2
  const uint64_t *comb;   // powers of 2 (dh_table.h), or NULL
} tn_dh_group;

// Every group; ends with a NULL name. Exponents are twice as long as the group is strong, RFC 7919 section 5.2.
extern const tn_dh_group tn_dh_groups[];
const tn_dh_group *tn_dh_group_find(uint16_t id);  // NULL if there is none; 0 finds nothing

static inline size_t tn_dh_private_len(const tn_dh_group *group) { return (group->private_bits + 7u) / 8; }

// ---------------------------------------------------------------- exchanges
// A peer's share is bad (TN_E_BAD_KEY_SHARE, and the secret is zeroed) unless 1 < peer < p - 1, leading zeros allowed.
// Constant time in private keys and secrets. leaks: whether the share is good.

// A private key of tn_dh_private_len() bytes, and its share.
TN_MUST_USE tn_result tn_dh_generate(const tn_dh_group *group, const tn_rng *rng, uint8_t *priv, uint8_t *share);
// The secret of a private key and the peer's share.
TN_MUST_USE tn_result tn_dh_secret(const tn_dh_group *group, const uint8_t *priv, tn_span peer, uint8_t *secret);
// Both at once, for who has the peer's share when it makes its own: the private key lives in here alone.
TN_MUST_USE tn_result tn_dh_exchange(const tn_dh_group *group, const tn_rng *rng, tn_span peer, uint8_t *share,
                                     uint8_t *secret);

// ---------------------------------------------------------------- a group of the server's choice, TLS 1.0 to 1.2

// Room for one.
typedef struct tn_dh_own {
  tn_dh_group group;
  uint64_t p[TN_DH_MAX_BYTES / 8], g[TN_DH_MAX_BYTES / 8];
} tn_dh_own;

// Whether a client goes on with the p, g and share of a ServerKeyExchange (leading zeros allowed), and in which group:
// a row of the table, or &own->group, which points into *own.
//   TN_E_DH_TOO_SMALL, TN_E_DH_TOO_LARGE  p has fewer than min_bits or more than max_bits
//   TN_E_DH_NOT_PRIME                     p is composite
//   TN_E_DH_GENERATOR                     not 1 < g < p - 1
//   TN_E_BAD_KEY_SHARE                    not 1 < share < p - 1
// TN_E_BAD_ARGUMENT unless TN_DH_LEAST_BITS <= min_bits and max_bits <= TN_DH_MAX_BITS. dh_accept.c says what it costs.
#define TN_DH_LEAST_BITS 1024
TN_MUST_USE tn_result tn_dh_accept(tn_dh_own *own, tn_span p, tn_span g, tn_span share, size_t min_bits,
                                   size_t max_bits, const tn_rng *rng, const tn_dh_group **group);

// ---------------------------------------------------------------- inside

// Whether 1 < a < p - 1. leaks: that.
TN_MUST_USE bool tn_dh_in_range(const uint64_t *a, const uint64_t *p, size_t words);

#endif
