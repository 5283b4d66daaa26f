#if defined(__x86_64__)

#include <immintrin.h>

#include "crypto/bn/bn.h"
#include "crypto/x86_64/bn_ifma.h"

#define TARGET __attribute__((target("avx512f,avx512ifma,avx512vl,avx512dq,avx512bw,bmi2")))
#define INLINE TARGET __attribute__((always_inline)) static inline
// All of a loop at once, so that what it counts are registers.
#if defined(__clang__)
#define EACH(i, n) _Pragma("clang loop unroll(full)") for (size_t i = 0; i < (n); i++)
#else
#define EACH(i, n) _Pragma("GCC unroll 16") for (size_t i = 0; i < (n); i++)
#endif
#define MAX_VECTORS 10

// The accumulators of one power. Their sum is the number so far.
typedef struct sums {
  __m512i x[MAX_VECTORS], y[MAX_VECTORS];  // products with a, and with n
  __m512i q, carry;                        // the last quotient; lane 0 is what the lowest limb has yet to give
} sums;

INLINE __m512i zero(void) { return _mm512_setzero_si512(); }
INLINE __m512i vector(const uint64_t *a, size_t i) { return _mm512_load_si512(a + 8 * i); }
// Lane i + 1 of a number, whose next vector is `high`, in lane i; and lane i - 1.
INLINE __m512i down(__m512i high, __m512i low) { return _mm512_alignr_epi64(high, low, 1); }
INLINE __m512i up(__m512i high, __m512i low) { return _mm512_alignr_epi64(high, low, 7); }

// sum = (sum + a b_i + q n) / 2^52. A product's high half belongs one limb above its low half, and is added after the
// shift by a limb: that of q n, which no row waits for, in the next row. So all that lies between one quotient and the
// next is a broadcast, a product and two sums.
// Lanes: a row adds two halves below 2^52 to each of x and y, so that 2^52 2 rows < 2^60 bounds either, and the carry
// is below 2^10.
INLINE void row(sums *s, const uint64_t *a, uint64_t b_i, const uint64_t *n, const size_t vectors) {
  const __m512i b = _mm512_set1_epi64((long long)b_i);
  s->x[0] = _mm512_madd52lo_epu64(s->x[0], vector(a, 0), b);
  const __m512i low = _mm512_add_epi64(_mm512_add_epi64(s->x[0], s->carry), s->y[0]);
  const __m512i q = _mm512_broadcastq_epi64(_mm512_castsi512_si128(low));  // of which products take the low 52 bits
  s->carry = _mm512_srli_epi64(low, TN_BN_LIMB_BITS);
  EACH(j, vectors) {
    if (j + 1 < vectors) s->x[j + 1] = _mm512_madd52lo_epu64(s->x[j + 1], vector(a, j + 1), b);
    s->x[j] = down(j + 1 < vectors ? s->x[j + 1] : zero(), s->x[j]);
    s->x[j] = _mm512_madd52hi_epu64(s->x[j], vector(a, j), b);
  }
  EACH(j, vectors) {
    s->y[j] = down(j + 1 < vectors ? s->y[j + 1] : zero(), s->y[j]);
    s->y[j] = _mm512_madd52hi_epu64(s->y[j], vector(n, j), s->q);
    s->y[j] = _mm512_madd52lo_epu64(s->y[j], vector(n, j), q);
  }
  s->q = q;
}

// Limbs below 2^52 of a number whose lanes are below 2^61.
INLINE void store_normal(uint64_t *r, __m512i *sum, const size_t vectors) {
  const __m512i limb = _mm512_set1_epi64((long long)TN_BN_LIMB_MASK);
  __m512i high[MAX_VECTORS];
  unsigned __int128 over = 0, full = 0;
  EACH(j, vectors) {
    high[j] = _mm512_srli_epi64(sum[j], TN_BN_LIMB_BITS);
    sum[j] = _mm512_and_si512(sum[j], limb);
  }
  EACH(j, vectors) {
    // Below 2^52 + 2^9: one more carry at most, which may run through limbs that are full.
    sum[j] = _mm512_add_epi64(sum[j], up(high[j], j == 0 ? zero() : high[j - 1]));
    over |= (unsigned __int128)_mm512_cmpgt_epu64_mask(sum[j], limb) << (8 * j);
    full |= (unsigned __int128)_mm512_cmpeq_epu64_mask(sum[j], limb) << (8 * j);
  }
  // As bits, carries run by an addition; the bits that it changes other than by running out are the lanes that get one.
  const unsigned __int128 more = ((over << 1) + full) ^ full;
  EACH(j, vectors) {
    sum[j] = _mm512_mask_sub_epi64(sum[j], (__mmask8)(more >> (8 * j)), sum[j], _mm512_set1_epi64(-1));
    _mm512_store_si512(r + 8 * j, _mm512_and_si512(sum[j], limb));
  }
}

// r = x + y, with what rows left over.
INLINE void finish(uint64_t *r, sums *s, const uint64_t *n, const size_t vectors) {
  __m512i sum[MAX_VECTORS], below = zero();
  EACH(j, vectors) {
    const __m512i high = _mm512_madd52hi_epu64(zero(), vector(n, j), s->q);
    sum[j] = _mm512_add_epi64(_mm512_add_epi64(s->x[j], s->y[j]), up(high, below));
    below = high;
  }
  sum[0] = _mm512_add_epi64(sum[0], _mm512_maskz_mov_epi64(1, s->carry));
  store_normal(r, sum, vectors);
}

// Where neither a and n nor the sums of another power would fit in registers, a and n are read in each row.
INLINE void multiply_abreast(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *n, const size_t vectors,
                             const size_t rows, const size_t powers) {
  sums s[2];
  EACH(p, powers) {
    EACH(j, vectors) s[p].x[j] = s[p].y[j] = zero();
    s[p].q = s[p].carry = zero();
  }
  for (size_t i = 0; i < rows; i++) {
    if (vectors * powers > 6) {
      TN_OPAQUE("r", a);
      TN_OPAQUE("r", n);
    }
    EACH(p, powers) row(&s[p], a + 8 * vectors * p, b[8 * vectors * p + i], n + 8 * vectors * p, vectors);
  }
  EACH(p, powers) finish(r + 8 * vectors * p, &s[p], n + 8 * vectors * p, vectors);
}

// The powers are independent of each other: the processor does one's products while the other's quotient is on its way.
// In long numbers a row has enough of its own, and only the end of one power hides behind the beginning of the next.
INLINE void multiply(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *n, const size_t vectors,
                     const size_t rows, const size_t powers) {
  if (vectors * powers <= 8) {
    multiply_abreast(r, a, b, n, vectors, rows, powers);
  } else {
    for (size_t p = 0; p < powers; p++) {
      const size_t at = 8 * vectors * p;
      multiply_abreast(r + at, a + at, b + at, n + at, vectors, rows, 1);
    }
  }
}

INLINE void select_entry(uint64_t *r, const uint64_t *table, const uint64_t *index, const size_t vectors,
                         const size_t powers) {
  EACH(p, powers) {
    const __m512i wanted = _mm512_set1_epi64((long long)index[p]);
    __m512i found[MAX_VECTORS];
    EACH(j, vectors) found[j] = zero();
    for (size_t i = 0; i < TN_BN_ENTRIES; i++) {
      const __m512i mask = _mm512_movm_epi64(_mm512_cmpeq_epi64_mask(wanted, _mm512_set1_epi64((long long)i)));
      const uint64_t *entry = table + 8 * vectors * (powers * i + p);
      // found | mask & entry
      EACH(j, vectors) found[j] = _mm512_ternarylogic_epi64(found[j], mask, vector(entry, j), 0xf8);
    }
    EACH(j, vectors) _mm512_store_si512(r + 8 * (vectors * p + j), found[j]);
  }
}

#define SIZE(vectors, rows, powers)                                                                                \
  TARGET static void mul_##rows##_##powers(uint64_t *r, const uint64_t *a, const uint64_t *b, const uint64_t *n) { \
    multiply(r, a, b, n, vectors, rows, powers);                                                                   \
  }                                                                                                                \
  TARGET static void sqr_##rows##_##powers(uint64_t *r, const uint64_t *a, const uint64_t *n) {                    \
    mul_##rows##_##powers(r, a, a, n);                                                                             \
  }                                                                                                                \
  TARGET static void select_##rows##_##powers(uint64_t *r, const uint64_t *table, const uint64_t *index) {         \
    select_entry(r, table, index, vectors, powers);                                                                \
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
