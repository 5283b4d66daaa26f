// ChaCha20-Poly1305 with a secret key and a secret plaintext.
#include "base/cpu.h"
#include "base/ct.h"
#include "crypto/aead/aead.h"
#include "support/support.h"

// Seals and opens in two pieces, so that a block of key stream is split.
static void run(const tn_aead_impl *impl, size_t n) {
  static uint8_t data[5000];
  const size_t first = n / 3;
  _Alignas(16) uint8_t key[TN_AEAD_KEY_STATE];
  tn_aead_op op;
  uint8_t raw[32], nonce[12], aad[13] = {1, 2, 3}, tag[16];
  test_rng rng = {n};
  test_rng_bytes(&rng, raw, sizeof raw);
  test_rng_bytes(&rng, nonce, sizeof nonce);
  test_rng_bytes(&rng, data, n);
  TN_SECRET(raw, sizeof raw);
  TN_SECRET(data, n);

  impl->set_key(key, raw);
  impl->start(key, &op, nonce, (tn_span){aad, sizeof aad}, n);
  impl->seal(key, &op, data, data, first);
  impl->seal(key, &op, data + first, data + first, n - first);
  impl->tag(key, &op, tag);
  // Ciphertext and tag go to the wire; the plaintext that opening makes of them is secret by the key.
  TN_PUBLIC(data, n);
  TN_PUBLIC(tag, sizeof tag);

  uint8_t sum = tag[0];
  impl->start(key, &op, nonce, (tn_span){aad, sizeof aad}, n);
  impl->open(key, &op, data, data, first);
  impl->open(key, &op, data + first, data + first, n - first);
  impl->tag(key, &op, tag);
  TN_PUBLIC(data, n);
  TN_PUBLIC(tag, sizeof tag);
  if (tag[0] != sum) abort();
}

int main(void) {
  static const size_t sizes[] = {0, 1, 15, 16, 17, 63, 64, 65, 255, 256, 257, 448, 600, 1350, 2000, 5000};
  const tn_aead_impl *impl;
  for (size_t i = 0; (impl = tn_chacha20_poly1305.impls[i]) != NULL; i++)
    for (size_t s = 0; s < COUNT(sizes) && tn_cpu_has(impl->cpu); s++) run(impl, sizes[s]);
  return 0;
}
