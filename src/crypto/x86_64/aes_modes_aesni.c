// CBC and CTR with AES-NI, and what goes the same way on wider registers.
#if defined(__x86_64__)

#include "base/cpu.h"
#include "crypto/cipher/aes.h"
#include "crypto/x86_64/aes_ni.h"

#define TARGET __attribute__((target(TN_AES_NI_TARGET)))
#define LANE TARGET __attribute__((always_inline)) static inline
#define LANES 1
#define WIPE tn_wipe_vectors
#define PATH "aesni"
#define CPU (TN_CPU_AESNI | TN_CPU_SSE41)
#define MODE(name) name##_aesni

typedef __m128i vec;

LANE vec broadcast(__m128i block) { return block; }
LANE vec lane_numbers(void) { return _mm_setzero_si128(); }

LANE vec reverse_bytes(vec x) {
  return _mm_shuffle_epi8(x, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

LANE vec shift_in(vec x, vec before) {
  (void)x;
  return before;
}

LANE vec enc(vec x, vec k) { return _mm_aesenc_si128(x, k); }
LANE vec enc_last(vec x, vec k) { return _mm_aesenclast_si128(x, k); }
LANE vec dec(vec x, vec k) { return _mm_aesdec_si128(x, k); }
LANE vec dec_last(vec x, vec k) { return _mm_aesdeclast_si128(x, k); }

#include "crypto/x86_64/aes_parallel.h"

// ---------------------------------------------------------------- key set-up

void tn_aes_modes_set_key_128(void *key, const uint8_t *raw) {
  tn_aes_modes_key *k = key;
  tn_aes_ni_expand_128(k->encrypt, raw);
  tn_aes_ni_invert(k->decrypt, k->encrypt, 10);
  tn_wipe_vectors();
}

void tn_aes_modes_set_key_256(void *key, const uint8_t *raw) {
  tn_aes_modes_key *k = key;
  tn_aes_ni_expand_256(k->encrypt, raw);
  tn_aes_ni_invert(k->decrypt, k->encrypt, 14);
  tn_wipe_vectors();
}

// ---------------------------------------------------------------- CBC encryption

// Nothing but the rounds lies between a block and the next: the last round adds, with its own key, the next block of
// text and the first round key.
INLINE void cbc_encrypt(const __m128i *keys, int rounds, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n) {
  if (n == 0) return;
  const __m128i both_ends = keys[0] ^ keys[rounds];
  __m128i x = load(iv) ^ load(in) ^ keys[0];
  for (;; in += BLOCK, out += BLOCK) {
    TN_UNROLL for (int r = 1; r < rounds; r++) x = enc(x, round_key(keys, r));
    const __m128i c = enc_last(x, round_key(keys, rounds));
    store(out, c);
    n -= BLOCK;
    if (n == 0) {
      store(iv, c);
      break;
    }
    x = enc_last(x, both_ends ^ load(in + BLOCK));
  }
  tn_wipe_vectors();
}

TARGET void tn_aes_128_cbc_encrypt_aesni(const void *key, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n) {
  cbc_encrypt(((const tn_aes_modes_key *)key)->encrypt, 10, iv, in, out, n);
}

TARGET void tn_aes_256_cbc_encrypt_aesni(const void *key, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n) {
  cbc_encrypt(((const tn_aes_modes_key *)key)->encrypt, 14, iv, in, out, n);
}

#endif
