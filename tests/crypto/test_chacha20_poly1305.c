// ChaCha20, Poly1305 and their AEAD: RFC 8439's vectors, Wycheproof's, and libcrypto on the same input.
#include <openssl/bn.h>
#include <openssl/evp.h>

#include "base/bytes.h"
#include "base/cpu.h"
#include "crypto/aead/aead.h"
#include "crypto/aead/chacha20.h"
#include "crypto/aead/poly1305.h"
#include "rfc8439.h"
#include "support/rsp.h"
#include "support/support.h"

#define GUARD 16
#define GUARD_BYTE 0xa5

static void load_words(uint32_t *words, const uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) words[i] = tn_load_le32(p + 4 * i);
}

// ---------------------------------------------------------------- ChaCha20

static void chacha20_vectors(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(rfc8439_chacha20); i++) {
    bytes key = bytes_from_hex(rfc8439_chacha20[i].key), nonce = bytes_from_hex(rfc8439_chacha20[i].nonce);
    bytes plaintext = bytes_from_hex(rfc8439_chacha20[i].plaintext);
    bytes output = bytes_from_hex(rfc8439_chacha20[i].output);
    uint32_t k[8], n[3];
    uint8_t buffer[512] = {0};
    load_words(k, key.p, 8);
    load_words(n, nonce.p, 3);
    memcpy(buffer, plaintext.p, plaintext.n);
    tn_chacha20_xor(k, rfc8439_chacha20[i].counter, n, buffer, buffer, 8);
    if (memcmp(buffer, output.p, output.n) != 0) fail_msg("section %s", rfc8439_chacha20[i].section);
    bytes_free(&key), bytes_free(&nonce), bytes_free(&plaintext), bytes_free(&output);
  }
}

static void chacha20_against_libcrypto(void **state) {
  (void)state;
  enum { MOST = 36 };
  static uint8_t in[MOST * 64], want[MOST * 64], got[GUARD + MOST * 64 + GUARD];
  test_rng rng = {1};
  EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
  for (size_t n_blocks = 0; n_blocks <= MOST; n_blocks++) {
    for (int round = 0; round < 20; round++) {
      uint8_t key[32], iv[16];
      uint32_t k[8], n[4];
      const size_t len = 64 * n_blocks;
      test_rng_bytes(&rng, key, sizeof key);
      test_rng_bytes(&rng, iv, sizeof iv);
      test_rng_bytes(&rng, in, len);
      // The last counters before the end are the interesting ones.
      if (round == 0) tn_store_le32(iv, (uint32_t)(0 - n_blocks));
      load_words(k, key, 8);
      load_words(n, iv, 4);
      if (n_blocks != 0 && n[0] > UINT32_MAX - (n_blocks - 1)) continue;

      int written;
      assert_int_equal(EVP_EncryptInit_ex(ctx, EVP_chacha20(), NULL, key, iv), 1);
      assert_int_equal(EVP_EncryptUpdate(ctx, want, &written, in, (int)len), 1);
      memset(got, GUARD_BYTE, sizeof got);
      tn_chacha20_xor(k, n[0], n + 1, in, got + GUARD, n_blocks);
      assert_memory_equal(got + GUARD, want, len);
      for (size_t i = 0; i < GUARD; i++) {
        assert_int_equal(got[i], GUARD_BYTE);
        assert_int_equal(got[GUARD + len + i], GUARD_BYTE);
      }
      tn_chacha20_blocks(k, n[0], n + 1, got + GUARD, n_blocks);
      for (size_t i = 0; i < len; i++) assert_int_equal(got[GUARD + i] ^ in[i], want[i]);
    }
  }
  EVP_CIPHER_CTX_free(ctx);
}

// Many blocks at once are one after the other, where the counter wraps, too; and the stream leaves no register behind.
static void chacha20_counts_modulo_2_to_32(void **state) {
  (void)state;
  enum { MOST = 36 };
  const uint32_t key[8] = {1, 2, 3, 4, 5, 6, 7, 8}, nonce[3] = {9, 10, 11};
  uint8_t at_once[64 * MOST], one[64];
  for (uint32_t before = 0; before <= MOST; before++) {
    tn_chacha20_blocks(key, 0 - before, nonce, at_once, MOST);
    assert_upper_vectors_wiped();
    for (uint32_t i = 0; i < MOST; i++) {
      tn_chacha20_blocks(key, i - before, nonce, one, 1);
      assert_memory_equal(at_once + 64 * i, one, 64);
    }
  }
}

// ---------------------------------------------------------------- Poly1305

// In pieces of random lengths where `pieces` is not NULL.
static void poly1305(const uint8_t key[32], const uint8_t *text, size_t n, test_rng *pieces, uint8_t tag[16]) {
  tn_poly1305 mac;
  tn_poly1305_init(&mac, key);
  while (n != 0) {
    size_t take = n;
    if (pieces != NULL) take = test_rng_next(pieces) % 40;
    if (take > n) take = n;
    tn_poly1305_update(&mac, text, take);
    text += take, n -= take;
  }
  tn_poly1305_final(&mac, tag);
}

static void poly1305_vectors(void **state) {
  (void)state;
  test_rng rng = {2};
  for (size_t i = 0; i < COUNT(rfc8439_poly1305); i++) {
    bytes key = bytes_from_hex(rfc8439_poly1305[i].key), text = bytes_from_hex(rfc8439_poly1305[i].text);
    bytes want = bytes_from_hex(rfc8439_poly1305[i].tag);
    uint8_t tag[16];
    poly1305(key.p, text.p, text.n, NULL, tag);
    if (memcmp(tag, want.p, 16) != 0) fail_msg("section %s", rfc8439_poly1305[i].section);
    poly1305(key.p, text.p, text.n, &rng, tag);
    if (memcmp(tag, want.p, 16) != 0) fail_msg("section %s, in pieces", rfc8439_poly1305[i].section);
    bytes_free(&key), bytes_free(&text), bytes_free(&want);
  }
}

// A value of a vector file: hex, or text between quotes.
static bytes value(const char *text) {
  assert_non_null(text);
  if (text[0] != '"') return bytes_from_hex(text);
  const size_t n = strlen(text) - 2;
  bytes b = {malloc(n + 1), n};
  memcpy(b.p, text + 1, n);
  return b;
}

static void poly1305_evp(void **state) {
  (void)state;
  static const struct {
    const char *path, *tag;
    size_t at_least;
  } files[] = {{"evp/boringssl/poly1305_tests.txt", "MAC", 20}, {"evp/openssl/evpmac_poly1305.txt", "Output", 20}};
  test_rng rng = {8};
  for (size_t i = 0; i < COUNT(files); i++) {
    rsp *r = rsp_open(files[i].path);
    size_t ran = 0;
    while (rsp_next(r)) {
      if (rsp_text(r, "Key") == NULL || rsp_text(r, files[i].tag) == NULL) continue;
      bytes key = value(rsp_text(r, "Key")), text = value(rsp_text(r, "Input")),
            want = value(rsp_text(r, files[i].tag));
      uint8_t tag[16];
      assert_int_equal(key.n, 32);
      for (int pieces = 0; pieces < 2; pieces++) {
        poly1305(key.p, text.p, text.n, pieces ? &rng : NULL, tag);
        if (memcmp(tag, want.p, 16) != 0) fail_msg("%s: vector %zu", files[i].path, ran);
      }
      bytes_free(&key), bytes_free(&text), bytes_free(&want);
      ran++;
    }
    rsp_close(r);
    assert_true(ran >= files[i].at_least);
  }
}

static EVP_MAC_CTX *libcrypto_poly1305(void) {
  EVP_MAC *mac = EVP_MAC_fetch(NULL, "POLY1305", NULL);
  EVP_MAC_CTX *ctx = EVP_MAC_CTX_new(mac);
  EVP_MAC_free(mac);
  assert_non_null(ctx);
  return ctx;
}

static void compare_poly1305(EVP_MAC_CTX *ctx, const uint8_t key[32], const uint8_t *text, size_t n, test_rng *rng) {
  uint8_t want[16], got[16];
  size_t written;
  assert_int_equal(EVP_MAC_init(ctx, key, 32, NULL), 1);
  assert_int_equal(EVP_MAC_update(ctx, text, n), 1);
  assert_int_equal(EVP_MAC_final(ctx, want, &written, sizeof want), 1);
  poly1305(key, text, n, NULL, got);
  assert_memory_equal(got, want, 16);
  poly1305(key, text, n, rng, got);
  assert_memory_equal(got, want, 16);
}

// Blocks and keys at the edges of the limbs and of the modulus, in every kind of company.
static void poly1305_edges(void **state) {
  (void)state;
  static const char *const edges[] = {
      "00000000000000000000000000000000", "01000000000000000000000000000000", "02000000000000000000000000000000",
      "04000000000000000000000000000000", "05000000000000000000000000000000", "ffffffffffffffffffffffffffffffff",
      "feffffffffffffffffffffffffffffff", "fbffffffffffffffffffffffffffffff", "faffffffffffffffffffffffffffffff",
      "fcffffffffffffffffffffffffffffff", "fdffffffffffffffffffffffffffffff", "00000000000000000000000000000080",
      "ffffffffff0f00000000000000000000", "000000000000000000000000ffffffff", "0000000000f0ffffffffff0000000000",
      "ffffff0ffcffff0ffcffff0ffcffff0f", "fffffffffffffffffffffffffffffff0", "fbfefefefefefefefefefefefefefefe",
  };
  uint8_t values[COUNT(edges)][16];
  for (size_t i = 0; i < COUNT(edges); i++) {
    bytes b = bytes_from_hex(edges[i]);
    memcpy(values[i], b.p, 16);
    bytes_free(&b);
  }
  test_rng rng = {3};
  EVP_MAC_CTX *ctx = libcrypto_poly1305();
  for (int round = 0; round < 20000; round++) {
    uint8_t key[32], text[16 * 12];
    memcpy(key, values[test_rng_next(&rng) % COUNT(edges)], 16);
    memcpy(key + 16, values[test_rng_next(&rng) % COUNT(edges)], 16);
    const size_t n_blocks = test_rng_next(&rng) % 13, one = test_rng_next(&rng) % COUNT(edges);
    for (size_t i = 0; i < n_blocks; i++)
      memcpy(text + 16 * i, values[round % 2 ? one : test_rng_next(&rng) % COUNT(edges)], 16);
    size_t n = 16 * n_blocks;
    if (n != 0 && round % 4 == 0) n -= test_rng_next(&rng) % 16;
    compare_poly1305(ctx, key, text, n, &rng);
  }
  EVP_MAC_CTX_free(ctx);
}

static void poly1305_against_libcrypto(void **state) {
  (void)state;
  test_rng rng = {4};
  EVP_MAC_CTX *ctx = libcrypto_poly1305();
  for (size_t n = 0; n <= 600; n++) {
    uint8_t key[32], text[600];
    test_rng_bytes(&rng, key, sizeof key);
    test_rng_bytes(&rng, text, n);
    compare_poly1305(ctx, key, text, n, &rng);
    memset(text, 0xff, n);
    compare_poly1305(ctx, key, text, n, &rng);
  }
  EVP_MAC_CTX_free(ctx);
}

// Messages of two blocks whose polynomial has a chosen value: x * r = value mod p gives the accumulator x that the
// second block must make, and a first block is drawn until that second block exists. The values lie at the
// edges of the limbs and of p, where the last reduction carries furthest.
static void poly1305_final_values(void **state) {
  (void)state;
  static const struct {
    int bit, below, above;  // 2^bit - below to 2^bit + above
  } ranges[] = {{0, 1, 8},  {44, 8, 8},  {45, 8, 8},  {46, 8, 8},   {52, 8, 8},
                {88, 8, 8}, {128, 8, 8}, {129, 8, 8}, {130, 12, -6}};
  enum { TRIES = 400 };
  test_rng rng = {7};
  EVP_MAC_CTX *mac = libcrypto_poly1305();
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *p = NULL, *r = BN_new(), *inverse = BN_new(), *first = BN_new(), *second = BN_new(), *value = BN_new();
  BN_hex2bn(&p, "3fffffffffffffffffffffffffffffffb");
  for (size_t i = 0; i < COUNT(ranges); i++) {
    for (int d = -ranges[i].below; d <= ranges[i].above; d++) {
      BN_zero(value);
      BN_set_bit(value, ranges[i].bit);
      d < 0 ? BN_sub_word(value, (BN_ULONG)-d) : BN_add_word(value, (BN_ULONG)d);
      int found = 0;
      for (int try = 0; try < TRIES && found < 10; try++) {
        uint8_t key[32], clamped[16], block[17], text[32];
        test_rng_bytes(&rng, key, sizeof key);
        if (try % 2) memset(key, 0xff, 16);
        memcpy(clamped, key, 16);
        for (size_t k = 3; k < 16; k += 4) clamped[k] &= 15;
        for (size_t k = 4; k < 16; k += 4) clamped[k] &= 252;
        BN_lebin2bn(clamped, 16, r);
        assert_non_null(BN_mod_inverse(inverse, r, p, ctx));

        test_rng_bytes(&rng, block, 16);
        block[16] = 1;
        memcpy(text, block, 16);
        BN_lebin2bn(block, 17, first);
        BN_mod_mul(first, first, r, p, ctx);
        BN_mod_mul(second, value, inverse, p, ctx);
        BN_mod_sub(second, second, first, p, ctx);
        if (BN_num_bits(second) != 129) continue;
        BN_bn2lebinpad(second, block, 17);
        memcpy(text + 16, block, 16);
        compare_poly1305(mac, key, text, sizeof text, &rng);
        found++;
      }
      assert_true(found >= 5);
    }
  }
  BN_free(p), BN_free(r), BN_free(inverse), BN_free(first), BN_free(second), BN_free(value);
  BN_CTX_free(ctx);
  EVP_MAC_CTX_free(mac);
}

// ---------------------------------------------------------------- the AEAD

// In chunks of random lengths where `chunks` is not NULL.
static void run(const tn_aead_impl *impl, bool sealing, const uint8_t *raw, const uint8_t *nonce, tn_span aad,
                const uint8_t *in, uint8_t *out, size_t n, test_rng *chunks, uint8_t tag[16]) {
  static const size_t most[] = {4, 70, 300, 1500};
  _Alignas(16) uint8_t key[TN_AEAD_KEY_STATE];
  tn_aead_op op;
  impl->set_key(key, raw);
  impl->start(key, &op, nonce, aad, n);
  while (n != 0) {
    size_t take = n;
    if (chunks != NULL) take = test_rng_next(chunks) % (most[test_rng_next(chunks) % COUNT(most)] + 1);
    if (take > n) take = n;
    (sealing ? impl->seal : impl->open)(key, &op, in, out, take);
    in += take, out += take, n -= take;
  }
  impl->tag(key, &op, tag);
}

// The implementations that this processor, at this level, can run.
static const tn_aead_impl *usable(size_t *i) {
  const tn_aead_impl *impl;
  while ((impl = tn_chacha20_poly1305.impls[(*i)++]) != NULL)
    if (tn_cpu_has(impl->cpu)) return impl;
  return NULL;
}

static void the_row(void **state) {
  (void)state;
  assert_string_equal(tn_chacha20_poly1305.name, "chacha20-poly1305");
  assert_int_equal(tn_chacha20_poly1305.key_len, 32);
  assert_true(tn_chacha20_poly1305.record_limit == UINT64_MAX);
  const tn_aead_impl *last = NULL;
  for (size_t i = 0; tn_chacha20_poly1305.impls[i] != NULL; i++) last = tn_chacha20_poly1305.impls[i];
  assert_non_null(last);
  assert_string_equal(last->path, "portable");
  assert_int_equal(last->cpu, 0);
}

// The level in the environment decides, as far as the processor goes.
static void the_best_path_runs(void **state) {
  (void)state;
  static const struct {
    const char *level, *path;
  } rows[] = {{"avx512", "avx512"}, {"avx2", "avx2"}, {"sse", "ssse3"}, {"portable", "portable"}};
  bool has[COUNT(rows)] = {false, false, false, true};
#if defined(__x86_64__)
  has[2] = __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1");
  has[1] = has[2] && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
  has[0] = has[1] && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
  const char *level = getenv("TENON_CPU");
  size_t i = 0;
  while (level != NULL && i + 1 < COUNT(rows) && strcmp(level, rows[i].level) != 0) i++;
  while (!has[i]) i++;
  const uint8_t raw[32] = {0};
  tn_aead_key key;
  tn_aead_set_key(&key, &tn_chacha20_poly1305, raw);
  assert_string_equal(key.impl->path, rows[i].path);
  tn_aead_wipe_key(&key);
}

static void aead_vectors(void **state) {
  (void)state;
  const tn_aead_impl *impl;
  for (size_t at = 0; (impl = usable(&at)) != NULL;) {
    for (size_t i = 0; i < COUNT(rfc8439_aead); i++) {
      bytes key = bytes_from_hex(rfc8439_aead[i].key), nonce = bytes_from_hex(rfc8439_aead[i].nonce);
      bytes aad = bytes_from_hex(rfc8439_aead[i].aad), tag = bytes_from_hex(rfc8439_aead[i].tag);
      bytes plaintext = bytes_from_hex(rfc8439_aead[i].plaintext);
      bytes ciphertext = bytes_from_hex(rfc8439_aead[i].ciphertext);
      uint8_t out[512], got[16];
      run(impl, true, key.p, nonce.p, bytes_span(aad), plaintext.p, out, plaintext.n, NULL, got);
      assert_memory_equal(out, ciphertext.p, ciphertext.n);
      assert_memory_equal(got, tag.p, 16);
      run(impl, false, key.p, nonce.p, bytes_span(aad), ciphertext.p, out, ciphertext.n, NULL, got);
      assert_memory_equal(out, plaintext.p, plaintext.n);
      assert_memory_equal(got, tag.p, 16);
      bytes_free(&key), bytes_free(&nonce), bytes_free(&aad), bytes_free(&tag);
      bytes_free(&plaintext), bytes_free(&ciphertext);
    }
  }
}

static void wycheproof_case(const tn_aead_impl *impl, const json_t *test, test_rng *rng) {
  const long long id = json_integer_value(json_object_get(test, "tcId"));
  const bool valid = strcmp(json_string_value(json_object_get(test, "result")), "valid") == 0;
  bytes key = json_hex(test, "key"), nonce = json_hex(test, "iv"), aad = json_hex(test, "aad");
  bytes msg = json_hex(test, "msg"), ct = json_hex(test, "ct"), tag = json_hex(test, "tag");
  uint8_t *out = malloc(ct.n + 1), got[16];
  run(impl, false, key.p, nonce.p, bytes_span(aad), ct.p, out, ct.n, rng, got);
  if ((memcmp(got, tag.p, 16) == 0) != valid) fail_msg("test %lld: open", id);
  if (valid) {
    if (memcmp(out, msg.p, msg.n) != 0) fail_msg("test %lld: the plaintext", id);
    run(impl, true, key.p, nonce.p, bytes_span(aad), msg.p, out, msg.n, rng, got);
    if (memcmp(out, ct.p, ct.n) != 0 || memcmp(got, tag.p, 16) != 0) fail_msg("test %lld: seal", id);
  }
  free(out);
  bytes_free(&key), bytes_free(&nonce), bytes_free(&aad), bytes_free(&msg), bytes_free(&ct), bytes_free(&tag);
}

static void aead_wycheproof(void **state) {
  (void)state;
  json_t *root = vectors_load("wycheproof/chacha20_poly1305_test.json");
  test_rng rng = {5};
  size_t index, ran = 0;
  json_t *group, *test;
  json_array_foreach(json_object_get(root, "testGroups"), index, group) {
    // Other nonce lengths do not exist in this interface.
    if (json_integer_value(json_object_get(group, "ivSize")) != 96) continue;
    size_t number;
    json_array_foreach(json_object_get(group, "tests"), number, test) {
      const tn_aead_impl *impl;
      for (size_t at = 0; (impl = usable(&at)) != NULL; ran++) {
        wycheproof_case(impl, test, NULL);
        wycheproof_case(impl, test, &rng);
      }
    }
  }
  assert_true(ran > 250);
  json_decref(root);
}

// The members of a vector in BoringSSL's file, in its order.
enum { KEY, NONCE, IN, AD, CT, TAG, MEMBERS };

static void evp_case(const bytes v[MEMBERS], size_t number, test_rng *rng) {
  const tn_aead_impl *impl;
  for (size_t at = 0; (impl = usable(&at)) != NULL;) {
    uint8_t *out = malloc(v[IN].n + 1), got[16];
    for (int way = 0; way < 4; way++) {
      const bool sealing = way & 1;
      const bytes *from = &v[sealing ? IN : CT], *to = &v[sealing ? CT : IN];
      run(impl, sealing, v[KEY].p, v[NONCE].p, bytes_span(v[AD]), from->p, out, from->n, way & 2 ? rng : NULL, got);
      if (memcmp(out, to->p, to->n) != 0) fail_msg("%s, vector %zu: the data", impl->path, number);
      if (memcmp(got, v[TAG].p, v[TAG].n) != 0) fail_msg("%s, vector %zu: the tag", impl->path, number);
    }
    free(out);
  }
}

static void aead_evp(void **state) {
  (void)state;
  static const char *const names[MEMBERS] = {"KEY", "NONCE", "IN", "AD", "CT", "TAG"};
  static char line[16384];
  char path[4096];
  bytes v[MEMBERS];
  test_rng rng = {9};
  size_t ran = 0, next = 0;
  vectors_path("evp/boringssl/chacha20_poly1305_tests.txt", path, sizeof path);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file) != NULL) {
    char *colon = strstr(line, ": ");
    if (line[0] == '#' || colon == NULL) continue;
    *colon = 0;
    assert_string_equal(line, names[next]);
    colon[2 + strcspn(colon + 2, "\n")] = 0;
    v[next++] = value(colon + 2);
    if (next != MEMBERS) continue;
    evp_case(v, ran++, &rng);
    while (next != 0) bytes_free(&v[--next]);
  }
  fclose(file);
  assert_int_equal(next, 0);
  assert_true(ran >= 50);
}

// libcrypto's ciphertext and tag.
static void libcrypto_seal(EVP_CIPHER_CTX *ctx, const uint8_t *key, const uint8_t *nonce, tn_span aad,
                           const uint8_t *in, uint8_t *out, size_t n, uint8_t tag[16]) {
  int written;
  assert_int_equal(EVP_EncryptInit_ex(ctx, EVP_chacha20_poly1305(), NULL, key, nonce), 1);
  if (aad.n != 0) assert_int_equal(EVP_EncryptUpdate(ctx, NULL, &written, aad.p, (int)aad.n), 1);
  if (n != 0) assert_int_equal(EVP_EncryptUpdate(ctx, out, &written, in, (int)n), 1);
  assert_int_equal(EVP_EncryptFinal_ex(ctx, out + n, &written), 1);
  assert_int_equal(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16, tag), 1);
}

static void assert_guards(const uint8_t *buffer, size_t n) {
  for (size_t i = 0; i < GUARD; i++) {
    assert_int_equal(buffer[i], GUARD_BYTE);
    assert_int_equal(buffer[GUARD + n + i], GUARD_BYTE);
  }
}

// Whole and in chunks, in place and beside, both directions.
static void compare_aead(EVP_CIPHER_CTX *ctx, const tn_aead_impl *impl, const uint8_t *plaintext, size_t n,
                         test_rng *rng) {
  uint8_t *ciphertext = malloc(n + 16), *buffer = malloc(n + 2 * GUARD);
  uint8_t key[32], nonce[12], aad[64], want[16], tag[16];
  const tn_span ad = {aad, test_rng_next(rng) % (sizeof aad + 1)};
  test_rng_bytes(rng, key, sizeof key);
  test_rng_bytes(rng, nonce, sizeof nonce);
  test_rng_bytes(rng, aad, sizeof aad);
  libcrypto_seal(ctx, key, nonce, ad, plaintext, ciphertext, n, want);
  for (int way = 0; way < 8; way++) {
    const bool sealing = way & 1, in_place = way & 2;
    test_rng *chunks = way & 4 ? rng : NULL;
    const uint8_t *from = sealing ? plaintext : ciphertext, *to = sealing ? ciphertext : plaintext;
    memset(buffer, GUARD_BYTE, n + 2 * GUARD);
    if (in_place) memcpy(buffer + GUARD, from, n);
    run(impl, sealing, key, nonce, ad, in_place ? buffer + GUARD : from, buffer + GUARD, n, chunks, tag);
    if (memcmp(buffer + GUARD, to, n) != 0) fail_msg("%s: %zu bytes, way %d: the data", impl->path, n, way);
    if (memcmp(tag, want, 16) != 0) fail_msg("%s: %zu bytes, way %d: the tag", impl->path, n, way);
    assert_guards(buffer, n);
  }
  free(ciphertext);
  free(buffer);
}

// Every length up to a batch of the widest vectors and a little more; around more batches; and whole records.
static void aead_against_libcrypto(void **state) {
  (void)state;
  enum { MOST = 1100, LONG = 16640 };
  static const size_t extra[] = {1350, 4096, 8191, 16384, 16385, LONG};
  static uint8_t plaintext[LONG];
  test_rng rng = {6};
  EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
  const tn_aead_impl *impl;
  for (size_t at = 0; (impl = usable(&at)) != NULL;) {
    test_rng_bytes(&rng, plaintext, sizeof plaintext);
    for (size_t n = 0; n <= MOST; n++) compare_aead(ctx, impl, plaintext, n, &rng);
    for (size_t n = 1152; n <= 5120; n += 64)
      for (size_t around = n - 1; around <= n + 1; around++) compare_aead(ctx, impl, plaintext + n % 7, around, &rng);
    for (size_t i = 0; i < COUNT(extra); i++) compare_aead(ctx, impl, plaintext, extra[i], &rng);
  }
  EVP_CIPHER_CTX_free(ctx);
}

// Ciphertext of blocks at the edges of words and of the modulus, so long that the MAC runs in the shadow of the stream:
// first all the same, then each edge at each place among others.
static void aead_edges(void **state) {
  (void)state;
  enum { LONG = 3 * 1024 + 448 };
  static const uint8_t edges[] = {0x00, 0xff, 0xfb, 0xfe, 0x80, 0x01};
  static uint8_t ciphertext[LONG], plaintext[LONG + 16], back[LONG + 16];
  test_rng rng = {10};
  EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
  const tn_aead_impl *impl;
  for (size_t at = 0; (impl = usable(&at)) != NULL;) {
    for (int round = 0; round < 200; round++) {
      uint8_t key[32], nonce[12], tag[16], want[16];
      test_rng_bytes(&rng, key, sizeof key);
      test_rng_bytes(&rng, nonce, sizeof nonce);
      for (size_t i = 0; i < LONG; i += 16) {
        const uint64_t pick = test_rng_next(&rng);
        memset(ciphertext + i, edges[round < 12 ? (size_t)round % 6 : pick % 6], 16);
        if (round % 2 && pick >> 8 & 1) ciphertext[i] = edges[pick >> 16 & 3];
        if (round % 2 && pick >> 9 & 1) ciphertext[i + 15] = edges[pick >> 24 & 3];
      }
      const size_t n = LONG - test_rng_next(&rng) % (round % 3 ? 1u : 700u);
      run(impl, false, key, nonce, (tn_span){NULL, 0}, ciphertext, plaintext, n, round % 4 == 3 ? &rng : NULL, tag);
      libcrypto_seal(ctx, key, nonce, (tn_span){NULL, 0}, plaintext, back, n, want);
      assert_memory_equal(back, ciphertext, n);
      assert_memory_equal(tag, want, 16);
      run(impl, true, key, nonce, (tn_span){NULL, 0}, plaintext, back, n, round % 4 == 3 ? &rng : NULL, tag);
      assert_memory_equal(tag, want, 16);
    }
  }
  EVP_CIPHER_CTX_free(ctx);
}

static void upper_registers_are_wiped(void **state) {
  (void)state;
  static const size_t lengths[] = {0, 1, 64, 200, 448, 1350, 5000};
  static uint8_t text[5000];
  const uint8_t raw[32] = {1}, nonce[12] = {2};
  uint8_t tag[16];
  tn_aead_key key;
  tn_aead_set_key(&key, &tn_chacha20_poly1305, raw);
  for (size_t i = 0; i < COUNT(lengths); i++) {
    const tn_span in = {text, lengths[i]};
    const tn_mspan out = {text, lengths[i]};
    const tn_result sealed = tn_aead_seal(&key, nonce, (tn_span){raw, 13}, &in, 1, &out, 1, tag);
    assert_upper_vectors_wiped();
    assert_ok(sealed);
    const tn_result opened = tn_aead_open(&key, nonce, (tn_span){raw, 13}, &in, 1, tag, &out, 1);
    assert_upper_vectors_wiped();
    assert_ok(opened);
  }
  tn_aead_wipe_key(&key);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chacha20_vectors),
      cmocka_unit_test(chacha20_against_libcrypto),
      cmocka_unit_test(chacha20_counts_modulo_2_to_32),
      cmocka_unit_test(poly1305_vectors),
      cmocka_unit_test(poly1305_evp),
      cmocka_unit_test(poly1305_edges),
      cmocka_unit_test(poly1305_against_libcrypto),
      cmocka_unit_test(poly1305_final_values),
      cmocka_unit_test(the_row),
      cmocka_unit_test(the_best_path_runs),
      cmocka_unit_test(aead_vectors),
      cmocka_unit_test(aead_evp),
      cmocka_unit_test(aead_wycheproof),
      cmocka_unit_test(aead_against_libcrypto),
      cmocka_unit_test(aead_edges),
      cmocka_unit_test(upper_registers_are_wiped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
