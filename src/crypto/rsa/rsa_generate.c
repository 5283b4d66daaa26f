// Key generation, FIPS 186-5 appendix A.1.3.
#include <string.h>

#include "base/mem.h"
#include "crypto/inverse.h"
#include "crypto/rsa/rsa_key.h"

typedef unsigned __int128 wide;

#define HALF (TN_BN_MAX_WORDS / 2)

// ---------------------------------------------------------------- modulo e = 2^16 + 1
// lo + 2^16 hi mod e for hi of at most 2^16.
static uint64_t fold(uint64_t lo, uint64_t hi) {
  uint64_t r = lo - hi;
  return r + (tn_ct_mask_bit(r >> 63) & TN_RSA_GENERATED_E);
}

static uint64_t mul_mod_e(uint64_t a, uint64_t b) { return fold(a * b & 0xffff, a * b >> 16); }

// 2^32 is 1.
static uint64_t reduce_mod_e(const uint64_t *a, size_t words) {
  uint64_t sum = 0;
  for (size_t i = 0; i < words; i++) sum += (a[i] & UINT32_MAX) + (a[i] >> 32);
  sum = (sum & UINT32_MAX) + (sum >> 32);
  sum = (sum & UINT32_MAX) + (sum >> 32);
  return fold(sum & 0xffff, sum >> 16);
}

// d = 1/e mod m = (1 + k m) / e with k = -1/m mod e.
static void invert_e(uint64_t *d, const uint64_t *m, size_t words) {
  const uint64_t inverse = 0xffff0000ffff0001;  // 1/e mod 2^64
  uint64_t r = reduce_mod_e(m, words), power = r;
  for (int i = 0; i < 15; i++) power = mul_mod_e(mul_mod_e(power, power), r);  // r^(e - 2)
  uint64_t k = TN_RSA_GENERATED_E - power, borrow = 0;
  wide product = 1;
  for (size_t i = 0; i < words; i++) {
    product += (wide)k * m[i];
    wide rest = (wide)(uint64_t)product - borrow;
    product >>= 64;
    d[i] = (uint64_t)rest * inverse;
    borrow = (uint64_t)(((wide)d[i] * TN_RSA_GENERATED_E) >> 64) + ((uint64_t)(rest >> 64) & 1);
  }
}

// ---------------------------------------------------------------- numbers without a modulus
static void halve(uint64_t *a, size_t words) {
  for (size_t i = 0; i < words; i++) a[i] = a[i] >> 1 | (i + 1 < words ? a[i + 1] << 63 : 0);
}

// a = the greatest common divisor of a and b, which are odd and below 2^bits. Changes b.
static void gcd(uint64_t *a, uint64_t *b, size_t words, size_t bits) {
  // Each step takes a bit at least from one of the two. a stays odd.
  for (size_t i = 0; i < 2 * bits; i++) {
    uint64_t odd = tn_ct_mask_bit(b[0]), swap = odd & tn_bn_less(b, a, words), borrow = 0;
    for (size_t j = 0; j < words; j++) {
      uint64_t both = swap & (a[j] ^ b[j]);
      a[j] ^= both;
      b[j] ^= both;
      wide difference = (wide)b[j] - (a[j] & odd) - borrow;
      b[j] = (uint64_t)difference;
      borrow = (uint64_t)(difference >> 64) & 1;
    }
    halve(b, words);
  }
}

// r = a / b for an odd b that divides a. Changes a.
static void divide_exactly(uint64_t *r, uint64_t *a, const uint64_t *b, size_t words) {
  uint64_t inverse = tn_inverse_mod_word(b[0]), zero[HALF] = {0};
  for (size_t i = 0; i < words; i++) {
    r[i] = 0 - a[i] * inverse;
    (void)tn_bn_mul_add(a + i, b, words - i, r[i]);
  }
  (void)tn_bn_sub(r, zero, r, words);
}

// ---------------------------------------------------------------- the key
// Whether |p - q| > 2^(bits - 100).
static bool far_apart(const uint64_t *p, const uint64_t *q, size_t words, size_t bits) {
  uint64_t difference[HALF], other[HALF], bound[HALF] = {0};
  bound[(bits - 100) / 64] = (uint64_t)1 << ((bits - 100) % 64);
  (void)tn_bn_sub(difference, p, q, words);
  (void)tn_bn_sub(other, q, p, words);
  tn_bn_select(difference, tn_bn_less(p, q, words), other, difference, words);
  bool far = tn_ct_declassify(tn_bn_less(bound, difference, words));
  tn_wipe(difference, sizeof difference);
  tn_wipe(other, sizeof other);
  return far;
}

static tn_result find_primes(const tn_rsa_layout *at, size_t bits, const tn_rng *rng) {
  uint64_t *p = at->p, *q = at->q;
  TN_TRY(tn_rsa_find_prime(p, at->half, bits, rng));
  TN_TRY(tn_rsa_find_prime(q, at->half, bits, rng));
  TN_ENSURE(far_apart(p, q, at->half, bits), TN_E_NO_RANDOM);  // unless the generator repeats itself, they are
  // The greater one is p, as is the custom.
  uint64_t swap = tn_bn_less(p, q, at->half);
  for (size_t i = 0; i < at->half; i++) {
    uint64_t both = swap & (p[i] ^ q[i]);
    p[i] ^= both;
    q[i] ^= both;
  }
  return tn_success();
}

// d, dP and dQ, modulo the least common multiple of p - 1 and q - 1, and each of them.
static void set_exponents(tn_rsa_private *key) {
  const tn_bn_mod *p = &key->p, *q = &key->q;
  size_t half = p->words;
  uint64_t a[HALF], b[HALF], g[HALF], rest[HALF], lcm[TN_BN_MAX_WORDS];
  memcpy(a, p->n, half * sizeof *a);
  memcpy(b, q->n, half * sizeof *b);
  a[0] -= 1;
  b[0] -= 1;
  invert_e(key->dp, a, half);
  invert_e(key->dq, b, half);
  // Both halves are odd.
  halve(a, half);
  halve(b, half);
  memcpy(g, a, half * sizeof *g);
  memcpy(rest, b, half * sizeof *rest);
  gcd(g, rest, half, p->bits);
  divide_exactly(rest, a, g, half);
  tn_bn_product(lcm, rest, b, half);
  (void)tn_bn_add(lcm, lcm, lcm, 2 * half);
  invert_e(key->d, lcm, key->public.n.words);
  tn_wipe(a, sizeof a);
  tn_wipe(b, sizeof b);
  tn_wipe(g, sizeof g);
  tn_wipe(rest, sizeof rest);
  tn_wipe(lcm, sizeof lcm);
}

// 1/q in Montgomery's form, by Fermat's theorem.
static void set_qinv(tn_rsa_private *key) {
  const tn_bn_mod *p = &key->p;
  uint64_t q[HALF], exponent[HALF], two[HALF] = {2};
  tn_bn_scratch s;
  (void)tn_bn_sub(exponent, p->n, two, p->words);
  tn_bn_remainder(q, key->q.n, p->words, p->n, p->words, p->bits);
  tn_bn_mod_exp(&(tn_bn_power){q, q, exponent, p}, 1, p->bits, &s);
  tn_bn_mod_mul(key->qinv, q, p->rr, p);
  tn_bn_scratch_wipe(&s, p);
  tn_wipe(q, sizeof q);
  tn_wipe(exponent, sizeof exponent);
}

static tn_result generate(tn_rsa_private *key, size_t bits, const tn_rng *rng) {
  uint64_t least[TN_BN_MAX_WORDS] = {0}, product[TN_BN_MAX_WORDS];
  uint8_t in[TN_RSA_MAX_BYTES] = {0}, out[TN_RSA_MAX_BYTES];
  tn_rsa_layout at = tn_rsa_lay_out(key, bits);
  least[bits / 2 / 64] = (uint64_t)1 << (bits / 2 % 64);
  TN_TRY(find_primes(&at, bits / 2, rng));
  tn_bn_product(product, at.p, at.q, at.half);
  TN_PUBLIC(product, sizeof product);
  memcpy(at.n, product, at.words * sizeof *product);
  TN_ENSURE(tn_rsa_set_moduli(key, &at), TN_E_SELF_CHECK);
  set_exponents(key);
  TN_ENSURE(tn_ct_declassify(tn_bn_less(least, key->d, at.words)), TN_E_SELF_CHECK);
  set_qinv(key);
  key->public.len = bits / 8;
  key->public.e = TN_RSA_GENERATED_E;
  // The private operation undoes the public one, or fails.
  in[bits / 8 - 1] = 2;
  TN_TRY(tn_rsa_private_op(key, rng, in, out));
  return tn_success();
}

tn_result tn_rsa_generate(tn_rsa_private *key, size_t bits, const tn_rng *rng) {
  TN_ENSURE(bits >= TN_RSA_MIN_SIGN_BITS && bits <= TN_RSA_MAX_BITS && bits % 8 == 0, TN_E_BAD_ARGUMENT);
  tn_result result = generate(key, bits, rng);
  if (!tn_ok(result)) tn_wipe(key, tn_rsa_private_size(bits));
  tn_wipe_stack();
  return result;
}
