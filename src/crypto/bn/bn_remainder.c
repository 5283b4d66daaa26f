// Remainders by any number, from the top down, DIGIT bits at a time, with quotients that are a little small at times.
#include "base/mem.h"
#include "crypto/bn/bn.h"

typedef unsigned __int128 wide;

#define DIGIT 60

// 64 bits of a number from bit `at` on.
static uint64_t word_at(const uint64_t *a, size_t words, size_t at) {
  uint64_t w = a[at / 64] >> (at % 64);
  if (at % 64 != 0 && at / 64 + 1 < words) w |= a[at / 64 + 1] << (64 - at % 64);
  return w;
}

// floor(2^127 / (d + 1)) for d >= 2^63, bit by bit.
static uint64_t reciprocal(uint64_t d) {
  wide rest = (wide)1 << 63, divisor = (wide)d + 1;
  uint64_t v = 0;
  for (int i = 0; i < 64; i++) {
    rest += rest;
    uint64_t less = tn_ct_mask_bit((uint64_t)((rest - divisor) >> 127));
    rest -= divisor & ~((wide)less << 64 | less);
    v = v << 1 | (~less & 1);
  }
  return v;
}

// a = 2^DIGIT a + digit - q n, where a has a word more than n.
static void step(uint64_t *a, uint64_t digit, uint64_t q, const uint64_t *n, size_t words) {
  uint64_t below = digit << (64 - DIGIT), carry = 0;
  for (size_t i = 0; i < words; i++) {
    uint64_t shifted = a[i] << DIGIT | below >> (64 - DIGIT);
    below = a[i];
    wide product = (wide)q * n[i] + carry, difference = (wide)shifted - (uint64_t)product;
    a[i] = (uint64_t)difference;
    carry = (uint64_t)(product >> 64) + ((uint64_t)(difference >> 64) & 1);
  }
  a[words] = (a[words] << DIGIT | below >> (64 - DIGIT)) - carry;
}

// What is done is below 2 n throughout: a step's q is less than its quotient, by 2^61 / 2^63 at most for each of the
// bits below `top`, d + 1 in place of n, and the end of the reciprocal, and by 1 for its own end: by 1.75; a digit is
// below n / 16.
void tn_bn_remainder(uint64_t *r, const uint64_t *a, size_t a_words, const uint64_t *n, size_t words, size_t bits) {
  uint64_t done[TN_BN_MAX_WORDS + 1] = {0}, less[TN_BN_MAX_WORDS];
  uint64_t v = reciprocal(word_at(n, words, bits - 64));
  size_t steps = 64 * a_words <= bits ? 0 : (64 * a_words - bits + DIGIT - 1) / DIGIT;
  for (size_t i = 0, from = DIGIT * steps; from < 64 * a_words; i++, from += 64) done[i] = word_at(a, a_words, from);
  for (size_t i = steps; i-- != 0;) {
    uint64_t top = word_at(done, words + 1, bits - 63);
    uint64_t q = (uint64_t)((wide)top * v >> (127 - 1 - DIGIT));
    step(done, word_at(a, a_words, DIGIT * i) & (((uint64_t)1 << DIGIT) - 1), q, n, words);
  }
  uint64_t borrow = tn_bn_sub(less, done, n, words);
  tn_bn_select(r, tn_ct_mask_bit(borrow & ~done[words]), done, less, words);
  tn_wipe(done, (words + 1) * sizeof *done);
  tn_wipe(less, words * sizeof *less);
}
