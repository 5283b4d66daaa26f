// Key-exchange groups: Diffie-Hellman and KEMs behind one shape. The floors above iterate the table.
#ifndef TN_CRYPTO_GROUP_H
#define TN_CRYPTO_GROUP_H

#include "base/error.h"
#include "crypto/rng/rng.h"

// Those of SecP384r1MLKEM1024, and the secret of ffdhe8192.
#define TN_GROUP_MAX_PRIVATE 3216
#define TN_GROUP_MAX_SHARE 1665
#define TN_GROUP_MAX_SECRET 1024

typedef struct tn_group {
  const char *name;  // IANA's: "x25519", "secp256r1"
  uint16_t id;       // NamedGroup
  bool costly;       // takes so long that no peer gets it unless a user asks for it
  uint16_t private_len;
  uint16_t client_share_len;
  uint16_t server_share_len;
  uint16_t secret_len;
  // The group whose share and private key are the ends of this one's, so that a client can offer both for the price of
  // one; NULL where there is none.
  const struct tn_group *tail;
  // Of a hybrid: the group that its classical half is. NULL for others.
  const struct tn_group *half;
  // The client's side: a private key and the share to send.
  tn_result (*generate)(const tn_rng *rng, uint8_t *priv, uint8_t *share);
  // The server's side: from the client's share, the share to answer and the secret. TN_E_BAD_KEY_SHARE for a bad one.
  tn_result (*answer)(const tn_rng *rng, tn_span client_share, uint8_t *share, uint8_t *secret);
  // The client's side again: the secret from the server's share.
  tn_result (*finish)(const uint8_t *priv, tn_span server_share, uint8_t *secret);
  // The name of the implementation that runs on this processor: "portable", "adx"; of a hybrid, ML-KEM's.
  const char *(*path)(void);
} tn_group;

extern const tn_group tn_group_x25519;  // RFC 7748; an all-zero secret is refused
extern const tn_group tn_group_secp256r1;
extern const tn_group tn_group_secp384r1;
extern const tn_group tn_group_secp521r1;
// draft-ietf-tls-ecdhe-mlkem. A secret of X25519MLKEM768 begins with ML-KEM's, the others' with the curve's.
extern const tn_group tn_group_x25519_mlkem768;
extern const tn_group tn_group_secp256r1_mlkem768;
extern const tn_group tn_group_secp384r1_mlkem1024;
// RFC 7919.
extern const tn_group tn_group_ffdhe2048;
extern const tn_group tn_group_ffdhe3072;
extern const tn_group tn_group_ffdhe4096;
extern const tn_group tn_group_ffdhe6144;
extern const tn_group tn_group_ffdhe8192;

// Every group in our order of preference; ends with NULL.
extern const tn_group *const tn_groups[];
// The group with this NamedGroup number, or NULL.
const tn_group *tn_group_find(uint16_t id);

#endif
