// Inside of ChaCha20-Poly1305: what its implementations share and what each brings.
#ifndef TN_CRYPTO_CHACHA20_POLY1305_H
#define TN_CRYPTO_CHACHA20_POLY1305_H

#include "crypto/aead/aead.h"

typedef struct tn_chacha20_poly1305_key {
  uint32_t words[8];
} tn_chacha20_poly1305_key;

void tn_chacha20_poly1305_set_key(void *key, const uint8_t *raw);

// The block function's input, RFC 8439 section 2.3. The counter is state[12].
void tn_chacha20_state(uint32_t state[16], const uint32_t key[8], uint32_t counter, const uint32_t nonce[3]);

// out = in ^ n_blocks blocks of key stream, or key stream if `in` is NULL. `state` does not change.
typedef void tn_chacha20_run(const uint32_t state[16], const uint8_t *in, uint8_t *out, size_t n_blocks);

extern const tn_aead_impl tn_chacha20_poly1305_portable;
tn_chacha20_run tn_chacha20_run_portable;
#if defined(__x86_64__)
extern const tn_aead_impl tn_chacha20_poly1305_ssse3, tn_chacha20_poly1305_avx2, tn_chacha20_poly1305_avx512;
tn_chacha20_run tn_chacha20_run_ssse3, tn_chacha20_run_avx2, tn_chacha20_run_avx512;
#endif

#endif
