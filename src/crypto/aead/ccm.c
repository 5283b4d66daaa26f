#include "crypto/aead/ccm.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

_Static_assert(sizeof(tn_ccm_op) <= TN_AEAD_OP_STATE, "the state of a message fits");

#define LENGTH_LEN (TN_CCM_BLOCK - 1 - TN_AEAD_NONCE_LEN)  // q, the bytes that hold the length of the text

static inline const tn_ccm_key *key_of(const void *key) { return key; }
static inline tn_ccm_op *op_of(tn_aead_op *op) { return (tn_ccm_op *)op->state; }

static void store_be24(uint8_t *p, uint64_t x) {
  p[0] = (uint8_t)(x >> 16), p[1] = (uint8_t)(x >> 8), p[2] = (uint8_t)x;
}

// Adds n bytes to the MAC, of which `at` bytes of the last block are there already; gives the new `at`, 1 to 16. The
// key stream that comes along is of no use.
static size_t mac(const void *key, tn_ccm_op *op, size_t at, const uint8_t *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (at == TN_CCM_BLOCK) {
      key_of(key)->engine->next(key, op);
      at = 0;
    }
    op->mac[at++] ^= p[i];
  }
  return at;
}

// SP 800-38C appendix A.2: the block B0, then the length of the associated data, as short as it may be, and the data.
void tn_ccm_start(const void *key, tn_aead_op *state, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad,
                  uint64_t text_len) {
  tn_ccm_op *op = op_of(state);
  op->mac[0] = (uint8_t)((aad.n != 0) << 6 | (key_of(key)->tag_len - 2) / 2 << 3 | (LENGTH_LEN - 1));
  memcpy(op->mac + 1, nonce, TN_AEAD_NONCE_LEN);
  store_be24(op->mac + 1 + TN_AEAD_NONCE_LEN, text_len);
  op->counter[0] = LENGTH_LEN - 1;
  memcpy(op->counter + 1, nonce, TN_AEAD_NONCE_LEN);
  store_be24(op->counter + 1 + TN_AEAD_NONCE_LEN, 0);
  if (aad.n != 0) {
    uint8_t prefix[10] = {0xff, 0xff};
    size_t first = 0, end = 10;
    tn_store_be64(prefix + 2, aad.n);
    if (aad.n < 0xff00)
      first = 8;
    else if (aad.n <= UINT32_MAX)
      prefix[4] = 0xff, prefix[5] = 0xfe, first = 4;
    mac(key, op, mac(key, op, TN_CCM_BLOCK, prefix + first, end - first), aad.p, aad.n);
  }
  store_be24(op->counter + 1 + TN_AEAD_NONCE_LEN, 1);
  op->used = TN_CCM_BLOCK;
  tn_wipe_vectors();
}

// n bytes of text, as many as there is key stream at most.
static inline void take(tn_ccm_op *op, const uint8_t *in, uint8_t *out, size_t n, bool sealing) {
  for (size_t i = 0; i < n; i++) {
    uint8_t from = in[i], to = from ^ op->stream[op->used];
    out[i] = to;
    op->mac[op->used++] ^= sealing ? from : to;
  }
}

static inline void crypt(const void *key, tn_aead_op *state, const uint8_t *in, uint8_t *out, size_t n, bool sealing) {
  const tn_ccm_engine *engine = key_of(key)->engine;
  tn_ccm_op *op = op_of(state);
  if (n == 0) return;
  const size_t left = TN_CCM_BLOCK - op->used, first = n < left ? n : left;
  take(op, in, out, first, sealing);
  const size_t whole = (n - first) / TN_CCM_BLOCK, done = first + whole * TN_CCM_BLOCK;
  if (whole != 0) (sealing ? engine->seal : engine->open)(key, op, in + first, out + first, whole);
  if (n != done) {
    engine->next(key, op);
    op->used = 0;
    take(op, in + done, out + done, n - done, sealing);
  }
  tn_wipe_vectors();
}

void tn_ccm_seal(const void *key, tn_aead_op *op, const uint8_t *in, uint8_t *out, size_t n) {
  crypt(key, op, in, out, n, true);
}

void tn_ccm_open(const void *key, tn_aead_op *op, const uint8_t *in, uint8_t *out, size_t n) {
  crypt(key, op, in, out, n, false);
}

// The counter 0, whose key stream hides the MAC, comes last.
void tn_ccm_tag(const void *key, tn_aead_op *state, uint8_t *tag) {
  tn_ccm_op *op = op_of(state);
  store_be24(op->counter + 1 + TN_AEAD_NONCE_LEN, 0);
  key_of(key)->engine->next(key, op);
  for (size_t i = 0; i < key_of(key)->tag_len; i++) tag[i] = op->mac[i] ^ op->stream[i];
  tn_wipe_vectors();
}
