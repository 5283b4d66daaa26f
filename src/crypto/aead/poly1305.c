// Arithmetic modulo p = 2^130 - 5. A number is x0 + 2^44 x1 + 2^88 x2. Since 2^132 = 4 * 2^130 = 20 mod p,
// a product's limb that lies 2^132 above another is added to it times 20.
#include "crypto/aead/poly1305.h"

#include <string.h>

#include "base/bytes.h"
#include "base/ct.h"
#include "base/mem.h"

typedef unsigned __int128 uint128;

#define MASK44 (((uint64_t)1 << 44) - 1)
#define MASK42 (((uint64_t)1 << 42) - 1)

// Added to a block's third limb: the bit after its 16 bytes, 2^128.
#define WHOLE_BLOCK ((uint64_t)1 << 40)
// A last short block brings its own bit along.
#define SHORT_BLOCK ((uint64_t)0)

void tn_poly1305_init(tn_poly1305 *mac, const uint8_t key[TN_POLY1305_KEY_LEN]) {
  // The clamp of section 2.5.1: r < 2^124.
  const uint64_t low = tn_load_le64(key) & 0x0ffffffc0fffffff, high = tn_load_le64(key + 8) & 0x0ffffffc0ffffffc;
  *mac = (tn_poly1305){
      .r = {low & MASK44, (low >> 44 | high << 20) & MASK44, high >> 24},
      .s = {tn_load_le64(key + 16), tn_load_le64(key + 24)},
  };
}

// h = (h + block) * r for each block.
//
// Between blocks h0 < 2^44, h1 < 2^44 + 2^8, h2 < 2^42. With the block added
// h0 < 2^45, h1 < 2^45 + 2^8, h2 < 2^42 + 2^41. By the clamp r0, r1 < 2^44, r2 < 2^36;
// 20 r1 < 2^48.4, 20 r2 < 2^40.4. So
//   d0 < 2^89 + 2^85.5 + 2^91   < 2^92    its carry < 2^48
//   d1 < 2^89 + 2^89.1 + 2^83   < 2^91    with the carry; its own < 2^48
//   d2 < 2^81 + 2^89.1 + 2^86.6 < 2^90    with the carry; its own < 2^49
// and h0 + 5 * 2^49 < 2^52 carries less than 2^8 into h1, which restores the bounds.
static void absorb(tn_poly1305 *mac, const uint8_t *data, size_t n_blocks, uint64_t after) {
  const uint64_t r0 = mac->r[0], r1 = mac->r[1], r2 = mac->r[2];
  const uint64_t r1_20 = 20 * r1, r2_20 = 20 * r2;
  uint64_t h0 = mac->h[0], h1 = mac->h[1], h2 = mac->h[2];
  for (; n_blocks != 0; n_blocks--, data += TN_POLY1305_BLOCK) {
    const uint64_t low = tn_load_le64(data), high = tn_load_le64(data + 8);
    h0 += low & MASK44;
    h1 += (low >> 44 | high << 20) & MASK44;
    h2 += high >> 24 | after;

    uint128 d0 = (uint128)h0 * r0 + (uint128)h1 * r2_20 + (uint128)h2 * r1_20;
    uint128 d1 = (uint128)h0 * r1 + (uint128)h1 * r0 + (uint128)h2 * r2_20;
    uint128 d2 = (uint128)h0 * r2 + (uint128)h1 * r1 + (uint128)h2 * r0;

    d1 += (uint64_t)(d0 >> 44);
    d2 += (uint64_t)(d1 >> 44);
    h0 = ((uint64_t)d0 & MASK44) + 5 * (uint64_t)(d2 >> 42);
    h1 = ((uint64_t)d1 & MASK44) + (h0 >> 44);
    h2 = (uint64_t)d2 & MASK42;
    h0 &= MASK44;
  }
  mac->h[0] = h0, mac->h[1] = h1, mac->h[2] = h2;
}

void tn_poly1305_update(tn_poly1305 *mac, const uint8_t *data, size_t n) {
  if (n == 0) return;
  if (mac->used != 0) {
    const size_t room = TN_POLY1305_BLOCK - mac->used, take = n < room ? n : room;
    memcpy(mac->block + mac->used, data, take);
    mac->used += take, data += take, n -= take;
    if (mac->used < TN_POLY1305_BLOCK) return;
    absorb(mac, mac->block, 1, WHOLE_BLOCK);
  }
  absorb(mac, data, n / TN_POLY1305_BLOCK, WHOLE_BLOCK);
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
    absorb(mac, mac->block, 1, SHORT_BLOCK);
  }
  uint64_t h0 = mac->h[0], h1 = mac->h[1], h2 = mac->h[2];

  // One pass brings every limb below its size, and h below 2^130: if h1 overflows, less than 2^8 stays
  // in it, so that the last carry fits; if it does not, nothing else changes.
  h2 += h1 >> 44, h1 &= MASK44;
  h0 += 5 * (h2 >> 42), h2 &= MASK42;
  h1 += h0 >> 44, h0 &= MASK44;

  // h mod p: h - p = h + 5 - 2^130 unless that is negative, which shows in the top bit of g2.
  uint64_t g0 = h0 + 5, g1 = h1 + (g0 >> 44), g2 = h2 + (g1 >> 44) - ((uint64_t)1 << 42);
  const uint64_t negative = tn_ct_mask_bit(g2 >> 63);
  h0 = tn_ct_select(negative, h0, g0 & MASK44);
  h1 = tn_ct_select(negative, h1, g1 & MASK44);
  h2 = tn_ct_select(negative, h2, g2);

  // (h + s) mod 2^128.
  const uint128 low = (uint128)(h0 | h1 << 44) + mac->s[0];
  const uint64_t high = (h1 >> 20 | h2 << 24) + mac->s[1] + (uint64_t)(low >> 64);
  tn_store_le64(tag, (uint64_t)low);
  tn_store_le64(tag + 8, high);
  tn_wipe(mac, sizeof *mac);
}
