// Polynomials of ML-KEM: Z_q[X] / (X^256 + 1), q = 3329, and what is done with their coefficients.
//
// A coefficient is an int16_t that stands for its residue modulo q; each function says within which bounds it takes and
// leaves it. Products are Montgomery's with R = 2^16: montgomery(a, b) = a * b / R modulo q. Transformed polynomials
// are in the order of FIPS 203 section 4.3.
#ifndef TN_CRYPTO_MLKEM_POLY_H
#define TN_CRYPTO_MLKEM_POLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TN_MLKEM_N 256
#define TN_MLKEM_Q 3329
#define TN_MLKEM_MAX_K 4

typedef struct tn_poly {
  _Alignas(64) int16_t c[TN_MLKEM_N];
} tn_poly;

// One row a path. No function branches on coefficients but `sample`.
typedef struct tn_poly_arithmetic {
  const char *path;
  uint32_t cpu;  // the TN_CPU_ bits that it needs

  // The number-theoretic transform. From |f| <= q to |f| <= (q - 1) / 2.
  void (*ntt)(tn_poly *f);
  // The inverse, times R. From |f| <= q to |f| < q.
  void (*inverse_ntt)(tn_poly *f);
  // out = b with its odd coefficients multiplied by the root of their pair: what `dot` takes beside b.
  // From |b| <= q to |out| <= q.
  void (*twist)(tn_poly *out, const tn_poly *b);
  // out = sum of a[i] * b[i] / R over i < k, transformed polynomials. |a| < 4096, |b| <= q / 2, |out| <= q.
  void (*dot)(tn_poly *out, const tn_poly *a, const tn_poly *b, const tn_poly *twisted_b, size_t k);
  // f = f * R + e. |f| <= q, |e| <= q; |f| <= 2q afterwards.
  void (*scale_add)(tn_poly *f, const tn_poly *e);
  void (*add)(tn_poly *f, const tn_poly *g);       // f = f + g
  void (*subtract)(tn_poly *f, const tn_poly *g);  // f = f - g

  // Candidates of 12 bits, two in three bytes, n bytes: appends to `out` those that are less than q, at most `room`.
  // Returns how many. n is a multiple of 24. leaks: the bytes.
  size_t (*sample)(int16_t *out, size_t room, const uint8_t *in, size_t n);
  // SamplePolyCBD with eta = 2. |f| <= 2.
  void (*noise2)(tn_poly *f, const uint8_t in[128]);

  // ByteEncode_d, after Compress_d where d < 12: 32 * d bytes of any f. d is 1, 4, 5, 10, 11 or 12.
  void (*encode)(uint8_t *out, const tn_poly *f, unsigned d);
  // ByteDecode_d, then Decompress_d where d < 12. 0 <= f < q; for d = 12, f < 4096, as it stands there.
  void (*decode)(tn_poly *f, const uint8_t *in, unsigned d);
  // Whether f < q. leaks: the verdict. The registers hold nothing secret.
  bool (*is_reduced)(const tn_poly *f);

  void (*wipe_registers)(void);
} tn_poly_arithmetic;

extern const tn_poly_arithmetic tn_poly_portable;
extern const tn_poly_arithmetic tn_poly_avx2;
extern const tn_poly_arithmetic tn_poly_avx512;

// The best that this processor can run.
const tn_poly_arithmetic *tn_poly_best(void);

// SamplePolyCBD with eta = 3, which ML-KEM-512 alone uses. |f| <= 3.
void tn_poly_noise3(tn_poly *f, const uint8_t in[192]);

// ---------------------------------------------------------------- the constants of the paths
#define TN_MLKEM_Q_INVERSE (-3327)  // 1 / q modulo R
#define TN_MLKEM_BARRETT 20159      // 2^26 / q, rounded
#define TN_MLKEM_R2 1353            // R^2 modulo q
#define TN_MLKEM_R2_128 1441        // R^2 / 128 modulo q: the inverse transform's last factor

#endif
