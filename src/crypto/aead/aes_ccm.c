// The rows of AES-CCM (RFC 6655).
#include "crypto/aead/ccm.h"

// 2^23 full-size records, as in RFC 9147 section 4.5.3 and appendix B.1. The short tag does not lower it: over TLS the
// first forgery that fails is the last.
#define RECORD_LIMIT ((uint64_t)1 << 23)
#define TEXT_LIMIT (((uint64_t)1 << 24) - 1)  // a length of three bytes

#if defined(__x86_64__)
#define IMPLS(name) \
  { &name##_aesni, &name##_portable, NULL }
#else
#define IMPLS(name) \
  { &name##_portable, NULL }
#endif

static const tn_aead_impl *const impls_128[] = IMPLS(tn_aes_128_ccm), *const impls_256[] = IMPLS(tn_aes_256_ccm);
static const tn_aead_impl *const impls_128_8[] = IMPLS(tn_aes_128_ccm_8), *const impls_256_8[] =
                                                                              IMPLS(tn_aes_256_ccm_8);

const tn_aead tn_aes_128_ccm = {"aes-128-ccm", 16, 16, RECORD_LIMIT, impls_128, TEXT_LIMIT};
const tn_aead tn_aes_256_ccm = {"aes-256-ccm", 32, 16, RECORD_LIMIT, impls_256, TEXT_LIMIT};
const tn_aead tn_aes_128_ccm_8 = {"aes-128-ccm-8", 16, 8, RECORD_LIMIT, impls_128_8, TEXT_LIMIT};
const tn_aead tn_aes_256_ccm_8 = {"aes-256-ccm-8", 32, 8, RECORD_LIMIT, impls_256_8, TEXT_LIMIT};
