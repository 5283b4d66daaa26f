// Montgomery's multiplication in words of 64 bits: the whole product first, then its reduction, row by row.
#include "base/mem.h"
#define TN_BN_LANES 16
#include "crypto/bn/bn_table.h"

// r = t / R mod n for t < n R. Changes t.
static void reduce(uint64_t *r, uint64_t *t, const tn_bn_mod *m) {
  size_t words = m->words;
  uint64_t carry = 0;
  for (size_t i = 0; i < words; i++) {
    // Makes t[i] zero; the number grows by less than n R in all, to less than 2 n R.
    unsigned __int128 top = tn_bn_mul_add(t + i, m->n, words, t[i] * m->n0);
    top += t[i + words];
    top += carry;
    t[i + words] = (uint64_t)top;
    carry = (uint64_t)(top >> 64);
  }
  uint64_t borrow = tn_bn_sub(t, t + words, m->n, words);
  tn_bn_select(r, tn_ct_mask_bit(borrow & ~carry), t + words, t, words);
}

static void mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const tn_bn_mod *m, uint64_t *t) {
  tn_bn_product(t, a, b, m->words);
  reduce(r, t, m);
}

static void sqr(uint64_t *r, const uint64_t *a, const tn_bn_mod *m, uint64_t *t) {
  size_t words = m->words;
  // The products of two different words, once,
  for (size_t i = 0; i <= words; i++) t[i] = 0;
  for (size_t i = 0; i < words; i++) t[i + words] = tn_bn_mul_add(t + 2 * i + 1, a + i + 1, words - 1 - i, a[i]);
  // then twice, and the squares.
  uint64_t carry = 0;
  for (size_t i = 0; i < words; i++) {
    unsigned __int128 square = (unsigned __int128)a[i] * a[i];
    unsigned __int128 low = (unsigned __int128)t[2 * i] + t[2 * i] + (uint64_t)square + carry;
    unsigned __int128 high = (unsigned __int128)t[2 * i + 1] + t[2 * i + 1] + (uint64_t)(square >> 64);
    high += (uint64_t)(low >> 64);
    t[2 * i] = (uint64_t)low;
    t[2 * i + 1] = (uint64_t)high;
    carry = (uint64_t)(high >> 64);
  }
  reduce(r, t, m);
}

static void select_entry(uint64_t *r, const uint64_t *table, uint64_t index, size_t words) {
  tn_bn_table_select(r, table, index, words);
}

const tn_bn_path tn_bn_portable = {"portable", mul, sqr, select_entry, NULL, tn_wipe_vectors};
