// The numbers of P-384 (SP 800-186 section 3.2.1.4), for weierstrass.h: p = 2^384 - 2^128 - 2^96 + 2^32 - 1.
#include <string.h>

#include "crypto/ec/curve_tables.h"
#include "crypto/ec/words.h"

#define BITS 384
#define WORDS 6
#define WINDOW 5
#define BASE_WINDOW TN_P384_BASE_WINDOW
#define BASE_TABLE tn_p384_table

static const uint64_t ORDER[WORDS] = {0xecec196accc52973, 0x581a0db248b0a77a, 0xc7634d81f4372ddf,
                                      0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff};
static const uint64_t ORDER_R2[WORDS] = {0x2d319b2419b409a9, 0xff3d81e5df1aa419, 0xbc3e483afcb82947,
                                         0xd40d49174aab1cc5, 0x3fb05b7a28266895, 0x0c84ee012b39bf21};
#define ORDER_LOW 0xecec196accc52973
#define ORDER_MINUS_INVERSE 0x6ed46089e88fdc45

// In multiply_base: below the top digit, i = 64, |e| < 1.01 * 2^383 and |f| <= 2^377. The top one is the last, and only
// bit 383 of k is left for it: d = 1, f = 2^384, |e| <= 2^383 by Booth's bound; f - e = n would mean k = e + f = 2^385
// - n > n.

typedef struct fe {
  uint64_t w[WORDS];
} fe;

static const uint64_t P[WORDS] = {0x00000000ffffffff, 0xffffffff00000000, 0xfffffffffffffffe,
                                  0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff};
static const fe fe_one = {{0xffffffff00000001, 0x00000000ffffffff, 1, 0, 0, 0}};
static const fe fe_r2 = {{0xfffffffe00000001, 0x0000000200000000, 0xfffffffe00000000, 0x0000000200000000, 1, 0}};
static const fe fe_b = {{0x081188719d412dcc, 0xf729add87a4c32ec, 0x77f2209b1920022e, 0xe3374bee94938ae2,
                         0xb62b21f41f022094, 0xcd08114b604fbff9}};

// Montgomery's reduction, a word at a time: -1/p mod 2^64 = 2^32 + 1 gives the m that clears the lowest word. With p =
// 2^384 - 2^128 - D, where D = 2^96 - 2^32 + 1 has the words D0 and D1, the number becomes
//   (low + m p) / 2^64 = low / 2^64 + m 2^320 - m 2^64 - (m D) / 2^64,
// the quotients rounded down: the lowest words of low and of m D are the same.
//
// Bounds: the low half of t, with multiples of p that sum to less than 2^384 * p, becomes
// (2^384 - 1 + (2^384 - 1) p) / 2^384 < p + 1, so at most p; no step leaves its six words, as each partial result is at
// most max(2^384 - 1, p) by the same bound. The high half is at most (p - 1)^2 / 2^384 < p - 1. The sum is below 2p.
TN_WORDS_INLINE void fe_reduce(fe *r, const uint64_t t[2 * WORDS]) {
  const uint64_t d0 = 0xffffffff00000001, d1 = 0x00000000ffffffff;
  uint64_t low[WORDS];
  memcpy(low, t, sizeof low);
  TN_WORDS_UNROLL for (int i = 0; i < WORDS; i++) {
    const uint64_t m = low[0] + (low[0] << 32);
    uint64_t high0, high1, carry = 0, borrow = 0;
    (void)tn_mul_wide(m, d0, &high0);
    const uint64_t middle = tn_mul_wide(m, d1, &high1);
    const uint64_t s0 = tn_add_carry(high0, middle, &carry);
    const uint64_t s1 = tn_add_carry(high1, m, &carry);
    low[0] = tn_sub_borrow(low[1], s0, &borrow);
    low[1] = tn_sub_borrow(low[2], s1, &borrow);
    low[2] = tn_sub_borrow(low[3], carry, &borrow);
    low[3] = tn_sub_borrow(low[4], 0, &borrow);
    low[4] = tn_sub_borrow(low[5], 0, &borrow);
    low[5] = m - borrow;
  }
  uint64_t carry = tn_words_add(low, low, t + WORDS, WORDS);
  tn_words_reduce_once(r->w, low, carry, P, WORDS);
}

#if defined(CURVE_ADX)
#include "crypto/x86_64/field_call.h"
#define FE_MUL_SQR
static inline void fe_mul(fe *r, const fe *a, const fe *b) { TN_FIELD_CALL(tn_p384_mul_raw, r, a, b); }
static inline void fe_sqr(fe *r, const fe *a) { TN_FIELD_CALL(tn_p384_sqr_raw, r, a, a); }
#endif
#include "crypto/ec/field_montgomery.h"
