#include "crypto/hash/sponges.h"

#include <string.h>

#include "base/bytes.h"
#include "base/cpu.h"
#include "base/mem.h"

// ---------------------------------------------------------------- implementations

static void copy_one(uint8_t (*out)[TN_KECCAK_MAX_RATE], const uint64_t *state) {
  tn_keccak_copy(state, 0, out[0], TN_KECCAK_MAX_RATE);
}
static void no_registers(void) {}
static const tn_keccak_ways one = {NULL, 0, 1, tn_keccak_f, copy_one, no_registers};

// Best first.
static const tn_keccak_ways *const implementations[] = {
#if defined(__x86_64__)
    &tn_keccak_x8_avx512, &tn_keccak_x4_avx2,
#endif
    &one};

static const tn_keccak_ways *best(void) {
  const tn_keccak_ways *const *w = implementations;
  while (!tn_cpu_has((*w)->cpu)) w++;
  return *w;
}

const char *tn_sponges_path(void) { return best()->path != NULL ? best()->path : tn_keccak_path(); }

// ---------------------------------------------------------------- running

// One of the states, and the sponge that has it; none: NULL.
typedef struct place {
  tn_sponge *sponge;
  size_t absorbed;
  bool squeezing;
} place;

// At most `room` bytes of the message from `at` on. How many.
static size_t message(const tn_sponge *s, size_t at, uint8_t *out, size_t room) {
  size_t have = 0;
  for (size_t i = 0; i < 2; i++) {
    const size_t skip = at < s->in[i].n ? at : s->in[i].n, left = s->in[i].n - skip;
    const size_t fits = left < room - have ? left : room - have;
    if (fits != 0) memcpy(out + have, s->in[i].p + skip, fits);
    at -= skip;
    have += fits;
  }
  return have;
}

// The next block of the message, in `lanes`, which are `stride` words apart; after the last with its padding (pad10*1
// of section 5.1, whose first bit comes with the domain's) the sponge squeezes.
static void absorb(place *p, uint64_t *lanes, size_t stride) {
  const tn_sponge *s = p->sponge;
  const size_t n_lanes = s->rate / 8u;
  uint8_t block[TN_KECCAK_MAX_RATE];
  const size_t n = message(s, p->absorbed, block, s->rate);
  if (n < s->rate) {
    memset(block + n, 0, s->rate - n);
    block[n] ^= s->domain;
    block[s->rate - 1] ^= 0x80;
    p->squeezing = true;
  }
  if (p->absorbed == 0) {  // what the place's last sponge left goes
    for (size_t i = 0; i < n_lanes; i++) lanes[stride * i] = tn_load_le64(block + 8 * i);
    for (size_t i = n_lanes; i < TN_KECCAK_LANES; i++) lanes[stride * i] = 0;
  } else {
    for (size_t i = 0; i < n_lanes; i++) lanes[stride * i] ^= tn_load_le64(block + 8 * i);
  }
  p->absorbed += n;
}

void tn_sponges_run(tn_sponge *const *sponges, size_t n) {
  const tn_keccak_ways *w = best();
  place places[TN_KECCAK_MAX_WAYS] = {{0}};
  _Alignas(64) uint64_t state[TN_KECCAK_MAX_WAYS * TN_KECCAK_LANES];
  uint8_t blocks[TN_KECCAK_MAX_WAYS][TN_KECCAK_MAX_RATE];
  size_t begun = 0, ended = 0;
  memset(state, 0, w->ways * TN_KECCAK_LANES * sizeof *state);
  while (ended < n) {
    bool any = false;
    for (size_t i = 0; i < w->ways; i++) {
      place *p = &places[i];
      if (p->sponge == NULL && begun < n) *p = (place){.sponge = sponges[begun++]};
      if (p->sponge == NULL) continue;
      if (!p->squeezing) absorb(p, state + i, w->ways);
      any = any || p->squeezing;
    }
    w->permute(state);
    if (any) w->copy(blocks, state);
    for (size_t i = 0; i < w->ways; i++) {
      place *p = &places[i];
      if (p->sponge == NULL || !p->squeezing || !p->sponge->take(p->sponge, blocks[i])) continue;
      p->sponge = NULL;
      ended++;
    }
  }
  tn_wipe(state, w->ways * TN_KECCAK_LANES * sizeof *state);
  tn_wipe(blocks, w->ways * sizeof *blocks);
  w->wipe_registers();
  tn_wipe_stack();  // where permutations spill: a caller's frame may be too large to reach it by a wipe of its own
}
