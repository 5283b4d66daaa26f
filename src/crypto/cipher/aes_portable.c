// AES modes without AES instructions.
#include "base/bytes.h"
#include "base/mem.h"
#include "crypto/aead/aes_ct64.h"
#include "crypto/cipher/aes.h"

#define BLOCK TN_AES_BLOCK
#define BATCH (TN_AES_CT128_BLOCKS * BLOCK)

_Static_assert(sizeof(tn_aes_ct64_key) <= TN_CIPHER_KEY_STATE, "the key state fits");

static void set_key_128(void *key, const uint8_t *raw) { tn_aes_ct64_set_key(key, raw, 16); }
static void set_key_256(void *key, const uint8_t *raw) { tn_aes_ct64_set_key(key, raw, 32); }

// Blocks go from here to there in registers of the code's own: memcpy might leave its copy in some that nobody wipes.
typedef uint8_t block __attribute__((vector_size(BLOCK), aligned(1), may_alias));
static inline block load(const uint8_t *p) { return *(const block *)p; }
static inline void store(uint8_t *p, block x) { *(block *)p = x; }

static void cbc_encrypt(const void *key, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n) {
  uint8_t blocks[TN_AES_CT64_BLOCKS * BLOCK] = {0};  // only the first is of use
  store(blocks, load(iv));
  for (; n != 0; n -= BLOCK, in += BLOCK, out += BLOCK) {
    store(blocks, load(blocks) ^ load(in));
    tn_aes_ct64_encrypt(key, blocks);
    store(out, load(blocks));
  }
  store(iv, load(blocks));
  tn_wipe(blocks, sizeof blocks);
  tn_wipe_vectors();
}

static void cbc_decrypt(const void *key, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n) {
  uint8_t before[BLOCK + BATCH];  // the block before the batch, and its ciphertext
  uint8_t blocks[BATCH] = {0};
  store(before, load(iv));
  while (n != 0) {
    const size_t now = n < BATCH ? n : BATCH;
    for (size_t i = 0; i < now; i += BLOCK) {
      store(before + BLOCK + i, load(in + i));
      store(blocks + i, load(in + i));
    }
    tn_aes_ct128_decrypt(key, blocks);
    for (size_t i = 0; i < now; i += BLOCK) store(out + i, load(blocks + i) ^ load(before + i));
    store(before, load(before + now));
    n -= now, in += now, out += now;
  }
  store(iv, load(before));
  tn_wipe(blocks, sizeof blocks);
  tn_wipe_vectors();
}

// Adds 1 to the counter block, an integer of 128 bits.
static void count(uint8_t counter[BLOCK]) {
  uint64_t low = tn_load_be64(counter + 8) + 1;
  tn_store_be64(counter + 8, low);
  tn_store_be64(counter, tn_load_be64(counter) + (low == 0));
}

static void ctr(const void *key, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n) {
  uint8_t blocks[BATCH] = {0};
  while (n != 0) {
    const size_t now = n < BATCH ? n : BATCH;
    for (size_t i = 0; i < now; i += BLOCK, count(iv)) store(blocks + i, load(iv));
    tn_aes_ct128_encrypt(key, blocks);
    for (size_t i = 0; i < now; i += BLOCK) store(out + i, load(in + i) ^ load(blocks + i));
    n -= now, in += now, out += now;
  }
  tn_wipe(blocks, sizeof blocks);
  tn_wipe_vectors();
}

const tn_cipher_impl tn_aes_128_cbc_portable = {"portable", 0, set_key_128, cbc_encrypt, cbc_decrypt};
const tn_cipher_impl tn_aes_256_cbc_portable = {"portable", 0, set_key_256, cbc_encrypt, cbc_decrypt};
const tn_cipher_impl tn_aes_128_ctr_portable = {"portable", 0, set_key_128, ctr, ctr};
const tn_cipher_impl tn_aes_256_ctr_portable = {"portable", 0, set_key_256, ctr, ctr};
