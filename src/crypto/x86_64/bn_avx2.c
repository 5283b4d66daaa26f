// Exponentiations in limbs of 28 bits with AVX2, for the sizes of RSA's primes and of Diffie-Hellman's groups; two at
// once side by side, as far as the table has room. And a path for processors that have AVX2 but not ADX.
#if defined(__x86_64__)

#include "crypto/x86_64/bn_avx2.h"

#include "base/mem.h"
#include "crypto/bn/bn.h"

#define TARGET __attribute__((target("avx2")))

typedef tn_bn_avx2_vector vector;

typedef struct numbers {
  const tn_bn_avx2_kernel *kernel;
  size_t length;
  vector n[TN_BN_AVX2_MAX], base[TN_BN_AVX2_MAX], a[TN_BN_AVX2_MAX], entry[TN_BN_AVX2_MAX];
  tn_bn_avx2_room room;
} numbers;

// The c of -1 = c n mod 2^28.
static uint64_t factor(const tn_bn_mod *m) { return m->n0 & TN_BN_AVX2_MASK; }

// Vectors of a number, so that 4 c n <= R for any n of so many words.
static size_t length_for(size_t words, size_t parts) {
  size_t bits = 64 * words + TN_BN_AVX2_BITS + 2;
  return (bits + TN_BN_AVX2_BITS * parts - 1) / (TN_BN_AVX2_BITS * parts);
}

// Limb k of part `part` of power p.
static uint64_t *limb_at(vector *a, const numbers *s, size_t p, size_t part, size_t k) {
  return (uint64_t *)&a[k] + p * s->kernel->parts + part;
}

static void to_limbs(vector *r, const numbers *s, size_t p, const uint64_t *a, size_t words) {
  size_t at = 0;
  for (size_t part = 0; part < s->kernel->parts; part++)
    for (size_t k = 0; k < s->length; k++, at += TN_BN_AVX2_BITS) {
      size_t word = at / 64, shift = at % 64;
      uint64_t low = word < words ? a[word] >> shift : 0;
      uint64_t high = word + 1 < words && shift != 0 ? a[word + 1] << (64 - shift) : 0;
      *limb_at(r, s, p, part, k) = (low | high) & TN_BN_AVX2_MASK;
    }
}

// The low words of a number in limbs that may have carries left to do.
static void from_limbs(uint64_t *r, size_t words, vector *a, const numbers *s, size_t p) {
  uint64_t carry = 0;
  size_t at = 0;
  for (size_t i = 0; i < words; i++) r[i] = 0;
  for (size_t part = 0; part < s->kernel->parts; part++)
    for (size_t k = 0; k < s->length; k++, at += TN_BN_AVX2_BITS) {
      size_t word = at / 64, shift = at % 64;
      carry += *limb_at(a, s, p, part, k);
      uint64_t limb = carry & TN_BN_AVX2_MASK;
      carry >>= TN_BN_AVX2_BITS;
      if (word < words) r[word] |= limb << shift;
      if (word + 1 < words && shift > 64 - TN_BN_AVX2_BITS) r[word + 1] |= limb >> (64 - shift);
    }
}

// The modulus; and 1 and the base in Montgomery's form.
static void enter(numbers *s, vector *one, vector *base, size_t p, const tn_bn_power *power) {
  const tn_bn_mod *m = power->m;
  size_t words = m->words;
  uint64_t a[TN_BN_MAX_WORDS] = {1};
  a[words] = tn_bn_mul_add(a, m->n, words, factor(m));
  to_limbs(s->n, s, p, a, words + 1);
  // With W = 2^(64 words): R / W, R, R W, R base
  size_t excess = TN_BN_AVX2_BITS * s->kernel->parts * s->length - 64 * words;
  for (size_t i = 0; i <= words; i++) a[i] = 0;
  a[excess / 64] = (uint64_t)1 << (excess % 64);
  tn_bn_mod_mul(a, a, m->rr, m);
  to_limbs(one, s, p, a, words);
  tn_bn_mod_mul(a, a, m->rr, m);
  tn_bn_mod_mul(a, a, power->base, m);
  to_limbs(base, s, p, a, words);
  tn_wipe(a, sizeof a);
}

// r = a mod n for an a below 2 c n.
static void leave(const tn_bn_power *power, vector *a, const numbers *s, size_t p) {
  uint64_t wide[TN_BN_MAX_WORDS];
  from_limbs(wide, 2 * power->m->words, a, s, p);
  tn_bn_mod_reduce(power->r, wide, power->m);
  tn_wipe(wide, sizeof wide);
}

// ---------------------------------------------------------------- the table
// An entry has two vectors in one: of each limb the lower half is used, and products look at no other. It is read in
// steps of SELECTED vectors, and padded to whole ones.
enum { SELECTED = 5 };

static size_t entry_length(size_t length) { return ((length + 1) / 2 + SELECTED - 1) / SELECTED * SELECTED; }

TARGET static void pack(vector *entry, const vector *a, size_t length) {
  const vector none = {0};
  for (size_t k = 0; k < entry_length(length); k++) {
    vector low = 2 * k < length ? a[2 * k] : none, high = 2 * k + 1 < length ? a[2 * k + 1] : none;
    entry[k] = low | high << 32;
  }
}

TARGET static void unpack(vector *a, const vector *entry, size_t length) {
  for (size_t k = 0; k < length; k++) a[k] = entry[k / 2] << (k % 2 == 0 ? 32 : 0) >> 32;
}

// r = the entry for each power's window. Reads all of the table.
TARGET static void select_window(vector *r, const numbers *s, const vector *table, const tn_bn_power *powers,
                                 size_t bits, size_t at) {
  uint64_t first = tn_bn_window(powers[0].exponent, bits, at);
  uint64_t last = tn_bn_window(powers[s->kernel->powers - 1].exponent, bits, at);
  const vector wanted = {first, first, last, last}, one = {1, 1, 1, 1};
  size_t stride = entry_length(s->length);
  vector packed[(TN_BN_AVX2_MAX + 1) / 2 + SELECTED];
  for (size_t k = 0; k < stride; k += SELECTED) {
    vector a = {0}, b = a, c = a, d = a, e = a, i = a;
    for (const vector *entry = table + k; entry < table + TN_BN_ENTRIES * stride; entry += stride, i += one) {
      vector mask = (vector)(i == wanted);
      a |= entry[0] & mask;
      b |= entry[1] & mask;
      c |= entry[2] & mask;
      d |= entry[3] & mask;
      e |= entry[4] & mask;
    }
    packed[k] = a;
    packed[k + 1] = b;
    packed[k + 2] = c;
    packed[k + 3] = d;
    packed[k + 4] = e;
  }
  unpack(r, packed, s->length);
  tn_wipe(packed, sizeof packed);
}

// ---------------------------------------------------------------- exponentiation
TARGET static void raise_side_by_side(const tn_bn_power *powers, size_t bits, numbers *s, vector *table) {
  const tn_bn_avx2_kernel *kernel = s->kernel;
  size_t length = s->length, stride = entry_length(length);
  for (size_t p = 0; p < kernel->powers; p++) enter(s, s->a, s->base, p, &powers[p]);
  pack(table, s->a, length);
  pack(table + stride, s->base, length);
  for (size_t i = 2; i < TN_BN_ENTRIES; i++) {
    if (i % 2 == 0) {
      unpack(s->a, table + i / 2 * stride, length);
      kernel->sqr(s->a, s->a, s->n, length, &s->room);
    } else {
      kernel->mul(s->a, s->a, s->base, s->n, length, &s->room);
    }
    pack(table + i * stride, s->a, length);
  }
  size_t at = bits == 0 ? 0 : (bits - 1) / TN_BN_WINDOW * TN_BN_WINDOW;
  select_window(s->a, s, table, powers, bits, at);
  while (at != 0) {
    at -= TN_BN_WINDOW;
    for (size_t i = 0; i < TN_BN_WINDOW; i++) kernel->sqr(s->a, s->a, s->n, length, &s->room);
    select_window(s->entry, s, table, powers, bits, at);
    kernel->mul(s->a, s->a, s->entry, s->n, length, &s->room);
  }
  // Out of Montgomery's form.
  for (size_t k = 0; k < length; k++) s->entry[k] = (vector){0};
  for (size_t p = 0; p < kernel->powers; p++) *limb_at(s->entry, s, p, 0, 0) = 1;
  kernel->mul(s->a, s->a, s->entry, s->n, length, &s->room);
  for (size_t p = 0; p < kernel->powers; p++) leave(&powers[p], s->a, s, p);
  tn_wipe(table, TN_BN_ENTRIES * stride * sizeof *table);
}

// Smaller ones take less time one limb of 64 bits at a time, and larger ones would need more limbs than there is room
// for.
static bool suits(const tn_bn_avx2_kernel *kernel, size_t words) {
  return words >= (kernel->powers == 2 ? 16 : 32) && length_for(words, kernel->parts) <= kernel->max_length;
}

bool tn_bn_raise_avx2(const tn_bn_power *powers, size_t count, size_t bits, tn_bn_scratch *scratch) {
  size_t words = powers[0].m->words;
  numbers s = {.kernel = count == 2 ? &tn_bn_avx2_pair : &tn_bn_avx2_single};
  if (!suits(s.kernel, words))
    return count == 2 && tn_bn_raise_avx2(&powers[0], 1, bits, scratch) &&
           tn_bn_raise_avx2(&powers[1], 1, bits, scratch);
  s.length = length_for(words, s.kernel->parts);
  raise_side_by_side(powers, bits, &s, (vector *)scratch->table);
  tn_wipe(&s, sizeof s);
  tn_wipe_stack();
  return true;
}

// ---------------------------------------------------------------- a path without ADX
static void mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const tn_bn_mod *m, uint64_t *t) {
  tn_bn_portable.mul(r, a, b, m, t);
}

static void sqr(uint64_t *r, const uint64_t *a, const tn_bn_mod *m, uint64_t *t) { tn_bn_portable.sqr(r, a, m, t); }

static void select_entry(uint64_t *r, const uint64_t *table, uint64_t index, size_t words) {
  tn_bn_portable.select(r, table, index, words);
}

const tn_bn_path tn_bn_avx2 = {"avx2", mul, sqr, select_entry, tn_bn_raise_avx2, tn_wipe_vectors_avx};

#endif
