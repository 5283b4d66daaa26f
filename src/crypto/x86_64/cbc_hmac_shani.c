// CBC encryption with AES-NI beside SHA-1 or SHA-256 with the SHA extensions. Each waits for its own results most
// of the time; woven into one stream of instructions, they wait at once.
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

// Encrypts four blocks of text in place, in as many parts as the hash takes steps for a block of its own; x is the
// block of ciphertext before them, then what the rounds make of each.
typedef struct cbc {
  const __m128i *keys;
  __m128i x;
  uint8_t *text;
} cbc;

INLINE void encrypt_part(cbc *c, int rounds, int part, int parts) {
  const int end = (part + 1) * 4 * rounds / parts;
  TN_UNROLL for (int i = part * 4 * rounds / parts; i < end; i++) {
    uint8_t *p = c->text + 16 * (i / rounds);
    const int round = i % rounds + 1;
    if (round == 1) c->x ^= tn_load_128(p) ^ c->keys[0];
    if (round < rounds) {
      c->x = _mm_aesenc_si128(c->x, c->keys[round]);
    } else {
      c->x = _mm_aesenclast_si128(c->x, c->keys[round]);
      tn_store_128(p, c->x);
    }
  }
}

// A member of tn_cbc_hmac_impl.
#define BY_TURNS(name, rounds, sha, steps)                                                                     \
  INLINE void name##_part(void *what, int n) { encrypt_part(what, rounds, n, steps); }                         \
  TARGET static void name(const tn_cbc_hmac_key *key, tn_hash_ctx *hash, const uint8_t *hashed, uint8_t *iv,   \
                          uint8_t *text, size_t turns) {                                                       \
    const tn_aes_modes_key *aes = (const void *)key->cipher.state;                                             \
    sha##_lanes v = sha##_load(hash->state.w32);                                                               \
    cbc c = {aes->encrypt, tn_load_128(iv), text};                                                             \
    hash->total += turns * BLOCK;                                                                              \
    for (; turns != 0; turns--, hashed += BLOCK, c.text += BLOCK) v = sha##_block(v, hashed, name##_part, &c); \
    sha##_store(hash->state.w32, v);                                                                           \
    tn_store_128(iv, c.x);                                                                                     \
    tn_wipe_vectors();                                                                                         \
  }

BY_TURNS(aes_128_sha1, 10, tn_sha1, 20)
BY_TURNS(aes_256_sha1, 14, tn_sha1, 20)
BY_TURNS(aes_128_sha256, 10, tn_sha256, 16)
BY_TURNS(aes_256_sha256, 14, tn_sha256, 16)

// What the AES-NI rows of cipher.h and the SHA-NI rows of hash.h ask for: both are in use then.
#define CPU (TN_CPU_AESNI | TN_CPU_SHANI | TN_CPU_SSE41)

const tn_cbc_hmac_impl tn_aes_128_cbc_hmac_sha1_shani = {"shani", CPU, aes_128_sha1};
const tn_cbc_hmac_impl tn_aes_256_cbc_hmac_sha1_shani = {"shani", CPU, aes_256_sha1};
const tn_cbc_hmac_impl tn_aes_128_cbc_hmac_sha256_shani = {"shani", CPU, aes_128_sha256};
const tn_cbc_hmac_impl tn_aes_256_cbc_hmac_sha256_shani = {"shani", CPU, aes_256_sha256};

#endif
