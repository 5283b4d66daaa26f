// The polynomial arithmetic of ML-KEM: the portable path against the definitions, the others against it, on random
// coefficients and on the largest that the contract allows.
#include "base/cpu.h"
#include "crypto/mlkem/poly.h"
#include "support/support.h"

#define Q TN_MLKEM_Q
#define N TN_MLKEM_N

static const tn_poly_arithmetic *const paths[] = {
#if defined(__x86_64__)
    &tn_poly_avx512, &tn_poly_avx2,
#endif
    &tn_poly_portable};

#define FOR_EACH_PATH(o)                                                  \
  for (size_t path_ = 0; path_ < COUNT(paths); path_++)                   \
    for (const tn_poly_arithmetic *o = paths[path_]; o != NULL; o = NULL) \
      if (tn_cpu_has(o->cpu))

static int mod_q(long x) { return (int)((x % Q + Q) % Q); }

static void assert_congruent(const tn_poly *f, const tn_poly *g, int bound) {
  for (size_t i = 0; i < N; i++) {
    assert_int_equal(mod_q(f->c[i]), mod_q(g->c[i]));
    assert_in_range(f->c[i] + bound, 0, 2 * bound);
  }
}

enum { KINDS = 7 };
// Within [low, high]: all at an end, ends alternating, noise.
static tn_poly poly_of(int kind, test_rng *rng, int low, int high) {
  tn_poly f;
  for (size_t i = 0; i < N; i++) {
    const uint64_t r = test_rng_next(rng);
    const int any = low + (int)((r >> 8) % (unsigned)(high - low + 1));
    const int choices[KINDS] = {high, low, i % 2 ? high : low, r & 1 ? high : low, 0, i / 2 % 2 ? low : high, any};
    f.c[i] = (int16_t)choices[kind];
  }
  return f;
}

static void round_trip(void **state) {
  (void)state;
  test_rng rng = {1};
  FOR_EACH_PATH(o) for (int kind = 0; kind < KINDS; kind++) {
    const tn_poly f = poly_of(kind, &rng, -Q, Q);
    tn_poly g = f;
    o->ntt(&g);
    o->inverse_ntt(&g);
    // The inverse gives R times what went in.
    for (size_t i = 0; i < N; i++) assert_int_equal(mod_q(g.c[i]), mod_q((long)f.c[i] * 65536));
  }
}

// In the ring, X^256 = -1.
static void products_are_those_of_the_ring(void **state) {
  (void)state;
  test_rng rng = {2};
  FOR_EACH_PATH(o) for (int kind = 0; kind < KINDS; kind++) {
    const tn_poly f = poly_of(kind, &rng, -Q, Q), g = poly_of(KINDS - 1, &rng, -Q, Q);
    tn_poly f_hat = f, g_hat = g, twisted, product;
    long wanted[N] = {0};
    for (size_t i = 0; i < N; i++)
      for (size_t j = 0; j < N; j++) {
        const long term = (long)f.c[i] * g.c[j];
        wanted[(i + j) % N] += i + j < N ? term : -term;
      }
    o->ntt(&f_hat);
    o->ntt(&g_hat);
    o->twist(&twisted, &g_hat);
    o->dot(&product, &f_hat, &g_hat, &twisted, 1);
    o->inverse_ntt(&product);
    for (size_t i = 0; i < N; i++) assert_int_equal(mod_q(product.c[i]), mod_q(wanted[i]));
  }
}

static void transforms_agree(void **state) {
  (void)state;
  test_rng rng = {3};
  FOR_EACH_PATH(o) for (int round = 0; round < 3 * KINDS; round++) {
    const tn_poly f = poly_of(round % KINDS, &rng, -Q, Q);
    tn_poly a = f, b = f;
    o->ntt(&a);
    tn_poly_portable.ntt(&b);
    assert_congruent(&a, &b, Q / 2);
    a = f, b = f;
    o->inverse_ntt(&a);
    tn_poly_portable.inverse_ntt(&b);
    assert_congruent(&a, &b, Q - 1);
    o->twist(&a, &f);
    tn_poly_portable.twist(&b, &f);
    assert_congruent(&a, &b, Q);
  }
}

static void products_agree(void **state) {
  (void)state;
  test_rng rng = {4};
  FOR_EACH_PATH(o) for (int round = 0; round < KINDS * KINDS; round++) {
    tn_poly a[TN_MLKEM_MAX_K], b[TN_MLKEM_MAX_K], twisted[TN_MLKEM_MAX_K], twisted_2[TN_MLKEM_MAX_K], x, y;
    for (size_t k = 1; k <= TN_MLKEM_MAX_K; k++) {
      a[k - 1] = poly_of(round % KINDS, &rng, 0, 4095);
      b[k - 1] = poly_of(round / KINDS, &rng, -(Q / 2), Q / 2);
      o->twist(&twisted[k - 1], &b[k - 1]);
      tn_poly_portable.twist(&twisted_2[k - 1], &b[k - 1]);
      o->dot(&x, a, b, twisted, k);
      tn_poly_portable.dot(&y, a, b, twisted_2, k);
      assert_congruent(&x, &y, Q);
    }
    const tn_poly e = poly_of(round % KINDS, &rng, -Q, Q), f = poly_of(round / KINDS, &rng, -Q, Q);
    x = f;
    o->scale_add(&x, &e);
    for (size_t i = 0; i < N; i++) assert_int_equal(mod_q(x.c[i]), mod_q((long)f.c[i] * 65536 + e.c[i]));
  }
}

static void sums_and_differences(void **state) {
  (void)state;
  test_rng rng = {8};
  FOR_EACH_PATH(o) for (int round = 0; round < KINDS * KINDS; round++) {
    const tn_poly f = poly_of(round % KINDS, &rng, -2 * Q, 2 * Q), g = poly_of(round / KINDS, &rng, -2 * Q, 2 * Q);
    tn_poly sum = f, difference = f;
    o->add(&sum, &g);
    o->subtract(&difference, &g);
    for (size_t i = 0; i < N; i++) {
      assert_int_equal(sum.c[i], f.c[i] + g.c[i]);
      assert_int_equal(difference.c[i], f.c[i] - g.c[i]);
    }
  }
}

static void whether_reduced(void **state) {
  (void)state;
  FOR_EACH_PATH(o) {
    tn_poly f;
    for (size_t i = 0; i < N; i++) f.c[i] = (int16_t)(i % 2 ? Q - 1 : 0);
    assert_true(o->is_reduced(&f));
    for (size_t i = 0; i < N; i++) {
      const int16_t was = f.c[i];
      f.c[i] = Q;
      assert_false(o->is_reduced(&f));
      f.c[i] = 4095;
      assert_false(o->is_reduced(&f));
      f.c[i] = was;
    }
  }
}

static const unsigned widths[] = {1, 4, 5, 10, 11, 12};

static unsigned bits_at(const uint8_t *p, size_t at, unsigned d) {
  unsigned v = 0;
  for (unsigned i = 0; i < d; i++) v |= (unsigned)(p[(at + i) / 8] >> (at + i) % 8 & 1) << i;
  return v;
}

// Every coefficient of 16 bits, by the definition of Compress_d: with a division, to the nearest.
static void encoding(void **state) {
  (void)state;
  FOR_EACH_PATH(o) for (size_t w = 0; w < COUNT(widths); w++) {
    const unsigned d = widths[w];
    for (int first = -32768; first < 32768; first += N) {
      tn_poly f;
      uint8_t out[1 + 384 + 8];
      memset(out, 0xa5, sizeof out);
      for (int i = 0; i < N; i++) f.c[i] = (int16_t)(first + i);
      o->encode(out + 1, &f, d);
      for (size_t i = 0; i < N; i++) {
        const unsigned x = (unsigned)mod_q(f.c[i]);
        const unsigned wanted = d == 12 ? x : ((x << (d + 1)) + Q) / (2 * Q) % (1u << d);
        assert_int_equal(bits_at(out + 1, i * d, d), wanted);
      }
      assert_int_equal(out[0], 0xa5);
      for (size_t i = 1 + 32 * d; i < sizeof out; i++) assert_int_equal(out[i], 0xa5);
    }
  }
}

static void decoding(void **state) {
  (void)state;
  test_rng rng = {5};
  FOR_EACH_PATH(o) for (size_t w = 0; w < COUNT(widths); w++) {
    const unsigned d = widths[w];
    for (unsigned first = 0; first < 1u << d; first += N / 2) {
      // Ascending values, then noise; on a heap of this size, so that a checker sees what is read beyond.
      uint8_t *in = calloc(1, 32 * d);
      tn_poly f;
      assert_non_null(in);
      for (size_t i = 0; i < N * d; i++) {
        const unsigned value = first + (unsigned)(i / d),
                       bit = i < N * d / 2 ? value >> i % d & 1 : test_rng_next(&rng) & 1;
        in[i / 8] |= (uint8_t)(bit << i % 8);
      }
      o->decode(&f, in, d);
      for (size_t i = 0; i < N; i++) {
        const unsigned y = bits_at(in, i * d, d);
        assert_int_equal(f.c[i], d == 12 ? y : (2 * Q * y + (1u << d)) >> (d + 1));
      }
      free(in);
    }
  }
}

static void sampling(void **state) {
  (void)state;
  test_rng rng = {6};
  FOR_EACH_PATH(o) for (int round = 0; round < 40; round++) {
    uint8_t in[504];
    test_rng_bytes(&rng, in, sizeof in);
    if (round % 8 == 1) memset(in, 0xff, sizeof in);
    if (round % 8 == 2) memset(in, 0, sizeof in);
    // 3329 and 3328 in turn.
    if (round % 8 == 3)
      for (size_t i = 0; i < sizeof in; i += 3) in[i] = 0x01, in[i + 1] = 0x0d, in[i + 2] = 0xd0;
    const size_t n = round % 3 == 0 ? 168 : sizeof in;
    for (size_t room = 0; room <= N; room += room < 40 ? 1 : 27) {
      int16_t got[N + 16], wanted[N + 16];
      memset(got, 0x5a, sizeof got);
      memset(wanted, 0x5a, sizeof wanted);
      const size_t taken = o->sample(got, room, in, n);
      assert_int_equal(taken, tn_poly_portable.sample(wanted, room, in, n));
      assert_in_range(taken, 0, room);
      assert_memory_equal(got, wanted, taken * sizeof *got);
      for (size_t i = room; i < COUNT(got); i++) assert_int_equal(got[i], 0x5a5a);
    }
  }
}

static void noise(void **state) {
  (void)state;
  test_rng rng = {7};
  uint8_t in[192];
  tn_poly f;
  FOR_EACH_PATH(o) for (int round = 0; round < 4; round++) {
    for (size_t i = 0; i < sizeof in; i++) in[i] = (uint8_t)(round < 2 ? 128 * round + i : test_rng_next(&rng));
    o->noise2(&f, in);
    for (size_t i = 0; i < N; i++) {
      const int x = __builtin_popcount(bits_at(in, 4 * i, 2)), y = __builtin_popcount(bits_at(in, 4 * i + 2, 2));
      assert_int_equal(f.c[i], x - y);
    }
  }
  test_rng_bytes(&rng, in, sizeof in);
  tn_poly_noise3(&f, in);
  for (size_t i = 0; i < N; i++) {
    const int x = __builtin_popcount(bits_at(in, 6 * i, 3)), y = __builtin_popcount(bits_at(in, 6 * i + 3, 3));
    assert_int_equal(f.c[i], x - y);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(round_trip),
      cmocka_unit_test(products_are_those_of_the_ring),
      cmocka_unit_test(transforms_agree),
      cmocka_unit_test(products_agree),
      cmocka_unit_test(sums_and_differences),
      cmocka_unit_test(whether_reduced),
      cmocka_unit_test(encoding),
      cmocka_unit_test(decoding),
      cmocka_unit_test(sampling),
      cmocka_unit_test(noise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
