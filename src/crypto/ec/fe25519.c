#include "crypto/ec/fe25519.h"

typedef unsigned __int128 uint128;

#define MASK51 (((uint64_t)1 << 51) - 1)

void tn_fe25519_from_words(tn_fe25519 *out, const uint64_t words[4]) {
  const uint64_t w0 = words[0], w1 = words[1], w2 = words[2], w3 = words[3];
  *out = (tn_fe25519){{
      w0 & MASK51,
      (w0 >> 51 | w1 << 13) & MASK51,
      (w1 >> 38 | w2 << 26) & MASK51,
      (w2 >> 25 | w3 << 39) & MASK51,
      (w3 >> 12) & MASK51,
  }};
}

// The first pass leaves x1 to x4 < 2^51 and x0 < 2^51 + 19 * 2^4 (loose limbs and the carry into them are
// < 2^55), so that the value v is below 2^255 + 2^9 < 2p. Then q = (v + 19) >> 255 is 1 if v >= p, else 0, and
// v + 19q mod 2^255 is v mod p.
void tn_fe25519_to_words(uint64_t words[4], const tn_fe25519 *a) {
  uint64_t x0 = a->limb[0], x1 = a->limb[1], x2 = a->limb[2], x3 = a->limb[3], x4 = a->limb[4];
  x1 += x0 >> 51, x0 &= MASK51;
  x2 += x1 >> 51, x1 &= MASK51;
  x3 += x2 >> 51, x2 &= MASK51;
  x4 += x3 >> 51, x3 &= MASK51;
  x0 += 19 * (x4 >> 51), x4 &= MASK51;

  uint64_t q = (x0 + 19) >> 51;
  q = (x1 + q) >> 51;
  q = (x2 + q) >> 51;
  q = (x3 + q) >> 51;
  q = (x4 + q) >> 51;

  x0 += 19 * q;
  x1 += x0 >> 51, x0 &= MASK51;
  x2 += x1 >> 51, x1 &= MASK51;
  x3 += x2 >> 51, x2 &= MASK51;
  x4 += x3 >> 51, x3 &= MASK51;
  x4 &= MASK51;

  words[0] = x0 | x1 << 51;
  words[1] = x1 >> 13 | x2 << 38;
  words[2] = x2 >> 26 | x3 << 25;
  words[3] = x3 >> 39 | x4 << 12;
}

// out = r0 + 2^51 r1 + ... + 2^204 r4, tight, for r0 to r3 < 77 * 2^108 and r4 < 5 * 2^108 + 2^64.
// Each carry into r1 to r4 is below 2^64: 77 * 2^108 / 2^51 < 2^63.3. The carry out of r4 is < 2^59.4, and
// times 19, since 2^255 = 19 mod p, < 2^63.7; with the 51 bits of r0 it fits, and carries < 2^13 into r1.
static inline void carry(tn_fe25519 *out, uint128 r0, uint128 r1, uint128 r2, uint128 r3, uint128 r4) {
  r1 += (uint64_t)(r0 >> 51);
  r2 += (uint64_t)(r1 >> 51);
  r3 += (uint64_t)(r2 >> 51);
  r4 += (uint64_t)(r3 >> 51);
  const uint64_t low = ((uint64_t)r0 & MASK51) + 19 * (uint64_t)(r4 >> 51);
  out->limb[0] = low & MASK51;
  out->limb[1] = ((uint64_t)r1 & MASK51) + (low >> 51);
  out->limb[2] = (uint64_t)r2 & MASK51;
  out->limb[3] = (uint64_t)r3 & MASK51;
  out->limb[4] = (uint64_t)r4 & MASK51;
}

// Each product of limbs is < 2^108, each row has five, of which those that wrap around count 19 times:
// four of them in r0, none in r4. So r0 < (1 + 4 * 19) * 2^108 is the largest, and r4 < 5 * 2^108.
// 19 times a loose limb is < 2^58.3.
void tn_fe25519_mul(tn_fe25519 *out, const tn_fe25519 *a, const tn_fe25519 *b) {
  const uint64_t a0 = a->limb[0], a1 = a->limb[1], a2 = a->limb[2], a3 = a->limb[3], a4 = a->limb[4];
  const uint64_t b0 = b->limb[0], b1 = b->limb[1], b2 = b->limb[2], b3 = b->limb[3], b4 = b->limb[4];
  const uint64_t b1_19 = 19 * b1, b2_19 = 19 * b2, b3_19 = 19 * b3, b4_19 = 19 * b4;
  const uint128 r0 =
      (uint128)a0 * b0 + (uint128)a1 * b4_19 + (uint128)a2 * b3_19 + (uint128)a3 * b2_19 + (uint128)a4 * b1_19;
  const uint128 r1 =
      (uint128)a0 * b1 + (uint128)a1 * b0 + (uint128)a2 * b4_19 + (uint128)a3 * b3_19 + (uint128)a4 * b2_19;
  const uint128 r2 = (uint128)a0 * b2 + (uint128)a1 * b1 + (uint128)a2 * b0 + (uint128)a3 * b4_19 + (uint128)a4 * b3_19;
  const uint128 r3 = (uint128)a0 * b3 + (uint128)a1 * b2 + (uint128)a2 * b1 + (uint128)a3 * b0 + (uint128)a4 * b4_19;
  const uint128 r4 = (uint128)a0 * b4 + (uint128)a1 * b3 + (uint128)a2 * b2 + (uint128)a3 * b1 + (uint128)a4 * b0;
  carry(out, r0, r1, r2, r3, r4);
}

// The same sums with equal products taken twice; 38 times a loose limb is < 2^59.3.
void tn_fe25519_square(tn_fe25519 *out, const tn_fe25519 *a) {
  const uint64_t a0 = a->limb[0], a1 = a->limb[1], a2 = a->limb[2], a3 = a->limb[3], a4 = a->limb[4];
  const uint64_t a0_2 = 2 * a0, a1_2 = 2 * a1, a3_19 = 19 * a3, a4_19 = 19 * a4, a3_38 = 2 * a3_19, a4_38 = 2 * a4_19;
  const uint128 r0 = (uint128)a0 * a0 + (uint128)a1 * a4_38 + (uint128)a2 * a3_38;
  const uint128 r1 = (uint128)a0_2 * a1 + (uint128)a2 * a4_38 + (uint128)a3 * a3_19;
  const uint128 r2 = (uint128)a0_2 * a2 + (uint128)a1 * a1 + (uint128)a3 * a4_38;
  const uint128 r3 = (uint128)a0_2 * a3 + (uint128)a1_2 * a2 + (uint128)a4 * a4_19;
  const uint128 r4 = (uint128)a0_2 * a4 + (uint128)a1_2 * a3 + (uint128)a2 * a2;
  carry(out, r0, r1, r2, r3, r4);
}

// Every row is < 2^54 * 2^32 = 2^86.
void tn_fe25519_mul_small(tn_fe25519 *out, const tn_fe25519 *a, uint32_t b) {
  const uint64_t *x = a->limb;
  carry(out, (uint128)x[0] * b, (uint128)x[1] * b, (uint128)x[2] * b, (uint128)x[3] * b, (uint128)x[4] * b);
}
