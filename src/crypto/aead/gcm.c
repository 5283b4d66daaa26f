#include "crypto/aead/gcm.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

_Static_assert(sizeof(tn_gcm_op) <= TN_AEAD_OP_STATE, "the state of a message fits");

static inline const tn_gcm_engine *engine_of(const void *key) { return ((const tn_gcm_key *)key)->engine; }
static inline tn_gcm_op *op_of(tn_aead_op *op) { return (tn_gcm_op *)op->state; }

// The first block of the first batch is E(K, J0). It moves to `mask`, and the last block of the
// associated data takes its place. Without associated data that is a block of zeros, which does
// nothing to a GHASH that begins with it.
void tn_gcm_start(const void *key, tn_aead_op *state, const uint8_t nonce[TN_AEAD_NONCE_LEN], tn_span aad,
                  uint64_t text_len) {
  (void)text_len;
  const tn_gcm_engine *engine = engine_of(key);
  tn_gcm_op *op = op_of(state);
  memset(op->y, 0, sizeof op->y);
  memcpy(op->counter, nonce, TN_AEAD_NONCE_LEN);
  tn_store_be32(op->counter + TN_AEAD_NONCE_LEN, 1);
  op->aad_len = aad.n;
  op->text_len = 0;
  while (aad.n > TN_GCM_BLOCK) {
    size_t blocks = (aad.n - 1) / TN_GCM_BLOCK;
    if (blocks > TN_GCM_BATCH_BLOCKS) blocks = TN_GCM_BATCH_BLOCKS;
    engine->hash(key, op, aad.p, blocks);
    aad.p += blocks * TN_GCM_BLOCK;
    aad.n -= blocks * TN_GCM_BLOCK;
  }
  engine->stream(key, op);
  memcpy(op->mask, op->batch, TN_GCM_BLOCK);
  memset(op->batch, 0, TN_GCM_BLOCK);
  tn_copy(op->batch, aad.p, aad.n);
  op->used = TN_GCM_BLOCK;
  op->left = TN_GCM_BATCH - TN_GCM_BLOCK;
}

typedef uint8_t block __attribute__((vector_size(TN_GCM_BLOCK), aligned(1), may_alias));

// n bytes of text, as many as are left of the key stream at most.
static inline __attribute__((always_inline)) void take(tn_gcm_op *op, const uint8_t *in, uint8_t *out, size_t n,
                                                       bool sealing) {
  uint8_t *b = op->batch + op->used;
  op->used += n;
  op->left -= n;
  for (; n >= TN_GCM_BLOCK; n -= TN_GCM_BLOCK, in += TN_GCM_BLOCK, out += TN_GCM_BLOCK, b += TN_GCM_BLOCK) {
    block from = *(const block *)in, to = from ^ *(const block *)b;
    *(block *)out = to;
    *(block *)b = sealing ? to : from;
  }
  for (; n != 0; n--, in++, out++, b++) {
    uint8_t from = *in, to = from ^ *b;
    *out = to;
    *b = sealing ? to : from;
  }
}

static void hash_batch(const tn_gcm_engine *engine, const void *key, tn_gcm_op *op) {
  if (op->used != 0) engine->hash(key, op, op->batch, TN_GCM_BATCH_BLOCKS);
  op->used = 0;
}

static inline __attribute__((always_inline)) void crypt(const void *key, tn_aead_op *state, const uint8_t *in,
                                                        uint8_t *out, size_t n, bool sealing) {
  const tn_gcm_engine *engine = engine_of(key);
  tn_gcm_op *op = op_of(state);
  op->text_len += n;
  while (n != 0) {
    size_t now = n < op->left ? n : op->left;
    take(op, in, out, now, sealing);
    if (now == n) break;
    in += now, out += now, n -= now;
    hash_batch(engine, key, op);
    if (n >= TN_GCM_BULK) {
      now = (sealing ? engine->seal : engine->open)(key, op, in, out, n);
      in += now, out += now, n -= now;
    }
    if (n != 0) {
      engine->stream(key, op);
      op->left = TN_GCM_BATCH;
    }
  }
}

void tn_gcm_seal(const void *key, tn_aead_op *op, const uint8_t *in, uint8_t *out, size_t n) {
  crypt(key, op, in, out, n, true);
}

void tn_gcm_open(const void *key, tn_aead_op *op, const uint8_t *in, uint8_t *out, size_t n) {
  crypt(key, op, in, out, n, false);
}

// Hashes what the batch holds, padded, and the block of lengths.
void tn_gcm_tag(const void *key, tn_aead_op *state, uint8_t *tag) {
  const tn_gcm_engine *engine = engine_of(key);
  tn_gcm_op *op = op_of(state);
  size_t blocks = (op->used + TN_GCM_BLOCK - 1) / TN_GCM_BLOCK;
  memset(op->batch + op->used, 0, blocks * TN_GCM_BLOCK - op->used);
  if (blocks == TN_GCM_BATCH_BLOCKS) {
    engine->hash(key, op, op->batch, blocks);
    blocks = 0;
  }
  uint8_t *lengths = op->batch + blocks * TN_GCM_BLOCK;
  tn_store_be64(lengths, 8 * op->aad_len);
  tn_store_be64(lengths + 8, 8 * op->text_len);
  engine->hash(key, op, op->batch, blocks + 1);
  *(block *)tag = *(const block *)op->y ^ *(const block *)op->mask;
  engine->wipe();
}
