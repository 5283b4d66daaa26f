// Keccak's state, and four or eight of them in step against one.
#include "base/cpu.h"
#include "crypto/hash/keccak_x4.h"
#include "crypto/hash/shake.h"
#include "support/support.h"

#define MAX_WAYS 8
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

typedef struct sponges {
  tn_keccak_x4 x4;
  tn_keccak_x8 x8;
} sponges;

static void absorb(sponges *s, size_t ways, size_t rate, uint8_t domain, const uint8_t *const *in, size_t n) {
  if (ways == 4)
    tn_keccak_x4_absorb(&s->x4, rate, domain, in, n);
  else
    tn_keccak_x8_absorb(&s->x8, rate, domain, in, n);
}

static void squeeze(sponges *s, size_t ways, size_t rate, uint8_t *const *out, size_t n_blocks) {
  if (ways == 4)
    tn_keccak_x4_squeeze(&s->x4, rate, out, n_blocks);
  else
    tn_keccak_x8_squeeze(&s->x8, rate, out, n_blocks);
}

static void check_ways(test_rng *rng, size_t ways, size_t rate, uint8_t domain, size_t n) {
  uint8_t *in[MAX_WAYS], got[MAX_WAYS][MAX_BLOCKS * TN_KECCAK_MAX_RATE + 2], want[MAX_BLOCKS * TN_KECCAK_MAX_RATE];
  uint8_t *at[MAX_WAYS];
  const uint8_t *from[MAX_WAYS];
  for (size_t i = 0; i < ways; i++) {
    // Exactly as long as the message, so that a read past its end is caught.
    in[i] = malloc(n + 1);
    test_rng_bytes(rng, in[i], n + 1);
    from[i] = in[i] + 1;
  }
  sponges s;
  memset(&s, 0xee, sizeof s);
  memset(got, 0xa5, sizeof got);
  absorb(&s, ways, rate, domain, from, n);
  assert_upper_vectors_wiped();
  for (size_t done = 0; done < MAX_BLOCKS;) {
    const size_t blocks = test_rng_next(rng) % (MAX_BLOCKS - done + 1);
    for (size_t i = 0; i < ways; i++) at[i] = got[i] + 1 + done * rate;
    squeeze(&s, ways, rate, at, blocks);
    assert_upper_vectors_wiped();
    done += blocks;
  }
  for (size_t i = 0; i < ways; i++) {
    oracle(rate, domain, in[i] + 1, n, want, MAX_BLOCKS);
    assert_memory_equal(got[i] + 1, want, MAX_BLOCKS * rate);
    assert_int_equal(got[i][0], 0xa5);
    assert_int_equal(got[i][MAX_BLOCKS * rate + 1], 0xa5);
    free(in[i]);
  }
}

static void in_step_as_one_by_one(void **state) {
  (void)state;
  static const struct {
    size_t rate;
    uint8_t domain;
  } kinds[] = {{168, TN_SHAKE_DOMAIN}, {136, TN_SHAKE_DOMAIN}, {144, TN_SHA3_DOMAIN},
               {136, TN_SHA3_DOMAIN},  {104, TN_SHA3_DOMAIN},  {72, TN_SHA3_DOMAIN}};
  test_rng rng = {2};
  for (size_t k = 0; k < COUNT(kinds); k++) {
    const size_t rate = kinds[k].rate;
    const size_t lengths[] = {0, 1, 7, 8, 33, 34, 64, rate - 1, rate, rate + 1, 2 * rate - 1, 2 * rate, MAX_IN};
    for (size_t ways = 4; ways <= MAX_WAYS; ways += 4) {
      for (size_t i = 0; i < COUNT(lengths); i++) check_ways(&rng, ways, rate, kinds[k].domain, lengths[i]);
      for (size_t i = 0; i < 20; i++) check_ways(&rng, ways, rate, kinds[k].domain, test_rng_next(&rng) % MAX_IN);
    }
  }
}

// As ML-KEM uses them: FIPS 203 sections 4.1 and 4.2.2.
static void in_step_as_shake(void **state) {
  (void)state;
  uint8_t seed[8][34], got[8][3 * 168], want[3 * 168], *out[8];
  const uint8_t *in[8];
  tn_keccak_x8 k;
  test_rng rng = {3};
  test_rng_bytes(&rng, seed, sizeof seed);
  for (size_t i = 0; i < 8; i++) in[i] = seed[i], out[i] = got[i];
  tn_keccak_x8_absorb(&k, TN_SHAKE128_RATE, TN_SHAKE_DOMAIN, in, 34);
  tn_keccak_x8_squeeze(&k, TN_SHAKE128_RATE, out, 3);
  for (size_t i = 0; i < 8; i++) {
    tn_shake128(seed[i], 34, want, sizeof want);
    assert_memory_equal(got[i], want, sizeof want);
  }
  tn_keccak_x8_absorb(&k, TN_SHAKE256_RATE, TN_SHAKE_DOMAIN, in, 33);
  tn_keccak_x8_squeeze(&k, TN_SHAKE256_RATE, out, 2);
  for (size_t i = 0; i < 8; i++) {
    tn_shake256(seed[i], 33, want, 2 * 136);
    assert_memory_equal(got[i], want, 2 * 136);
  }
}

static void the_paths_are_the_processors_best(void **state) {
  (void)state;
  const char *one = tn_cpu_has(TN_CPU_BMI2) ? "bmi2" : "portable";
  const char *several = tn_cpu_has(TN_CPU_AVX512) ? "avx512" : tn_cpu_has(TN_CPU_AVX2) ? "avx2" : one;
  assert_string_equal(tn_keccak_path(), one);
  assert_string_equal(tn_keccak_x4_path(), several);
  assert_string_equal(tn_keccak_x8_path(), several);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_permutation_of_zeros),
      cmocka_unit_test(bytes_go_where_they_belong),
      cmocka_unit_test(in_step_as_one_by_one),
      cmocka_unit_test(in_step_as_shake),
      cmocka_unit_test(the_paths_are_the_processors_best),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
