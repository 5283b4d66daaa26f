// AES-NI: key schedules (FIPS 197 section 5.2), and what the files that use the instructions share.
#ifndef TN_CRYPTO_AES_NI_H
#define TN_CRYPTO_AES_NI_H

#if defined(__x86_64__)

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#define TN_AES_NI_MAX_KEYS 15
#define TN_AES_NI_TARGET "aes,ssse3,sse4.1"

#if defined(__clang__)
#define TN_UNROLL _Pragma("clang loop unroll(full)")
#else
#define TN_UNROLL _Pragma("GCC unroll 16")
#endif

// The round keys of encryption: 11 for a key of 16 bytes, 15 for one of 32. Leaves some in vector registers.
void tn_aes_ni_expand_128(__m128i keys[11], const uint8_t *raw);
void tn_aes_ni_expand_256(__m128i keys[15], const uint8_t *raw);

// Those of decryption (the equivalent inverse cipher, section 5.3.5) in the order of their use, from those of
// encryption. Leaves some in vector registers.
void tn_aes_ni_invert(__m128i inverse[], const __m128i keys[], int rounds);

__attribute__((target(TN_AES_NI_TARGET), always_inline)) static inline __m128i tn_load_128(const void *p) {
  return _mm_loadu_si128(p);
}

__attribute__((target(TN_AES_NI_TARGET), always_inline)) static inline void tn_store_128(void *p, __m128i x) {
  _mm_storeu_si128(p, x);
}

#endif
#endif
