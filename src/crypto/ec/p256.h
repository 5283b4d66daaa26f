// The numbers of P-256 (SP 800-186 section 3.2.1.3), for weierstrass.h: p = 2^256 - 2^224 + 2^192 + 2^96 - 1.
#include <string.h>

#include "crypto/ec/curve_tables.h"
#include "crypto/ec/words.h"

#define BITS 256
#define WORDS 4
#define WINDOW 5
#define BASE_WINDOW TN_P256_BASE_WINDOW
#define BASE_TABLE tn_p256_table

static const uint64_t ORDER[WORDS] = {0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000};
static const uint64_t ORDER_R2[WORDS] = {0x83244c95be79eea2, 0x4699799c49bd6fa6, 0x2845b2392b6bec59,
                                         0x66e12d94f3d95620};
#define ORDER_LOW 0xf3b9cac2fc632551
#define ORDER_MINUS_INVERSE 0xccd1c8aaee00bc4f

// In multiply_base: below the top digit, i = 42, |e| < 2^252 and |f| <= 2^245. The top one is the last: f = d * 2^252,
// and |e| <= 2^251 by Booth's bound, so |e - f| <= 15.5 * 2^252 < n for d <= 15; and d = 16 with f - e = n would mean k
// = e + f = 2^257 - n > n.

typedef struct fe {
  uint64_t w[WORDS];
} fe;

#define P1 0x00000000ffffffff
#define P3 0xffffffff00000001
static const uint64_t P[WORDS] = {0xffffffffffffffff, P1, 0, P3};
static const fe fe_one = {{0x0000000000000001, 0xffffffff00000000, 0xffffffffffffffff, 0x00000000fffffffe}};
static const fe fe_r2 = {{0x0000000000000003, 0xfffffffbffffffff, 0xfffffffffffffffe, 0x00000004fffffffd}};
static const fe fe_b = {{0xd89cdf6229c4bddf, 0xacf005cd78843090, 0xe5a220abf7212ed6, 0xdc30061d04874834}};

// Montgomery's reduction, a word at a time. As -1/p mod 2^64 = 1, the multiple of p that clears the lowest word m is m
// itself; and m * p = (m * P3) * 2^192 + m * 2^96 - m, whose last term clears the word.
//
// Bounds: the low half of t, with multiples of p that sum to less than 2^256 * p, becomes
// (2^256 - 1 + (2^256 - 1) p) / 2^256 < p + 1, so at most p; no step carries out of its four words, as each partial
// result is at most max(2^256 - 1, p) by the same bound. The high half is at most (p - 1)^2 / 2^256 < p - 1. The sum is
// below 2p.
TN_WORDS_INLINE void fe_reduce(fe *r, const uint64_t t[2 * WORDS]) {
  uint64_t low[WORDS] = {t[0], t[1], t[2], t[3]};
  TN_WORDS_UNROLL for (int i = 0; i < WORDS; i++) {
    const uint64_t m = low[0];
    uint64_t carry = 0, high, product = tn_mul_wide(m, P3, &high);
    low[0] = tn_add_carry(low[1], m << 32, &carry);
    low[1] = tn_add_carry(low[2], m >> 32, &carry);
    low[2] = tn_add_carry(low[3], product, &carry);
    low[3] = high + carry;
  }
  uint64_t carry = tn_words_add(low, low, t + WORDS, WORDS);
  tn_words_reduce_once(r->w, low, carry, P, WORDS);
}

#if defined(CURVE_ADX)
#define FE_MUL_ADX tn_p256_fe_mul_adx
#define FE_SQR_ADX tn_p256_fe_sqr_adx
#endif
#include "crypto/ec/field_montgomery.h"
