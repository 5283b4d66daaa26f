#include "crypto/hash/keccak_x4.h"

#include <string.h>

#include "base/cpu.h"
#include "base/mem.h"

#define MAX_WAYS 8

// ---------------------------------------------------------------- one at a time

static void add_one(uint64_t *state, size_t rate, const uint8_t *const *in) { tn_keccak_xor(state, 0, in[0], rate); }
static void copy_one(const uint64_t *state, size_t rate, uint8_t *const *out) {
  tn_keccak_copy(state, 0, out[0], rate);
}
static void no_registers(void) {}

static const tn_keccak_ways one = {NULL, 0, 1, add_one, tn_keccak_f, copy_one, no_registers};

// Best first.
static const tn_keccak_ways *const for_four[] = {
#if defined(__x86_64__)
    &tn_keccak_x4_avx512, &tn_keccak_x4_avx2,
#endif
    &one};
static const tn_keccak_ways *const for_eight[] = {
#if defined(__x86_64__)
    &tn_keccak_x8_avx512, &tn_keccak_x4_avx2,
#endif
    &one};

static const tn_keccak_ways *best(const tn_keccak_ways *const *of) {
  while (!tn_cpu_has((*of)->cpu)) of++;
  return *of;
}

static const char *path(const tn_keccak_ways *w) { return w->path != NULL ? w->path : tn_keccak_path(); }
const char *tn_keccak_x4_path(void) { return path(best(for_four)); }
const char *tn_keccak_x8_path(void) { return path(best(for_eight)); }

// ---------------------------------------------------------------- w->ways at a time

static void absorb_group(const tn_keccak_ways *w, uint64_t *state, size_t rate, uint8_t domain,
                         const uint8_t *const *in, size_t n) {
  const uint8_t *at[MAX_WAYS], *ends[MAX_WAYS];
  uint8_t last[MAX_WAYS][TN_KECCAK_MAX_RATE];
  const size_t past_blocks = n % rate;
  memset(state, 0, w->ways * TN_KECCAK_LANES * sizeof *state);
  for (size_t done = 0; done + rate <= n; done += rate) {
    for (size_t i = 0; i < w->ways; i++) at[i] = in[i] + done;
    w->add(state, rate, at);
    w->permute(state);
  }
  for (size_t i = 0; i < w->ways; i++) {
    memset(last[i], 0, rate);
    tn_copy(last[i], in[i] + (n - past_blocks), past_blocks);
    last[i][past_blocks] ^= domain;
    last[i][rate - 1] ^= 0x80;
    ends[i] = last[i];
  }
  w->add(state, rate, ends);
  tn_wipe(last, sizeof last);
}

static void absorb(const tn_keccak_ways *w, size_t total, uint64_t *state, size_t rate, uint8_t domain,
                   const uint8_t *const *in, size_t n) {
  for (size_t i = 0; i < total; i += w->ways) absorb_group(w, state + i * TN_KECCAK_LANES, rate, domain, in + i, n);
  w->wipe_registers();
}

// The permutation that the block before is owed comes first.
static void squeeze(const tn_keccak_ways *w, size_t total, uint64_t *state, size_t rate, uint8_t *const *out,
                    size_t n_blocks) {
  for (size_t i = 0; i < total; i += w->ways) {
    uint64_t *group = state + i * TN_KECCAK_LANES;
    uint8_t *at[MAX_WAYS];
    for (size_t b = 0; b < n_blocks; b++) {
      for (size_t j = 0; j < w->ways; j++) at[j] = out[i + j] + b * rate;
      w->permute(group);
      w->copy(group, rate, at);
    }
  }
  w->wipe_registers();
}

void tn_keccak_x4_absorb(tn_keccak_x4 *k, size_t rate, uint8_t domain, const uint8_t *const in[4], size_t n) {
  absorb(best(for_four), 4, k->state, rate, domain, in, n);
}

void tn_keccak_x8_absorb(tn_keccak_x8 *k, size_t rate, uint8_t domain, const uint8_t *const in[8], size_t n) {
  absorb(best(for_eight), 8, k->state, rate, domain, in, n);
}

void tn_keccak_x4_squeeze(tn_keccak_x4 *k, size_t rate, uint8_t *const out[4], size_t n_blocks) {
  squeeze(best(for_four), 4, k->state, rate, out, n_blocks);
}

void tn_keccak_x8_squeeze(tn_keccak_x8 *k, size_t rate, uint8_t *const out[8], size_t n_blocks) {
  squeeze(best(for_eight), 8, k->state, rate, out, n_blocks);
}
