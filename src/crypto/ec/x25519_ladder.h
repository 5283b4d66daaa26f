// A template: RFC 7748's ladder, from the field that the including file has defined (edwards25519_point.h says what).
#include "base/bytes.h"
#include "base/mem.h"

// Two points of which the multiples n and n + 1 of one are known: u-coordinates as fractions x / z.
typedef struct ladder {
  fe x1;                  // the point
  fe x2, z2;              // n times it
  fe x3, z3;              // n + 1 times it
  fe a, b, c, d, aa, bb;  // what a step computes on its way; here to be wiped once
} ladder;

#ifndef ladder_steps
// Where mask is zero, from n and n + 1 to 2n and 2n + 1. Where it is all ones, from n + 1 and n to 2n + 2 and 2n + 1:
// the sum's two products only change places, so that what is doubled is all that has to be chosen. Coordinates are
// tight in and out.
static void ladder_step(ladder *l, uint64_t mask) {
  fe_add(&l->a, &l->x2, &l->z2);
  fe_sub(&l->b, &l->x2, &l->z2);
  fe_add(&l->c, &l->x3, &l->z3);
  fe_sub(&l->d, &l->x3, &l->z3);
  fe_mul(&l->x3, &l->d, &l->a);
  fe_mul(&l->z3, &l->c, &l->b);
  fe_select(&l->a, mask, &l->c, &l->a);
  fe_select(&l->b, mask, &l->d, &l->b);
  fe_sqr(&l->aa, &l->a);
  fe_sqr(&l->bb, &l->b);

  fe_add(&l->c, &l->x3, &l->z3);
  fe_sub(&l->d, &l->x3, &l->z3);
  fe_sub(&l->b, &l->aa, &l->bb);
  fe_sqr(&l->x3, &l->c);
  fe_sqr(&l->d, &l->d);
  fe_mul_small(&l->a, &l->b, 121665);  // (A - 2) / 4
  fe_add(&l->a, &l->a, &l->aa);
  fe_mul(&l->x2, &l->aa, &l->bb);
  fe_mul(&l->z3, &l->d, &l->x1);
  fe_mul(&l->z2, &l->a, &l->b);
}

// 255 steps, the highest bit of `changes` first.
static void ladder_steps(ladder *l, const uint64_t changes[4]) {
  for (int t = 254; t >= 0; t--) ladder_step(l, tn_ct_mask_bit(changes[t / 64] >> (t % 64)));
}
#endif

// For an even k < 2^255. A step finds the two points in the order that the bit above it left, so that they have to
// change places where its own bit is another one; and nothing is left to change after the last, which is 0.
static void multiply_u(uint8_t out[32], const uint64_t k[4], const uint8_t u[32]) {
  ladder l = {.x2 = FE_ONE, .z2 = FE_ZERO, .z3 = FE_ONE};
  uint64_t changes[4];
  for (int i = 0; i < 4; i++) changes[i] = k[i] ^ (k[i] >> 1 | (i < 3 ? k[i + 1] << 63 : 0));
  fe_from_bytes(&l.x1, u);
  l.x3 = l.x1;
  ladder_steps(&l, changes);
  fe_invert(&l.z2, &l.z2);
  fe_mul(&l.x2, &l.x2, &l.z2);
  fe_to_bytes(out, &l.x2);
  tn_wipe(&l, sizeof l);
  tn_wipe(changes, sizeof changes);
  wipe_vectors();
}
