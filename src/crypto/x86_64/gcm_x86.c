// AES-GCM on x86-64, whatever the width of the registers: the key set-up, and the parts of an engine for text that
// comes in pieces.
#include "base/mem.h"

#if defined(__x86_64__)

#include "crypto/x86_64/gcm_x86.h"

// ---------------------------------------------------------------- key set-up

// A shift to the left; the coefficient of 1 that leaves at the top is worth x^127 + x^6 + x + 1 there.
SSE_INLINE __m128i divide_by_x(__m128i a) {
  const __m128i inverse_of_x = _mm_set_epi64x((long long)0xc200000000000000, 1);
  __m128i carry = _mm_srai_epi32(_mm_shuffle_epi32(a, 0xff), 31);
  __m128i shifted = _mm_slli_epi64(a, 1) | _mm_slli_si128(_mm_srli_epi64(a, 63), 8);
  return shifted ^ (carry & inverse_of_x);
}

// The powers of H = E(K, 0).
SSE_INLINE void set_powers(x86_key *k, int rounds) {
  k->powers[POWERS - 1] = divide_by_x(reverse_bytes(encrypt_block(k, rounds, _mm_setzero_si128())));
  for (size_t n = 2; n <= POWERS; n++) {
    product p = no_product();
    multiply_add(&p, power(k, n / 2), power(k, n - n / 2));
    k->powers[POWERS - n] = reduce(p);
  }
}

SSE void tn_gcm_x86_set_key_128(x86_key *k, const uint8_t *raw) {
  tn_aes_ni_expand_128(k->round_keys, raw);
  set_powers(k, 10);
}

SSE void tn_gcm_x86_set_key_256(x86_key *k, const uint8_t *raw) {
  tn_aes_ni_expand_256(k->round_keys, raw);
  set_powers(k, 14);
}

// ---------------------------------------------------------------- a message in pieces

SSE void tn_gcm_x86_hash(const void *key, tn_gcm_op *op, const uint8_t *blocks, size_t count) {
  store_integer(op->y, hash_blocks(key, load_integer(op->y), blocks, count));
}

SSE_INLINE void stream(const x86_key *k, int rounds, tn_gcm_op *op) {
  __m128i counter = load_integer(op->counter), b[TN_GCM_BATCH_BLOCKS];
  TN_UNROLL for (int i = 0; i < TN_GCM_BATCH_BLOCKS; i++) {
    b[i] = reverse_bytes(counter) ^ k->round_keys[0];
    counter = _mm_add_epi32(counter, _mm_set_epi32(0, 0, 0, 1));
  }
  store_integer(op->counter, counter);
  for (int r = 1; r < rounds; r++) {
    TN_UNROLL for (int i = 0; i < TN_GCM_BATCH_BLOCKS; i++) b[i] = _mm_aesenc_si128(b[i], k->round_keys[r]);
  }
  TN_UNROLL for (int i = 0; i < TN_GCM_BATCH_BLOCKS; i++) {
    store(op->batch + TN_GCM_BLOCK * i, _mm_aesenclast_si128(b[i], k->round_keys[rounds]));
  }
}

SSE void tn_gcm_x86_stream_128(const void *key, tn_gcm_op *op) { stream(key, 10, op); }
SSE void tn_gcm_x86_stream_256(const void *key, tn_gcm_op *op) { stream(key, 14, op); }

#endif
