// Numbers modulo the order of Ed25519's base point, against libcrypto's.
#include "crypto/ec/ed25519_scalar.h"

#include <openssl/bn.h>

#include "base/bytes.h"
#include "support/support.h"

static BIGNUM *order;
static BN_CTX *ctx;

static int setup(void **state) {
  (void)state;
  ctx = BN_CTX_new();
  return BN_hex2bn(&order, "1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed") == 0;
}

static int teardown(void **state) {
  (void)state;
  BN_free(order);
  BN_CTX_free(ctx);
  return 0;
}

static BIGNUM *number(const uint64_t w[4]) {
  uint8_t le[32];
  for (int i = 0; i < 4; i++) tn_store_le64(le + 8 * i, w[i]);
  return BN_lebin2bn(le, sizeof le, NULL);
}

static void assert_is(const char *what, const uint64_t got[4], BIGNUM *want) {
  BIGNUM *is = number(got);
  BN_nnmod(want, want, order, ctx);
  if (BN_cmp(is, want) != 0) fail_msg("%s", what);
  BN_free(is);
  BN_free(want);
}

static uint64_t draw(test_rng *rng) {
  static const uint64_t edges[] = {
      0, 1, UINT64_MAX, UINT64_MAX - 1, 0x1000000000000000, 0x0fffffffffffffff, 0x5812631a5cf5d3ed, 0x14def9dea2f79cd6};
  const uint64_t pick = test_rng_next(rng) % (COUNT(edges) + 3);
  return pick < COUNT(edges) ? edges[pick] : test_rng_next(rng);
}

static void reductions(void **state) {
  (void)state;
  test_rng rng = {1};
  for (int i = 0; i < 40000; i++) {
    uint8_t wide[64];
    uint64_t r[4];
    for (int j = 0; j < 8; j++) tn_store_le64(wide + 8 * j, draw(&rng));
    if (i % 4 == 0) {  // m L - 1, m L, m L + 1 and a little more, for an m of up to 259 bits
      BIGNUM *m = BN_lebin2bn(wide, 32, NULL);
      BN_lshift(m, m, (int)(test_rng_next(&rng) % 4));
      BN_mul(m, m, order, ctx);
      if (i % 5 == 0 && !BN_is_zero(m))
        BN_sub_word(m, 1);
      else
        BN_add_word(m, (BN_ULONG)(i % 5));
      if (BN_num_bits(m) <= 512) assert_int_equal(BN_bn2lebinpad(m, wide, 64), 64);
      BN_free(m);
    }
    tn_ed25519_scalar_reduce(r, wide);
    assert_is("reduce", r, BN_lebin2bn(wide, 64, NULL));
  }
}

static void products_and_differences(void **state) {
  (void)state;
  test_rng rng = {2};
  for (int i = 0; i < 20000; i++) {
    uint64_t a[4], b[4], c[4], r[4];
    for (int j = 0; j < 4; j++) a[j] = draw(&rng), b[j] = draw(&rng), c[j] = draw(&rng);
    BIGNUM *x = number(a), *y = number(b), *z = number(c), *want = BN_new();
    BN_mul(want, x, y, ctx);
    BN_add(want, want, z);
    tn_ed25519_scalar_mul_add(r, a, b, c);
    assert_is("a b + c", r, BN_dup(want));
    memcpy(r, c, sizeof r);
    tn_ed25519_scalar_mul_add(r, a, b, r);
    assert_is("a b + c over c", r, want);

    uint8_t wide[64] = {0};
    BN_bn2lebinpad(x, wide, 64);
    tn_ed25519_scalar_reduce(a, wide);
    BN_bn2lebinpad(y, wide, 64);
    tn_ed25519_scalar_reduce(b, wide);
    want = BN_new();
    BN_sub(want, x, y);
    tn_ed25519_scalar_sub(r, a, b);
    assert_is("a - b", r, want);
    BN_free(x), BN_free(y), BN_free(z);
  }
}

// L - 2 to L + 2, and each word of L one more and one less.
static void what_is_below_the_order(void **state) {
  (void)state;
  static const uint64_t words[4] = {0x5812631a5cf5d3ed, 0x14def9dea2f79cd6, 0, 0x1000000000000000};
  for (int i = 0; i < 4; i++)
    for (int d = -2; d <= 2; d++) {
      uint8_t in[32];
      uint64_t r[4], w[4];
      memcpy(w, words, sizeof w);
      w[i] += (uint64_t)(int64_t)d;
      for (int j = 0; j < 4; j++) tn_store_le64(in + 8 * j, w[j]);
      BIGNUM *x = number(w);
      assert_int_equal(tn_ed25519_scalar_load(r, in), BN_cmp(x, order) < 0 ? UINT64_MAX : 0);
      assert_memory_equal(r, w, sizeof w);
      BN_free(x);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reductions),
      cmocka_unit_test(products_and_differences),
      cmocka_unit_test(what_is_below_the_order),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
