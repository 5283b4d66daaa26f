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

// In multiply_base: below the top digit, i = 36, |e| < 2^252 and |f| <= 2^251. The top one is the last: f = d * 2^252,
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
#include "crypto/x86_64/field_call.h"
#define POINT_ADX(name) tn_p256_point_##name##_adx
#define FE_MUL_SQR
static inline void fe_mul(fe *r, const fe *a, const fe *b) { TN_FIELD_CALL(tn_p256_mul_raw, r, a, b); }
static inline void fe_sqr(fe *r, const fe *a) { TN_FIELD_CALL(tn_p256_sqr_raw, r, a, a); }

// r = a + b mod p: the sum, or p less where that does not borrow of the sum's 257 bits. What compilers make of the same
// in C takes half as many instructions more.
#define FE_ADD_SUB
static inline void fe_add(fe *r, const fe *a, const fe *b) {
  uint64_t s0 = a->w[0], s1 = a->w[1], s2 = a->w[2], s3 = a->w[3], t0, t1, t2, t3, top;
  __asm__(
      "addq %[b0], %[s0]\n\t"
      "adcq %[b1], %[s1]\n\t"
      "adcq %[b2], %[s2]\n\t"
      "adcq %[b3], %[s3]\n\t"
      "sbbq %[top], %[top]\n\t"  // -1 if there is a 257th bit
      "movq %[s0], %[t0]\n\t"
      "movq %[s1], %[t1]\n\t"
      "movq %[s2], %[t2]\n\t"
      "movq %[s3], %[t3]\n\t"
      "subq $-1, %[t0]\n\t"
      "sbbq %[p1], %[t1]\n\t"
      "sbbq $0, %[t2]\n\t"
      "sbbq %[p3], %[t3]\n\t"
      "sbbq $0, %[top]\n\t"  // CF = 1 only if the sum was below p
      "cmovcq %[s0], %[t0]\n\t"
      "cmovcq %[s1], %[t1]\n\t"
      "cmovcq %[s2], %[t2]\n\t"
      "cmovcq %[s3], %[t3]"
      : [s0] "+&r"(s0), [s1] "+&r"(s1), [s2] "+&r"(s2), [s3] "+&r"(s3), [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2),
        [t3] "=&r"(t3), [top] "=&r"(top)
      : [b0] "m"(b->w[0]), [b1] "m"(b->w[1]), [b2] "m"(b->w[2]), [b3] "m"(b->w[3]), [p1] "r"((uint64_t)P1),
        [p3] "r"((uint64_t)P3)
      : "cc");
  *r = (fe){{t0, t1, t2, t3}};
}

// r = a - b mod p: the difference, and p more if it borrows.
static inline void fe_sub(fe *r, const fe *a, const fe *b) {
  uint64_t d0 = a->w[0], d1 = a->w[1], d2 = a->w[2], d3 = a->w[3], below, p1, p3;
  __asm__(
      "subq %[b0], %[d0]\n\t"
      "sbbq %[b1], %[d1]\n\t"
      "sbbq %[b2], %[d2]\n\t"
      "sbbq %[b3], %[d3]\n\t"
      "sbbq %[below], %[below]\n\t"  // -1 if it borrows: the lowest word of p, or 0
      "movl %k[below], %k[p1]\n\t"
      "movq %[P3_], %[p3]\n\t"
      "andq %[below], %[p3]\n\t"
      "addq %[below], %[d0]\n\t"
      "adcq %[p1], %[d1]\n\t"
      "adcq $0, %[d2]\n\t"
      "adcq %[p3], %[d3]"
      : [d0] "+&r"(d0), [d1] "+&r"(d1), [d2] "+&r"(d2), [d3] "+&r"(d3), [below] "=&r"(below), [p1] "=&r"(p1),
        [p3] "=&r"(p3)
      : [b0] "m"(b->w[0]), [b1] "m"(b->w[1]), [b2] "m"(b->w[2]), [b3] "m"(b->w[3]), [P3_] "r"((uint64_t)P3)
      : "cc");
  *r = (fe){{d0, d1, d2, d3}};
}
#endif
#include "crypto/ec/field_montgomery.h"
