// Constant time: AES-CCM with the key and the text secret, over lengths that end on and off a block, and associated
// data of none to several. Nonce, associated data, lengths and the sealed text are public.
#include "base/ct.h"
#include "crypto/aead/aead.h"
#include "support/support.h"

int main(void) {
  static const tn_aead *const rows[] = {&tn_aes_128_ccm, &tn_aes_256_ccm, &tn_aes_128_ccm_8, &tn_aes_256_ccm_8};
  static const size_t lengths[] = {0, 1, 15, 16, 17, 64, 77}, aad_lengths[] = {0, 13, 14, 50};
  test_rng rng = {1};
  int wrong = 0;
  for (size_t r = 0; r < COUNT(rows); r++) {
    for (size_t i = 0; i < COUNT(lengths) * COUNT(aad_lengths); i++) {
      const size_t n = lengths[i % COUNT(lengths)];
      uint8_t raw[TN_AEAD_MAX_KEY], nonce[TN_AEAD_NONCE_LEN], aad[50], text[77], sealed[77], back[77], tag[16];
      test_rng_bytes(&rng, raw, sizeof raw);
      test_rng_bytes(&rng, nonce, sizeof nonce);
      test_rng_bytes(&rng, aad, sizeof aad);
      test_rng_bytes(&rng, text, n);
      TN_SECRET(raw, sizeof raw);
      TN_SECRET(text, n);
      tn_aead_key key;
      tn_aead_set_key(&key, rows[r], raw);
      const tn_span data = tn_span_of(aad, aad_lengths[i / COUNT(lengths)]);
      const tn_span in[] = {{text, n / 2}, {text + n / 2, n - n / 2}}, from = {sealed, n};
      const tn_mspan out = {sealed, n}, to = {back, n};
      wrong |= !tn_ok(tn_aead_seal(&key, nonce, data, in, 2, &out, 1, tag));
      TN_PUBLIC(sealed, n);
      TN_PUBLIC(tag, sizeof tag);
      wrong |= !tn_ok(tn_aead_open(&key, nonce, data, &from, 1, tag, &to, 1));
      TN_PUBLIC(back, n);
      TN_PUBLIC(text, n);
      wrong |= memcmp(back, text, n) != 0;
      tag[rows[r]->tag_len - 1] ^= 0x10;
      wrong |= tn_ok(tn_aead_open(&key, nonce, data, &from, 1, tag, &to, 1));
      tn_aead_wipe_key(&key);
    }
  }
  if (wrong) puts("CCM does not open what it sealed");
  return wrong;
}
