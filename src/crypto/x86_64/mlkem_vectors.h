// The polynomial arithmetic of ML-KEM over vectors of WIDTH coefficients: the transforms and the products. A template:
// who includes it defines
//   TARGET     the attribute of functions that use the vectors
//   vector     the type: WIDTH int16_t
//   MULHI      the upper halves of the products of 16-bit words
//   MULHRS     the products, divided by 2^15 and rounded
//   MADD       the sums of two neighbouring products, in 32 bits
//   SET1_16    a vector of equal words
//   SHIFT_LEFT_32, SHIFT_RIGHT_32, BLEND_ODD(a, b)   of a, with the odd words of b
//   SWAP_16    the words of each pair exchanged
//   exchange_16, exchange_8, exchange_4, exchange_2  see below
#include "crypto/mlkem/poly.h"
#include "crypto/mlkem/zetas.h"

#define INLINE TARGET __attribute__((always_inline)) static inline

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

typedef uint16_t unsigned_vector __attribute__((vector_size(2 * WIDTH)));

INLINE vector load(const int16_t *p) { return *(const vector *)p; }
INLINE void store(int16_t *p, vector v) { *(vector *)p = v; }
INLINE vector mullo(vector a, vector b) { return (vector)((unsigned_vector)a * (unsigned_vector)b); }
// a - b where only the difference, not b, needs to fit.
INLINE vector minus(vector a, vector b) { return (vector)((unsigned_vector)a - (unsigned_vector)b); }

// a * b / R, where b_q = b / q modulo R. The low halves of both products are equal, so no borrow comes from them.
// For |b| <= q / 2: |a| / 39 + q / 2 at most.
INLINE vector montgomery(vector a, vector b, vector b_q) {
  return MULHI(a, b) - MULHI(mullo(a, b_q), SET1_16(TN_MLKEM_Q));
}

// As in poly_portable.c: between -(q - 1) / 2 and (q - 1) / 2. 32 / 2^15 is the 2^-10 that MULHI leaves to do.
INLINE vector reduce(vector a) {
  const vector quotient = MULHRS(MULHI(a, SET1_16(TN_MLKEM_BARRETT)), SET1_16(32));
  return minus(a, mullo(quotient, SET1_16(TN_MLKEM_Q)));
}

// ---------------------------------------------------------------- the transforms
// Layers 128, 64 and 32 pair whole vectors. In layers 16 to 2 the pairs are within 2 * WIDTH coefficients, two vectors;
// where a layer pairs coefficients of one vector, exchange_LEN() first swaps two bits of every coefficient's number:
// the bit LEN with the one that tells the two vectors apart. The exchanges undo themselves in reverse order. A layer's
// factors stand in the order of the first coefficients of its pairs, which all this leaves as it is.

// Where the factors of layer `len` stand for the pairs whose first coefficient is i.
INLINE size_t factors(size_t len, size_t i) {
  const size_t layer = 7 - (size_t)__builtin_ctzl(len);
  return 128 * layer + i / (2 * len) * len + i % len;
}

// Bounds as in poly_portable.c.
INLINE void forward_pair(vector *a, vector *b, size_t at) {
  const vector t = montgomery(*b, load(forward + at), load(forward_q + at));
  *b = *a - t;
  *a = *a + t;
}

INLINE void inverse_pair(vector *a, vector *b, size_t len, size_t at) {
  const vector sum = *a + *b;
  *b = montgomery(*b - *a, load(inverse + at), load(inverse_q + at));
  *a = len == 8 || len == 64 ? reduce(sum) : sum;
}

#define BLOCK (2 * WIDTH)

TARGET static void ntt(tn_poly *p) {
  int16_t *f = p->c;
  for (size_t i = 0; i < 32; i += WIDTH) {
    vector v[8];
    UNROLL for (size_t j = 0; j < 8; j++) v[j] = load(f + 32 * j + i);
    UNROLL for (size_t len = 4; len >= 1; len /= 2) {
      UNROLL for (size_t j = 0; j < 8; j++) {
        if ((j & len) == 0) forward_pair(&v[j], &v[j + len], factors(32 * len, 32 * j + i));
      }
    }
    UNROLL for (size_t j = 0; j < 8; j++) store(f + 32 * j + i, v[j]);
  }
  for (size_t i = 0; i < TN_MLKEM_N; i += BLOCK) {
    vector a = load(f + i), b = load(f + i + WIDTH);
    exchange_16(&a, &b);
    forward_pair(&a, &b, factors(16, i));
    exchange_8(&a, &b);
    forward_pair(&a, &b, factors(8, i));
    exchange_4(&a, &b);
    forward_pair(&a, &b, factors(4, i));
    exchange_2(&a, &b);
    forward_pair(&a, &b, factors(2, i));
    a = reduce(a);
    b = reduce(b);
    exchange_2(&a, &b);
    exchange_4(&a, &b);
    exchange_8(&a, &b);
    exchange_16(&a, &b);
    store(f + i, a);
    store(f + i + WIDTH, b);
  }
}

TARGET static void inverse_ntt(tn_poly *p) {
  int16_t *f = p->c;
  for (size_t i = 0; i < TN_MLKEM_N; i += BLOCK) {
    vector a = load(f + i), b = load(f + i + WIDTH);
    exchange_16(&a, &b);
    exchange_8(&a, &b);
    exchange_4(&a, &b);
    exchange_2(&a, &b);
    inverse_pair(&a, &b, 2, factors(2, i));
    exchange_2(&a, &b);
    inverse_pair(&a, &b, 4, factors(4, i));
    exchange_4(&a, &b);
    inverse_pair(&a, &b, 8, factors(8, i));
    exchange_8(&a, &b);
    inverse_pair(&a, &b, 16, factors(16, i));
    exchange_16(&a, &b);
    store(f + i, a);
    store(f + i + WIDTH, b);
  }
  // The last layer's factors contain R / 128; its sums get that by a product of their own.
  const vector scale = SET1_16(TN_MLKEM_R2_128);
  const vector scale_q = SET1_16((int16_t)(TN_MLKEM_R2_128 * TN_MLKEM_Q_INVERSE));
  for (size_t i = 0; i < 32; i += WIDTH) {
    vector v[8];
    UNROLL for (size_t j = 0; j < 8; j++) v[j] = load(f + 32 * j + i);
    UNROLL for (size_t len = 1; len <= 4; len *= 2) {
      UNROLL for (size_t j = 0; j < 8; j++) {
        if ((j & len) == 0) inverse_pair(&v[j], &v[j + len], 32 * len, factors(32 * len, 32 * j + i));
      }
    }
    UNROLL for (size_t j = 0; j < 4; j++) store(f + 32 * j + i, montgomery(v[j], scale, scale_q));
    UNROLL for (size_t j = 4; j < 8; j++) store(f + 32 * j + i, v[j]);
  }
}

// ---------------------------------------------------------------- products

TARGET static void twist(tn_poly *out, const tn_poly *b) {
  for (size_t i = 0; i < TN_MLKEM_N; i += WIDTH)
    store(out->c + i, montgomery(load(b->c + i), load(twists + i), load(twists_q + i)));
}

// Section 4.3.1: the even coefficient of a product is that of (a, twisted b), the odd one that of (a, b swapped). The
// sums of 32 bits are less than 2^27 in size; Montgomery's reduction takes their halves, gathered in pairs again.
TARGET static void dot(tn_poly *out, const tn_poly *a, const tn_poly *b, const tn_poly *twisted_b, size_t k) {
  const vector q = SET1_16(TN_MLKEM_Q), q_inverse = SET1_16(TN_MLKEM_Q_INVERSE);
  for (size_t i = 0; i < TN_MLKEM_N; i += WIDTH) {
    wide even = {0}, odd = {0};
    for (size_t j = 0; j < k; j++) {
      const vector x = load(a[j].c + i);
      even += MADD(x, load(twisted_b[j].c + i));
      odd += MADD(x, SWAP_16(load(b[j].c + i)));
    }
    const vector low = BLEND_ODD((vector)even, SHIFT_LEFT_32(odd));
    const vector high = BLEND_ODD(SHIFT_RIGHT_32(even), (vector)odd);
    store(out->c + i, high - MULHI(mullo(low, q_inverse), q));
  }
}

TARGET static void scale_add(tn_poly *f, const tn_poly *e) {
  const vector r2 = SET1_16(TN_MLKEM_R2), r2_q = SET1_16((int16_t)(TN_MLKEM_R2 * TN_MLKEM_Q_INVERSE));
  for (size_t i = 0; i < TN_MLKEM_N; i += WIDTH) store(f->c + i, montgomery(load(f->c + i), r2, r2_q) + load(e->c + i));
}

// ---------------------------------------------------------------- coefficient by coefficient

TARGET static void add(tn_poly *f, const tn_poly *g) {
  for (size_t i = 0; i < TN_MLKEM_N; i += WIDTH) store(f->c + i, load(f->c + i) + load(g->c + i));
}

TARGET static void subtract(tn_poly *f, const tn_poly *g) {
  for (size_t i = 0; i < TN_MLKEM_N; i += WIDTH) store(f->c + i, load(f->c + i) - load(g->c + i));
}

TARGET static bool is_reduced(const tn_poly *f) {
  vector excess = {0};  // negative where a coefficient is q or more
  for (size_t i = 0; i < TN_MLKEM_N; i += WIDTH) excess |= SET1_16(TN_MLKEM_Q - 1) - load(f->c + i);
  uint64_t words[WIDTH / 4], any = 0;
  __builtin_memcpy(words, &excess, sizeof words);
  for (size_t i = 0; i < WIDTH / 4; i++) any |= words[i];
  return (any & 0x8000800080008000) == 0;
}
