// Indexes a table by a digest of a secret: the constant-time run must follow it through the instructions for hashing.
#include "base/ct.h"
#include "crypto/hash/hash.h"
#include "support/support.h"

int main(void) {
  static volatile const uint8_t table[256] = {1, 2, 3};
  uint8_t secret[64] = {1}, digest[TN_HASH_MAX_DIGEST];
  TN_SECRET(secret, sizeof secret);
  tn_hash_once(&tn_sha256, secret, sizeof secret, digest);
  volatile uint8_t out = table[digest[31]];
  (void)out;
  return 0;
}
