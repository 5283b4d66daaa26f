// SHA-3. What all hashes have in common is in test_hash.c.
#include "base/cpu.h"
#include "crypto/hash/hash.h"
#include "crypto/kdf/hmac.h"
#include "support/rsp.h"
#include "support/support.h"

static const tn_hash *const sha3[] = {&tn_sha3_224, &tn_sha3_256, &tn_sha3_384, &tn_sha3_512};

static void assert_digest(const tn_hash *hash, const uint8_t *got, const char *hex) {
  bytes want = bytes_from_hex(hex);
  assert_int_equal(want.n, hash->digest_len);
  assert_memory_equal(got, want.p, want.n);
  bytes_free(&want);
}

// NIST, "Examples with Intermediate Values", of 0 and 1600 bits, and the "abc" of those for SHA-2.
static const struct {
  const char *text;
  size_t times;
  const char *digest[4];  // in the order of `sha3`
} examples[] = {
    {"",
     1,
     {"6b4e03423667dbb73b6e15454f0eb1abd4597f9a1b078e3f5b5a6bc7",
      "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a",
      "0c63a75b845e4f7d01107d852e4c2485c51a50aaaa94fc61995e71bbee983a2ac3713831264adb47fb6bd1e058d5f004",
      "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a6"
      "15b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26"}},
    {"abc",
     1,
     {"e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf",
      "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
      "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25",
      "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"
      "10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0"}},
    {"\xa3",
     200,
     {"9376816aba503f72f96ce7eb65ac095deee3be4bf9bbc2a1cb7e11e0",
      "79f38adec5c20307a98ef76e8324afbfd46cfd81b22e3973c65fa1bd9de31787",
      "1881de2ca7e41ef95dc4732b8f5f002b189cc1e42b74168ed1732649ce1dbcdd76197a31fd55ee989f2d7050dd473e8f",
      "e76dfad22084a8b1467fcf2ffa58361bec7628edf5f3fdc0e4805dc48caeeca8"
      "1b7c13c30adf52a3659584739a2df46be589c51ca1a4a8416df6545a1ce8ba00"}},
};

static void the_examples_of_the_standard(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(examples); i++) {
    for (size_t h = 0; h < COUNT(sha3); h++) {
      uint8_t digest[TN_HASH_MAX_DIGEST];
      tn_hash_ctx ctx;
      tn_hash_init(&ctx, sha3[h]);
      for (size_t k = 0; k < examples[i].times; k++) tn_hash_update(&ctx, examples[i].text, strlen(examples[i].text));
      tn_hash_final(&ctx, digest);
      assert_digest(sha3[h], digest, examples[i].digest[h]);
    }
  }
}

static void the_path_is_the_processors_best(void **state) {
  (void)state;
  for (size_t h = 0; h < COUNT(sha3); h++) {
    tn_hash_ctx ctx;
    tn_hash_init(&ctx, sha3[h]);
    assert_string_equal(ctx.path, tn_cpu_has(TN_CPU_BMI2) ? "bmi2" : "portable");
  }
}

static void all_are_in_the_table(void **state) {
  (void)state;
  for (size_t h = 0; h < COUNT(sha3); h++) {
    size_t i = 0;
    while (tn_hashes[i] != NULL && tn_hashes[i] != sha3[h]) i++;
    assert_ptr_equal(tn_hashes[i], sha3[h]);
  }
}

static void nist_cavp(void **state) {
  (void)state;
  static const struct {
    const char *file;
    const tn_hash *hash;
  } files[] = {
      {"cavp/sha3/SHA3_256ShortMsg.rsp", &tn_sha3_256},
      {"cavp/sha3/SHA3_512ShortMsg.rsp", &tn_sha3_512},
  };
  for (size_t i = 0; i < COUNT(files); i++) {
    rsp *r = rsp_open(files[i].file);
    size_t stanzas = 0;
    for (; rsp_next(r); stanzas++) {
      bytes message = rsp_hex(r, "Msg");
      uint8_t digest[TN_HASH_MAX_DIGEST];
      const size_t n = rsp_number(r, "Len") / 8;
      assert_true(n <= message.n);
      assert_int_equal(rsp_number(r, "L"), 8 * files[i].hash->digest_len);
      tn_hash_once(files[i].hash, message.p, n, digest);
      assert_digest(files[i].hash, digest, rsp_text(r, "MD"));
      bytes_free(&message);
    }
    assert_true(stanzas > 70);
    rsp_close(r);
  }
}

// SHA3VS section 6.2.3.
static void nist_monte_carlo(void **state) {
  (void)state;
  rsp *r = rsp_open("cavp/sha3/SHA3_256Monte.rsp");
  assert_true(rsp_next(r));
  bytes seed = rsp_hex(r, "Seed");
  uint8_t digest[32];
  assert_int_equal(seed.n, sizeof digest);
  memcpy(digest, seed.p, sizeof digest);
  size_t stanzas = 0;
  for (; rsp_next(r); stanzas++) {
    for (size_t i = 0; i < 1000; i++) tn_hash_once(&tn_sha3_256, digest, sizeof digest, digest);
    assert_digest(&tn_sha3_256, digest, rsp_text(r, "MD"));
  }
  assert_int_equal(stanzas, 100);
  bytes_free(&seed);
  rsp_close(r);
}

static void assert_mac(bytes key, bytes message, bytes tag, bool valid) {
  uint8_t mac[TN_HASH_MAX_DIGEST];
  assert_true(tag.n != 0 && tag.n <= tn_sha3_256.digest_len);
  tn_hmac(&tn_sha3_256, key.p, key.n, message.p, message.n, mac);
  assert_int_equal(memcmp(mac, tag.p, tag.n) == 0, valid);
}

// HMAC over a block that is no power of two. The answer is in the test itself or in its member `answers`.
static void check_macs(const char *file, const char *answers, const char *tag_name) {
  json_t *root = vectors_load(file), *group, *test;
  size_t g, t, ran = 0;
  json_array_foreach(json_object_get(root, "testGroups"), g, group) {
    json_array_foreach(json_object_get(group, "tests"), t, test) {
      const char *result = json_string_value(json_object_get(test, "result"));
      bytes key = json_hex(test, "key"), message = json_hex(test, "msg");
      bytes tag = json_hex(answers == NULL ? test : json_object_get(test, answers), tag_name);
      assert_mac(key, message, tag, result == NULL || strcmp(result, "valid") == 0);
      bytes_free(&key);
      bytes_free(&message);
      bytes_free(&tag);
      ran++;
    }
  }
  assert_true(ran != 0);
  json_decref(root);
}

static void hmac_wycheproof(void **state) {
  (void)state;
  check_macs("wycheproof/hmac_sha3_256_test.json", NULL, "tag");
}

static void hmac_acvp(void **state) {
  (void)state;
  check_macs("acvp/awslc/HMAC-SHA3-256.json", "expected", "mac");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_examples_of_the_standard),
      cmocka_unit_test(the_path_is_the_processors_best),
      cmocka_unit_test(all_are_in_the_table),
      cmocka_unit_test(nist_cavp),
      cmocka_unit_test(nist_monte_carlo),
      cmocka_unit_test(hmac_wycheproof),
      cmocka_unit_test(hmac_acvp),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
