#include "crypto/ec/x25519.h"

#include <string.h>

#include "base/ct.h"
#include "base/mem.h"
#include "crypto/ec/fe25519.h"

// One step of the Montgomery ladder, RFC 7748 section 5: from the multiples n and n + 1 of a point whose
// u-coordinate is x1 to 2n and 2n + 1, as fractions x / z. Coordinates are tight in and out.
typedef struct ladder {
  tn_fe25519 x2, z2;  // n
  tn_fe25519 x3, z3;  // n + 1
} ladder;

static void step(ladder *l, const tn_fe25519 *x1) {
  tn_fe25519 a, b, c, d, e, aa, bb;
  tn_fe25519_add(&a, &l->x2, &l->z2);
  tn_fe25519_sub(&b, &l->x2, &l->z2);
  tn_fe25519_add(&c, &l->x3, &l->z3);
  tn_fe25519_sub(&d, &l->x3, &l->z3);
  tn_fe25519_mul(&d, &d, &a);
  tn_fe25519_mul(&c, &c, &b);
  tn_fe25519_square(&aa, &a);
  tn_fe25519_square(&bb, &b);

  tn_fe25519_add(&a, &d, &c);
  tn_fe25519_sub(&b, &d, &c);
  tn_fe25519_square(&l->x3, &a);
  tn_fe25519_square(&b, &b);
  tn_fe25519_mul(&l->z3, &b, x1);

  tn_fe25519_sub(&e, &aa, &bb);
  tn_fe25519_mul(&l->x2, &aa, &bb);
  tn_fe25519_mul_small(&a, &e, 121665);  // (A - 2) / 4
  tn_fe25519_add(&a, &a, &aa);
  tn_fe25519_mul(&l->z2, &e, &a);
}

void tn_x25519(uint8_t out[32], const uint8_t scalar[32], const uint8_t u[32]) {
  uint8_t k[32];
  memcpy(k, scalar, sizeof k);
  k[0] &= 248;
  k[31] = (uint8_t)((k[31] & 127) | 64);

  tn_fe25519 x1;
  tn_fe25519_from_bytes(&x1, u);
  ladder l = {tn_fe25519_one, tn_fe25519_zero, x1, tn_fe25519_one};
  uint64_t swapped = 0;
  for (unsigned t = 255; t-- != 0;) {
    const uint64_t bit = (uint64_t)k[t / 8] >> (t % 8) & 1;
    const uint64_t mask = tn_ct_mask_bit(bit ^ swapped);
    tn_fe25519_swap(mask, &l.x2, &l.x3);
    tn_fe25519_swap(mask, &l.z2, &l.z3);
    swapped = bit;
    step(&l, &x1);
  }
  // Bit 0 of the clamped scalar is 0: nothing is left swapped.
  tn_fe25519_invert(&l.z2, &l.z2);
  tn_fe25519_mul(&l.x2, &l.x2, &l.z2);
  tn_fe25519_to_bytes(out, &l.x2);
  tn_wipe(k, sizeof k);
  tn_wipe(&x1, sizeof x1);
  tn_wipe(&l, sizeof l);
}

void tn_x25519_base(uint8_t out[32], const uint8_t scalar[32]) {
  static const uint8_t base[32] = {9};
  tn_x25519(out, scalar, base);
}
