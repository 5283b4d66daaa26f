// Published vectors of MD5, SHA-1 and SHA-2.
#include "crypto/hash/hash.h"
#include "support/rsp.h"
#include "support/support.h"

static void assert_digest(const tn_hash *hash, const uint8_t *got, const char *hex) {
  bytes want = bytes_from_hex(hex);
  assert_int_equal(want.n, hash->digest_len);
  assert_memory_equal(got, want.p, want.n);
  bytes_free(&want);
}

// The messages of FIPS 180-2's appendices A to D and of NIST's "Examples with Intermediate Values".
static const struct {
  const char *text;
  size_t times;
  const char *digest[5];  // in the order of `sha`
} examples[] = {
    {"",
     1,
     {"da39a3ee5e6b4b0d3255bfef95601890afd80709", "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f",
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b",
      "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
      "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"}},
    {"abc",
     1,
     {"a9993e364706816aba3e25717850c26c9cd0d89d", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
      "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"}},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     1,
     {"84983e441c3bd26ebaae4aa1f95129e5e54670f1", "75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
      "3391fdddfc8dc7393707a65b1b4709397cf8b1d162af05abfe8f450de5f36bc6b0455a8520bc4e6f5fe95b1fe3c8452b",
      "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335"
      "96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445"}},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
     "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
     1,
     {"a49b2446a02c645bf419f995b67091253a04a259", "c97ca9a559850ce97a04a96def6d99a9e0e0e2ab14e6b8df265fc0b3",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
      "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039",
      "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
      "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"}},
    {"a",
     1000000,
     {"34aa973cd4c4daa4f61eeb2bdbad27316534016f", "20794655980c91d8bbb4c1ea97618a4bf03f42581948b2ee4ee7ad67",
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
      "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b07b8b3dc38ecc4ebae97ddd87f3d8985",
      "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
      "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"}},
};
static const tn_hash *const sha[] = {&tn_sha1, &tn_sha224, &tn_sha256, &tn_sha384, &tn_sha512};

static void the_examples_of_the_standard(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(examples); i++) {
    for (size_t h = 0; h < COUNT(sha); h++) {
      uint8_t digest[TN_HASH_MAX_DIGEST];
      tn_hash_ctx ctx;
      tn_hash_init(&ctx, sha[h]);
      for (size_t n = 0; n < examples[i].times; n++) tn_hash_update(&ctx, examples[i].text, strlen(examples[i].text));
      tn_hash_final(&ctx, digest);
      assert_digest(sha[h], digest, examples[i].digest[h]);
    }
  }
}

// RFC 1321 appendix A.5.
static void rfc_1321(void **state) {
  (void)state;
  static const struct {
    const char *text, *digest;
  } suite[] = {
      {"", "d41d8cd98f00b204e9800998ecf8427e"},
      {"a", "0cc175b9c0f1b6a831c399e269772661"},
      {"abc", "900150983cd24fb0d6963f7d28e17f72"},
      {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
      {"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
      {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"},
      {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
       "57edf4a22be3c955ac49da2e2107b67a"},
  };
  for (size_t i = 0; i < COUNT(suite); i++) {
    uint8_t digest[16];
    tn_hash_once(&tn_md5, suite[i].text, strlen(suite[i].text), digest);
    assert_digest(&tn_md5, digest, suite[i].digest);
  }
}

static void nist_cavp(void **state) {
  (void)state;
  static const struct {
    const char *file;
    const tn_hash *hash;
  } files[] = {
      {"cavp/sha/SHA1ShortMsg.rsp", &tn_sha1},     {"cavp/sha/SHA1LongMsg.rsp", &tn_sha1},
      {"cavp/sha/SHA256ShortMsg.rsp", &tn_sha256}, {"cavp/sha/SHA256LongMsg.rsp", &tn_sha256},
      {"cavp/sha/SHA512ShortMsg.rsp", &tn_sha512}, {"cavp/sha/SHA512LongMsg.rsp", &tn_sha512},
  };
  for (size_t i = 0; i < COUNT(files); i++) {
    rsp *r = rsp_open(files[i].file);
    size_t stanzas = 0;
    for (; rsp_next(r); stanzas++) {
      bytes message = rsp_hex(r, "Msg");
      uint8_t digest[TN_HASH_MAX_DIGEST];
      const size_t n = rsp_number(r, "Len") / 8;
      assert_true(n <= message.n);
      assert_int_equal(rsp_number(r, "L"), files[i].hash->digest_len);
      tn_hash_once(files[i].hash, message.p, n, digest);
      assert_digest(files[i].hash, digest, rsp_text(r, "MD"));
      bytes_free(&message);
    }
    assert_true(stanzas > 30);
    rsp_close(r);
  }
}

// NIST's Monte Carlo test for SHA-1 and SHA-2 (ACVP "Secure Hash", section 6.2): chains of three digests. Turns a seed
// into the next.
static void monte_carlo(const tn_hash *hash, uint8_t *seed) {
  const size_t n = hash->digest_len;
  uint8_t window[3 * TN_HASH_MAX_DIGEST];
  for (size_t k = 0; k < 3; k++) memcpy(window + k * n, seed, n);
  for (size_t k = 0; k < 1000; k++) {
    tn_hash_once(hash, window, 3 * n, seed);
    memmove(window, window + n, 2 * n);
    memcpy(window + 2 * n, seed, n);
  }
}

static void nist_cavp_monte_carlo(void **state) {
  (void)state;
  static const struct {
    const char *file;
    const tn_hash *hash;
  } files[] = {{"cavp/sha/SHA1Monte.rsp", &tn_sha1}, {"cavp/sha/SHA224Monte.rsp", &tn_sha224}};
  for (size_t i = 0; i < COUNT(files); i++) {
    const tn_hash *hash = files[i].hash;
    uint8_t seed[TN_HASH_MAX_DIGEST];
    rsp *r = rsp_open(files[i].file);
    assert_true(rsp_next(r));
    bytes first = rsp_hex(r, "Seed");
    assert_int_equal(first.n, hash->digest_len);
    memcpy(seed, first.p, first.n);
    bytes_free(&first);
    size_t steps = 0;
    for (; rsp_next(r); steps++) {
      monte_carlo(hash, seed);
      assert_digest(hash, seed, rsp_text(r, "MD"));
    }
    assert_int_equal(steps, 100);
    rsp_close(r);
  }
}

static void nist_acvp(void **state) {
  (void)state;
  static const char *const files[] = {"acvp/bssl/SHA-1.json", "acvp/bssl/SHA2-224.json", "acvp/bssl/SHA2-256.json",
                                      "acvp/bssl/SHA2-384.json", "acvp/bssl/SHA2-512.json"};  // in the order of `sha`
  for (size_t i = 0; i < COUNT(files); i++) {
    json_t *root = vectors_load(files[i]), *group, *test;
    size_t g, t, ran = 0;
    json_array_foreach(json_object_get(root, "testGroups"), g, group) {
      const char *type = json_string_value(json_object_get(group, "testType"));
      if (strcmp(type, "LDT") == 0) continue;  // gigabytes
      json_array_foreach(json_object_get(group, "tests"), t, test) {
        bytes message = json_hex(test, "msg");
        const json_t *expected = json_object_get(test, "expected");
        uint8_t digest[TN_HASH_MAX_DIGEST];
        if (strcmp(type, "MCT") == 0) {
          const json_t *results = json_object_get(expected, "resultsArray");
          uint8_t seed[TN_HASH_MAX_DIGEST];
          assert_int_equal(message.n, sha[i]->digest_len);
          assert_int_equal(json_array_size(results), 100);
          memcpy(seed, message.p, message.n);
          for (size_t k = 0; k < 100; k++) {
            monte_carlo(sha[i], seed);
            assert_digest(sha[i], seed, json_string_value(json_object_get(json_array_get(results, k), "md")));
          }
        } else {
          tn_hash_once(sha[i], message.p, (size_t)json_integer_value(json_object_get(test, "len")) / 8, digest);
          assert_digest(sha[i], digest, json_string_value(json_object_get(expected, "md")));
        }
        bytes_free(&message);
        ran++;
      }
    }
    assert_true(ran != 0);
    json_decref(root);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_examples_of_the_standard), cmocka_unit_test(rfc_1321),  cmocka_unit_test(nist_cavp),
      cmocka_unit_test(nist_cavp_monte_carlo),        cmocka_unit_test(nist_acvp),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
