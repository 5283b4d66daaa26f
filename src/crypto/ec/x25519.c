#include "crypto/ec/x25519.h"

#include <string.h>

#include "base/ct.h"
#include "base/mem.h"
#include "crypto/ec/fe25519.h"

// The Montgomery ladder of RFC 7748 section 5: the multiples n and n + 1 of a point, u-coordinates as fractions x / z.
typedef struct ladder {
  tn_fe25519 x1;                     // the point
  tn_fe25519 x2, z2;                 // n times it
  tn_fe25519 x3, z3;                 // n + 1 times it
  tn_fe25519 a, b, c, d, e, aa, bb;  // what a step computes on its way; here to be wiped once
} ladder;

// From n and n + 1 to 2n and 2n + 1. Coordinates are tight in and out.
static void step(ladder *l) {
  tn_fe25519_add(&l->a, &l->x2, &l->z2);
  tn_fe25519_sub(&l->b, &l->x2, &l->z2);
  tn_fe25519_add(&l->c, &l->x3, &l->z3);
  tn_fe25519_sub(&l->d, &l->x3, &l->z3);
  tn_fe25519_mul(&l->d, &l->d, &l->a);
  tn_fe25519_mul(&l->c, &l->c, &l->b);
  tn_fe25519_square(&l->aa, &l->a);
  tn_fe25519_square(&l->bb, &l->b);

  tn_fe25519_add(&l->a, &l->d, &l->c);
  tn_fe25519_sub(&l->b, &l->d, &l->c);
  tn_fe25519_square(&l->x3, &l->a);
  tn_fe25519_square(&l->b, &l->b);
  tn_fe25519_mul(&l->z3, &l->b, &l->x1);

  tn_fe25519_sub(&l->e, &l->aa, &l->bb);
  tn_fe25519_mul(&l->x2, &l->aa, &l->bb);
  tn_fe25519_mul_small(&l->a, &l->e, 121665);  // (A - 2) / 4
  tn_fe25519_add(&l->a, &l->a, &l->aa);
  tn_fe25519_mul(&l->z2, &l->e, &l->a);
}

void tn_x25519(uint8_t out[32], const uint8_t scalar[32], const uint8_t u[32]) {
  uint8_t k[32];
  memcpy(k, scalar, sizeof k);
  k[0] &= 248;
  k[31] = (uint8_t)((k[31] & 127) | 64);

  ladder l = {.x2 = tn_fe25519_one, .z2 = tn_fe25519_zero, .z3 = tn_fe25519_one};
  tn_fe25519_from_bytes(&l.x1, u);
  l.x3 = l.x1;
  uint64_t swapped = 0;
  for (unsigned t = 255; t-- != 0;) {
    const uint64_t bit = (uint64_t)k[t / 8] >> (t % 8) & 1;
    const uint64_t mask = tn_ct_mask_bit(bit ^ swapped);
    tn_fe25519_swap(mask, &l.x2, &l.x3);
    tn_fe25519_swap(mask, &l.z2, &l.z3);
    swapped = bit;
    step(&l);
  }
  // Bit 0 of the clamped scalar is 0: nothing is left swapped.
  tn_fe25519_invert(&l.z2, &l.z2);
  tn_fe25519_mul(&l.x2, &l.x2, &l.z2);
  tn_fe25519_to_bytes(out, &l.x2);
  tn_wipe(k, sizeof k);
  tn_wipe(&l, sizeof l);
  tn_wipe_stack();
}

void tn_x25519_base(uint8_t out[32], const uint8_t scalar[32]) {
  static const uint8_t base[32] = {9};
  tn_x25519(out, scalar, base);
}
