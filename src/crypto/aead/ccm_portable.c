// AES-CCM on 64-bit integers.
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "crypto/aead/aes_ct64.h"
#include "crypto/aead/ccm.h"

typedef struct portable_key {
  tn_ccm_key ccm;
  tn_aes_ct64_key aes;
} portable_key;

_Static_assert(sizeof(portable_key) <= TN_AEAD_KEY_STATE, "the key state fits");

static void next(const void *key, tn_ccm_op *op) {
  uint8_t blocks[TN_AES_CT64_BLOCKS * TN_AES_BLOCK] = {0};
  memcpy(blocks, op->mac, TN_CCM_BLOCK);
  memcpy(blocks + TN_CCM_BLOCK, op->counter, TN_CCM_BLOCK);
  tn_aes_ct64_encrypt(&((const portable_key *)key)->aes, blocks);
  memcpy(op->mac, blocks, TN_CCM_BLOCK);
  memcpy(op->stream, blocks + TN_CCM_BLOCK, TN_CCM_BLOCK);
  // The last three bytes count; beyond them the message would be too long.
  tn_store_be32(op->counter + 12, tn_load_be32(op->counter + 12) + 1);
  tn_wipe(blocks, sizeof blocks);
}

static void seal(const void *key, tn_ccm_op *op, const uint8_t *in, uint8_t *out, size_t count) {
  for (; count != 0; count--, in += TN_CCM_BLOCK, out += TN_CCM_BLOCK) {
    next(key, op);
    for (size_t i = 0; i < TN_CCM_BLOCK; i++) {
      op->mac[i] ^= in[i];
      out[i] = in[i] ^ op->stream[i];
    }
  }
}

static void open(const void *key, tn_ccm_op *op, const uint8_t *in, uint8_t *out, size_t count) {
  for (; count != 0; count--, in += TN_CCM_BLOCK, out += TN_CCM_BLOCK) {
    next(key, op);
    for (size_t i = 0; i < TN_CCM_BLOCK; i++) {
      out[i] = in[i] ^ op->stream[i];
      op->mac[i] ^= out[i];
    }
  }
}

static const tn_ccm_engine engine = {next, seal, open};

static void set_key(void *key, const uint8_t *raw, size_t key_len, size_t tag_len) {
  portable_key *k = key;
  k->ccm = (tn_ccm_key){&engine, tag_len};
  tn_aes_ct64_set_key(&k->aes, raw, key_len);
}

#define IMPL(name, key_len, tag_len)                                                                 \
  static void set_key_##name(void *key, const uint8_t *raw) { set_key(key, raw, key_len, tag_len); } \
  const tn_aead_impl tn_aes_##name##_portable = {.path = "portable",                                 \
                                                 .set_key = set_key_##name,                          \
                                                 .start = tn_ccm_start,                              \
                                                 .seal = tn_ccm_seal,                                \
                                                 .open = tn_ccm_open,                                \
                                                 .tag = tn_ccm_tag};

IMPL(128_ccm, 16, 16)
IMPL(256_ccm, 32, 16)
IMPL(128_ccm_8, 16, 8)
IMPL(256_ccm_8, 32, 8)
