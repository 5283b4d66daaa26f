// A template: a prime field in Montgomery's form. The element a is held as a * 2^(64 WORDS) mod p, always in [0, p), so
// that equal elements have equal words. The including file has defined:
//   WORDS, P               p, as const uint64_t[WORDS]
//   fe_one, fe_r2          2^(64 WORDS) mod p and 2^(128 WORDS) mod p
//   fe_reduce              of (fe *r, const uint64_t t[2 * WORDS]): r = t / 2^(64 WORDS) mod p, for t <= (p - 1)^2
//   FE_MUL_SQR             if it has fe_mul and fe_sqr of its own
//   FE_ADD_SUB             if it has fe_add and fe_sub of its own
// Constant time; outputs may alias inputs.
#include "crypto/ec/modinv.h"

#if !defined(FE_MUL_SQR)
static void fe_mul(fe *r, const fe *a, const fe *b) {
  uint64_t t[2 * WORDS];
  tn_words_mul(t, a->w, b->w, WORDS);
  fe_reduce(r, t);
}

static void fe_sqr(fe *r, const fe *a) {
  uint64_t t[2 * WORDS];
  tn_words_sqr(t, a->w, WORDS);
  fe_reduce(r, t);
}
#endif

#if !defined(FE_ADD_SUB)
static inline void fe_add(fe *r, const fe *a, const fe *b) { tn_words_add_mod(r->w, a->w, b->w, P, WORDS); }
static inline void fe_sub(fe *r, const fe *a, const fe *b) { tn_words_sub_mod(r->w, a->w, b->w, P, WORDS); }
#endif

// All ones if the number is below p; r is that number modulo p in either case, for one below 2p.
static uint64_t fe_from_words(fe *r, const uint64_t *in) {
  fe a;
  const uint64_t below = tn_words_less(in, P, WORDS);
  tn_words_reduce_once(a.w, in, 0, P, WORDS);
  fe_mul(r, &a, &fe_r2);
  return below;
}

static void fe_to_words(uint64_t *out, const fe *a) {
  static const fe plain_one = {{1}};
  fe r;
  fe_mul(&r, a, &plain_one);
  memcpy(out, r.w, sizeof r.w);
}

// 1 / a; 0 for a = 0. The plain inverse of a R is 1 / (a R); each multiplication by R^2 makes that R times more.
static void fe_inv(fe *r, const fe *a) {
  fe t;
  tn_modinv(t.w, a->w, P, BITS);
  fe_mul(&t, &t, &fe_r2);
  fe_mul(r, &t, &fe_r2);
}
