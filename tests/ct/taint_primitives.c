// The checker itself: what comes out of a primitive that was given secrets must still be secret at its end, on each
// path; if the checker had lost it on the way, it would have watched nothing from there on.
#include "crypto/aead/aead.h"
#include "crypto/cipher/cipher.h"
#include "crypto/hash/hash.h"
#include "secret.h"
#include "support/support.h"

static int lost(const char *name, const char *what, uint8_t *p, size_t n) {
  const size_t kept = secret_bytes(p, n);
  TN_PUBLIC(p, n);
  if (kept != n) printf("%s: of %zu bytes of %s only %zu are secret\n", name, n, what, kept);
  return kept != n;
}

int main(void) {
  static uint8_t key[TN_AEAD_MAX_KEY], nonce[TN_AEAD_NONCE_LEN], text[2000], out[2000], tag[TN_AEAD_MAX_TAG];
  static const size_t lengths[] = {16, 100, 2000};
  const tn_span none = {NULL, 0};
  int wrong = 0;
  for (size_t i = 0; i < COUNT(lengths); i++) {
    const size_t n = lengths[i];
    const tn_span in = {text, n};
    const tn_mspan to = {out, n};
    for (const tn_aead *const *a = tn_aeads; *a != NULL; a++) {
      tn_aead_key state;
      TN_SECRET(key, sizeof key);
      tn_aead_set_key(&state, *a, key);
      memset(tag, 0, sizeof tag);
      wrong |= !tn_ok(tn_aead_seal(&state, nonce, none, &in, 1, &to, 1, tag));
      wrong |= lost((*a)->name, "a sealed text", out, n);
      wrong |= lost((*a)->name, "a tag", tag, 8);
      tn_aead_wipe_key(&state);
    }
    for (const tn_cipher *const *c = tn_ciphers; *c != NULL; c++) {
      uint8_t iv[TN_CIPHER_MAX_BLOCK] = {0};
      const size_t whole = (*c)->stream ? n : n / (*c)->block_len * (*c)->block_len;
      const tn_span blocks = {text, whole};
      const tn_mspan blocks_to = {out, whole};
      tn_cipher_key state;
      TN_SECRET(key, sizeof key);
      tn_cipher_set_key(&state, *c, key);
      wrong |= !tn_ok(tn_cipher_encrypt(&state, iv, &blocks, 1, &blocks_to, 1));
      wrong |= lost((*c)->name, "an encrypted text", out, whole);
      memset(iv, 0, sizeof iv);
      wrong |= !tn_ok(tn_cipher_decrypt(&state, iv, &blocks, 1, &blocks_to, 1));
      wrong |= lost((*c)->name, "a decrypted text", out, whole);
      tn_cipher_wipe_key(&state);
    }
    TN_SECRET(text, sizeof text);
    for (const tn_hash *const *h = tn_hashes; *h != NULL; h++) {
      tn_hash_once(*h, text, n, out);
      wrong |= lost((*h)->name, "a digest", out, (*h)->digest_len);
    }
    TN_PUBLIC(text, sizeof text);
  }
  return wrong;
}
