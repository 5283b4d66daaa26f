// Private keys in memory: how they lie there, their check at load, and their parts.
#include <string.h>

#include "base/mem.h"
#include "crypto/rsa/rsa_key.h"

#define HALF (TN_BN_MAX_WORDS / 2)

tn_rsa_layout tn_rsa_lay_out(tn_rsa_private *key, size_t bits) {
  tn_rsa_layout at = {.words = tn_bn_words(bits), .half = TN_RSA_HALF_WORDS(tn_bn_words(bits))};
  struct {
    uint64_t **number;
    size_t words;
  } rows[] = {
      {&at.n, at.words},   {&at.n_rr, at.words},  {&at.p, at.half},        {&at.p_rr, at.half},
      {&at.q, at.half},    {&at.q_rr, at.half},   {&key->d, at.words},     {&key->dp, at.half},
      {&key->dq, at.half}, {&key->qinv, at.half}, {&key->blind, at.words}, {&key->unblind, at.words},
  };
  memset(key, 0, tn_rsa_private_size(bits));
  atomic_flag_clear(&key->lock);
  uint64_t *next = key->words;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; next += rows[i++].words) *rows[i].number = next;
  return at;
}

bool tn_rsa_set_moduli(tn_rsa_private *key, const tn_rsa_layout *at) {
  return tn_ok(tn_bn_mod_init(&key->public.n, at->n, at->n_rr, at->words)) &&
         tn_ok(tn_bn_mod_init(&key->p, at->p, at->p_rr, at->half)) &&
         tn_ok(tn_bn_mod_init(&key->q, at->q, at->q_rr, at->half));
}

// Whether d e = 1 mod p - 1 and d < p - 1: the sum of e times d, by Horner's rule.
static bool inverts(const uint64_t *d, uint64_t e, const tn_bn_mod *p) {
  uint64_t r[HALF] = {0}, m[HALF], less[HALF];
  memcpy(m, p->n, p->words * sizeof *m);
  m[0] -= 1;
  for (int i = 63 - __builtin_clzll(e); i >= 0; i--)
    for (int add = 0; add <= (int)(e >> i & 1); add++) {
      uint64_t carry = tn_bn_add(r, r, add != 0 ? d : r, p->words);
      uint64_t borrow = tn_bn_sub(less, r, m, p->words);
      tn_bn_select(r, tn_ct_mask_bit(borrow & ~carry), r, less, p->words);
    }
  bool good = tn_ct_declassify(tn_bn_equal_word(r, 1, p->words) & tn_bn_less(d, m, p->words));
  tn_wipe(r, sizeof r);
  tn_wipe(m, sizeof m);
  tn_wipe(less, sizeof less);
  return good;
}

// Whether dp = d mod p - 1.
static bool is_remainder(const uint64_t *dp, const uint64_t *d, size_t words, const tn_bn_mod *p) {
  uint64_t r[HALF], m[HALF];
  memcpy(m, p->n, p->words * sizeof *m);
  m[0] -= 1;
  tn_bn_remainder(r, d, words, m, p->words, p->bits);
  bool good = tn_ct_declassify(tn_bn_equal(r, dp, p->words));
  tn_wipe(r, sizeof r);
  tn_wipe(m, sizeof m);
  return good;
}

static bool is_product(const tn_rsa_private *key) {
  uint64_t product[TN_BN_MAX_WORDS], zeros[TN_BN_MAX_WORDS] = {0};
  size_t half = key->p.words, words = key->public.n.words;
  tn_bn_product(product, key->p.n, key->q.n, half);
  uint64_t good = tn_bn_equal(product, key->public.n.n, words) & tn_bn_equal(product + words, zeros, 2 * half - words);
  tn_wipe(product, sizeof product);
  return tn_ct_declassify(good);
}

// qInv into Montgomery's form, if it is what it says.
static bool load_qinv(tn_rsa_private *key) {
  uint64_t one[HALF];
  const tn_bn_mod *p = &key->p;
  tn_bn_remainder(one, key->q.n, p->words, p->n, p->words, p->bits);
  uint64_t good = tn_bn_less(key->qinv, p->n, p->words);
  tn_bn_mod_mul(key->qinv, key->qinv, p->rr, p);
  tn_bn_mod_mul(one, one, key->qinv, p);
  good &= tn_bn_equal_word(one, 1, p->words);
  tn_wipe(one, sizeof one);
  return tn_ct_declassify(good);
}

static tn_result load(tn_rsa_private *key, const tn_rsa_layout *at, const tn_span parts[TN_RSA_PARTS]) {
  TN_TRY(tn_rsa_public_load(&key->public, at->n, parts[TN_RSA_N], parts[TN_RSA_E]));
  TN_ENSURE(tn_bn_from_bytes(at->p, at->half, parts[TN_RSA_P]) && tn_bn_from_bytes(at->q, at->half, parts[TN_RSA_Q]),
            TN_E_KEY_UNSUPPORTED);
  bool good = tn_rsa_set_moduli(key, at) && is_product(key) && tn_bn_from_bytes(key->d, at->words, parts[TN_RSA_D]) &&
              tn_bn_from_bytes(key->dp, at->half, parts[TN_RSA_DP]) &&
              tn_bn_from_bytes(key->dq, at->half, parts[TN_RSA_DQ]) &&
              tn_bn_from_bytes(key->qinv, at->half, parts[TN_RSA_QINV]) && load_qinv(key) &&
              tn_ct_declassify(tn_bn_less(key->d, at->n, at->words)) && inverts(key->dp, key->public.e, &key->p) &&
              inverts(key->dq, key->public.e, &key->q) && is_remainder(key->dp, key->d, at->words, &key->p) &&
              is_remainder(key->dq, key->d, at->words, &key->q);
  TN_ENSURE(good, TN_E_KEY_INVALID);
  return tn_success();
}

tn_result tn_rsa_private_load(tn_rsa_private *key, const tn_span parts[TN_RSA_PARTS]) {
  size_t bits = tn_rsa_bits(parts[TN_RSA_N]);
  TN_ENSURE(bits >= TN_RSA_MIN_SIGN_BITS && bits <= TN_RSA_MAX_BITS, TN_E_KEY_UNSUPPORTED);
  tn_rsa_layout at = tn_rsa_lay_out(key, bits);
  tn_result result = load(key, &at, parts);
  if (!tn_ok(result)) tn_wipe(key, tn_rsa_private_size(bits));
  tn_wipe_stack();
  return result;
}

size_t tn_rsa_private_part(const tn_rsa_private *key, tn_rsa_part part, uint8_t *out) {
  const tn_bn_mod *n = &key->public.n, *p = &key->p, *q = &key->q;
  const struct {
    const uint64_t *number;
    size_t words;
  } parts[] = {
      [TN_RSA_N] = {n->n, n->words},     [TN_RSA_E] = {&key->public.e, 1},     [TN_RSA_D] = {key->d, n->words},
      [TN_RSA_P] = {p->n, p->words},     [TN_RSA_Q] = {q->n, q->words},        [TN_RSA_DP] = {key->dp, p->words},
      [TN_RSA_DQ] = {key->dq, q->words}, [TN_RSA_QINV] = {key->qinv, p->words}};
  uint64_t a[TN_BN_MAX_WORDS] = {1};
  size_t words = parts[part].words;
  if (part == TN_RSA_QINV)
    tn_bn_mod_mul(a, a, key->qinv, p);
  else
    memcpy(a, parts[part].number, words * sizeof *a);
  size_t len = (tn_bn_bits(a, words) + 7) / 8;
  tn_bn_to_bytes(out, len, a);
  tn_wipe(a, words * sizeof *a);
  tn_wipe_stack();
  return len;
}

void tn_rsa_private_copy(tn_rsa_private *to, const tn_rsa_private *from) {
  tn_rsa_layout at = tn_rsa_lay_out(to, from->public.n.bits);
  memcpy(to->words, from->words, 8 * (size_t)(from->blind - from->words));
  to->public = from->public;
  to->p = from->p;
  to->q = from->q;
  to->public.n.n = at.n, to->public.n.rr = at.n_rr;
  to->p.n = at.p, to->p.rr = at.p_rr;
  to->q.n = at.q, to->q.rr = at.q_rr;
}
