// A template: one implementation of edwards25519 and curve25519, a tn_edwards25519_impl. What the including file has
// defined is said in edwards25519_point.h, and is wipe_vectors() for the registers that all this uses. It may define
// what adds many points in sequence, the accumulator below; and x25519_ladder.h's steps.
#include "crypto/ec/edwards25519_point.h"
#include "crypto/ec/x25519_ladder.h"

// ---------------------------------------------------------------- sums of many points

#ifndef accumulator_set
typedef point accumulator;
static void accumulator_set(accumulator *a, const point *p) { *a = *p; }
static void accumulator_get(point *p, const accumulator *a) { *p = *a; }
#define accumulator_double point_double
#define accumulator_add_affine point_add_affine
#define accumulator_add_cached point_add_cached
#endif

// ---------------------------------------------------------------- multiples of the base point, constant time

// The table's entries, 32 bytes at a time.
typedef uint64_t words4 __attribute__((vector_size(32)));
_Static_assert(sizeof(tn_edwards25519_entry) == 3 * sizeof(words4), "an entry is three vectors");

// r = digit times the point of the row, for -8 <= digit <= 8. Reads the whole row.
static void select_multiple(affine *r, const tn_edwards25519_entry row[8], uint64_t digit) {
  const uint64_t negative = tn_ct_mask_bit(digit >> 63);
  const uint64_t magnitude = tn_value_barrier((digit ^ negative) - negative);
  const uint64_t none = tn_ct_is_zero(magnitude) & 1;
  const words4 wanted = {magnitude, magnitude, magnitude, magnitude};
  words4 plus = {none}, minus = {none}, t2d = {0}, candidate = {1, 1, 1, 1};
  for (size_t i = 0; i < 8; i++, candidate += 1) {
    const words4 *entry = (const words4 *)&row[i];
    const words4 mask = (words4)(wanted == candidate);
    plus |= mask & entry[0];
    minus |= mask & entry[1];
    t2d |= mask & entry[2];
  }
  // The negative has its x negated: y + x and y - x change places.
  const words4 all = {negative, negative, negative, negative}, exchange = all & (plus ^ minus);
  const words4 out[3] = {plus ^ exchange, minus ^ exchange, t2d};
  uint64_t w[3][4];
  memcpy(w, out, sizeof w);
  fe_from_words(&r->y_plus_x, w[0]);
  fe_from_words(&r->y_minus_x, w[1]);
  fe_from_words(&r->t2d, w[2]);
  fe_negate_where(&r->t2d, negative);
}

// k = the sum of 64 digits times powers of 16. With 8 added to all but the highest, the lower ones are in [-8, 8) and
// that one in [0, 8].
static void multiply_base(point *r, const uint64_t k[4]) {
  static const uint64_t eights[4] = {0x8888888888888888, 0x8888888888888888, 0x8888888888888888, 0x0888888888888888};
  uint64_t digits[4];
  __extension__ unsigned __int128 sum = 0;
  affine multiple;
  accumulator total;
  for (int i = 0; i < 4; i++, sum >>= 64) {
    sum += k[i];
    sum += eights[i];
    digits[i] = (uint64_t)sum;
  }
  accumulator_set(&total, &infinity);
  for (unsigned i = 0; i < 64; i++) {
    const uint64_t bias = i == 63 ? 0 : 8;
    select_multiple(&multiple, tn_edwards25519_multiples[i], (digits[i / 16] >> (4 * (i % 16)) & 15) - bias);
    accumulator_add_affine(&total, &multiple);
  }
  accumulator_get(r, &total);
  tn_wipe(&total, sizeof total);
  tn_wipe(digits, sizeof digits);
  tn_wipe(&sum, sizeof sum);
  tn_wipe(&multiple, sizeof multiple);
}

static void base(tn_edwards25519_affine *r, const uint64_t k[4]) {
  point product;
  multiply_base(&product, k);
  point_to_affine(r, &product);
  // The projective coordinates tell of the scalar what the affine ones do not.
  tn_wipe(&product, sizeof product);
  wipe_vectors();
}

// RFC 7748 section 4.1: u = (1 + y) / (1 - y).
static void base_u(uint8_t u[32], const uint64_t k[4]) {
  point product;
  multiply_base(&product, k);
  fe_sub(&product.x, &product.z, &product.y);
  fe_add(&product.z, &product.z, &product.y);
  fe_invert(&product.x, &product.x);
  fe_mul(&product.x, &product.x, &product.z);
  fe_to_bytes(u, &product.x);
  tn_wipe(&product, sizeof product);
  wipe_vectors();
}

// ---------------------------------------------------------------- verification, of public data

#define NAF_DIGITS 254
#define NAF_WIDTH 5       // for the point: 8 odd multiples, computed here
#define NAF_BASE_WIDTH 8  // for the base point: 64 of the table's

// The width-w non-adjacent form of k < 2^253: digits are zero, or odd and below 2^(w - 1) in magnitude; of w successive
// ones, one at most is not zero.
static void naf_vartime(int8_t digits[NAF_DIGITS], const uint64_t k[4], int width) {
  unsigned carry = 0;
  memset(digits, 0, NAF_DIGITS);
  for (int i = 0; i < NAF_DIGITS;) {
    const int word = i / 64, shift = i % 64;
    uint64_t window = k[word] >> shift;
    if (shift > 64 - width && word < 3) window |= k[word + 1] << (64 - shift);
    window = (window & (((uint64_t)1 << width) - 1)) + carry;
    if ((window & 1) == 0) {  // bit and carry are equal: the carry goes on
      i++;
      continue;
    }
    carry = (unsigned)(window >> (width - 1));
    digits[i] = (int8_t)((int)window - (int)(carry << width));
    i += width;
  }
}

static void add_digit_vartime(accumulator *sum, const cached odd[8], int digit) {
  cached negative;
  if (digit == 0) return;
  if (digit > 0) {
    accumulator_add_cached(sum, &odd[digit / 2]);
    return;
  }
  negative = odd[-digit / 2];
  negative.y_plus_x = odd[-digit / 2].y_minus_x;
  negative.y_minus_x = odd[-digit / 2].y_plus_x;
  fe_negate_where(&negative.t2d, UINT64_MAX);
  accumulator_add_cached(sum, &negative);
}

static void add_base_digit_vartime(accumulator *sum, int digit) {
  affine multiple;
  if (digit == 0) return;
  const tn_edwards25519_entry *entry = &tn_edwards25519_odd[(digit > 0 ? digit : -digit) / 2];
  fe_from_words(&multiple.y_plus_x, digit > 0 ? entry->y_plus_x : entry->y_minus_x);
  fe_from_words(&multiple.y_minus_x, digit > 0 ? entry->y_minus_x : entry->y_plus_x);
  fe_from_words(&multiple.t2d, entry->t2d);
  if (digit < 0) fe_negate_where(&multiple.t2d, UINT64_MAX);
  accumulator_add_affine(sum, &multiple);
}

static bool is_point_vartime(const uint8_t in[32]) {
  point p;
  return point_decode_vartime(&p, in, false);
}

static bool combines_vartime(const uint8_t r[32], const uint64_t s[4], const uint64_t h[4], const uint8_t a[32]) {
  int8_t of_base[NAF_DIGITS], of_point[NAF_DIGITS];
  point p, sum;
  accumulator total;
  cached odd[8], twice;
  tn_edwards25519_affine result;
  uint8_t encoded[32];
  if (!point_decode_vartime(&p, a, true)) return false;
  naf_vartime(of_base, s, NAF_BASE_WIDTH);
  naf_vartime(of_point, h, NAF_WIDTH);

  point_cache(&odd[0], &p);
  sum = p;
  point_double(&sum, true);
  point_cache(&twice, &sum);
  for (int i = 1; i < 8; i++) {
    point_add_cached(&p, &twice);
    point_cache(&odd[i], &p);
  }

  int i = NAF_DIGITS - 1;
  while (i > 0 && of_base[i] == 0 && of_point[i] == 0) i--;
  accumulator_set(&total, &infinity);
  for (; i >= 0; i--) {
    accumulator_double(&total, of_base[i] != 0 || of_point[i] != 0);
    add_digit_vartime(&total, odd, of_point[i]);
    add_base_digit_vartime(&total, of_base[i]);
  }
  accumulator_get(&sum, &total);
  point_to_affine(&result, &sum);
  tn_edwards25519_encode(encoded, &result);
  return memcmp(encoded, r, sizeof encoded) == 0;
}

#define EDWARDS25519_IMPL(path, cpu) \
  { path, cpu, multiply_u, base_u, base, is_on_curve, is_point_vartime, combines_vartime }
