#include "crypto/ec/modinv.h"

#include <stdbool.h>
#include <string.h>

#include "base/ct.h"
#include "base/mem.h"
#include "crypto/inverse.h"

__extension__ typedef __int128 int128;

// Numbers are limbs of 60 bits, least significant first; the last one has the sign.
#define LIMB_BITS 60
#define LIMB_MASK (((uint64_t)1 << LIMB_BITS) - 1)
#define MAX_LIMBS 9  // 540 bits: twice a number of 521 bits, and a sign

typedef struct number {
  int64_t limb[MAX_LIMBS];
} number;

// What n steps do to (f, g): 2^n times the matrix of the paper's section 9. |u| + |v| and |q| + |r| are at most 2^n,
// and no entry is -2^n.
typedef struct transition {
  int64_t u, v, q, r;
} transition;

// STEPS steps at a time look at the STEPS lowest bits of f, which is odd, and of g alone. One step: if delta > 0 and g
// is odd, (f, g) becomes (g, (g - f) / 2) and delta 1 - delta; else (f, (g + (g mod 2) f) / 2) and 1 + delta. As delta
// starts at 1/2, `minus` is -delta - 1/2: below 0 if delta > 0, and less 1 or, for 1 - delta, ~minus - 1 afterwards.
//
// As a step does the same to f, u, v and to g, q, r, one word holds such a row: after i steps, f - u 2^(41 - i) -
// v 2^(62 - i), where f stands for its lowest bits' part, which stays in [-2^20, 2^20). Halving g's row halves all
// three, where u and v would have to be doubled in f's; no bit of q and r is lost in STEPS steps. No sum leaves the 64
// bits: at first v is 0 and r is 1; from then on v / 2^i and r / 2^i are in (-1, 1], the latter below 1, both multiples
// of 2^-20, so that their sum and difference are 2^-20 away from 2 and -2 at least.
#define STEPS 20
#define U_AT 41
#define V_AT 62

#if defined(__x86_64__) && !defined(TN_CT_MSAN)
// By CMOV, which compilers are free to make branches of, and MemorySanitizer does not see.
static inline int64_t step(int64_t minus, uint64_t *a, uint64_t *b) {
  const int64_t plus_one = minus - 1;                      // delta + 1 for delta
  uint64_t half = *b + *a, minus_a = *b - *a, new_a = *a;  // twice the new b, and the new a
  int64_t new_minus = ~minus - 1;
  __asm__(
      "testq %[minus], %[minus]\n\t"
      "cmovsq %[minus_a], %[half]\n\t"
      "cmovsq %[b], %[new_a]\n\t"
      "cmovnsq %[plus_one], %[new_minus]\n\t"
      "testb $1, %b[b]\n\t"
      "cmovzq %[b], %[half]\n\t"
      "cmovzq %[a], %[new_a]\n\t"
      "cmovzq %[plus_one], %[new_minus]"
      : [half] "+&r"(half), [new_a] "+&r"(new_a), [new_minus] "+&r"(new_minus)
      : [minus] "r"(minus), [minus_a] "r"(minus_a), [a] "r"(*a), [b] "r"(*b), [plus_one] "r"(plus_one)
      : "cc");
  *a = new_a;
  *b = (uint64_t)((int64_t)half >> 1);
  return new_minus;
}
#else
static inline int64_t step(int64_t minus, uint64_t *a, uint64_t *b) {
  const uint64_t odd = tn_ct_mask_bit(*b), positive = tn_value_barrier((uint64_t)(minus >> 63)), swap = odd & positive;
  // b + a, or b - a before a swap; and then b - a + a is the old b.
  *b += ((*a ^ positive) - positive) & odd;
  *a += *b & swap;
  *b = (uint64_t)((int64_t)*b >> 1);
  return (int64_t)((uint64_t)minus ^ swap) - 1;
}
#endif

static int64_t steps(int64_t minus, uint64_t f, uint64_t g, transition *t) {
  const uint64_t low = ((uint64_t)1 << STEPS) - 1;
  uint64_t a = (f & low) - ((uint64_t)1 << U_AT), b = (g & low) - ((uint64_t)1 << V_AT);
  _Pragma("GCC unroll 20") for (int i = 0; i < STEPS; i++) minus = step(minus, &a, &b);
  // Rounded, so that what is below a part does not matter: u is 21 bits with a sign, v those above.
  const uint64_t half_u = (uint64_t)1 << (U_AT - STEPS - 1), half_v = (uint64_t)1 << (V_AT - STEPS - 1);
  t->u = -((int64_t)((a + half_u) << (64 - V_AT + STEPS)) >> (64 - V_AT + U_AT));
  t->v = -((int64_t)(a + half_u + half_v) >> (V_AT - STEPS));
  t->q = -((int64_t)((b + half_u) << (64 - V_AT + STEPS)) >> (64 - V_AT + U_AT));
  t->r = -((int64_t)(b + half_u + half_v) >> (V_AT - STEPS));
  return minus;
}

// LIMB_BITS steps, for which the lowest limbs are enough.
static int64_t batch(int64_t minus, uint64_t f, uint64_t g, transition *t) {
  transition all = {1, 0, 0, 1}, s;
  for (int i = 0; i < LIMB_BITS / STEPS; i++) {
    minus = steps(minus, f, g, &s);
    const uint64_t old = f;
    f = ((uint64_t)s.u * f + (uint64_t)s.v * g) >> STEPS;
    g = ((uint64_t)s.q * old + (uint64_t)s.r * g) >> STEPS;
    all = (transition){s.u * all.u + s.v * all.q, s.u * all.v + s.v * all.r,  //
                       s.q * all.u + s.r * all.q, s.q * all.v + s.r * all.r};
  }
  *t = all;
  return minus;
}

// (f, g) = t (f, g) / 2^60, which is exact. Both stay within the bits of the modulus and a sign.
static void apply(number *f, number *g, const transition *t, int limbs) {
  int128 cf = (int128)t->u * f->limb[0] + (int128)t->v * g->limb[0];
  int128 cg = (int128)t->q * f->limb[0] + (int128)t->r * g->limb[0];
  for (int i = 1; i < limbs; i++) {
    const int64_t fi = f->limb[i], gi = g->limb[i];
    cf = (cf >> LIMB_BITS) + (int128)t->u * fi + (int128)t->v * gi;
    cg = (cg >> LIMB_BITS) + (int128)t->q * fi + (int128)t->r * gi;
    f->limb[i - 1] = (int64_t)((uint64_t)cf & LIMB_MASK);
    g->limb[i - 1] = (int64_t)((uint64_t)cg & LIMB_MASK);
  }
  f->limb[limbs - 1] = (int64_t)(cf >> LIMB_BITS);
  g->limb[limbs - 1] = (int64_t)(cg >> LIMB_BITS);
}

// (d, e) = t (d, e) / 2^60 mod m. Both are in (-2m, m), before and after: a negative one is counted as m more, so both
// are in (-m, m); their combination by a row of t is in (-2^60 m, 2^60 m); less a multiple of m below 2^60 m, that
// makes it divisible, it is in (-2^61 m, 2^60 m). `inverse` is 1/m mod 2^60.
static void apply_modulo(number *d, number *e, const transition *t, const number *m, uint64_t inverse, int limbs) {
  const int64_t d_sign = d->limb[limbs - 1] >> 63, e_sign = e->limb[limbs - 1] >> 63;
  int64_t md = (t->u & d_sign) + (t->v & e_sign), me = (t->q & d_sign) + (t->r & e_sign);
  int128 cd = (int128)t->u * d->limb[0] + (int128)t->v * e->limb[0];
  int128 ce = (int128)t->q * d->limb[0] + (int128)t->r * e->limb[0];
  md -= (int64_t)((inverse * (uint64_t)cd + (uint64_t)md) & LIMB_MASK);
  me -= (int64_t)((inverse * (uint64_t)ce + (uint64_t)me) & LIMB_MASK);
  cd += (int128)m->limb[0] * md;
  ce += (int128)m->limb[0] * me;
  for (int i = 1; i < limbs; i++) {
    const int64_t di = d->limb[i], ei = e->limb[i];
    cd = (cd >> LIMB_BITS) + (int128)t->u * di + (int128)t->v * ei + (int128)m->limb[i] * md;
    ce = (ce >> LIMB_BITS) + (int128)t->q * di + (int128)t->r * ei + (int128)m->limb[i] * me;
    d->limb[i - 1] = (int64_t)((uint64_t)cd & LIMB_MASK);
    e->limb[i - 1] = (int64_t)((uint64_t)ce & LIMB_MASK);
  }
  d->limb[limbs - 1] = (int64_t)(cd >> LIMB_BITS);
  e->limb[limbs - 1] = (int64_t)(ce >> LIMB_BITS);
}

// d = (negate ? -d : d) + (add ? m : 0), both masks.
static void adjust(number *d, uint64_t negate, uint64_t add, const number *m, int limbs) {
  int64_t carry = 0;
  for (int i = 0; i < limbs; i++) {
    const int64_t limb = (int64_t)(((uint64_t)d->limb[i] ^ negate) - negate);
    carry += limb + (int64_t)((uint64_t)m->limb[i] & add);
    d->limb[i] = i == limbs - 1 ? carry : (int64_t)((uint64_t)carry & LIMB_MASK);
    carry >>= LIMB_BITS;
  }
}

static uint64_t sign_of(const number *a, int limbs) { return tn_ct_mask_bit((uint64_t)a->limb[limbs - 1] >> 63); }

static void from_words(number *r, const uint64_t *a, int words, int limbs) {
  for (int i = 0; i < limbs; i++) {
    const int from = LIMB_BITS * i, word = from / 64, shift = from % 64;
    uint64_t v = word < words ? a[word] >> shift : 0;
    if (shift != 0 && word + 1 < words) v |= a[word + 1] << (64 - shift);
    r->limb[i] = (int64_t)(v & LIMB_MASK);
  }
}

static void to_words(uint64_t *r, const number *a, int words, int limbs) {
  memset(r, 0, (size_t)words * sizeof *r);
  for (int i = 0; i < limbs; i++) {
    const int from = LIMB_BITS * i, word = from / 64, shift = from % 64;
    if (word < words) r[word] |= (uint64_t)a->limb[i] << shift;
    if (shift > 64 - LIMB_BITS && word + 1 < words) r[word + 1] |= (uint64_t)a->limb[i] >> (64 - shift);
  }
}

// f = d a and g = e a modulo m throughout. After (9437 bits + 1) / 4096 steps g = 0 and f = 1 or -1, or f = m for a =
// 0, whose d is 0: the bound for delta = 1/2 of P. Wuille, "Bounds on divsteps iterations in safegcd", 2021, which
// counts the steps that convex hulls of all (f, g) take, for 521 bits and those below.
void tn_modinv(uint64_t *r, const uint64_t *a, const uint64_t *m, int bits) {
  const int words = (bits + 63) / 64, limbs = (bits + 2 + LIMB_BITS - 1) / LIMB_BITS;
  const int batches = ((9437 * bits + 1 + 4095) / 4096 + LIMB_BITS - 1) / LIMB_BITS;
  number modulus, f, g, d = {{0}}, e = {{1}};
  transition t;
  from_words(&modulus, m, words, limbs);
  from_words(&g, a, words, limbs);
  f = modulus;
  const uint64_t inverse = tn_inverse_mod_word(m[0]);
  int64_t minus = -1;
  for (int i = 0; i < batches; i++) {
    minus = batch(minus, (uint64_t)f.limb[0], (uint64_t)g.limb[0], &t);
    apply_modulo(&d, &e, &t, &modulus, inverse, limbs);
    apply(&f, &g, &t, limbs);
  }
  adjust(&d, 0, sign_of(&d, limbs), &modulus, limbs);
  adjust(&d, sign_of(&f, limbs), 0, &modulus, limbs);
  adjust(&d, 0, sign_of(&d, limbs), &modulus, limbs);
  to_words(r, &d, words, limbs);
  tn_wipe(&f, sizeof f);
  tn_wipe(&g, sizeof g);
  tn_wipe(&d, sizeof d);
  tn_wipe(&e, sizeof e);
  tn_wipe(&t, sizeof t);
}
