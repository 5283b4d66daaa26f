// Ed25519: RFC 8032's vectors, Wycheproof's, ACVP's, and libcrypto both ways; what verification refuses.
#include "crypto/ec/ed25519.h"

#include <openssl/evp.h>

#include "base/cpu.h"
#include "crypto/ec/edwards25519.h"
#include "support/support.h"

static tn_result verify(const uint8_t pub[32], tn_span msg, const uint8_t sig[64]) {
  return tn_ed25519_verify_vartime(tn_span_of(pub, 32), msg, tn_span_of(sig, 64));
}

static void the_best_path_runs(void **state) {
  (void)state;
  const bool adx = tn_cpu_has(TN_CPU_AVX2 | TN_CPU_BMI2 | TN_CPU_ADX);
  const bool ifma = tn_cpu_has(TN_CPU_AVX2 | TN_CPU_AVX512 | TN_CPU_IFMA);
  assert_string_equal(tn_edwards25519_impl_of()->path, ifma ? "ifma" : adx ? "adx" : "portable");
}

static void check(bytes priv, bytes pub, bytes msg, bytes sig) {
  uint8_t got[64];
  assert_true(priv.n == 32 && pub.n == 32 && sig.n == 64);
  tn_ed25519_public(priv.p, got);
  assert_memory_equal(got, pub.p, 32);
  assert_ok(tn_ed25519_check_public(bytes_span(pub)));
  assert_ok(tn_ed25519_sign(priv.p, pub.p, bytes_span(msg), got));
  assert_upper_vectors_wiped();
  assert_memory_equal(got, sig.p, 64);
  assert_ok(verify(pub.p, bytes_span(msg), sig.p));
  for (size_t i = 0; i < 64; i++) {
    got[i] ^= (uint8_t)(1 << i % 8);
    assert_fails(verify(pub.p, bytes_span(msg), got), BAD_SIGNATURE);
    got[i] ^= (uint8_t)(1 << i % 8);
  }
  bytes_free(&priv), bytes_free(&pub), bytes_free(&msg), bytes_free(&sig);
}

// RFC 8032 section 7.1, tests 1 and 3.
static void vectors(void **state) {
  (void)state;
  check(
      bytes_from_hex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"),
      bytes_from_hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"), bytes_from_hex(""),
      bytes_from_hex("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                     "d25bf5f0595bbe24655141438e7a100b"));
  check(
      bytes_from_hex("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7"),
      bytes_from_hex("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"), bytes_from_hex("af82"),
      bytes_from_hex("6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
                     "4a7c15e9716ed28dc027beceea1ec40a"));
}

static void rfc8032(void **state) {
  (void)state;
  json_t *root = vectors_load("rfc/rfc8032.json"), *test;
  size_t i, ran = 0;
  json_array_foreach(root, i, test) {
    if (strcmp(json_string_value(json_object_get(test, "algorithm")), "Ed25519") != 0) continue;
    check(json_hex(test, "secret"), json_hex(test, "public"), json_hex(test, "message"), json_hex(test, "signature"));
    ran++;
  }
  assert_true(ran >= 4);
  json_decref(root);
}

static void wycheproof(void **state) {
  (void)state;
  json_t *root = vectors_load("wycheproof/ed25519_test.json"), *group, *test;
  size_t i, j, good = 0, bad = 0;
  json_array_foreach(json_object_get(root, "testGroups"), i, group) {
    bytes pub = json_hex(json_object_get(group, "publicKey"), "pk");
    json_array_foreach(json_object_get(group, "tests"), j, test) {
      bytes msg = json_hex(test, "msg"), sig = json_hex(test, "sig");
      const bool valid = strcmp(json_string_value(json_object_get(test, "result")), "valid") == 0;
      const tn_result r = tn_ed25519_verify_vartime(bytes_span(pub), bytes_span(msg), bytes_span(sig));
      if (tn_ok(r) != valid) fail_msg("test %lld", (long long)json_integer_value(json_object_get(test, "tcId")));
      valid ? good++ : bad++;
      bytes_free(&msg), bytes_free(&sig);
    }
    bytes_free(&pub);
  }
  assert_true(good > 50 && bad > 50);
  json_decref(root);
}

static void acvp_file(const char *path) {
  json_t *root = vectors_load(path), *group, *test;
  size_t i, j, ran = 0;
  json_array_foreach(json_object_get(root, "testGroups"), i, group) {
    if (json_is_true(json_object_get(group, "preHash"))) continue;  // Ed25519ph
    json_array_foreach(json_object_get(group, "tests"), j, test) {
      bytes pub = json_hex(test, "q"), msg = json_hex(test, "message"), sig = json_hex(test, "signature");
      const bool valid = json_is_true(json_object_get(json_object_get(test, "expected"), "testPassed"));
      const tn_result r = tn_ed25519_verify_vartime(bytes_span(pub), bytes_span(msg), bytes_span(sig));
      assert_int_equal(tn_ok(r), valid);
      bytes_free(&pub), bytes_free(&msg), bytes_free(&sig);
      ran++;
    }
  }
  assert_true(ran > 0);
  json_decref(root);
}

static void acvp(void **state) {
  (void)state;
  acvp_file("acvp/bssl/EDDSA-sigVer.json");
  acvp_file("acvp/awslc/EDDSA-sigVer.json");
}

static void against_libcrypto(void **state) {
  (void)state;
  test_rng seed = {1};
  tn_rng rng = test_rng_as_rng(&seed);
  for (size_t i = 0; i < 300; i++) {
    uint8_t priv[32], pub[32], theirs[64], ours[64], text[300];
    const tn_span msg = tn_span_of(text, i);
    size_t n = 32;
    test_rng_bytes(&seed, text, sizeof text);
    assert_ok(tn_ed25519_generate(&rng, priv, pub));
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, priv, 32);
    assert_int_equal(EVP_PKEY_get_raw_public_key(key, theirs, &n), 1);
    assert_memory_equal(theirs, pub, 32);

    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    n = sizeof theirs;
    assert_int_equal(EVP_DigestSignInit(ctx, NULL, NULL, NULL, key), 1);
    assert_int_equal(EVP_DigestSign(ctx, theirs, &n, text, i), 1);
    assert_ok(tn_ed25519_sign(priv, pub, msg, ours));
    assert_memory_equal(ours, theirs, 64);
    EVP_MD_CTX_free(ctx);

    // Right as it is, and with one bit of it, of the text or of the key wrong.
    for (int spoilt = 0; spoilt < 4; spoilt++) {
      const unsigned bit = (unsigned)(test_rng_next(&seed) % 256);
      uint8_t *const what[] = {NULL, ours, pub, text};
      if (spoilt == 3 && bit / 8 >= i) continue;
      if (spoilt != 0) what[spoilt][bit / 8] ^= (uint8_t)(1 << bit % 8);
      EVP_PKEY *peer = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, pub, 32);
      ctx = EVP_MD_CTX_new();
      assert_int_equal(EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, peer), 1);
      const bool right = EVP_DigestVerify(ctx, ours, 64, text, i) == 1;
      assert_int_equal(right, spoilt == 0);
      assert_int_equal(tn_ok(verify(pub, msg, ours)), right);
      EVP_MD_CTX_free(ctx);
      EVP_PKEY_free(peer);
      if (spoilt != 0) what[spoilt][bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    EVP_PKEY_free(key);
  }
}

// The y of the points of order 1, 2, 4 (two) and 8 (four), as they are encoded.
static const struct {
  const char *y;
  bool with_sign;  // x is not 0, so that there are two
} small_order[] = {
    {"0100000000000000000000000000000000000000000000000000000000000000", false},
    {"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", false},
    {"0000000000000000000000000000000000000000000000000000000000000000", true},
    {"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", true},
    {"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", true},
};

// Points of small order are keys, as they are to libcrypto; S = 0 and R = -k A is then a signature wherever k A comes
// to what was chosen for R.
static void small_orders(void **state) {
  (void)state;
  size_t accepted = 0;
  for (size_t a = 0; a < COUNT(small_order) * 2; a++)
    for (size_t r = 0; r < COUNT(small_order) * 2; r++)
      for (uint8_t text = 0; text < 8; text++) {
        bytes pub = bytes_from_hex(small_order[a / 2].y), first = bytes_from_hex(small_order[r / 2].y);
        uint8_t sig[64] = {0};
        pub.p[31] |= (uint8_t)(a % 2 << 7);
        first.p[31] |= (uint8_t)(r % 2 << 7);
        memcpy(sig, first.p, 32);
        const bool is_point = a % 2 == 0 || small_order[a / 2].with_sign;
        assert_int_equal(tn_ok(tn_ed25519_check_public(bytes_span(pub))), is_point);
        const tn_result result = verify(pub.p, tn_span_of(&text, 1), sig);
        if (is_point) {
          EVP_PKEY *peer = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, pub.p, 32);
          EVP_MD_CTX *ctx = EVP_MD_CTX_new();
          assert_int_equal(EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, peer), 1);
          assert_int_equal(tn_ok(result), EVP_DigestVerify(ctx, sig, 64, &text, 1) == 1);
          accepted += tn_ok(result);
          EVP_MD_CTX_free(ctx);
          EVP_PKEY_free(peer);
        } else {
          assert_int_equal(result.reason, TN_E_KEY_INVALID);
        }
        bytes_free(&pub), bytes_free(&first);
      }
  assert_true(accepted > 20);
}

// y from p to 2^255 - 1, of which some are points modulo p; y without an x; keys of another length.
static void keys_have_one_encoding(void **state) {
  (void)state;
  size_t points = 0;
  for (unsigned low = 0; low < 256; low++)
    for (unsigned top = 0; top < 2; top++) {
      uint8_t pub[32];
      memset(pub, 0xff, sizeof pub);
      pub[0] = (uint8_t)low;
      pub[31] = top != 0 ? 0xff : 0x7f;
      const bool is_point = tn_ok(tn_ed25519_check_public(tn_span_of(pub, 32)));
      if (low >= 0xed) assert_false(is_point);
      points += is_point;
      memset(pub, 0, sizeof pub);
      pub[0] = (uint8_t)low;
      pub[31] = (uint8_t)(top << 7);
      points += tn_ok(tn_ed25519_check_public(tn_span_of(pub, 32)));
      if (low == 2) assert_fails(tn_ed25519_check_public(tn_span_of(pub, 32)), KEY_INVALID);
    }
  assert_true(points > 300 && points < 700);
  static const uint8_t long_key[33] = {1};
  assert_fails(tn_ed25519_check_public(tn_span_of(long_key, 31)), KEY_INVALID);
  assert_fails(tn_ed25519_check_public(tn_span_of(long_key, 33)), KEY_INVALID);
  assert_fails(tn_ed25519_check_public((tn_span){0}), KEY_INVALID);
}

// S + L is S to the equation; a signature of another length is none.
static void signatures_have_one_encoding(void **state) {
  (void)state;
  static const uint8_t order[32] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58,       0xd6,
                                    0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, [31] = 0x10};
  test_rng seed = {2};
  tn_rng rng = test_rng_as_rng(&seed);
  for (int i = 0; i < 20; i++) {
    uint8_t priv[32], pub[32], sig[65] = {0};
    const tn_span msg = tn_span_of(priv, 0);
    assert_ok(tn_ed25519_generate(&rng, priv, pub));
    assert_ok(tn_ed25519_sign(priv, pub, msg, sig));
    for (int times = 1; times < 8; times++) {
      unsigned carry = 0;
      for (int j = 0; j < 32; j++) {
        carry += sig[32 + j] + (unsigned)order[j];
        sig[32 + j] = (uint8_t)carry;
        carry >>= 8;
      }
      assert_fails(verify(pub, msg, sig), BAD_SIGNATURE);
    }
    assert_ok(tn_ed25519_sign(priv, pub, msg, sig));
    assert_fails(tn_ed25519_verify_vartime(tn_span_of(pub, 32), msg, tn_span_of(sig, 63)), BAD_SIGNATURE);
    assert_fails(tn_ed25519_verify_vartime(tn_span_of(pub, 32), msg, tn_span_of(sig, 65)), BAD_SIGNATURE);
    assert_fails(tn_ed25519_verify_vartime(tn_span_of(pub, 32), msg, (tn_span){0}), BAD_SIGNATURE);
    assert_fails(tn_ed25519_verify_vartime(tn_span_of(pub, 31), msg, tn_span_of(sig, 64)), KEY_INVALID);
  }
}

static tn_result no_bytes(void *ctx, uint8_t *out, size_t n) {
  (void)ctx, (void)out, (void)n;
  return tn_fail(TN_E_NO_RANDOM);
}

static void a_generator_that_fails_gives_no_key(void **state) {
  (void)state;
  uint8_t priv[32], pub[32];
  assert_fails(tn_ed25519_generate(&(tn_rng){no_bytes, NULL}, priv, pub), NO_RANDOM);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_path_runs),
      cmocka_unit_test(vectors),
      cmocka_unit_test(rfc8032),
      cmocka_unit_test(wycheproof),
      cmocka_unit_test(acvp),
      cmocka_unit_test(against_libcrypto),
      cmocka_unit_test(small_orders),
      cmocka_unit_test(keys_have_one_encoding),
      cmocka_unit_test(signatures_have_one_encoding),
      cmocka_unit_test(a_generator_that_fails_gives_no_key),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
