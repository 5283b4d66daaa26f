// The rows of AES (FIPS 197).
#include "crypto/cipher/aes.h"

static const tn_cipher_impl *const cbc_128[] = {
    &tn_aes_128_cbc_portable,
    NULL,
};

static const tn_cipher_impl *const cbc_256[] = {
    &tn_aes_256_cbc_portable,
    NULL,
};

const tn_cipher tn_aes_128_cbc = {"aes-128-cbc", 16, 16, false, cbc_128};
const tn_cipher tn_aes_256_cbc = {"aes-256-cbc", 32, 16, false, cbc_256};
