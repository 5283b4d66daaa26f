// What rows of public-key cryptography are called, here and in tenon-bench.
#ifndef TN_CLI_SPEED_NAMES_H
#define TN_CLI_SPEED_NAMES_H

#include "crypto/group.h"
#include "crypto/sign.h"

// In small letters: "x25519", "ecdh-p256". Valid until the next call.
const char *tn_speed_group_name(const tn_group *group);
// The implementation that runs; a hybrid has two: "avx2+adx". Valid until the next call.
const char *tn_speed_group_path(const tn_group *group);

// A scheme and, for RSA, the bits of a key.
#define TN_SPEED_SIGNER_NAME 40
typedef struct tn_speed_signer {
  const tn_sign_scheme *scheme;
  size_t bits;
  char name[TN_SPEED_SIGNER_NAME];  // "ecdsa-p256", "rsa-2048", "rsa-pss-2048"
  bool makes_keys;                  // that no group makes and no other signer
} tn_speed_signer;

// Those that are measured: of schemes that differ in the hash alone the first in the table. Returns how many there are.
#define TN_SPEED_SIGNERS 32
size_t tn_speed_signers_list(tn_speed_signer signers[TN_SPEED_SIGNERS]);

#endif
