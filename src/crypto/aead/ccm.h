// Inside of AES-CCM (NIST SP 800-38C) with tags of 16 and 8 bytes and nonces of 12, so that three bytes are left for a
// length (RFC 6655, RFC 7251): what the implementations share is the walk over a message, what each brings is an engine
// that encrypts a block of CBC-MAC and a block of counter mode side by side.
#ifndef TN_CRYPTO_CCM_H
#define TN_CRYPTO_CCM_H

#include "crypto/aead/aead.h"

#define TN_CCM_BLOCK 16

// A message on its way. The MAC always lags behind: its last block is added, but not yet encrypted, because only the
// next block of key stream, or the end, gives the encryption company.
typedef struct tn_ccm_op {
  _Alignas(16) uint8_t mac[TN_CCM_BLOCK];
  _Alignas(16) uint8_t stream[TN_CCM_BLOCK];   // key stream, of which `used` bytes are used
  _Alignas(16) uint8_t counter[TN_CCM_BLOCK];  // the counter block of the next key stream
  size_t used;
} tn_ccm_op;

typedef struct tn_ccm_engine {
  // Encrypts `mac`, and the counter block into `stream`; counts.
  void (*next)(const void *key, tn_ccm_op *op);
  // `count` times, at least once: next, then encrypts or decrypts a block of text and adds it to `mac`.
  // `in` and `out` are the same memory or do not overlap.
  void (*seal)(const void *key, tn_ccm_op *op, const uint8_t *in, uint8_t *out, size_t count);
  void (*open)(const void *key, tn_ccm_op *op, const uint8_t *in, uint8_t *out, size_t count);
} tn_ccm_engine;

// Every key state begins with this.
typedef struct tn_ccm_key {
  const tn_ccm_engine *engine;
  size_t tag_len;
} tn_ccm_key;

// The members of a tn_aead_impl besides set_key.
void tn_ccm_start(const void *key, tn_aead_op *op, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad,
                  uint64_t text_len);
void tn_ccm_seal(const void *key, tn_aead_op *op, const uint8_t *in, uint8_t *out, size_t n);
void tn_ccm_open(const void *key, tn_aead_op *op, const uint8_t *in, uint8_t *out, size_t n);
void tn_ccm_tag(const void *key, tn_aead_op *op, uint8_t *tag);

extern const tn_aead_impl tn_aes_128_ccm_portable, tn_aes_256_ccm_portable;
extern const tn_aead_impl tn_aes_128_ccm_8_portable, tn_aes_256_ccm_8_portable;
#if defined(__x86_64__)
extern const tn_aead_impl tn_aes_128_ccm_aesni, tn_aes_256_ccm_aesni;
extern const tn_aead_impl tn_aes_128_ccm_8_aesni, tn_aes_256_ccm_8_aesni;
#endif

#endif
