// Montgomery's multiplication in limbs of 28 bits, with AVX2.
#if defined(__x86_64__)

#include <immintrin.h>

#include "crypto/x86_64/bn_avx2.h"

#define TARGET __attribute__((target("avx2")))
#define INLINE TARGET __attribute__((always_inline)) static inline
#if defined(__clang__)
#define UNROLL_4 _Pragma("clang loop unroll_count(4)")
#else
#define UNROLL_4 _Pragma("GCC unroll 4")
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
  TN_OPAQUE("x", x->x3);
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

// acc[s + j] += x_s y[j] for s < rows and j from `from` to `to`; w is acc[from] and on. If fresh, columns from acc[to]
// on are taken to be zero, as no rows before have come so far; and the first that these do not come to is set to zero.
INLINE void stream(vector *acc, int rows, window w, factors x, const vector *y, size_t from, size_t to, bool fresh) {
  const vector none = {0};
  size_t j = from, last = (size_t)rows - 1, old = fresh ? to - last : to;
  UNROLL_4 for (; j < old; j++) acc[j] = step(&w, rows, &x, acc[j + last], y[j]);
  if (fresh) UNROLL_4 for (; j < to; j++) acc[j] = step(&w, rows, &x, none, y[j]);
  acc[to] = w.w0;
  acc[to + 1] = w.w1;
  if (rows == 4) acc[to + 2] = w.w2;
  if (fresh) acc[to + last] = none;
}

// Rows are taken in fours, and first in threes until a multiple of four is left. length >= 9
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

INLINE void square_rows(vector *acc, int rows, const vector *x, const vector *y, size_t length) {
  const vector none = {0};
  vector x0 = x[0], x1 = x[1], x2 = x[2], x3 = rows == 4 ? x[3] : none;
  vector twice0 = x0 + x0, twice1 = x1 + x1, twice2 = x2 + x2, twice3 = x3 + x3;
  acc[0] += times(x0, y[0]);
  acc[1] += times(twice0, y[1]);
  acc[2] += times(twice0, y[2]) + times(x1, y[1]);
  window w;
  if (rows == 4) {
    acc[3] += times(twice0, y[3]) + times(twice1, y[2]);
    w.w0 = acc[4] + times(twice1, y[3]) + times(x2, y[2]);
    w.w1 = acc[5] + times(twice2, y[3]);
    w.w2 = acc[6] + times(x3, y[3]);
  } else {
    w.w0 = acc[3] + times(twice1, y[2]);
    w.w1 = acc[4] + times(x2, y[2]);
    w.w2 = none;
  }
  stream(acc, rows, w, (factors){twice0, twice1, twice2, twice3}, y, (size_t)rows, length, true);
}

// acc[i + j] += x[i] y[j] for i = j, twice that for i < j
INLINE void square(vector *acc, const vector *x, const vector *y, size_t length) {
  const vector none = {0};
  for (size_t k = 0; k < length; k++) acc[k] = none;
  for (size_t k = 2 * length - 4; k < 2 * length - 1; k++) acc[k] = none;  // the last rows'
  size_t i = 0;
  for (; i < rows_in_threes(length); i += 3) square_rows(acc + 2 * i, 3, x + i, y + i, length - i);
  for (; i < length; i += 4) square_rows(acc + 2 * i, 4, x + i, y + i, length - i);
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
  const vector none = {0};
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
  square(same, a, a, length);
  square(crossed, a, swapped, length);
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

// zero[k] has a0^2, a1^2, a2^2, a3^2; one[k] 2 a0 a1, 2 a1 a2, 2 a2 a3, 2 a3 a0; the first and the third part of two[k]
// add up to 2 a0 a2, the others to 2 a1 a3.
INLINE coefficients gather(const vector *zero, const vector *one, const vector *two, size_t k) {
  const vector all = ~(vector){0}, second = {0, all[1]}, fourth = {0, 0, 0, all[3]}, middle = {0, all[1], all[2]};
  vector sums = two[k] + PERMUTE(two[k], 2, 3, 0, 1);
  vector even = zero[k] + (PERMUTE(sums, 0, 0, 1, 1) & middle);              // of X^0, X^2, X^4, X^6
  vector odd = (one[k] & ~fourth) + (PERMUTE(one[k], 3, 3, 3, 3) & second);  // of X^1, X^3, X^5
  __m256i first = _mm256_unpacklo_epi64((__m256i)even, (__m256i)odd);        // of X^0, X^1, X^4, X^5
  __m256i then = _mm256_unpackhi_epi64((__m256i)even, (__m256i)odd);         // of X^2, X^3, X^6
  return (coefficients){(vector)_mm256_permute2x128_si256(first, then, 0x20),
                        (vector)_mm256_permute2x128_si256(first, then, 0x31)};
}

TARGET static void sqr_single(vector *r, const vector *a, const vector *n, size_t length, tn_bn_avx2_room *room) {
  const vector none = {0}, first = {~(uint64_t)0};
  vector *zero = room->product[0], *one = room->product[1], *two = room->product[2];
  vector *twice = room->factor, *turned = room->acc, *turned_twice = room->high;
  for (size_t k = 0; k < length; k++) {
    twice[k] = a[k] + a[k];
    turned[k] = PERMUTE(a[k], 1, 2, 3, 0);
    turned_twice[k] = PERMUTE(a[k], 2, 3, 0, 1);
    one[k] = none;
  }
  square(zero, a, a, length);
  multiply(one, twice, turned, length, 1);
  square(two, a, turned_twice, length);
  for (size_t k = 0; k < length; k++) {
    coefficients at = gather(zero, one, two, k), above = gather(zero, one, two, length + k);
    vector low = PERMUTE(above.low, 3, 0, 1, 2), high = PERMUTE(above.high, 3, 0, 1, 2);
    room->acc[k] = at.low + (low & ~first);
    room->high[k] = at.high + (high & ~first) + (low & first);
  }
  montgomery(r, room->acc, room->high, n, length, 4);
}

const tn_bn_avx2_lanes tn_bn_avx2_single = {1, 4, mul_single, sqr_single};
const tn_bn_avx2_lanes tn_bn_avx2_pair = {2, 2, mul_pair, sqr_pair};

#endif
