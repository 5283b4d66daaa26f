// AEADs: one row each; each row lists its implementations, best first, and the key set-up picks the
// first that this processor can run. RFC 5116's interface with vectors in and out.
#ifndef TN_CRYPTO_AEAD_H
#define TN_CRYPTO_AEAD_H

#include "base/error.h"

#define TN_AEAD_NONCE_LEN 12
#define TN_AEAD_MAX_TAG 16
#define TN_AEAD_MAX_KEY 32
#define TN_AEAD_KEY_STATE 512  // an engine (16), AES-256 round keys (240), sixteen powers of the GHASH key (256)
#define TN_AEAD_OP_STATE 768

// The state of one message on its way: counter, MAC accumulator, the rest of a key stream block.
typedef struct tn_aead_op {
  _Alignas(64) uint8_t state[TN_AEAD_OP_STATE];
} tn_aead_op;

// A message whose output lies in one piece. The first `head` bytes of its text are at `in`, the others already in their
// places in `out`. head is n, or less than n and a multiple of TN_AEAD_HEAD. `in` and `out` are the same memory or do
// not overlap.
#define TN_AEAD_HEAD 256
typedef struct tn_aead_text {
  const uint8_t *in;
  size_t head;
  uint8_t *out;
  size_t n;
} tn_aead_text;

// One implementation of one AEAD. `key` is the state that set_key filled.
// A message is start, then any number of seal (or open) calls of any length, `text_len` bytes together, then tag,
// which writes the row's tag_len bytes.
// `in` and `out` are the same memory or do not overlap.
typedef struct tn_aead_impl {
  const char *path;  // "portable", "aesni", ...
  uint32_t cpu;      // the TN_CPU_ bits that it needs
  void (*set_key)(void *key, const uint8_t *raw);
  void (*start)(const void *key, tn_aead_op *op, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad,
                uint64_t text_len);
  void (*seal)(const void *key, tn_aead_op *op, const uint8_t *in, uint8_t *out, size_t n);
  void (*open)(const void *key, tn_aead_op *op, const uint8_t *in, uint8_t *out, size_t n);
  void (*tag)(const void *key, tn_aead_op *op, uint8_t *tag);
  // The same in one call, which spares a short message the state between calls. Optional: NULL, both of them.
  void (*seal_whole)(const void *key, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad, const tn_aead_text *text,
                     uint8_t *tag);
  void (*open_whole)(const void *key, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad, const tn_aead_text *text,
                     uint8_t *tag);
} tn_aead_impl;

typedef struct tn_aead {
  const char *name;  // as in `tenon speed`: "aes-128-gcm"
  uint8_t key_len;
  uint8_t tag_len;
  uint64_t record_limit;             // records that one key may protect, RFC 9846 section 5.5
  const tn_aead_impl *const *impls;  // best first, the portable one last, then NULL
  uint64_t text_limit;               // the longest text, in bytes
} tn_aead;

// A key ready for use. Wipe it with tn_aead_wipe_key().
typedef struct tn_aead_key {
  const tn_aead *aead;
  const tn_aead_impl *impl;
  _Alignas(16) uint8_t state[TN_AEAD_KEY_STATE];
} tn_aead_key;

extern const tn_aead tn_aes_128_gcm;  // NIST SP 800-38D
extern const tn_aead tn_aes_256_gcm;
extern const tn_aead tn_chacha20_poly1305;  // RFC 8439
extern const tn_aead tn_aes_128_ccm;        // NIST SP 800-38C
extern const tn_aead tn_aes_256_ccm;
extern const tn_aead tn_aes_128_ccm_8;  // RFC 6655: tags of 8 bytes
extern const tn_aead tn_aes_256_ccm_8;

// Every AEAD; ends with NULL.
extern const tn_aead *const tn_aeads[];

// `raw` is aead->key_len bytes.
void tn_aead_set_key(tn_aead_key *key, const tn_aead *aead, const uint8_t *raw);
void tn_aead_wipe_key(tn_aead_key *key);

// Encrypts the n_in spans of `in`, one after the other, into the n_out spans of `out`, which hold
// exactly as many bytes together, and writes the tag, aead->tag_len bytes. A span of `out` may be the same memory as
// the span of `in` that it takes; no other overlap. leaks: lengths. Fails with TN_E_BAD_ARGUMENT if the totals differ
// or exceed the algorithm's limit.
TN_MUST_USE tn_result tn_aead_seal(const tn_aead_key *key, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad,
                                   const tn_span *in, size_t n_in, const tn_mspan *out, size_t n_out, uint8_t *tag);

// The reverse. Fails with TN_E_BAD_RECORD_MAC, and zeros in all of `out`, if the tag is wrong.
TN_MUST_USE tn_result tn_aead_open(const tn_aead_key *key, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad,
                                   const tn_span *in, size_t n_in, const uint8_t *tag, const tn_mspan *out,
                                   size_t n_out);

#endif
