// AES-GCM with AES-NI and PCLMULQDQ: eight blocks of counter mode, and in the gaps between their rounds
// GHASH of the eight blocks before them.
#include "base/cpu.h"
#include "base/mem.h"
#include "crypto/aead/gcm.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("aes,pclmul,ssse3,sse4.1")))
#define INLINE TARGET __attribute__((always_inline)) static inline
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

#define BLOCKS TN_GCM_BATCH_BLOCKS

typedef struct aesni_key {
  tn_gcm_key gcm;
  __m128i round_keys[15];
  __m128i powers[BLOCKS];  // H^1/x ... H^8/x, for multiply()
} aesni_key;

_Static_assert(sizeof(aesni_key) <= TN_AEAD_KEY_STATE, "the key state fits");

INLINE __m128i load(const void *p) { return _mm_loadu_si128(p); }
INLINE void store(void *p, __m128i x) { _mm_storeu_si128(p, x); }

// Reverses the bytes, so that GHASH's blocks and the counter become integers.
INLINE __m128i reverse_bytes(__m128i x) {
  return _mm_shuffle_epi8(x, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

INLINE __m128i load_integer(const void *p) { return reverse_bytes(load(p)); }
INLINE void store_integer(void *p, __m128i x) { store(p, reverse_bytes(x)); }

INLINE __m128i swap_halves(__m128i x) { return _mm_shuffle_epi32(x, 0x4e); }

// ---------------------------------------------------------------- GF(2^128)
// The coefficient of x^i is bit 127 - i of an integer. The carry-less product of two such integers is
// that of the polynomials times x, which is why one factor is kept divided by x.

// A sum of products in the three parts of Karatsuba's method, not reduced.
typedef struct product {
  __m128i low, high, middle;
} product;

INLINE void multiply_add(product *sum, __m128i a, __m128i b) {
  __m128i a_sum = _mm_xor_si128(a, swap_halves(a)), b_sum = _mm_xor_si128(b, swap_halves(b));
  sum->low = _mm_xor_si128(sum->low, _mm_clmulepi64_si128(a, b, 0x00));
  sum->high = _mm_xor_si128(sum->high, _mm_clmulepi64_si128(a, b, 0x11));
  sum->middle = _mm_xor_si128(sum->middle, _mm_clmulepi64_si128(a_sum, b_sum, 0x00));
}

// Takes off 64 bits from the low end, twice: bit p is worth bits p + 128, 127, 126 and 121, because
// x^128 = 1 + x + x^2 + x^7. The first is the swap, the rest is the multiplication.
INLINE __m128i reduce(product p) {
  const __m128i poly = _mm_set_epi64x(0, (long long)0xc200000000000000);
  p.middle = _mm_xor_si128(p.middle, _mm_xor_si128(p.low, p.high));
  p.low = _mm_xor_si128(p.low, _mm_slli_si128(p.middle, 8));
  p.high = _mm_xor_si128(p.high, _mm_srli_si128(p.middle, 8));
  p.low = _mm_xor_si128(swap_halves(p.low), _mm_clmulepi64_si128(p.low, poly, 0x00));
  p.low = _mm_xor_si128(swap_halves(p.low), _mm_clmulepi64_si128(p.low, poly, 0x00));
  return _mm_xor_si128(p.low, p.high);
}

INLINE __m128i multiply(__m128i a, __m128i b) {
  product p = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
  multiply_add(&p, a, b);
  return reduce(p);
}

// A shift to the left; the coefficient of 1 that leaves at the top is worth x^127 + x^6 + x + 1 there.
INLINE __m128i divide_by_x(__m128i a) {
  const __m128i inverse_of_x = _mm_set_epi64x((long long)0xc200000000000000, 1);
  __m128i carry = _mm_srai_epi32(_mm_shuffle_epi32(a, 0xff), 31);
  __m128i shifted = _mm_or_si128(_mm_slli_epi64(a, 1), _mm_slli_si128(_mm_srli_epi64(a, 63), 8));
  return _mm_xor_si128(shifted, _mm_and_si128(carry, inverse_of_x));
}

TARGET static void hash(const void *key, tn_gcm_op *op, const uint8_t *blocks, size_t count) {
  const aesni_key *k = key;
  product sum = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
  __m128i y = load_integer(op->y);
  for (size_t i = 0; i < count; i++) {
    multiply_add(&sum, _mm_xor_si128(y, load_integer(blocks + TN_GCM_BLOCK * i)), k->powers[count - 1 - i]);
    y = _mm_setzero_si128();
  }
  store_integer(op->y, reduce(sum));
}

// ---------------------------------------------------------------- the batch

// Eight blocks of key stream into `b`; y takes the eight blocks at `hashed`, unless that is NULL.
INLINE void batch(const aesni_key *k, int rounds, __m128i *counter, __m128i b[BLOCKS], __m128i *y,
                  const uint8_t *hashed) {
  product sum = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
  // The counter is 1 modulo 8: all but the last differ from the first in three bits only.
  const __m128i first = _mm_xor_si128(reverse_bytes(*counter), k->round_keys[0]);
  *counter = _mm_add_epi32(*counter, _mm_set_epi32(0, 0, 0, BLOCKS));
  const __m128i next = _mm_xor_si128(reverse_bytes(*counter), k->round_keys[0]);
  UNROLL for (int i = 0; i < BLOCKS; i++) {
    const int difference = (i + 1) % BLOCKS ^ 1;
    b[i] = _mm_xor_si128(i + 1 < BLOCKS ? first : next, _mm_set_epi32(difference << 24, 0, 0, 0));
  }
  UNROLL for (int r = 1; r <= BLOCKS; r++) {
    UNROLL for (int i = 0; i < BLOCKS; i++) b[i] = _mm_aesenc_si128(b[i], k->round_keys[r]);
    if (hashed != NULL) {
      const int j = r % BLOCKS;  // the block with y comes last, when the reduction before has long ended
      __m128i x = load_integer(hashed + TN_GCM_BLOCK * j);
      if (j == 0) x = _mm_xor_si128(x, *y);
      multiply_add(&sum, x, k->powers[BLOCKS - 1 - j]);
      // Add now: there are no registers for products that wait for each other.
      __asm__("" : "+x"(sum.low), "+x"(sum.high), "+x"(sum.middle));
    }
  }
  UNROLL for (int r = BLOCKS + 1; r < rounds; r++) {
    UNROLL for (int i = 0; i < BLOCKS; i++) b[i] = _mm_aesenc_si128(b[i], k->round_keys[r]);
  }
  if (hashed != NULL) *y = reduce(sum);
  UNROLL for (int i = 0; i < BLOCKS; i++) b[i] = _mm_aesenclast_si128(b[i], k->round_keys[rounds]);
}

INLINE void refill(const aesni_key *k, int rounds, tn_gcm_op *op, bool hashing) {
  __m128i counter = load_integer(op->counter), y = load_integer(op->y), b[BLOCKS];
  batch(k, rounds, &counter, b, &y, hashing ? op->batch : NULL);
  UNROLL for (int i = 0; i < BLOCKS; i++) store(op->batch + TN_GCM_BLOCK * i, b[i]);
  store_integer(op->counter, counter);
  store_integer(op->y, y);
}

INLINE void crypt(const aesni_key *k, int rounds, tn_gcm_op *op, const uint8_t *in, uint8_t *out, size_t count,
                  bool sealing) {
  __m128i counter = load_integer(op->counter), y = load_integer(op->y), b[BLOCKS];
  for (; count != 0; count--, in += TN_GCM_BATCH, out += TN_GCM_BATCH) {
    batch(k, rounds, &counter, b, &y, op->batch);
    UNROLL for (int i = 0; i < BLOCKS; i++) {
      __m128i from = load(in + TN_GCM_BLOCK * i), to = _mm_xor_si128(from, b[i]);
      store(out + TN_GCM_BLOCK * i, to);
      store(op->batch + TN_GCM_BLOCK * i, sealing ? to : from);
    }
  }
  store_integer(op->counter, counter);
  store_integer(op->y, y);
}

// An engine for each number of rounds, which the compiler unrolls.
#define ENGINE(bits, rounds)                                                                                      \
  TARGET static void stream_##bits(const void *key, tn_gcm_op *op) { refill(key, rounds, op, false); }            \
  TARGET static void next_##bits(const void *key, tn_gcm_op *op) { refill(key, rounds, op, true); }               \
  TARGET static void seal_##bits(const void *key, tn_gcm_op *op, const uint8_t *in, uint8_t *out, size_t count) { \
    crypt(key, rounds, op, in, out, count, true);                                                                 \
  }                                                                                                               \
  TARGET static void open_##bits(const void *key, tn_gcm_op *op, const uint8_t *in, uint8_t *out, size_t count) { \
    crypt(key, rounds, op, in, out, count, false);                                                                \
  }                                                                                                               \
  static const tn_gcm_engine engine_##bits = {stream_##bits, hash, next_##bits, seal_##bits, open_##bits};

ENGINE(128, 10)
ENGINE(256, 14)

// ---------------------------------------------------------------- key set-up

// SubWord of the last word of `key`, rotated or not, in every word of the answer: on a block of four
// equal columns ShiftRows does nothing.
INLINE __m128i sub_last_word(__m128i key, bool rotated, uint8_t rcon) {
  const __m128i as_is = _mm_set1_epi32(0x0f0e0d0c), rotation = _mm_set1_epi32(0x0c0f0e0d);
  return _mm_aesenclast_si128(_mm_shuffle_epi8(key, rotated ? rotation : as_is), _mm_set1_epi32(rcon));
}

// Word i of the answer is the sum of the words 0 to i of `key`, and t.
INLINE __m128i add_words(__m128i key, __m128i t) {
  key = _mm_xor_si128(key, _mm_slli_si128(key, 4));
  key = _mm_xor_si128(key, _mm_slli_si128(key, 8));
  return _mm_xor_si128(key, t);
}

// FIPS 197 section 5.2.
static const uint8_t rcon[10] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36};

TARGET static void expand_128(aesni_key *k, const uint8_t *raw) {
  __m128i *w = k->round_keys;
  w[0] = load(raw);
  for (int i = 1; i <= 10; i++) w[i] = add_words(w[i - 1], sub_last_word(w[i - 1], true, rcon[i - 1]));
}

TARGET static void expand_256(aesni_key *k, const uint8_t *raw) {
  __m128i *w = k->round_keys;
  w[0] = load(raw), w[1] = load(raw + 16);
  for (int i = 2; i <= 14; i++) {
    bool even = i % 2 == 0;
    w[i] = add_words(w[i - 2], sub_last_word(w[i - 1], even, even ? rcon[i / 2 - 1] : 0));
  }
}

// The powers of H = E(K, 0).
TARGET static void set_powers(aesni_key *k, int rounds) {
  __m128i h = k->round_keys[0];
  for (int r = 1; r < rounds; r++) h = _mm_aesenc_si128(h, k->round_keys[r]);
  h = divide_by_x(reverse_bytes(_mm_aesenclast_si128(h, k->round_keys[rounds])));
  k->powers[0] = h;
  for (int i = 1; i < BLOCKS; i++) k->powers[i] = multiply(k->powers[i - 1], h);
  tn_wipe_vectors();
}

static void set_key_128(void *key, const uint8_t *raw) {
  aesni_key *k = key;
  k->gcm.engine = &engine_128;
  expand_128(k, raw);
  set_powers(k, 10);
}

static void set_key_256(void *key, const uint8_t *raw) {
  aesni_key *k = key;
  k->gcm.engine = &engine_256;
  expand_256(k, raw);
  set_powers(k, 14);
}

#define NEEDS (TN_CPU_AESNI | TN_CPU_PCLMUL | TN_CPU_SSE41)

const tn_aead_impl tn_aes_128_gcm_aesni = {"aesni",     NEEDS,       set_key_128, tn_gcm_start,
                                           tn_gcm_seal, tn_gcm_open, tn_gcm_tag};
const tn_aead_impl tn_aes_256_gcm_aesni = {"aesni",     NEEDS,       set_key_256, tn_gcm_start,
                                           tn_gcm_seal, tn_gcm_open, tn_gcm_tag};

#endif
