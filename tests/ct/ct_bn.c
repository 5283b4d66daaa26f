// Powers with secret bases and exponents, modulo secret numbers: one, and two at once.
#include "base/ct.h"
#include "crypto/bn/bn.h"

#define WORDS 64

static tn_bn_mod m[2];
static tn_bn_scratch s;

static bool raises(size_t words, size_t count, uint64_t low) {
  uint64_t n[WORDS], base[2][WORDS], exponent[2][2], r[2][WORDS];
  tn_bn_power powers[2];
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < words; j++) {
      n[j] = 0x9e3779b97f4a7c15 * (2 * j + i + 1);
      base[i][j] = n[j] / 2;
    }
    n[0] = low;
    exponent[i][0] = 0x0123456789abcdef + i;
    exponent[i][1] = 0xfedcba9876543210;
    TN_SECRET(n, sizeof n);
    TN_SECRET(base[i], sizeof base[i]);
    TN_SECRET(exponent[i], sizeof exponent[i]);
    if (!tn_ok(tn_bn_mod_init(&m[i], n, words))) return false;
    powers[i] = (tn_bn_power){r[i], base[i], exponent[i], &m[i]};
  }
  tn_bn_mod_exp(powers, count, words > 24 ? 40 : 128, &s);
  tn_bn_scratch_wipe(&s, &m[0]);
  TN_PUBLIC(r, sizeof r);
  for (size_t i = 0; i < count; i++)
    if (r[i][0] == 0 && r[i][1] == 0) return false;
  return true;
}

int main(void) {
  static const size_t sizes[] = {8, 16, 24, 32, 48, 64};
  static const uint64_t lows[] = {0x123456789abcdef1, ~(uint64_t)0};  // -1/n modulo a word: any, and one
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t low = 0; low < 2; low++)
      for (size_t count = 1; count <= 2; count++)
        if (!raises(sizes[i], count, lows[low])) return 1;
  return 0;
}
