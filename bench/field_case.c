#include "field_case.h"

#include <openssl/bn.h>
#include <string.h>

static const struct {
  const char *ending;
  field_step step;
} steps[] = {{"-mul", FIELD_MUL}, {"-sqr", FIELD_SQR}, {"-reduce", FIELD_REDUCE}, {"mul-6x6", FIELD_PRODUCT}};

static void write(const BIGNUM *a, uint8_t out[FIELD_MAX_BYTES]) {
  BENCH_NEED(BN_bn2lebinpad(a, out, FIELD_MAX_BYTES) == FIELD_MAX_BYTES, "number");
}

// A number of n bytes, below p if there is one.
static void draw(BIGNUM *r, size_t n, const BIGNUM *p, BN_CTX *ctx, uint64_t seed) {
  uint8_t bytes[FIELD_MAX_BYTES];
  bench_fill(bytes, sizeof bytes, seed);
  BENCH_NEED(BN_lebin2bn(bytes, (int)n, r) != NULL, "number");
  if (p != NULL) BENCH_NEED(BN_nnmod(r, r, p, ctx) == 1, "number");
}

// r = r scale mod p.
static void scaled(BIGNUM *r, const BIGNUM *scale, const BIGNUM *p, BN_CTX *ctx) {
  BENCH_NEED(BN_mod_mul(r, r, scale, p, ctx) == 1, "number");
}

// `scale` is 1 / R in Montgomery's form, else 1.
static void step(const field_case *c, BIGNUM *r, const BIGNUM *factor, const BIGNUM *scale, const BIGNUM *p,
                 BN_CTX *ctx) {
  if (c->step == FIELD_PRODUCT) {
    BENCH_NEED(BN_mul(r, r, factor, ctx) == 1, c->op->name);
    return;
  }
  if (c->step == FIELD_MUL) scaled(r, factor, p, ctx);
  if (c->step == FIELD_SQR) BENCH_NEED(BN_mod_sqr(r, r, p, ctx) == 1, c->op->name);
  scaled(r, scale, p, ctx);
}

static void find_results(const field_case *c, field_form *form, const BIGNUM *scale, const BIGNUM *p, BN_CTX *ctx) {
  const int n = c->step == FIELD_MUL || c->step == FIELD_SQR ? FIELD_TIMES : 1;
  BIGNUM *r = BN_new(), *factor = BN_lebin2bn(form->factor, FIELD_MAX_BYTES, NULL);
  for (size_t k = 0; k < FIELD_STARTS; k++) {
    BENCH_NEED(BN_lebin2bn(form->start[k], FIELD_MAX_BYTES, r) != NULL, c->op->name);
    for (int i = 0; i < n; i++) step(c, r, factor, scale, p, ctx);
    write(r, form->result[k]);
  }
  BN_free(r);
  BN_free(factor);
}

static void draw_numbers(field_case *c, size_t n, const BIGNUM *unscale, const BIGNUM *p, BN_CTX *ctx) {
  BIGNUM *a = BN_new(), *b = BN_new();
  draw(b, n, p, ctx, FIELD_STARTS);
  write(b, c->montgomery.factor);
  if (c->step == FIELD_MUL) scaled(b, unscale, p, ctx);
  write(b, c->plain.factor);
  for (size_t k = 0; k < FIELD_STARTS; k++) {
    draw(a, n, p, ctx, k);
    if (c->step == FIELD_REDUCE) BENCH_NEED(BN_mul(a, a, b, ctx) == 1, c->op->name);
    write(a, c->montgomery.start[k]);
    if (c->step == FIELD_SQR) scaled(a, unscale, p, ctx);
    write(a, c->plain.start[k]);
  }
  BN_free(a);
  BN_free(b);
}

void field_case_make(field_case *c, const tn_field_op *op) {
  const bool p256 = strncmp(op->name, "p256-", 5) == 0;
  const BIGNUM *prime = p256 ? BN_get0_nist_prime_256() : BN_get0_nist_prime_384();
  const size_t n = p256 ? 32 : 48;
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *unscale = BN_new(), *one = BN_new();
  *c = (field_case){.op = op, .out_len = n};
  for (size_t i = 0; i < COUNT(steps); i++) {
    const size_t ending = strlen(steps[i].ending), name = strlen(op->name);
    if (name >= ending && strcmp(op->name + name - ending, steps[i].ending) == 0) c->step = steps[i].step;
  }
  if (c->step == FIELD_PRODUCT) {
    c->out_len = 2 * n;
    prime = NULL;
  } else {
    c->p_len = n;
    write(prime, c->p);
    BENCH_NEED(BN_set_bit(unscale, 8 * (int)n) == 1 && BN_mod_inverse(unscale, unscale, prime, ctx) != NULL, op->name);
  }
  BENCH_NEED(BN_one(one) == 1, op->name);
  draw_numbers(c, n, unscale, prime, ctx);
  find_results(c, &c->montgomery, unscale, prime, ctx);
  find_results(c, &c->plain, one, prime, ctx);
  BN_free(unscale);
  BN_free(one);
  BN_CTX_free(ctx);
}
