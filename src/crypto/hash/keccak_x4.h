// Four, or eight, Keccak sponges in step (FIPS 202 section 4), for inputs of one length and outputs of whole blocks:
// what ML-KEM samples its matrix and its noise from. Constant time. leaks: lengths. Copies of a context go their own
// way. As in keccak.h, the stack is the caller's to wipe; vector registers are wiped.
#ifndef TN_CRYPTO_KECCAK_X4_H
#define TN_CRYPTO_KECCAK_X4_H

#include "crypto/hash/keccak.h"

// tn_wipe() them where they are secret.
typedef struct tn_keccak_x4 {
  _Alignas(32) uint64_t state[4 * TN_KECCAK_LANES];
} tn_keccak_x4;

typedef struct tn_keccak_x8 {
  _Alignas(64) uint64_t state[8 * TN_KECCAK_LANES];
} tn_keccak_x8;

// Begins: the whole message of each sponge, n bytes, with its padding. `rate` and `domain` are keccak.h's.
void tn_keccak_x4_absorb(tn_keccak_x4 *k, size_t rate, uint8_t domain, const uint8_t *const in[4], size_t n);
void tn_keccak_x8_absorb(tn_keccak_x8 *k, size_t rate, uint8_t domain, const uint8_t *const in[8], size_t n);

// The next n_blocks blocks of each, `rate` bytes every one, with the same `rate`.
void tn_keccak_x4_squeeze(tn_keccak_x4 *k, size_t rate, uint8_t *const out[4], size_t n_blocks);
void tn_keccak_x8_squeeze(tn_keccak_x8 *k, size_t rate, uint8_t *const out[8], size_t n_blocks);

const char *tn_keccak_x4_path(void);  // that of one sponge, "avx2", "avx512"
const char *tn_keccak_x8_path(void);

// ---------------------------------------------------------------- implementations
// One implementation takes `ways` sponges at a time; their 25 * ways words are in the order that suits it.
typedef struct tn_keccak_ways {
  const char *path;  // NULL: tn_keccak_path()
  uint32_t cpu;      // the TN_CPU_ bits that it needs
  size_t ways;
  // state ^= a block of each input
  void (*add)(uint64_t *state, size_t rate, const uint8_t *const *in);
  void (*permute)(uint64_t *state);
  // a block of each output = state
  void (*copy)(const uint64_t *state, size_t rate, uint8_t *const *out);
  void (*wipe_registers)(void);
} tn_keccak_ways;

extern const tn_keccak_ways tn_keccak_x4_avx2;
extern const tn_keccak_ways tn_keccak_x4_avx512;
extern const tn_keccak_ways tn_keccak_x8_avx512;

#endif
