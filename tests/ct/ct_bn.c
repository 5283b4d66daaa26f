// A power with a secret base and exponent, modulo a secret number.
#include "base/ct.h"
#include "crypto/bn/bn.h"

int main(void) {
  static const size_t sizes[] = {8, 16, 24};
  static tn_bn_mod m;
  static tn_bn_scratch s;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    uint64_t n[24], base[24], exponent[2] = {0x0123456789abcdef, 0xfedcba9876543210}, r[24], rr[24];
    size_t words = sizes[i];
    for (size_t j = 0; j < words; j++) {
      n[j] = 0x9e3779b97f4a7c15 * (2 * j + 1);
      base[j] = n[j] / 2;
    }
    TN_SECRET(n, sizeof n);
    TN_SECRET(base, sizeof base);
    TN_SECRET(exponent, sizeof exponent);
    if (!tn_ok(tn_bn_mod_init(&m, n, rr, words))) return 1;
    tn_bn_mod_exp(&(tn_bn_power){r, base, exponent, &m}, 1, 128, &s);
    tn_bn_scratch_wipe(&s, &m);
    TN_PUBLIC(r, sizeof r);
    if (r[0] == 0 && r[1] == 0) return 1;
  }
  return 0;
}
