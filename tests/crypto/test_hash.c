#define OPENSSL_SUPPRESS_DEPRECATED  // the low-level contexts, whose length counters can be set
#include <openssl/evp.h>
#include <openssl/md5.h>
#include <openssl/sha.h>

#include "crypto/hash/hash.h"
#include "support/support.h"

static const EVP_MD *oracle_of(const tn_hash *hash) {
  const EVP_MD *md = EVP_get_digestbyname(hash->name);
  if (md == NULL) fail_msg("libcrypto has no %s", hash->name);
  return md;
}

static void oracle(const tn_hash *hash, const uint8_t *p, size_t n, uint8_t *digest) {
  assert_int_equal(EVP_Digest(p, n, digest, NULL, oracle_of(hash), NULL), 1);
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
  static const tn_hash *const rows[] = {&tn_md5, &tn_sha1, &tn_sha224, &tn_sha256, &tn_sha384, &tn_sha512};
  for (size_t h = 0; h < COUNT(rows); h++) {
    size_t i = 0;
    while (tn_hashes[i] != NULL && tn_hashes[i] != rows[h]) i++;
    assert_ptr_equal(tn_hashes[i], rows[h]);
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
    // The counters hold the number of bits; those of 32-bit hashes end with the 2^61st byte.
#define ORACLE(CTX, SUM, WORD, digest)            \
  CTX o;                                          \
  SUM##_Init(&o);                                 \
  o.Nl = (WORD)(total << 3);                      \
  o.Nh = (WORD)(total >> (8 * sizeof(WORD) - 3)); \
  SUM##_Update(&o, tail, sizeof tail);            \
  SUM##_Final(digest, &o)
    uint8_t want[6][64];
    { ORACLE(MD5_CTX, MD5, MD5_LONG, want[0]); }
    { ORACLE(SHA_CTX, SHA1, SHA_LONG, want[1]); }
    { ORACLE(SHA256_CTX, SHA224, SHA_LONG, want[2]); }
    { ORACLE(SHA256_CTX, SHA256, SHA_LONG, want[3]); }
    { ORACLE(SHA512_CTX, SHA384, SHA_LONG64, want[4]); }
    { ORACLE(SHA512_CTX, SHA512, SHA_LONG64, want[5]); }
    static const tn_hash *const rows[] = {&tn_md5, &tn_sha1, &tn_sha224, &tn_sha256, &tn_sha384, &tn_sha512};
    for (size_t h = 0; h < COUNT(rows); h++) {
      if (bits >= 61 && rows[h]->block_len == 64) continue;
      uint8_t got[64];
      tn_hash_ctx ctx;
      tn_hash_init(&ctx, rows[h]);
      ctx.total = total;
      tn_hash_update(&ctx, tail, sizeof tail);
      tn_hash_final(&ctx, got);
      assert_memory_equal(got, want[h], rows[h]->digest_len);
    }
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rows_are_what_the_standard_says),      cmocka_unit_test(nothing_may_be_null),
      cmocka_unit_test(every_short_length_agrees_with_libcrypto), cmocka_unit_test(any_chunks_give_the_same_digest),
      cmocka_unit_test(a_copied_context_goes_its_own_way),        cmocka_unit_test(the_end_wipes_the_context),
      cmocka_unit_test(the_length_of_long_messages_is_padded_in), cmocka_unit_test(a_megabyte_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
