// CBC records by libcrypto, as the RFCs' text says, and wrong ones in every way that decryption can show.
#ifndef TN_TESTS_CBC_HMAC_ORACLE_H
#define TN_TESTS_CBC_HMAC_ORACLE_H

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "crypto/cbc_hmac/cbc_hmac.h"
#include "support/support.h"

// What protects a record.
typedef struct oracle {
  const tn_cbc_hmac *pair;
  bool explicit_iv;
  bool encrypt_then_mac;
  uint8_t mac_raw[TN_CBC_HMAC_MAX_MAC];
  uint8_t cipher_raw[TN_CIPHER_MAX_KEY];
  uint8_t iv[TN_CIPHER_MAX_BLOCK];  // of the next record
  tn_cbc_hmac_record record;
} oracle;

// How a record differs from the one that the least padding and no mistake give.
typedef struct oddity {
  size_t more;     // blocks of padding beyond the least
  size_t at;       // the byte of the plaintext, counted from its end, that is changed
  uint8_t change;  // by xor
} oddity;

#define ORACLE_ROOM (TN_CBC_HMAC_MAX_TEXT + 1024)

static inline oracle oracle_of(test_rng *rng, const tn_cbc_hmac *pair, bool explicit_iv, bool encrypt_then_mac) {
  oracle o = {.pair = pair, .explicit_iv = explicit_iv, .encrypt_then_mac = encrypt_then_mac};
  test_rng_bytes(rng, o.mac_raw, sizeof o.mac_raw);
  test_rng_bytes(rng, o.cipher_raw, sizeof o.cipher_raw);
  test_rng_bytes(rng, o.iv, sizeof o.iv);
  o.record =
      (tn_cbc_hmac_record){test_rng_next(rng), (uint8_t)(20 + test_rng_next(rng) % 4), explicit_iv ? 0x303 : 0x301};
  return o;
}

static inline tn_cbc_hmac_key oracle_key(const oracle *o) {
  tn_cbc_hmac_key key;
  tn_cbc_hmac_set_key(&key, o->pair, o->encrypt_then_mac, o->mac_raw, o->cipher_raw, o->explicit_iv ? NULL : o->iv);
  return key;
}

static inline void oracle_mac(const oracle *o, size_t length, const uint8_t *p, size_t n, uint8_t *mac) {
  static uint8_t message[13 + ORACLE_ROOM];
  for (size_t i = 0; i < 8; i++) message[i] = (uint8_t)(o->record.sequence >> (56 - 8 * i));
  const uint8_t rest[] = {o->record.type, (uint8_t)(o->record.version >> 8), (uint8_t)o->record.version,
                          (uint8_t)(length >> 8), (uint8_t)length};
  memcpy(message + 8, rest, sizeof rest);
  memcpy(message + 13, p, n);
  const EVP_MD *md = EVP_get_digestbyname(o->pair->hash->name);
  assert_non_null(HMAC(md, o->mac_raw, o->pair->hash->digest_len, message, 13 + n, mac, NULL));
}

static inline const EVP_CIPHER *oracle_cipher(const tn_cbc_hmac *pair) {
  const size_t key_len = pair->cipher->key_len;
  if (pair->cipher->block_len == 8) return EVP_des_ede3_cbc();
  return key_len == 16 ? EVP_aes_128_cbc() : EVP_aes_256_cbc();
}

// The fragment of the record, and its length; the IV moves on.
static inline size_t oracle_seal(oracle *o, const uint8_t *text, size_t n, oddity odd, uint8_t *fragment) {
  static uint8_t plain[ORACLE_ROOM];
  const size_t block_len = o->pair->cipher->block_len, mac_len = o->pair->hash->digest_len;
  const size_t text_at = o->explicit_iv ? block_len : 0;
  size_t len = n;
  memcpy(plain, text, n);
  if (!o->encrypt_then_mac) {
    oracle_mac(o, n, text, n, plain + n);
    len += mac_len;
  }
  const size_t padding = block_len - 1 - len % block_len + odd.more * block_len;
  assert_true(padding < 256);
  memset(plain + len, (int)padding, padding + 1);
  len += padding + 1;
  if (odd.change != 0) plain[len - 1 - odd.at] ^= odd.change;

  EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
  int out_len = 0;
  memcpy(fragment, o->iv, text_at);
  assert_int_equal(EVP_EncryptInit_ex(ctx, oracle_cipher(o->pair), NULL, o->cipher_raw, o->iv), 1);
  EVP_CIPHER_CTX_set_padding(ctx, 0);
  assert_int_equal(EVP_EncryptUpdate(ctx, fragment + text_at, &out_len, plain, (int)len), 1);
  assert_int_equal(out_len, len);
  EVP_CIPHER_CTX_free(ctx);
  memcpy(o->iv, fragment + text_at + len - block_len, block_len);
  len += text_at;
  if (o->encrypt_then_mac) {
    oracle_mac(o, len, fragment, len, fragment + len);
    len += mac_len;
  }
  return len;
}

#endif
