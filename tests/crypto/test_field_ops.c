// The fields' operations by themselves, every path against libcrypto's big integers: words at the edges of carries, and
// sums before the last subtraction at the edges of their range.
#include "base/cpu.h"
#include "crypto/ec/field_ops.h"
#include "curve_oracle.h"

#define GUARD 0xa5a5a5a5a5a5a5a5

static const uint64_t edges[] = {
    0,
    1,
    2,
    0xfffffffe,
    0xffffffff,
    0x100000000,
    0x7fffffffffffffff,
    0x8000000000000000,
    0xfffffffe00000001,
    0xffffffff00000000,
    0xffffffff00000001,
    0xfffffffffffffffe,
    0xffffffffffffffff,
};

static BN_CTX *ctx;

static uint64_t draw(test_rng *rng) {
  const uint64_t pick = test_rng_next(rng) % (COUNT(edges) + 2);
  return pick < COUNT(edges) ? edges[pick] : test_rng_next(rng);
}

static void draw_number(test_rng *rng, BIGNUM *r, int words) {
  uint64_t w[TN_FIELD_OP_MAX_WORDS];
  for (int i = 0; i < words; i++) w[i] = draw(rng);
  assert_non_null(BN_lebin2bn((const uint8_t *)w, 8 * words, r));
}

static void to_words_at(uint64_t *w, int words, const BIGNUM *a) {
  assert_int_equal(BN_bn2lebinpad(a, (uint8_t *)w, 8 * words), 8 * words);
}

// What is asked of an operation, by its name.
typedef struct rule {
  const char *name;
  const tn_curve *curve;
  int in_a, in_b, out;         // words; in_b = 0: one operand
  bool montgomery, may_alias;  // the result is that of the plain operation over 2^(64 out), mod p
} rule;

static const rule rules[] = {
    {"p256-mul", &tn_p256, 4, 4, 4, true, true},     {"p256-sqr", &tn_p256, 4, 0, 4, true, true},
    {"p384-mul", &tn_p384, 6, 6, 6, true, true},     {"p384-sqr", &tn_p384, 6, 0, 6, true, true},
    {"p384-reduce", &tn_p384, 12, 0, 6, true, true}, {"mul-6x6", NULL, 6, 6, 12, false, false},
};

static const rule *rule_of(const tn_field_op *op) {
  for (size_t i = 0; i < COUNT(rules); i++)
    if (strcmp(op->name, rules[i].name) == 0) return &rules[i];
  fail_msg("%s is not known", op->name);
  return NULL;
}

static bool is_reduction(const rule *k) { return k->in_a > k->out; }

static void check(const tn_field_op *op, const rule *k, const BIGNUM *a, const BIGNUM *b) {
  uint64_t wa[TN_FIELD_OP_MAX_WORDS], wb[TN_FIELD_OP_MAX_WORDS], r[TN_FIELD_OP_MAX_WORDS + 1];
  uint64_t want[TN_FIELD_OP_MAX_WORDS];
  BIGNUM *product = BN_new(), *factor = BN_new();
  if (is_reduction(k))
    BN_copy(product, a);
  else
    BN_mul(product, a, k->in_b != 0 ? b : a, ctx);
  if (k->montgomery) {
    BN_zero(factor);
    BN_set_bit(factor, 64 * k->out);
    assert_non_null(BN_mod_inverse(factor, factor, oracle_p(k->curve), ctx));
    BN_mod_mul(product, product, factor, oracle_p(k->curve), ctx);
  }
  to_words_at(want, k->out, product);
  to_words_at(wa, k->in_a, a);
  if (k->in_b != 0) to_words_at(wb, k->in_b, b);
  for (size_t i = 0; i < COUNT(r); i++) r[i] = GUARD;
  op->op(r, wa, k->in_b != 0 ? wb : NULL);
  if (memcmp(r, want, 8u * (size_t)k->out) != 0) fail_msg("%s (%s): %s", op->name, op->path, BN_bn2hex(a));
  for (size_t i = (size_t)k->out; i < COUNT(r); i++) assert_int_equal(r[i], GUARD);
  if (k->may_alias) {
    memcpy(r, wa, sizeof wa);
    op->op(r, r, k->in_b != 0 ? wb : NULL);
    assert_memory_equal(r, want, 8u * (size_t)k->out);
    if (k->in_b != 0) {
      memcpy(r, wb, sizeof wb);
      op->op(r, wa, r);
      assert_memory_equal(r, want, 8u * (size_t)k->out);
    }
  }
  BN_free(product), BN_free(factor);
}

// A number for the reduction whose low half becomes `half` when multiples m of p, of chosen words, clear it, and whose
// high half brings that to p or 2^384, or a little beside.
static void draw_reducible(test_rng *rng, BIGNUM *r, const BIGNUM *p, const BIGNUM *limit) {
  BIGNUM *m = BN_new(), *low = BN_new(), *half = BN_new(), *high = BN_new();
  const int bits = BN_num_bits(p);
  const uint64_t kind = test_rng_next(rng) % 16;
  draw_number(rng, m, bits / 64);
  BN_mul(half, m, p, ctx);
  BN_copy(low, half);
  BN_mask_bits(low, bits);
  BN_zero(high);
  BN_set_bit(high, bits);
  if (!BN_is_zero(low)) BN_sub(low, high, low);
  BN_add(half, half, low);
  BN_rshift(half, half, bits);
  if (kind < 6) BN_copy(high, p);
  BN_add_word(high, 3);
  BN_sub_word(high, kind % 6);
  BN_sub(high, high, half);
  if (kind >= 12) draw_number(rng, high, bits / 64);
  BN_lshift(r, high, bits);
  BN_add(r, r, low);
  if (BN_is_negative(r) || BN_cmp(r, limit) > 0) BN_nnmod(r, r, limit, ctx);
  BN_free(m), BN_free(low), BN_free(half), BN_free(high);
}

static void every_path_is_right(void **state) {
  (void)state;
  ctx = BN_CTX_new();
  for (const tn_field_op *op = tn_field_ops; op->name != NULL; op++) {
    const rule *k = rule_of(op);
    if (!tn_cpu_has(op->cpu)) continue;
    test_rng rng = {1};
    BIGNUM *a = BN_new(), *b = BN_new(), *limit = BN_new();
    for (size_t i = 0; i < 8000; i++) {
      draw_number(&rng, a, k->in_a);
      draw_number(&rng, b, k->in_b);
      if (is_reduction(k)) {
        BN_copy(limit, oracle_p(k->curve));
        BN_sub_word(limit, 1);
        BN_sqr(limit, limit, ctx);
        draw_reducible(&rng, a, oracle_p(k->curve), limit);
        if (i == 0) BN_copy(a, limit);
      } else if (k->montgomery) {
        BN_nnmod(a, a, oracle_p(k->curve), ctx);
        BN_nnmod(b, b, oracle_p(k->curve), ctx);
        if (i == 0) BN_sub(a, oracle_p(k->curve), BN_value_one()), BN_copy(b, a);
      }
      check(op, k, a, b);
    }
    BN_free(a), BN_free(b), BN_free(limit);
  }
  BN_CTX_free(ctx);
}

// Each operation has a portable row, and before it, on x86-64, one of assembly that runs where it can.
static void every_operation_has_its_rows(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(rules); i++) {
    const char *first = NULL, *last = NULL;
    for (const tn_field_op *op = tn_field_ops; op->name != NULL; op++) {
      if (strcmp(op->name, rules[i].name) != 0 || !tn_cpu_has(op->cpu)) continue;
      if (first == NULL) first = op->path;
      last = op->path;
    }
#if defined(__x86_64__) && !defined(TN_CT_MSAN)
    assert_string_equal(first, tn_cpu_has(TN_CPU_BMI2 | TN_CPU_ADX) ? "adx" : "portable");
#else
    assert_string_equal(first, "portable");
#endif
    assert_string_equal(last, "portable");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_path_is_right),
      cmocka_unit_test(every_operation_has_its_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
