#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "crypto/kdf/hmac.h"
#include "support/rsp.h"
#include "support/support.h"

static const tn_hash *const sha2[] = {&tn_sha256, &tn_sha384, &tn_sha512};

static void oracle(const tn_hash *hash, const uint8_t *key, size_t key_len, const uint8_t *p, size_t n, uint8_t *mac) {
  assert_non_null(HMAC(EVP_get_digestbyname(hash->name), key, (int)key_len, p, n, mac, NULL));
}

// RFC 4231 section 4. The MACs of test case 5 are truncated to 128 bits.
static const struct {
  const char *key;
  const char *data;
  const char *mac[3];  // in the order of `sha2`
} rfc4231[] = {
    {"0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b",
     "4869205468657265",
     {"b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
      "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6",
      "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4"
      "be9d914eeb61f1702e696c203a126854"}},
    {"4a656665",
     "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
     {"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
      "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fd"
      "caeab1a34d4a6b4b636e070a38bce737"}},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
     "dddd",
     {"773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
      "88062608d3e6ad8a0aa2ace014c8a86f0aa635d947ac9febe83ef4e55966144b2a5ab39dc13814b94e3ab6e101a34f27",
      "fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39bf3e848279a722c806b485a47e67c807"
      "b946a337bee8942674278859e13292fb"}},
    {"0102030405060708090a0b0c0d0e0f10111213141516171819",
     "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"
     "cdcd",
     {"82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
      "3e8a69b7783c25851933ab6290af6ca77a9981480850009cc5577c6e1f573b4e6801dd23c4a7d679ccf8a386c674cffb",
      "b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3dba91ca5c11aa25eb4d679275cc5788063"
      "a5f19741120c4f2de2adebeb10a298dd"}},
    {"0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c",
     "546573742057697468205472756e636174696f6e",
     {"a3b6167473100ee06e0c796c2955552b", "3abf34c3503b2a23a46efc619baef897", "415fad6271580a531d4179bc891d87a6"}},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579"
     "204669727374",
     {"60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
      "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952",
      "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e52"
      "95e64f73f63f0aec8b915a985d786598"}},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     "5468697320697320612074657374207573696e672061206c6172676572207468616e20626c6f636b2d73697a65206b65"
     "7920616e642061206c6172676572207468616e20626c6f636b2d73697a6520646174612e20546865206b6579206e6565"
     "647320746f20626520686173686564206265666f7265206265696e6720757365642062792074686520484d414320616c"
     "676f726974686d2e",
     {"9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
      "6617178e941f020d351e2f254e8fd32c602420feb0b8fb9adccebb82461e99c5a678cc31e799176d3860e6110c46523e",
      "e37b6a775dc87dbaa4dfa9f96e5e3ffddebd71f8867289865df5a32d20cdc944b6022cac3c4982b10d5eeb55c3e4de15"
      "134676fb6de0446065c97440fa8c6a58"}},
};

static void rfc_4231(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(rfc4231); i++) {
    bytes key = bytes_from_hex(rfc4231[i].key), data = bytes_from_hex(rfc4231[i].data);
    for (size_t h = 0; h < COUNT(sha2); h++) {
      bytes want = bytes_from_hex(rfc4231[i].mac[h]);
      uint8_t mac[TN_HASH_MAX_DIGEST];
      tn_hmac(sha2[h], key.p, key.n, data.p, data.n, mac);
      assert_true(want.n == sha2[h]->digest_len || want.n == 16);
      assert_memory_equal(mac, want.p, want.n);
      bytes_free(&want);
    }
    bytes_free(&key);
    bytes_free(&data);
  }
}

static void keys_and_data_of_every_length_agree_with_libcrypto(void **state) {
  (void)state;
  test_rng rng = {1};
  for (size_t i = 0; tn_hashes[i] != NULL; i++) {
    for (size_t n = 0; n <= 300; n++) {
      // Allocated exactly, so that a read past the end is caught.
      const size_t data_len = test_rng_next(&rng) % 400;
      uint8_t *key = malloc(n + 1), *data = malloc(data_len + 1);
      uint8_t want[TN_HASH_MAX_DIGEST], got[TN_HASH_MAX_DIGEST];
      test_rng_bytes(&rng, key, n + 1);
      test_rng_bytes(&rng, data, data_len + 1);
      oracle(tn_hashes[i], key + 1, n, data + 1, data_len, want);

      tn_hmac(tn_hashes[i], key + 1, n, data + 1, data_len, got);
      assert_memory_equal(got, want, tn_hashes[i]->digest_len);

      tn_hmac_ctx ctx;
      const size_t first = test_rng_next(&rng) % (data_len + 1);
      tn_hmac_init(&ctx, tn_hashes[i], key + 1, n);
      tn_hmac_update(&ctx, data + 1, first);
      tn_hmac_update(&ctx, data + 1 + first, data_len - first);
      tn_hmac_final(&ctx, got);
      assert_memory_equal(got, want, tn_hashes[i]->digest_len);
      free(key);
      free(data);
    }
  }
}

static void key_and_data_may_be_null_when_empty(void **state) {
  (void)state;
  for (size_t i = 0; tn_hashes[i] != NULL; i++) {
    uint8_t want[TN_HASH_MAX_DIGEST], got[TN_HASH_MAX_DIGEST];
    oracle(tn_hashes[i], (const uint8_t *)"", 0, (const uint8_t *)"", 0, want);
    tn_hmac(tn_hashes[i], NULL, 0, NULL, 0, got);
    assert_memory_equal(got, want, tn_hashes[i]->digest_len);
  }
}

static void a_copied_context_reuses_its_key(void **state) {
  (void)state;
  const uint8_t key[] = "a key for many records";
  for (size_t i = 0; tn_hashes[i] != NULL; i++) {
    tn_hmac_ctx keyed;
    tn_hmac_init(&keyed, tn_hashes[i], key, sizeof key);
    for (uint8_t record = 0; record < 5; record++) {
      uint8_t want[TN_HASH_MAX_DIGEST], got[TN_HASH_MAX_DIGEST];
      tn_hmac_ctx ctx = keyed;
      tn_hmac_update(&ctx, &record, 1);
      tn_hmac_final(&ctx, got);
      oracle(tn_hashes[i], key, sizeof key, &record, 1, want);
      assert_memory_equal(got, want, tn_hashes[i]->digest_len);
    }
  }
}

static void the_end_wipes_the_context(void **state) {
  (void)state;
  for (size_t i = 0; tn_hashes[i] != NULL; i++) {
    tn_hmac_ctx ctx;
    uint8_t mac[TN_HASH_MAX_DIGEST];
    tn_hmac_init(&ctx, tn_hashes[i], "key", 3);
    tn_hmac_final(&ctx, mac);
    const uint8_t *p = (const uint8_t *)&ctx;
    for (size_t at = 0; at < sizeof ctx; at++) assert_int_equal(p[at], 0);
  }
}

// RFC 2202: HMAC with MD5 and SHA-1 (sections 2 and 3).
static void rfc_2202(void **state) {
  (void)state;
  static const struct {
    const char *md5_key, *sha1_key, *data, *md5, *sha1;
  } cases[] = {
      {"0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "4869205468657265",
       "9294727a3638bb1c13f48ef8158bfc9d", "b617318655057264e28bc0b6fb378c8ef146be00"},
      {"4a656665", "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
       "750c783e6ab0b503eaa86e310a5db738", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"},
      {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
       "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
       "dddddddddddddddddddddddddddddddd",
       "56be34521d144c88dbb8c733f0e8b3f6", "125d7342b9ac11cd91a39af48aa17b4f63f175d3"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    const char *const keys[] = {cases[i].md5_key, cases[i].sha1_key}, *const macs[] = {cases[i].md5, cases[i].sha1};
    const tn_hash *const hashes[] = {&tn_md5, &tn_sha1};
    for (size_t h = 0; h < COUNT(hashes); h++) {
      bytes key = bytes_from_hex(keys[h]), data = bytes_from_hex(cases[i].data), want = bytes_from_hex(macs[h]);
      uint8_t mac[TN_HASH_MAX_DIGEST];
      tn_hmac(hashes[h], key.p, key.n, data.p, data.n, mac);
      assert_int_equal(want.n, hashes[h]->digest_len);
      assert_memory_equal(mac, want.p, want.n);
      bytes_free(&key), bytes_free(&data), bytes_free(&want);
    }
  }
}

// Every hash with a state that a tn_hmac_key holds.
static const tn_hash *const short_states[] = {&tn_md5, &tn_sha1, &tn_sha224, &tn_sha256, &tn_sha384, &tn_sha512};

static void a_kept_key_gives_the_same_mac(void **state) {
  (void)state;
  test_rng rng = {2};
  assert_true(sizeof(tn_hmac_key) <= 136);
  for (size_t h = 0; h < COUNT(short_states); h++) {
    const tn_hash *hash = short_states[h];
    for (size_t key_len = 0; key_len <= 300; key_len += 1 + key_len / 7) {
      uint8_t raw[300], message[300], want[TN_HASH_MAX_DIGEST], got[TN_HASH_MAX_DIGEST + 1];
      tn_hmac_key key;
      test_rng_bytes(&rng, raw, sizeof raw);
      test_rng_bytes(&rng, message, sizeof message);
      tn_hmac_set_key(&key, hash, raw, key_len);
      assert_upper_vectors_wiped();
      for (size_t n = 0; n <= sizeof message; n += 1 + n / 5) {
        oracle(hash, raw, key_len, message, n, want);
        tn_hmac_ctx ctx;
        memset(&ctx, 0xee, sizeof ctx);
        tn_hmac_start(&ctx, &key);
        tn_hmac_update(&ctx, message, n / 3);
        tn_hmac_update(&ctx, message + n / 3, n - n / 3);
        got[hash->digest_len] = 0xa5;
        tn_hmac_final(&ctx, got);
        assert_upper_vectors_wiped();
        assert_memory_equal(got, want, hash->digest_len);
        assert_int_equal(got[hash->digest_len], 0xa5);
      }
    }
  }
}

static void wycheproof(void **state) {
  (void)state;
  static const struct {
    const char *name;
    const tn_hash *hash;
  } files[] = {
      {"wycheproof/hmac_sha1_test.json", &tn_sha1},     {"wycheproof/hmac_sha224_test.json", &tn_sha224},
      {"wycheproof/hmac_sha256_test.json", &tn_sha256}, {"wycheproof/hmac_sha384_test.json", &tn_sha384},
      {"wycheproof/hmac_sha512_test.json", &tn_sha512},
  };
  for (size_t i = 0; i < COUNT(files); i++) {
    json_t *root = vectors_load(files[i].name), *group, *test;
    size_t g, t, ran = 0;
    json_array_foreach(json_object_get(root, "testGroups"), g, group) {
      json_array_foreach(json_object_get(group, "tests"), t, test) {
        bytes key = json_hex(test, "key"), data = json_hex(test, "msg"), tag = json_hex(test, "tag");
        const bool valid = strcmp(json_string_value(json_object_get(test, "result")), "valid") == 0;
        uint8_t mac[TN_HASH_MAX_DIGEST];
        tn_hmac(files[i].hash, key.p, key.n, data.p, data.n, mac);
        assert_true(tag.n <= files[i].hash->digest_len);
        assert_int_equal(memcmp(mac, tag.p, tag.n) == 0, valid);
        bytes_free(&key);
        bytes_free(&data);
        bytes_free(&tag);
        ran++;
      }
    }
    assert_int_equal(ran, json_integer_value(json_object_get(root, "numberOfTests")));
    json_decref(root);
  }
}

static void nist_acvp(void **state) {
  (void)state;
  static const struct {
    const char *name;
    const tn_hash *hash;
  } files[] = {
      {"acvp/bssl/HMAC-SHA-1.json", &tn_sha1},      {"acvp/awslc/HMAC-SHA-1.json", &tn_sha1},
      {"acvp/bssl/HMAC-SHA2-224.json", &tn_sha224}, {"acvp/awslc/HMAC-SHA2-224.json", &tn_sha224},
      {"acvp/bssl/HMAC-SHA2-256.json", &tn_sha256}, {"acvp/awslc/HMAC-SHA2-256.json", &tn_sha256},
      {"acvp/bssl/HMAC-SHA2-384.json", &tn_sha384}, {"acvp/awslc/HMAC-SHA2-384.json", &tn_sha384},
      {"acvp/bssl/HMAC-SHA2-512.json", &tn_sha512}, {"acvp/awslc/HMAC-SHA2-512.json", &tn_sha512},
  };
  for (size_t i = 0; i < COUNT(files); i++) {
    json_t *root = vectors_load(files[i].name), *group, *test;
    size_t g, t;
    json_array_foreach(json_object_get(root, "testGroups"), g, group) {
      json_array_foreach(json_object_get(group, "tests"), t, test) {
        bytes key = json_hex(test, "key"), data = json_hex(test, "msg");
        bytes want = json_hex(json_object_get(test, "expected"), "mac");
        uint8_t mac[TN_HASH_MAX_DIGEST];
        tn_hmac(files[i].hash, key.p, key.n, data.p, data.n, mac);
        assert_memory_equal(mac, want.p, want.n);
        bytes_free(&key);
        bytes_free(&data);
        bytes_free(&want);
      }
    }
    json_decref(root);
  }
}

// A value of BoringSSL's text files: hex, or text between quotes.
static bytes quoted_or_hex(const char *value) {
  if (value[0] != '"') return bytes_from_hex(value);
  bytes b = {malloc(strlen(value)), strlen(value) - 2};
  memcpy(b.p, value + 1, b.n);
  return b;
}

static void boringssl_vectors(void **state) {
  (void)state;
  static const struct {
    const char *name;
    const tn_hash *hash;
  } hashes[] = {{"MD5", &tn_md5},       {"SHA1", &tn_sha1},     {"SHA224", &tn_sha224},
                {"SHA256", &tn_sha256}, {"SHA384", &tn_sha384}, {"SHA512", &tn_sha512}};
  rsp *r = rsp_open("evp/boringssl/hmac_tests.txt");
  size_t ran = 0;
  while (rsp_next(r)) {
    const char *name = rsp_text(r, "HMAC");
    for (size_t h = 0; name != NULL && h < COUNT(hashes); h++) {
      if (strcmp(name, hashes[h].name) != 0) continue;
      bytes key = quoted_or_hex(rsp_text(r, "Key")), data = quoted_or_hex(rsp_text(r, "Input"));
      bytes want = rsp_hex(r, "Output");
      uint8_t mac[TN_HASH_MAX_DIGEST];
      tn_hmac(hashes[h].hash, key.p, key.n, data.p, data.n, mac);
      assert_true(want.n != 0 && want.n <= hashes[h].hash->digest_len);
      assert_memory_equal(mac, want.p, want.n);
      bytes_free(&key), bytes_free(&data), bytes_free(&want);
      ran++;
    }
  }
  assert_true(ran >= 20);
  rsp_close(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rfc_2202),
      cmocka_unit_test(rfc_4231),
      cmocka_unit_test(keys_and_data_of_every_length_agree_with_libcrypto),
      cmocka_unit_test(key_and_data_may_be_null_when_empty),
      cmocka_unit_test(a_copied_context_reuses_its_key),
      cmocka_unit_test(a_kept_key_gives_the_same_mac),
      cmocka_unit_test(the_end_wipes_the_context),
      cmocka_unit_test(wycheproof),
      cmocka_unit_test(nist_acvp),
      cmocka_unit_test(boringssl_vectors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
