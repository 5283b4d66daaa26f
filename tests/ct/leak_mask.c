// Branches on a mask that was made of a secret: the constant-time run must follow it through the value barriers.
#include "base/ct.h"
#include "support/support.h"

int main(void) {
  uint64_t secret = 7;
  TN_SECRET(&secret, sizeof secret);
  const uint64_t chosen = tn_ct_select(tn_ct_lt(secret, 9), 1, 2);
  if (chosen == 1) puts("less");
  return 0;
}
