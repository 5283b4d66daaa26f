// Mbed TLS's way with fields: its big integers, as its curves use them where they have no reduction of their own. Those
// are internal to it.
#include "mbedtls.h"

#if defined(BENCH_MBEDTLS_2)
#include <mbedtls/bignum.h>
#include <stdlib.h>

typedef struct field_state {
  mbedtls_mpi start[FIELD_STARTS], factor, p, r;
} field_state;

static bool field_make(bench_job *job) {
  const field_case *c = field_case_of(job);
  field_state *s = job->state = calloc(1, sizeof *s);
  BENCH_NEED(s != NULL, job->name);
  mbedtls_mpi_init(&s->factor);
  mbedtls_mpi_init(&s->p);
  mbedtls_mpi_init(&s->r);
  int status = mbedtls_mpi_read_binary_le(&s->factor, c->plain.factor, FIELD_MAX_BYTES);
  if (status == 0) status = mbedtls_mpi_read_binary_le(&s->p, c->p, FIELD_MAX_BYTES);
  for (size_t k = 0; k < FIELD_STARTS; k++) {
    mbedtls_mpi_init(&s->start[k]);
    if (status == 0) status = mbedtls_mpi_read_binary_le(&s->start[k], c->plain.start[k], FIELD_MAX_BYTES);
  }
  return status == 0;
}

static bool field_one(bench_job *job, uint64_t i) {
  const field_case *c = field_case_of(job);
  field_state *s = job->state;
  const mbedtls_mpi *start = &s->start[i % FIELD_STARTS];
  int status = 0;
  if (c->step == FIELD_MUL || c->step == FIELD_SQR) {
    const mbedtls_mpi *factor = c->step == FIELD_SQR ? &s->r : &s->factor;
    status |= mbedtls_mpi_copy(&s->r, start);
    for (int k = 0; k < FIELD_TIMES; k++)
      status |= mbedtls_mpi_mul_mpi(&s->r, &s->r, factor) | mbedtls_mpi_mod_mpi(&s->r, &s->r, &s->p);
  } else if (c->step == FIELD_REDUCE) {
    for (int k = 0; k < FIELD_TIMES; k++) status |= mbedtls_mpi_mod_mpi(&s->r, start, &s->p);
  } else {
    for (int k = 0; k < FIELD_TIMES; k++) status |= mbedtls_mpi_mul_mpi(&s->r, start, &s->factor);
  }
  return status == 0 && mbedtls_mpi_write_binary_le(&s->r, job->out, c->out_len) == 0;
}

static void field_free(bench_job *job) {
  field_state *s = job->state;
  for (size_t k = 0; k < FIELD_STARTS; k++) mbedtls_mpi_free(&s->start[k]);
  mbedtls_mpi_free(&s->factor);
  mbedtls_mpi_free(&s->p);
  mbedtls_mpi_free(&s->r);
  free(s);
}

const bench_way mbedtls_field = {bench_mbedtls_name, field_make, field_one, field_free};

#endif
