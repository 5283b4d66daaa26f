// Inside of AES-GCM (NIST SP 800-38D): what the implementations share is the walk over a message, what
// each brings is an engine that works on batches of eight blocks.
#ifndef TN_CRYPTO_GCM_H
#define TN_CRYPTO_GCM_H

#include "crypto/aead/aead.h"

#define TN_GCM_BLOCK 16
#define TN_GCM_BATCH_BLOCKS 8
#define TN_GCM_BATCH (TN_GCM_BATCH_BLOCKS * TN_GCM_BLOCK)

// The engines' batches divide this.
#define TN_GCM_BULK TN_AEAD_HEAD

// A message on its way. A batch is key stream to begin with; text that takes a byte of key stream
// leaves its byte of ciphertext there, until the whole batch is hashed and replaced.
typedef struct tn_gcm_op {
  _Alignas(16) uint8_t batch[TN_GCM_BATCH];    // `used` bytes for GHASH, then `left` bytes of key stream
  _Alignas(16) uint8_t y[TN_GCM_BLOCK];        // GHASH of what is hashed
  _Alignas(16) uint8_t counter[TN_GCM_BLOCK];  // the counter block that the next batch begins with
  _Alignas(16) uint8_t mask[TN_GCM_BLOCK];     // of the tag: E(K, J0)
  uint64_t aad_len, text_len;
  size_t used, left;
} tn_gcm_op;

typedef struct tn_gcm_engine {
  // Fills the batch with the next eight blocks of key stream.
  void (*stream)(const void *key, tn_gcm_op *op);
  // Hashes `count` blocks, 1 to 8.
  void (*hash)(const void *key, tn_gcm_op *op, const uint8_t *blocks, size_t count);
  // Encrypt or decrypt, and hash, as much of the n bytes as they do at once, and say how much that was: all that
  // divides by TN_GCM_BULK, at least, and a multiple of TN_GCM_BATCH. `in` and `out` are the same memory or do not
  // overlap.
  size_t (*seal)(const void *key, tn_gcm_op *op, const uint8_t *in, uint8_t *out, size_t n);
  size_t (*open)(const void *key, tn_gcm_op *op, const uint8_t *in, uint8_t *out, size_t n);
  // Wipes the registers that the others use.
  void (*wipe)(void);
} tn_gcm_engine;

// Every key state begins with this.
typedef struct tn_gcm_key {
  const tn_gcm_engine *engine;
} tn_gcm_key;

// The members of a tn_aead_impl besides set_key.
void tn_gcm_start(const void *key, tn_aead_op *op, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad,
                  uint64_t text_len);
void tn_gcm_seal(const void *key, tn_aead_op *op, const uint8_t *in, uint8_t *out, size_t n);
void tn_gcm_open(const void *key, tn_aead_op *op, const uint8_t *in, uint8_t *out, size_t n);
void tn_gcm_tag(const void *key, tn_aead_op *op, uint8_t *tag);

extern const tn_aead_impl tn_aes_128_gcm_portable, tn_aes_256_gcm_portable;
#if defined(__x86_64__)
extern const tn_aead_impl tn_aes_128_gcm_aesni, tn_aes_256_gcm_aesni;
extern const tn_aead_impl tn_aes_128_gcm_vaes256, tn_aes_256_gcm_vaes256;
extern const tn_aead_impl tn_aes_128_gcm_vaes512, tn_aes_256_gcm_vaes512;
#endif

#endif
