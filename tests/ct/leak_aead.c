// Branches on a sealed text that nobody declared public: the constant-time run must follow the key through the
// instructions for AES.
#include "base/ct.h"
#include "crypto/aead/aead.h"
#include "support/support.h"

int main(void) {
  uint8_t raw[TN_AEAD_MAX_KEY] = {1}, nonce[TN_AEAD_NONCE_LEN] = {2}, tag[TN_AEAD_MAX_TAG];
  static uint8_t text[1000];
  TN_SECRET(raw, sizeof raw);
  tn_aead_key key;
  tn_aead_set_key(&key, &tn_aes_128_gcm, raw);
  const tn_span in = {text, sizeof text};
  const tn_mspan out = {text, sizeof text};
  if (!tn_ok(tn_aead_seal(&key, nonce, (tn_span){NULL, 0}, &in, 1, &out, 1, tag))) return 1;
  if (text[900] == 1) puts("one");
  return 0;
}
