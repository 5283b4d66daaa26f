// Operations of a field: products and squares in chains, each of the one before, as point arithmetic has them;
// reductions and plain products by themselves.
// Ours are Montgomery's: they give a b / R. A library without that form is given b / R, or x / R to square, so that it
// does as much and its results can be told.
#ifndef TN_BENCH_FIELD_CASE_H
#define TN_BENCH_FIELD_CASE_H

#include "crypto/ec/field_ops.h"
#include "way.h"

#define FIELD_STARTS 4  // that operations go round
#define FIELD_TIMES 64  // steps of an operation
#define FIELD_MAX_BYTES (8 * TN_FIELD_OP_MAX_WORDS)

typedef enum field_step { FIELD_MUL, FIELD_SQR, FIELD_REDUCE, FIELD_PRODUCT } field_step;

// Numbers are little-endian.
typedef struct field_form {
  uint8_t start[FIELD_STARTS][FIELD_MAX_BYTES];  // to be multiplied, squared or reduced
  uint8_t factor[FIELD_MAX_BYTES];               // what a chain multiplies by
  uint8_t result[FIELD_STARTS][FIELD_MAX_BYTES];
} field_form;

typedef struct field_case {
  const tn_field_op *op;
  field_step step;
  size_t out_len;              // bytes of a result
  size_t p_len;                // of the prime; 0: a plain product
  uint8_t p[FIELD_MAX_BYTES];  // the prime
  field_form montgomery, plain;
} field_case;

static inline const field_case *field_case_of(const bench_job *job) { return job->algorithm; }

// Draws numbers for the operation, and finds its results by division. Dies if it cannot.
void field_case_make(field_case *c, const tn_field_op *op);

#endif
