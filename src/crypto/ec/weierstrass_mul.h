// A template: multiples of points, over weierstrass_point.h. The including file has defined:
//   BITS           of p and of n
//   ORDER          n, WORDS words
//   WINDOW         bits of a digit, for any point
//   BASE_WINDOW    and for the generator
//   BASE_TABLE     const uint64_t[][2^(BASE_WINDOW - 1)][2 WORDS]: row i has 1, 2, ... times 2^(2 BASE_WINDOW i) G,
//   affine
// Constant time unless the name ends in _vartime.
#include "crypto/ec/weierstrass_point.h"

// ---------------------------------------------------------------- signed digits

// Booth's recoding: k = sum of d_i * 2^(w i), each |d_i| <= 2^(w - 1), where d_i is read off the w + 1 bits of k
// from w i - 1 on: the upper w as a number in two's complement, plus the lowest. So the digits below i sum to
// k mod 2^(w i), less 2^(w i) where that has its top bit set: to a number in [-2^(w i - 1), 2^(w i - 1)).
typedef struct digit {
  uint64_t size;      // |d_i|
  uint64_t negative;  // a mask
} digit;

// The digits that hold a number of BITS bits and its sign, which is 0.
#define DIGITS_OF(w) ((BITS + (w)) / (w))

// Bits from, from + 1, ... from + w of k; those beyond its words and below 1 are zero. leaks: from.
static inline uint64_t bits_from(const uint64_t k[WORDS], int from, int w) {
  const uint64_t mask = ((uint64_t)1 << (w + 1)) - 1;
  if (from < 0) return (k[0] << 1) & mask;
  const int word = from / 64, shift = from % 64;
  if (word >= WORDS) return 0;
  uint64_t v = k[word] >> shift;
  if (shift != 0 && word + 1 < WORDS) v |= k[word + 1] << (64 - shift);
  return v & mask;
}

static inline digit booth(const uint64_t k[WORDS], int i, int w) {
  const uint64_t bits = bits_from(k, w * i - 1, w);
  const uint64_t negative = tn_ct_mask_bit(bits >> w);
  // Complementing all w + 1 bits negates the digit.
  const uint64_t size = ((bits ^ negative) & (((uint64_t)1 << (w + 1)) - 1)) + 1;
  return (digit){size >> 1, negative};
}

// ---------------------------------------------------------------- tables in constant time

// 64-bit lanes: a plain vector type, which every target of the compiler has in some form.
#if defined(CURVE_ADX)
#define LANES (WORDS % 2 == 0 ? 4 : 2)
#define wipe_vectors tn_wipe_vectors_avx
#else
#define LANES 2
#define wipe_vectors tn_wipe_vectors
#endif
#define MAX_WIDTH (28 / LANES)
typedef uint64_t lanes __attribute__((vector_size(8 * LANES), may_alias, aligned(8)));

// r = entry number `at` of a table, counted from 1; zeros for 0. Reads every entry whole. An entry is `width`
// vectors.
static inline __attribute__((always_inline)) void select_entry(void *r, const void *table, int entries, int width,
                                                               uint64_t at) {
  const uint64_t wanted = tn_value_barrier(at);
  const lanes want = wanted - (lanes){0}, one = 1 - (lanes){0};
  const lanes *from = table;
  lanes number = {0}, sum[MAX_WIDTH] = {{0}}, *to = r;
  _Pragma("GCC unroll 4") for (int i = 0; i < entries; i++, from += width) {
    number += one;
    const lanes mask = (lanes)(number == want);
    TN_WORDS_UNROLL for (int j = 0; j < width; j++) sum[j] |= mask & from[j];
  }
  for (int j = 0; j < width; j++) to[j] = sum[j];
}

#define LANES_OF(type) ((int)(sizeof(type) / sizeof(lanes)))
_Static_assert(sizeof(affine_point) % sizeof(lanes) == 0, "an entry is whole vectors");

// A table of points for select_entry: whole vectors.
typedef union point_entry {
  point p;
  lanes whole[(3 * WORDS + LANES - 1) / LANES];
} point_entry;

// ---------------------------------------------------------------- any point

#define MULTIPLES (1 << (WINDOW - 1))
#define DIGITS DIGITS_OF(WINDOW)

// From the highest digit down: acc = 2^w acc + d P.
//
// No addition meets its exception, equal points. Let e be the number by which acc = e P before d P is added, a multiple
// of 2^w, and e + d the leading digits of k, which is not negative. Additions with e = 0 or d = 0 add infinity.
// Otherwise e >= 2^w > |d|, so e = d mod n would need e - d = n or more. Only after the last digit is e + d = k < n
// that large (before it, e + d <= k / 2^w + 1), so d is negative, e = n + d, and -d = n mod 2^w, where -d <= 2^(w - 1).
// WINDOW is such that n mod 2^w is more: ORDER_ALLOWS(WINDOW).
#define ORDER_ALLOWS(w) ((ORDER_LOW & ((1 << (w)) - 1)) > (1 << ((w)-1)))
_Static_assert(ORDER_ALLOWS(WINDOW), "no addition of equal points");

static void multiply(point *r, const uint64_t k[WORDS], const affine_point *p) {
  point_entry multiples[MULTIPLES], chosen;  // 1 P to 2^(w - 1) P
  point acc;
  memset(multiples, 0, sizeof multiples);
  multiples[0].p = (point){p->x, p->y, fe_one};
  for (int i = 1; i < MULTIPLES; i += 2) {
    point_double(&multiples[i].p, &multiples[i / 2].p);
    if (i + 1 < MULTIPLES) point_add_affine(&multiples[i + 1].p, &multiples[i].p, p);
  }
  for (int i = DIGITS - 1; i >= 0; i--) {
    for (int j = 0; j < WINDOW && i != DIGITS - 1; j++) point_double(&acc, &acc);
    const digit d = booth(k, i, WINDOW);
    select_entry(&chosen, multiples, MULTIPLES, LANES_OF(point_entry), d.size);
    fe_neg_if(&chosen.p.y, d.negative);
    if (i == DIGITS - 1)
      acc = chosen.p;
    else
      point_add(&acc, &acc, &chosen.p);
  }
  *r = acc;
  tn_wipe(multiples, sizeof multiples);
  tn_wipe(&chosen, sizeof chosen);
  tn_wipe(&acc, sizeof acc);
  wipe_vectors();
}

// ---------------------------------------------------------------- the generator

#define BASE_DIGITS DIGITS_OF(BASE_WINDOW)
#define BASE_MULTIPLES (1 << (BASE_WINDOW - 1))
#define BASE_ROW_DIGITS 2

// k G is 2^w times the odd digits' sum, plus the even digits'.
//
// No addition meets its exception, equal points. Let e and f be the numbers by which acc = e G and what is added is f
// G, f = d * 2^s, d not 0. First, e is not f: Odd digits, before the doublings: e is the sum of digits at 2w bits'
// distance below f, so |e| < |f|. Even digits: e is the sum of all odd digits and of the even ones below s. If e = f,
// then the sum of all digits below s, at most 2^(s - 1) by Booth's bound, is a multiple of 2^s, so it is 0, and d the
// sum of the odd digits above s over 2^s, a multiple of 2^w; but |d| <= 2^(w - 1). Nor is e - f = -n or n, by the sizes
// of the numbers: see the file that chose BASE_WINDOW.
static void multiply_base(point *r, const uint64_t k[WORDS]) {
  affine_point chosen;
  point acc;
  for (int parity = 1; parity >= 0; parity--) {
    for (int i = parity; i < BASE_DIGITS; i += 2) {
      const digit d = booth(k, i, BASE_WINDOW);
      select_entry(&chosen, BASE_TABLE[i / 2], BASE_MULTIPLES, LANES_OF(affine_point), d.size);
      fe_neg_if(&chosen.y, d.negative);
      if (i == 1)
        to_jacobian(&acc, &chosen);
      else
        point_add_affine(&acc, &acc, &chosen);
    }
    for (int j = 0; j < BASE_WINDOW && parity == 1; j++) point_double(&acc, &acc);
  }
  *r = acc;
  tn_wipe(&chosen, sizeof chosen);
  tn_wipe(&acc, sizeof acc);
  wipe_vectors();
}

// ---------------------------------------------------------------- both, for verification

// The digits of k of one parity, times G, added to acc.
static void add_base_digits_vartime(point *acc, const uint64_t k[WORDS], int parity) {
  for (int i = parity; i < BASE_DIGITS; i += 2) {
    const digit d = booth(k, i, BASE_WINDOW);
    if (d.size == 0) continue;
    affine_point entry;
    memcpy(&entry, BASE_TABLE[i / 2][d.size - 1], sizeof entry);
    fe_neg_if(&entry.y, d.negative);
    point_add_affine_vartime(acc, acc, &entry);
  }
}

#define NAF_WIDTH 5
#define NAF_MULTIPLES (1 << (NAF_WIDTH - 2))  // the odd ones below 2^(w - 1)

// The width-5 non-adjacent form: k = sum of naf[i] * 2^i, each digit 0 or odd and |naf[i]| < 16.
static void to_naf_vartime(int8_t naf[BITS + 1], const uint64_t k[WORDS]) {
  unsigned carry = 0;
  memset(naf, 0, BITS + 1);
  for (int i = 0; i <= BITS; i++) {
    const unsigned bits = (unsigned)bits_from(k, i, NAF_WIDTH) & ((1 << NAF_WIDTH) - 1);
    if ((bits & 1) == carry) continue;  // their sum is even; the carry stays
    // The bits from i on, an odd number with the carry.
    const unsigned window = bits + carry;
    carry = window >> (NAF_WIDTH - 1);
    naf[i] = (int8_t)((int)window - (int)(carry << NAF_WIDTH));
    i += NAF_WIDTH - 1;
  }
}

// r = a G + b P.
static void multiply_add_vartime(point *r, const uint64_t a[WORDS], const uint64_t b[WORDS], const affine_point *p) {
  point odd[NAF_MULTIPLES], two, acc = {0};  // 1 P, 3 P, ... 15 P
  odd[0] = (point){p->x, p->y, fe_one};
  point_double(&two, &odd[0]);
  for (int i = 1; i < NAF_MULTIPLES; i++) point_add_vartime(&odd[i], &odd[i - 1], &two);

  int8_t naf[BITS + 1];
  to_naf_vartime(naf, b);
  int top = BITS;
  while (top > BASE_WINDOW && naf[top] == 0) top--;
  for (int i = top; i >= 0; i--) {
    point_double(&acc, &acc);
    if (naf[i] != 0) {
      point entry = odd[(naf[i] < 0 ? -naf[i] : naf[i]) / 2];
      if (naf[i] < 0) fe_neg_if(&entry.y, ~(uint64_t)0);
      point_add_vartime(&acc, &acc, &entry);
    }
    // The odd digits of a share the last doublings of b.
    if (i == BASE_WINDOW) add_base_digits_vartime(&acc, a, 1);
  }
  add_base_digits_vartime(&acc, a, 0);
  *r = acc;
}
