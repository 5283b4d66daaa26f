// Keccak's state, and sponges in step against one by one.
#include "base/cpu.h"
#include "crypto/hash/shake.h"
#include "crypto/hash/sponges.h"
#include "support/support.h"

#define MAX_SPONGES 20
#define MAX_BLOCKS 5
#define MAX_IN 700

// The first lanes of the permutation of zeros: the Keccak team's KeccakF-1600-IntermediateValues.txt.
static void the_permutation_of_zeros(void **state) {
  (void)state;
  static const uint64_t want[] = {0xf1258f7940e1dde7, 0x84d5ccf933c0478a, 0xd598261ea65aa9ee, 0xbd1547306f80494d,
                                  0x8b284e056253d057};
  uint64_t a[TN_KECCAK_LANES] = {0};
  tn_keccak_f(a);
  assert_memory_equal(a, want, sizeof want);
}

static void bytes_go_where_they_belong(void **state) {
  (void)state;
  uint64_t before[TN_KECCAK_LANES];
  uint8_t in[200], out[202], bytes_before[200];
  test_rng rng = {1};
  for (size_t at = 0; at <= 40; at++) {
    for (size_t n = 0; n <= 40; n++) {
      test_rng_bytes(&rng, before, sizeof before);
      test_rng_bytes(&rng, in, sizeof in);
      uint64_t a[TN_KECCAK_LANES];
      memcpy(a, before, sizeof a);
      for (size_t i = 0; i < 200; i++) bytes_before[i] = (uint8_t)(before[i / 8] >> 8 * (i % 8));
      tn_keccak_xor(a, at, in, n);
      for (size_t i = 0; i < 200; i++) {
        const uint8_t added = i >= at && i < at + n ? in[i - at] : 0;
        assert_int_equal((uint8_t)(a[i / 8] >> 8 * (i % 8)), bytes_before[i] ^ added);
      }
      memset(out, 0xa5, sizeof out);
      tn_keccak_copy(before, at, out + 1, n);
      assert_memory_equal(out + 1, bytes_before + at, n);
      assert_int_equal(out[0], 0xa5);
      assert_int_equal(out[n + 1], 0xa5);
    }
  }
}

// What one sponge makes of it.
static void oracle(size_t rate, uint8_t domain, const uint8_t *p, size_t n, uint8_t *out, size_t n_blocks) {
  uint64_t a[TN_KECCAK_LANES] = {0};
  tn_keccak_blocks(a, rate, p, n / rate);
  tn_keccak_xor(a, 0, p + n - n % rate, n % rate);
  tn_keccak_pad(a, n % rate, rate, domain);
  for (size_t i = 0; i < n_blocks; i++) {
    tn_keccak_f(a);
    tn_keccak_copy(a, 0, out + i * rate, rate);
  }
}

// A sponge that takes some blocks, and what it is to give.
typedef struct taker {
  tn_sponge sponge;
  uint8_t *in[2];
  size_t wanted, taken;
  uint8_t got[MAX_BLOCKS * TN_KECCAK_MAX_RATE];
} taker;

static bool take(tn_sponge *s, const uint8_t *block) {
  taker *t = (taker *)s;
  assert_true(t->taken < t->wanted);
  memcpy(t->got + t->taken * s->rate, block, s->rate);
  return ++t->taken == t->wanted;
}

static const struct {
  uint8_t rate, domain;
} kinds[] = {{168, TN_SHAKE_DOMAIN}, {136, TN_SHAKE_DOMAIN}, {144, TN_SHA3_DOMAIN},
             {136, TN_SHA3_DOMAIN},  {104, TN_SHA3_DOMAIN},  {72, TN_SHA3_DOMAIN}};

// The parts of the message are exactly as long as said, so that a read past their ends is caught.
static void prepare(taker *t, test_rng *rng, size_t kind, size_t n, size_t second, size_t blocks) {
  memset(t, 0, sizeof *t);
  t->sponge = (tn_sponge){.rate = kinds[kind].rate, .domain = kinds[kind].domain, .take = take};
  t->wanted = blocks;
  const size_t lengths[2] = {n - second, second};
  for (size_t i = 0; i < 2; i++) {
    t->in[i] = malloc(lengths[i] + 1);
    test_rng_bytes(rng, t->in[i], lengths[i] + 1);
    t->sponge.in[i] = (tn_span){t->in[i] + 1, lengths[i]};
  }
}

static void check(taker *t) {
  uint8_t message[MAX_IN], want[MAX_BLOCKS * TN_KECCAK_MAX_RATE];
  const tn_span *in = t->sponge.in;
  memcpy(message, in[0].p, in[0].n);
  memcpy(message + in[0].n, in[1].p, in[1].n);
  oracle(t->sponge.rate, t->sponge.domain, message, in[0].n + in[1].n, want, t->wanted);
  assert_int_equal(t->taken, t->wanted);
  assert_memory_equal(t->got, want, t->wanted * t->sponge.rate);
  free(t->in[0]);
  free(t->in[1]);
}

static void check_run(taker *takers, size_t n) {
  tn_sponge *sponges[MAX_SPONGES] = {0};
  for (size_t i = 0; i < n; i++) sponges[i] = &takers[i].sponge;
  tn_sponges_run(sponges, n);
  assert_upper_vectors_wiped();
  for (size_t i = 0; i < n; i++) check(&takers[i]);
}

// Every length near the ends of blocks, in one part or two.
static void lengths(void **state) {
  (void)state;
  test_rng rng = {2};
  taker takers[MAX_SPONGES];
  for (size_t k = 0; k < COUNT(kinds); k++) {
    const size_t rate = kinds[k].rate;
    const size_t of[] = {0, 1, 7, 8, 33, 34, 64, rate - 1, rate, rate + 1, 2 * rate - 1, 2 * rate, 3 * rate, MAX_IN};
    for (size_t i = 0; i < COUNT(of); i++) {
      for (size_t j = 0; j < MAX_SPONGES; j++) {
        const size_t seconds[] = {0, of[i], of[i] / 2, of[i] < rate ? of[i] : of[i] % rate, of[i] - of[i] % rate};
        prepare(&takers[j], &rng, k, of[i], seconds[j % COUNT(seconds)], 1 + j % MAX_BLOCKS);
      }
      check_run(takers, MAX_SPONGES);
    }
  }
}

// Any number of sponges that have nothing in common.
static void one_takes_the_place_of_another(void **state) {
  (void)state;
  test_rng rng = {3};
  taker takers[MAX_SPONGES];
  for (size_t round = 0; round < 200; round++) {
    const size_t n = round % (MAX_SPONGES + 1);
    for (size_t i = 0; i < n; i++) {
      const size_t len = test_rng_next(&rng) % (MAX_IN + 1), second = test_rng_next(&rng) % (len + 1);
      prepare(&takers[i], &rng, test_rng_next(&rng) % COUNT(kinds), len, second, 1 + test_rng_next(&rng) % MAX_BLOCKS);
    }
    check_run(takers, n);
  }
}

// As ML-KEM uses them: FIPS 203 sections 4.1 and 4.2.2.
static void in_step_as_shake(void **state) {
  (void)state;
  test_rng rng = {4};
  taker takers[MAX_SPONGES];
  tn_sponge *sponges[MAX_SPONGES];
  uint8_t seed[34], want[3 * 168];
  test_rng_bytes(&rng, seed, sizeof seed);
  for (size_t i = 0; i < MAX_SPONGES; i++) {
    takers[i] = (taker){.sponge = {kinds[i % 2].rate, TN_SHAKE_DOMAIN, {{seed, 32}, {seed + 32, 2 - i % 2}}, take},
                        .wanted = 3 - i % 2};
    sponges[i] = &takers[i].sponge;
  }
  tn_sponges_run(sponges, MAX_SPONGES);
  for (size_t i = 0; i < MAX_SPONGES; i++) {
    (i % 2 ? tn_shake256 : tn_shake128)(seed, 34 - i % 2, want, sizeof want);
    assert_memory_equal(takers[i].got, want, takers[i].wanted * kinds[i % 2].rate);
  }
}

static void the_paths_are_the_processors_best(void **state) {
  (void)state;
  const char *one = tn_cpu_has(TN_CPU_BMI2) ? "bmi2" : "portable";
  const char *several = tn_cpu_has(TN_CPU_AVX512) ? "avx512" : tn_cpu_has(TN_CPU_AVX2) ? "avx2" : one;
  assert_string_equal(tn_keccak_path(), one);
  assert_string_equal(tn_sponges_path(), several);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_permutation_of_zeros),
      cmocka_unit_test(bytes_go_where_they_belong),
      cmocka_unit_test(lengths),
      cmocka_unit_test(one_takes_the_place_of_another),
      cmocka_unit_test(in_step_as_shake),
      cmocka_unit_test(the_paths_are_the_processors_best),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
