#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include "base/bytes.h"
#include "crypto/kdf/hkdf.h"
#include "support/support.h"

static const tn_hash *const sha2[] = {&tn_sha256, &tn_sha384, &tn_sha512};

static OSSL_PARAM octets(const char *name, tn_span s) {
  static const uint8_t none[1];
  return OSSL_PARAM_construct_octet_string(name, (void *)(uintptr_t)(s.n == 0 ? none : s.p), s.n);
}

static void oracle(const tn_hash *hash, tn_span salt, tn_span ikm, tn_span info, uint8_t *out, size_t n) {
  EVP_KDF *kdf = EVP_KDF_fetch(NULL, "HKDF", NULL);
  EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(kdf);
  const OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)(uintptr_t)hash->name, 0),
      octets(OSSL_KDF_PARAM_KEY, ikm),
      octets(OSSL_KDF_PARAM_SALT, salt),
      octets(OSSL_KDF_PARAM_INFO, info),
      OSSL_PARAM_construct_end(),
  };
  assert_int_equal(EVP_KDF_derive(ctx, out, n, params), 1);
  EVP_KDF_CTX_free(ctx);
  EVP_KDF_free(kdf);
}

// RFC 5869 appendix A, the cases with SHA-256.
static const struct {
  const char *ikm, *salt, *info, *prk, *okm;
} rfc5869[] = {
    {"0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
     "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
     "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"},
    {"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627"
     "28292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f",
     "606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f8081828384858687"
     "88898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeaf",
     "b0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7"
     "d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
     "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244",
     "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb"
     "41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"},
    {"0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "", "",
     "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04",
     "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"},
};

static void rfc_5869(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(rfc5869); i++) {
    bytes ikm = bytes_from_hex(rfc5869[i].ikm), salt = bytes_from_hex(rfc5869[i].salt);
    bytes info = bytes_from_hex(rfc5869[i].info);
    bytes prk = bytes_from_hex(rfc5869[i].prk), okm = bytes_from_hex(rfc5869[i].okm);
    uint8_t got_prk[32], got[100];
    tn_hkdf_extract(&tn_sha256, bytes_span(salt), bytes_span(ikm), got_prk);
    assert_memory_equal(got_prk, prk.p, prk.n);
    assert_ok(tn_hkdf_expand(&tn_sha256, bytes_span(prk), bytes_span(info), got, okm.n));
    assert_memory_equal(got, okm.p, okm.n);
    bytes_free(&ikm), bytes_free(&salt), bytes_free(&info), bytes_free(&prk), bytes_free(&okm);
  }
}

static void null_spans_are_empty_ones(void **state) {
  (void)state;
  for (size_t h = 0; h < COUNT(sha2); h++) {
    const uint8_t zeros[TN_HASH_MAX_DIGEST] = {0};
    uint8_t want[TN_HASH_MAX_DIGEST], got[TN_HASH_MAX_DIGEST];
    tn_hkdf_extract(sha2[h], tn_span_of(zeros, sha2[h]->digest_len), tn_span_of(zeros, 0), want);
    tn_hkdf_extract(sha2[h], (tn_span){0}, (tn_span){0}, got);
    assert_memory_equal(got, want, sha2[h]->digest_len);
    assert_ok(tn_hkdf_expand(sha2[h], tn_span_of(zeros, sha2[h]->digest_len), (tn_span){0}, NULL, 0));
  }
}

static void random_inputs_agree_with_libcrypto(void **state) {
  (void)state;
  test_rng rng = {1};
  for (size_t h = 0; h < COUNT(sha2); h++) {
    for (int round = 0; round < 200; round++) {
      uint8_t in[3][200], prk[TN_HASH_MAX_DIGEST], want[700], got[701];
      const size_t n = 1 + test_rng_next(&rng) % sizeof want;
      tn_span salt = tn_span_of(in[0], test_rng_next(&rng) % sizeof *in);
      tn_span ikm = tn_span_of(in[1], 1 + test_rng_next(&rng) % (sizeof *in - 1));
      tn_span info = tn_span_of(in[2], test_rng_next(&rng) % sizeof *in);
      test_rng_bytes(&rng, in, sizeof in);
      oracle(sha2[h], salt, ikm, info, want, n);
      got[n] = 0xa5;
      tn_hkdf_extract(sha2[h], salt, ikm, prk);
      assert_ok(tn_hkdf_expand(sha2[h], tn_span_of(prk, sha2[h]->digest_len), info, got, n));
      assert_memory_equal(got, want, n);
      assert_int_equal(got[n], 0xa5);
    }
  }
}

static void output_has_a_limit(void **state) {
  (void)state;
  static uint8_t out[255 * TN_HASH_MAX_DIGEST + 1], want[sizeof out];
  for (size_t h = 0; h < COUNT(sha2); h++) {
    const size_t most = 255 * (size_t)sha2[h]->digest_len;
    uint8_t ikm[TN_HASH_MAX_DIGEST] = {1}, prk[TN_HASH_MAX_DIGEST];
    tn_hkdf_extract(sha2[h], (tn_span){0}, tn_span_of(ikm, sizeof ikm), prk);
    tn_span key = tn_span_of(prk, sha2[h]->digest_len);
    oracle(sha2[h], (tn_span){0}, tn_span_of(ikm, sizeof ikm), (tn_span){0}, want, most);
    assert_ok(tn_hkdf_expand(sha2[h], key, (tn_span){0}, out, most));
    assert_memory_equal(out, want, most);
    assert_fails(tn_hkdf_expand(sha2[h], key, (tn_span){0}, out, most + 1), BAD_ARGUMENT);
    assert_fails(tn_hkdf_expand(sha2[h], key, (tn_span){0}, out, SIZE_MAX), BAD_ARGUMENT);
    assert_ok(tn_hkdf_expand_label(sha2[h], prk, "x", (tn_span){0}, out, most));
    assert_fails(tn_hkdf_expand_label(sha2[h], prk, "x", (tn_span){0}, out, most + 1), BAD_ARGUMENT);
    assert_fails(tn_hkdf_expand_label(sha2[h], prk, "x", (tn_span){0}, out, ((size_t)1 << 16) + 16), BAD_ARGUMENT);
  }
}

static void labels_and_contexts_have_limits(void **state) {
  (void)state;
  uint8_t secret[TN_HASH_MAX_DIGEST] = {1}, context[256] = {2}, out[32], want[32];
  char label[251];
  memset(label, 'l', sizeof label);
  label[250] = 0;
  assert_fails(tn_hkdf_expand_label(&tn_sha256, secret, label, (tn_span){0}, out, 32), BAD_ARGUMENT);
  assert_fails(tn_hkdf_expand_label(&tn_sha256, secret, "x", tn_span_of(context, 256), out, 32), BAD_ARGUMENT);

  // The longest of both: HkdfLabel as RFC 9846 section 7.1 lays it out.
  label[249] = 0;
  uint8_t info[2 + 1 + 255 + 1 + 255] = {0, 32, 255, 't', 'l', 's', '1', '3', ' '};
  memcpy(info + 9, label, 249);
  info[258] = 255;
  memcpy(info + 259, context, 255);
  assert_ok(tn_hkdf_expand_label(&tn_sha256, secret, label, tn_span_of(context, 255), out, 32));
  assert_ok(tn_hkdf_expand(&tn_sha256, tn_span_of(secret, 32), tn_span_of(info, sizeof info), want, 32));
  assert_memory_equal(out, want, 32);
}

// As "traffic upd" replaces a secret by the next.
static void a_secret_may_be_expanded_over_itself(void **state) {
  (void)state;
  for (size_t h = 0; h < COUNT(sha2); h++) {
    const size_t n = sha2[h]->digest_len;
    uint8_t secret[2 * TN_HASH_MAX_DIGEST] = {7}, want[2 * TN_HASH_MAX_DIGEST];
    assert_ok(tn_hkdf_expand_label(sha2[h], secret, "traffic upd", (tn_span){0}, want, 2 * n));
    assert_ok(tn_hkdf_expand_label(sha2[h], secret, "traffic upd", (tn_span){0}, secret, 2 * n));
    assert_memory_equal(secret, want, 2 * n);
  }
}

// RFC 8448 section 3: every secret and key of its handshake.
static const struct {
  const char *label, *secret, *context, *expanded;
} rfc8448[] = {
    {"derived", "33ad0a1c607ec03b09e6cd9893680ce210adf300aa1f2660e1b22e10f170f92a",
     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
     "6f2615a108c702c5678f54fc9dbab69716c076189c48250cebeac3576c3611ba"},
    {"c hs traffic", "1dc826e93606aa6fdc0aadc12f741b01046aa6b99f691ed221a9f0ca043fbeac",
     "860c06edc07858ee8e78f0e7428c58edd6b43f2ca3e6e95f02ed063cf0e1cad8",
     "b3eddb126e067f35a780b3abf45e2d8f3b1a950738f52e9600746a0e27a55a21"},
    {"s hs traffic", "1dc826e93606aa6fdc0aadc12f741b01046aa6b99f691ed221a9f0ca043fbeac",
     "860c06edc07858ee8e78f0e7428c58edd6b43f2ca3e6e95f02ed063cf0e1cad8",
     "b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38"},
    {"derived", "1dc826e93606aa6fdc0aadc12f741b01046aa6b99f691ed221a9f0ca043fbeac",
     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
     "43de77e0c77713859a944db9db2590b53190a65b3ee2e4f12dd7a0bb7ce254b4"},
    {"key", "b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38", "", "3fce516009c21727d0f2e4e86ee403bc"},
    {"iv", "b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38", "", "5d313eb2671276ee13000b30"},
    {"finished", "b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38", "",
     "008d3b66f816ea559f96b537e885c31fc068bf492c652f01f288a1d8cdc19fc8"},
    {"c ap traffic", "18df06843d13a08bf2a449844c5f8a478001bc4d4c627984d5a41da8d0402919",
     "9608102a0f1ccc6db6250b7b7e417b1a000eaada3daae4777a7686c9ff83df13",
     "9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5"},
    {"s ap traffic", "18df06843d13a08bf2a449844c5f8a478001bc4d4c627984d5a41da8d0402919",
     "9608102a0f1ccc6db6250b7b7e417b1a000eaada3daae4777a7686c9ff83df13",
     "a11af9f05531f856ad47116b45a950328204b4f44bfb6b3a4b4f1f3fcb631643"},
    {"exp master", "18df06843d13a08bf2a449844c5f8a478001bc4d4c627984d5a41da8d0402919",
     "9608102a0f1ccc6db6250b7b7e417b1a000eaada3daae4777a7686c9ff83df13",
     "fe22f881176eda18eb8f44529e6792c50c9a3f89452f68d8ae311b4309d3cf50"},
    {"key", "a11af9f05531f856ad47116b45a950328204b4f44bfb6b3a4b4f1f3fcb631643", "", "9f02283b6c9c07efc26bb9f2ac92e356"},
    {"iv", "a11af9f05531f856ad47116b45a950328204b4f44bfb6b3a4b4f1f3fcb631643", "", "cf782b88dd83549aadf1e984"},
    {"key", "b3eddb126e067f35a780b3abf45e2d8f3b1a950738f52e9600746a0e27a55a21", "", "dbfaa693d1762c5b666af5d950258d01"},
    {"iv", "b3eddb126e067f35a780b3abf45e2d8f3b1a950738f52e9600746a0e27a55a21", "", "5bd3c71b836e0b76bb73265f"},
    {"finished", "b3eddb126e067f35a780b3abf45e2d8f3b1a950738f52e9600746a0e27a55a21", "",
     "b80ad01015fb2f0bd65ff7d4da5d6bf83f84821d1f87fdc7d3c75b5a7b42d9c4"},
    {"key", "9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5", "", "17422dda596ed5d9acd890e3c63f5051"},
    {"iv", "9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5", "", "5b78923dee08579033e523d9"},
    {"res master", "18df06843d13a08bf2a449844c5f8a478001bc4d4c627984d5a41da8d0402919",
     "209145a96ee8e2a122ff810047cc952684658d6049e86429426db87c54ad143d",
     "7df235f2031d2a051287d02b0241b0bfdaf86cc856231f2d5aba46c434ec196c"},
    {"resumption", "7df235f2031d2a051287d02b0241b0bfdaf86cc856231f2d5aba46c434ec196c", "0000",
     "4ecd0eb6ec3b4d87f5d6028f922ca4c5851a277fd41311c9e62d2c9492e1c4f3"},
};

static void rfc_8448_labels(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(rfc8448); i++) {
    bytes secret = bytes_from_hex(rfc8448[i].secret), context = bytes_from_hex(rfc8448[i].context);
    bytes want = bytes_from_hex(rfc8448[i].expanded);
    uint8_t out[32];
    assert_int_equal(secret.n, 32);
    assert_ok(tn_hkdf_expand_label(&tn_sha256, secret.p, rfc8448[i].label, bytes_span(context), out, want.n));
    assert_memory_equal(out, want.p, want.n);
    bytes_free(&secret), bytes_free(&context), bytes_free(&want);
  }
}

static const char *field(const json_t *step, const char *name) {
  size_t i;
  json_t *f;
  json_array_foreach(json_object_get(step, "fields"), i,
                     f) if (strcmp(json_string_value(json_object_get(f, "name")), name) ==
                            0) return json_string_value(json_object_get(f, "hex"));
  return NULL;
}

// The label and context of a serialized HkdfLabel give what the trace says was expanded from it.
static void check_expansion(const char *secret_hex, const char *info_hex, const char *want_hex) {
  bytes secret = bytes_from_hex(secret_hex), info = bytes_from_hex(info_hex), want = bytes_from_hex(want_hex);
  tn_reader r = tn_reader_of(bytes_span(info)), label, context;
  uint16_t n;
  char text[256] = {0};
  uint8_t out[64];
  assert_true(tn_read_u16(&r, &n) && tn_read_block8(&r, &label) && tn_read_block8(&r, &context) && r.n == 0);
  assert_true(n == want.n && n <= sizeof out && label.n > 6);
  memcpy(text, label.p + 6, label.n - 6);
  assert_ok(tn_hkdf_expand_label(&tn_sha256, secret.p, text, tn_reader_rest(&context), out, n));
  assert_memory_equal(out, want.p, n);
  bytes_free(&secret), bytes_free(&info), bytes_free(&want);
}

static void rfc_8448_traces(void **state) {
  (void)state;
  static const char *const expansions[][2] = {
      {"info", "expanded"}, {"key info", "key expanded"}, {"iv info", "iv expanded"}};
  json_t *root = vectors_load("traces/rfc8448.json"), *section, *step;
  size_t s, t, extracted = 0, expanded = 0;
  json_array_foreach(json_object_get(root, "sections"), s, section) {
    json_array_foreach(json_object_get(section, "steps"), t, step) {
      if (field(step, "IKM") != NULL) {
        const char *salt_hex = field(step, "salt");
        bytes salt = bytes_from_hex(salt_hex == NULL ? "" : salt_hex);
        bytes ikm = bytes_from_hex(field(step, "IKM")), want = bytes_from_hex(field(step, "secret"));
        uint8_t prk[32];
        tn_hkdf_extract(&tn_sha256, bytes_span(salt), bytes_span(ikm), prk);
        assert_memory_equal(prk, want.p, sizeof prk);
        bytes_free(&salt), bytes_free(&ikm), bytes_free(&want);
        extracted++;
      }
      for (size_t i = 0; i < COUNT(expansions); i++) {
        if (field(step, "PRK") == NULL || field(step, expansions[i][0]) == NULL) continue;
        check_expansion(field(step, "PRK"), field(step, expansions[i][0]), field(step, expansions[i][1]));
        expanded++;
      }
    }
  }
  assert_true(extracted >= 15 && expanded >= 50);
  json_decref(root);
}

static void wycheproof(void **state) {
  (void)state;
  static const struct {
    const char *name;
    const tn_hash *hash;
  } files[] = {
      {"wycheproof/hkdf_sha1_test.json", &tn_sha1},
      {"wycheproof/hkdf_sha256_test.json", &tn_sha256},
      {"wycheproof/hkdf_sha384_test.json", &tn_sha384},
      {"wycheproof/hkdf_sha512_test.json", &tn_sha512},
  };
  static uint8_t okm[255 * TN_HASH_MAX_DIGEST];
  for (size_t h = 0; h < COUNT(files); h++) {
    json_t *root = vectors_load(files[h].name), *group, *test;
    size_t g, t, ran = 0;
    json_array_foreach(json_object_get(root, "testGroups"), g, group) {
      json_array_foreach(json_object_get(group, "tests"), t, test) {
        bytes ikm = json_hex(test, "ikm"), salt = json_hex(test, "salt"), info = json_hex(test, "info");
        bytes want = json_hex(test, "okm");
        const bool valid = strcmp(json_string_value(json_object_get(test, "result")), "valid") == 0;
        const size_t n = (size_t)json_integer_value(json_object_get(test, "size"));
        uint8_t prk[TN_HASH_MAX_DIGEST];
        tn_hkdf_extract(files[h].hash, bytes_span(salt), bytes_span(ikm), prk);
        tn_result r =
            tn_hkdf_expand(files[h].hash, tn_span_of(prk, files[h].hash->digest_len), bytes_span(info), okm, n);
        assert_int_equal(tn_ok(r), valid);
        if (valid) {
          assert_int_equal(want.n, n);
          assert_memory_equal(okm, want.p, n);
        }
        bytes_free(&ikm), bytes_free(&salt), bytes_free(&info), bytes_free(&want);
        ran++;
      }
    }
    assert_int_equal(ran, json_integer_value(json_object_get(root, "numberOfTests")));
    json_decref(root);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rfc_5869),
      cmocka_unit_test(null_spans_are_empty_ones),
      cmocka_unit_test(random_inputs_agree_with_libcrypto),
      cmocka_unit_test(output_has_a_limit),
      cmocka_unit_test(labels_and_contexts_have_limits),
      cmocka_unit_test(a_secret_may_be_expanded_over_itself),
      cmocka_unit_test(rfc_8448_labels),
      cmocka_unit_test(rfc_8448_traces),
      cmocka_unit_test(wycheproof),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
