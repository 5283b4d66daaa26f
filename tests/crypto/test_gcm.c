// The parts that AES-GCM is made of: AES, GHASH, and the engines' counter.
#include <openssl/evp.h>

#include "base/bytes.h"
#include "base/cpu.h"
#include "crypto/aead/aes_ct64.h"
#include "crypto/aead/gcm.h"
#include "crypto/aead/ghash_ct.h"
#include "support/support.h"

// FIPS 197 appendix C.
static void aes_gives_the_standards_examples(void **state) {
  (void)state;
  static const char *const sealed[] = {"69c4e0d86a7b0430d8cdb78070b4c55a", "dda97ca4864cdfe06eaf70a0ec0d7191",
                                       "8ea2b7ca516745bfeafc49904b496089"};
  uint8_t raw[32];
  for (size_t i = 0; i < sizeof raw; i++) raw[i] = (uint8_t)i;
  for (size_t i = 0; i < COUNT(sealed); i++) {
    bytes wanted = bytes_from_hex(sealed[i]);
    uint8_t blocks[TN_AES_CT64_BLOCKS * TN_AES_BLOCK];
    for (size_t j = 0; j < sizeof blocks; j++) blocks[j] = (uint8_t)(j % 16 * 0x11);
    tn_aes_ct64_key key;
    tn_aes_ct64_set_key(&key, raw, 16 + 8 * i);
    tn_aes_ct64_encrypt(&key, blocks);
    for (size_t j = 0; j < TN_AES_CT64_BLOCKS; j++) assert_memory_equal(blocks + 16 * j, wanted.p, 16);
    bytes_free(&wanted);
  }
}

static void oracle_ecb(const uint8_t *raw, size_t key_len, const uint8_t *in, uint8_t *out, size_t n) {
  const EVP_CIPHER *cipher = key_len == 16 ? EVP_aes_128_ecb() : key_len == 24 ? EVP_aes_192_ecb() : EVP_aes_256_ecb();
  EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
  int len = 0;
  assert_int_equal(EVP_EncryptInit_ex(ctx, cipher, NULL, raw, NULL), 1);
  EVP_CIPHER_CTX_set_padding(ctx, 0);
  assert_int_equal(EVP_EncryptUpdate(ctx, out, &len, in, (int)n), 1);
  assert_int_equal(len, n);
  EVP_CIPHER_CTX_free(ctx);
}

static void aes_agrees_with_libcrypto(void **state) {
  (void)state;
  test_rng rng = {1};
  for (size_t round = 0; round < 600; round++) {
    const size_t key_len = 16 + 8 * (round % 3);
    uint8_t raw[32], blocks[TN_AES_CT64_BLOCKS * TN_AES_BLOCK], wanted[sizeof blocks];
    test_rng_bytes(&rng, raw, sizeof raw);
    test_rng_bytes(&rng, blocks, sizeof blocks);
    oracle_ecb(raw, key_len, blocks, wanted, sizeof blocks);
    tn_aes_ct64_key key;
    tn_aes_ct64_set_key(&key, raw, key_len);
    tn_aes_ct64_encrypt(&key, blocks);
    assert_memory_equal(blocks, wanted, sizeof blocks);
  }
}

// NIST SP 800-38D section 6.3, bit by bit.
static void multiply_by_the_book(uint8_t x[16], const uint8_t y[16]) {
  uint8_t z[16] = {0}, v[16];
  memcpy(v, y, 16);
  for (size_t i = 0; i < 128; i++) {
    if (x[i / 8] >> (7 - i % 8) & 1)
      for (size_t j = 0; j < 16; j++) z[j] ^= v[j];
    uint8_t out = v[15] & 1;
    for (size_t j = 15; j > 0; j--) v[j] = (uint8_t)(v[j] >> 1 | v[j - 1] << 7);
    v[0] >>= 1;
    if (out) v[0] ^= 0xe1;
  }
  memcpy(x, z, 16);
}

static void ghash_by_the_book(const uint8_t h[16], uint8_t y[16], const uint8_t *blocks, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < 16; j++) y[j] ^= blocks[16 * i + j];
    multiply_by_the_book(y, h);
  }
}

// Random factors, and factors of all ones, which fill every place of a product.
static void portable_ghash_is_the_standards(void **state) {
  (void)state;
  test_rng rng = {2};
  for (size_t round = 0; round < 200; round++) {
    uint8_t h[16], y[16], wanted[16], blocks[16 * 3];
    test_rng_bytes(&rng, h, sizeof h);
    test_rng_bytes(&rng, y, sizeof y);
    test_rng_bytes(&rng, blocks, sizeof blocks);
    if (round % 4 == 1) memset(h, 0xff, sizeof h);
    if (round % 8 == 1) memset(y, 0, sizeof y), memset(blocks, 0xff, sizeof blocks);
    memcpy(wanted, y, sizeof y);
    tn_ghash_ct_key key;
    tn_ghash_ct_set_key(&key, h);
    tn_ghash_ct(&key, y, blocks, round % 4);
    ghash_by_the_book(h, wanted, blocks, round % 4);
    assert_memory_equal(y, wanted, sizeof y);
  }
}

static const tn_aead *const rows[] = {&tn_aes_128_gcm, &tn_aes_256_gcm};

// Every engine hashes 1 to 8 blocks as the standard does.
static void engines_hash_any_number_of_blocks(void **state) {
  (void)state;
  test_rng rng = {3};
  for (size_t i = 0; i < COUNT(rows); i++) {
    for (const tn_aead_impl *const *impl = rows[i]->impls; *impl != NULL; impl++) {
      if (!tn_cpu_has((*impl)->cpu)) continue;
      _Alignas(16) uint8_t key[TN_AEAD_KEY_STATE];
      uint8_t raw[32], h[16] = {0}, blocks[TN_GCM_BATCH], wanted[16];
      test_rng_bytes(&rng, raw, sizeof raw);
      (*impl)->set_key(key, raw);
      oracle_ecb(raw, rows[i]->key_len, h, h, 16);
      const tn_gcm_engine *engine = ((const tn_gcm_key *)(const void *)key)->engine;
      for (size_t count = 1; count <= TN_GCM_BATCH_BLOCKS; count++) {
        tn_gcm_op op;
        test_rng_bytes(&rng, op.y, sizeof op.y);
        test_rng_bytes(&rng, blocks, sizeof blocks);
        memcpy(wanted, op.y, sizeof wanted);
        engine->hash(key, &op, blocks, count);
        ghash_by_the_book(h, wanted, blocks, count);
        assert_memory_equal(op.y, wanted, sizeof wanted);
      }
    }
  }
}

// Bulk, and a batch before or after it.
#define COUNTED (4 * TN_GCM_BULK + TN_GCM_BATCH)

// inc32, SP 800-38D section 6.2: the counter passes each byte's carry, and from its end goes on at zero
// without touching the nonce.
static void engines_count_in_32_bits(void **state) {
  (void)state;
  static const uint32_t starts[] = {1, 0xf9, 0xfff9, 0xfffff9, 0xfffffff9};
  test_rng rng = {4};
  for (size_t i = 0; i < COUNT(rows) * COUNT(starts); i++) {
    const tn_aead *aead = rows[i % COUNT(rows)];
    const uint32_t start = starts[i / COUNT(rows)];
    for (const tn_aead_impl *const *impl = aead->impls; *impl != NULL; impl++) {
      if (!tn_cpu_has((*impl)->cpu)) continue;
      _Alignas(16) uint8_t key[TN_AEAD_KEY_STATE];
      uint8_t raw[32], counters[COUNTED], wanted[COUNTED], text[COUNTED], nonce[TN_AEAD_NONCE_LEN];
      memset(nonce, 0xff, sizeof nonce);
      test_rng_bytes(&rng, raw, sizeof raw);
      (*impl)->set_key(key, raw);
      const tn_gcm_engine *engine = ((const tn_gcm_key *)(const void *)key)->engine;
      for (uint32_t b = 0; b < COUNTED / TN_GCM_BLOCK; b++) {
        memcpy(counters + 16 * b, nonce, sizeof nonce);
        tn_store_be32(counters + 16 * b + sizeof nonce, start + b);
      }
      oracle_ecb(raw, aead->key_len, counters, wanted, sizeof counters);
      // The text is zeros, so the key stream comes out, wherever streaming ends and bulk begins.
      for (size_t streamed = 0; streamed <= TN_GCM_BATCH; streamed += TN_GCM_BATCH) {
        for (int opening = 0; opening < 2; opening++) {
          tn_gcm_op op = {0};
          memcpy(op.counter, counters, sizeof op.counter);
          memset(text, 0, sizeof text);
          if (streamed != 0) engine->stream(key, &op), memcpy(text, op.batch, streamed);
          const size_t n = COUNTED - TN_GCM_BATCH;
          assert_int_equal((opening ? engine->open : engine->seal)(key, &op, text + streamed, text + streamed, n), n);
          if (streamed == 0) engine->stream(key, &op), memcpy(text + n, op.batch, TN_GCM_BATCH);
          assert_memory_equal(text, wanted, sizeof text);
        }
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(aes_gives_the_standards_examples), cmocka_unit_test(aes_agrees_with_libcrypto),
      cmocka_unit_test(portable_ghash_is_the_standards),  cmocka_unit_test(engines_hash_any_number_of_blocks),
      cmocka_unit_test(engines_count_in_32_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
