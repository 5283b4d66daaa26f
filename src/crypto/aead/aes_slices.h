// A template: the rounds of AES (FIPS 197), bitsliced, forward and back. Before it is included:
//   word                 uint64_t, or a vector of them: every element has four blocks
//   rotate_rows(x, n)    the rows of a word, fields of 16 bits, rotated by n
//   spread_word(x)       a uint64_t in all elements

#include "crypto/aead/aes_ct64.h"

// So that the slices are registers.
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

// The state is eight words; word i holds bit i of all 64 bytes of an element. The byte in row r and column c of
// block b stands at bit 16r + 4c + b, so that rows rotate by shifts of 16 and columns by shifts of 4.
typedef word slices[8];

// Exchanges the bits of a above its lowest n with the bits of b below, in every group that `low` marks.
static inline void exchange(word *a, word *b, uint64_t low, unsigned n) {
  word t = ((*a >> n) ^ *b) & low;
  *b ^= t;
  *a ^= t << n;
}

// Transposes the 8 by 8 bits that the k-th bytes of the eight words make, for each k. Its own inverse.
static inline void transpose(slices q) {
  UNROLL for (unsigned i = 0; i < 8; i += 2) exchange(&q[i], &q[i + 1], 0x5555555555555555, 1);
  UNROLL for (unsigned i = 0; i < 8; i += i % 4 == 0 ? 1 : 3) exchange(&q[i], &q[i + 2], 0x3333333333333333, 2);
  UNROLL for (unsigned i = 0; i < 4; i++) exchange(&q[i], &q[i + 4], 0x0f0f0f0f0f0f0f0f, 4);
}

// Byte r of x to byte 2r.
static inline word spread(word x) {
  word w = (x | x << 16) & 0x0000ffff0000ffff;
  return (w | w << 8) & 0x00ff00ff00ff00ff;
}

static inline word gather(word w) {
  w &= 0x00ff00ff00ff00ff;
  w = (w | w >> 8) & 0x0000ffff0000ffff;
  return w | w >> 16;
}

// The columns of one block into the words that transpose() takes to lane b, and back.
static inline void put_columns(slices q, unsigned b, const word column[4]) {
  q[b] = spread(column[0]) | spread(column[2]) << 8;
  q[b + 4] = spread(column[1]) | spread(column[3]) << 8;
}

static inline void get_columns(const slices q, unsigned b, word column[4]) {
  column[0] = gather(q[b]), column[2] = gather(q[b] >> 8);
  column[1] = gather(q[b + 4]), column[3] = gather(q[b + 4] >> 8);
}

// SubBytes: the circuit of Boyar and Peralta, "A depth-16 circuit for the AES S-box" (2011), with the
// paper's names; U0 and S0 are the most significant bits.
static inline void sub_bytes(slices q) {
  const word u0 = q[7], u1 = q[6], u2 = q[5], u3 = q[4], u4 = q[3], u5 = q[2], u6 = q[1], u7 = q[0];
  // Top linear layer.
  const word t1 = u0 ^ u3, t2 = u0 ^ u5, t3 = u0 ^ u6, t4 = u3 ^ u5, t5 = u4 ^ u6, t6 = t1 ^ t5, t7 = u1 ^ u2;
  const word t8 = u7 ^ t6, t9 = u7 ^ t7, t10 = t6 ^ t7, t11 = u1 ^ u5, t12 = u2 ^ u5, t13 = t3 ^ t4;
  const word t14 = t6 ^ t11, t15 = t5 ^ t11, t16 = t5 ^ t12, t17 = t9 ^ t16, t18 = u3 ^ u7, t19 = t7 ^ t18;
  const word t20 = t1 ^ t19, t21 = u6 ^ u7, t22 = t7 ^ t21, t23 = t2 ^ t22, t24 = t2 ^ t10, t25 = t20 ^ t17;
  const word t26 = t3 ^ t16, t27 = t1 ^ t12;
  // Middle: the inversion in GF(2^4)^2.
  const word m1 = t13 & t6, m2 = t23 & t8, m3 = t14 ^ m1, m4 = t19 & u7, m5 = m4 ^ m1, m6 = t3 & t16;
  const word m7 = t22 & t9, m8 = t26 ^ m6, m9 = t20 & t17, m10 = m9 ^ m6, m11 = t1 & t15, m12 = t4 & t27;
  const word m13 = m12 ^ m11, m14 = t2 & t10, m15 = m14 ^ m11, m16 = m3 ^ m2, m17 = m5 ^ t24, m18 = m8 ^ m7;
  const word m19 = m10 ^ m15, m20 = m16 ^ m13, m21 = m17 ^ m15, m22 = m18 ^ m13, m23 = m19 ^ t25;
  const word m24 = m22 ^ m23, m25 = m22 & m20, m26 = m21 ^ m25, m27 = m20 ^ m21, m28 = m23 ^ m25;
  const word m29 = m28 & m27, m30 = m26 & m24, m31 = m20 & m23, m32 = m27 & m31, m33 = m27 ^ m25;
  const word m34 = m21 & m22, m35 = m24 & m34, m36 = m24 ^ m25, m37 = m21 ^ m29, m38 = m32 ^ m33;
  const word m39 = m23 ^ m30, m40 = m35 ^ m36, m41 = m38 ^ m40, m42 = m37 ^ m39, m43 = m37 ^ m38;
  const word m44 = m39 ^ m40, m45 = m42 ^ m41, m46 = m44 & t6, m47 = m40 & t8, m48 = m39 & u7, m49 = m43 & t16;
  const word m50 = m38 & t9, m51 = m37 & t17, m52 = m42 & t15, m53 = m45 & t27, m54 = m41 & t10, m55 = m44 & t13;
  const word m56 = m40 & t23, m57 = m39 & t19, m58 = m43 & t3, m59 = m38 & t22, m60 = m37 & t20, m61 = m42 & t1;
  const word m62 = m45 & t4, m63 = m41 & t2;
  // Bottom linear layer.
  const word l0 = m61 ^ m62, l1 = m50 ^ m56, l2 = m46 ^ m48, l3 = m47 ^ m55, l4 = m54 ^ m58, l5 = m49 ^ m61;
  const word l6 = m62 ^ l5, l7 = m46 ^ l3, l8 = m51 ^ m59, l9 = m52 ^ m53, l10 = m53 ^ l4, l11 = m60 ^ l2;
  const word l12 = m48 ^ m51, l13 = m50 ^ l0, l14 = m52 ^ m61, l15 = m55 ^ l1, l16 = m56 ^ l0, l17 = m57 ^ l1;
  const word l18 = m58 ^ l8, l19 = m63 ^ l4, l20 = l0 ^ l1, l21 = l1 ^ l7, l22 = l3 ^ l12, l23 = l18 ^ l2;
  const word l24 = l15 ^ l9, l25 = l6 ^ l10, l26 = l7 ^ l9, l27 = l8 ^ l10, l28 = l11 ^ l14, l29 = l11 ^ l17;
  q[7] = l6 ^ l24;
  q[6] = ~(l16 ^ l26);
  q[5] = ~(l19 ^ l28);
  q[4] = l6 ^ l21;
  q[3] = l20 ^ l22;
  q[2] = l25 ^ l29;
  q[1] = ~(l13 ^ l27);
  q[0] = ~(l6 ^ l23);
}

// Row r, a field of 16 bits, rotates by r columns of 4 bits: rows 2 and 3 by two, then rows 1 and 3 by one.
static inline void shift_rows(slices q) {
  UNROLL for (unsigned i = 0; i < 8; i++) {
    word t = (q[i] ^ q[i] >> 8) & 0x00ff00ff00000000, x = q[i] ^ t ^ t << 8;
    q[i] = (x & 0x0000ffff0000ffff) | (x & 0xfff00000fff00000) >> 4 | (x & 0x000f0000000f0000) << 12;
  }
}

// With a, b, c, d from the row itself to the third below it: 2a + 3b + c + d = 2(a + b) + b + (c + d).
static inline void mix_columns(slices q) {
  slices below, sum;
  UNROLL for (unsigned i = 0; i < 8; i++) {
    below[i] = rotate_rows(q[i], 1);
    sum[i] = q[i] ^ below[i];
  }
  UNROLL for (unsigned i = 0; i < 8; i++) {
    word twice = sum[(i + 7) % 8];  // times x, modulo x^8 + x^4 + x^3 + x + 1
    if (i == 1 || i == 3 || i == 4) twice ^= sum[7];
    q[i] = twice ^ below[i] ^ rotate_rows(sum[i], 2);
  }
}

// InvSubBytes by SubBytes itself. That is S(x) = A(1/x) + 0x63 with A linear; so 1/x = A^-1(S(x) + 0x63), and
// S^-1(y) = 1/A^-1(y + 0x63). Bit i of A^-1(y) is y[i+2] + y[i+5] + y[i+7].
static inline void invert_affine(slices q) {
  slices y;
  UNROLL for (unsigned i = 0; i < 8; i++) y[i] = 0x63 >> i & 1 ? ~q[i] : q[i];
  UNROLL for (unsigned i = 0; i < 8; i++) q[i] = y[(i + 2) % 8] ^ y[(i + 5) % 8] ^ y[(i + 7) % 8];
}

static inline void inverse_sub_bytes(slices q) {
  invert_affine(q);
  sub_bytes(q);
  invert_affine(q);
}

static inline void inverse_shift_rows(slices q) {
  UNROLL for (unsigned i = 0; i < 8; i++) {
    word t = (q[i] ^ q[i] >> 8) & 0x00ff00ff00000000, x = q[i] ^ t ^ t << 8;
    q[i] = (x & 0x0000ffff0000ffff) | (x & 0x0fff00000fff0000) << 4 | (x & 0xf0000000f0000000) >> 12;
  }
}

// The inverse of the column (2, 3, 1, 1) is itself times (5, 0, 4, 0): a + 4(a + c) comes before MixColumns.
static inline void inverse_mix_columns(slices q) {
  slices sum;
  UNROLL for (unsigned i = 0; i < 8; i++) sum[i] = q[i] ^ rotate_rows(q[i], 2);
  const word s6 = sum[6], s7 = sum[7];  // x^8 = x^4 + x^3 + x + 1, x^9 = x^5 + x^4 + x^2 + x
  q[0] ^= s6, q[1] ^= s6 ^ s7, q[2] ^= sum[0] ^ s7, q[3] ^= sum[1] ^ s6;
  q[4] ^= sum[2] ^ s6 ^ s7, q[5] ^= sum[3] ^ s7, q[6] ^= sum[4], q[7] ^= sum[5];
  mix_columns(q);
}

#define LANE_0 0x1111111111111111u

// Every bit of the round key is kept once; here each goes to all four blocks of all elements.
static inline void add_round_key(slices q, const uint64_t round_key[2]) {
  UNROLL for (unsigned i = 0; i < 8; i++) {
    uint64_t bit = round_key[i / 4] >> i % 4 & LANE_0;
    q[i] ^= spread_word((bit << 4) - bit);
  }
}

static inline void encrypt_slices(const tn_aes_ct64_key *key, slices q) {
  transpose(q);
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
  transpose(q);
}

static inline void decrypt_slices(const tn_aes_ct64_key *key, slices q) {
  transpose(q);
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
  transpose(q);
}
