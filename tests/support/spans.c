#include "support/spans.h"

guarded make_guarded(size_t n, size_t shift) {
  guarded g = {.all = malloc(n + 2 * GUARD + shift), .n = n};
  memset(g.all, GUARD_BYTE, n + 2 * GUARD + shift);
  g.p = g.all + GUARD + shift;
  return g;
}

void check_and_free_guarded(guarded *g) {
  for (const uint8_t *p = g->all; p < g->p; p++) assert_int_equal(*p, GUARD_BYTE);
  for (size_t i = 0; i < GUARD; i++) assert_int_equal(g->p[g->n + i], GUARD_BYTE);
  free(g->all);
}

static size_t below(test_rng *rng, size_t bound) { return (size_t)(test_rng_next(rng) % bound); }

size_t cut(test_rng *rng, uint8_t *p, size_t n, tn_mspan out[MAX_CUTS]) {
  size_t count = below(rng, MAX_CUTS) + (n != 0), used = 0;
  if (count > MAX_CUTS) count = MAX_CUTS;
  for (size_t i = 0; i < count; i++) {
    const size_t left = n - used, room = below(rng, 2) && left > 40 ? 40 : left;
    size_t piece = i + 1 == count ? left : below(rng, room + 1);
    if (below(rng, 4) == 0 && i + 1 != count) piece = 0;
    out[i] = piece == 0 && below(rng, 2) ? (tn_mspan){NULL, 0} : (tn_mspan){p + used, piece};
    used += piece;
  }
  return count;
}

size_t cut_const(test_rng *rng, uint8_t *p, size_t n, tn_span out[MAX_CUTS]) {
  tn_mspan cuts[MAX_CUTS];
  const size_t count = cut(rng, p, n, cuts);
  for (size_t i = 0; i < count; i++) out[i] = tn_span_of(cuts[i].p, cuts[i].n);
  return count;
}
