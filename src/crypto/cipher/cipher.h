// Block cipher modes without authentication: CBC (NIST SP 800-38A section 6.2) and CTR (section 6.5). One row each;
// each row lists its implementations, best first, and the key set-up picks the first that this processor can run.
#ifndef TN_CRYPTO_CIPHER_H
#define TN_CRYPTO_CIPHER_H

#include "base/error.h"

#define TN_CIPHER_MAX_KEY 32
#define TN_CIPHER_MAX_BLOCK 16
#define TN_CIPHER_KEY_STATE 512  // AES-256's round keys of both directions (480) at most

// One implementation of one mode. `key` is the state that set_key filled; `iv` is block_len bytes: of CBC the block
// before the text, of CTR the counter block, big-endian, that the text begins with; it is moved on past the text.
// n is a multiple of block_len. `in` and `out` are the same memory or do not overlap.
typedef struct tn_cipher_impl {
  const char *path;  // "portable", "aesni", ...
  uint32_t cpu;      // the TN_CPU_ bits that it needs
  void (*set_key)(void *key, const uint8_t *raw);
  void (*encrypt)(const void *key, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n);
  void (*decrypt)(const void *key, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n);
} tn_cipher_impl;

typedef struct tn_cipher {
  const char *name;  // as in `tenon speed`: "aes-128-cbc"
  uint8_t key_len;
  uint8_t block_len;                   // a power of two
  bool stream;                         // any number of bytes; else whole blocks only
  const tn_cipher_impl *const *impls;  // best first, the portable one last, then NULL
} tn_cipher;

// A key ready for use. Wipe it with tn_cipher_wipe_key().
typedef struct tn_cipher_key {
  const tn_cipher *cipher;
  const tn_cipher_impl *impl;
  _Alignas(16) uint8_t state[TN_CIPHER_KEY_STATE];
} tn_cipher_key;

extern const tn_cipher tn_aes_128_cbc;  // FIPS 197
extern const tn_cipher tn_aes_256_cbc;
extern const tn_cipher tn_aes_128_ctr;
extern const tn_cipher tn_aes_256_ctr;
extern const tn_cipher tn_3des_cbc;  // NIST SP 800-67, three keys one after the other

// Every mode; ends with NULL.
extern const tn_cipher *const tn_ciphers[];

// `raw` is cipher->key_len bytes.
void tn_cipher_set_key(tn_cipher_key *key, const tn_cipher *cipher, const uint8_t *raw);
void tn_cipher_wipe_key(tn_cipher_key *key);

// Encrypts or decrypts the n_in spans of `in`, one after the other, into the n_out spans of `out`, which hold exactly
// as many bytes together. A span of `out` may be the same memory as the span of `in` that it takes; no other overlap.
// `iv` is block_len bytes, and public; it is left as what the next call goes on with: the last block of ciphertext, or
// the counter block after the last one used. What a text that ends within a block leaves of its key stream is lost:
// the next one begins with another block. leaks: lengths and iv. Fails with TN_E_BAD_ARGUMENT, and writes nothing, if
// the totals differ or are not whole blocks where the mode asks for them.
TN_MUST_USE tn_result tn_cipher_encrypt(const tn_cipher_key *key, uint8_t *iv, const tn_span *in, size_t n_in,
                                        const tn_mspan *out, size_t n_out);
TN_MUST_USE tn_result tn_cipher_decrypt(const tn_cipher_key *key, uint8_t *iv, const tn_span *in, size_t n_in,
                                        const tn_mspan *out, size_t n_out);

#endif
