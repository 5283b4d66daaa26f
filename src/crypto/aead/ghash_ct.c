#include "crypto/aead/ghash_ct.h"

#include "base/bytes.h"
#include "base/mem.h"

// The low 64 bits of the product of x and y as polynomials over GF(2). Each factor is cut into four
// with three holes between its bits. A place of such a product is a sum of at most 16 bits; 16 occur
// only at the top place, whose carry falls off the word, so no sum reaches the next place.
static inline uint64_t multiply_low(uint64_t x, uint64_t y) {
  const uint64_t m0 = 0x1111111111111111, m1 = m0 << 1, m2 = m0 << 2, m3 = m0 << 3;
  const uint64_t x0 = x & m0, x1 = x & m1, x2 = x & m2, x3 = x & m3;
  const uint64_t y0 = y & m0, y1 = y & m1, y2 = y & m2, y3 = y & m3;
  return (((x0 * y0) ^ (x1 * y3) ^ (x2 * y2) ^ (x3 * y1)) & m0) |
         (((x0 * y1) ^ (x1 * y0) ^ (x2 * y3) ^ (x3 * y2)) & m1) |
         (((x0 * y2) ^ (x1 * y1) ^ (x2 * y0) ^ (x3 * y3)) & m2) |
         (((x0 * y3) ^ (x1 * y2) ^ (x2 * y1) ^ (x3 * y0)) & m3);
}

static inline uint64_t reverse_bits(uint64_t x) {
  x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
  x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
  return __builtin_bswap64(x);
}

void tn_ghash_ct_set_key(tn_ghash_ct_key *key, const uint8_t h[16]) {
  key->h[0] = tn_load_be64(h + 8);
  key->h[1] = tn_load_be64(h);
  key->h[2] = key->h[0] ^ key->h[1];
  for (unsigned i = 0; i < 3; i++) key->reversed[i] = reverse_bits(key->h[i]);
}

// The coefficient of x^i is bit 127 - i of the block read big-endian (y[1] is its upper half), so a
// shift to the right multiplies by x.
static void multiply(uint64_t y[2], const tn_ghash_ct_key *key) {
  const uint64_t factor[3] = {y[0], y[1], y[0] ^ y[1]};
  // Karatsuba. The high half of a product is the low half of the product of the reversed factors.
  uint64_t low[3], high[3];
  for (unsigned i = 0; i < 3; i++) {
    low[i] = multiply_low(factor[i], key->h[i]);
    high[i] = reverse_bits(multiply_low(reverse_bits(factor[i]), key->reversed[i])) >> 1;
  }
  low[2] ^= low[0] ^ low[1];
  high[2] ^= high[0] ^ high[1];
  uint64_t v0 = low[0], v1 = high[0] ^ low[2], v2 = low[1] ^ high[2], v3 = high[1];
  // The product of two numbers of 128 bits has 255: move it to the upper end of 256.
  v3 = v3 << 1 | v2 >> 63, v2 = v2 << 1 | v1 >> 63, v1 = v1 << 1 | v0 >> 63, v0 <<= 1;
  // x^128 = x^7 + x^2 + x + 1, word by word from the highest powers.
  v1 ^= v0 << 63 ^ v0 << 62 ^ v0 << 57;
  v2 ^= v0 ^ v0 >> 1 ^ v0 >> 2 ^ v0 >> 7;
  v2 ^= v1 << 63 ^ v1 << 62 ^ v1 << 57;
  v3 ^= v1 ^ v1 >> 1 ^ v1 >> 2 ^ v1 >> 7;
  y[0] = v2, y[1] = v3;
}

void tn_ghash_ct(const tn_ghash_ct_key *key, uint8_t y[16], const uint8_t *blocks, size_t count) {
  uint64_t sum[2] = {tn_load_be64(y + 8), tn_load_be64(y)};
  for (; count != 0; count--, blocks += 16) {
    sum[1] ^= tn_load_be64(blocks);
    sum[0] ^= tn_load_be64(blocks + 8);
    multiply(sum, key);
  }
  tn_store_be64(y, sum[1]);
  tn_store_be64(y + 8, sum[0]);
  tn_wipe(sum, sizeof sum);
}
