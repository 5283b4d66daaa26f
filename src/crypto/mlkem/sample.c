#include "crypto/mlkem/sample.h"

#include <string.h>

#include "base/ct.h"
#include "base/mem.h"

void tn_mlkem_samples_begin(tn_mlkem_samples *s) {
  s->ops = tn_poly_best();
  s->n_draws = s->n_sponges = 0;
}

void tn_mlkem_sample_beside(tn_mlkem_samples *s, tn_sponge *other) { s->sponges[s->n_sponges++] = other; }

// A polynomial from SHAKE of the seed and n bytes more.
static tn_mlkem_draw *add(tn_mlkem_samples *s, tn_poly *out, uint8_t rate, const uint8_t seed[32],
                          const uint8_t suffix[2], size_t n, bool (*take)(tn_sponge *, const uint8_t *)) {
  tn_mlkem_draw *d = &s->draws[s->n_draws++];
  *d = (tn_mlkem_draw){.sponge = {rate, TN_SHAKE_DOMAIN, {{seed, 32}, {d->suffix, n}}, take},
                       .ops = s->ops,
                       .out = out,
                       .suffix = {suffix[0], suffix[1]}};
  s->sponges[s->n_sponges++] = &d->sponge;
  return d;
}

// Three blocks are usually enough: they hold 336 candidates, of which 273 are taken on average.
static bool take_uniform(tn_sponge *sponge, const uint8_t *block) {
  tn_mlkem_draw *d = (tn_mlkem_draw *)sponge;
  TN_PUBLIC(block, TN_SHAKE128_RATE);  // it comes from rho, a part of the encapsulation key
  d->have += d->ops->sample(d->out->c + d->have, TN_MLKEM_N - d->have, block, TN_SHAKE128_RATE);
  return d->have == TN_MLKEM_N;
}

void tn_mlkem_sample_matrix(tn_mlkem_samples *s, tn_poly *a, size_t k, const uint8_t rho[32], bool transposed) {
  for (size_t i = 0; i < k * k; i++) {
    const uint8_t row = (uint8_t)(i / k), column = (uint8_t)(i % k);
    const uint8_t indices[2] = {transposed ? row : column, transposed ? column : row};
    add(s, &a[i], TN_SHAKE128_RATE, rho, indices, sizeof indices, take_uniform);
  }
}

// A block of SHAKE256 has the 128 bytes of a polynomial of width 2.
static bool take_noise2(tn_sponge *sponge, const uint8_t *block) {
  tn_mlkem_draw *d = (tn_mlkem_draw *)sponge;
  d->ops->noise2(d->out, block);
  return true;
}

static bool take_noise3(tn_sponge *sponge, const uint8_t *block) {
  tn_mlkem_draw *d = (tn_mlkem_draw *)sponge;
  const size_t left = TN_MLKEM_WIDE_NOISE - d->have, n = left < TN_SHAKE256_RATE ? left : TN_SHAKE256_RATE;
  memcpy(d->wide + d->have, block, n);
  d->have += n;
  if (n < left) return false;
  tn_poly_noise3(d->out, d->wide);
  tn_wipe(d->wide, TN_MLKEM_WIDE_NOISE);
  return true;
}

void tn_mlkem_sample_noise(tn_mlkem_samples *s, tn_poly *out, size_t n, size_t n_eta1, unsigned eta1,
                           const uint8_t seed[32]) {
  for (size_t i = 0; i < n; i++) {
    const bool wide = i < n_eta1 && eta1 == 3;
    const uint8_t number[2] = {(uint8_t)i};
    add(s, &out[i], TN_SHAKE256_RATE, seed, number, 1, wide ? take_noise3 : take_noise2)->wide = s->wide[i];
  }
}

void tn_mlkem_samples_draw(tn_mlkem_samples *s) { tn_sponges_run(s->sponges, s->n_sponges); }
