// The modes of AES against published vectors.
#include <strings.h>

#include "cipher_case.h"
#include "support/rsp.h"

static const tn_cipher *const cbc[] = {&tn_aes_128_cbc, &tn_aes_256_cbc}, *const ctr[] = {&tn_aes_128_ctr,
                                                                                          &tn_aes_256_ctr};

// NULL for keys of 24 bytes, which are not offered.
static const tn_cipher *row_of(const tn_cipher *const rows[2], size_t key_len) {
  return key_len == 16 ? rows[0] : key_len == 32 ? rows[1] : NULL;
}

static void free_all(bytes *all, size_t n) {
  for (size_t i = 0; i < n; i++) bytes_free(&all[i]);
}

// ---------------------------------------------------------------- embedded

#define KEY_128 "2b7e151628aed2a6abf7158809cf4f3c"
#define KEY_256 "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"
#define TEXT                                                         \
  "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51" \
  "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
#define COUNTER "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"

static const struct {
  const char *name;
  const tn_cipher *cipher;
  const char *key, *iv, *text, *sealed;
} vectors[] = {
    {"FIPS 197 appendix B", &tn_aes_128_cbc, KEY_128, "00000000000000000000000000000000",
     "3243f6a8885a308d313198a2e0370734", "3925841d02dc09fbdc118597196a0b32"},
    {"FIPS 197 appendix C.1", &tn_aes_128_cbc, "000102030405060708090a0b0c0d0e0f", "00000000000000000000000000000000",
     "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a"},
    {"FIPS 197 appendix C.3", &tn_aes_256_cbc, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
     "00000000000000000000000000000000", "00112233445566778899aabbccddeeff", "8ea2b7ca516745bfeafc49904b496089"},
    {"SP 800-38A appendix F.2.1", &tn_aes_128_cbc, KEY_128, "000102030405060708090a0b0c0d0e0f", TEXT,
     "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"
     "73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7"},
    {"SP 800-38A appendix F.2.5", &tn_aes_256_cbc, KEY_256, "000102030405060708090a0b0c0d0e0f", TEXT,
     "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"
     "39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b"},
    {"SP 800-38A appendix F.5.1", &tn_aes_128_ctr, KEY_128, COUNTER, TEXT,
     "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
     "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee"},
    {"SP 800-38A appendix F.5.5", &tn_aes_256_ctr, KEY_256, COUNTER, TEXT,
     "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
     "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"},
    {"RFC 3686 test vector 3", &tn_aes_128_ctr, "7691be035e5020a8ac6e618529f9a0dc", "00e0017b27777f3f4a1786f000000001",
     "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223",
     "c1cf48a89f2ffdd9cf4652e9efdb72d74540a42bde6d7836d59a5ceaaef3105325b2072f"},
};

static void the_standards_examples_hold(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(vectors); i++) {
    bytes all[] = {bytes_from_hex(vectors[i].key), bytes_from_hex(vectors[i].iv), bytes_from_hex(vectors[i].text),
                   bytes_from_hex(vectors[i].sealed)};
    check_cipher_case(vectors[i].cipher, all[0], all[1], all[2], all[3], vectors[i].name);
    free_all(all, COUNT(all));
  }
}

// ---------------------------------------------------------------- CAVP

static size_t cavp_file(const char *path) {
  rsp *r = rsp_open(path);
  size_t ran = 0;
  while (rsp_next(r)) {
    const bool has_iv = rsp_text(r, "IV") != NULL;
    bytes all[] = {rsp_hex(r, "KEY"), has_iv ? rsp_hex(r, "IV") : bytes_from_hex(""), rsp_hex(r, "PLAINTEXT"),
                   rsp_hex(r, "CIPHERTEXT")};
    const tn_cipher *cipher = row_of(strstr(path, "CTR") != NULL ? ctr : cbc, all[0].n);
    if (cipher != NULL && has_iv) check_cipher_case(cipher, all[0], all[1], all[2], all[3], path);
    if (cipher != NULL && !has_iv) check_ecb_case(cipher, all[0], all[2], all[3], path);
    ran += cipher != NULL;
    free_all(all, COUNT(all));
  }
  rsp_close(r);
  return ran;
}

static void cavp(void **state) {
  (void)state;
  static const char *const files[] = {
      "cavp/aes_cbc/CBCGFSbox128.rsp",
      "cavp/aes_cbc/CBCGFSbox256.rsp",
      "cavp/aes_cbc/CBCKeySbox128.rsp",
      "cavp/aes_cbc/CBCKeySbox256.rsp",
      "cavp/aes_cbc/CBCMMT128.rsp",
      "cavp/aes_cbc/CBCMMT256.rsp",
      "cavp/aes_cbc/CBCVarKey128.rsp",
      "cavp/aes_cbc/CBCVarKey256.rsp",
      "cavp/aes_cbc/CBCVarTxt256.rsp",
      "cavp/aes_ecb/ECBGFSbox128.rsp",
      "cavp/aes_ecb/ECBKeySbox128.rsp",
      "cavp/aes_ecb/ECBMMT128.rsp",
      "cavp/aes_ecb/ECBMMT256.rsp",
      "cavp/aes_ecb/ECBVarKey128.rsp",
      "cavp/aes_ecb/ECBVarKey256.rsp",
      "rfc/pyca/ciphers_AES_CTR_aes-128-ctr.txt",
      "rfc/pyca/ciphers_AES_CTR_aes-256-ctr.txt",
  };
  for (size_t i = 0; i < COUNT(files); i++) {
    size_t ran = cavp_file(files[i]);
    if (ran < 3) fail_msg("%s: only %zu cases were run", files[i], ran);
  }
}

// ---------------------------------------------------------------- ACVP

static size_t number_of(const json_t *group, const char *key) {
  return (size_t)json_integer_value(json_object_get(group, key));
}

// One round of the Monte Carlo test (CAVS "AESAVS" section 6.4): a thousand blocks, each the text of the one after the
// next. `last` is the last two blocks of the answer.
static void monte_carlo_round(const tn_cipher *cipher, bool decrypting, bytes key, const uint8_t iv[16],
                              const uint8_t first[16], bool chained, uint8_t last[32]) {
  uint8_t running[16], text[16], next[16];
  tn_cipher_key k;
  tn_cipher_set_key(&k, cipher, key.p);
  memcpy(running, iv, 16);
  memcpy(text, first, 16);
  memcpy(next, iv, 16);
  for (int j = 0; j < 1000; j++) {
    const tn_span in = {text, 16};
    const tn_mspan out = {last + 16, 16};
    if (!chained) memset(running, 0, 16);
    memcpy(last, last + 16, 16);
    assert_ok((decrypting ? tn_cipher_decrypt : tn_cipher_encrypt)(&k, running, &in, 1, &out, 1));
    memcpy(text, chained ? next : last + 16, 16);
    memcpy(next, last + 16, 16);
  }
  tn_cipher_wipe_key(&k);
}

// Each round makes the next one's key by adding its answer.
static void monte_carlo(const json_t *test, bool decrypting, bool chained) {
  const json_t *rounds = json_object_get(json_object_get(test, "expected"), "resultsArray");
  bytes key = json_hex(test, "key");
  const tn_cipher *cipher = row_of(cbc, key.n);
  size_t i;
  json_t *round;
  uint8_t last[32] = {0};
  json_array_foreach(rounds, i, round) {
    bytes all[] = {json_hex(round, "key"),
                   chained ? json_hex(round, "iv") : bytes_from_hex("00000000000000000000000000000000"),
                   json_hex(round, decrypting ? "ct" : "pt"), json_hex(round, decrypting ? "pt" : "ct")};
    assert_memory_equal(all[0].p, key.p, key.n);
    if (i != 0) assert_memory_equal(all[2].p, last + (chained ? 0 : 16), 16);
    monte_carlo_round(cipher, decrypting, all[0], all[1].p, all[2].p, chained, last);
    assert_memory_equal(last + 16, all[3].p, 16);
    for (size_t j = 0; j < key.n; j++) key.p[j] ^= last[32 - key.n + j];
    free_all(all, COUNT(all));
  }
  assert_int_equal(i, 100);
  bytes_free(&key);
}

// `rows` NULL stands for ECB.
static void acvp(const char *path, const tn_cipher *const *rows, size_t at_least, size_t chains) {
  json_t *root = vectors_load(path);
  size_t i, j, ran = 0, chains_ran = 0;
  json_t *group, *test;
  json_array_foreach(json_object_get(root, "testGroups"), i, group) {
    const tn_cipher *cipher = row_of(rows == NULL ? cbc : rows, number_of(group, "keyLen") / 8);
    const bool decrypting = strcmp(json_string_value(json_object_get(group, "direction")), "decrypt") == 0;
    if (cipher == NULL) continue;
    json_array_foreach(json_object_get(group, "tests"), j, test) {
      const json_t *expected = json_object_get(test, "expected");
      char name[64];
      snprintf(name, sizeof name, "ACVP %zu", number_of(test, "tcId"));
      if (json_object_get(expected, "resultsArray") != NULL) {
        monte_carlo(test, decrypting, rows != NULL);
        chains_ran++;
        continue;
      }
      assert_int_equal(number_of(test, "payloadLen") % 8, 0);
      bytes all[] = {json_hex(test, "key"), rows == NULL ? bytes_from_hex("") : json_hex(test, "iv"),
                     json_hex(decrypting ? expected : test, "pt"), json_hex(decrypting ? test : expected, "ct")};
      if (rows == NULL)
        check_ecb_case(cipher, all[0], all[2], all[3], name);
      else
        check_cipher_case(cipher, all[0], all[1], all[2], all[3], name);
      ran++;
      free_all(all, COUNT(all));
    }
  }
  json_decref(root);
  if (ran < at_least || chains_ran < chains) fail_msg("%s: only %zu and %zu cases were run", path, ran, chains_ran);
}

static void acvp_cbc(void **state) {
  (void)state;
  acvp("acvp/bssl/ACVP-AES-CBC.json", cbc, 10, 2);
}

static void acvp_ctr(void **state) {
  (void)state;
  acvp("acvp/bssl/ACVP-AES-CTR.json", ctr, 15, 0);
}

static void acvp_ecb(void **state) {
  (void)state;
  acvp("acvp/bssl/ACVP-AES-ECB.json", NULL, 10, 2);
}

// ---------------------------------------------------------------- Wycheproof

// Padding (PKCS #7) is not the mode's: the valid cases are run with it put on; what others make of bad padding does not
// concern it.
static void wycheproof_cbc(void **state) {
  (void)state;
  json_t *root = vectors_load("wycheproof/aes_cbc_pkcs5_test.json");
  size_t i, j, ran = 0;
  json_t *group, *test;
  json_array_foreach(json_object_get(root, "testGroups"), i, group) {
    const tn_cipher *cipher = row_of(cbc, number_of(group, "keySize") / 8);
    if (cipher == NULL) continue;
    json_array_foreach(json_object_get(group, "tests"), j, test) {
      if (strcmp(json_string_value(json_object_get(test, "result")), "valid") != 0) continue;
      bytes all[] = {json_hex(test, "key"), json_hex(test, "iv"), json_hex(test, "msg"), json_hex(test, "ct")};
      const size_t padding = 16 - all[2].n % 16;
      bytes padded = {malloc(all[2].n + padding), all[2].n + padding};
      memcpy(padded.p, all[2].p, all[2].n);
      memset(padded.p + all[2].n, (int)padding, padding);
      char name[64];
      snprintf(name, sizeof name, "Wycheproof %zu", number_of(test, "tcId"));
      check_cipher_case(cipher, all[0], all[1], padded, all[3], name);
      ran++;
      bytes_free(&padded);
      free_all(all, COUNT(all));
    }
  }
  json_decref(root);
  assert_true(ran >= 48);
}

// ---------------------------------------------------------------- OpenSSL's own

// Blocks of "Name = value"; the names of ciphers are written in any case.
static void openssl(void **state) {
  (void)state;
  static const struct {
    const char *name;
    const tn_cipher *cipher;
    bool ecb;
  } rows[] = {
      {"AES-128-CBC", &tn_aes_128_cbc, false}, {"AES-256-CBC", &tn_aes_256_cbc, false},
      {"AES-128-CTR", &tn_aes_128_ctr, false}, {"AES-256-CTR", &tn_aes_256_ctr, false},
      {"AES-128-ECB", &tn_aes_128_cbc, true},  {"AES-256-ECB", &tn_aes_256_cbc, true},
  };
  size_t ran = 0;
  rsp *r = rsp_open("evp/openssl/evpciph_aes_common.txt");
  while (rsp_next(r)) {
    const char *name = rsp_text(r, "Cipher");
    if (name == NULL || rsp_text(r, "Result") != NULL) continue;
    for (size_t i = 0; i < COUNT(rows); i++) {
      if (strcasecmp(name, rows[i].name) != 0) continue;
      bytes all[] = {rsp_hex(r, "Key"), rows[i].ecb ? bytes_from_hex("") : rsp_hex(r, "IV"), rsp_hex(r, "Plaintext"),
                     rsp_hex(r, "Ciphertext")};
      // A longer ciphertext is a padded one.
      if (all[2].n == all[3].n && rows[i].ecb)
        check_ecb_case(rows[i].cipher, all[0], all[2], all[3], "evpciph");
      else if (all[2].n == all[3].n)
        check_cipher_case(rows[i].cipher, all[0], all[1], all[2], all[3], "evpciph");
      ran += all[2].n == all[3].n;
      free_all(all, COUNT(all));
    }
  }
  rsp_close(r);
  assert_true(ran >= 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_standards_examples_hold),
      cmocka_unit_test(cavp),
      cmocka_unit_test(acvp_cbc),
      cmocka_unit_test(acvp_ctr),
      cmocka_unit_test(acvp_ecb),
      cmocka_unit_test(wycheproof_cbc),
      cmocka_unit_test(openssl),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
