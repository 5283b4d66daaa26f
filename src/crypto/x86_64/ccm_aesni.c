// AES-CCM with AES-NI. The MAC is a chain of encryptions that nothing shortens; counter mode fits beside it.
#if defined(__x86_64__)

#include "base/cpu.h"
#include "base/mem.h"
#include "crypto/aead/ccm.h"
#include "crypto/x86_64/aes_ni.h"

#define TARGET __attribute__((target(TN_AES_NI_TARGET)))
#define INLINE TARGET __attribute__((always_inline)) static inline

typedef struct aesni_key {
  tn_ccm_key ccm;
  __m128i round_keys[TN_AES_NI_MAX_KEYS];
} aesni_key;

_Static_assert(sizeof(aesni_key) <= TN_AEAD_KEY_STATE, "the key state fits");

// The text's position stands in the last three bytes, big-endian; beyond them the message would be too long.
INLINE __m128i reverse_bytes(__m128i x) {
  return _mm_shuffle_epi8(x, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}
INLINE __m128i count(__m128i counter) { return _mm_add_epi32(counter, _mm_set_epi32(0, 0, 0, 1)); }

// All rounds of both but the last; `mac` has had the first round key.
INLINE void rounds_but_last(const __m128i *keys, int rounds, __m128i *mac, __m128i *stream) {
  __asm__("" : "+r"(keys));  // read where they are used: fifteen registers hold less
  *stream ^= keys[0];
  TN_UNROLL for (int r = 1; r < rounds; r++) {
    *mac = _mm_aesenc_si128(*mac, keys[r]);
    *stream = _mm_aesenc_si128(*stream, keys[r]);
  }
}

INLINE void next(const aesni_key *k, int rounds, tn_ccm_op *op) {
  const __m128i *keys = k->round_keys;
  __m128i counter = reverse_bytes(tn_load_128(op->counter)), stream = reverse_bytes(counter);
  __m128i mac = tn_load_128(op->mac) ^ keys[0];
  rounds_but_last(keys, rounds, &mac, &stream);
  tn_store_128(op->mac, _mm_aesenclast_si128(mac, keys[rounds]));
  tn_store_128(op->stream, _mm_aesenclast_si128(stream, keys[rounds]));
  tn_store_128(op->counter, reverse_bytes(count(counter)));
}

// The last round of the MAC adds with its own key the text and the first round key, so that nothing but rounds is in
// the chain.
INLINE void crypt(const aesni_key *k, int rounds, tn_ccm_op *op, const uint8_t *in, uint8_t *out, size_t n,
                  bool sealing) {
  const __m128i *keys = k->round_keys;
  const __m128i both_ends = keys[0] ^ keys[rounds];
  __m128i counter = reverse_bytes(tn_load_128(op->counter)), mac = tn_load_128(op->mac) ^ keys[0], stream;
  for (; n != 0; n--, in += TN_CCM_BLOCK, out += TN_CCM_BLOCK) {
    stream = reverse_bytes(counter);
    counter = count(counter);
    rounds_but_last(keys, rounds, &mac, &stream);
    const __m128i from = tn_load_128(in), to = _mm_aesenclast_si128(stream, keys[rounds] ^ from);
    tn_store_128(out, to);
    mac = _mm_aesenclast_si128(mac, both_ends ^ (sealing ? from : to));
  }
  tn_store_128(op->mac, mac ^ keys[0]);
  tn_store_128(op->counter, reverse_bytes(counter));
}

#define ENGINE(bits, rounds)                                                                                      \
  TARGET static void next_##bits(const void *key, tn_ccm_op *op) { next(key, rounds, op); }                       \
  TARGET static void seal_##bits(const void *key, tn_ccm_op *op, const uint8_t *in, uint8_t *out, size_t count) { \
    crypt(key, rounds, op, in, out, count, true);                                                                 \
  }                                                                                                               \
  TARGET static void open_##bits(const void *key, tn_ccm_op *op, const uint8_t *in, uint8_t *out, size_t count) { \
    crypt(key, rounds, op, in, out, count, false);                                                                \
  }                                                                                                               \
  static const tn_ccm_engine engine_##bits = {next_##bits, seal_##bits, open_##bits};

ENGINE(128, 10)
ENGINE(256, 14)

#define IMPL(name, bits, tag_len)                                                 \
  static void set_key_##name(void *key, const uint8_t *raw) {                     \
    aesni_key *k = key;                                                           \
    k->ccm = (tn_ccm_key){&engine_##bits, tag_len};                               \
    tn_aes_ni_expand_##bits(k->round_keys, raw);                                  \
    tn_wipe_vectors();                                                            \
  }                                                                               \
  const tn_aead_impl tn_aes_##name##_aesni = {.path = "aesni",                    \
                                              .cpu = TN_CPU_AESNI | TN_CPU_SSE41, \
                                              .set_key = set_key_##name,          \
                                              .start = tn_ccm_start,              \
                                              .seal = tn_ccm_seal,                \
                                              .open = tn_ccm_open,                \
                                              .tag = tn_ccm_tag};

IMPL(128_ccm, 128, 16)
IMPL(256_ccm, 256, 16)
IMPL(128_ccm_8, 128, 8)
IMPL(256_ccm_8, 256, 8)

#endif
