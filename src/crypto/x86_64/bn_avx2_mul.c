// Montgomery's multiplication in limbs of 28 bits, with AVX2.
//
// No column overflows its 64 bits. Let p = parts length <= 148 be the limbs of a number, l = length <= 38, p + 2 l <=
// 222, and D = (2^28 + 2^9)^2 < 2^56 (1 + 2^-17), which no product of two limbs exceeds. A square's column has p
// products at most: p D. Reduction adds at most l products to a column before it is cleared of all but a limb and one
// product, or becomes the next part's, with what is left of the column there: l + 1 products and a carry. So a column
// is at most (p + 2 l + 2) D, with carries below 2^37: less than 2^64 = 256 2^56. In mul() a column begins a part with
// at most 2 l products, a limb and one more, and gets l more from the factors and l from the modulus: (4 l + 2) D at
// most.
//
// In the end the columns are the limbs of a number below R / 2, so the highest is below 2^28 and no carry leaves it;
// the others are below 2^64, 2^28 + 2^36 after the first carry, 2^28 + 2^8 + 1 after the second.
#if defined(__x86_64__)

#include <immintrin.h>

#include "crypto/x86_64/bn_avx2.h"

#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET __attribute__((always_inline)) static inline
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll_count(4)")
#else
#define UNROLL _Pragma("GCC unroll 4")
#endif

typedef tn_bn_avx2_vector vector;

INLINE vector times(vector a, vector b) { return (vector)_mm256_mul_epu32((__m256i)a, (__m256i)b); }

// ---------------------------------------------------------------- parts
// The first part's limb in all parts of its number.
INLINE vector spread(vector a, int parts) {
  if (parts == 1) return a;
  if (parts == 2) return (vector)_mm256_unpacklo_epi64((__m256i)a, (__m256i)a);
  return (vector)_mm256_broadcastq_epi64(_mm256_castsi256_si128((__m256i)a));
}

// Each part's limb in the next part's place, or the previous one's; nothing in the first's; in the last's the first of
// `above`.
INLINE vector up(vector a, int parts) {
  if (parts == 2) return (vector)_mm256_slli_si256((__m256i)a, 8);
  const vector kept = {0, ~(uint64_t)0, ~(uint64_t)0, ~(uint64_t)0};
  return (vector)_mm256_permute4x64_epi64((__m256i)a, _MM_SHUFFLE(2, 1, 0, 3)) & kept;
}
INLINE vector down(vector a, vector above, int parts) {
  if (parts == 2) return (vector)_mm256_alignr_epi8((__m256i)above, (__m256i)a, 8);
  return (vector)_mm256_permute4x64_epi64(_mm256_blend_epi32((__m256i)a, (__m256i)above, 3), _MM_SHUFFLE(0, 3, 2, 1));
}
INLINE vector swap(vector a) { return (vector)_mm256_shuffle_epi32((__m256i)a, _MM_SHUFFLE(1, 0, 3, 2)); }

// Zero, of which compilers make no memset(), which starts slowly.
INLINE vector zeros(void) {
  vector none = {0};
  TN_OPAQUE("x", none);
  return none;
}

// ---------------------------------------------------------------- rows
// Columns of a product in registers: those that the next vector of the other factor adds to.
typedef struct window {
  vector w0, w1, w2;
} window;

// The rows' factors: three or, with x3, four.
typedef struct factors {
  vector x0, x1, x2, x3;
} factors;

// Adds the products by a limb of y. The first column is done; the next one is `last`.
INLINE vector step(window *w, int rows, factors *x, vector last, vector limb) {
#if defined(__clang__)
  // It sees in a product one of 64 bits by masked factors, and forgets the mask of what stays the same in a loop.
  TN_OPAQUE("x", x->x0);
  TN_OPAQUE("x", x->x1);
  TN_OPAQUE("x", x->x2);
  if (rows == 4) TN_OPAQUE("x", x->x3);
#endif
  vector done = w->w0 + times(x->x0, limb);
  w->w0 = w->w1 + times(x->x1, limb);
  if (rows == 4) {
    w->w1 = w->w2 + times(x->x2, limb);
    w->w2 = last + times(x->x3, limb);
  } else {
    w->w1 = last + times(x->x2, limb);
  }
  return done;
}

INLINE void finish(vector *acc, int rows, window w, bool fresh) {
  acc[0] = w.w0;
  acc[1] = w.w1;
  if (rows == 4) acc[2] = w.w2;
  if (fresh) acc[rows - 1] = (vector){0};
}

// acc[s + j] += x_s y[j] for s < rows and j from `from` to `to`; w is acc[from] and on. If fresh, columns from acc[to]
// on are taken to be zero, as no rows before have come so far; and the first that these do not come to is set to zero.
INLINE void stream(vector *acc, int rows, window w, factors x, const vector *y, size_t from, size_t to, bool fresh) {
  const vector none = {0};
  size_t j = from, last = (size_t)rows - 1, old = fresh ? to - last : to;
  UNROLL for (; j < old; j++) acc[j] = step(&w, rows, &x, acc[j + last], y[j]);
  if (fresh) UNROLL for (; j < to; j++) acc[j] = step(&w, rows, &x, none, y[j]);
  finish(acc + to, rows, w, fresh);
}

// Rows are taken in fours, and first in threes until a multiple of four is left.
INLINE size_t rows_in_threes(size_t length) { return (4 - length % 4) % 4 * 3; }

INLINE void multiply_rows(vector *acc, int rows, const vector *x, const vector *y, size_t length, int parts) {
  const vector none = {0};
  stream(
      acc, rows, (window){acc[0], acc[1], rows == 4 ? acc[2] : none},
      (factors){spread(x[0], parts), spread(x[1], parts), spread(x[2], parts), rows == 4 ? spread(x[3], parts) : none},
      y, 0, length, true);
}

// acc[i + j] += spread(x[i]) y[j]
INLINE void multiply(vector *acc, const vector *x, const vector *y, size_t length, int parts) {
  size_t i = 0;
  for (; i < rows_in_threes(length); i += 3) multiply_rows(acc + i, 3, x + i, y, length, parts);
  for (; i < length; i += 4) multiply_rows(acc + i, 4, x + i, y, length, parts);
}

// The columns that rows of a square have among themselves: the first are done, the window is left.
INLINE window square_corner(vector *acc, int rows, factors x, factors twice, const vector *y) {
  acc[0] += times(x.x0, y[0]);
  acc[1] += times(twice.x0, y[1]);
  acc[2] += times(twice.x0, y[2]) + times(x.x1, y[1]);
  if (rows == 3) return (window){acc[3] + times(twice.x1, y[2]), acc[4] + times(x.x2, y[2]), (vector){0}};
  acc[3] += times(twice.x0, y[3]) + times(twice.x1, y[2]);
  return (window){acc[4] + times(twice.x1, y[3]) + times(x.x2, y[2]), acc[5] + times(twice.x2, y[3]),
                  acc[6] + times(x.x3, y[3])};
}

INLINE void square_rows(vector *acc, vector *cross, int rows, const vector *x, const vector *y, size_t length) {
  const vector none = {0};
  factors f = {x[0], x[1], x[2], rows == 4 ? x[3] : none};
  factors twice = {f.x0 + f.x0, f.x1 + f.x1, f.x2 + f.x2, f.x3 + f.x3};
  window w = square_corner(acc, rows, f, twice, x), v = square_corner(cross, rows, f, twice, y);
  size_t j = (size_t)rows, last = j - 1;
  UNROLL for (; j < length - last; j++) {
    acc[j] = step(&w, rows, &twice, acc[j + last], x[j]);
    cross[j] = step(&v, rows, &twice, cross[j + last], y[j]);
  }
  UNROLL for (; j < length; j++) {
    acc[j] = step(&w, rows, &twice, none, x[j]);
    cross[j] = step(&v, rows, &twice, none, y[j]);
  }
  finish(acc + length, rows, w, true);
  finish(cross + length, rows, v, true);
}

// acc[i + j] += x[i] x[j] and cross[i + j] += x[i] y[j] for i = j, twice that for i < j; from zero.
INLINE void square(vector *acc, vector *cross, const vector *x, const vector *y, size_t length) {
  const vector none = zeros();
  for (size_t k = 0; k < length; k++) acc[k] = cross[k] = none;
  for (size_t k = 2 * length - 4; k < 2 * length - 1; k++) acc[k] = cross[k] = none;  // the last corner's
  size_t i = 0;
  for (; i < rows_in_threes(length); i += 3) square_rows(acc + 2 * i, cross + 2 * i, 3, x + i, y + i, length - i);
  for (; i < length; i += 4) square_rows(acc + 2 * i, cross + 2 * i, 4, x + i, y + i, length - i);
}

// ---------------------------------------------------------------- reduction
// The factor of N that clears the first part of column a: with -1 of N it leaves a whole carry. In the other parts the
// carry goes as well, and the limb stays.
INLINE vector clear(vector *a, vector *next, vector n0, int parts) {
  vector limb = *a & TN_BN_AVX2_MASK, factor = spread(limb, parts);
  *next += *a >> TN_BN_AVX2_BITS;
  *a = limb + times(factor, n0);
  return factor;
}

INLINE void reduce_rows(vector *acc, int rows, const vector *n, size_t length, int parts, bool fresh) {
  const vector none = {0};
  vector a0 = acc[0], a1 = acc[1], a2 = acc[2], a3 = acc[3], x3 = none;
  vector x0 = clear(&a0, &a1, n[0], parts);
  a1 += times(x0, n[1]);
  vector x1 = clear(&a1, &a2, n[0], parts);
  a2 += times(x0, n[2]) + times(x1, n[1]);
  vector x2 = clear(&a2, &a3, n[0], parts);
  acc[0] = a0;
  acc[1] = a1;
  acc[2] = a2;
  window w;
  if (rows == 4) {
    a3 += times(x0, n[3]) + times(x1, n[2]) + times(x2, n[1]);
    vector a4 = acc[4];
    x3 = clear(&a3, &a4, n[0], parts);
    acc[3] = a3;
    w.w0 = a4 + times(x1, n[3]) + times(x2, n[2]) + times(x3, n[1]);
    w.w1 = acc[5] + times(x2, n[3]) + times(x3, n[2]);
    w.w2 = acc[6] + times(x3, n[3]);
  } else {
    w.w0 = a3 + times(x1, n[2]) + times(x2, n[1]);
    w.w1 = acc[4] + times(x2, n[2]);
    w.w2 = none;
  }
  stream(acc, rows, w, (factors){x0, x1, x2, x3}, n, (size_t)rows, length, fresh);
}

// Clears the first part of columns 0 to length - 1.
INLINE void reduce(vector *acc, const vector *n, size_t length, int parts, bool fresh) {
  size_t i = 0;
  for (; i < rows_in_threes(length); i += 3) reduce_rows(acc + i, 3, n, length, parts, fresh);
  for (; i < length; i += 4) reduce_rows(acc + i, 4, n, length, parts, fresh);
}

// ---------------------------------------------------------------- multiplication
// Carries twice from each limb to the next.
typedef struct carries {
  vector once, twice;
} carries;

// Those into the first limb, from the last one and the one before.
INLINE carries carry_around(vector before_last, vector last, int parts) {
  vector once = (last & TN_BN_AVX2_MASK) + (before_last >> TN_BN_AVX2_BITS);
  return (carries){up(last >> TN_BN_AVX2_BITS, parts), up(once >> TN_BN_AVX2_BITS, parts)};
}

INLINE vector carry(carries *c, vector a) {
  vector once = (a & TN_BN_AVX2_MASK) + c->once, twice = (once & TN_BN_AVX2_MASK) + c->twice;
  *c = (carries){a >> TN_BN_AVX2_BITS, once >> TN_BN_AVX2_BITS};
  return twice;
}

// Column k of what is left of acc when its first part is cleared. Columns `length` and on are the next part's; the
// parts above all of acc's are in `high`.
INLINE vector next(const vector *acc, const vector *high, size_t k, size_t length, int parts) {
  return acc[length + k] + down(acc[k], high[k], parts);
}

INLINE void mul(vector *r, const vector *a, const vector *b, const vector *n, size_t length, int parts,
                tn_bn_avx2_room *room) {
  const vector none = zeros();
  vector *acc = room->acc, *rest = room->factor;
  for (size_t k = 0; k < length; k++) {
    acc[k] = none;
    rest[k] = a[k];
  }
  for (int part = 0; part < parts; part++) {
    multiply(acc, rest, b, length, parts);
    reduce(acc, n, length, parts, false);
    for (size_t k = 0; k < length; k++) {
      acc[k] = acc[length + k] + down(acc[k], none, parts);
      rest[k] = down(rest[k], none, parts);
    }
  }
  carries c = carry_around(acc[length - 2], acc[length - 1], parts);
  for (size_t k = 0; k < length; k++) r[k] = carry(&c, acc[k]);
}

// r = (acc + high R) / R mod N
INLINE void montgomery(vector *r, vector *acc, vector *high, const vector *n, size_t length, int parts) {
  for (int part = 0; part + 1 < parts; part++) {
    reduce(acc, n, length, parts, true);
    for (size_t k = 0; k < length; k++) {
      acc[k] = next(acc, high, k, length, parts);
      high[k] = down(high[k], high[k], parts);
    }
  }
  reduce(acc, n, length, parts, true);
  carries c =
      carry_around(next(acc, high, length - 2, length, parts), next(acc, high, length - 1, length, parts), parts);
  for (size_t k = 0; k < length; k++) r[k] = carry(&c, next(acc, high, k, length, parts));
}

// ---------------------------------------------------------------- two numbers
TARGET static void mul_pair(vector *r, const vector *a, const vector *b, const vector *n, size_t length,
                            tn_bn_avx2_room *room) {
  mul(r, a, b, n, length, 2, room);
}

// With X = 2^(28 length), a = a0 + a1 X: `same` has a0^2 in one part and a1^2 in the other, the parts of `crossed` add
// up to 2 a0 a1.
TARGET static void sqr_pair(vector *r, const vector *a, const vector *n, size_t length, tn_bn_avx2_room *room) {
  const vector second = {0, ~(uint64_t)0, 0, ~(uint64_t)0};
  vector *same = room->product[0], *crossed = room->product[1], *swapped = room->factor;
  for (size_t k = 0; k < length; k++) swapped[k] = swap(a[k]);
  square(same, crossed, a, swapped, length);
  for (size_t k = 0; k < length; k++) {
    __m256i low = (__m256i)same[k], high = (__m256i)same[length + k];
    vector cross_low = crossed[k] + swap(crossed[k]), cross_high = crossed[length + k] + swap(crossed[length + k]);
    room->acc[k] = (vector)_mm256_unpacklo_epi64(low, high) + (cross_low & second);
    room->high[k] = (vector)_mm256_unpackhi_epi64(low, high) + (cross_high & ~second);
  }
  montgomery(r, room->acc, room->high, n, length, 2);
}

// ---------------------------------------------------------------- one number
#define PERMUTE(a, i, j, k, l) ((vector)_mm256_permute4x64_epi64((__m256i)(a), _MM_SHUFFLE(l, k, j, i)))

TARGET static void mul_single(vector *r, const vector *a, const vector *b, const vector *n, size_t length,
                              tn_bn_avx2_room *room) {
  mul(r, a, b, n, length, 4, room);
}

// With a = a0 + a1 X + a2 X^2 + a3 X^3, the limbs at k of the coefficients of X^0 to X^3 and of X^4 to X^6 in a^2.
typedef struct coefficients {
  vector low, high;
} coefficients;

// zero[k] has a0^2, a2^2, a1^2, a3^2; one[k] 2 a0 a1, 2 a2 a3, 2 a1 a2, 2 a3 a0; the first two parts of two[k] add up
// to 2 a0 a2, the others to 2 a1 a3.
INLINE coefficients gather(const vector *zero, const vector *one, const vector *two, size_t k) {
  const uint64_t all = ~(uint64_t)0;
  const vector first = {all}, third = {0, 0, all}, fourth = {0, 0, 0, all};
  vector low = (vector)_mm256_unpacklo_epi64((__m256i)zero[k], (__m256i)one[k]);   // X^0, X^1, X^2, X^3
  vector high = (vector)_mm256_unpackhi_epi64((__m256i)zero[k], (__m256i)one[k]);  // X^4, X^5, X^6, X^3
  vector sums = two[k] + swap(two[k]);
  sums = (vector)_mm256_permute2x128_si256((__m256i)sums, (__m256i)sums, 1);  // X^4, X^4, X^2, X^2
  return (coefficients){low + (high & fourth) + (sums & third), (high & ~fourth) + (sums & first)};
}

TARGET static void sqr_single(vector *r, const vector *a, const vector *n, size_t length, tn_bn_avx2_room *room) {
  const vector none = zeros(), first = {~(uint64_t)0};
  vector *zero = room->product[0], *one = room->product[1], *two = room->product[2];
  vector *x = room->high, *twice = room->factor, *swapped = room->acc, *turned = room->acc + length;
  for (size_t k = 0; k < length; k++) {
    x[k] = PERMUTE(a[k], 0, 2, 1, 3);
    twice[k] = x[k] + x[k];
    swapped[k] = swap(x[k]);
    turned[k] = (vector)_mm256_permute2x128_si256((__m256i)x[k], (__m256i)swapped[k], 0x21);  // a1, a3, a2, a0
    one[k] = none;
  }
  square(zero, two, x, swapped, length);
  multiply(one, twice, turned, length, 1);
  for (size_t k = 0; k < length; k++) {
    coefficients at = gather(zero, one, two, k), above = gather(zero, one, two, length + k);
    vector low = PERMUTE(above.low, 3, 0, 1, 2);
    room->acc[k] = at.low + (low & ~first);
    room->high[k] = at.high + up(above.high, 4) + (low & first);
  }
  montgomery(r, room->acc, room->high, n, length, 4);
}

const tn_bn_avx2_kernel tn_bn_avx2_single = {1, 4, TN_BN_AVX2_MAX_SINGLE, mul_single, sqr_single};
const tn_bn_avx2_kernel tn_bn_avx2_pair = {2, 2, TN_BN_AVX2_MAX, mul_pair, sqr_pair};

#endif
