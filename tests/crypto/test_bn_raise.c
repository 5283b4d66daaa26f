// Exponentiations that a path does in its own way for moduli of certain sizes, each against the portable path, which
// test_bn.c holds against libcrypto.
#include <ucontext.h>

#include "crypto/bn/bn.h"
#include "support/support.h"

#define GUARD 0xa5a5a5a5a5a5a5a5

static const struct {
  const tn_bn_path *path;
  uint32_t needs;
  size_t words[8];  // of the moduli that are its own, ending with 0
  size_t alone;     // and of a single power's, from here on
} paths[] = {
    {&tn_bn_portable, 0, {0}, 0},
#if defined(__x86_64__)
    {&tn_bn_avx2, TN_BN_AVX2_NEEDS, {16, 24, 32, 40, 48, 56, 64}, 32},
    {&tn_bn_adx, TN_BN_ADX_NEEDS, {16, 24, 32, 40, 48, 56, 64}, 32},
    {&tn_bn_ifma, TN_BN_IFMA_NEEDS, {16, 24, 32, 48, 64}, 0},
#endif
};

// The path of this row if it runs here and has a way of its own.
static const tn_bn_path *path_of(size_t row) {
  return tn_cpu_has(paths[row].needs) && paths[row].path->raise != NULL ? paths[row].path : NULL;
}

static bool is_its_own(size_t row, size_t words) {
  for (const size_t *own = paths[row].words; *own != 0; own++)
    if (*own == words) return true;
  return false;
}

// The fewest powers of so many words that this row has a way for.
static size_t fewest(size_t row, size_t words) { return words < paths[row].alone ? 2 : 1; }

// ---------------------------------------------------------------- numbers
// Words for carries: random ones, ones among which many are zero or all ones, only all ones, only zeros.
enum { RANDOM, SPARSE, ONES, ZEROS, KINDS };

static void fill(test_rng *rng, int kind, uint64_t *out, size_t words) {
  for (size_t i = 0; i < words; i++) {
    uint64_t w = test_rng_next(rng);
    if (kind == SPARSE && w % 8 != 0) w = 0 - (w >> 3 & 1);
    if (kind == ONES) w = ~(uint64_t)0;
    if (kind == ZEROS) w = 0;
    out[i] = w;
  }
}

static void cut(uint64_t *a, size_t words, size_t bits) {
  for (size_t i = 0; i < words; i++)
    if (64 * i >= bits)
      a[i] = 0;
    else if (64 * (i + 1) > bits)
      a[i] &= ~(uint64_t)0 >> (64 * (i + 1) - bits);
}

// An odd number of so many bits with that low word: 2^bits - small, 2^(bits - 1) + small, and others.
static void choose_modulus(test_rng *rng, int kind, uint64_t low, uint64_t *n, size_t words, size_t bits) {
  fill(rng, kind, n, words);
  n[0] = low | 1;
  cut(n, words, bits);
  n[(bits - 1) / 64] |= (uint64_t)1 << ((bits - 1) % 64);
}

// 0, 1, 2, n - 1, n - 2, and numbers below n of each kind.
enum { BASES = 5 + KINDS };

static void choose_base(test_rng *rng, size_t which, uint64_t *a, const uint64_t *n, size_t words, size_t bits) {
  uint64_t small[TN_BN_MAX_WORDS] = {0};
  fill(rng, which < 5 ? ZEROS : (int)which - 5, a, words);
  cut(a, words, bits - 1);
  if (which < 3) a[0] = which;
  if (which == 3 || which == 4) {
    small[0] = which - 2;
    (void)tn_bn_sub(a, n, small, words);
  }
}

// ---------------------------------------------------------------- the comparison
typedef struct operand {
  tn_bn_mod m;
  uint64_t n[TN_BN_MAX_WORDS], rr[TN_BN_MAX_WORDS];
  uint64_t base[TN_BN_MAX_WORDS], exponent[8], r[TN_BN_MAX_WORDS + 1], want[TN_BN_MAX_WORDS];
} operand;

static operand operands[2];
static tn_bn_scratch scratch;

static void choose_exponent(test_rng *rng, int kind, operand *o, size_t bits) {
  fill(rng, kind, o->exponent, 8);
  cut(o->exponent, 8, bits);
}

static void set_modulus(operand *o, const uint64_t *n, size_t words, const tn_bn_path *path) {
  if (n != o->n) memcpy(o->n, n, words * sizeof *n);
  assert_ok(tn_bn_mod_init_path(&o->m, o->n, o->rr, words, path));
}

// Raises operands 0 to count - 1 by the path that their moduli were set up for.
static void check(size_t count, size_t bits, bool in_place, const char *what, size_t which) {
  const tn_bn_path *path = operands[0].m.path;
  size_t words = operands[0].m.words;
  tn_bn_power powers[2] = {{0}};
  for (size_t i = 0; i < count; i++) {
    operand *o = &operands[i];
    tn_bn_mod portable = o->m;
    portable.path = &tn_bn_portable;
    tn_bn_mod_exp(&(tn_bn_power){o->want, o->base, o->exponent, &portable}, 1, bits, &scratch);
    for (size_t j = 0; j <= words; j++) o->r[j] = GUARD;
    if (in_place) memcpy(o->r, o->base, words * sizeof *o->r);
    powers[i] = (tn_bn_power){o->r, in_place ? o->r : o->base, o->exponent, &o->m};
  }
  if (!path->raise(powers, count, bits, &scratch)) fail_msg("%s refuses %zu words", path->name, words);
  for (size_t i = 0; i < count; i++) {
    if (memcmp(operands[i].r, operands[i].want, words * sizeof(uint64_t)) != 0)
      fail_msg("%s, %zu words, %zu bits, power %zu of %zu: %s %zu", path->name, words, bits, i, count, what, which);
    assert_int_equal(operands[i].r[words], GUARD);
  }
}

static void bases_and_exponents(void **state) {
  (void)state;
  static const struct {
    int kind;
    size_t bits;
  } exponents[] = {{RANDOM, 131}, {ONES, 60},  {ZEROS, 33},  {ONES, 0},    {ONES, 1}, {RANDOM, 4},
                   {ONES, 5},     {RANDOM, 6}, {SPARSE, 64}, {RANDOM, 65}, {ONES, 70}};
  test_rng rng = {1};
  for (size_t row = 0; row < COUNT(paths); row++)
    for (const size_t *own = paths[row].words; path_of(row) != NULL && *own != 0; own++)
      for (size_t i = 0; i < COUNT(exponents) * 2; i++) {
        size_t count = i % 2 != 0 ? 2 : fewest(row, *own), bits = exponents[i / 2].bits;
        for (size_t j = 0; j < count; j++) {
          // Halves of different bit lengths.
          uint64_t n[TN_BN_MAX_WORDS];
          size_t n_bits = 64 * *own - (i + j) % 4;
          choose_modulus(&rng, RANDOM, test_rng_next(&rng), n, *own, n_bits);
          set_modulus(&operands[j], n, *own, path_of(row));
          choose_base(&rng, (i + 3 * j) % BASES, operands[j].base, n, *own, n_bits);
          choose_exponent(&rng, exponents[i / 2].kind, &operands[j], bits);
        }
        check(count, bits, i % 3 == 0, "case", i);
      }
}

// Moduli and bases at which carries run far and sums come close to their bounds; low words for which -1/n modulo the
// radix is one, as in the groups of RFC 7919, or all ones, or at random.
static void carries(void **state) {
  (void)state;
  static const uint64_t lows[] = {~(uint64_t)0,       1,          0x000fffffffffffff,
                                  0x7fffffffffffffff, 0xffffffff, 0x123456789abcdef1};
  static const size_t short_of[] = {0, 1, 63, 130, 500};
  test_rng rng = {2};
  for (size_t row = 0; row < COUNT(paths); row++)
    for (const size_t *own = paths[row].words; path_of(row) != NULL && *own != 0; own++)
      for (size_t i = 0; i < COUNT(lows) * KINDS; i++)
        for (size_t count = fewest(row, *own); count <= 2; count++) {
          for (size_t j = 0; j < count; j++) {
            uint64_t n[TN_BN_MAX_WORDS];
            size_t bits = 64 * *own - short_of[(i + j) % COUNT(short_of)];
            uint64_t low = lows[(i / KINDS + j * (i % 2)) % COUNT(lows)];  // the same for both, or not
            choose_modulus(&rng, (int)((i + j) % KINDS), low, n, *own, bits);
            set_modulus(&operands[j], n, *own, path_of(row));
            choose_base(&rng, 3 + (i + j + count) % (BASES - 3), operands[j].base, n, *own, bits);
            choose_exponent(&rng, RANDOM, &operands[j], 12);
          }
          check(count, 12, false, "carry", i);
        }
}

// Long chains at random.
static void chains(void **state) {
  (void)state;
  test_rng rng = {3};
  for (size_t row = 0; row < COUNT(paths); row++)
    for (const size_t *own = paths[row].words; path_of(row) != NULL && *own != 0; own++)
      for (size_t count = fewest(row, *own); count <= 2; count++) {
        for (size_t j = 0; j < count; j++) {
          uint64_t n[TN_BN_MAX_WORDS];
          choose_modulus(&rng, RANDOM, test_rng_next(&rng), n, *own, 64 * *own);
          set_modulus(&operands[j], n, *own, path_of(row));
          choose_base(&rng, 5 + RANDOM, operands[j].base, n, *own, 64 * *own);
          choose_exponent(&rng, RANDOM, &operands[j], 509);
        }
        check(count, 509, true, "chain", 0);
      }
}

// Other sizes are refused and nothing is touched.
static void other_sizes_are_refused(void **state) {
  (void)state;
  test_rng rng = {4};
  for (size_t row = 0; row < COUNT(paths); row++)
    for (size_t words = TN_BN_BLOCK; path_of(row) != NULL && words <= TN_BN_MAX_WORDS; words += TN_BN_BLOCK) {
      if (is_its_own(row, words) && fewest(row, words) == 1) continue;
      tn_bn_power powers[2];
      memset(&scratch, 0, sizeof scratch);
      for (size_t i = 0; i < 2; i++) {
        operand *o = &operands[i];
        uint64_t n[TN_BN_MAX_WORDS];
        choose_modulus(&rng, RANDOM, 3, n, words, 64 * words);
        set_modulus(o, n, words, path_of(row));
        choose_base(&rng, 5 + RANDOM, o->base, n, words, 64 * words);
        choose_exponent(&rng, RANDOM, o, 64);
        for (size_t j = 0; j <= words; j++) o->r[j] = GUARD;
        powers[i] = (tn_bn_power){o->r, o->base, o->exponent, &o->m};
      }
      assert_false(path_of(row)->raise(powers, 1, 64, &scratch));
      if (!is_its_own(row, words)) assert_false(path_of(row)->raise(powers, 2, 64, &scratch));
      for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j <= words; j++) assert_int_equal(operands[i].r[j], GUARD);
      for (size_t j = 0; j < sizeof scratch / 8; j++) assert_int_equal(((const uint64_t *)&scratch)[j], 0);
    }
}

// ---------------------------------------------------------------- what is left
static struct {
  tn_bn_power powers[2];
  size_t count;
  const tn_bn_path *path;
  bool done;
} call;

static void raise_there(void) { call.done = call.path->raise(call.powers, call.count, 64, &scratch); }

static _Alignas(64) uint64_t stack[8192];

static void on_stack(void (*run)(void)) {
  static ucontext_t here, there;
  memset(stack, 0, sizeof stack);
  assert_int_equal(getcontext(&there), 0);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = sizeof stack;
  there.uc_link = &here;
  makecontext(&there, run, 0);
  assert_int_equal(swapcontext(&here, &there), 0);
}

// Whether a word that is on the stack is one of these, or 52 bits of them as a limb.
static bool found(const uint64_t *secret, size_t words) {
  for (size_t bit = 0; bit + 64 <= 64 * words; bit += 4) {
    uint64_t word = secret[bit / 64] >> (bit % 64);
    if (bit % 64 != 0) word |= secret[bit / 64 + 1] << (64 - bit % 64);
    for (size_t i = 0; i < COUNT(stack); i++)
      if ((bit % 64 == 0 && stack[i] == word) || (bit % 52 == 0 && stack[i] == (word & 0xfffffffffffff))) return true;
  }
  return false;
}

// What tn_bn_scratch_wipe() does not know of, raise wipes: it wipes by a modulus's words, which may be fewer than raise
// had use for. Vector registers are wiped by the path's wipe.
static void nothing_is_left(void **state) {
  (void)state;
  test_rng rng = {5};
  for (size_t row = 0; row < COUNT(paths); row++)
    for (const size_t *own = paths[row].words; path_of(row) != NULL && *own != 0; own++)
      for (call.count = fewest(row, *own); call.count <= 2; call.count++) {
        memset(&scratch, 0, sizeof scratch);
        call.path = path_of(row);
        for (size_t i = 0; i < call.count; i++) {
          operand *o = &operands[i];
          uint64_t n[TN_BN_MAX_WORDS];
          choose_modulus(&rng, RANDOM, 3, n, *own, 64 * *own);
          set_modulus(o, n, *own, call.path);
          choose_base(&rng, 5 + RANDOM, o->base, n, *own, 64 * *own);
          choose_exponent(&rng, RANDOM, o, 64);
          call.powers[i] = (tn_bn_power){o->r, o->base, o->exponent, &o->m};
        }
        on_stack(raise_there);
        assert_true(call.done);
        tn_bn_scratch_wipe(&scratch, &operands[0].m);
        assert_upper_vectors_wiped();
        for (size_t j = 0; j < sizeof scratch / 8; j++)
          if (((const uint64_t *)&scratch)[j] != 0)
            fail_msg("%s, %zu words: word %zu of the scratch is not wiped", call.path->name, *own, j);
        for (size_t i = 0; i < call.count; i++) {
          const operand *o = &operands[i];
          if (found(o->exponent, 1) || found(o->base, *own) || found(o->r, *own) || found(o->m.n + 1, *own - 1))
            fail_msg("%s, %zu words: a secret is left on the stack", call.path->name, *own);
        }
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bases_and_exponents),     cmocka_unit_test(carries),         cmocka_unit_test(chains),
      cmocka_unit_test(other_sizes_are_refused), cmocka_unit_test(nothing_is_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
