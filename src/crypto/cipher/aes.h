// Inside of the AES modes: what implements the rows.
#ifndef TN_CRYPTO_CIPHER_AES_H
#define TN_CRYPTO_CIPHER_AES_H

#include "crypto/cipher/cipher.h"

extern const tn_cipher_impl tn_aes_128_cbc_portable, tn_aes_256_cbc_portable;
extern const tn_cipher_impl tn_aes_128_ctr_portable, tn_aes_256_ctr_portable;
#if defined(__x86_64__)
extern const tn_cipher_impl tn_aes_128_cbc_aesni, tn_aes_256_cbc_aesni, tn_aes_128_ctr_aesni, tn_aes_256_ctr_aesni;
extern const tn_cipher_impl tn_aes_128_cbc_vaes256, tn_aes_256_cbc_vaes256;
extern const tn_cipher_impl tn_aes_128_ctr_vaes256, tn_aes_256_ctr_vaes256;
extern const tn_cipher_impl tn_aes_128_cbc_vaes512, tn_aes_256_cbc_vaes512;
extern const tn_cipher_impl tn_aes_128_ctr_vaes512, tn_aes_256_ctr_vaes512;
#endif

#endif
