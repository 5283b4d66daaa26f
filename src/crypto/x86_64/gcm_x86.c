// AES-GCM on x86-64, whatever the width of the registers: the key set-up, and the parts of an engine for text that
// comes in pieces.
#include "base/mem.h"

#if defined(__x86_64__)

#include "crypto/x86_64/gcm_x86.h"

// ---------------------------------------------------------------- key set-up

// SubWord of the last word of `key`, rotated or not, in every word of the answer: on a block of four
// equal columns ShiftRows does nothing.
SSE_INLINE __m128i sub_last_word(__m128i key, bool rotated, uint8_t rcon) {
  const __m128i as_is = _mm_set1_epi32(0x0f0e0d0c), rotation = _mm_set1_epi32(0x0c0f0e0d);
  return _mm_aesenclast_si128(_mm_shuffle_epi8(key, rotated ? rotation : as_is), _mm_set1_epi32(rcon));
}

// Word i of the answer is the sum of the words 0 to i of `key`, and t.
SSE_INLINE __m128i add_words(__m128i key, __m128i t) {
  key ^= _mm_slli_si128(key, 4);
  key ^= _mm_slli_si128(key, 8);
  return key ^ t;
}

// FIPS 197 section 5.2.
static const uint8_t rcon[10] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36};

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
  __m128i *w = k->round_keys;
  w[0] = load(raw);
  for (int i = 1; i <= 10; i++) w[i] = add_words(w[i - 1], sub_last_word(w[i - 1], true, rcon[i - 1]));
  set_powers(k, 10);
}

SSE void tn_gcm_x86_set_key_256(x86_key *k, const uint8_t *raw) {
  __m128i *w = k->round_keys;
  w[0] = load(raw), w[1] = load(raw + 16);
  for (int i = 2; i <= 14; i++) {
    bool even = i % 2 == 0;
    w[i] = add_words(w[i - 2], sub_last_word(w[i - 1], even, even ? rcon[i / 2 - 1] : 0));
  }
  set_powers(k, 14);
}

// ---------------------------------------------------------------- a message in pieces

SSE void tn_gcm_x86_hash(const void *key, tn_gcm_op *op, const uint8_t *blocks, size_t count) {
  store_integer(op->y, hash_blocks(key, load_integer(op->y), blocks, count));
}

SSE_INLINE void stream(const x86_key *k, int rounds, tn_gcm_op *op) {
  __m128i counter = load_integer(op->counter), b[TN_GCM_BATCH_BLOCKS];
  UNROLL for (int i = 0; i < TN_GCM_BATCH_BLOCKS; i++) {
    b[i] = reverse_bytes(counter) ^ k->round_keys[0];
    counter = _mm_add_epi32(counter, _mm_set_epi32(0, 0, 0, 1));
  }
  store_integer(op->counter, counter);
  for (int r = 1; r < rounds; r++) {
    UNROLL for (int i = 0; i < TN_GCM_BATCH_BLOCKS; i++) b[i] = _mm_aesenc_si128(b[i], k->round_keys[r]);
  }
  UNROLL for (int i = 0; i < TN_GCM_BATCH_BLOCKS; i++) {
    store(op->batch + TN_GCM_BLOCK * i, _mm_aesenclast_si128(b[i], k->round_keys[rounds]));
  }
}

SSE void tn_gcm_x86_stream_128(const void *key, tn_gcm_op *op) { stream(key, 10, op); }
SSE void tn_gcm_x86_stream_256(const void *key, tn_gcm_op *op) { stream(key, 14, op); }

#endif
