// AES-GCM on x86-64: what the engines of all register widths share. The key's state, single blocks, and the
// arithmetic of GF(2^128).
#ifndef TN_CRYPTO_GCM_X86_H
#define TN_CRYPTO_GCM_X86_H

#include "base/ct.h"
#include "crypto/aead/gcm.h"
#include "crypto/x86_64/aes_ni.h"

#define SSE __attribute__((target("aes,pclmul,ssse3,sse4.1")))
#define SSE_INLINE SSE __attribute__((always_inline)) static inline
// The features that every engine needs, for its key set-up at least.
#define X86_NEEDS (TN_CPU_AESNI | TN_CPU_PCLMUL | TN_CPU_SSE41)

#define POWERS 16

// The round keys stand behind the powers: a vector of powers that begins with one of the last reaches into them,
// where the text has no block.
typedef struct x86_key {
  tn_gcm_key gcm;
  _Alignas(16) __m128i powers[POWERS];  // H^16/x ... H^1/x, for multiply()
  __m128i round_keys[15];
} x86_key;

_Static_assert(sizeof(x86_key) <= TN_AEAD_KEY_STATE, "the key state fits");

// Fill everything but the engine. The caller wipes the vector registers.
void tn_gcm_x86_set_key_128(x86_key *k, const uint8_t *raw);
void tn_gcm_x86_set_key_256(x86_key *k, const uint8_t *raw);

// What the engines have in common.
void tn_gcm_x86_stream_128(const void *key, tn_gcm_op *op);
void tn_gcm_x86_stream_256(const void *key, tn_gcm_op *op);
void tn_gcm_x86_hash(const void *key, tn_gcm_op *op, const uint8_t *blocks, size_t count);

SSE_INLINE __m128i load(const void *p) { return _mm_loadu_si128(p); }
SSE_INLINE void store(void *p, __m128i x) { _mm_storeu_si128(p, x); }

SSE_INLINE __m128i byte_reversal(void) { return _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); }

// Reverses the bytes, so that GHASH's blocks and the counter become integers.
SSE_INLINE __m128i reverse_bytes(__m128i x) { return _mm_shuffle_epi8(x, byte_reversal()); }

SSE_INLINE __m128i load_integer(const void *p) { return reverse_bytes(load(p)); }
SSE_INLINE void store_integer(void *p, __m128i x) { store(p, reverse_bytes(x)); }

// ---------------------------------------------------------------- pieces of a block

typedef uint16_t word16 __attribute__((aligned(1), may_alias));
typedef uint32_t word32 __attribute__((aligned(1), may_alias));
typedef uint64_t word64 __attribute__((aligned(1), may_alias));

// n bytes, 0 to 7; two loads that overlap where they must.
static inline uint64_t load_under_8(const uint8_t *p, size_t n) {
  if (n >= 4) return *(const word32 *)p | (uint64_t) * (const word32 *)(p + n - 4) << 8 * (n - 4);
  if (n >= 2) return *(const word16 *)p | (uint64_t)p[n - 1] << 8 * (n - 1);
  return n == 0 ? 0 : *p;
}

static inline void store_under_8(uint8_t *p, uint64_t x, size_t n) {
  if (n >= 4) {
    *(word32 *)p = (uint32_t)x;
    *(word32 *)(p + n - 4) = (uint32_t)(x >> 8 * (n - 4));
  } else if (n >= 2) {
    *(word16 *)p = (uint16_t)x;
    p[n - 1] = (uint8_t)(x >> 8 * (n - 1));
  } else if (n != 0) {
    *p = (uint8_t)x;
  }
}

// J0, SP 800-38D section 7.1: the nonce and a counter of 1. The nonce has just been written, most likely in two stores;
// a load that takes from both would wait until they are in the cache.
SSE_INLINE __m128i gcm_j0(const uint8_t nonce[TN_AEAD_NONCE_LEN]) {
  const word32 *n = (const void *)nonce;
  return _mm_set_epi32(1 << 24, (int)n[2], (int)n[1], (int)n[0]);
}

// n bytes, 0 to 15, and zeros.
SSE_INLINE __m128i load_under_16(const uint8_t *p, size_t n) {
  if (n < 8) return _mm_cvtsi64_si128((long long)load_under_8(p, n));
  return _mm_set_epi64x((long long)load_under_8(p + 8, n - 8), (long long)*(const word64 *)p);
}

SSE_INLINE void store_under_16(uint8_t *p, __m128i x, size_t n) {
  if (n >= 8) {
    _mm_storel_epi64((__m128i *)(void *)p, x);
    x = _mm_unpackhi_epi64(x, x);
    p += 8, n -= 8;
  }
  store_under_8(p, (uint64_t)_mm_cvtsi128_si64(x), n);
}

// A load that begins 32 - n bytes in is a mask of n bytes.
static const uint8_t keep_bytes[64] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                                       255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

// ---------------------------------------------------------------- GF(2^128)
// The coefficient of x^i is bit 127 - i of an integer. The carry-less product of two such integers is
// that of the polynomials times x, which is why one factor is kept divided by x.

SSE_INLINE __m128i swap_halves(__m128i x) { return _mm_shuffle_epi32(x, 0x4e); }

// A sum of products in the three parts of Karatsuba's method, not reduced.
typedef struct product {
  __m128i low, high, middle;
} product;

SSE_INLINE void multiply_add(product *sum, __m128i a, __m128i b) {
  sum->low ^= _mm_clmulepi64_si128(a, b, 0x00);
  sum->high ^= _mm_clmulepi64_si128(a, b, 0x11);
  sum->middle ^= _mm_clmulepi64_si128(a ^ swap_halves(a), b ^ swap_halves(b), 0x00);
}

#define REDUCTION 0xc200000000000000

// Takes off 64 bits from the low end, twice: bit p is worth bits p + 128, 127, 126 and 121, because
// x^128 = 1 + x + x^2 + x^7. The first is the swap, the rest is the multiplication.
SSE_INLINE __m128i reduce(product p) {
  const __m128i poly = _mm_set_epi64x(0, (long long)REDUCTION);
  p.middle ^= p.low ^ p.high ^ swap_halves(p.low) ^ _mm_clmulepi64_si128(p.low, poly, 0x00);
  return p.high ^ swap_halves(p.middle) ^ _mm_clmulepi64_si128(p.middle, poly, 0x00);
}

SSE_INLINE product no_product(void) { return (product){_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()}; }

// H^n/x.
SSE_INLINE __m128i power(const x86_key *k, size_t n) { return k->powers[POWERS - n]; }

// Hashes `count` blocks, 1 to 16, into y.
SSE_INLINE __m128i hash_blocks(const x86_key *k, __m128i y, const uint8_t *blocks, size_t count) {
  product sum = no_product();
  for (size_t i = 0; i < count; i++) {
    multiply_add(&sum, y ^ load_integer(blocks + TN_GCM_BLOCK * i), power(k, count - i));
    y = _mm_setzero_si128();
  }
  return reduce(sum);
}

// GHASH of the associated data, padded.
SSE_INLINE __m128i hash_aad(const x86_key *k, tn_span aad) {
  __m128i y = _mm_setzero_si128();
  for (size_t blocks; (blocks = aad.n / TN_GCM_BLOCK) != 0;
       aad.p += blocks * TN_GCM_BLOCK, aad.n -= blocks * TN_GCM_BLOCK) {
    if (blocks > POWERS) blocks = POWERS;
    y = hash_blocks(k, y, aad.p, blocks);
  }
  if (aad.n == 0) return y;
  product sum = no_product();
  multiply_add(&sum, y ^ reverse_bytes(load_under_16(aad.p, aad.n)), power(k, 1));
  return reduce(sum);
}

// ---------------------------------------------------------------- AES

SSE_INLINE __m128i encrypt_block(const x86_key *k, int rounds, __m128i b) {
  b ^= k->round_keys[0];
  TN_UNROLL for (int r = 1; r < rounds; r++) b = _mm_aesenc_si128(b, k->round_keys[r]);
  return _mm_aesenclast_si128(b, k->round_keys[rounds]);
}

#endif
