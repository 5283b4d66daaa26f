// The arithmetic of the fields by itself, for benchmarks and tests: the functions that the curves' implementations
// are made of.
#ifndef TN_CRYPTO_FIELD_OPS_H
#define TN_CRYPTO_FIELD_OPS_H

#include <stdint.h>

#define TN_FIELD_OP_MAX_WORDS 12

// r, and what is read of a and b, have at most TN_FIELD_OP_MAX_WORDS words. Constant time.
typedef struct tn_field_op {
  const char *name;  // "p256-mul", "p256-sqr", "p384-mul", "p384-sqr", "p384-reduce", "mul-6x6"
  const char *path;  // "portable", "adx"
  uint32_t cpu;      // the TN_CPU_ bits that it needs
  // mul and sqr: r = a b / 2^n mod p and a^2 / 2^n mod p, for a, b < p and n = 256 or 384. r may be a or b.
  // reduce: r = a / 2^384 mod p, for a of 12 words, at most (p - 1)^2. r may be a.
  // mul-6x6: r = a b, 12 words, for any a and b of 6; r does not overlap them.
  void (*op)(uint64_t *r, const uint64_t *a, const uint64_t *b);
} tn_field_op;

// Every operation on every path; of one name the best path first. Ends with a row without a name.
extern const tn_field_op tn_field_ops[];

// Inside: what the portable implementations give to the table. (Those of assembly are functions already.)
void tn_p256_mul_portable(uint64_t *r, const uint64_t *a, const uint64_t *b);
void tn_p256_sqr_portable(uint64_t *r, const uint64_t *a, const uint64_t *unused);
void tn_p384_mul_portable(uint64_t *r, const uint64_t *a, const uint64_t *b);
void tn_p384_sqr_portable(uint64_t *r, const uint64_t *a, const uint64_t *unused);
void tn_p384_reduce_portable(uint64_t *r, const uint64_t *a, const uint64_t *unused);
void tn_p384_product_portable(uint64_t *r, const uint64_t *a, const uint64_t *b);

#endif
