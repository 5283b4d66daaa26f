// The rows of AES (FIPS 197).
#include "crypto/cipher/aes.h"

#if defined(__x86_64__)
#define IMPLS(name) \
  { &name##_vaes512, &name##_vaes256, &name##_aesni, &name##_portable, NULL }
#else
#define IMPLS(name) \
  { &name##_portable, NULL }
#endif

static const tn_cipher_impl *const cbc_128[] = IMPLS(tn_aes_128_cbc), *const cbc_256[] = IMPLS(tn_aes_256_cbc);
static const tn_cipher_impl *const ctr_128[] = IMPLS(tn_aes_128_ctr), *const ctr_256[] = IMPLS(tn_aes_256_ctr);

const tn_cipher tn_aes_128_cbc = {"aes-128-cbc", 16, 16, false, cbc_128};
const tn_cipher tn_aes_256_cbc = {"aes-256-cbc", 32, 16, false, cbc_256};
const tn_cipher tn_aes_128_ctr = {"aes-128-ctr", 16, 16, true, ctr_128};
const tn_cipher tn_aes_256_ctr = {"aes-256-ctr", 32, 16, true, ctr_256};
