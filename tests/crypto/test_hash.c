#define OPENSSL_SUPPRESS_DEPRECATED  // the low-level contexts, whose length counters can be set
#include <openssl/evp.h>
#include <openssl/sha.h>

#include "crypto/hash/hash.h"
#include "support/rsp.h"
#include "support/support.h"

static const EVP_MD *oracle_of(const tn_hash *hash) {
  const EVP_MD *md = EVP_get_digestbyname(hash->name);
  if (md == NULL) fail_msg("libcrypto has no %s", hash->name);
  return md;
}

static void oracle(const tn_hash *hash, const uint8_t *p, size_t n, uint8_t *digest) {
  assert_int_equal(EVP_Digest(p, n, digest, NULL, oracle_of(hash), NULL), 1);
}

static void assert_digest(const tn_hash *hash, const uint8_t *got, const char *hex) {
  bytes want = bytes_from_hex(hex);
  assert_int_equal(want.n, hash->digest_len);
  assert_memory_equal(got, want.p, want.n);
  bytes_free(&want);
}

// The messages of FIPS 180-2's appendices B to D and of NIST's "Examples with Intermediate Values".
static const struct {
  const char *text;
  size_t times;
  const char *digest[3];  // in the order of `sha2`
} examples[] = {
    {"",
     1,
     {"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b",
      "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
      "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"}},
    {"abc",
     1,
     {"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
      "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"}},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     1,
     {"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
      "3391fdddfc8dc7393707a65b1b4709397cf8b1d162af05abfe8f450de5f36bc6b0455a8520bc4e6f5fe95b1fe3c8452b",
      "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335"
      "96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445"}},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
     "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
     1,
     {"cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
      "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039",
      "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
      "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"}},
    {"a",
     1000000,
     {"cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
      "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b07b8b3dc38ecc4ebae97ddd87f3d8985",
      "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
      "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"}},
};
static const tn_hash *const sha2[] = {&tn_sha256, &tn_sha384, &tn_sha512};

static void the_examples_of_the_standard(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(examples); i++) {
    for (size_t h = 0; h < COUNT(sha2); h++) {
      uint8_t digest[TN_HASH_MAX_DIGEST];
      tn_hash_ctx ctx;
      tn_hash_init(&ctx, sha2[h]);
      for (size_t n = 0; n < examples[i].times; n++) tn_hash_update(&ctx, examples[i].text, strlen(examples[i].text));
      tn_hash_final(&ctx, digest);
      assert_digest(sha2[h], digest, examples[i].digest[h]);
    }
  }
}

static void the_rows_are_what_the_standard_says(void **state) {
  (void)state;
  for (size_t i = 0; tn_hashes[i] != NULL; i++) {
    const EVP_MD *md = oracle_of(tn_hashes[i]);
    assert_int_equal(tn_hashes[i]->digest_len, EVP_MD_get_size(md));
    assert_int_equal(tn_hashes[i]->block_len, EVP_MD_get_block_size(md));
    assert_true(tn_hashes[i]->digest_len <= TN_HASH_MAX_DIGEST);
    assert_true(tn_hashes[i]->block_len <= TN_HASH_MAX_BLOCK);
  }
  for (size_t h = 0; h < COUNT(sha2); h++) {
    size_t i = 0;
    while (tn_hashes[i] != NULL && tn_hashes[i] != sha2[h]) i++;
    assert_ptr_equal(tn_hashes[i], sha2[h]);
  }
}

static void nothing_may_be_null(void **state) {
  (void)state;
  for (size_t i = 0; tn_hashes[i] != NULL; i++) {
    uint8_t want[TN_HASH_MAX_DIGEST], got[TN_HASH_MAX_DIGEST];
    oracle(tn_hashes[i], (const uint8_t *)"x", 1, want);
    tn_hash_ctx ctx;
    tn_hash_init(&ctx, tn_hashes[i]);
    assert_non_null(ctx.path);
    tn_hash_update(&ctx, NULL, 0);
    tn_hash_update(&ctx, "x", 1);
    tn_hash_update(&ctx, NULL, 0);
    tn_hash_final(&ctx, got);
    assert_memory_equal(got, want, tn_hashes[i]->digest_len);

    oracle(tn_hashes[i], want, 0, want);
    tn_hash_once(tn_hashes[i], NULL, 0, got);
    assert_memory_equal(got, want, tn_hashes[i]->digest_len);
  }
}

static void every_short_length_agrees_with_libcrypto(void **state) {
  (void)state;
  test_rng rng = {1};
  for (size_t i = 0; tn_hashes[i] != NULL; i++) {
    for (size_t n = 0; n <= 300; n++) {
      // Exactly as long as the message, so that a read past its end is caught.
      uint8_t *message = malloc(n + 1), want[TN_HASH_MAX_DIGEST], got[TN_HASH_MAX_DIGEST + 1];
      test_rng_bytes(&rng, message + 1, n);
      oracle(tn_hashes[i], message + 1, n, want);
      got[tn_hashes[i]->digest_len] = 0xa5;
      tn_hash_once(tn_hashes[i], message + 1, n, got);
      assert_memory_equal(got, want, tn_hashes[i]->digest_len);
      assert_int_equal(got[tn_hashes[i]->digest_len], 0xa5);
      free(message);
    }
  }
}

static void any_chunks_give_the_same_digest(void **state) {
  (void)state;
  test_rng rng = {2};
  for (size_t i = 0; tn_hashes[i] != NULL; i++) {
    for (int round = 0; round < 300; round++) {
      uint8_t message[5000], want[TN_HASH_MAX_DIGEST], got[TN_HASH_MAX_DIGEST];
      const size_t n = test_rng_next(&rng) % sizeof message;
      const size_t longest = (size_t[]){2, 70, 300, 3000}[round % 4];
      test_rng_bytes(&rng, message, n);
      oracle(tn_hashes[i], message, n, want);
      tn_hash_ctx ctx;
      tn_hash_init(&ctx, tn_hashes[i]);
      for (size_t at = 0; at < n;) {
        size_t chunk = test_rng_next(&rng) % (longest + 1);
        if (chunk > n - at) chunk = n - at;
        tn_hash_update(&ctx, message + at, chunk);
        at += chunk;
      }
      tn_hash_final(&ctx, got);
      assert_memory_equal(got, want, tn_hashes[i]->digest_len);
    }
  }
}

static void a_copied_context_goes_its_own_way(void **state) {
  (void)state;
  test_rng rng = {3};
  uint8_t message[300], want[TN_HASH_MAX_DIGEST], got[TN_HASH_MAX_DIGEST];
  test_rng_bytes(&rng, message, sizeof message);
  for (size_t i = 0; tn_hashes[i] != NULL; i++) {
    tn_hash_ctx ctx;
    tn_hash_init(&ctx, tn_hashes[i]);
    for (size_t n = 0; n < sizeof message; n++) {
      tn_hash_ctx clone = ctx;
      tn_hash_final(&clone, got);
      oracle(tn_hashes[i], message, n, want);
      assert_memory_equal(got, want, tn_hashes[i]->digest_len);
      tn_hash_update(&ctx, message + n, 1);
    }
  }
}

static void the_end_wipes_the_context(void **state) {
  (void)state;
  for (size_t i = 0; tn_hashes[i] != NULL; i++) {
    tn_hash_ctx ctx;
    uint8_t digest[TN_HASH_MAX_DIGEST];
    memset(&ctx, 0xee, sizeof ctx);
    tn_hash_init(&ctx, tn_hashes[i]);
    tn_hash_update(&ctx, "secret", 6);
    tn_hash_final(&ctx, digest);
    const uint8_t *p = (const uint8_t *)&ctx;
    for (size_t at = 0; at < sizeof ctx; at++) assert_int_equal(p[at], 0);
  }
}

// Messages too long to be hashed here: as if 2^bits bytes had left the state at its start.
static void the_length_of_long_messages_is_padded_in(void **state) {
  (void)state;
  const uint8_t tail[] = "tail";
  for (unsigned bits = 28; bits < 64; bits++) {
    const uint64_t total = (uint64_t)1 << bits;
    uint8_t want[64], got[64];
    tn_hash_ctx ctx;
    if (bits < 61) {
      SHA256_CTX o256;
      SHA256_Init(&o256);
      o256.Nl = (SHA_LONG)(total << 3);
      o256.Nh = (SHA_LONG)(total >> 29);
      SHA256_Update(&o256, tail, sizeof tail);
      SHA256_Final(want, &o256);
      tn_hash_init(&ctx, &tn_sha256);
      ctx.total = total;
      tn_hash_update(&ctx, tail, sizeof tail);
      tn_hash_final(&ctx, got);
      assert_memory_equal(got, want, 32);
    }
    SHA512_CTX o512;
    SHA512_Init(&o512);
    o512.Nl = total << 3;
    o512.Nh = total >> 61;
    SHA512_Update(&o512, tail, sizeof tail);
    SHA512_Final(want, &o512);
    tn_hash_init(&ctx, &tn_sha512);
    ctx.total = total;
    tn_hash_update(&ctx, tail, sizeof tail);
    tn_hash_final(&ctx, got);
    assert_memory_equal(got, want, 64);
  }
}

static void a_megabyte_at_once(void **state) {
  (void)state;
  test_rng rng = {4};
  const size_t n = (1 << 20) + 77;
  uint8_t *message = malloc(n), want[TN_HASH_MAX_DIGEST], got[TN_HASH_MAX_DIGEST];
  test_rng_bytes(&rng, message, n);
  for (size_t i = 0; tn_hashes[i] != NULL; i++) {
    oracle(tn_hashes[i], message, n, want);
    tn_hash_once(tn_hashes[i], message, n, got);
    assert_memory_equal(got, want, tn_hashes[i]->digest_len);
  }
  free(message);
}

static void nist_cavp(void **state) {
  (void)state;
  static const struct {
    const char *file;
    const tn_hash *hash;
  } files[] = {
      {"cavp/sha/SHA256ShortMsg.rsp", &tn_sha256},
      {"cavp/sha/SHA256LongMsg.rsp", &tn_sha256},
      {"cavp/sha/SHA512ShortMsg.rsp", &tn_sha512},
      {"cavp/sha/SHA512LongMsg.rsp", &tn_sha512},
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

// NIST's Monte Carlo test for SHA-1 and SHA-2 (ACVP "Secure Hash", section 6.2): chains of three digests.
static void monte_carlo(const tn_hash *hash, const bytes *first, const json_t *results) {
  const size_t n = hash->digest_len;
  uint8_t seed[TN_HASH_MAX_DIGEST], window[3 * TN_HASH_MAX_DIGEST], digest[TN_HASH_MAX_DIGEST];
  assert_int_equal(first->n, n);
  memcpy(seed, first->p, n);
  assert_int_equal(json_array_size(results), 100);
  for (size_t i = 0; i < 100; i++) {
    for (size_t k = 0; k < 3; k++) memcpy(window + k * n, seed, n);
    for (size_t k = 0; k < 1000; k++) {
      tn_hash_once(hash, window, 3 * n, digest);
      memmove(window, window + n, 2 * n);
      memcpy(window + 2 * n, digest, n);
    }
    memcpy(seed, digest, n);
    assert_digest(hash, seed, json_string_value(json_object_get(json_array_get(results, i), "md")));
  }
}

static void nist_acvp(void **state) {
  (void)state;
  static const char *const files[] = {"acvp/bssl/SHA2-256.json", "acvp/bssl/SHA2-384.json", "acvp/bssl/SHA2-512.json"};
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
          monte_carlo(sha2[i], &message, json_object_get(expected, "resultsArray"));
        } else {
          tn_hash_once(sha2[i], message.p, (size_t)json_integer_value(json_object_get(test, "len")) / 8, digest);
          assert_digest(sha2[i], digest, json_string_value(json_object_get(expected, "md")));
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
      cmocka_unit_test(the_examples_of_the_standard),
      cmocka_unit_test(the_rows_are_what_the_standard_says),
      cmocka_unit_test(nothing_may_be_null),
      cmocka_unit_test(every_short_length_agrees_with_libcrypto),
      cmocka_unit_test(any_chunks_give_the_same_digest),
      cmocka_unit_test(a_copied_context_goes_its_own_way),
      cmocka_unit_test(the_end_wipes_the_context),
      cmocka_unit_test(the_length_of_long_messages_is_padded_in),
      cmocka_unit_test(a_megabyte_at_once),
      cmocka_unit_test(nist_cavp),
      cmocka_unit_test(nist_acvp),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
