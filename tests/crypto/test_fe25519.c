// The portable field of Curve25519 against libcrypto's big numbers, at the edges of its bounds and at random.
#include <openssl/bn.h>

#include "base/bytes.h"
#include "crypto/ec/fe25519.h"
#include "support/support.h"

#define TIGHT (((uint64_t)1 << 51) + ((uint64_t)1 << 13) - 1)
#define LOOSE (((uint64_t)1 << 54) - 1)

static BIGNUM *p;
static BN_CTX *ctx;

static int setup(void **state) {
  (void)state;
  p = NULL;
  ctx = BN_CTX_new();
  return BN_hex2bn(&p, "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed") == 0;
}

static int teardown(void **state) {
  (void)state;
  BN_free(p);
  BN_CTX_free(ctx);
  return 0;
}

// The sum of the limbs, whatever their size.
static BIGNUM *number(const tn_fe25519 *a) {
  BIGNUM *sum = BN_new(), *limb = BN_new();
  BN_zero(sum);
  for (int i = 5; i-- > 0;) {
    assert_int_equal(BN_lshift(sum, sum, 51), 1);
    assert_int_equal(BN_set_word(limb, a->limb[i]), 1);
    assert_int_equal(BN_add(sum, sum, limb), 1);
  }
  BN_free(limb);
  return sum;
}

// Takes `want`.
static void assert_is(const char *what, const tn_fe25519 *got, BIGNUM *want, uint64_t bound) {
  uint8_t wanted[32];
  uint64_t encoded[4];
  for (int i = 0; i < 5; i++)
    if (got->limb[i] > bound) fail_msg("%s: limb %d is out of bounds", what, i);
  assert_int_equal(BN_nnmod(want, want, p, ctx), 1);
  assert_int_equal(BN_bn2lebinpad(want, wanted, 32), 32);
  tn_fe25519_to_words(encoded, got);
  for (int i = 0; i < 4; i++)
    if (encoded[i] != tn_load_le64(wanted + 8 * i)) fail_msg("%s: the value", what);
  BN_free(want);
}

// Limbs up to `most`; often all bits, or none.
static tn_fe25519 draw(test_rng *rng, uint64_t most) {
  tn_fe25519 a;
  for (int i = 0; i < 5; i++) {
    const uint64_t kind = test_rng_next(rng) % 4;
    a.limb[i] = kind == 0 ? most : kind == 1 ? 0 : test_rng_next(rng) % (most + 1);
  }
  return a;
}

static void check_product(const tn_fe25519 *a, const tn_fe25519 *b, uint32_t small) {
  BIGNUM *x = number(a), *y = number(b), *r;
  tn_fe25519 out;

  r = BN_new();
  BN_mul(r, x, y, ctx);
  tn_fe25519_mul(&out, a, b);
  assert_is("mul", &out, BN_dup(r), TIGHT);
  out = *a;
  tn_fe25519_mul(&out, &out, b);
  assert_is("mul over a", &out, BN_dup(r), TIGHT);
  out = *b;
  tn_fe25519_mul(&out, a, &out);
  assert_is("mul over b", &out, r, TIGHT);

  r = BN_new();
  BN_sqr(r, x, ctx);
  tn_fe25519_square(&out, a);
  assert_is("square", &out, BN_dup(r), TIGHT);
  out = *a;
  tn_fe25519_square(&out, &out);
  assert_is("square in place", &out, r, TIGHT);

  r = BN_dup(x);
  BN_mul_word(r, small);
  tn_fe25519_mul_small(&out, a, small);
  assert_is("mul_small", &out, r, TIGHT);
  BN_free(x);
  BN_free(y);
}

static void products(void **state) {
  (void)state;
  test_rng rng = {1};
  const tn_fe25519 most = {{LOOSE, LOOSE, LOOSE, LOOSE, LOOSE}};
  check_product(&most, &most, UINT32_MAX);
  for (int i = 0; i < 20000; i++) {
    const tn_fe25519 a = draw(&rng, LOOSE), b = draw(&rng, LOOSE);
    check_product(&a, &b, (uint32_t)test_rng_next(&rng));
  }
}

static void sums(void **state) {
  (void)state;
  test_rng rng = {2};
  for (int i = 0; i < 20000; i++) {
    const tn_fe25519 a = draw(&rng, LOOSE - ((uint64_t)1 << 52)), b = draw(&rng, TIGHT);
    BIGNUM *x = number(&a), *y = number(&b), *sum = BN_new(), *difference = BN_new();
    BN_add(sum, x, y);
    BN_sub(difference, x, y);
    tn_fe25519 out;
    tn_fe25519_add(&out, &a, &b);
    assert_is("add", &out, sum, LOOSE);
    tn_fe25519_sub(&out, &a, &b);
    assert_is("sub", &out, difference, LOOSE);
    BN_free(x);
    BN_free(y);
  }
}

// p - 40 to 2^255 - 1, and both with bit 255 set: in modulo p, out below p.
static void from_bytes(tn_fe25519 *a, const uint8_t in[32]) {
  uint64_t w[4];
  for (int i = 0; i < 4; i++) w[i] = tn_load_le64(in + 8 * i);
  tn_fe25519_from_words(a, w);
}

static void words_in_and_out(void **state) {
  (void)state;
  for (int top = 0; top < 2; top++) {
    for (int i = 0; i < 59; i++) {
      uint8_t in[32];
      memset(in, 0xff, sizeof in);
      in[0] = (uint8_t)(0xff - i);
      in[31] = top ? 0xff : 0x7f;
      tn_fe25519 a;
      from_bytes(&a, in);
      in[31] = 0x7f;
      assert_is("from_words", &a, BN_lebin2bn(in, 32, NULL), TIGHT);
    }
  }
  test_rng rng = {3};
  for (int i = 0; i < 2000; i++) {
    uint64_t in[4], out[4];
    for (int j = 0; j < 4; j++) in[j] = test_rng_next(&rng);
    in[3] &= INT64_MAX;
    tn_fe25519 a;
    tn_fe25519_from_words(&a, in);
    tn_fe25519_to_words(out, &a);
    assert_memory_equal(out, in, 32);
  }
}

// to_words of loose limbs around multiples of p, and of the largest ones.
static void reduction(void **state) {
  (void)state;
  test_rng rng = {4};
  for (uint64_t k = 0; k < 8; k++) {
    for (uint64_t d = 0; d < 64; d++) {
      tn_fe25519 a = {{k * (((uint64_t)1 << 51) - 19) + d}};
      for (int i = 1; i < 5; i++) a.limb[i] = k * (((uint64_t)1 << 51) - 1);
      assert_is("near a multiple of p", &a, number(&a), LOOSE);
    }
  }
  for (int i = 0; i < 20000; i++) {
    const tn_fe25519 a = draw(&rng, LOOSE);
    assert_is("to_words", &a, number(&a), LOOSE);
  }
}

static void selects(void **state) {
  (void)state;
  test_rng rng = {6};
  const tn_fe25519 a = draw(&rng, LOOSE), b = draw(&rng, LOOSE);
  tn_fe25519 x;
  tn_fe25519_select(&x, 0, &a, &b);
  assert_memory_equal(&x, &b, sizeof b);
  tn_fe25519_select(&x, UINT64_MAX, &a, &b);
  assert_memory_equal(&x, &a, sizeof a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products),  cmocka_unit_test(sums),    cmocka_unit_test(words_in_and_out),
      cmocka_unit_test(reduction), cmocka_unit_test(selects),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
