// Multi-word arithmetic where carries are rare: the limbs themselves, at the edges of their ranges. (That of the
// curves: curve_internals.h.)
#include <openssl/bn.h>

#include "base/cpu.h"
#include "crypto/aead/poly1305_block.h"
#include "support/support.h"

static const uint64_t edges[] = {
    0,
    1,
    2,
    0xfffffffe,
    0xffffffff,
    0x100000000,
    0x100000001,
    0x7fffffffffffffff,
    0x8000000000000000,
    0x8000000000000001,
    0xfffffffe00000001,
    0xffffffff00000000,
    0xffffffff00000001,
    0xfffffffffffffffe,
    0xffffffffffffffff,
};

static BN_CTX *ctx;

static int setup(void **state) {
  (void)state;
  ctx = BN_CTX_new();
  return ctx == NULL;
}

static int teardown(void **state) {
  (void)state;
  BN_CTX_free(ctx);
  return 0;
}

static uint64_t draw(test_rng *rng) {
  uint64_t pick = test_rng_next(rng) % (COUNT(edges) + 1);
  return pick < COUNT(edges) ? edges[pick] : test_rng_next(rng);
}

static BIGNUM *number(const uint64_t *w, size_t n) {
  BIGNUM *r = BN_new(), *word = BN_new();
  BN_zero(r);
  while (n-- != 0) {
    assert_int_equal(BN_lshift(r, r, 64), 1);
    assert_int_equal(BN_set_word(word, w[n]), 1);
    assert_int_equal(BN_add(r, r, word), 1);
  }
  BN_free(word);
  return r;
}

// ---------------------------------------------------------------- Poly1305

// The accumulator and the key at the ends of the bounds that poly1305_block.h claims, and a block of any kind: the
// product is right modulo p and within the bounds again.
typedef void poly1305_step(uint64_t h[3], const uint64_t r[3], const uint8_t block[16]);
static void step_portable(uint64_t h[3], const uint64_t r[3], const uint8_t block[16]) {
  tn_poly1305_block(h, r, block, 1);
}
#if defined(__x86_64__)
__attribute__((target("bmi2"))) static void step_bmi2(uint64_t h[3], const uint64_t r[3], const uint8_t block[16]) {
  tn_poly1305_block_bmi2(h, r, block);
}
#endif

static void poly1305_accumulators_of(poly1305_step *step) {
  static const uint64_t high_edges[] = {0, 1, 2, 3, 4, 5, 6, 7, ((uint64_t)1 << 62) + 3, ((uint64_t)1 << 63) - 1};
  test_rng rng = {4};
  BIGNUM *modulus = BN_new(), *want = BN_new(), *factor = BN_new();
  BN_hex2bn(&modulus, "3fffffffffffffffffffffffffffffffb");
  for (size_t i = 0; i < 20000; i++) {
    uint8_t key[32], block[16];
    test_rng_bytes(&rng, key, sizeof key);
    for (size_t j = 0; j < 16; j += 4) {
      uint64_t pick = test_rng_next(&rng);
      if (pick % 4 != 0) memset(key + j, pick % 4 == 1 ? 0 : 0xff, 4);
    }
    tn_store_le64(block, draw(&rng));
    tn_store_le64(block + 8, draw(&rng));
    tn_poly1305 mac;
    tn_poly1305_init(&mac, key);
    assert_true(mac.r[2] == mac.r[1] / 4 * 5);
    uint64_t h[3] = {draw(&rng), draw(&rng), test_rng_next(&rng) >> 1};
    uint64_t pick = test_rng_next(&rng) % (COUNT(high_edges) + 1);
    if (pick < COUNT(high_edges)) h[2] = high_edges[pick];

    const uint64_t added[3] = {tn_load_le64(block), tn_load_le64(block + 8), 1};
    BIGNUM *before = number(h, 3), *m = number(added, 3), *r = number(mac.r, 2);
    BN_add(want, before, m);
    BN_mod_mul(want, want, r, modulus, ctx);
    step(h, mac.r, block);
    assert_true(h[2] >> 63 == 0);
    BIGNUM *after = number(h, 3);
    BN_mod(factor, after, modulus, ctx);
    assert_int_equal(BN_cmp(factor, want), 0);
    BN_free(before), BN_free(m), BN_free(r), BN_free(after);
  }
  BN_free(modulus), BN_free(want), BN_free(factor);
}

static void poly1305_accumulators(void **state) {
  (void)state;
  poly1305_accumulators_of(step_portable);
#if defined(__x86_64__)
  if (tn_cpu_has(TN_CPU_BMI2)) poly1305_accumulators_of(step_bmi2);
#endif
}

// The product of any two numbers within the bounds, one in limbs.
static void poly1305_products(void **state) {
  (void)state;
  static const uint64_t thirds[] = {0, 1, 3, 4, 7, ((uint64_t)1 << 62) + 3, ((uint64_t)1 << 63) - 1};
  test_rng rng = {6};
  BIGNUM *modulus = BN_new(), *want = BN_new();
  BN_hex2bn(&modulus, "3fffffffffffffffffffffffffffffffb");
  for (size_t i = 0; i < 20000; i++) {
    uint64_t a[3] = {draw(&rng), draw(&rng), thirds[test_rng_next(&rng) % COUNT(thirds)]};
    uint64_t b[3] = {draw(&rng), draw(&rng), thirds[test_rng_next(&rng) % COUNT(thirds)]}, limbs[3];
    BIGNUM *x = number(a, 3), *y = number(b, 3);
    BN_mod_mul(want, x, y, modulus, ctx);
    tn_poly1305_limbs(limbs, b);
    assert_true(limbs[0] >> 44 == 0 && limbs[1] >> 44 == 0 && limbs[2] <= (uint64_t)1 << 42);
    tn_poly1305_mul(a, limbs);
    assert_true(a[2] <= 4);
    BIGNUM *got = number(a, 3);
    BN_mod(got, got, modulus, ctx);
    assert_int_equal(BN_cmp(got, want), 0);
    BN_free(x), BN_free(y), BN_free(got);
  }
  BN_free(modulus), BN_free(want);
}

// From every accumulator within the bounds the tag is right: those around multiples of p, of 2^128 and of 2^130, with
// as much as the lazy third word holds above them.
static void poly1305_last_reductions(void **state) {
  (void)state;
  static const uint64_t thirds[] = {
      0, 1, 2, 3, 4, 7, 8, 11, 12, 1000, ((uint64_t)1 << 62) + 3, ((uint64_t)1 << 63) - 1};
  test_rng rng = {5};
  BIGNUM *modulus = BN_new(), *want = BN_new();
  BN_hex2bn(&modulus, "3fffffffffffffffffffffffffffffffb");
  for (size_t i = 0; i < 20000; i++) {
    tn_poly1305 mac = {.h = {draw(&rng), draw(&rng), thirds[test_rng_next(&rng) % COUNT(thirds)]}};
    mac.s[0] = draw(&rng), mac.s[1] = draw(&rng);
    // The words that make h = 0, p or 2^130 and a little less or more when the third word has come down.
    if (i % 2 == 0) {
      const uint64_t down = (mac.h[2] & ~(uint64_t)3) + (mac.h[2] >> 2);
      mac.h[0] = test_rng_next(&rng) % 16 - 8 - down;
      mac.h[1] = UINT64_MAX - test_rng_next(&rng) % 2;
    }
    BIGNUM *h = number(mac.h, 3), *s = number(mac.s, 2);
    BN_mod(want, h, modulus, ctx);
    BN_add(want, want, s);
    BN_mask_bits(want, 128);
    uint8_t tag[16], right[16];
    tn_poly1305_final(&mac, tag);
    assert_int_equal(BN_bn2lebinpad(want, right, 16), 16);
    assert_memory_equal(tag, right, 16);
    BN_free(h), BN_free(s);
  }
  BN_free(modulus), BN_free(want);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(poly1305_accumulators),
      cmocka_unit_test(poly1305_products),
      cmocka_unit_test(poly1305_last_reductions),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
