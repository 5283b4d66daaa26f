// Numbers modulo an odd n.
#include "base/mem.h"
#include "crypto/bn/bn.h"
#include "crypto/inverse.h"

const tn_bn_path *tn_bn_path_here(void) {
#if defined(__x86_64__)
  if (tn_cpu_has(TN_BN_IFMA_NEEDS)) return &tn_bn_ifma;
#if !defined(TN_CT_MSAN)  // which follows no secret through assembly
  if (tn_cpu_has(TN_BN_ADX_NEEDS)) return &tn_bn_adx;
#endif
  if (tn_cpu_has(TN_BN_AVX2_NEEDS)) return &tn_bn_avx2;
#endif
  return &tn_bn_portable;
}

tn_result tn_bn_mod_init_path(tn_bn_mod *m, const uint64_t *n, uint64_t *rr, size_t words, const tn_bn_path *path) {
  TN_ENSURE(words != 0 && words % TN_BN_BLOCK == 0 && words <= TN_BN_MAX_WORDS, TN_E_BAD_ARGUMENT);
  TN_ENSURE(tn_ct_declassify(tn_ct_mask_bit(n[0])), TN_E_BAD_ARGUMENT);
  size_t bits = tn_bn_bits(n, words);
  TN_ENSURE(bits > 64, TN_E_BAD_ARGUMENT);
  if (rr != NULL) {
    uint64_t square[2 * TN_BN_MAX_WORDS + 1];
    for (size_t i = 0; i <= 2 * words; i++) square[i] = i == 2 * words;
    tn_bn_remainder(rr, square, 2 * words + 1, n, words, bits);
  }
  *m = (tn_bn_mod){.path = path, .words = words, .bits = bits, .n0 = 0 - tn_inverse_mod_word(n[0]), .n = n, .rr = rr};
  return tn_success();
}

tn_result tn_bn_mod_init(tn_bn_mod *m, const uint64_t *n, uint64_t *rr, size_t words) {
  return tn_bn_mod_init_path(m, n, rr, words, tn_bn_path_here());
}

void tn_bn_mod_mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const tn_bn_mod *m) {
  uint64_t t[2 * TN_BN_MAX_WORDS];
  m->path->mul(r, a, b, m, t);
  tn_wipe(t, 2 * m->words * sizeof *t);
}

void tn_bn_mod_sub(uint64_t *r, const uint64_t *a, const uint64_t *b, const tn_bn_mod *m) {
  uint64_t sum[TN_BN_MAX_WORDS];
  uint64_t negative = tn_ct_mask_bit(tn_bn_sub(r, a, b, m->words));
  (void)tn_bn_add(sum, r, m->n, m->words);
  tn_bn_select(r, negative, sum, r, m->words);
  tn_wipe(sum, m->words * sizeof *sum);
}

void tn_bn_mod_reduce(uint64_t *r, const uint64_t *a, const tn_bn_mod *m) {
  tn_bn_remainder(r, a, 2 * m->words, m->n, m->words, m->bits);
}

static void raise_one(const tn_bn_power *power, size_t bits, tn_bn_scratch *s) {
  const tn_bn_mod *m = power->m;
  const tn_bn_path *path = m->path;
  size_t words = m->words;
  // table[i] = base^i in Montgomery's form
  for (size_t i = 0; i < words; i++) s->acc[i] = i == 0;
  path->mul(s->table, s->acc, m->rr, m, s->t);
  path->mul(s->table + words, power->base, m->rr, m, s->t);
  for (size_t i = 2; i < TN_BN_ENTRIES; i++) {
    uint64_t *entry = s->table + i * words;
    if (i % 2 == 0)
      path->sqr(entry, s->table + i / 2 * words, m, s->t);
    else
      path->mul(entry, entry - words, s->table + words, m, s->t);
  }
  size_t at = bits == 0 ? 0 : (bits - 1) / TN_BN_WINDOW * TN_BN_WINDOW;
  path->select(s->acc, s->table, tn_bn_window(power->exponent, bits, at), words);
  while (at != 0) {
    at -= TN_BN_WINDOW;
    for (size_t i = 0; i < TN_BN_WINDOW; i++) path->sqr(s->acc, s->acc, m, s->t);
    path->select(s->entry, s->table, tn_bn_window(power->exponent, bits, at), words);
    path->mul(s->acc, s->acc, s->entry, m, s->t);
  }
  for (size_t i = 0; i < words; i++) s->entry[i] = i == 0;
  path->mul(power->r, s->acc, s->entry, m, s->t);
}

void tn_bn_mod_exp(const tn_bn_power *powers, size_t count, size_t bits, tn_bn_scratch *s) {
  const tn_bn_path *path = powers[0].m->path;
  if (path->raise != NULL && path->raise(powers, count, bits, s)) return;
  for (size_t i = 0; i < count; i++) raise_one(&powers[i], bits, s);
}

void tn_bn_mod_exp_public(uint64_t *r, const uint64_t *base, uint64_t e, const tn_bn_mod *m) {
  uint64_t t[2 * TN_BN_MAX_WORDS], b[TN_BN_MAX_WORDS], acc[TN_BN_MAX_WORDS];
  for (size_t i = 0; i < 2 * m->words; i++) t[i] = i < m->words ? 0 : base[i - m->words];
  tn_bn_remainder(b, t, 2 * m->words, m->n, m->words, m->bits);  // into Montgomery's form, for which R^2 costs more
  tn_copy(acc, b, m->words * sizeof *b);
  for (int i = 62 - __builtin_clzll(e); i > 0; i--) {
    m->path->sqr(acc, acc, m, t);
    if ((e >> i & 1) != 0) m->path->mul(acc, acc, b, m, t);
  }
  // The last bit is set: the factor that is not in Montgomery's form takes the product out of it.
  m->path->sqr(acc, acc, m, t);
  m->path->mul(r, acc, base, m, t);
  tn_wipe(t, 2 * m->words * sizeof *t);
  tn_wipe(b, m->words * sizeof *b);
  tn_wipe(acc, m->words * sizeof *acc);
}

void tn_bn_scratch_wipe(tn_bn_scratch *s, const tn_bn_mod *m) {
  tn_wipe(s->t, 2 * m->words * sizeof *s->t);
  tn_wipe(s->acc, m->words * sizeof *s->acc);
  tn_wipe(s->entry, m->words * sizeof *s->entry);
  tn_wipe(s->table, TN_BN_ENTRIES * m->words * sizeof *s->table);
  m->path->wipe();
}
