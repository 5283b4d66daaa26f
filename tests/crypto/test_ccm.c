// AES-CCM against published vectors, and what is its own: short tags, lengths of associated data that are written in
// different ways, a text that may not be longer than a length of three bytes.
#include <openssl/evp.h>

#include "base/cpu.h"
#include "base/mem.h"
#include "crypto/aead/aead.h"
#include "support/rsp.h"

static const tn_aead *const rows[] = {&tn_aes_128_ccm, &tn_aes_256_ccm, &tn_aes_128_ccm_8, &tn_aes_256_ccm_8};

// NULL for what is not offered.
static const tn_aead *row_of(size_t key_len, size_t nonce_len, size_t tag_len) {
  for (size_t i = 0; i < COUNT(rows); i++)
    if (rows[i]->key_len == key_len && rows[i]->tag_len == tag_len && nonce_len == TN_AEAD_NONCE_LEN) return rows[i];
  return NULL;
}

// key, nonce, associated data, text, ciphertext and tag in one
typedef bytes ccm_case[5];

static void free_case(ccm_case c) {
  for (size_t i = 0; i < 5; i++) bytes_free(&c[i]);
}

static void check(const tn_aead *aead, ccm_case c, bool valid, const char *name) {
  const size_t n = c[4].n - aead->tag_len;
  uint8_t *made = malloc(c[4].n + 1);
  const tn_span text = {c[3].p, n}, sealed = {c[4].p, n};
  const tn_mspan out = {made, n};
  tn_aead_key key;
  tn_aead_set_key(&key, aead, c[0].p);
  tn_result r = tn_aead_open(&key, c[1].p, bytes_span(c[2]), &sealed, 1, c[4].p + n, &out, 1);
  if (tn_ok(r) != valid) fail_msg("%s %s: open says %s", aead->name, name, tn_reason_name(r.reason));
  if (valid) {
    assert_int_equal(c[3].n, n);
    assert_memory_equal(made, c[3].p, n);
    memset(made, 0xa5, c[4].n + 1);
    assert_ok(tn_aead_seal(&key, c[1].p, bytes_span(c[2]), &text, 1, &out, 1, made + n));
    assert_memory_equal(made, c[4].p, c[4].n);
    assert_int_equal(made[c[4].n], 0xa5);  // a tag of 8 bytes is 8 bytes
  }
  tn_aead_wipe_key(&key);
  free(made);
}

// ---------------------------------------------------------------- embedded

static const struct {
  const char *name;
  const tn_aead *aead;
  const char *part[5];
} vectors[] = {
    {"SP 800-38C example 3",
     &tn_aes_128_ccm_8,
     {"404142434445464748494a4b4c4d4e4f", "101112131415161718191a1b", "000102030405060708090a0b0c0d0e0f10111213",
      "202122232425262728292a2b2c2d2e2f3031323334353637",
      "e3b201a9f5b71a7a9b1ceaeccd97e70b6176aad9a4428aa5484392fbc1b09951"}},
    {"CAVP VNT128 count 50",
     &tn_aes_128_ccm,
     {"005e8f4d8e0cbf4e1ceeb5d87a275848", "0ec3ac452b547b9062aac8fa",
      "2f1821aa57e5278ffd33c17d46615b77363149dbc98470413f6543a6b749f2ca",
      "b6f345204526439daf84998f380dcfb4b4167c959c04ff65",
      "9575e16f35da3c88a19c26a7b762044f4d7bbbafeff05d754829e2a7752fa3a14890972884b511d8"}},
    {"CAVP VNT256 count 50",
     &tn_aes_256_ccm,
     {"d6ff67379a2ead2ca87aa4f29536258f9fb9fc2e91b0ed18e7b9f5df332dd1dc", "2f1d0717a822e20c7cd28f0a",
      "d50741d34c8564d92f396b97be782923ff3c855ea9757bde419f632c83997630",
      "98626ffc6c44f13c964e7fcb7d16e988990d6d063d012d33",
      "50e22db70ac2bab6d6af7059c90d00fbf0fb52eee5eb650e08aca7dec636170f481dcb9fefb85c05"}},
};

static void the_standards_examples_hold(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(vectors); i++) {
    ccm_case c;
    for (size_t j = 0; j < 5; j++) c[j] = bytes_from_hex(vectors[i].part[j]);
    check(vectors[i].aead, c, true, vectors[i].name);
    c[4].p[c[4].n - 1] ^= 1;
    check(vectors[i].aead, c, false, vectors[i].name);
    free_case(c);
  }
}

// ---------------------------------------------------------------- CAVP and Wycheproof

// The only files with nonces of 12 bytes; a key stands above the stanzas that it is for.
static void cavp(void **state) {
  (void)state;
  static const char *const files[] = {"cavp/aes_ccm/VNT128.rsp", "cavp/aes_ccm/VNT256.rsp"};
  for (size_t i = 0; i < COUNT(files); i++) {
    rsp *r = rsp_open(files[i]);
    char key[128] = "";
    size_t ran = 0;
    while (rsp_next(r)) {
      if (rsp_text(r, "Key") != NULL) snprintf(key, sizeof key, "%s", rsp_text(r, "Key"));
      if (rsp_text(r, "Nonce") == NULL) continue;
      ccm_case c = {bytes_from_hex(key), rsp_hex(r, "Nonce"), rsp_hex(r, "Adata"), rsp_hex(r, "Payload"),
                    rsp_hex(r, "CT")};
      const tn_aead *aead = row_of(c[0].n, c[1].n, c[4].n - c[3].n);
      if (aead != NULL) check(aead, c, true, files[i]);
      ran += aead != NULL;
      free_case(c);
    }
    rsp_close(r);
    if (ran < 10) fail_msg("%s: only %zu cases were run", files[i], ran);
  }
}

static size_t number_of(const json_t *group, const char *name) {
  return (size_t)json_integer_value(json_object_get(group, name));
}

static void wycheproof(void **state) {
  (void)state;
  json_t *root = vectors_load("wycheproof/aes_ccm_test.json");
  size_t i, j, ran[2] = {0};
  json_t *group, *test;
  json_array_foreach(json_object_get(root, "testGroups"), i, group) {
    const size_t tag_len = number_of(group, "tagSize") / 8;
    const tn_aead *aead = row_of(number_of(group, "keySize") / 8, number_of(group, "ivSize") / 8, tag_len);
    if (aead == NULL) continue;
    json_array_foreach(json_object_get(group, "tests"), j, test) {
      ccm_case c = {json_hex(test, "key"), json_hex(test, "iv"), json_hex(test, "aad"), json_hex(test, "msg"),
                    json_hex(test, "ct")};
      bytes tag = json_hex(test, "tag");
      c[4].p = realloc(c[4].p, c[4].n + tag.n + 1);
      memcpy(c[4].p + c[4].n, tag.p, tag.n);
      c[4].n += tag.n;
      char name[64];
      snprintf(name, sizeof name, "Wycheproof %zu", number_of(test, "tcId"));
      assert_int_equal(tag.n, tag_len);
      check(aead, c, strcmp(json_string_value(json_object_get(test, "result")), "valid") == 0, name);
      ran[tag_len == 8]++;
      bytes_free(&tag);
      free_case(c);
    }
  }
  json_decref(root);
  assert_true(ran[0] >= 100 && ran[1] >= 2);
}

// ---------------------------------------------------------------- libcrypto

// Copying and comparing leave something in registers that only AVX-512 has: before what is asked about, they are wiped.
static void wipe_vectors(void) {
  if (tn_cpu_has(TN_CPU_AVX512)) tn_wipe_vectors_avx512();
}

// What libcrypto makes of a text under a key and a nonce of zeros.
static void oracle(const tn_aead *aead, tn_span aad, const uint8_t *text, uint8_t *sealed, size_t n, uint8_t *tag) {
  const uint8_t zeros[32] = {0};
  EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
  int len;
  assert_int_equal(
      EVP_EncryptInit_ex(ctx, aead->key_len == 16 ? EVP_aes_128_ccm() : EVP_aes_256_ccm(), NULL, NULL, NULL), 1);
  assert_int_equal(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, TN_AEAD_NONCE_LEN, NULL), 1);
  assert_int_equal(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, aead->tag_len, NULL), 1);
  assert_int_equal(EVP_EncryptInit_ex(ctx, NULL, NULL, zeros, zeros), 1);
  assert_int_equal(EVP_EncryptUpdate(ctx, NULL, &len, NULL, (int)n), 1);
  if (aad.n != 0) assert_int_equal(EVP_EncryptUpdate(ctx, NULL, &len, aad.p, (int)aad.n), 1);
  assert_int_equal(EVP_EncryptUpdate(ctx, sealed, &len, text, (int)n), 1);
  assert_int_equal(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, aead->tag_len, tag), 1);
  EVP_CIPHER_CTX_free(ctx);
}

static void agrees_with_libcrypto(const tn_aead *aead, tn_span aad, uint8_t *text, size_t n) {
  const uint8_t zeros[32] = {0};
  uint8_t *sealed = malloc(n + 1), tag[TN_AEAD_MAX_TAG], right[TN_AEAD_MAX_TAG];
  oracle(aead, aad, text, sealed, n, right);
  const tn_span in = tn_span_of(text, n);
  const tn_mspan out = {text, n};
  tn_aead_key key;
  tn_aead_set_key(&key, aead, zeros);
  wipe_vectors();
  assert_ok(tn_aead_seal(&key, zeros, aad, &in, 1, &out, 1, tag));
  assert_upper_vectors_wiped();
  assert_memory_equal(tag, right, aead->tag_len);
  assert_int_equal(memcmp(text, sealed, n), 0);
  tn_aead_wipe_key(&key);
  free(sealed);
}

// SP 800-38C appendix A.2.2: from 2^16 - 2^8 bytes on, the length takes six bytes. (From 2^32 on, ten.)
static void long_associated_data_has_a_longer_length(void **state) {
  (void)state;
  static const size_t lengths[] = {13, 14, 15, 30, 0xfeff, 0xff00, 0xff01, 0x10000, 70000};
  uint8_t *aad = malloc(70000), text[20];
  test_rng rng = {1};
  test_rng_bytes(&rng, aad, 70000);
  for (size_t r = 0; r < COUNT(rows); r++) {
    for (size_t i = 0; i < COUNT(lengths); i++) {
      test_rng_bytes(&rng, text, sizeof text);
      agrees_with_libcrypto(rows[r], tn_span_of(aad, lengths[i]), text, sizeof text);
    }
  }
  free(aad);
}

// Lengths and counters that fill one, two and three bytes. The longest text of all takes the portable code seconds.
static void long_texts_are_sealed(void **state) {
  (void)state;
  static const size_t lengths[] = {0xfe0, 0x1010, 0xffff, 0x10000, 0x100123, 0xffffff};
  uint8_t *text = calloc(1, 0xffffff);
  for (size_t i = 0; i < COUNT(lengths) - !tn_cpu_has(TN_CPU_AESNI); i++)
    agrees_with_libcrypto(&tn_aes_128_ccm, tn_span_of("thirteen byte", 13), text, lengths[i]);
  free(text);
}

// Its length would be written as another's.
static void a_text_of_16_mebibytes_is_refused(void **state) {
  (void)state;
  const uint8_t zeros[32] = {0};
  uint8_t memory[1] = {7}, tag[TN_AEAD_MAX_TAG] = {7};
  for (size_t r = 0; r < COUNT(rows); r++) {
    const tn_span in[] = {{memory, 1}, {memory, 0xffffff}};
    const tn_mspan out[] = {{memory, 0xffffff}, {memory, 1}};
    tn_aead_key key;
    tn_aead_set_key(&key, rows[r], zeros);
    assert_fails(tn_aead_seal(&key, zeros, tn_span_of(NULL, 0), in, 2, out, 2, tag), BAD_ARGUMENT);
    assert_fails(tn_aead_open(&key, zeros, tn_span_of(NULL, 0), in, 2, tag, out, 2), BAD_ARGUMENT);
    tn_aead_wipe_key(&key);
  }
  assert_int_equal(memory[0], 7);
  assert_int_equal(tag[0], 7);
}

static bool processor_has_aes(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("aes") && __builtin_cpu_supports("sse4.1");
#else
  return false;
#endif
}

static void it_obeys_the_level(void **state) {
  (void)state;
  const char *level = getenv("TENON_CPU");
  const bool portable = (level != NULL && strcmp(level, "portable") == 0) || !processor_has_aes();
  const uint8_t raw[TN_AEAD_MAX_KEY] = {0};
  for (size_t r = 0; r < COUNT(rows); r++) {
    tn_aead_key key;
    tn_aead_set_key(&key, rows[r], raw);
    assert_string_equal(key.impl->path, portable ? "portable" : "aesni");
    tn_aead_wipe_key(&key);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_standards_examples_hold),
      cmocka_unit_test(cavp),
      cmocka_unit_test(wycheproof),
      cmocka_unit_test(long_associated_data_has_a_longer_length),
      cmocka_unit_test(long_texts_are_sealed),
      cmocka_unit_test(a_text_of_16_mebibytes_is_refused),
      cmocka_unit_test(it_obeys_the_level),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
