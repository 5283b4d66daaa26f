// AES-GCM on 64-bit integers.
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "crypto/aead/aes_ct64.h"
#include "crypto/aead/gcm.h"
#include "crypto/aead/ghash_ct.h"

typedef struct portable_key {
  tn_gcm_key gcm;
  tn_aes_ct64_key aes;
  tn_ghash_ct_key ghash;
} portable_key;

_Static_assert(TN_GCM_BATCH_BLOCKS == TN_AES_CT128_BLOCKS, "a batch is what AES takes at once");
_Static_assert(sizeof(portable_key) <= TN_AEAD_KEY_STATE, "the key state fits");

static void stream(const void *key, tn_gcm_op *op) {
  const portable_key *k = key;
  uint32_t counter = tn_load_be32(op->counter + TN_AEAD_NONCE_LEN);
  for (size_t i = 0; i < TN_GCM_BATCH_BLOCKS; i++) {
    uint8_t *b = op->batch + TN_GCM_BLOCK * i;
    memcpy(b, op->counter, TN_AEAD_NONCE_LEN);
    tn_store_be32(b + TN_AEAD_NONCE_LEN, counter++);
  }
  tn_store_be32(op->counter + TN_AEAD_NONCE_LEN, counter);
  tn_aes_ct128_encrypt(&k->aes, op->batch);
}

static void hash(const void *key, tn_gcm_op *op, const uint8_t *blocks, size_t count) {
  const portable_key *k = key;
  tn_ghash_ct(&k->ghash, op->y, blocks, count);
}

static size_t seal(const void *key, tn_gcm_op *op, const uint8_t *in, uint8_t *out, size_t n) {
  size_t done = 0;
  for (; n - done >= TN_GCM_BATCH; done += TN_GCM_BATCH) {
    stream(key, op);
    for (size_t i = 0; i < TN_GCM_BATCH; i++) out[done + i] = op->batch[i] ^= in[done + i];
    hash(key, op, op->batch, TN_GCM_BATCH_BLOCKS);
  }
  return done;
}

static size_t open(const void *key, tn_gcm_op *op, const uint8_t *in, uint8_t *out, size_t n) {
  size_t done = 0;
  for (; n - done >= TN_GCM_BATCH; done += TN_GCM_BATCH) {
    stream(key, op);
    hash(key, op, in + done, TN_GCM_BATCH_BLOCKS);
    for (size_t i = 0; i < TN_GCM_BATCH; i++) out[done + i] = in[done + i] ^ op->batch[i];
  }
  return done;
}

static const tn_gcm_engine engine = {stream, hash, seal, open, tn_wipe_vectors};

static void set_key(void *key, const uint8_t *raw, size_t key_len) {
  portable_key *k = key;
  uint8_t h[TN_AES_CT64_BLOCKS * TN_AES_BLOCK] = {0};
  k->gcm.engine = &engine;
  tn_aes_ct64_set_key(&k->aes, raw, key_len);
  tn_aes_ct64_encrypt(&k->aes, h);
  tn_ghash_ct_set_key(&k->ghash, h);
  tn_wipe(h, sizeof h);
}

static void set_key_128(void *key, const uint8_t *raw) { set_key(key, raw, 16); }
static void set_key_256(void *key, const uint8_t *raw) { set_key(key, raw, 32); }

#define IMPL(bits)                                    \
  const tn_aead_impl tn_aes_##bits##_gcm_portable = { \
      .path = "portable",                             \
      .set_key = set_key_##bits,                      \
      .start = tn_gcm_start,                          \
      .seal = tn_gcm_seal,                            \
      .open = tn_gcm_open,                            \
      .tag = tn_gcm_tag,                              \
  };

IMPL(128)
IMPL(256)
