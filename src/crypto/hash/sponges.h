// Many sponges at once (FIPS 202 section 4): as many in step as the vector registers hold states, the next one in the
// place of one that has ended. They need have nothing in common: what ML-KEM draws and hashes. Constant time. leaks:
// lengths, and when each has given enough. The stack below and vector registers are wiped.
#ifndef TN_CRYPTO_SPONGES_H
#define TN_CRYPTO_SPONGES_H

#include <stdbool.h>

#include "base/error.h"
#include "crypto/hash/keccak.h"

typedef struct tn_sponge tn_sponge;
struct tn_sponge {
  uint8_t rate, domain;  // keccak.h's
  tn_span in[2];         // the message, in two parts
  // Takes the next `rate` bytes of output; is called until it says that it has enough.
  bool (*take)(tn_sponge *s, const uint8_t *block);
};

// Runs n sponges to their ends. They begin in this order: those with the most blocks should be the first.
void tn_sponges_run(tn_sponge *const *sponges, size_t n);

// What runs several: "avx512", "avx2", or tn_keccak_path().
const char *tn_sponges_path(void);

// ---------------------------------------------------------------- implementations
#define TN_KECCAK_MAX_WAYS 8

// One implementation has `ways` states; word ways * i + j is lane i of state j.
typedef struct tn_keccak_ways {
  const char *path;  // NULL: tn_keccak_path()
  uint32_t cpu;      // the TN_CPU_ bits that it needs
  size_t ways;
  void (*permute)(uint64_t *state);
  // The first TN_KECCAK_MAX_RATE bytes of each state.
  void (*copy)(uint8_t (*out)[TN_KECCAK_MAX_RATE], const uint64_t *state);
  void (*wipe_registers)(void);
} tn_keccak_ways;

extern const tn_keccak_ways tn_keccak_x4_avx2;
extern const tn_keccak_ways tn_keccak_x8_avx512;

#endif
