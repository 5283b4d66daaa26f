// CBC encryption with AES-NI beside SHA-1 or SHA-256 with the SHA extensions. In one function, with both states kept in
// registers, a turn is short enough that the processor sees the next one while this one waits for its results.
#include "base/cpu.h"
#include "base/mem.h"
#include "crypto/cbc_hmac/cbc_hmac.h"
#include "crypto/x86_64/aes_modes.h"
#include "crypto/x86_64/sha1_shani.h"
#include "crypto/x86_64/sha256_shani.h"

#if defined(__x86_64__)

#define TARGET __attribute__((target("sha," TN_AES_NI_TARGET)))
#define INLINE __attribute__((target("sha," TN_AES_NI_TARGET), always_inline)) static inline
#define BLOCK 64  // of the hashes

// Encrypts four blocks in place; x is the block before them, then the last of them.
INLINE __m128i encrypt(const __m128i *keys, int rounds, __m128i x, uint8_t *p) {
  TN_UNROLL for (size_t at = 0; at < BLOCK; at += 16) {
    x ^= tn_load_128(p + at) ^ keys[0];
    TN_UNROLL for (int r = 1; r < rounds; r++) x = _mm_aesenc_si128(x, keys[r]);
    x = _mm_aesenclast_si128(x, keys[rounds]);
    tn_store_128(p + at, x);
  }
  return x;
}

// A member of tn_cbc_hmac_impl.
#define BY_TURNS(name, rounds, sha)                                                                          \
  TARGET static void name(const tn_cbc_hmac_key *key, tn_hash_ctx *hash, const uint8_t *hashed, uint8_t *iv, \
                          uint8_t *text, size_t turns) {                                                     \
    const __m128i *keys = ((const tn_aes_modes_key *)(const void *)key->cipher.state)->encrypt;              \
    sha##_lanes v = sha##_load(hash->state.w32);                                                             \
    __m128i x = tn_load_128(iv);                                                                             \
    hash->total += turns * BLOCK;                                                                            \
    for (; turns != 0; turns--, hashed += BLOCK, text += BLOCK) {                                            \
      v = sha##_block(v, hashed);                                                                            \
      x = encrypt(keys, rounds, x, text);                                                                    \
    }                                                                                                        \
    sha##_store(hash->state.w32, v);                                                                         \
    tn_store_128(iv, x);                                                                                     \
    tn_wipe_vectors();                                                                                       \
  }

BY_TURNS(aes_128_sha1, 10, tn_sha1)
BY_TURNS(aes_256_sha1, 14, tn_sha1)
BY_TURNS(aes_128_sha256, 10, tn_sha256)
BY_TURNS(aes_256_sha256, 14, tn_sha256)

// What the AES-NI rows of cipher.h and the SHA-NI rows of hash.h ask for: both are in use then.
#define CPU (TN_CPU_AESNI | TN_CPU_SHANI | TN_CPU_SSE41)

const tn_cbc_hmac_impl tn_aes_128_cbc_hmac_sha1_shani = {"shani", CPU, aes_128_sha1};
const tn_cbc_hmac_impl tn_aes_256_cbc_hmac_sha1_shani = {"shani", CPU, aes_256_sha1};
const tn_cbc_hmac_impl tn_aes_128_cbc_hmac_sha256_shani = {"shani", CPU, aes_128_sha256};
const tn_cbc_hmac_impl tn_aes_256_cbc_hmac_sha256_shani = {"shani", CPU, aes_256_sha256};

#endif
