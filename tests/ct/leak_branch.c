// Branches on a secret: the constant-time run must catch it.
#include "base/ct.h"
#include "support/support.h"

int main(void) {
  volatile uint8_t secret[1] = {1};
  TN_SECRET((void *)(uintptr_t)secret, sizeof secret);
  if (secret[0] == 1) puts("one");
  return 0;
}
