// One step of Poly1305, inline, so that it can run on the integer units while ChaCha20 keeps those of vectors busy.
//
// The accumulator is h0 + 2^64 h1 + 2^128 h2, modulo p = 2^130 - 5, where h2 < 2^63 is all that lies above. A step
// makes of it (h + block) * r:
//
// 2^128 h2 = 2^130 (h2 >> 2) + 2^128 (h2 & 3), and 2^130 = 5 mod p, so h2 shrinks to h2 & 3 while
// 5 (h2 >> 2) = (h2 & ~3) + (h2 >> 2) < 2^63 + 2^61 comes to h0. That, the block and the bit after it, 2^128, carry at
// most 1 each: h2 <= 3 + 1 + 1 + 1 = 6.
// The clamp makes r0, r1 < 2^60 and r1 a multiple of 4, so that 2^128 r1 = 2^130 r1/4 = 5 r1/4 mod p: call that
// s1 = r1 + r1/4 < 1.25 * 2^60, the third word of r[]. Then
//   d0 = h0 r0 + h1 s1             < 2.25 * 2^124
//   d1 = h0 r1 + h1 r0 + h2 s1     < 2^125 + 7.5 * 2^60, with d0's carry < 2^125 + 2^64
//   d2 = h2 r0                     <= 6 * (2^60 - 1), with d1's carry, at most 2^61, <= 2^63 - 6
// are the new h0, h1 and h2.
#ifndef TN_CRYPTO_POLY1305_BLOCK_H
#define TN_CRYPTO_POLY1305_BLOCK_H

#include "base/bytes.h"
#include "crypto/aead/poly1305.h"

static inline __attribute__((always_inline)) uint64_t tn_poly1305_add(uint64_t a, uint64_t b, uint64_t *carry) {
  uint64_t sum, first = __builtin_add_overflow(a, b, &sum), second = __builtin_add_overflow(sum, *carry, &sum);
  *carry = first | second;
  return sum;
}

// `after` is 1, the bit after the 16 bytes; a last short block, which brings its own along, gives 0.
static inline __attribute__((always_inline)) void tn_poly1305_block(uint64_t h[3], const uint64_t r[3],
                                                                    const uint8_t block[TN_POLY1305_BLOCK],
                                                                    uint64_t after) {
  typedef unsigned __int128 uint128;
  const uint64_t r0 = r[0], r1 = r[1], s1 = r[2];
  uint64_t carry = 0;
  uint64_t h0 = tn_poly1305_add(h[0], tn_load_le64(block), &carry);
  uint64_t h1 = tn_poly1305_add(h[1], tn_load_le64(block + 8), &carry);
  uint64_t h2 = (h[2] & 3) + after + carry;
  carry = 0;
  h0 = tn_poly1305_add(h0, (h[2] & ~(uint64_t)3) + (h[2] >> 2), &carry);
  h1 = tn_poly1305_add(h1, 0, &carry);
  h2 += carry;

  const uint128 d0 = (uint128)h0 * r0 + (uint128)h1 * s1, d1 = (uint128)h0 * r1 + (uint128)h1 * r0;
  uint64_t carry0 = 0, carry1 = 0;
  h[0] = (uint64_t)d0;
  h[1] = tn_poly1305_add((uint64_t)d1, (uint64_t)(d0 >> 64), &carry0);
  h[1] = tn_poly1305_add(h[1], h2 * s1, &carry1);
  h[2] = h2 * r0 + (uint64_t)(d1 >> 64) + carry0 + carry1;
}

#if defined(TN_CT_MSAN)
// That checker does not follow secrets through assembly; valgrind does.
#define tn_poly1305_block_bmi2(h, r, block) tn_poly1305_block(h, r, block, 1)
#elif defined(__x86_64__)
// The same for a whole block, with BMI2.
static inline __attribute__((always_inline)) void tn_poly1305_block_bmi2(uint64_t h[3], const uint64_t r[3],
                                                                         const uint8_t block[TN_POLY1305_BLOCK]) {
  typedef uint64_t word __attribute__((aligned(1), may_alias));
  const word *m = (const word *)block;
  uint64_t d0, d1, carry, t;
  __asm__(
      // h += block; h2's upper part goes to h0
      "mov %[h2], %[t]\n\t"
      "mov %[h2], %[d0]\n\t"
      "and $-4, %[t]\n\t"
      "shr $2, %[d0]\n\t"
      "and $3, %[h2]\n\t"
      "add %[m0], %[h0]\n\t"
      "adc %[m1], %[h1]\n\t"
      "adc $1, %[h2]\n\t"
      "add %[t], %[d0]\n\t"
      "add %[d0], %[h0]\n\t"
      "adc $0, %[h1]\n\t"
      "adc $0, %[h2]\n\t"
      // carry:d0 = h0 r0 + h1 s1
      "mov %[h0], %%rdx\n\t"
      "mulx %[r0], %[d0], %[carry]\n\t"
      "mulx %[r1], %[h0], %[d1]\n\t"
      "mov %[h1], %%rdx\n\t"
      "mulx %[s1], %[h1], %[t]\n\t"
      "add %[h1], %[d0]\n\t"
      "adc %[t], %[carry]\n\t"
      // d1:h0 = h0 r1 + h1 r0
      "mulx %[r0], %[h1], %[t]\n\t"
      "add %[h1], %[h0]\n\t"
      "adc %[t], %[d1]\n\t"
      // h2:h0 = d1:h0 + carry + h2 s1 + 2^64 h2 r0
      "mov %[h2], %%rdx\n\t"
      "imul %[s1], %%rdx\n\t"
      "add %[carry], %[h0]\n\t"
      "adc $0, %[d1]\n\t"
      "imul %[r0], %[h2]\n\t"
      "add %%rdx, %[h0]\n\t"
      "adc %[d1], %[h2]\n\t"
      : [h0] "+&r"(h[0]), [h1] "+&r"(h[1]), [h2] "+&r"(h[2]), [d0] "=&r"(d0), [d1] "=&r"(d1), [carry] "=&r"(carry),
        [t] "=&r"(t)
      : [r0] "m"(r[0]), [r1] "m"(r[1]), [s1] "m"(r[2]), [m0] "m"(m[0]), [m1] "m"(m[1])
      : "rdx", "cc");
  h[1] = h[0];
  h[0] = d0;
}
#endif

// ---------------------------------------------------------------- products of any two numbers
// These have a factor in limbs of 44, 44 and 42 bits, x0 + 2^44 x1 + 2^88 x2, whose sums leave room in 128 bits. Since
// 2^132 = 4 * 2^130 = 20 mod p, a product of limbs that lies 2^132 above another counts 20 times there.

// The limbs of h, from any h2 < 2^63: x0, x1 < 2^44, x2 <= 2^42.
static inline __attribute__((always_inline)) void tn_poly1305_limbs(uint64_t x[3], const uint64_t h[3]) {
  const uint64_t mask = ((uint64_t)1 << 44) - 1;
  uint64_t carry = 0;
  const uint64_t h0 = tn_poly1305_add(h[0], (h[2] & ~(uint64_t)3) + (h[2] >> 2), &carry);
  const uint64_t h1 = tn_poly1305_add(h[1], 0, &carry), h2 = (h[2] & 3) + carry;  // <= 4
  x[0] = h0 & mask, x[1] = (h0 >> 44 | h1 << 20) & mask, x[2] = h1 >> 24 | h2 << 40;
}

// h = h * x, from limbs as above.
//   d0 < 2^88 + 5 * 2^88 + 5 * 2^88     its carry < 2^48
//   d1 < 2^88 + 2^88 + 1.25 * 2^88      with the carry < 2^90; its own < 2^46
//   d2 < 2^86 + 2^88 + 2^86             with the carry < 2^89; above 2^130 less than 2^47, which counts 5 times
// so l0 < 2^44 + 2^50, l1 < 2^44, l2 < 2^42, and in words h2 <= 3 + 1.
static inline __attribute__((always_inline)) void tn_poly1305_mul(uint64_t h[3], const uint64_t x[3]) {
  typedef unsigned __int128 uint128;
  const uint64_t mask44 = ((uint64_t)1 << 44) - 1, mask42 = ((uint64_t)1 << 42) - 1;
  uint64_t y[3];
  tn_poly1305_limbs(y, h);
  const uint64_t x1_20 = 20 * x[1], x2_20 = 20 * x[2];
  const uint128 d0 = (uint128)y[0] * x[0] + (uint128)y[1] * x2_20 + (uint128)y[2] * x1_20;
  const uint128 d1 = (uint128)y[0] * x[1] + (uint128)y[1] * x[0] + (uint128)y[2] * x2_20 + (uint64_t)(d0 >> 44);
  const uint128 d2 = (uint128)y[0] * x[2] + (uint128)y[1] * x[1] + (uint128)y[2] * x[0] + (uint64_t)(d1 >> 44);
  const uint64_t l0 = ((uint64_t)d0 & mask44) + 5 * (uint64_t)(d2 >> 42), l1 = (uint64_t)d1 & mask44;
  const uint64_t l2 = (uint64_t)d2 & mask42;
  uint64_t carry = 0;
  h[0] = tn_poly1305_add(l0, l1 << 44, &carry);
  h[1] = tn_poly1305_add(l1 >> 20, l2 << 24, &carry);
  h[2] = (l2 >> 40) + carry;
}

#endif
