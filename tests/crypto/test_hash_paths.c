// Which implementation of a hash runs, and that each that this processor has is the same function.
#define OPENSSL_SUPPRESS_DEPRECATED  // the low-level contexts, whose state can be set and read
#include <openssl/md5.h>
#include <openssl/sha.h>

#include "crypto/hash/compress.h"
#include "crypto/hash/hash.h"
#include "support/support.h"

#define SHANI (TN_CPU_SHANI | TN_CPU_SSE41)
#define AVX2 (TN_CPU_AVX2 | TN_CPU_BMI2)

static void the_path_is_the_best_that_the_level_allows(void **state) {
  (void)state;
  static const struct {
    const tn_hash *hash;
    struct {
      uint32_t cpu;
      const char *path;
    } paths[4];  // best first
  } expected[] = {
      {&tn_md5, {{0, "portable"}}},
      {&tn_sha1, {{SHANI, "shani"}, {AVX2, "avx2"}, {0, "portable"}}},
      {&tn_sha224, {{SHANI, "shani"}, {AVX2, "avx2"}, {0, "portable"}}},
      {&tn_sha256, {{SHANI, "shani"}, {AVX2, "avx2"}, {0, "portable"}}},
      {&tn_sha384, {{TN_CPU_AVX512 | AVX2, "avx512"}, {AVX2, "avx2"}, {0, "portable"}}},
      {&tn_sha512, {{TN_CPU_AVX512 | AVX2, "avx512"}, {AVX2, "avx2"}, {0, "portable"}}},
  };
  for (size_t i = 0; i < COUNT(expected); i++) {
    size_t p = 0;
    while (!tn_cpu_has(expected[i].paths[p].cpu)) p++;
    tn_hash_ctx ctx;
    tn_hash_init(&ctx, expected[i].hash);
    assert_string_equal(ctx.path, expected[i].paths[p].path);
  }
}

// libcrypto's compression functions.
#define ORACLE(name, CTX, SUM, state_of, block_len)                  \
  static void name(void *state, const uint8_t *p, size_t n_blocks) { \
    CTX o;                                                           \
    SUM##_Init(&o);                                                  \
    memcpy(state_of, state, name##_LEN);                             \
    SUM##_Update(&o, p, n_blocks *(block_len));                      \
    memcpy(state, state_of, name##_LEN);                             \
  }
enum { oracle_md5_LEN = 16, oracle_sha1_LEN = 20, oracle_sha256_LEN = 32, oracle_sha512_LEN = 64 };
ORACLE(oracle_md5, MD5_CTX, MD5, &o.A, 64)
ORACLE(oracle_sha1, SHA_CTX, SHA1, &o.h0, 64)
ORACLE(oracle_sha256, SHA256_CTX, SHA256, o.h, 64)
ORACLE(oracle_sha512, SHA512_CTX, SHA512, o.h, 128)

static void chosen(const tn_hash *hash, void *s, const uint8_t *p, size_t n_blocks) {
  tn_hash_ctx ctx;
  tn_hash_init(&ctx, hash);
  ctx.compress(s, p, n_blocks);
}
static void chosen_md5(void *s, const uint8_t *p, size_t n) { chosen(&tn_md5, s, p, n); }
static void chosen_sha1(void *s, const uint8_t *p, size_t n) { chosen(&tn_sha1, s, p, n); }
static void chosen_sha256(void *s, const uint8_t *p, size_t n) { chosen(&tn_sha256, s, p, n); }
static void chosen_sha512(void *s, const uint8_t *p, size_t n) { chosen(&tn_sha512, s, p, n); }

static const struct {
  const char *name;
  uint32_t cpu;
  void (*compress)(void *state, const uint8_t *p, size_t n_blocks);
  void (*oracle)(void *state, const uint8_t *p, size_t n_blocks);
  size_t block_len;
} functions[] = {
    // Those that this level would choose, and those that it passes over for a better one.
    {"md5", 0, chosen_md5, oracle_md5, 64},
    {"sha1", 0, chosen_sha1, oracle_sha1, 64},
    {"sha256", 0, chosen_sha256, oracle_sha256, 64},
    {"sha512", 0, chosen_sha512, oracle_sha512, 128},
#if defined(__x86_64__)
    {"sha1, shani", SHANI, tn_sha1_compress_shani, oracle_sha1, 64},
    {"sha1, avx2", AVX2, tn_sha1_compress_avx2, oracle_sha1, 64},
    {"sha256, shani", SHANI, tn_sha256_compress_shani, oracle_sha256, 64},
    {"sha256, avx2", AVX2, tn_sha256_compress_avx2, oracle_sha256, 64},
    {"sha512, avx2", AVX2, tn_sha512_compress_avx2, oracle_sha512, 128},
    {"sha512, avx512", TN_CPU_AVX512 | AVX2, tn_sha512_compress_avx512, oracle_sha512, 128},
#endif
};

static void every_function_agrees_with_libcrypto(void **state) {
  (void)state;
  test_rng rng = {1};
  for (size_t i = 0; i < COUNT(functions); i++) {
    if (!tn_cpu_has(functions[i].cpu)) continue;
    for (size_t n = 0; n <= 20; n++) {
      for (size_t round = 0; round < 20; round++) {
        // Exactly as long as its blocks, at any alignment; a state with a guard behind it.
        uint8_t *message = malloc(n * functions[i].block_len + 16), *p = message + round % 16;
        uint64_t want[9], got[9];
        test_rng_bytes(&rng, message, n * functions[i].block_len + 16);
        test_rng_bytes(&rng, want, sizeof want);
        memcpy(got, want, sizeof got);
        functions[i].oracle(want, p, n);
        functions[i].compress(got, p, n);
        assert_upper_vectors_wiped();
        if (memcmp(got, want, sizeof got) != 0) fail_msg("%s: %zu blocks", functions[i].name, n);
        free(message);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_path_is_the_best_that_the_level_allows),
      cmocka_unit_test(every_function_agrees_with_libcrypto),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
