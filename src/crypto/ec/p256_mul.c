#include "crypto/ec/p256_mul.h"

#include "base/mem.h"
#include "crypto/ec/p256_table.h"

// ---------------------------------------------------------------- signed digits

// Booth's recoding: k = sum of d_i * 2^(w i), each |d_i| <= 2^(w - 1), where d_i is read off the w + 1 bits of k
// from w i - 1 on: the upper w as a number in two's complement, plus the lowest. So the digits below i sum to
// k mod 2^(w i), less 2^(w i) where that has its top bit set: to a number in [-2^(w i - 1), 2^(w i - 1)).
typedef struct {
  uint64_t size;      // |d_i|
  uint64_t negative;  // a mask
} digit;

// Bits from, from + 1, ... from + w of k; those beyond 2^256 and below 1 are zero. leaks: from.
static uint64_t bits_from(const tn_p256_scalar *k, int from, int w) {
  if (from < 0) return (k->w[0] << 1) & ((1u << (w + 1)) - 1);
  int word = from / 64, shift = from % 64;
  uint64_t v = k->w[word] >> shift;
  if (shift != 0 && word < 3) v |= k->w[word + 1] << (64 - shift);
  return v & ((1u << (w + 1)) - 1);
}

static digit booth(const tn_p256_scalar *k, int i, int w) {
  uint64_t bits = bits_from(k, w * i - 1, w);
  uint64_t negative = tn_ct_mask_bit(bits >> w);
  // Complementing all w + 1 bits negates the digit.
  uint64_t size = ((bits ^ negative) & ((1u << (w + 1)) - 1)) + 1;
  return (digit){size >> 1, negative};
}

// ---------------------------------------------------------------- tables in constant time

// Four 32-bit lanes: a plain vector type, which every target of the compiler has in some form.
typedef uint32_t lanes __attribute__((vector_size(16), may_alias));

// r = entry number `at` of table, counted from 1; zeros for 0. Reads every entry whole. An entry is `width` lanes.
static inline void select_entry(lanes *r, const lanes *table, int entries, int width, uint64_t at) {
  uint32_t wanted = (uint32_t)tn_value_barrier(at);
  lanes want = {wanted, wanted, wanted, wanted}, number = {0}, one = {1, 1, 1, 1};
  lanes sum[6] = {{0}};
  for (int i = 0; i < entries; i++) {
    number += one;
    lanes mask = (lanes)(number == want);
#pragma GCC unroll 6
    for (int j = 0; j < width; j++) sum[j] |= mask & table[i * width + j];
  }
  for (int j = 0; j < width; j++) r[j] = sum[j];
}

// ---------------------------------------------------------------- any point

#define WINDOW 5
#define DIGITS 52  // of 5 bits: 260 >= 256 and a sign
#define MULTIPLES 16

// From the highest digit down: acc = 32 acc + d P.
//
// No addition meets its exception, equal points. Let e be the number by which acc = e P before d P is added, a
// multiple of 32, and e + d the leading digits of k, which is not negative. Additions with e = 0 or d = 0 add
// infinity. Otherwise e >= 32 > |d|, so e = d mod n would need e - d = n or more. Only after the last digit is
// e + d = k < n that large (before it, e + d <= k / 32 + 1), so d is negative, e = n + d, and n = e - d =
// -d mod 32. But n = 17 mod 32, and -d <= 16.
void tn_p256_mul(tn_p256_point *r, const tn_p256_scalar *k, const tn_p256_affine *point) {
  tn_p256_point multiples[MULTIPLES] __attribute__((aligned(16)));  // 1 P to 16 P
  tn_p256_point chosen __attribute__((aligned(16))), acc = {0};
  multiples[0] = (tn_p256_point){point->x, point->y, tn_p256_fe_one};
  for (int i = 1; i < MULTIPLES; i += 2) {
    tn_p256_point_double(&multiples[i], &multiples[i / 2]);
    if (i + 1 < MULTIPLES) tn_p256_point_add_affine(&multiples[i + 1], &multiples[i], point);
  }
  for (int i = DIGITS - 1; i >= 0; i--) {
    for (int j = 0; j < WINDOW && i != DIGITS - 1; j++) tn_p256_point_double(&acc, &acc);
    digit d = booth(k, i, WINDOW);
    select_entry((lanes *)&chosen, (const lanes *)multiples, MULTIPLES, sizeof chosen / sizeof(lanes), d.size);
    tn_p256_fe_neg_if(&chosen.y, d.negative);
    tn_p256_point_add(&acc, &acc, &chosen);
  }
  *r = acc;
  tn_wipe(multiples, sizeof multiples);
  tn_wipe(&chosen, sizeof chosen);
  tn_wipe(&acc, sizeof acc);
  tn_wipe_vectors();
}

// ---------------------------------------------------------------- the generator

#define BASE_WINDOW TN_P256_TABLE_WINDOW
#define BASE_DIGITS 43  // of 6 bits: 258 >= 256 and a sign

static const tn_p256_affine (*const table)[TN_P256_TABLE_MULTIPLES] = tn_p256_table;

// Row i of the table has the multiples of 2^(12 i) G: k G is 2^6 times the odd digits' sum, plus the even digits'.
//
// No addition meets its exception, equal points. Let e and f be the numbers by which acc = e G and what is added
// is f G, f = d * 2^s, d not 0. First, e is not f:
// Odd digits, before the doublings: e is the sum of digits at 12 bits' distance below f, so |e| < 32/4095 * 2^s < |f|.
// Even digits: e is the sum of all odd digits and of the even ones below s. If e = f, then the sum of all digits
// below s, at most 2^(s - 1) by Booth's bound, is a multiple of 2^s, so it is 0, and d the sum of the odd digits
// above s over 2^s, a multiple of 64; but |d| <= 32.
// What if e - f = -n? Below the top digit |e| < 2^252 and f <= 2^245. The top one is the last: f = d * 2^252, |e| <=
// 2^251 by Booth's bound, so |e - f| <= 15.5 * 2^252 < n for d <= 15; and d = 16 would mean k = e + f = 2^257 - n > n.
void tn_p256_mul_base(tn_p256_point *r, const tn_p256_scalar *k) {
  tn_p256_affine chosen __attribute__((aligned(16)));
  tn_p256_point acc = {0};
  for (int parity = 1; parity >= 0; parity--) {
    for (int i = parity; i < BASE_DIGITS; i += 2) {
      digit d = booth(k, i, BASE_WINDOW);
      select_entry((lanes *)&chosen, (const lanes *)table[i / 2], TN_P256_TABLE_MULTIPLES,
                   sizeof chosen / sizeof(lanes), d.size);
      tn_p256_fe_neg_if(&chosen.y, d.negative);
      tn_p256_point_add_affine(&acc, &acc, &chosen);
    }
    for (int j = 0; j < BASE_WINDOW && parity == 1; j++) tn_p256_point_double(&acc, &acc);
  }
  *r = acc;
  tn_wipe(&chosen, sizeof chosen);
  tn_wipe(&acc, sizeof acc);
  tn_wipe_vectors();
}

// ---------------------------------------------------------------- both, for verification

// The digits of k of one parity, times G, added to acc.
static void add_base_digits_vartime(tn_p256_point *acc, const tn_p256_scalar *k, int parity) {
  for (int i = parity; i < BASE_DIGITS; i += 2) {
    digit d = booth(k, i, BASE_WINDOW);
    if (d.size == 0) continue;
    tn_p256_affine entry = table[i / 2][d.size - 1];
    tn_p256_fe_neg_if(&entry.y, d.negative);
    tn_p256_point_add_affine_vartime(acc, acc, &entry);
  }
}

#define NAF_WIDTH 5
#define NAF_MULTIPLES (1 << (NAF_WIDTH - 2))  // the odd ones below 2^(w - 1)

// The width-5 non-adjacent form: k = sum of naf[i] * 2^i, each digit 0 or odd and |naf[i]| < 16.
static void to_naf_vartime(int8_t naf[257], const tn_p256_scalar *k) {
  unsigned carry = 0;
  for (int i = 0; i < 257; i++) naf[i] = 0;
  for (int i = 0; i < 257; i++) {
    unsigned bit = i < 256 ? (unsigned)(k->w[i / 64] >> (i % 64)) & 1 : 0;
    if (bit == carry) continue;  // bit + carry is even; the carry stays
    // The bits from i on, an odd number with the carry.
    unsigned window = (i < 256 ? (unsigned)(bits_from(k, i, NAF_WIDTH) & ((1 << NAF_WIDTH) - 1)) : 0) + carry;
    carry = window >> (NAF_WIDTH - 1);
    naf[i] = (int8_t)((int)window - (int)(carry << NAF_WIDTH));
    i += NAF_WIDTH - 1;
  }
}

void tn_p256_mul_add_vartime(tn_p256_point *r, const tn_p256_scalar *a, const tn_p256_scalar *b,
                             const tn_p256_affine *point) {
  tn_p256_point odd[NAF_MULTIPLES], two, acc = {0};  // 1 P, 3 P, ... 15 P
  odd[0] = (tn_p256_point){point->x, point->y, tn_p256_fe_one};
  tn_p256_point_double(&two, &odd[0]);
  for (int i = 1; i < NAF_MULTIPLES; i++) tn_p256_point_add_vartime(&odd[i], &odd[i - 1], &two);

  int8_t naf[257];
  to_naf_vartime(naf, b);
  int top = 256;
  while (top > BASE_WINDOW && naf[top] == 0) top--;
  for (int i = top; i >= 0; i--) {
    tn_p256_point_double(&acc, &acc);
    if (naf[i] != 0) {
      tn_p256_point entry = odd[(naf[i] < 0 ? -naf[i] : naf[i]) / 2];
      if (naf[i] < 0) tn_p256_fe_neg(&entry.y, &entry.y);
      tn_p256_point_add_vartime(&acc, &acc, &entry);
    }
    // The odd digits of a share the last doublings of b.
    if (i == BASE_WINDOW) add_base_digits_vartime(&acc, a, 1);
  }
  add_base_digits_vartime(&acc, a, 0);
  *r = acc;
}
