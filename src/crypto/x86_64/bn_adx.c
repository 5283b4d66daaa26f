// Montgomery's multiplication with MULX, ADCX and ADOX, in rows of eight words by the whole number.
#if defined(__x86_64__)

#include "base/mem.h"
#define TN_BN_LANES 32
#include "crypto/bn/bn_table.h"
#include "crypto/x86_64/bn_adx.h"
#include "crypto/x86_64/bn_avx2.h"

// r = t / R mod n for t < n R. Changes t.
static void reduce(uint64_t *r, uint64_t *t, const tn_bn_mod *m) {
  size_t blocks = m->words / TN_BN_BLOCK;
  uint64_t carry = 0;
  for (size_t i = 0; i < blocks; i++) carry = tn_bn_reduce_row_adx(t + i * TN_BN_BLOCK, m->n, blocks, m->n0, carry);
  tn_bn_subtract_adx(r, t + m->words, m->n, blocks, carry);
}

static void mul(uint64_t *r, const uint64_t *a, const uint64_t *b, const tn_bn_mod *m, uint64_t *t) {
  size_t blocks = m->words / TN_BN_BLOCK;
  for (size_t i = 0; i < 2 * m->words; i++) t[i] = 0;
  for (size_t i = 0; i < blocks; i++) tn_bn_mul_row_adx(t + i * TN_BN_BLOCK, a, blocks, b + i * TN_BN_BLOCK);
  reduce(r, t, m);
}

static void sqr(uint64_t *r, const uint64_t *a, const tn_bn_mod *m, uint64_t *t) {
  size_t blocks = m->words / TN_BN_BLOCK;
  for (size_t i = 0; i < 2 * m->words; i++) t[i] = 0;
  for (size_t i = 0; i < blocks; i++) tn_bn_sqr_row_adx(t + 2 * i * TN_BN_BLOCK, a + i * TN_BN_BLOCK, blocks - i);
  tn_bn_sqr_finish_adx(t, a, blocks);
  reduce(r, t, m);
}

__attribute__((target("avx2"))) static void select_entry(uint64_t *r, const uint64_t *table, uint64_t index,
                                                         size_t words) {
  tn_bn_table_select(r, table, index, words);
}

const tn_bn_path tn_bn_adx = {"adx", mul, sqr, select_entry, tn_bn_raise_avx2, tn_wipe_vectors_avx};

#endif
