// Branches on a tag that nobody declared public: the constant-time run must follow the key through the
// instructions for GHASH.
#include "base/ct.h"
#include "crypto/aead/aead.h"
#include "support/support.h"

int main(void) {
  uint8_t raw[TN_AEAD_MAX_KEY] = {1}, nonce[TN_AEAD_NONCE_LEN] = {2}, aad[100] = {3}, tag[TN_AEAD_MAX_TAG];
  TN_SECRET(aad, sizeof aad);
  tn_aead_key key;
  tn_aead_set_key(&key, &tn_aes_128_gcm, raw);
  if (!tn_ok(tn_aead_seal(&key, nonce, tn_span_of(aad, sizeof aad), NULL, 0, NULL, 0, tag))) return 1;
  if (tag[3] == 1) puts("one");
  return 0;
}
