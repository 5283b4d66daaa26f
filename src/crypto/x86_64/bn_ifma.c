// Exponentiations in limbs of 52 bits with AVX-512 IFMA, for the sizes of RSA's primes and of Diffie-Hellman's groups;
// two at once side by side. All else is the path for a single word at a time.
#if defined(__x86_64__)

#include "crypto/x86_64/bn_ifma.h"

#include "base/mem.h"
#include "crypto/bn/bn.h"

#if defined(TN_CT_MSAN)  // which follows no secret through assembly
#define WORDS tn_bn_portable
#else
#define WORDS tn_bn_adx
#endif

static void mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const tn_bn_mod *m, uint64_t *t) {
  WORDS.mul(r, a, b, m, t);
}

static void sqr(uint64_t *r, const uint64_t *a, const tn_bn_mod *m, uint64_t *t) { WORDS.sqr(r, a, m, t); }

static void select_entry(uint64_t *r, const uint64_t *table, uint64_t index, size_t words) {
  WORDS.select(r, table, index, words);
}

// The limbs for a modulus n of so many words. The modulus in limbs is c n for a c < 2^52, and 4 c n <= R = 2^(52 rows).
static const struct {
  size_t words, rows;
  bool one;  // only for c = 1
} rows_for[] = {
    {16, 21, false},  // 2^(1024 + 52 + 2) <= 2^1092
    {24, 31, false},  // 2^(1536 + 52 + 2) <= 2^1612
    {32, 40, true},   // 2^(2048 + 2) <= 2^2080
    {32, 41, false},  // 2^(2048 + 52 + 2) <= 2^2132
    {48, 61, false},  // 2^(3072 + 52 + 2) <= 2^3172
    {64, 80, false},  // 2^(4096 + 52 + 2) <= 2^4160
};

// The c of -1 = c n mod 2^52.
static uint64_t factor(const tn_bn_mod *m) { return m->n0 & TN_BN_LIMB_MASK; }

// leaks: whether all c are 1. They are in the groups of RFC 7919 and RFC 3526; a secret prime of which this is known is
// hardly known better.
static const tn_bn_ifma_size *size_for(const tn_bn_power *powers, size_t count) {
  uint64_t ones = ~(uint64_t)0;
  for (size_t i = 0; i < count; i++) ones &= tn_ct_eq(factor(powers[i].m), 1);
  for (size_t i = 0; i < sizeof rows_for / sizeof *rows_for; i++)
    if (rows_for[i].words == powers[0].m->words && (!rows_for[i].one || tn_ct_declassify(ones)))
      return tn_bn_ifma_size_of(rows_for[i].rows, count);
  return NULL;
}

// Limbs of the number of `words` words from bit `at` on.
static void to_limbs(uint64_t *limbs, size_t n, const uint64_t *a, size_t words, size_t at) {
  for (size_t i = 0; i < n; i++, at += TN_BN_LIMB_BITS) {
    size_t word = at / 64, shift = at % 64;
    uint64_t low = word < words ? a[word] >> shift : 0;
    uint64_t high = word + 1 < words && shift != 0 ? a[word + 1] << (64 - shift) : 0;
    limbs[i] = (low | high) & TN_BN_LIMB_MASK;
  }
}

// The low words of a number in limbs.
static void from_limbs(uint64_t *a, size_t words, const uint64_t *limbs, size_t n) {
  for (size_t i = 0; i < words; i++) a[i] = 0;
  for (size_t i = 0; i < n; i++) {
    size_t word = i * TN_BN_LIMB_BITS / 64, shift = i * TN_BN_LIMB_BITS % 64;
    if (word < words) a[word] |= limbs[i] << shift;
    if (word + 1 < words && shift > 64 - TN_BN_LIMB_BITS) a[word + 1] |= limbs[i] >> (64 - shift);
  }
}

// The modulus, and the first two entries of the table, 1 and the base in Montgomery's form.
static void enter(uint64_t *n, uint64_t *one, uint64_t *base, const tn_bn_ifma_size *size, const tn_bn_power *power) {
  const tn_bn_mod *m = power->m;
  size_t limbs = 8 * size->vectors, words = m->words;
  uint64_t a[TN_BN_MAX_WORDS] = {1};
  a[words] = tn_bn_mul_add(a, m->n, words, factor(m));
  to_limbs(n, limbs, a, words + 1, TN_BN_LIMB_BITS);
  // With W = 2^(64 words): R / W, R, R W, R base
  size_t excess = TN_BN_LIMB_BITS * size->rows - 64 * words;
  for (size_t i = 0; i <= words; i++) a[i] = 0;
  a[excess / 64] = (uint64_t)1 << (excess % 64);
  tn_bn_mod_mul(a, a, m->rr, m);
  to_limbs(one, limbs, a, words, 0);
  tn_bn_mod_mul(a, a, m->rr, m);
  tn_bn_mod_mul(a, a, power->base, m);
  to_limbs(base, limbs, a, words, 0);
  tn_wipe(a, sizeof a);
}

// r = a mod n for an a below 2 c n, which two numbers' words hold.
static void leave(const tn_bn_power *power, const tn_bn_ifma_size *size, const uint64_t *a) {
  uint64_t wide[TN_BN_MAX_WORDS];
  from_limbs(wide, 2 * power->m->words, a, 8 * size->vectors);
  tn_bn_mod_reduce(power->r, wide, power->m);
  tn_wipe(wide, sizeof wide);
}

static void select_window(uint64_t *r, const uint64_t *table, const tn_bn_power *powers, const tn_bn_ifma_size *size,
                          size_t bits, size_t at) {
  uint64_t index[2] = {0};
  for (size_t p = 0; p < size->powers; p++) index[p] = tn_bn_window(powers[p].exponent, bits, at);
  size->select(r, table, index);
  tn_wipe(index, sizeof index);
}

static void raise_side_by_side(const tn_bn_power *powers, size_t bits, const tn_bn_ifma_size *size, uint64_t *table) {
  _Alignas(64) uint64_t n[TN_BN_LIMBS_MAX], a[TN_BN_LIMBS_MAX], entry[TN_BN_LIMBS_MAX] = {0};
  size_t limbs = 8 * size->vectors, all = limbs * size->powers;
  for (size_t p = 0; p < size->powers; p++)
    enter(n + p * limbs, table + p * limbs, table + all + p * limbs, size, &powers[p]);
  for (size_t i = 2; i < TN_BN_ENTRIES; i++) {
    if (i % 2 == 0)
      size->sqr(table + i * all, table + i / 2 * all, n);
    else
      size->mul(table + i * all, table + (i - 1) * all, table + all, n);
  }
  size_t at = bits == 0 ? 0 : (bits - 1) / TN_BN_WINDOW * TN_BN_WINDOW;
  select_window(a, table, powers, size, bits, at);
  while (at != 0) {
    at -= TN_BN_WINDOW;
    for (size_t i = 0; i < TN_BN_WINDOW; i++) size->sqr(a, a, n);
    select_window(entry, table, powers, size, bits, at);
    size->mul(a, a, entry, n);
  }
  // Out of Montgomery's form.
  for (size_t i = 0; i < all; i++) entry[i] = i % limbs == 0;
  size->mul(a, a, entry, n);
  for (size_t p = 0; p < size->powers; p++) leave(&powers[p], size, a + p * limbs);
  tn_wipe(table, TN_BN_ENTRIES * all * sizeof *table);
  tn_wipe(n, sizeof n);
  tn_wipe(a, sizeof a);
  tn_wipe(entry, sizeof entry);
  tn_wipe_stack();  // of the sums that did not fit in registers
}

static bool raise(const tn_bn_power *powers, size_t count, size_t bits, tn_bn_scratch *s) {
  const tn_bn_ifma_size *size = size_for(powers, count);
  if (size != NULL)
    raise_side_by_side(powers, bits, size, s->table);
  else
    return count == 2 && raise(&powers[0], 1, bits, s) && raise(&powers[1], 1, bits, s);
  return true;
}

const tn_bn_path tn_bn_ifma = {"ifma", mul, sqr, select_entry, raise, tn_wipe_vectors_avx512};

#endif
