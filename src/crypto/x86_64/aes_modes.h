// The state of the AES modes on AES-NI and VAES.
#ifndef TN_CRYPTO_AES_MODES_H
#define TN_CRYPTO_AES_MODES_H

#include "crypto/cipher/cipher.h"
#include "crypto/x86_64/aes_ni.h"

#if defined(__x86_64__)

typedef struct tn_aes_modes_key {
  __m128i encrypt[TN_AES_NI_MAX_KEYS], decrypt[TN_AES_NI_MAX_KEYS];
} tn_aes_modes_key;

_Static_assert(sizeof(tn_aes_modes_key) <= TN_CIPHER_KEY_STATE, "the key state fits");

// Members of tn_cipher_impl. CBC encryption knows no parallel work, so that wider registers are of no use to it.
void tn_aes_modes_set_key_128(void *key, const uint8_t *raw);
void tn_aes_modes_set_key_256(void *key, const uint8_t *raw);
void tn_aes_128_cbc_encrypt_aesni(const void *key, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n);
void tn_aes_256_cbc_encrypt_aesni(const void *key, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n);

#endif
#endif
