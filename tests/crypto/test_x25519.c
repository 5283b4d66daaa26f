// X25519: RFC 7748's vectors, Wycheproof's, and libcrypto on the same input.
#include <openssl/evp.h>

#include "crypto/ec/x25519.h"
#include "support/support.h"

// RFC 7748 section 5.2, and 6.1 (both public keys, then both sides' secret).
static const struct {
  const char *scalar, *u, *out;
} rfc7748[] = {
    {"a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
     "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
     "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"},
    {"4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
     "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
     "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957"},
    {"77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
     "0900000000000000000000000000000000000000000000000000000000000000",
     "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"},
    {"5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
     "0900000000000000000000000000000000000000000000000000000000000000",
     "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"},
    {"77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
     "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
     "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"},
    {"5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
     "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
     "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"},
};

static void assert_hex(const uint8_t got[32], const char *hex) {
  bytes want = bytes_from_hex(hex);
  assert_memory_equal(got, want.p, 32);
  bytes_free(&want);
}

static void vectors(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(rfc7748); i++) {
    bytes scalar = bytes_from_hex(rfc7748[i].scalar), u = bytes_from_hex(rfc7748[i].u);
    uint8_t out[32];
    tn_x25519(out, scalar.p, u.p);
    assert_hex(out, rfc7748[i].out);
    if (u.p[0] == 9) {
      tn_x25519_base(out, scalar.p);
      assert_hex(out, rfc7748[i].out);
    }
    bytes_free(&scalar), bytes_free(&u);
  }
}

// The iteration of section 5.2.
static void iterations(void **state) {
  (void)state;
  uint8_t k[32] = {9}, u[32] = {9}, out[32];
  for (int i = 1; i <= 1000; i++) {
    tn_x25519(out, k, u);
    memcpy(u, k, 32);
    memcpy(k, out, 32);
    if (i == 1) assert_hex(k, "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079");
  }
  assert_hex(k, "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51");
}

// Twists, low orders and non-canonical u all have one right answer here: "acceptable" ones are checked too.
static void wycheproof(void **state) {
  (void)state;
  json_t *root = vectors_load("wycheproof/x25519_test.json"), *group, *test;
  size_t index, number, ran = 0;
  json_array_foreach(json_object_get(root, "testGroups"), index, group) {
    json_array_foreach(json_object_get(group, "tests"), number, test) {
      bytes scalar = json_hex(test, "private"), u = json_hex(test, "public"), shared = json_hex(test, "shared");
      uint8_t out[32];
      assert_true(scalar.n == 32 && u.n == 32 && shared.n == 32);
      tn_x25519(out, scalar.p, u.p);
      if (memcmp(out, shared.p, 32) != 0)
        fail_msg("test %lld", (long long)json_integer_value(json_object_get(test, "tcId")));
      bytes_free(&scalar), bytes_free(&u), bytes_free(&shared);
      ran++;
    }
  }
  assert_true(ran > 500);
  json_decref(root);
}

// libcrypto's answer; false where it refuses, which it does for an all-zero one.
static bool libcrypto_x25519(uint8_t out[32], const uint8_t scalar[32], const uint8_t u[32]) {
  EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, scalar, 32);
  EVP_PKEY *peer = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, u, 32);
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
  size_t n = 32;
  assert_true(EVP_PKEY_derive_init(ctx) == 1 && EVP_PKEY_derive_set_peer(ctx, peer) == 1);
  const bool ok = EVP_PKEY_derive(ctx, out, &n) == 1;
  EVP_PKEY_CTX_free(ctx);
  EVP_PKEY_free(peer);
  EVP_PKEY_free(key);
  return ok;
}

static void compare(const uint8_t scalar[32], const uint8_t u[32]) {
  static const uint8_t zeros[32];
  uint8_t want[32], got[32];
  tn_x25519(got, scalar, u);
  if (libcrypto_x25519(want, scalar, u))
    assert_memory_equal(got, want, 32);
  else
    assert_memory_equal(got, zeros, 32);
}

static void against_libcrypto(void **state) {
  (void)state;
  test_rng rng = {1};
  for (int i = 0; i < 500; i++) {
    uint8_t scalar[32], u[32];
    test_rng_bytes(&rng, scalar, 32);
    test_rng_bytes(&rng, u, 32);
    compare(scalar, u);
    memset(scalar, i & 1 ? 0xff : 0, 32 - (size_t)i % 32);
    memset(u, i & 2 ? 0xff : 0, 32 - (size_t)(i / 5) % 32);
    compare(scalar, u);
  }
}

// 0 to 5 and p - 6 to 2^255 - 1, with bit 255 clear and set: u counts modulo p, without that bit.
static void edges_of_u(void **state) {
  (void)state;
  test_rng rng = {2};
  uint8_t scalar[32];
  for (int from_p = -6; from_p < 19; from_p++) {
    // p is 2^255 - 19: its last byte is 0xed.
    uint8_t small[32] = {0}, large[32], a[32], b[32];
    memset(large, 0xff, 32);
    large[0] = (uint8_t)(0xed + from_p);
    large[31] = 0x7f;
    small[0] = (uint8_t)from_p;
    test_rng_bytes(&rng, scalar, 32);
    compare(scalar, large);
    if (from_p >= 0) {
      compare(scalar, small);
      tn_x25519(a, scalar, small);
      tn_x25519(b, scalar, large);
      assert_memory_equal(a, b, 32);
    }
    tn_x25519(a, scalar, large);
    large[31] = 0xff;
    compare(scalar, large);
    tn_x25519(b, scalar, large);
    assert_memory_equal(a, b, 32);
  }
}

// The bits that section 5 fixes do not matter, and the output may lie over an input.
static void clamping_and_aliases(void **state) {
  (void)state;
  test_rng rng = {3};
  uint8_t scalar[32], u[32], want[32], got[32];
  test_rng_bytes(&rng, scalar, 32);
  test_rng_bytes(&rng, u, 32);
  tn_x25519(want, scalar, u);
  for (unsigned bits = 0; bits < 32; bits++) {
    memcpy(got, scalar, 32);
    got[0] = (uint8_t)((got[0] & 248) | (bits & 7));
    got[31] = (uint8_t)((got[31] & 63) | (bits >> 3) << 6);
    tn_x25519(got, got, u);
    assert_memory_equal(got, want, 32);
  }
  memcpy(got, u, 32);
  tn_x25519(got, scalar, got);
  assert_memory_equal(got, want, 32);
}

// The base point's table and the ladder are two ways to one result; at the ends of what a clamped scalar may be too.
static void base_point(void **state) {
  (void)state;
  static const uint8_t nine[32] = {9};
  test_rng rng = {4};
  for (int i = 0; i < 1000; i++) {
    uint8_t scalar[32], want[32], got[32];
    test_rng_bytes(&rng, scalar, 32);
    if (i < 256) memset(scalar, i, 32);  // every digit of the table's rows alike
    tn_x25519(want, scalar, nine);
    tn_x25519_base(got, scalar);
    assert_memory_equal(got, want, 32);
  }
}

static void registers_are_wiped(void **state) {
  (void)state;
  static const uint8_t scalar[32] = {1, 2, 3}, u[32] = {9};
  uint8_t out[32];
  tn_x25519(out, scalar, u);
  assert_upper_vectors_wiped();
  tn_x25519_base(out, scalar);
  assert_upper_vectors_wiped();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vectors),    cmocka_unit_test(iterations),
      cmocka_unit_test(wycheproof), cmocka_unit_test(against_libcrypto),
      cmocka_unit_test(edges_of_u), cmocka_unit_test(clamping_and_aliases),
      cmocka_unit_test(base_point), cmocka_unit_test(registers_are_wiped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
