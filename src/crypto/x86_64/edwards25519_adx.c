// Curve25519 on four words, with its field and its formulas in fe25519_adx.S, and tables read in 256-bit registers.
#if defined(__x86_64__)

#include <stdbool.h>

#include "base/cpu.h"
#include "crypto/ec/words.h"

typedef struct fe {
  uint64_t w[4];
} fe;
#define FE_ZERO \
  {             \
    { 0 }       \
  }
#define FE_ONE \
  {            \
    { 1 }      \
  }

void tn_fe25519_mul_adx(fe *r, const fe *a, const fe *b);
void tn_fe25519_sqr_times_adx(fe *r, const fe *a, unsigned n);
void tn_fe25519_add_adx(fe *r, const fe *a, const fe *b);
void tn_fe25519_sub_adx(fe *r, const fe *a, const fe *b);
#define fe_mul tn_fe25519_mul_adx
#define fe_sqr_times tn_fe25519_sqr_times_adx
#define fe_sqr(r, a) fe_sqr_times(r, a, 1)
#define fe_add tn_fe25519_add_adx
#define wipe_vectors tn_wipe_vectors_avx
#define fe_sub tn_fe25519_sub_adx

struct ladder;
struct point;
struct affine;
struct cached;
void tn_x25519_steps_adx(struct ladder *l, const uint64_t changes[4]);
void tn_edwards25519_double_adx(struct point *p, unsigned with_t);
void tn_edwards25519_add_affine_adx(struct point *p, const struct affine *q);
void tn_edwards25519_add_cached_adx(struct point *p, const struct cached *q);
#define ladder_steps tn_x25519_steps_adx
#define point_double tn_edwards25519_double_adx
#define point_add_affine tn_edwards25519_add_affine_adx
#define point_add_cached tn_edwards25519_add_cached_adx

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi2,adx"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi2,adx")
#endif

static void fe_from_words(fe *r, const uint64_t w[4]) { *r = (fe){{w[0], w[1], w[2], w[3] & INT64_MAX}}; }

// r = a mod 2^255 + 19 q.
static void fold(uint64_t r[4], const uint64_t a[4], uint64_t q) {
  uint64_t carry = 0;
  r[0] = tn_add_carry(a[0], 19 * q, &carry);
  r[1] = tn_add_carry(a[1], 0, &carry);
  r[2] = tn_add_carry(a[2], 0, &carry);
  r[3] = tn_add_carry(a[3] & INT64_MAX, 0, &carry);
}

// Bit 255 counts 19, so that t < 2^255 + 19. Then t >= p where t + 19 has bit 255, and t + 19 mod 2^255 is t - p.
static void fe_to_words(uint64_t w[4], const fe *a) {
  uint64_t t[4], more[4], carry = 0;
  fold(t, a->w, a->w[3] >> 63);
  more[0] = tn_add_carry(t[0], 19, &carry);
  for (int i = 1; i < 4; i++) more[i] = tn_add_carry(t[i], 0, &carry);
  fold(w, t, more[3] >> 63);
  w[3] &= INT64_MAX;
}

// For an a of at most 2p.
static void fe_negate_where(fe *a, uint64_t mask) {
  static const fe zero = FE_ZERO;
  fe negative;
  fe_sub(&negative, &zero, a);
  tn_words_select(a->w, mask, negative.w, a->w, 4);
}

#include "crypto/ec/edwards25519_mul.h"

const tn_edwards25519_impl tn_edwards25519_adx = EDWARDS25519_IMPL("adx", TN_CPU_AVX2 | TN_CPU_BMI2 | TN_CPU_ADX);

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
