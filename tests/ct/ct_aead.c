// Constant time: every AEAD with the key and the text secret. Nonce, associated data and lengths are
// public, and so is the sealed text; whether a tag is right is for everyone to see.
#include "base/ct.h"
#include "crypto/aead/aead.h"
#include "support/support.h"

int main(void) {
  static const size_t lengths[] = {0, 1, 16, 100, 128, 130, 500};
  test_rng rng = {1};
  int wrong = 0;
  for (const tn_aead *const *a = tn_aeads; *a != NULL; a++) {
    for (size_t i = 0; i < COUNT(lengths); i++) {
      uint8_t raw[TN_AEAD_MAX_KEY], nonce[TN_AEAD_NONCE_LEN], aad[21], text[500], back[500], tag[TN_AEAD_MAX_TAG];
      uint8_t original[500];
      size_t n = lengths[i];
      test_rng_bytes(&rng, raw, sizeof raw);
      test_rng_bytes(&rng, nonce, sizeof nonce);
      test_rng_bytes(&rng, aad, sizeof aad);
      test_rng_bytes(&rng, text, n);
      memcpy(original, text, n);
      TN_SECRET(raw, sizeof raw);
      TN_SECRET(text, n);
      tn_aead_key key;
      tn_aead_set_key(&key, *a, raw);
      // Two spans, so that a batch is cut by a span's end.
      const tn_span in[] = {{text, n / 3}, {text + n / 3, n - n / 3}};
      const tn_mspan in_place = {text, n}, out = {back, n};
      wrong |= !tn_ok(tn_aead_seal(&key, nonce, tn_span_of(aad, sizeof aad), in, 2, &in_place, 1, tag));
      TN_PUBLIC(text, n);
      TN_PUBLIC(tag, sizeof tag);
      wrong |= !tn_ok(tn_aead_open(&key, nonce, tn_span_of(aad, sizeof aad), in, 2, tag, &out, 1));
      TN_PUBLIC(back, n);
      wrong |= memcmp(back, original, n) != 0;
      tag[7] ^= 1;
      wrong |= tn_ok(tn_aead_open(&key, nonce, tn_span_of(aad, sizeof aad), in, 2, tag, &out, 1));
      tn_aead_wipe_key(&key);
    }
  }
  if (wrong) puts("an AEAD does not open what it sealed");
  return wrong;
}
