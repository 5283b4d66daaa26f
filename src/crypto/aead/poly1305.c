// Arithmetic modulo p = 2^130 - 5: see poly1305_block.h.
#include "crypto/aead/poly1305.h"

#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/mem.h"
#include "crypto/aead/poly1305_block.h"

void tn_poly1305_init(tn_poly1305 *mac, const uint8_t key[TN_POLY1305_KEY_LEN]) {
  // The clamp of section 2.5.1.
  const uint64_t r0 = tn_load_le64(key) & 0x0ffffffc0fffffff, r1 = tn_load_le64(key + 8) & 0x0ffffffc0ffffffc;
  mac->r[0] = r0, mac->r[1] = r1, mac->r[2] = r1 + (r1 >> 2);
  mac->s[0] = tn_load_le64(key + 16), mac->s[1] = tn_load_le64(key + 24);
  memset(mac->h, 0, sizeof mac->h);
  memset(mac->block, 0, sizeof mac->block);
  mac->used = 0;
  mac->has_power = false;
}

static void absorb(tn_poly1305 *mac, const uint8_t *data, size_t n_blocks, uint64_t after) {
  const uint64_t r[3] = {mac->r[0], mac->r[1], mac->r[2]};
  uint64_t h[3] = {mac->h[0], mac->h[1], mac->h[2]};
  for (; n_blocks != 0; n_blocks--, data += TN_POLY1305_BLOCK) tn_poly1305_block(h, r, data, after);
  mac->h[0] = h[0], mac->h[1] = h[1], mac->h[2] = h[2];
}

void tn_poly1305_update(tn_poly1305 *mac, const uint8_t *data, size_t n) {
  if (n == 0) return;
  if (mac->used != 0) {
    const size_t room = TN_POLY1305_BLOCK - mac->used, take = n < room ? n : room;
    memcpy(mac->block + mac->used, data, take);
    mac->used += take, data += take, n -= take;
    if (mac->used < TN_POLY1305_BLOCK) return;
    absorb(mac, mac->block, 1, 1);
  }
  absorb(mac, data, n / TN_POLY1305_BLOCK, 1);
  mac->used = n % TN_POLY1305_BLOCK;
  memcpy(mac->block, data + (n - mac->used), mac->used);
}

void tn_poly1305_pad(tn_poly1305 *mac) {
  static const uint8_t zeros[TN_POLY1305_BLOCK];
  if (mac->used != 0) tn_poly1305_update(mac, zeros, TN_POLY1305_BLOCK - mac->used);
}

void tn_poly1305_final(tn_poly1305 *mac, uint8_t tag[TN_POLY1305_TAG_LEN]) {
  if (mac->used != 0) {
    memset(mac->block + mac->used, 0, TN_POLY1305_BLOCK - mac->used);
    mac->block[mac->used] = 1;
    absorb(mac, mac->block, 1, 0);
  }
  // Once more 2^130 = 5 brings h below 2^130 + 2^64 < 2p: h2 <= 4, and 4 only if the words below were about to
  // overflow.
  uint64_t carry = 0;
  const uint64_t h0 = tn_poly1305_add(mac->h[0], (mac->h[2] & ~(uint64_t)3) + (mac->h[2] >> 2), &carry);
  const uint64_t h1 = tn_poly1305_add(mac->h[1], 0, &carry), h2 = (mac->h[2] & 3) + carry;

  // h mod p, of which only the lower 128 bits matter: h - p = h + 5 - 2^130, unless that is negative.
  carry = 0;
  const uint64_t g0 = tn_poly1305_add(h0, 5, &carry), g1 = tn_poly1305_add(h1, 0, &carry);
  const uint64_t at_least_p = tn_ct_mask_bit((h2 + carry) >> 2);

  // (h + s) mod 2^128.
  carry = 0;
  tn_store_le64(tag, tn_poly1305_add(tn_ct_select(at_least_p, g0, h0), mac->s[0], &carry));
  tn_store_le64(tag + 8, tn_ct_select(at_least_p, g1, h1) + mac->s[1] + carry);
  tn_wipe(mac, sizeof *mac);
}
