// One published vector of a mode without authentication, run both ways.
#ifndef TN_TESTS_CIPHER_CASE_H
#define TN_TESTS_CIPHER_CASE_H

#include "crypto/cipher/cipher.h"
#include "support/support.h"

// `text` and `sealed` are equally long; the case must hold in both directions.
static inline void check_cipher_case(const tn_cipher *cipher, bytes key, bytes iv, bytes text, bytes sealed,
                                     const char *name) {
  if (key.n != cipher->key_len || iv.n != cipher->block_len || text.n != sealed.n) fail_msg("%s: lengths", name);
  uint8_t *made = malloc(text.n + 1);
  for (int decrypting = 0; decrypting < 2; decrypting++) {
    const bytes from = decrypting ? sealed : text, wanted = decrypting ? text : sealed;
    uint8_t running[TN_CIPHER_MAX_BLOCK];
    tn_cipher_key k;
    tn_cipher_set_key(&k, cipher, key.p);
    memcpy(running, iv.p, iv.n);
    const tn_span in = bytes_span(from);
    const tn_mspan out = {made, from.n};
    assert_ok((decrypting ? tn_cipher_decrypt : tn_cipher_encrypt)(&k, running, &in, 1, &out, 1));
    if (memcmp(made, wanted.p, wanted.n) != 0)
      fail_msg("%s %s: %s", cipher->name, name, decrypting ? "text" : "sealed");
    tn_cipher_wipe_key(&k);
  }
  free(made);
}

// ECB, which nobody offers, is CBC of single blocks with an IV of zeros.
static inline void check_ecb_case(const tn_cipher *cbc, bytes key, bytes text, bytes sealed, const char *name) {
  uint8_t zeros[TN_CIPHER_MAX_BLOCK] = {0};
  const size_t n = cbc->block_len;
  for (size_t i = 0; i < text.n; i += n)
    check_cipher_case(cbc, key, (bytes){zeros, n}, (bytes){text.p + i, n}, (bytes){sealed.p + i, n}, name);
}

#endif
