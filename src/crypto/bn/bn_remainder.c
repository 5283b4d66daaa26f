// Remainders by any number, from the top down, DIGIT bits at a time, with quotients that are a little small at times.
#include "base/mem.h"
#include "crypto/bn/bn.h"

typedef unsigned __int128 wide;

#define DIGIT 58

// 64 bits of a number from bit `at` on.
static uint64_t word_at(const uint64_t *a, size_t words, size_t at) {
  uint64_t w = a[at / 64] >> (at % 64);
  if (at % 64 != 0 && at / 64 + 1 < words) w |= a[at / 64 + 1] << (64 - at % 64);
  return w;
}

// 2^127 / (d + 1) for d >= 2^63, less 6 at most. Newton's iteration, from 24/17 - 16/17 d / 2^64, which is within one
// part in 17. Each result is too small but for the floors, which make it 2 greater at most, and d + 1 another 2.
static uint64_t reciprocal(uint64_t d) {
  uint64_t v = 0x6969696969696969 - (uint64_t)((wide)d * 0xf0f0f0f0f0f0f0f0 >> 64);
  for (int i = 0; i < 4; i++) v = (uint64_t)((wide)v * (0 - (uint64_t)((wide)d * v >> 64)) >> 63) - 4;
  return v;
}

// a = 2^DIGIT a + digit - q n, where a has a word more than n, and `minus` is 2^(64 words) - n.
static void step(uint64_t *a, uint64_t digit, uint64_t q, const uint64_t *minus, size_t words) {
  uint64_t below = digit << (64 - DIGIT), carry = 0;
#pragma GCC unroll 4
  for (size_t i = 0; i < words; i++) {
    uint64_t high = a[i] << DIGIT, low = below >> (64 - DIGIT);
    below = a[i];
    wide sum = (wide)q * minus[i] + (high | low);
    // The carry comes last, as it is known last.
    carry = (uint64_t)(sum >> 64) + __builtin_add_overflow((uint64_t)sum, carry, &a[i]);
  }
  a[words] = (a[words] << DIGIT | below >> (64 - DIGIT)) + carry - q;
}

// What is done is below 2 n throughout: a step's q is less than its quotient, by 1/16 at most for the bits below `top`
// and as much for d + 1 in place of n, by 6/16 for the reciprocal, and by 1 for its own end; a digit is below n / 64.
void tn_bn_remainder(uint64_t *r, const uint64_t *a, size_t a_words, const uint64_t *n, size_t words, size_t bits) {
  uint64_t done[TN_BN_MAX_WORDS + 1], minus[TN_BN_MAX_WORDS];
  uint64_t v = reciprocal(word_at(n, words, bits - 64));
  size_t steps = 64 * a_words <= bits ? 0 : (64 * a_words - bits + DIGIT - 1) / DIGIT;
  for (size_t i = 0, from = DIGIT * steps; i <= words; i++, from += 64)
    done[i] = from < 64 * a_words ? word_at(a, a_words, from) : 0;
  for (size_t i = 0; i < words; i++) minus[i] = 0;
  (void)tn_bn_sub(minus, minus, n, words);
  for (size_t i = steps; i-- != 0;) {
    uint64_t top = word_at(done, words + 1, bits - 63);
    uint64_t q = (uint64_t)((wide)top * v >> (127 - 1 - DIGIT));
    step(done, word_at(a, a_words, DIGIT * i) & (((uint64_t)1 << DIGIT) - 1), q, minus, words);
  }
  // The sum with 2^(64 words) - n has a carry if n can be taken off.
  uint64_t carry = tn_bn_add(minus, done, minus, words);
  tn_bn_select(r, tn_ct_mask_bit(carry | done[words]), minus, done, words);
  tn_wipe(done, (words + 1) * sizeof *done);
  tn_wipe(minus, words * sizeof *minus);
}
