// Two elements of 64 bits: on x86-64 SSE2, which every such processor has.
#include "base/bytes.h"
#include "base/mem.h"
#include "crypto/aead/aes_ct64.h"

typedef uint64_t word __attribute__((vector_size(16)));
typedef uint16_t rows __attribute__((vector_size(16)));

static inline word rotate_rows(word x, unsigned n) {
  const rows r = (rows)x;
  return (word)(n == 1 ? __builtin_shufflevector(r, r, 1, 2, 3, 0, 5, 6, 7, 4)
                       : __builtin_shufflevector(r, r, 2, 3, 0, 1, 6, 7, 4, 5));
}
static inline word spread_word(uint64_t x) { return (word){x, x}; }

#include "crypto/aead/aes_slices.h"

#define HALF (TN_AES_CT64_BLOCKS * TN_AES_BLOCK)

static inline void load_blocks(slices q, const uint8_t *blocks) {
  for (unsigned b = 0; b < TN_AES_CT64_BLOCKS; b++) {
    word column[4];
    for (unsigned c = 0; c < 4; c++) {
      const uint8_t *p = blocks + TN_AES_BLOCK * b + 4 * c;
      column[c] = (word){tn_load_le32(p), tn_load_le32(p + HALF)};
    }
    put_columns(q, b, column);
  }
}

static inline void store_blocks(const slices q, uint8_t *blocks) {
  for (unsigned b = 0; b < TN_AES_CT64_BLOCKS; b++) {
    word column[4];
    get_columns(q, b, column);
    for (unsigned c = 0; c < 4; c++) {
      uint8_t *p = blocks + TN_AES_BLOCK * b + 4 * c;
      tn_store_le32(p, (uint32_t)column[c][0]);
      tn_store_le32(p + HALF, (uint32_t)column[c][1]);
    }
  }
}

void tn_aes_ct128_encrypt(const tn_aes_ct64_key *key, uint8_t blocks[TN_AES_CT128_BLOCKS * TN_AES_BLOCK]) {
  slices q;
  load_blocks(q, blocks);
  encrypt_slices(key, q);
  store_blocks(q, blocks);
  tn_wipe(q, sizeof q);
}

void tn_aes_ct128_decrypt(const tn_aes_ct64_key *key, uint8_t blocks[TN_AES_CT128_BLOCKS * TN_AES_BLOCK]) {
  slices q;
  load_blocks(q, blocks);
  decrypt_slices(key, q);
  store_blocks(q, blocks);
  tn_wipe(q, sizeof q);
}
