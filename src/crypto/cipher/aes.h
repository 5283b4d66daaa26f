// Inside of the AES modes: what implements the rows, best first.
#ifndef TN_CRYPTO_CIPHER_AES_H
#define TN_CRYPTO_CIPHER_AES_H

#include "crypto/cipher/cipher.h"

extern const tn_cipher_impl tn_aes_128_cbc_portable, tn_aes_256_cbc_portable;

#endif
