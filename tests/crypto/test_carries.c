// Multi-word arithmetic where carries are rare: the limbs themselves, at the edges of their ranges. (That of the
// curves: curve_internals.h.)
#include <openssl/bn.h>

#include "crypto/aead/poly1305.h"
#include "support/support.h"

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

// ---------------------------------------------------------------- Poly1305

// The accumulator and the key at the ends of the bounds that absorb() claims, and a block of any kind: the product is
// right modulo p and its limbs are within the bounds again.
static void poly1305_accumulators(void **state) {
  (void)state;
  static const uint64_t bounds[3] = {((uint64_t)1 << 44) - 1, ((uint64_t)1 << 44) + 255, ((uint64_t)1 << 42) - 1};
  test_rng rng = {4};
  BIGNUM *modulus = BN_new(), *h = BN_new(), *r = BN_new(), *limb = BN_new(), *want = BN_new();
  BN_hex2bn(&modulus, "3fffffffffffffffffffffffffffffffb");
  for (size_t i = 0; i < 60000; i++) {
    uint8_t key[32], block[16];
    test_rng_bytes(&rng, key, sizeof key);
    test_rng_bytes(&rng, block, sizeof block);
    for (size_t j = 0; j < 16; j += 4) {
      uint64_t pick = test_rng_next(&rng);
      if (pick % 4 != 0) memset(key + j, pick % 4 == 1 ? 0 : 0xff, 4);
      if (pick / 4 % 4 != 0) memset(block + j, pick / 4 % 4 == 1 ? 0 : 0xff, 4);
    }
    tn_poly1305 mac;
    tn_poly1305_init(&mac, key);
    BN_zero(h);
    BN_zero(r);
    for (size_t j = 3; j-- > 0;) {
      uint64_t pick = test_rng_next(&rng) % 4;
      mac.h[j] = pick == 0 ? 0 : pick == 1 ? bounds[j] : pick == 2 ? bounds[j] - 1 : test_rng_next(&rng) % bounds[j];
      BN_lshift(h, h, 44);
      BN_set_word(limb, mac.h[j]);
      BN_add(h, h, limb);
      BN_lshift(r, r, 44);
      BN_set_word(limb, mac.r[j]);
      BN_add(r, r, limb);
    }
    uint8_t whole[17];
    memcpy(whole, block, 16);
    whole[16] = 1;
    BN_lebin2bn(whole, 17, want);
    BN_add(want, want, h);
    BN_mod_mul(want, want, r, modulus, ctx);
    tn_poly1305_update(&mac, block, 16);
    BN_zero(h);
    for (size_t j = 3; j-- > 0;) {
      assert_true(mac.h[j] <= bounds[j]);
      BN_lshift(h, h, 44);
      BN_set_word(limb, mac.h[j]);
      BN_add(h, h, limb);
    }
    BN_mod(h, h, modulus, ctx);
    assert_int_equal(BN_cmp(h, want), 0);
  }
  BN_free(modulus), BN_free(h), BN_free(r), BN_free(limb), BN_free(want);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(poly1305_accumulators),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
