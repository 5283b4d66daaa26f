// A signature in which one step went wrong, by one bit of its result, does not leave.
#include "crypto/ec/ed25519_scalar.h"
#include "crypto/ec/edwards25519.h"
#include "crypto/hash/hash.h"
#include "support/support.h"

static unsigned step, wrong_step, wrong_bit;

static void spoil(void *result, size_t n) {
  if (++step != wrong_step) return;
  const unsigned bit = wrong_bit % (unsigned)(8 * n);
  ((uint8_t *)result)[bit / 8] ^= (uint8_t)(1 << bit % 8);
}

static void spoilt_hash_once(const tn_hash *hash, const void *p, size_t n, uint8_t *digest) {
  tn_hash_once(hash, p, n, digest);
  spoil(digest, 64);
}

static void spoilt_hash_final(tn_hash_ctx *ctx, uint8_t *digest) {
  tn_hash_final(ctx, digest);
  spoil(digest, 64);
}

static void spoilt_reduce(uint64_t r[4], const uint8_t wide[64]) {
  tn_ed25519_scalar_reduce(r, wide);
  spoil(r, 32);
}

static void spoilt_mul_add(uint64_t r[4], const uint64_t a[4], const uint64_t b[4], const uint64_t c[4]) {
  tn_ed25519_scalar_mul_add(r, a, b, c);
  spoil(r, 32);
}

static void spoilt_base(tn_edwards25519_affine *r, const uint64_t k[4]) {
  tn_edwards25519_impl_of()->base(r, k);
  spoil(r, sizeof *r);
}

static void spoilt_encode(uint8_t out[32], const tn_edwards25519_affine *a) {
  tn_edwards25519_encode(out, a);
  spoil(out, 32);
}

static const tn_edwards25519_impl *spoilt_impl_of(void) {
  static tn_edwards25519_impl impl;
  impl = *tn_edwards25519_impl_of();
  impl.base = spoilt_base;
  return &impl;
}

#define tn_hash_once spoilt_hash_once
#define tn_hash_final spoilt_hash_final
#define tn_ed25519_scalar_reduce spoilt_reduce
#define tn_ed25519_scalar_mul_add spoilt_mul_add
#define tn_edwards25519_encode spoilt_encode
#define tn_edwards25519_impl_of spoilt_impl_of
#include "crypto/ec/ed25519.c"

static void no_wrong_signature_leaves(void **state) {
  (void)state;
  static const uint8_t zeros[64];
  test_rng rng = {1};
  uint8_t priv[32], pub[32], text[50], right[64], sig[64];
  test_rng_bytes(&rng, priv, sizeof priv);
  test_rng_bytes(&rng, text, sizeof text);
  const tn_span msg = tn_span_of(text, sizeof text);
  tn_ed25519_public(priv, pub);
  step = wrong_step = 0;
  assert_ok(tn_ed25519_sign(priv, pub, msg, right));
  const unsigned steps = step;
  assert_true(steps >= 10);
  for (wrong_step = 1; wrong_step <= steps; wrong_step++) {
    size_t found = 0;
    for (wrong_bit = 0; wrong_bit < 512; wrong_bit++) {
      step = 0;
      const tn_result r = tn_ed25519_sign(priv, pub, msg, sig);
      found += !tn_ok(r);
      // Bits that clamping or the affine form's reduction drops change nothing.
      if (tn_ok(r))
        assert_memory_equal(sig, right, 64);
      else
        assert_int_equal(r.reason, TN_E_SELF_CHECK);
      if (!tn_ok(r)) assert_memory_equal(sig, zeros, 64);
    }
    if (found < 480) fail_msg("step %u: %zu of 512 found", wrong_step, found);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_wrong_signature_leaves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
