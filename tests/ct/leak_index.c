// Indexes a table by a secret: the constant-time run must catch it.
#include "base/ct.h"
#include "support/support.h"

int main(void) {
  static volatile const uint8_t table[256] = {1, 2, 3};
  volatile uint8_t secret[1] = {1};
  TN_SECRET((void *)(uintptr_t)secret, sizeof secret);
  volatile uint8_t out = table[secret[0]];
  (void)out;
  return 0;
}
