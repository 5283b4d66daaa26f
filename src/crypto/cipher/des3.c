// 3DES in CBC mode (NIST SP 800-67: TDEA with three keys; FIPS 46-3 for DES), without tables: the eight S-boxes of a
// round are computed together, as polynomials over words of which every box owns a nibble. leaks: nothing but lengths.
#include "base/bytes.h"
#include "base/mem.h"
#include "crypto/cipher/cipher.h"
#include "crypto/cipher/des_table.h"

#define BLOCK 8
#define ROUNDS 16
#define FOUR 4  // blocks that are decrypted together

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

// In nibble j of `first` are the bits for the inputs 0 to 3 of S-box j + 1, from the left; the right half of that of
// `last` has those for the inputs 4 and 5.
typedef struct round_key {
  uint32_t first, last;
} round_key;

// The rounds of encryption, in their order. Decryption takes them in the opposite one.
typedef struct des3_key {
  round_key round[3 * ROUNDS];
} des3_key;

_Static_assert(sizeof(des3_key) <= TN_CIPHER_KEY_STATE, "the key state fits");

static inline uint32_t rotate_left(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }
static inline uint32_t rotate_right(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }

// ---------------------------------------------------------------- rounds

// Of the polynomials in the inputs 0 to 4, Horner's way, one input after the other is put in.
#define EVALUATE(sum, input, coefficient)                                                    \
  UNROLL for (unsigned i = 0; i < TN_DES_PRODUCTS / 2; i++) sum[i] =                         \
      coefficient(2 * i) ^ (input[0] & coefficient(2 * i + 1));                              \
  UNROLL for (unsigned i = 0; i < 8; i++) sum[i] = sum[2 * i] ^ (input[1] & sum[2 * i + 1]); \
  UNROLL for (unsigned i = 0; i < 4; i++) sum[i] = sum[2 * i] ^ (input[2] & sum[2 * i + 1]); \
  UNROLL for (unsigned i = 0; i < 2; i++) sum[i] = sum[2 * i] ^ (input[3] & sum[2 * i + 1]); \
  sum[0] ^= input[4] & sum[1]

// One bit of each nibble of x, as a mask of the nibble, twice.
static inline uint64_t nibble_masks(uint32_t x, unsigned bit) {
  return (uint64_t)(x >> bit & 0x11111111) * 0x0000000f0000000f;
}

// The function f. `r` and its value are turned to the right by one bit, so that the inputs 0 to 3 of every S-box stand
// in its nibble; with one rotation more, 2 to 5 do. The upper half of a word is what is multiplied by input 5.
static inline uint32_t f(uint32_t r, round_key key) {
  const uint32_t first = r ^ key.first, last = rotate_left(r, 2) ^ key.last;
  const uint64_t input[] = {nibble_masks(first, 3), nibble_masks(first, 2), nibble_masks(first, 1),
                            nibble_masks(first, 0), nibble_masks(last, 1)};
  uint64_t sum[16] = {0};
#define BOTH_HALVES(m) tn_des_s_boxes[m]
  EVALUATE(sum, input, BOTH_HALVES);
  const uint32_t s = (uint32_t)sum[0] ^ ((uint32_t)(sum[0] >> 32) & (uint32_t)nibble_masks(last, 0));
  uint32_t p = 0;
  UNROLL for (unsigned i = 0; i < TN_DES_ROTATIONS; i++) p |= rotate_right(s & tn_des_p[i].mask, tn_des_p[i].right);
  return p;
}

// The two halves between the initial permutation and its inverse, turned to the right by one bit.
typedef struct halves {
  uint32_t left, right;
} halves;

// DES three times, whose permutations between one and the next cancel out, so that only the halves change places.
static inline halves rounds(halves x, const round_key *key, int step) {
  for (unsigned des = 0; des < 3; des++) {
    for (unsigned i = 0; i < ROUNDS; i += 2, key += 2 * step) {
      x.left ^= f(x.right, key[0]);
      x.right ^= f(x.left, key[step]);
    }
    x = (halves){x.right, x.left};
  }
  return x;
}

// ---------------------------------------------------------------- the same for four blocks

typedef uint32_t lanes __attribute__((vector_size(4 * FOUR)));

static inline lanes nibble_masks_4(lanes x, unsigned bit) {
  x = x >> bit & 0x11111111;
  return (x << 4) - x;
}

static inline lanes f_4(lanes r, round_key key) {
  const lanes first = r ^ key.first, last = (r << 2 | r >> 30) ^ key.last;
  const lanes input[] = {nibble_masks_4(first, 3), nibble_masks_4(first, 2), nibble_masks_4(first, 1),
                         nibble_masks_4(first, 0), nibble_masks_4(last, 1)};
  lanes sum[16] = {{0}}, sum_5[16] = {{0}}, p = {0};
#define LOWER_HALF(m) (uint32_t) tn_des_s_boxes[m]
#define UPPER_HALF(m) (uint32_t)(tn_des_s_boxes[m] >> 32)
  EVALUATE(sum, input, LOWER_HALF);
  EVALUATE(sum_5, input, UPPER_HALF);
  const lanes s = sum[0] ^ (sum_5[0] & nibble_masks_4(last, 0));
  UNROLL for (unsigned i = 0; i < TN_DES_ROTATIONS; i++) {
    const lanes bits = s & tn_des_p[i].mask;
    p |= bits >> tn_des_p[i].right | bits << (32 - tn_des_p[i].right);
  }
  return p;
}

static void rounds_4(halves x[FOUR], const round_key *key, int step) {
  lanes left, right;
  for (unsigned i = 0; i < FOUR; i++) left[i] = x[i].left, right[i] = x[i].right;
  for (unsigned des = 0; des < 3; des++) {
    for (unsigned i = 0; i < ROUNDS; i += 2, key += 2 * step) {
      left ^= f_4(right, key[0]);
      right ^= f_4(left, key[step]);
    }
    const lanes t = left;
    left = right, right = t;
  }
  for (unsigned i = 0; i < FOUR; i++) x[i] = (halves){left[i], right[i]};
}

// ---------------------------------------------------------------- blocks

// Exchanges the bits of a above its lowest n with the bits of b below, in every group that `low` marks.
static inline void exchange(uint32_t *a, uint32_t *b, unsigned n, uint32_t low) {
  uint32_t t = ((*a >> n) ^ *b) & low;
  *b ^= t;
  *a ^= t << n;
}

// The initial permutation is a transposition of the 8 by 8 bits of the block, with the even columns first.
static inline halves load(const uint8_t *p) {
  halves x = {tn_load_be32(p), tn_load_be32(p + 4)};
  exchange(&x.left, &x.right, 4, 0x0f0f0f0f);
  exchange(&x.left, &x.right, 16, 0x0000ffff);
  exchange(&x.right, &x.left, 2, 0x33333333);
  exchange(&x.right, &x.left, 8, 0x00ff00ff);
  exchange(&x.left, &x.right, 1, 0x55555555);
  return (halves){rotate_right(x.left, 1), rotate_right(x.right, 1)};
}

static inline void store(uint8_t *p, halves x) {
  x = (halves){rotate_left(x.left, 1), rotate_left(x.right, 1)};
  exchange(&x.left, &x.right, 1, 0x55555555);
  exchange(&x.right, &x.left, 8, 0x00ff00ff);
  exchange(&x.right, &x.left, 2, 0x33333333);
  exchange(&x.left, &x.right, 16, 0x0000ffff);
  exchange(&x.left, &x.right, 4, 0x0f0f0f0f);
  tn_store_be32(p, x.left);
  tn_store_be32(p + 4, x.right);
}

static inline halves add(halves x, halves y) { return (halves){x.left ^ y.left, x.right ^ y.right}; }

// Blocks are added in permuted form, which is the same, and keeps both permutations out of the chain.
static void encrypt(const void *key, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n) {
  halves x = load(iv);
  for (; n != 0; n -= BLOCK, in += BLOCK, out += BLOCK) {
    x = rounds(add(x, load(in)), ((const des3_key *)key)->round, 1);
    store(out, x);
  }
  store(iv, x);
}

static void decrypt(const void *key, uint8_t *iv, const uint8_t *in, uint8_t *out, size_t n) {
  const round_key *last = ((const des3_key *)key)->round + 3 * ROUNDS - 1;
  halves before = load(iv);
  for (; n >= FOUR * BLOCK; n -= FOUR * BLOCK, in += FOUR * BLOCK, out += FOUR * BLOCK) {
    halves c[FOUR], x[FOUR];
    for (unsigned i = 0; i < FOUR; i++) x[i] = c[i] = load(in + BLOCK * i);
    rounds_4(x, last, -1);
    for (unsigned i = 0; i < FOUR; i++) store(out + BLOCK * i, add(x[i], i == 0 ? before : c[i - 1]));
    before = c[FOUR - 1];
  }
  for (; n != 0; n -= BLOCK, in += BLOCK, out += BLOCK) {
    const halves c = load(in);
    store(out, add(before, rounds(c, last, -1)));
    before = c;
  }
  store(iv, before);
  tn_wipe_vectors();
}

// ---------------------------------------------------------------- key set-up

// Permuted choice 1, its halves C and D, and permuted choice 2: bits counted from the left, from 1.
static const uint8_t choice_1[2][28] = {
    {57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36},
    {63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4},
};
static const uint8_t choice_2[48] = {14, 17, 11, 24, 1,  5,  3,  28, 15, 6,  21, 10, 23, 19, 12, 4,
                                     26, 8,  16, 7,  27, 20, 13, 2,  41, 52, 31, 37, 47, 55, 30, 40,
                                     51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32};
static const uint8_t shifts[ROUNDS] = {1, 2, 4, 6, 8, 10, 12, 14, 15, 17, 19, 21, 23, 25, 27, 28};  // in all, by round

static round_key make_round_key(uint64_t des_key, unsigned shift) {
  round_key key = {0, 0};
  for (unsigned i = 0; i < 48; i++) {
    const unsigned box = i / 6, input = i % 6, half = choice_2[i] > 28;
    const unsigned place = (choice_2[i] - 1u - 28 * half + shift) % 28;
    const uint32_t bit = des_key >> (64 - choice_1[half][place]) & 1;
    if (input < 4)
      key.first |= bit << (31 - 4 * box - input);
    else
      key.last |= bit << (33 - 4 * box - input);
  }
  return key;
}

// The second DES decrypts: its rounds go backwards.
static void set_key(void *key, const uint8_t *raw) {
  des3_key *k = key;
  for (unsigned des = 0; des < 3; des++) {
    const uint64_t des_key = tn_load_be64(raw + 8 * des);
    for (unsigned i = 0; i < ROUNDS; i++)
      k->round[ROUNDS * des + i] = make_round_key(des_key, shifts[des == 1 ? ROUNDS - 1 - i : i]);
  }
}

static const tn_cipher_impl portable = {"portable", 0, set_key, encrypt, decrypt};
static const tn_cipher_impl *const impls[] = {&portable, NULL};
const tn_cipher tn_3des_cbc = {"3des-cbc", 24, BLOCK, false, impls};
