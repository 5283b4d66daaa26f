// The arithmetic of poly.h in plain C: the reference.
#include "crypto/mlkem/poly.h"

#define ZETAS_SCALAR
#include "crypto/mlkem/zetas.h"

#define Q TN_MLKEM_Q
#define N TN_MLKEM_N

// a * b / R, for |a * b| < 2^15 * q: the difference is a multiple of R, and less than q * R in size.
static inline int16_t montgomery(int16_t a, int16_t b) {
  const int32_t product = a * b;
  const int16_t quotient = (int16_t)(product * TN_MLKEM_Q_INVERSE);
  return (int16_t)((product - quotient * Q) >> 16);
}

// The residue of any a between -(q - 1) / 2 and (q - 1) / 2. The quotient is a / q rounded, with an error of at most
// 2^15 * 0.03 / 2^26 before rounding, which is less than the 1 / (2q) between a multiple of 1 / q and a half.
static inline int16_t reduce(int16_t a) {
  const int32_t quotient = (a * TN_MLKEM_BARRETT + (1 << 25)) >> 26;
  return (int16_t)(a - quotient * Q);
}

// Cooley and Tukey's butterflies. A factor is at most q / 2, so a layer adds |f| / 39 + q / 2 to the bound of |f|:
// from q, seven layers lead to 16,549.
static void ntt(tn_poly *p) {
  int16_t *f = p->c;
  size_t next = 1;
  for (size_t len = 128; len >= 2; len /= 2)
    for (size_t start = 0; start < N; start += 2 * len) {
      const int16_t zeta = zetas[next++];
      for (size_t j = start; j < start + len; j++) {
        const int16_t t = montgomery(f[j + len], zeta);
        f[j + len] = (int16_t)(f[j] - t);
        f[j] = (int16_t)(f[j] + t);
      }
    }
  for (size_t i = 0; i < N; i++) f[i] = reduce(f[i]);
}

// Gentleman and Sande's. A layer doubles the bound of its sums; its products are less than q. The sums are reduced
// after every third layer, where they are at most 8q < 2^15.
static void inverse_ntt(tn_poly *p) {
  int16_t *f = p->c;
  size_t next = 127;
  for (size_t len = 2; len <= 128; len *= 2)
    for (size_t start = 0; start < N; start += 2 * len) {
      const int16_t zeta = zetas[next--];
      for (size_t j = start; j < start + len; j++) {
        const int16_t t = f[j], sum = (int16_t)(t + f[j + len]);
        f[j] = len == 8 || len == 64 ? reduce(sum) : sum;
        f[j + len] = montgomery((int16_t)(f[j + len] - t), zeta);
      }
    }
  for (size_t i = 0; i < N; i++) f[i] = montgomery(f[i], TN_MLKEM_R2_128);
}

static void twist(tn_poly *out, const tn_poly *b) {
  for (size_t i = 0; i < N / 2; i++) {
    out->c[2 * i] = b->c[2 * i];
    out->c[2 * i + 1] = montgomery(b->c[2 * i + 1], gammas[i]);
  }
}

// Section 4.3.1, modulo X^2 - gamma: the products of all pairs are added in 32 bits, then reduced once. They are at
// most 8 * 4096 * q < 2^27 in size, which is less than q / 2 * R.
static void dot(tn_poly *out, const tn_poly *a, const tn_poly *b, const tn_poly *twisted_b, size_t k) {
  for (size_t i = 0; i < N; i += 2) {
    int32_t even = 0, odd = 0;
    for (size_t j = 0; j < k; j++) {
      const int16_t *x = a[j].c + i, *y = b[j].c + i, *z = twisted_b[j].c + i;
      even += x[0] * z[0] + x[1] * z[1];
      odd += x[0] * y[1] + x[1] * y[0];
    }
    const int16_t even_quotient = (int16_t)(even * (int64_t)TN_MLKEM_Q_INVERSE);
    const int16_t odd_quotient = (int16_t)(odd * (int64_t)TN_MLKEM_Q_INVERSE);
    out->c[i] = (int16_t)((even - even_quotient * Q) >> 16);
    out->c[i + 1] = (int16_t)((odd - odd_quotient * Q) >> 16);
  }
}

static void scale_add(tn_poly *f, const tn_poly *e) {
  for (size_t i = 0; i < N; i++) f->c[i] = (int16_t)(montgomery(f->c[i], TN_MLKEM_R2) + e->c[i]);
}

static void add(tn_poly *f, const tn_poly *g) {
  for (size_t i = 0; i < N; i++) f->c[i] = (int16_t)(f->c[i] + g->c[i]);
}

static void subtract(tn_poly *f, const tn_poly *g) {
  for (size_t i = 0; i < N; i++) f->c[i] = (int16_t)(f->c[i] - g->c[i]);
}

static size_t sample(int16_t *out, size_t room, const uint8_t *in, size_t n) {
  size_t taken = 0;
  for (size_t i = 0; i + 3 <= n && taken < room; i += 3) {
    const int first = in[i] | (in[i + 1] & 15) << 8, second = in[i + 1] >> 4 | in[i + 2] << 4;
    if (first < Q) out[taken++] = (int16_t)first;
    if (second < Q && taken < room) out[taken++] = (int16_t)second;
  }
  return taken;
}

static void noise2(tn_poly *f, const uint8_t in[128]) {
  for (size_t i = 0; i < 128; i++) {
    const int sums = (in[i] & 0x55) + (in[i] >> 1 & 0x55);
    f->c[2 * i] = (int16_t)((sums & 3) - (sums >> 2 & 3));
    f->c[2 * i + 1] = (int16_t)((sums >> 4 & 3) - (sums >> 6));
  }
}

// round(2^d * x / q) modulo 2^d, for x from reduce(); 1290168 is 2^32 / q, rounded up. What is multiplied is less than
// 2^23, so the quotient's error is less than 2^23 * 0.74 / 2^32 < 1 / q. No division: its time may depend on x.
static inline unsigned compress(int16_t x, unsigned d) {
  const uint32_t canonical = (uint32_t)(x + (Q & (x >> 15)));
  const uint64_t rounded = (((uint64_t)canonical << d) + Q / 2) * 1290168 >> 32;
  return (unsigned)rounded & ((1u << d) - 1);
}

static void encode(uint8_t *out, const tn_poly *f, unsigned d) {
  uint32_t bits = 0;
  unsigned have = 0;
  for (size_t i = 0; i < N; i++) {
    const int16_t x = reduce(f->c[i]);
    bits |= (d == 12 ? (unsigned)(x + (Q & (x >> 15))) : compress(x, d)) << have;
    for (have += d; have >= 8; have -= 8, bits >>= 8) *out++ = (uint8_t)bits;
  }
}

static void decode(tn_poly *f, const uint8_t *in, unsigned d) {
  uint32_t bits = 0;
  unsigned have = 0;
  for (size_t i = 0; i < N; i++) {
    for (; have < d; have += 8) bits |= (uint32_t)*in++ << have;
    const uint32_t y = bits & ((1u << d) - 1);
    f->c[i] = (int16_t)(d == 12 ? y : (y * Q + (1u << (d - 1))) >> d);
    bits >>= d;
    have -= d;
  }
}

static bool is_reduced(const tn_poly *f) {
  int excess = 0;  // negative if any coefficient is q or more
  for (size_t i = 0; i < N; i++) excess |= Q - 1 - f->c[i];
  return excess >= 0;
}

static void no_registers(void) {}

const tn_poly_arithmetic tn_poly_portable = {
    .path = "portable",
    .ntt = ntt,
    .inverse_ntt = inverse_ntt,
    .twist = twist,
    .dot = dot,
    .scale_add = scale_add,
    .add = add,
    .subtract = subtract,
    .sample = sample,
    .noise2 = noise2,
    .encode = encode,
    .decode = decode,
    .is_reduced = is_reduced,
    .wipe_registers = no_registers,
};
