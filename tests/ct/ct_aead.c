// Constant time: every AEAD with the key and the text secret. Nonce, associated data and lengths are
// public, and so is the sealed text; whether a tag is right is for everyone to see.
#include "base/ct.h"
#include "crypto/aead/aead.h"
#include "support/support.h"

#define MOST 1400

int main(void) {
  // Where text fills blocks, vectors of 32 and 64 bytes and batches of 128 and 256, and where it does not.
  static const size_t lengths[] = {0, 1, 16, 31, 33, 64, 65, 100, 128, 130, 193, 245, 256, 300, 500, 514, 1400};
  test_rng rng = {1};
  int wrong = 0;
  for (const tn_aead *const *a = tn_aeads; *a != NULL; a++) {
    for (size_t i = 0; i < COUNT(lengths); i++) {
      uint8_t raw[TN_AEAD_MAX_KEY], nonce[TN_AEAD_NONCE_LEN], aad[21], text[MOST], back[MOST], tag[TN_AEAD_MAX_TAG];
      uint8_t original[MOST];
      size_t n = lengths[i];
      test_rng_bytes(&rng, raw, sizeof raw);
      test_rng_bytes(&rng, nonce, sizeof nonce);
      test_rng_bytes(&rng, aad, sizeof aad);
      test_rng_bytes(&rng, text, n);
      memcpy(original, text, n);
      TN_SECRET(raw, sizeof raw);
      tn_aead_key key;
      tn_aead_set_key(&key, *a, raw);
      // In one piece; in two, as records are; in two on either side, so that a batch is cut by a span's end.
      for (size_t shape = 0; shape < 3; shape++) {
        const size_t n_in = shape == 0 ? 1 : 2, n_out = shape == 2 ? 2 : 1;
        const size_t first = shape == 0 ? n : n / 3, first_out = shape == 2 ? n / 2 : n;
        const tn_span in[] = {{text, first}, {text + first, n - first}};
        const tn_mspan in_place[] = {{text, first_out}, {text + first_out, n - first_out}};
        const tn_mspan out[] = {{back, first_out}, {back + first_out, n - first_out}};
        const tn_span header = tn_span_of(aad, shape == 2 ? sizeof aad : 13);
        memcpy(text, original, n);
        TN_SECRET(text, n);
        wrong |= !tn_ok(tn_aead_seal(&key, nonce, header, in, n_in, shape == 2 ? out : in_place, n_out, tag));
        if (shape == 2) memcpy(text, back, n);
        TN_PUBLIC(text, n);
        TN_PUBLIC(tag, sizeof tag);
        wrong |= !tn_ok(tn_aead_open(&key, nonce, header, in, n_in, tag, out, n_out));
        TN_PUBLIC(back, n);
        wrong |= memcmp(back, original, n) != 0;
        tag[7] ^= 1;
        wrong |= tn_ok(tn_aead_open(&key, nonce, header, in, n_in, tag, out, n_out));
      }
      tn_aead_wipe_key(&key);
    }
  }
  if (wrong) puts("an AEAD does not open what it sealed");
  return wrong;
}
