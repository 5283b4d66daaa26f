// The private operation, by the Chinese remainder theorem (RFC 8017 section 5.1.2), blinded, and checked with the
// public exponent before anything leaves.
#include <string.h>

#include "base/mem.h"
#include "crypto/rsa/rsa.h"

#define HALF (TN_BN_MAX_WORDS / 2)

// r = x^dp mod p and x^dq mod q, put together. x < n; r may be x.
static void crt(uint64_t *r, const uint64_t *x, const uint64_t *dp, const uint64_t *dq, const tn_rsa_private *key,
                tn_bn_scratch *s) {
  const tn_bn_mod *p = &key->p, *q = &key->q;
  size_t half = p->words, words = key->public.n.words;
  uint64_t m1[HALF], m2[HALF], h[HALF], product[TN_BN_MAX_WORDS], wide[TN_BN_MAX_WORDS] = {0};
  tn_bn_remainder(m1, x, words, p->n, half, p->bits);
  tn_bn_remainder(m2, x, words, q->n, half, q->bits);
  const tn_bn_power powers[] = {{m1, m1, dp, p}, {m2, m2, dq, q}};
  tn_bn_mod_exp(powers, 2, p->bits > q->bits ? p->bits : q->bits, s);
  // m2 + q ((m1 - m2) qInv mod p)
  tn_bn_remainder(h, m2, half, p->n, half, p->bits);
  tn_bn_mod_sub(h, m1, h, p);
  tn_bn_mod_mul(h, h, key->qinv, p);
  tn_bn_product(product, h, q->n, half);
  memcpy(wide, m2, half * sizeof *wide);
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

static void acquire(tn_rsa_private *key) {
  while (atomic_flag_test_and_set_explicit(&key->lock, memory_order_acquire)) continue;
}
static void release(tn_rsa_private *key) { atomic_flag_clear_explicit(&key->lock, memory_order_release); }

static tn_result next_blinding(tn_rsa_private *key, const tn_rng *rng, uint64_t *blind, uint64_t *unblind,
                               tn_bn_scratch *s) {
  const tn_bn_mod *n = &key->public.n;
  tn_result result = tn_success();
  acquire(key);
  if (!key->blinding_ready) result = begin_blinding(key, rng, s);
  if (tn_ok(result)) {
    n->path->sqr(key->blind, key->blind, n, s->t);
    n->path->sqr(key->unblind, key->unblind, n, s->t);
    memcpy(blind, key->blind, n->words * sizeof *blind);
    memcpy(unblind, key->unblind, n->words * sizeof *unblind);
  }
  release(key);
  return result;
}

// After a fault, which may have been in the blinding.
static void forget_blinding(tn_rsa_private *key) {
  acquire(key);
  key->blinding_ready = false;
  release(key);
}

static tn_result private_op(tn_rsa_private *key, const tn_rng *rng, const uint8_t *in, uint8_t *out) {
  const tn_bn_mod *n = &key->public.n;
  tn_bn_scratch s;
  uint64_t x[TN_BN_MAX_WORDS], m[TN_BN_MAX_WORDS], blind[TN_BN_MAX_WORDS], unblind[TN_BN_MAX_WORDS];
  TN_ENSURE(tn_bn_from_bytes(x, n->words, (tn_span){in, key->public.len}), TN_E_BAD_ARGUMENT);
  TN_ENSURE(tn_ct_declassify(tn_bn_less(x, n->n, n->words)), TN_E_BAD_ARGUMENT);
  tn_result result = next_blinding(key, rng, blind, unblind, &s);
  if (tn_ok(result)) {
    n->path->mul(m, x, blind, n, s.t);
    crt(m, m, key->dp, key->dq, key, &s);
    n->path->mul(m, m, unblind, n, s.t);
    tn_bn_mod_exp_public(blind, m, key->public.e, n);
    if (tn_ct_declassify(tn_bn_equal(blind, x, n->words))) {
      tn_bn_to_bytes(out, key->public.len, m);
    } else {
      forget_blinding(key);
      result = tn_fail(TN_E_SELF_CHECK);
    }
  }
  tn_bn_scratch_wipe(&s, n);
  tn_wipe(x, sizeof x);
  tn_wipe(m, sizeof m);
  tn_wipe(blind, sizeof blind);
  tn_wipe(unblind, sizeof unblind);
  tn_wipe_stack();
  return result;
}

tn_result tn_rsa_private_op(tn_rsa_private *key, const tn_rng *rng, const uint8_t *in, uint8_t *out) {
  tn_result result = private_op(key, rng, in, out);
  if (!tn_ok(result)) tn_wipe(out, key->public.len);
  tn_wipe_stack();
  return result;
}
