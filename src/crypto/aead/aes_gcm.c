// The rows of AES-GCM.
#include "crypto/aead/gcm.h"

// 2^24.5 full-size records, RFC 9846 section 5.5, rounded down to a power of two.
#define RECORD_LIMIT ((uint64_t)1 << 24)

#define TEXT_LIMIT (((uint64_t)1 << 36) - 32)  // SP 800-38D section 5.2.1.1

static const tn_aead_impl *const impls_128[] = {
#if defined(__x86_64__)
    &tn_aes_128_gcm_vaes512,  &tn_aes_128_gcm_vaes256,
    &tn_aes_128_gcm_aesni,
#endif
    &tn_aes_128_gcm_portable, NULL,
};

static const tn_aead_impl *const impls_256[] = {
#if defined(__x86_64__)
    &tn_aes_256_gcm_vaes512,  &tn_aes_256_gcm_vaes256,
    &tn_aes_256_gcm_aesni,
#endif
    &tn_aes_256_gcm_portable, NULL,
};

const tn_aead tn_aes_128_gcm = {"aes-128-gcm", 16, 16, RECORD_LIMIT, impls_128, TEXT_LIMIT};
const tn_aead tn_aes_256_gcm = {"aes-256-gcm", 32, 16, RECORD_LIMIT, impls_256, TEXT_LIMIT};
