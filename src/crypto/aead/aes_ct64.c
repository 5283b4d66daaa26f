#include "crypto/aead/aes_ct64.h"

#include "base/bytes.h"
#include "base/mem.h"

// The state is eight words; word i holds bit i of all 64 bytes. The byte in row r and column c of
// block b stands at bit 16r + 4c + b, so that rows rotate by shifts of 16 and columns by shifts of 4.
typedef uint64_t slices[8];

// Exchanges the bits of a above its lowest n with the bits of b below, in every group that `low` marks.
static inline void exchange(uint64_t *a, uint64_t *b, uint64_t low, unsigned n) {
  uint64_t t = ((*a >> n) ^ *b) & low;
  *b ^= t;
  *a ^= t << n;
}

// Transposes the 8 by 8 bits that the k-th bytes of the eight words make, for each k. Its own inverse.
static void transpose(slices q) {
  for (unsigned i = 0; i < 8; i += 2) exchange(&q[i], &q[i + 1], 0x5555555555555555, 1);
  for (unsigned i = 0; i < 8; i += i % 4 == 0 ? 1 : 3) exchange(&q[i], &q[i + 2], 0x3333333333333333, 2);
  for (unsigned i = 0; i < 4; i++) exchange(&q[i], &q[i + 4], 0x0f0f0f0f0f0f0f0f, 4);
}

// Byte r of x to byte 2r.
static inline uint64_t spread(uint32_t x) {
  uint64_t w = (x | (uint64_t)x << 16) & 0x0000ffff0000ffff;
  return (w | w << 8) & 0x00ff00ff00ff00ff;
}

static inline uint32_t gather(uint64_t w) {
  w &= 0x00ff00ff00ff00ff;
  w = (w | w >> 8) & 0x0000ffff0000ffff;
  return (uint32_t)(w | w >> 16);
}

// The columns of one block into the words that transpose() takes to lane b, and back.
static inline void put_columns(slices q, unsigned b, const uint32_t column[4]) {
  q[b] = spread(column[0]) | spread(column[2]) << 8;
  q[b + 4] = spread(column[1]) | spread(column[3]) << 8;
}

static inline void get_columns(const slices q, unsigned b, uint32_t column[4]) {
  column[0] = gather(q[b]), column[2] = gather(q[b] >> 8);
  column[1] = gather(q[b + 4]), column[3] = gather(q[b + 4] >> 8);
}

// SubBytes: the circuit of Boyar and Peralta, "A depth-16 circuit for the AES S-box" (2011), with the
// paper's names; U0 and S0 are the most significant bits.
static void sub_bytes(slices q) {
  const uint64_t u0 = q[7], u1 = q[6], u2 = q[5], u3 = q[4], u4 = q[3], u5 = q[2], u6 = q[1], u7 = q[0];
  // Top linear layer.
  const uint64_t t1 = u0 ^ u3, t2 = u0 ^ u5, t3 = u0 ^ u6, t4 = u3 ^ u5, t5 = u4 ^ u6, t6 = t1 ^ t5, t7 = u1 ^ u2;
  const uint64_t t8 = u7 ^ t6, t9 = u7 ^ t7, t10 = t6 ^ t7, t11 = u1 ^ u5, t12 = u2 ^ u5, t13 = t3 ^ t4;
  const uint64_t t14 = t6 ^ t11, t15 = t5 ^ t11, t16 = t5 ^ t12, t17 = t9 ^ t16, t18 = u3 ^ u7, t19 = t7 ^ t18;
  const uint64_t t20 = t1 ^ t19, t21 = u6 ^ u7, t22 = t7 ^ t21, t23 = t2 ^ t22, t24 = t2 ^ t10, t25 = t20 ^ t17;
  const uint64_t t26 = t3 ^ t16, t27 = t1 ^ t12;
  // Middle: the inversion in GF(2^4)^2.
  const uint64_t m1 = t13 & t6, m2 = t23 & t8, m3 = t14 ^ m1, m4 = t19 & u7, m5 = m4 ^ m1, m6 = t3 & t16;
  const uint64_t m7 = t22 & t9, m8 = t26 ^ m6, m9 = t20 & t17, m10 = m9 ^ m6, m11 = t1 & t15, m12 = t4 & t27;
  const uint64_t m13 = m12 ^ m11, m14 = t2 & t10, m15 = m14 ^ m11, m16 = m3 ^ m2, m17 = m5 ^ t24, m18 = m8 ^ m7;
  const uint64_t m19 = m10 ^ m15, m20 = m16 ^ m13, m21 = m17 ^ m15, m22 = m18 ^ m13, m23 = m19 ^ t25;
  const uint64_t m24 = m22 ^ m23, m25 = m22 & m20, m26 = m21 ^ m25, m27 = m20 ^ m21, m28 = m23 ^ m25;
  const uint64_t m29 = m28 & m27, m30 = m26 & m24, m31 = m20 & m23, m32 = m27 & m31, m33 = m27 ^ m25;
  const uint64_t m34 = m21 & m22, m35 = m24 & m34, m36 = m24 ^ m25, m37 = m21 ^ m29, m38 = m32 ^ m33;
  const uint64_t m39 = m23 ^ m30, m40 = m35 ^ m36, m41 = m38 ^ m40, m42 = m37 ^ m39, m43 = m37 ^ m38;
  const uint64_t m44 = m39 ^ m40, m45 = m42 ^ m41, m46 = m44 & t6, m47 = m40 & t8, m48 = m39 & u7, m49 = m43 & t16;
  const uint64_t m50 = m38 & t9, m51 = m37 & t17, m52 = m42 & t15, m53 = m45 & t27, m54 = m41 & t10, m55 = m44 & t13;
  const uint64_t m56 = m40 & t23, m57 = m39 & t19, m58 = m43 & t3, m59 = m38 & t22, m60 = m37 & t20, m61 = m42 & t1;
  const uint64_t m62 = m45 & t4, m63 = m41 & t2;
  // Bottom linear layer.
  const uint64_t l0 = m61 ^ m62, l1 = m50 ^ m56, l2 = m46 ^ m48, l3 = m47 ^ m55, l4 = m54 ^ m58, l5 = m49 ^ m61;
  const uint64_t l6 = m62 ^ l5, l7 = m46 ^ l3, l8 = m51 ^ m59, l9 = m52 ^ m53, l10 = m53 ^ l4, l11 = m60 ^ l2;
  const uint64_t l12 = m48 ^ m51, l13 = m50 ^ l0, l14 = m52 ^ m61, l15 = m55 ^ l1, l16 = m56 ^ l0, l17 = m57 ^ l1;
  const uint64_t l18 = m58 ^ l8, l19 = m63 ^ l4, l20 = l0 ^ l1, l21 = l1 ^ l7, l22 = l3 ^ l12, l23 = l18 ^ l2;
  const uint64_t l24 = l15 ^ l9, l25 = l6 ^ l10, l26 = l7 ^ l9, l27 = l8 ^ l10, l28 = l11 ^ l14, l29 = l11 ^ l17;
  q[7] = l6 ^ l24;
  q[6] = ~(l16 ^ l26);
  q[5] = ~(l19 ^ l28);
  q[4] = l6 ^ l21;
  q[3] = l20 ^ l22;
  q[2] = l25 ^ l29;
  q[1] = ~(l13 ^ l27);
  q[0] = ~(l6 ^ l23);
}

// Row r, a field of 16 bits, rotates by r columns of 4 bits.
static void shift_rows(slices q) {
  for (unsigned i = 0; i < 8; i++) {
    uint64_t x = q[i];
    q[i] = (x & 0x000000000000ffff) | (x & 0x00000000fff00000) >> 4 | (x & 0x00000000000f0000) << 12 |
           (x & 0x0000ff0000000000) >> 8 | (x & 0x000000ff00000000) << 8 | (x & 0xf000000000000000) >> 12 |
           (x & 0x0fff000000000000) << 4;
  }
}

static inline uint64_t rotate_rows(uint64_t x, unsigned rows) { return x >> 16 * rows | x << (64 - 16 * rows); }

// With a, b, c, d from the row itself to the third below it: 2a + 3b + c + d = 2(a + b) + b + (c + d).
static void mix_columns(slices q) {
  slices below, sum;
  for (unsigned i = 0; i < 8; i++) {
    below[i] = rotate_rows(q[i], 1);
    sum[i] = q[i] ^ below[i];
  }
  for (unsigned i = 0; i < 8; i++) {
    uint64_t twice = sum[(i + 7) % 8];  // times x, modulo x^8 + x^4 + x^3 + x + 1
    if (i == 1 || i == 3 || i == 4) twice ^= sum[7];
    q[i] = twice ^ below[i] ^ rotate_rows(sum[i], 2);
  }
}

// InvSubBytes by SubBytes itself. That is S(x) = A(1/x) + 0x63 with A linear; so 1/x = A^-1(S(x) + 0x63), and
// S^-1(y) = 1/A^-1(y + 0x63). Bit i of A^-1(y) is y[i+2] + y[i+5] + y[i+7].
static void invert_affine(slices q) {
  slices y;
  for (unsigned i = 0; i < 8; i++) y[i] = 0x63 >> i & 1 ? ~q[i] : q[i];
  for (unsigned i = 0; i < 8; i++) q[i] = y[(i + 2) % 8] ^ y[(i + 5) % 8] ^ y[(i + 7) % 8];
}

static void inverse_sub_bytes(slices q) {
  invert_affine(q);
  sub_bytes(q);
  invert_affine(q);
}

static void inverse_shift_rows(slices q) {
  for (unsigned i = 0; i < 8; i++) {
    uint64_t x = q[i];
    q[i] = (x & 0x000000000000ffff) | (x & 0x000000000fff0000) << 4 | (x & 0x00000000f0000000) >> 12 |
           (x & 0x0000ff0000000000) >> 8 | (x & 0x000000ff00000000) << 8 | (x & 0x000f000000000000) << 12 |
           (x & 0xfff0000000000000) >> 4;
  }
}

// The inverse of the column (2, 3, 1, 1) is itself times (5, 0, 4, 0): a + 4(a + c) comes before MixColumns.
static void inverse_mix_columns(slices q) {
  slices sum;
  for (unsigned i = 0; i < 8; i++) sum[i] = q[i] ^ rotate_rows(q[i], 2);
  const uint64_t s6 = sum[6], s7 = sum[7];  // x^8 = x^4 + x^3 + x + 1, x^9 = x^5 + x^4 + x^2 + x
  q[0] ^= s6, q[1] ^= s6 ^ s7, q[2] ^= sum[0] ^ s7, q[3] ^= sum[1] ^ s6;
  q[4] ^= sum[2] ^ s6 ^ s7, q[5] ^= sum[3] ^ s7, q[6] ^= sum[4], q[7] ^= sum[5];
  mix_columns(q);
}

#define LANE_0 0x1111111111111111u

// Every bit of the round key is kept once; here each goes to all four lanes.
static void add_round_key(slices q, const uint64_t round_key[2]) {
  for (unsigned i = 0; i < 8; i++) {
    uint64_t bit = round_key[i / 4] >> i % 4 & LANE_0;
    q[i] ^= (bit << 4) - bit;
  }
}

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
    put_columns(q, 0, w + 4 * r);
    transpose(q);
    for (unsigned half = 0; half < 2; half++) {
      const uint64_t *s = q + 4 * half;
      key->round_keys[2 * r + half] = s[0] | s[1] << 1 | s[2] << 2 | s[3] << 3;
    }
  }
  tn_wipe(w, sizeof w);
}

static void load_blocks(slices q, const uint8_t *blocks) {
  uint32_t column[4];
  for (unsigned b = 0; b < TN_AES_CT64_BLOCKS; b++) {
    for (unsigned c = 0; c < 4; c++) column[c] = tn_load_le32(blocks + TN_AES_BLOCK * b + 4 * c);
    put_columns(q, b, column);
  }
  transpose(q);
  tn_wipe(column, sizeof column);
}

static void store_blocks(slices q, uint8_t *blocks) {
  uint32_t column[4];
  transpose(q);
  for (unsigned b = 0; b < TN_AES_CT64_BLOCKS; b++) {
    get_columns(q, b, column);
    for (unsigned c = 0; c < 4; c++) tn_store_le32(blocks + TN_AES_BLOCK * b + 4 * c, column[c]);
  }
  tn_wipe(column, sizeof column);
}

void tn_aes_ct64_encrypt(const tn_aes_ct64_key *key, uint8_t blocks[TN_AES_CT64_BLOCKS * TN_AES_BLOCK]) {
  slices q;
  load_blocks(q, blocks);
  add_round_key(q, key->round_keys);
  for (unsigned r = 1; r < key->rounds; r++) {
    sub_bytes(q);
    shift_rows(q);
    mix_columns(q);
    add_round_key(q, key->round_keys + 2 * r);
  }
  sub_bytes(q);
  shift_rows(q);
  add_round_key(q, key->round_keys + 2 * key->rounds);
  store_blocks(q, blocks);
  tn_wipe(q, sizeof q);
}

void tn_aes_ct64_decrypt(const tn_aes_ct64_key *key, uint8_t blocks[TN_AES_CT64_BLOCKS * TN_AES_BLOCK]) {
  slices q;
  load_blocks(q, blocks);
  add_round_key(q, key->round_keys + 2 * key->rounds);
  for (unsigned r = key->rounds - 1; r > 0; r--) {
    inverse_shift_rows(q);
    inverse_sub_bytes(q);
    add_round_key(q, key->round_keys + 2 * r);
    inverse_mix_columns(q);
  }
  inverse_shift_rows(q);
  inverse_sub_bytes(q);
  add_round_key(q, key->round_keys);
  store_blocks(q, blocks);
  tn_wipe(q, sizeof q);
}
