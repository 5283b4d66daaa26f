// Private keys: their check at load and the private operation, by the Chinese remainder theorem (RFC 8017 section
// 5.1.2), blinded, and checked with the public exponent before anything leaves.
#include <string.h>

#include "base/mem.h"
#include "crypto/rsa/rsa.h"

#define HALF (TN_BN_MAX_WORDS / 2)

// Whether d e = 1 mod p - 1 and d < p - 1: the sum of e times d, by Horner's rule.
static bool inverts(const uint64_t *d, uint64_t e, const tn_bn_mod *p) {
  uint64_t r[HALF] = {0}, m[HALF], less[HALF];
  memcpy(m, p->n, p->words * sizeof *m);
  m[0] -= 1;
  for (int i = 63; i >= 0; i--)
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

static bool load_prime(tn_bn_mod *m, tn_span bytes, size_t words) {
  uint64_t w[HALF];
  bool good = tn_bn_from_bytes(w, words, bytes) && tn_ok(tn_bn_mod_init(m, w, words));
  tn_wipe(w, sizeof w);
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
  uint64_t wide[TN_BN_MAX_WORDS] = {0}, one[HALF];
  const tn_bn_mod *p = &key->p;
  memcpy(wide, key->q.n, p->words * sizeof *wide);
  tn_bn_mod_reduce(one, wide, p);
  uint64_t good = tn_bn_less(key->qinv, p->n, p->words);
  tn_bn_mod_mul(key->qinv, key->qinv, p->rr, p);
  tn_bn_mod_mul(one, one, key->qinv, p);
  good &= tn_bn_equal_word(one, 1, p->words);
  tn_wipe(wide, sizeof wide);
  tn_wipe(one, sizeof one);
  return tn_ct_declassify(good);
}

tn_result tn_rsa_private_load(tn_rsa_private *key, tn_span n, tn_span e, tn_span p, tn_span q, tn_span dp, tn_span dq,
                              tn_span qinv) {
  *key = (tn_rsa_private){.lock = ATOMIC_FLAG_INIT};
  TN_TRY(tn_rsa_public_load(&key->public, n, e));
  size_t half = (key->public.n.words / TN_BN_BLOCK + 1) / 2 * TN_BN_BLOCK;
  bool good = key->public.n.bits >= TN_RSA_MIN_SIGN_BITS && load_prime(&key->p, p, half) &&
              load_prime(&key->q, q, half) && is_product(key) && tn_bn_from_bytes(key->dp, half, dp) &&
              tn_bn_from_bytes(key->dq, half, dq) && tn_bn_from_bytes(key->qinv, half, qinv) &&
              inverts(key->dp, key->public.e, &key->p) && inverts(key->dq, key->public.e, &key->q) && load_qinv(key);
  if (!good) tn_wipe(key, sizeof *key);
  tn_wipe_stack();
  TN_ENSURE(good, TN_E_KEY_INVALID);
  return tn_success();
}

// r = x^dp mod p and x^dq mod q, put together. x < n; r may be x.
static void crt(uint64_t *r, const uint64_t *x, const uint64_t *dp, const uint64_t *dq, const tn_rsa_private *key,
                tn_bn_scratch *s) {
  size_t half = key->p.words, words = key->public.n.words;
  uint64_t wide[TN_BN_MAX_WORDS] = {0}, m1[HALF], m2[HALF], h[HALF];
  memcpy(wide, x, words * sizeof *wide);
  tn_bn_mod_reduce(m1, wide, &key->p);
  tn_bn_mod_reduce(m2, wide, &key->q);
  const tn_bn_power powers[] = {{m1, m1, dp, &key->p}, {m2, m2, dq, &key->q}};
  tn_bn_mod_exp(powers, 2, key->p.bits > key->q.bits ? key->p.bits : key->q.bits, s);
  // m2 + q ((m1 - m2) qInv mod p)
  memset(wide, 0, sizeof wide);
  memcpy(wide, m2, half * sizeof *wide);
  tn_bn_mod_reduce(h, wide, &key->p);
  tn_bn_mod_sub(h, m1, h, &key->p);
  tn_bn_mod_mul(h, h, key->qinv, &key->p);
  uint64_t product[TN_BN_MAX_WORDS];
  tn_bn_product(product, h, key->q.n, half);
  (void)tn_bn_add(wide, wide, product, 2 * half);
  memcpy(r, wide, words * sizeof *r);
  tn_wipe(wide, sizeof wide);
  tn_wipe(product, sizeof product);
  tn_wipe(m1, sizeof m1);
  tn_wipe(m2, sizeof m2);
  tn_wipe(h, sizeof h);
}

// The first pair: x from the generator, 1/x by Fermat's theorem.
static tn_result begin_blinding(tn_rsa_private *key, const tn_rng *rng, tn_bn_scratch *s) {
  const tn_bn_mod *n = &key->public.n;
  uint64_t ep[HALF], eq[HALF], two[HALF] = {2};
  TN_TRY(tn_random(rng, s->t, 2 * n->words * sizeof *s->t));
  tn_bn_mod_reduce(key->unblind, s->t, n);
  (void)tn_bn_sub(ep, key->p.n, two, key->p.words);
  (void)tn_bn_sub(eq, key->q.n, two, key->q.words);
  crt(key->blind, key->unblind, ep, eq, key, s);
  tn_bn_mod_exp_public(key->blind, key->blind, key->public.e, n);
  tn_bn_mod_mul(key->blind, key->blind, n->rr, n);
  tn_bn_mod_mul(key->unblind, key->unblind, n->rr, n);
  tn_wipe(ep, sizeof ep);
  tn_wipe(eq, sizeof eq);
  key->blinding_ready = true;
  return tn_success();
}

static tn_result next_blinding(tn_rsa_private *key, const tn_rng *rng, uint64_t *blind, uint64_t *unblind,
                               tn_bn_scratch *s) {
  const tn_bn_mod *n = &key->public.n;
  tn_result result = tn_success();
  while (atomic_flag_test_and_set_explicit(&key->lock, memory_order_acquire)) continue;
  if (!key->blinding_ready) result = begin_blinding(key, rng, s);
  if (tn_ok(result)) {
    n->path->sqr(key->blind, key->blind, n, s->t);
    n->path->sqr(key->unblind, key->unblind, n, s->t);
    memcpy(blind, key->blind, n->words * sizeof *blind);
    memcpy(unblind, key->unblind, n->words * sizeof *unblind);
  }
  atomic_flag_clear_explicit(&key->lock, memory_order_release);
  return result;
}

static tn_result private_op(tn_rsa_private *key, const tn_rng *rng, const uint8_t *in, uint8_t *out) {
  const tn_bn_mod *n = &key->public.n;
  tn_bn_scratch s = {0};
  uint64_t x[TN_BN_MAX_WORDS], m[TN_BN_MAX_WORDS], blind[TN_BN_MAX_WORDS], unblind[TN_BN_MAX_WORDS];
  TN_ENSURE(tn_bn_from_bytes(x, n->words, (tn_span){in, key->public.len}), TN_E_BAD_ARGUMENT);
  TN_ENSURE(tn_ct_declassify(tn_bn_less(x, n->n, n->words)), TN_E_BAD_ARGUMENT);
  tn_result result = next_blinding(key, rng, blind, unblind, &s);
  if (tn_ok(result)) {
    n->path->mul(m, x, blind, n, s.t);
    crt(m, m, key->dp, key->dq, key, &s);
    n->path->mul(m, m, unblind, n, s.t);
    tn_bn_mod_exp_public(blind, m, key->public.e, n);
    if (tn_ct_declassify(tn_bn_equal(blind, x, n->words)))
      tn_bn_to_bytes(out, key->public.len, m);
    else
      result = tn_fail(TN_E_SELF_CHECK);
  }
  tn_bn_scratch_wipe(&s, n);
  tn_wipe(x, sizeof x);
  tn_wipe(m, sizeof m);
  tn_wipe(blind, sizeof blind);
  tn_wipe(unblind, sizeof unblind);
  return result;
}

tn_result tn_rsa_private_op(tn_rsa_private *key, const tn_rng *rng, const uint8_t *in, uint8_t *out) {
  tn_result result = private_op(key, rng, in, out);
  if (!tn_ok(result)) tn_wipe(out, key->public.len);
  tn_wipe_stack();
  return result;
}
