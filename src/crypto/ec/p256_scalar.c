#include "crypto/ec/p256_scalar.h"

#include "base/mem.h"

const tn_p256_scalar tn_p256_order = {{0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000}};
#define N (tn_p256_order.w)
#define MINUS_INVERSE_OF_N 0xccd1c8aaee00bc4fu  // -1/n mod 2^64

static const tn_p256_scalar one = {{1, 0, 0, 0}};
// 2^512 mod n.
static const tn_p256_scalar r_squared = {
    {0x83244c95be79eea2, 0x4699799c49bd6fa6, 0x2845b2392b6bec59, 0x66e12d94f3d95620}};

// r = t / 2^256 mod n, Montgomery's reduction. Precondition: t < 2^256 n.
//
// Bounds: each row adds the multiple m n that clears the lowest word, all rows less than 2^256 n, so that the quotient
// is below 2n. `carry` belongs to the word above the row: five words, one at the fifth, and m n are below 2 * 2^320.
static void reduce(tn_p256_scalar *r, uint64_t t[8]) {
  uint64_t carry = 0;
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    uint64_t next = 0, m = t[i] * MINUS_INVERSE_OF_N;
    t[i + 4] = tn_add_carry(t[i + 4], carry, &next);
    carry = next + tn_words4_mul_add_row(t + i, m, N);
  }
  tn_words4_reduce_once(r->w, t + 4, carry, N);
}

// r = a * b / 2^256 mod n, Montgomery's multiplication.
static void montgomery(tn_p256_scalar *r, const tn_p256_scalar *a, const tn_p256_scalar *b) {
  uint64_t t[8];
  tn_words4_mul(t, a->w, b->w);
  reduce(r, t);
}

static void montgomery_sqr(tn_p256_scalar *r, const tn_p256_scalar *a) {
  uint64_t t[8];
  tn_words4_sqr(t, a->w);
  reduce(r, t);
}

uint64_t tn_p256_scalar_from_bytes(tn_p256_scalar *r, const uint8_t in[32]) {
  tn_words4_load(r->w, in);
  uint64_t below = tn_words4_less(r->w, N);
  tn_words4_reduce_once(r->w, r->w, 0, N);  // 2^256 < 2n
  return below;
}

bool tn_p256_scalar_decode(tn_p256_scalar *r, const uint8_t in[32]) {
  uint64_t below = tn_p256_scalar_from_bytes(r, in);
  return tn_ct_declassify(below & ~tn_p256_scalar_is_zero(r));
}

void tn_p256_scalar_to_bytes(uint8_t out[32], const tn_p256_scalar *a) { tn_words4_store(out, a->w); }

void tn_p256_scalar_add(tn_p256_scalar *r, const tn_p256_scalar *a, const tn_p256_scalar *b) {
  tn_words4_add_mod(r->w, a->w, b->w, N);
}

void tn_p256_scalar_mul(tn_p256_scalar *r, const tn_p256_scalar *a, const tn_p256_scalar *b) {
  tn_p256_scalar t;
  montgomery(&t, a, b);
  montgomery(r, &t, &r_squared);
  tn_wipe(&t, sizeof t);
}

// a^(n - 2), Fermat, by windows of four bits. The exponent is public: it picks powers and skips zeros.
void tn_p256_scalar_inv(tn_p256_scalar *r, const tn_p256_scalar *a) {
  tn_p256_scalar power[16];  // power[i] = a^i in Montgomery's form
  montgomery(&power[0], &one, &r_squared);
  montgomery(&power[1], a, &r_squared);
  for (int i = 2; i < 16; i++) montgomery(&power[i], &power[i - 1], &power[1]);

  const uint64_t exponent[4] = {N[0] - 2, N[1], N[2], N[3]};
  tn_p256_scalar t = power[15];  // the top four bits
  for (int bit = 248; bit >= 0; bit -= 4) {
    for (int i = 0; i < 4; i++) montgomery_sqr(&t, &t);
    unsigned digit = (exponent[bit / 64] >> (bit % 64)) & 15;
    if (digit != 0) montgomery(&t, &t, &power[digit]);
  }
  montgomery(r, &t, &one);
  tn_wipe(power, sizeof power);
  tn_wipe(&t, sizeof t);
}
