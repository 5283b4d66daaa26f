// The numbers of P-521 (SP 800-186 section 3.2.1.5), for weierstrass.h: p = 2^521 - 1.
#include <string.h>

#include "crypto/ec/curve_tables.h"
#include "crypto/ec/modinv.h"
#include "crypto/ec/words.h"

#define BITS 521
#define WORDS 9
#define WINDOW 4
#define BASE_WINDOW TN_P521_BASE_WINDOW
#define BASE_TABLE tn_p521_table

static const uint64_t ORDER[WORDS] = {0xbb6fb71e91386409, 0x3bb5c9b8899c47ae, 0x7fcc0148f709a5d0,
                                      0x51868783bf2f966b, 0xfffffffffffffffa, 0xffffffffffffffff,
                                      0xffffffffffffffff, 0xffffffffffffffff, 0x00000000000001ff};
static const uint64_t ORDER_R2[WORDS] = {0x137cd04dcf15dd04, 0xf707badce5547ea3, 0x12a78d38794573ff,
                                         0xd3721ef557f75e06, 0xdd6e23d82e49c7db, 0xcff3d142b7756e3e,
                                         0x5bcc6d61a8e567bc, 0x2d8e03d1492d0d45, 0x000000000000003d};
#define ORDER_LOW 0xbb6fb71e91386409
#define ORDER_MINUS_INVERSE 0x1d2f5ccd79a995c7

// In multiply_base: below the top digit, i = 104, |e| < 1.01 * 2^519 and |f| <= 2^515. The top one is the last, and two
// bits of k are left for it: d is 1 or 2, f = d * 2^520, |e| <= 2^519 by Booth's bound. f - e = n would mean k = e + f
// = 2f - n: for d = 1 that is 2^521 - n < 2^519, whose top digit is 0; for d = 2 it is 2^522 - n > n.

// The element a is a itself, in [0, p).
typedef struct fe {
  uint64_t w[WORDS];
} fe;

static const uint64_t P[WORDS] = {0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
                                  0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff,
                                  0xffffffffffffffff, 0xffffffffffffffff, 0x00000000000001ff};
static const fe fe_one = {{1}};
static const fe fe_b = {{0xef451fd46b503f00, 0x3573df883d2c34f1, 0x1652c0bd3bb1bf07, 0x56193951ec7e937b,
                         0xb8b489918ef109e1, 0xa2da725b99b315f3, 0x929a21a0b68540ee, 0x953eb9618e1c9a1f,
                         0x0000000000000051}};

// The number is less than 2p, and in w with 1 more: it is p or more just where w is 2^521 or more. There the 522nd bit
// falls away, which takes p off; elsewhere the 1 is taken off again.
TN_WORDS_INLINE void fe_reduce_once(fe *r, const uint64_t w[WORDS]) {
  uint64_t borrow = (w[WORDS - 1] >> 9) ^ 1;
  TN_WORDS_UNROLL for (int i = 0; i < WORDS; i++) r->w[i] = tn_sub_borrow(w[i], 0, &borrow);
  r->w[WORDS - 1] &= P[WORDS - 1];
}

static inline void fe_add(fe *r, const fe *a, const fe *b) {
  uint64_t sum[WORDS], carry = 1;
  TN_WORDS_UNROLL for (int i = 0; i < WORDS; i++) sum[i] = tn_add_carry(a->w[i], b->w[i], &carry);
  fe_reduce_once(r, sum);
}

// If it borrows, p more, modulo 2^521, is 1 less.
static inline void fe_sub(fe *r, const fe *a, const fe *b) {
  uint64_t difference[WORDS], borrow = tn_words_sub(difference, a->w, b->w, WORDS);
  TN_WORDS_UNROLL for (int i = 0; i < WORDS; i++) r->w[i] = tn_sub_borrow(difference[i], 0, &borrow);
  r->w[WORDS - 1] &= P[WORDS - 1];
}

#if defined(CURVE_ADX)
#include "crypto/x86_64/field_call.h"
static inline void fe_mul(fe *r, const fe *a, const fe *b) { TN_FIELD_CALL(tn_p521_mul_raw, r, a, b); }
static inline void fe_sqr(fe *r, const fe *a) { TN_FIELD_CALL(tn_p521_sqr_raw, r, a, a); }
#else
// As 2^521 = 1 mod p, the bits from 521 on are added to those below: to at most p + (p - 1)^2 / 2^521 < 2p.
TN_WORDS_INLINE void fe_reduce(fe *r, const uint64_t t[2 * WORDS]) {
  uint64_t sum[WORDS], carry = 1;
  TN_WORDS_UNROLL for (int i = 0; i < WORDS; i++) {
    const uint64_t low = i < WORDS - 1 ? t[i] : t[i] & P[i], high = t[i + 8] >> 9 | t[i + 9] << 55;
    sum[i] = tn_add_carry(low, high, &carry);
  }
  fe_reduce_once(r, sum);
}

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

// All ones if the number is below p; r is that number modulo p in either case, for one below 2p.
static uint64_t fe_from_words(fe *r, const uint64_t *in) {
  const uint64_t below = tn_words_less(in, P, WORDS);
  tn_words_reduce_once(r->w, in, 0, P, WORDS);
  return below;
}

static void fe_to_words(uint64_t *out, const fe *a) { memcpy(out, a->w, sizeof a->w); }

static void fe_inv(fe *r, const fe *a) { tn_modinv(r->w, a->w, P, BITS); }
