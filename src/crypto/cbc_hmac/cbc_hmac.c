#include "crypto/cbc_hmac/cbc_hmac.h"

#include "base/bytes.h"
#include "base/cpu.h"
#include "base/mem.h"

#if defined(__x86_64__)
#define IMPLS(name) static const tn_cbc_hmac_impl *const name##_impls[] = {&tn_##name##_shani, &tn_cbc_hmac_turns, NULL}
#else
#define IMPLS(name) static const tn_cbc_hmac_impl *const name##_impls[] = {&tn_cbc_hmac_turns, NULL}
#endif
IMPLS(aes_128_cbc_hmac_sha1);
IMPLS(aes_256_cbc_hmac_sha1);
IMPLS(aes_128_cbc_hmac_sha256);
IMPLS(aes_256_cbc_hmac_sha256);
static const tn_cbc_hmac_impl *const turns_only[] = {&tn_cbc_hmac_turns, NULL};

const tn_cbc_hmac tn_aes_128_cbc_hmac_sha1 = {"aes-128-cbc-hmac-sha1", &tn_aes_128_cbc, &tn_sha1,
                                              aes_128_cbc_hmac_sha1_impls};
const tn_cbc_hmac tn_aes_256_cbc_hmac_sha1 = {"aes-256-cbc-hmac-sha1", &tn_aes_256_cbc, &tn_sha1,
                                              aes_256_cbc_hmac_sha1_impls};
const tn_cbc_hmac tn_aes_128_cbc_hmac_sha256 = {"aes-128-cbc-hmac-sha256", &tn_aes_128_cbc, &tn_sha256,
                                                aes_128_cbc_hmac_sha256_impls};
const tn_cbc_hmac tn_aes_256_cbc_hmac_sha256 = {"aes-256-cbc-hmac-sha256", &tn_aes_256_cbc, &tn_sha256,
                                                aes_256_cbc_hmac_sha256_impls};
const tn_cbc_hmac tn_aes_256_cbc_hmac_sha384 = {"aes-256-cbc-hmac-sha384", &tn_aes_256_cbc, &tn_sha384, turns_only};
const tn_cbc_hmac tn_3des_cbc_hmac_sha1 = {"3des-cbc-hmac-sha1", &tn_3des_cbc, &tn_sha1, turns_only};

const tn_cbc_hmac *const tn_cbc_hmacs[] = {
    &tn_aes_128_cbc_hmac_sha1,
    &tn_aes_256_cbc_hmac_sha1,
    &tn_aes_128_cbc_hmac_sha256,
    &tn_aes_256_cbc_hmac_sha256,
    &tn_aes_256_cbc_hmac_sha384,
    &tn_3des_cbc_hmac_sha1,
    NULL,
};

void tn_cbc_hmac_set_key(tn_cbc_hmac_key *key, const tn_cbc_hmac *pair, bool encrypt_then_mac, const uint8_t *mac_raw,
                         const uint8_t *cipher_raw, const uint8_t *iv) {
  const tn_cbc_hmac_impl *const *impl = pair->impls;
  while (!tn_cpu_has((*impl)->cpu)) impl++;
  *key =
      (tn_cbc_hmac_key){.pair = pair, .impl = *impl, .explicit_iv = iv == NULL, .encrypt_then_mac = encrypt_then_mac};
  if (iv != NULL) tn_copy(key->iv, iv, pair->cipher->block_len);
  tn_hmac_set_key(&key->mac, pair->hash, mac_raw, pair->hash->digest_len);
  tn_cipher_set_key(&key->cipher, pair->cipher, cipher_raw);
}

void tn_cbc_hmac_wipe_key(tn_cbc_hmac_key *key) {
  tn_wipe(key, sizeof *key);
  tn_wipe_stack();
}

size_t tn_cbc_hmac_text_at(const tn_cbc_hmac_key *key) { return key->explicit_iv ? key->pair->cipher->block_len : 0; }

size_t tn_cbc_hmac_sealed_len(const tn_cbc_hmac_key *key, size_t n) {
  const size_t block_len = key->pair->cipher->block_len, mac_len = key->pair->hash->digest_len;
  const size_t encrypted = key->encrypt_then_mac ? n : n + mac_len;
  const size_t padded = encrypted + block_len - (encrypted & (block_len - 1));
  return tn_cbc_hmac_text_at(key) + padded + (key->encrypt_then_mac ? mac_len : 0);
}

void tn_cbc_hmac_header(uint8_t header[TN_CBC_HMAC_HEADER], const tn_cbc_hmac_record *record, uint64_t length) {
  tn_store_be64(header, record->sequence);
  header[8] = record->type;
  header[9] = (uint8_t)(record->version >> 8), header[10] = (uint8_t)record->version;
  header[11] = (uint8_t)(length >> 8), header[12] = (uint8_t)length;
}
