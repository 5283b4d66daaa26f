#include "crypto/aead/aes_ct64.h"

#include "base/bytes.h"
#include "base/mem.h"

typedef uint64_t word;
static inline word rotate_rows(word x, unsigned rows) { return x >> 16 * rows | x << (64 - 16 * rows); }
static inline word spread_word(uint64_t x) { return x; }

#include "crypto/aead/aes_slices.h"

static uint32_t sub_word(uint32_t x) {
  slices q = {x};
  transpose(q);
  sub_bytes(q);
  transpose(q);
  return (uint32_t)q[0];
}

// FIPS 197 section 5.2, with words read little-endian.
void tn_aes_ct64_set_key(tn_aes_ct64_key *key, const uint8_t *raw, size_t key_len) {
  const unsigned nk = (unsigned)key_len / 4;
  uint32_t w[4 * 15];
  uint32_t rcon = 1;
  key->rounds = nk + 6;
  for (unsigned i = 0; i < nk; i++) w[i] = tn_load_le32(raw + 4 * i);
  for (unsigned i = nk; i < 4 * (key->rounds + 1); i++) {
    uint32_t t = w[i - 1];
    if (i % nk == 0) {
      t = sub_word(t >> 8 | t << 24) ^ rcon;
      rcon = rcon << 1 ^ (rcon >> 7) * 0x11b;
    } else if (nk > 6 && i % nk == 4) {
      t = sub_word(t);
    }
    w[i] = w[i - nk] ^ t;
  }
  for (unsigned r = 0; r <= key->rounds; r++) {
    slices q = {0};
    const word column[4] = {w[4 * r], w[4 * r + 1], w[4 * r + 2], w[4 * r + 3]};
    put_columns(q, 0, column);
    transpose(q);
    for (unsigned half = 0; half < 2; half++) {
      const uint64_t *s = q + 4 * half;
      key->round_keys[2 * r + half] = s[0] | s[1] << 1 | s[2] << 2 | s[3] << 3;
    }
  }
  tn_wipe(w, sizeof w);
}

static inline void load_blocks(slices q, const uint8_t *blocks) {
  for (unsigned b = 0; b < TN_AES_CT64_BLOCKS; b++) {
    word column[4];
    for (unsigned c = 0; c < 4; c++) column[c] = tn_load_le32(blocks + TN_AES_BLOCK * b + 4 * c);
    put_columns(q, b, column);
  }
}

static inline void store_blocks(const slices q, uint8_t *blocks) {
  for (unsigned b = 0; b < TN_AES_CT64_BLOCKS; b++) {
    word column[4];
    get_columns(q, b, column);
    for (unsigned c = 0; c < 4; c++) tn_store_le32(blocks + TN_AES_BLOCK * b + 4 * c, (uint32_t)column[c]);
  }
}

void tn_aes_ct64_encrypt(const tn_aes_ct64_key *key, uint8_t blocks[TN_AES_CT64_BLOCKS * TN_AES_BLOCK]) {
  slices q;
  load_blocks(q, blocks);
  encrypt_slices(key, q);
  store_blocks(q, blocks);
  tn_wipe(q, sizeof q);
}

void tn_aes_ct64_decrypt(const tn_aes_ct64_key *key, uint8_t blocks[TN_AES_CT64_BLOCKS * TN_AES_BLOCK]) {
  slices q;
  load_blocks(q, blocks);
  decrypt_slices(key, q);
  store_blocks(q, blocks);
  tn_wipe(q, sizeof q);
}
