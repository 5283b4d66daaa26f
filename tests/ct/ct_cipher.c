// Constant time: every mode without authentication with the key and the text secret. The IV and lengths are public, and
// so is the ciphertext.
#include "base/ct.h"
#include "crypto/cipher/cipher.h"
#include "support/support.h"

int main(void) {
  static const size_t blocks[] = {1, 3, 8, 37, 70};
  test_rng rng = {1};
  int wrong = 0;
  for (const tn_cipher *const *c = tn_ciphers; *c != NULL; c++) {
    for (size_t i = 0; i < COUNT(blocks); i++) {
      uint8_t raw[TN_CIPHER_MAX_KEY], iv[TN_CIPHER_MAX_BLOCK], again[TN_CIPHER_MAX_BLOCK];
      uint8_t text[70 * TN_CIPHER_MAX_BLOCK], sealed[sizeof text], back[sizeof text];
      const size_t n = blocks[i] * (*c)->block_len - ((*c)->stream ? 5 : 0);
      test_rng_bytes(&rng, raw, sizeof raw);
      test_rng_bytes(&rng, iv, sizeof iv);
      test_rng_bytes(&rng, text, n);
      memcpy(again, iv, sizeof iv);
      TN_SECRET(raw, sizeof raw);
      TN_SECRET(text, n);
      tn_cipher_key key;
      tn_cipher_set_key(&key, *c, raw);
      // Two spans, so that a block is cut by a span's end.
      const tn_span in[] = {{text, n / 3}, {text + n / 3, n - n / 3}}, whole = {sealed, n};
      const tn_mspan out = {sealed, n}, halves[] = {{back, n / 2}, {back + n / 2, n - n / 2}};
      wrong |= !tn_ok(tn_cipher_encrypt(&key, iv, in, 2, &out, 1));
      TN_PUBLIC(sealed, n);
      TN_PUBLIC(iv, sizeof iv);
      wrong |= !tn_ok(tn_cipher_decrypt(&key, again, &whole, 1, halves, 2));
      TN_PUBLIC(again, sizeof again);
      TN_PUBLIC(back, n);
      TN_PUBLIC(text, n);
      wrong |= memcmp(back, text, n) != 0 || memcmp(iv, again, (*c)->block_len) != 0;
      tn_cipher_wipe_key(&key);
    }
  }
  if (wrong) puts("a mode does not decrypt what it encrypted");
  return wrong;
}
