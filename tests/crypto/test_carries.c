// Multi-word arithmetic where carries are rare: not at the doors of the fields, behind which every number is scrambled
// by Montgomery's form, but on the words themselves, chosen so that each sum, reduction and last subtraction lies at
// the edge of its range.
#include <openssl/bn.h>

#include "base/cpu.h"
#include "crypto/aead/poly1305_block.h"
#include "support/support.h"

// The static reductions of both files, under names of their own.
#define reduce field_reduce
#define r_squared field_r_squared
#include "crypto/ec/p256_field.c"
#undef reduce
#undef r_squared
#define reduce scalar_reduce
#define r_squared scalar_r_squared
#include "crypto/ec/p256_scalar.c"
#undef reduce
#undef r_squared

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
    0xffffffff00000001,  // the highest word of p
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

static void words(uint64_t *w, size_t n, const BIGNUM *a) {
  uint8_t le[64];
  assert_int_equal(BN_bn2lebinpad(a, le, (int)(8 * n)), (int)(8 * n));
  for (size_t i = 0; i < n; i++) w[i] = tn_load_le64(le + 8 * i);
}

static void assert_words(const char *what, const uint64_t *got, size_t n, const BIGNUM *want) {
  uint64_t w[8];
  words(w, n, want);
  if (memcmp(got, w, 8 * n) != 0) {
    char *hex = BN_bn2hex(want);
    fail_msg("%s: wanted %s", what, hex);
  }
}

// ---------------------------------------------------------------- products

static void products(void **state) {
  (void)state;
  test_rng rng = {1};
  BIGNUM *want = BN_new();
  for (size_t i = 0; i < 60000; i++) {
    uint64_t a[4], b[4], t[8];
    for (size_t j = 0; j < 4; j++) a[j] = draw(&rng), b[j] = draw(&rng);
    BIGNUM *x = number(a, 4), *y = number(b, 4);
    BN_mul(want, x, y, ctx);
    tn_words4_mul(t, a, b);
    assert_words("product", t, 8, want);
    BN_sqr(want, x, ctx);
    tn_words4_sqr(t, a);
    assert_words("square", t, 8, want);
    BN_free(x);
    BN_free(y);
  }
  // A row's sum may carry out of its five words.
  for (size_t i = 0; i < 60000; i++) {
    uint64_t t[5], b[4], a = draw(&rng);
    for (size_t j = 0; j < 4; j++) b[j] = draw(&rng);
    for (size_t j = 0; j < 5; j++) t[j] = draw(&rng);
    BIGNUM *x = number(&a, 1), *y = number(b, 4), *sum = number(t, 5);
    BN_mul(want, x, y, ctx);
    BN_add(want, want, sum);
    uint64_t got[6];
    got[5] = tn_words4_mul_add_row(t, a, b);
    memcpy(got, t, sizeof t);
    assert_words("row", got, 6, want);
    BN_free(x);
    BN_free(y);
    BN_free(sum);
  }
  BN_free(want);
}

// ---------------------------------------------------------------- Montgomery's reductions

typedef void reduction(uint64_t r[4], uint64_t t[8]);
static void of_field(uint64_t r[4], uint64_t t[8]) {
  tn_p256_fe out;
  field_reduce(&out, t);
  memcpy(r, out.w, sizeof out.w);
}
static void of_scalar(uint64_t r[4], uint64_t t[8]) {
  tn_p256_scalar out;
  scalar_reduce(&out, t);
  memcpy(r, out.w, sizeof out.w);
}

// The multiples m of the modulus that the four steps add are chosen; that fixes the low half of t, and what the steps
// make of it. Then its high half is chosen for itself, or so that the sum before the last subtraction is `modulus` or
// 2^256, a little less or more, or the largest there is.
static void reductions(reduction *run, const uint64_t modulus[4], const BIGNUM *limit) {
  test_rng rng = {2};
  BIGNUM *n = number(modulus, 4), *r = BN_new(), *inverse = BN_new(), *low = BN_new(), *half = BN_new(), *t = BN_new();
  BIGNUM *high = BN_new(), *target = BN_new();
  BN_zero(r);
  BN_set_bit(r, 256);
  assert_non_null(BN_mod_inverse(inverse, r, n, ctx));
  size_t at_edge[12] = {0};
  for (size_t i = 0; i < 200000; i++) {
    uint64_t m[4], w[8], out[4];
    for (size_t j = 0; j < 4; j++) m[j] = draw(&rng);
    BIGNUM *multiple = number(m, 4);
    BN_mul(half, multiple, n, ctx);
    BN_mod(low, half, r, ctx);
    if (!BN_is_zero(low)) BN_sub(low, r, low);
    BN_add(half, half, low);
    BN_rshift(half, half, 256);  // exact
    BN_free(multiple);

    size_t kind = i % 12;
    if (kind < 5) {  // n - 2 to n + 2
      BN_copy(target, n);
      kind < 2 ? BN_sub_word(target, 2 - kind) : BN_add_word(target, kind - 2);
    } else if (kind < 10) {  // 2^256 - 2 to 2^256 + 2
      BN_copy(target, r);
      kind < 7 ? BN_sub_word(target, 7 - kind) : BN_add_word(target, kind - 7);
    }
    if (kind < 10) {
      BN_sub(high, target, half);
    } else if (kind == 10) {
      for (size_t j = 0; j < 4; j++) w[j] = draw(&rng);
      BIGNUM *any = number(w, 4);
      BN_copy(high, any);
      BN_free(any);
    } else {
      BN_sub(t, limit, low);
      BN_rshift(high, t, 256);  // the largest
    }
    BN_lshift(t, high, 256);
    BN_add(t, t, low);
    if (BN_is_negative(high) || BN_num_bits(high) > 256 || BN_cmp(t, limit) > 0) continue;
    at_edge[kind]++;
    words(w, 8, t);
    run(out, w);
    BN_mod_mul(t, t, inverse, n, ctx);
    assert_words("reduction", out, 4, t);
  }
  for (size_t i = 0; i < COUNT(at_edge); i++) assert_true(at_edge[i] > 500);
  BN_free(n), BN_free(r), BN_free(inverse), BN_free(low), BN_free(half), BN_free(t), BN_free(high), BN_free(target);
}

static void reductions_of_the_field(void **state) {
  (void)state;
  BIGNUM *limit = number(p, 4);
  BN_sub_word(limit, 1);
  BN_sqr(limit, limit, ctx);
  reductions(of_field, p, limit);
  BN_free(limit);
}

static void reductions_of_scalars(void **state) {
  (void)state;
  BIGNUM *limit = number(tn_p256_order.w, 4);
  BN_lshift(limit, limit, 256);
  BN_sub_word(limit, 1);
  reductions(of_scalar, tn_p256_order.w, limit);
  BN_free(limit);
}

// Elements are compared word by word, so each operation must end below p, from any words below p.
static void field_elements_stay_reduced(void **state) {
  (void)state;
  test_rng rng = {3};
  BIGNUM *modulus = number(p, 4), *want = BN_new(), *inverse = BN_new();
  BN_zero(want);
  BN_set_bit(want, 256);
  BN_mod_inverse(inverse, want, modulus, ctx);
  for (size_t i = 0; i < 60000; i++) {
    tn_p256_fe a, b, r;
    for (size_t j = 0; j < 4; j++) a.w[j] = draw(&rng), b.w[j] = draw(&rng);
    if (i % 3 == 0) {  // a + b near p or 2^256
      BIGNUM *x = number(a.w, 4), *y = BN_new();
      BN_mod(x, x, modulus, ctx);
      BN_sub(y, modulus, x);
      if (test_rng_next(&rng) % 2) BN_sub_word(y, 1);
      words(a.w, 4, x);
      words(b.w, 4, y);
      BN_free(x);
      BN_free(y);
    }
    tn_words4_reduce_once(a.w, a.w, 0, p);
    tn_words4_reduce_once(b.w, b.w, 0, p);
    BIGNUM *x = number(a.w, 4), *y = number(b.w, 4);
    BN_mod_mul(want, x, y, modulus, ctx);
    BN_mod_mul(want, want, inverse, modulus, ctx);
    tn_p256_fe_mul(&r, &a, &b);
    assert_words("field product", r.w, 4, want);
    BN_mod_sqr(want, x, modulus, ctx);
    BN_mod_mul(want, want, inverse, modulus, ctx);
    tn_p256_fe_sqr(&r, &a);
    assert_words("field square", r.w, 4, want);
    BN_mod_add(want, x, y, modulus, ctx);
    tn_p256_fe_add(&r, &a, &b);
    assert_words("field sum", r.w, 4, want);
    BN_mod_sub(want, x, y, modulus, ctx);
    tn_p256_fe_sub(&r, &a, &b);
    assert_words("field difference", r.w, 4, want);
    BN_free(x);
    BN_free(y);
  }
  BN_free(modulus), BN_free(want), BN_free(inverse);
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
      cmocka_unit_test(products),
      cmocka_unit_test(reductions_of_the_field),
      cmocka_unit_test(reductions_of_scalars),
      cmocka_unit_test(field_elements_stay_reduced),
      cmocka_unit_test(poly1305_accumulators),
      cmocka_unit_test(poly1305_products),
      cmocka_unit_test(poly1305_last_reductions),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
