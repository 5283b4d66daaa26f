#if defined(__x86_64__)

#include <immintrin.h>

#include "crypto/bn/bn.h"
#include "crypto/x86_64/bn_ifma.h"

#define TARGET __attribute__((target("avx512f,avx512ifma,avx512vl,avx512dq,avx512bw,bmi2")))
#define INLINE TARGET __attribute__((always_inline)) static inline

// Does something for each vector j < n of a number and for each of up to two powers p. That these are constants, and
// that what they count may live in registers, a compiler might see too late in a loop.
#define MAX_VECTORS 10
#define EACH_VECTOR(j, n, ...) \
  do {                         \
    AT(j, 0, n, __VA_ARGS__)   \
    AT(j, 1, n, __VA_ARGS__)   \
    AT(j, 2, n, __VA_ARGS__)   \
    AT(j, 3, n, __VA_ARGS__)   \
    AT(j, 4, n, __VA_ARGS__)   \
    AT(j, 5, n, __VA_ARGS__)   \
    AT(j, 6, n, __VA_ARGS__)   \
    AT(j, 7, n, __VA_ARGS__)   \
    AT(j, 8, n, __VA_ARGS__)   \
    AT(j, 9, n, __VA_ARGS__)   \
  } while (0)
#define EACH_POWER(p, n, ...) \
  do {                        \
    AT(p, 0, n, __VA_ARGS__)  \
    AT(p, 1, n, __VA_ARGS__)  \
  } while (0)
#define AT(i, value, n, ...)  \
  if ((value) < (n)) {        \
    const size_t i = (value); \
    __VA_ARGS__;              \
  }

// The accumulators of one power: x for products with a, y for products with n, and a vector of zeros above each. Their
// sum is the number so far.
typedef struct sums {
  __m512i x[MAX_VECTORS + 1], y[MAX_VECTORS + 1];
  __m512i q, carry;  // the last quotient; lane 0 is what the lowest limb has yet to give
} sums;

INLINE __m512i zero(void) { return _mm512_setzero_si512(); }
INLINE __m512i vector(const uint64_t *a, size_t i) { return _mm512_load_si512(a + 8 * i); }
// Lane i + 1 of a number, whose next vector is `high`, in lane i; and lane i - 1.
INLINE __m512i down(__m512i high, __m512i low) { return _mm512_alignr_epi64(high, low, 1); }
INLINE __m512i up(__m512i high, __m512i low) { return _mm512_alignr_epi64(high, low, 7); }

INLINE void clear(sums *s, const size_t vectors) {
  EACH_VECTOR(j, vectors, s->x[j] = s->y[j] = zero());
  s->x[vectors] = s->y[vectors] = s->q = s->carry = zero();
}

// What of a a row multiplies by its limb b_i, once or twice: the vectors from `first` on, of that one `lanes`.
typedef struct part {
  size_t first;
  __mmask8 lanes;
  bool twice;
} part;

// sum = (sum + a b_i + q n) / 2^52. A product's high half belongs one limb above its low half, and is added after the
// shift by a limb: that of q n, which no row waits for, in the next row. So all that lies between one quotient and the
// next is a broadcast, a product and two sums.
// Lanes: a row adds two halves below 2^52 to each of x and y, and a limb is there for 80 rows or fewer, so that either
// is below 2^60; in a square x has one of every two products, and y one half more. So what is shifted out is below 2^61
// and the carry below 2^9.
INLINE void row(sums *s, const uint64_t *a, uint64_t b_i, const uint64_t *n, const size_t vectors, const part of) {
  const __m512i b = _mm512_set1_epi64((long long)b_i);
  s->x[of.first] = _mm512_mask_madd52lo_epu64(s->x[of.first], of.lanes, vector(a, of.first), b);
  const __m512i x = of.twice ? _mm512_add_epi64(s->x[0], s->x[0]) : s->x[0];
  const __m512i low = _mm512_add_epi64(_mm512_add_epi64(s->y[0], s->carry), x);
  const __m512i q = _mm512_broadcastq_epi64(_mm512_castsi512_si128(low));  // of which products take the low 52 bits
  s->carry = _mm512_srli_epi64(low, TN_BN_LIMB_BITS);
  EACH_VECTOR(j, vectors, {
    if (j + 1 < vectors && j + 1 > of.first) s->x[j + 1] = _mm512_madd52lo_epu64(s->x[j + 1], vector(a, j + 1), b);
    s->x[j] = down(s->x[j + 1], s->x[j]);
    if (j >= of.first) s->x[j] = _mm512_mask_madd52hi_epu64(s->x[j], j == of.first ? of.lanes : 0xff, vector(a, j), b);
  });
  EACH_VECTOR(j, vectors, {
    s->y[j] = down(s->y[j + 1], s->y[j]);
    s->y[j] = _mm512_madd52hi_epu64(s->y[j], vector(n, j), s->q);
    s->y[j] = _mm512_madd52lo_epu64(s->y[j], vector(n, j), q);
  });
  s->q = q;
}

// Limbs below 2^52 of a number whose lanes are below 2^61.
INLINE void store_normal(uint64_t *r, __m512i *sum, const size_t vectors) {
  const __m512i limb = _mm512_set1_epi64((long long)TN_BN_LIMB_MASK);
  __m512i below = zero();
  uint64_t over[2] = {0}, full[2] = {0};
  EACH_VECTOR(j, vectors, {
    // Below 2^52 + 2^9 with the excess of the limb below: one more carry at most, which may run through limbs that are
    // full.
    const __m512i excess = _mm512_srli_epi64(sum[j], TN_BN_LIMB_BITS);
    sum[j] = _mm512_add_epi64(_mm512_and_si512(sum[j], limb), up(excess, below));
    below = excess;
    over[j / 8] |= (uint64_t)_cvtmask8_u32(_mm512_cmpgt_epu64_mask(sum[j], limb)) << (8 * (j % 8));
    full[j / 8] |= (uint64_t)_cvtmask8_u32(_mm512_cmpeq_epu64_mask(sum[j], limb)) << (8 * (j % 8));
  });
  // As bits, carries run by an addition. The sum differs from `full` in the limbs that get one. (In words of 64 bits:
  // gcc 12 leaves what it will around a mask that it spills in one of 128.)
  const uint64_t low = (over[0] << 1) + full[0];
  const uint64_t high = (over[1] << 1 | over[0] >> 63) + full[1] + (low < full[0]);
  const uint64_t more[2] = {low ^ full[0], high ^ full[1]};
  EACH_VECTOR(j, vectors, {
    const __mmask8 lanes = _cvtu32_mask8((uint32_t)(more[j / 8] >> (8 * (j % 8))) & 0xff);
    sum[j] = _mm512_mask_sub_epi64(sum[j], lanes, sum[j], _mm512_set1_epi64(-1));
    _mm512_store_si512(r + 8 * j, _mm512_and_si512(sum[j], limb));
  });
}

// r = x + y, with what rows left over.
INLINE void finish(uint64_t *r, sums *s, const uint64_t *n, const size_t vectors) {
  __m512i sum[MAX_VECTORS], below = zero();
  EACH_VECTOR(j, vectors, {
    const __m512i high = _mm512_madd52hi_epu64(zero(), vector(n, j), s->q);
    sum[j] = _mm512_add_epi64(_mm512_add_epi64(s->x[j], s->y[j]), up(high, below));
    below = high;
  });
  sum[0] = _mm512_add_epi64(sum[0], _mm512_maskz_mov_epi64(1, s->carry));
  store_normal(r, sum, vectors);
}

// Vectors of a power of which a row waits for its quotient rather than for the multiplier.
#define FEW 6
// Where not all of a and n fit in registers beside the sums, none is kept in one.
#define READ_AGAIN(vectors, a, n) \
  do {                            \
    if ((vectors) > FEW) {        \
      TN_OPAQUE("r", a);          \
      TN_OPAQUE("r", n);          \
    }                             \
  } while (0)

INLINE void multiply_abreast(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *n, const size_t vectors,
                             const size_t rows, const size_t powers) {
  const size_t limbs = 8 * vectors;
  const part all = {0, 0xff, false};
  sums s[2];
  EACH_POWER(p, powers, clear(&s[p], vectors));
  for (size_t i = 0; i < rows; i++) {
    READ_AGAIN(vectors * powers, a, n);
    EACH_POWER(p, powers, row(&s[p], a + p * limbs, b[p * limbs + i], n + p * limbs, vectors, all));
  }
  EACH_POWER(p, powers, finish(r + p * limbs, &s[p], n + p * limbs, vectors));
}

// y = the squares of a's limbs, as far as it goes, and `above` = zero so far and the squares from there on.
INLINE void squares(__m512i *y, uint64_t *above, const uint64_t *a, const size_t vectors) {
  const __m512i first = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), last = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
  EACH_VECTOR(j, vectors, {
    const __m512i low = _mm512_madd52lo_epu64(zero(), vector(a, j), vector(a, j));
    const __m512i high = _mm512_madd52hi_epu64(zero(), vector(a, j), vector(a, j));
    const __m512i even = _mm512_permutex2var_epi64(low, first, high), odd = _mm512_permutex2var_epi64(low, last, high);
    if (2 * j < vectors) y[2 * j] = even;
    if (2 * j + 1 < vectors) y[2 * j + 1] = odd;
    _mm512_store_si512(above + 16 * j, 2 * j < vectors ? zero() : even);
    _mm512_store_si512(above + 16 * j + 8, 2 * j + 1 < vectors ? zero() : odd);
  });
}

INLINE void finish_square(uint64_t *r, sums *s, const uint64_t *above, const uint64_t *n, const size_t vectors,
                          const size_t rows) {
  EACH_VECTOR(j, vectors, {
    s->x[j] = _mm512_add_epi64(s->x[j], s->x[j]);
    s->y[j] = _mm512_add_epi64(s->y[j], _mm512_loadu_si512(above + rows + 8 * j));
  });
  finish(r, s, n, vectors);
}

// The product of two limbs that differ is made once, in the row of the lower, and doubled.
INLINE void square_abreast(uint64_t *r, const uint64_t *a, const uint64_t *n, const size_t vectors, const size_t rows,
                           const size_t powers) {
  const size_t limbs = 8 * vectors;
  _Alignas(64) uint64_t above[2][16 * MAX_VECTORS];
  sums s[2];
  EACH_POWER(p, powers, {
    clear(&s[p], vectors);
    squares(s[p].y, above[p], a + p * limbs, vectors);
  });
  EACH_VECTOR(first, vectors, {
    part higher = {first, 0xff, true};
    for (size_t i = 8 * first; i < 8 * (first + 1) && i < rows; i++) {
      higher.lanes = (__mmask8)(higher.lanes << 1);
      READ_AGAIN(vectors * powers, a, n);
      EACH_POWER(p, powers, row(&s[p], a + p * limbs, a[p * limbs + i], n + p * limbs, vectors, higher));
    }
  });
  EACH_POWER(p, powers, finish_square(r + p * limbs, &s[p], above[p], n + p * limbs, vectors, rows));
}

// The powers are independent of each other: the processor does one's products while the other's quotient is on its way.
// In long numbers a row has enough of its own, and only the end of one power hides behind the beginning of the next.
INLINE void multiply(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *n, const size_t vectors,
                     const size_t rows, const size_t powers) {
  const size_t abreast = vectors * powers <= 8 ? powers : 1;
  for (size_t p = 0; p < powers; p += abreast) {
    const size_t at = 8 * vectors * p;
    multiply_abreast(r + at, a + at, b + at, n + at, vectors, rows, abreast);
  }
}
INLINE void square(uint64_t *r, const uint64_t *a, const uint64_t *n, const size_t vectors, const size_t rows,
                   const size_t powers) {
  const size_t abreast = vectors * powers <= 8 ? powers : 1;
  for (size_t p = 0; p < powers; p += abreast) {
    const size_t at = 8 * vectors * p;
    if (vectors * abreast <= FEW)
      multiply_abreast(r + at, a + at, a + at, n + at, vectors, rows, abreast);
    else
      square_abreast(r + at, a + at, n + at, vectors, rows, abreast);
  }
}

INLINE void select_one(uint64_t *r, const uint64_t *entry, uint64_t index, const size_t vectors, size_t stride) {
  __m512i found[MAX_VECTORS];
  EACH_VECTOR(j, vectors, found[j] = zero());
  for (size_t i = 0; i < TN_BN_ENTRIES; i++, entry += stride) {
    const __m512i mask = _mm512_set1_epi64((long long)tn_ct_eq(index, i));
    EACH_VECTOR(j, vectors, found[j] = _mm512_or_si512(found[j], _mm512_and_si512(mask, vector(entry, j))));
  }
  EACH_VECTOR(j, vectors, _mm512_store_si512(r + 8 * j, found[j]));
}

#define SIZE(vectors, rows, powers)                                                                                \
  TARGET static void mul_##rows##_##powers(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *n) { \
    multiply(r, a, b, n, vectors, rows, powers);                                                                   \
  }                                                                                                                \
  TARGET static void sqr_##rows##_##powers(uint64_t *r, const uint64_t *a, const uint64_t *n) {                    \
    square(r, a, n, vectors, rows, powers);                                                                        \
  }                                                                                                                \
  TARGET static void select_##rows##_##powers(uint64_t *r, const uint64_t *table, const uint64_t *index) {         \
    for (size_t p = 0; p < powers; p++)                                                                            \
      select_one(r + 8 * vectors * p, table + 8 * vectors * p, index[p], vectors, 8 * vectors * powers);           \
  }
#define ROW(vectors, rows, powers) \
  { vectors, rows, powers, mul_##rows##_##powers, sqr_##rows##_##powers, select_##rows##_##powers }

SIZE(3, 21, 1)
SIZE(3, 21, 2)
SIZE(4, 31, 1)
SIZE(4, 31, 2)
SIZE(5, 40, 1)
SIZE(6, 41, 1)
SIZE(6, 41, 2)
SIZE(8, 61, 1)
SIZE(8, 61, 2)
SIZE(10, 80, 1)

const tn_bn_ifma_size *tn_bn_ifma_size_of(size_t rows, size_t powers) {
  static const tn_bn_ifma_size sizes[] = {ROW(3, 21, 1), ROW(3, 21, 2), ROW(4, 31, 1), ROW(4, 31, 2), ROW(5, 40, 1),
                                          ROW(6, 41, 1), ROW(6, 41, 2), ROW(8, 61, 1), ROW(8, 61, 2), ROW(10, 80, 1)};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (sizes[i].rows == rows && sizes[i].powers == powers) return &sizes[i];
  return NULL;
}

#endif
