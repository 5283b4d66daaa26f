// Arithmetic of the fields of P-256 and P-384.
#include <openssl/bn.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cpu.h"
#include "field_case.h"
#include "mbedtls.h"

// ---------------------------------------------------------------- ours

// Words of the case's numbers.
typedef struct our_numbers {
  uint64_t start[FIELD_STARTS][TN_FIELD_OP_MAX_WORDS], factor[TN_FIELD_OP_MAX_WORDS];
} our_numbers;

static bool our_make(bench_job *job) {
  const field_case *c = field_case_of(job);
  our_numbers *s = job->state = malloc(sizeof *s);
  BENCH_NEED(s != NULL, job->name);
  for (size_t k = 0; k < FIELD_STARTS; k++)
    for (size_t i = 0; i < TN_FIELD_OP_MAX_WORDS; i++) s->start[k][i] = tn_load_le64(c->montgomery.start[k] + 8 * i);
  for (size_t i = 0; i < TN_FIELD_OP_MAX_WORDS; i++) s->factor[i] = tn_load_le64(c->montgomery.factor + 8 * i);
  job->path = c->op->path;
  return true;
}

static bool our_one(bench_job *job, uint64_t i) {
  const field_case *c = field_case_of(job);
  const our_numbers *s = job->state;
  void (*const op)(uint64_t *, const uint64_t *, const uint64_t *) = c->op->op;
  uint64_t r[TN_FIELD_OP_MAX_WORDS];
  const uint64_t *start = s->start[i % FIELD_STARTS];
  if (c->step == FIELD_REDUCE || c->step == FIELD_PRODUCT) {
    for (int k = 0; k < FIELD_TIMES; k++) op(r, start, s->factor);
  } else {
    memcpy(r, start, sizeof r);
    for (int k = 0; k < FIELD_TIMES; k++) op(r, r, s->factor);
  }
  for (size_t k = 0; k < c->out_len / 8; k++) tn_store_le64(job->out + 8 * k, r[k]);
  return true;
}

static void free_state(bench_job *job) { free(job->state); }

// ---------------------------------------------------------------- OpenSSL's

typedef struct openssl_numbers {
  BIGNUM *start[FIELD_STARTS], *factor, *p, *r;
  BN_MONT_CTX *montgomery;
  BN_CTX *ctx;
} openssl_numbers;

static bool openssl_make_form(bench_job *job, const field_form *form) {
  const field_case *c = field_case_of(job);
  openssl_numbers *s = job->state = calloc(1, sizeof *s);
  BENCH_NEED(s != NULL, job->name);
  s->ctx = BN_CTX_new();
  s->r = BN_new();
  s->montgomery = BN_MONT_CTX_new();
  s->p = BN_lebin2bn(c->p, (int)c->p_len, NULL);
  s->factor = BN_lebin2bn(form->factor, FIELD_MAX_BYTES, NULL);
  for (size_t k = 0; k < FIELD_STARTS; k++) s->start[k] = BN_lebin2bn(form->start[k], FIELD_MAX_BYTES, NULL);
  BENCH_NEED(c->p_len == 0 || BN_MONT_CTX_set(s->montgomery, s->p, s->ctx) == 1, job->name);
  return true;
}

static bool openssl_make(bench_job *job) { return openssl_make_form(job, &field_case_of(job)->montgomery); }

static bool openssl_one(bench_job *job, uint64_t i) {
  const field_case *c = field_case_of(job);
  const openssl_numbers *s = job->state;
  const BIGNUM *start = s->start[i % FIELD_STARTS];
  bool good = true;
  if (c->step == FIELD_MUL || c->step == FIELD_SQR) {
    const BIGNUM *factor = c->step == FIELD_SQR ? s->r : s->factor;
    good = BN_copy(s->r, start) != NULL;
    for (int k = 0; k < FIELD_TIMES; k++) good &= BN_mod_mul_montgomery(s->r, s->r, factor, s->montgomery, s->ctx) == 1;
  } else if (c->step == FIELD_REDUCE) {
    for (int k = 0; k < FIELD_TIMES; k++) good &= BN_from_montgomery(s->r, start, s->montgomery, s->ctx) == 1;
  } else {
    for (int k = 0; k < FIELD_TIMES; k++) good &= BN_mul(s->r, start, s->factor, s->ctx) == 1;
  }
  return good && BN_bn2lebinpad(s->r, job->out, (int)c->out_len) == (int)c->out_len;
}

static void openssl_free(bench_job *job) {
  openssl_numbers *s = job->state;
  for (size_t k = 0; s != NULL && k < FIELD_STARTS; k++) BN_free(s->start[k]);
  if (s != NULL) {
    BN_free(s->factor);
    BN_free(s->p);
    BN_free(s->r);
    BN_MONT_CTX_free(s->montgomery);
    BN_CTX_free(s->ctx);
  }
  free(s);
}

// Its reductions modulo NIST's primes, of a plain number.
static const char *nist_name(void) {
  static char name[48];
  if (name[0] == 0) snprintf(name, sizeof name, "%s nist", bench_openssl_name());
  return name;
}

static bool nist_make(bench_job *job) {
  return field_case_of(job)->step == FIELD_REDUCE && openssl_make_form(job, &field_case_of(job)->plain);
}

static bool nist_one(bench_job *job, uint64_t i) {
  const openssl_numbers *s = job->state;
  bool good = true;
  for (int k = 0; k < FIELD_TIMES; k++) good &= BN_nist_mod_384(s->r, s->start[i % FIELD_STARTS], s->p, s->ctx) == 1;
  return good && BN_bn2lebinpad(s->r, job->out, (int)field_case_of(job)->out_len) > 0;
}

static const bench_way ours = {bench_our_name, our_make, our_one, free_state};
static const bench_way openssls = {bench_openssl_name, openssl_make, openssl_one, openssl_free};
static const bench_way openssls_nist = {nist_name, nist_make, nist_one, openssl_free};

// ---------------------------------------------------------------- rows

static size_t out_len(const bench_job *job) { return field_case_of(job)->out_len; }

static bool is_plain(const bench_way *way) { return way != &ours && way != &openssls; }

static bool agree(const bench_row *row, uint64_t i) {
  bool good = true;
  for (size_t s = 0; s < row->n_sides; s++) {
    const bench_worker *w = bench_worker_of(row, s);
    const field_case *c = field_case_of(&w->job);
    const field_form *form = is_plain(w->way) ? &c->plain : &c->montgomery;
    good &= memcmp(w->job.out, form->result[i % FIELD_STARTS], c->out_len) == 0;
  }
  return good;
}

// The best path of each operation.
void bench_field(bench *b) {
  static const bench_way *const ways[] = {&ours, &openssls, &openssls_nist, AND_MBEDTLS_2(mbedtls_field)};
  static const bench_kind kind = {
      .ways = ways, .by_operation = true, .alone = true, .times = FIELD_TIMES, .out_len = out_len, .agree = agree};
  const char *done = "";
  for (const tn_field_op *op = tn_field_ops; op->name != NULL; op++) {
    static field_case c;
    if (!tn_cpu_has(op->cpu) || strcmp(op->name, done) == 0) continue;
    done = op->name;
    if (!bench_wanted(b, op->name)) continue;
    field_case_make(&c, op);
    bench_kind_run(b, &kind, op->name, &c, op->name, false);
  }
}
