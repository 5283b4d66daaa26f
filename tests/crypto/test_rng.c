#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/support.h"

#define DRAW 64
#define MEGABYTE ((size_t)1 << 20)

static tn_result from_fast(uint8_t *out, size_t n) { return tn_random(NULL, out, n); }
static tn_result (*const sources[])(uint8_t *out, size_t n) = {from_fast, tn_random_system};

static void *draw_in_thread(void *out) {
  assert_ok(tn_random(NULL, out, DRAW));
  return NULL;
}

static void two_draws_differ(void **state) {
  (void)state;
  for (size_t s = 0; s < COUNT(sources); s++) {
    uint8_t a[DRAW], b[DRAW];
    assert_ok(sources[s](a, sizeof a));
    assert_ok(sources[s](b, sizeof b));
    assert_memory_not_equal(a, b, DRAW);
  }
}

static void two_threads_differ(void **state) {
  (void)state;
  uint8_t out[3][DRAW];
  pthread_t thread[2];
  assert_ok(tn_random(NULL, out[2], DRAW));
  for (size_t i = 0; i < 2; i++) assert_int_equal(pthread_create(&thread[i], NULL, draw_in_thread, out[i]), 0);
  for (size_t i = 0; i < 2; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
  assert_memory_not_equal(out[0], out[1], DRAW);
  assert_memory_not_equal(out[0], out[2], DRAW);
  assert_memory_not_equal(out[1], out[2], DRAW);
}

// What a child and, after it was forked, its parent draw.
static void draw_on_both_sides_of_a_fork(uint8_t *parent, uint8_t *child, size_t n) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    bool good = tn_ok(tn_random(NULL, child, n)) && write(ends[1], child, n) == (ssize_t)n;
    _exit(good ? 0 : 1);
  }
  assert_ok(tn_random(NULL, parent, n));
  assert_int_equal(read(ends[0], child, n), n);
  int status;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  close(ends[0]);
  close(ends[1]);
}

static void a_forked_child_differs_from_its_parent(void **state) {
  (void)state;
  static const size_t lengths[] = {16, 2048};
  for (size_t i = 0; i < COUNT(lengths); i++) {
    uint8_t before[16], parent[2048], child[2048], sibling[2048];
    assert_ok(tn_random(NULL, before, sizeof before));  // seeded from here on
    draw_on_both_sides_of_a_fork(parent, child, lengths[i]);
    assert_memory_not_equal(parent, child, lengths[i]);
    draw_on_both_sides_of_a_fork(parent, sibling, lengths[i]);
    assert_memory_not_equal(parent, sibling, lengths[i]);
    assert_memory_not_equal(child, sibling, lengths[i]);
  }
}

// Every byte of the request gets a value, and none beside it does.
static void check_length(tn_result (*source)(uint8_t *, size_t), size_t n) {
  uint8_t *out = malloc(n + 2), *seen = calloc(1, n + 1);
  for (int round = 0; round < 8; round++) {
    memset(out, 0, n + 2);
    assert_ok(source(out + 1, n));
    assert_int_equal(out[0], 0);
    assert_int_equal(out[n + 1], 0);
    for (size_t i = 0; i < n; i++) seen[i] |= out[i + 1];
  }
  // One byte stays zero by chance once in 2^64.
  for (size_t i = 0; i < n; i++) assert_int_not_equal(seen[i], 0);
  free(out);
  free(seen);
}

static void requests_of_any_length_are_filled(void **state) {
  (void)state;
  for (size_t s = 0; s < COUNT(sources); s++) {
    for (size_t n = 0; n <= 600; n++) check_length(sources[s], n);
    for (size_t n = MEGABYTE - 1; n <= MEGABYTE + 1; n++) check_length(sources[s], n);
    check_length(sources[s], 3 * MEGABYTE + 333);
    assert_ok(sources[s](NULL, 0));
  }
}

static void half_of_the_bits_are_set(void **state) {
  (void)state;
  static uint8_t out[MEGABYTE];
  static const size_t requests[] = {MEGABYTE, 4096, 100, 7};
  for (size_t r = 0; r < COUNT(requests); r++) {
    for (size_t at = 0; at < sizeof out; at += requests[r]) {
      const size_t left = sizeof out - at;
      assert_ok(tn_random(NULL, out + at, left < requests[r] ? left : requests[r]));
    }
    int64_t set = 0;
    for (size_t i = 0; i < sizeof out; i++) set += __builtin_popcount(out[i]);
    // The deviation of 2^23 fair bits is 1448.
    assert_in_range(set, 4 * MEGABYTE - 6 * 1448, 4 * MEGABYTE + 6 * 1448);
  }
}

static int compare_words(const void *a, const void *b) {
  uint64_t x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  return (x > y) - (x < y);
}

// 2^16 words of 64 bits: two are equal by chance once in 2^33 runs.
static void nothing_is_handed_out_twice(void **state) {
  (void)state;
  static uint64_t words[1 << 16];
  for (size_t i = 0; i < COUNT(words);) {
    size_t n = 1 + i % 1000;
    if (n > COUNT(words) - i) n = COUNT(words) - i;
    assert_ok(tn_random(NULL, words + i, n * sizeof *words));
    i += n;
  }
  qsort(words, COUNT(words), sizeof *words, compare_words);
  for (size_t i = 1; i < COUNT(words); i++) assert_true(words[i - 1] != words[i]);
}

static tn_result fill_half_and_fail(void *ctx, uint8_t *out, size_t n) {
  memset(out, 0xaa, n / 2);
  return *(tn_result *)ctx;
}

static void a_failure_zeroes_the_output(void **state) {
  (void)state;
  tn_result failures[] = {tn_fail(TN_E_SELF_CHECK), {0}};
  for (size_t i = 0; i < COUNT(failures); i++) {
    tn_rng broken = {fill_half_and_fail, &failures[i]};
    uint8_t out[9];
    memset(out, 0x55, sizeof out);
    tn_result r = tn_random(&broken, out, 8);
    assert_int_equal(r.reason, failures[i].reason);
    assert_int_equal(r.alert, failures[i].alert);
    for (size_t at = 0; at < 8; at++) assert_int_equal(out[at], 0);
    assert_int_equal(out[8], 0x55);
  }
}

static void a_callers_generator_is_used(void **state) {
  (void)state;
  test_rng a = {5}, b = {5};
  tn_rng rng = test_rng_as_rng(&a);
  uint8_t got[40], want[40];
  assert_ok(tn_random(&rng, got, sizeof got));
  test_rng_bytes(&b, want, sizeof want);
  assert_memory_equal(got, want, sizeof want);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_draws_differ),
      cmocka_unit_test(two_threads_differ),
      cmocka_unit_test(a_forked_child_differs_from_its_parent),
      cmocka_unit_test(requests_of_any_length_are_filled),
      cmocka_unit_test(half_of_the_bits_are_set),
      cmocka_unit_test(nothing_is_handed_out_twice),
      cmocka_unit_test(a_failure_zeroes_the_output),
      cmocka_unit_test(a_callers_generator_is_used),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
