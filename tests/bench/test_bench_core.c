// The core with made-up sides: disagreement is found, work is numbered right, and what is printed parses.
#include "bench/bench.h"

#include "support/support.h"

typedef enum flaw { FLAWLESS, WRONG, FAILS } flaw;

// A side that writes the operation's number, with a flaw at will.
typedef struct fake {
  flaw flaw;
  uint64_t from;  // the first operation that has it
  uint64_t output;
  uint64_t next;   // no smaller number may come
  bool went_back;  // one did
} fake;

static bool fake_work(void *state, uint64_t first, uint64_t n, tn_speed_clock *clock) {
  fake *f = state;
  (void)clock;
  f->went_back |= first < f->next;
  f->next = first + n;
  for (volatile uint64_t *output = &f->output; n-- != 0;) *output = first++;
  if (f->flaw == FLAWLESS || f->output < f->from) return true;
  f->output ^= 1;
  return f->flaw == WRONG;
}

static bool paused_work(void *state, uint64_t first, uint64_t n, tn_speed_clock *clock) {
  tn_speed_pause(clock);
  for (volatile uint64_t i = 0; i < 20000 * n; i++) continue;
  tn_speed_resume(clock);
  return fake_work(state, first, n, clock);
}

static bench_row row_of(fake *ours, fake *theirs) {
  return (bench_row){
      .name = "fake",
      .size = 8,
      .sides = {{"Ours", fake_work, ours, {(const uint8_t *)&ours->output, sizeof ours->output}},
                {"Theirs",
                 fake_work,
                 theirs,
                 {theirs != NULL ? (const uint8_t *)&theirs->output : NULL, sizeof theirs->output}}},
      .n_sides = 2,
  };
}

#define SECONDS 0.002

static void test_statistics(void **unused) {
  (void)unused;
  static const struct {
    double values[5];
    size_t n;
    bench_stat wanted;
  } cases[] = {
      {{7}, 1, {7, 7, 7}},
      {{3, 1}, 2, {2, 1, 3}},
      {{5, 9, 1}, 3, {5, 1, 9}},
      {{4, 4, 1, 100}, 4, {4, 1, 100}},
      {{3, 5, 2, 1, 4}, 5, {3, 1, 5}},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    double values[5];
    memcpy(values, cases[i].values, sizeof values);
    const bench_stat got = bench_stat_of(values, cases[i].n);
    assert_float_equal(got.median, cases[i].wanted.median, 0);
    assert_float_equal(got.min, cases[i].wanted.min, 0);
    assert_float_equal(got.max, cases[i].wanted.max, 0);
  }
}

static void test_agreement(void **unused) {
  (void)unused;
  fake ours = {0}, theirs = {0};
  const bench_row row = row_of(&ours, &theirs);
  const bench_result result = bench_measure(&row, SECONDS);
  assert_true(result.outputs_agree);
  // Nonces are made of these numbers.
  assert_false(ours.went_back);
  assert_false(theirs.went_back);
  for (size_t s = 0; s < 2; s++) {
    assert_true(result.seconds[s].min > 0);
    assert_true(result.seconds[s].min <= result.seconds[s].median);
    assert_true(result.seconds[s].median <= result.seconds[s].max);
  }
  assert_true(result.ratio[1].min > 0 && result.ratio[1].min <= result.ratio[1].max);
}

static void test_flaws_are_found(void **unused) {
  (void)unused;
  const struct {
    const char *what;
    fake ours, theirs;
  } cases[] = {
      {"our output is wrong at once", {WRONG, .from = 0}, {0}},
      {"the peer's output is wrong at once", {0}, {WRONG, .from = 0}},
      {"wrong in the second operation", {WRONG, .from = 1}, {0}},
      {"wrong only after the timed rounds began", {WRONG, .from = 8}, {0}},
      {"we fail at once", {FAILS, .from = 0}, {0}},
      {"the peer fails at once", {0}, {FAILS, .from = 0}},
      {"the peer fails in a timed round", {0}, {FAILS, .from = 8}},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    fake ours = cases[i].ours, theirs = cases[i].theirs;
    const bench_row row = row_of(&ours, &theirs);
    if (bench_measure(&row, SECONDS).outputs_agree) fail_msg("not found: %s", cases[i].what);
  }
  fake ours = {0}, theirs = {0};
  bench_row row = row_of(&ours, &theirs);
  row.sides[0].output.n = row.sides[1].output.n = 0;
  assert_false(bench_measure(&row, SECONDS).outputs_agree);  // nothing was compared
}

static bool disagree(const bench_row *row, uint64_t i) {
  (void)row, (void)i;
  return false;
}

// Nobody to compare with: our own figures, if we did not fail.
static void test_without_a_peer(void **unused) {
  (void)unused;
  fake ours = {0}, failing = {FAILS, .from = 8};
  bench_row row = row_of(&ours, NULL);
  row.n_sides = 1;
  assert_true(bench_measure(&row, SECONDS).outputs_agree);
  row.sides[0].state = &failing;
  assert_false(bench_measure(&row, SECONDS).outputs_agree);
  row.sides[0].state = &ours;
  row.sides[0].output.n = 0;
  assert_false(bench_measure(&row, SECONDS).outputs_agree);
}

// Every fourth operation takes so long that the others count for nothing: the mean tells.
static bool varying_work(void *state, uint64_t first, uint64_t n, tn_speed_clock *clock) {
  for (uint64_t i = first; i < first + n; i++)
    for (volatile uint64_t k = 0; i % 4 == 0 && k < 400000; k++) continue;
  return fake_work(state, first, n, clock);
}

static void test_means(void **unused) {
  (void)unused;
  fake ours = {0}, theirs = {0};
  bench_row row = row_of(&ours, &theirs);
  row.varies = true;
  row.sides[0].work = varying_work;
  const bench_result result = bench_measure(&row, 1e-9);  // rounds of one operation
  assert_true(result.outputs_agree);
  const bench_stat seconds = result.seconds[0];
  assert_true(seconds.median > seconds.max / BENCH_ROUNDS && seconds.median < seconds.max);
  row.varies = false;
  ours = theirs = (fake){0};
  assert_true(bench_measure(&row, 1e-9).seconds[0].median < seconds.median);
}

// What an operation does several times over is counted so.
static void test_times(void **unused) {
  (void)unused;
  fake ours = {0}, theirs = {0};
  bench_row row = row_of(&ours, &theirs);
  row.sides[0].work = row.sides[1].work = varying_work;
  const double once = bench_measure(&row, SECONDS).seconds[0].min;
  ours = theirs = (fake){0};
  row.times = 1000;
  assert_true(bench_measure(&row, SECONDS).seconds[0].min < once / 10);
}

static void test_own_comparison_decides(void **unused) {
  (void)unused;
  fake ours = {0}, theirs = {0};
  bench_row row = row_of(&ours, &theirs);
  row.agree = disagree;
  assert_false(bench_measure(&row, SECONDS).outputs_agree);
}

// Paused time is in the budget of the rounds, not in the result.
static void test_pausing(void **unused) {
  (void)unused;
  fake ours = {0}, theirs = {0};
  bench_row row = row_of(&ours, &theirs);
  tn_speed_clock paused = {0}, whole = {0};
  tn_speed_resume(&whole);
  tn_speed_resume(&paused);
  assert_true(paused_work(&ours, 0, 100, &paused));
  tn_speed_pause(&paused);
  tn_speed_pause(&whole);
  assert_true(paused.seconds < whole.seconds);
  row.sides[0].work = paused_work;
  ours = (fake){0};
  assert_true(bench_measure(&row, SECONDS).outputs_agree);
}

static void test_filters(void **unused) {
  (void)unused;
  static const char *const filters[] = {"gcm", "sha2"};
  const bench all = {0}, some = {.filters = filters, .n_filters = 2};
  assert_true(bench_wanted(&all, "x25519"));
  assert_true(bench_wanted(&some, "aes-128-gcm-open"));
  assert_true(bench_wanted(&some, "sha256"));
  assert_false(bench_wanted(&some, "sha512"));
}

static json_t *report(const bench_row *const *rows, size_t n, size_t *failures) {
  char *text = NULL;
  size_t length;
  bench b = {.seconds = SECONDS, .json = true};
  b.out = open_memstream(&text, &length);
  bench_report_begin(&b);
  for (size_t i = 0; i < n; i++) bench_run(&b, rows[i]);
  bench_report_end(&b);
  fclose(b.out);
  json_t *parsed = json_loads(text, 0, NULL);
  free(text);
  assert_non_null(parsed);
  *failures = b.failures;
  return parsed;
}

static void test_report(void **unused) {
  (void)unused;
  fake ours = {0}, theirs = {0}, third = {0}, wrong = {WRONG, .from = 0}, right = {0};
  const bench_row bad = row_of(&wrong, &right);
  bench_row good = row_of(&ours, &theirs);
  good.sides[2] = (bench_side){"Third", fake_work, &third, {(const uint8_t *)&third.output, sizeof third.output}};
  good.n_sides = 3;
  fake alone = {0};
  bench_row own = row_of(&alone, NULL);
  own.n_sides = 1;
  size_t failures;
  json_t *rows = report((const bench_row *const[]){&good, &bad, &own}, 3, &failures);
  assert_int_equal(failures, 1);
  assert_int_equal(json_array_size(rows), 4);  // a row for each peer, and one without

  const json_t *last = json_array_get(rows, 3);
  assert_true(json_is_null(json_object_get(last, "peer")));
  assert_true(json_is_true(json_object_get(last, "outputs_agree")));
  assert_true(json_is_number(json_object_get(last, "bytes_per_s")));
  assert_null(json_object_get(last, "peer_bytes_per_s"));
  assert_null(json_object_get(last, "ratio"));

  static const char *const peers[] = {"Theirs", "Third", "Theirs"};
  for (size_t i = 0; i < 3; i++) {
    const json_t *row = json_array_get(rows, i);
    assert_string_equal(json_string_value(json_object_get(row, "peer")), peers[i]);
    assert_int_equal(json_integer_value(json_object_get(row, "size")), 8);
    assert_int_equal(json_is_true(json_object_get(row, "outputs_agree")), i < 2);
    // A row that failed has no figures.
    assert_int_equal(json_is_number(json_object_get(row, "bytes_per_s")), i < 2);
    assert_int_equal(json_is_number(json_object_get(row, "ratio")), i < 2);
  }
  json_decref(rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_statistics),      cmocka_unit_test(test_agreement),
      cmocka_unit_test(test_flaws_are_found), cmocka_unit_test(test_own_comparison_decides),
      cmocka_unit_test(test_pausing),         cmocka_unit_test(test_filters),
      cmocka_unit_test(test_report),          cmocka_unit_test(test_without_a_peer),
      cmocka_unit_test(test_means),           cmocka_unit_test(test_times),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
