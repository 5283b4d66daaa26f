#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define CHECKED 4  // operations that are compared, before the timed rounds and again after them
#define LONGER 10  // times, the rounds of rows that vary

// ---------------------------------------------------------------- statistics

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

bench_stat bench_stat_of(double *values, size_t n) {
  qsort(values, n, sizeof *values, ascending);
  return (bench_stat){(values[(n - 1) / 2] + values[n / 2]) / 2, values[0], values[n - 1]};
}

// ---------------------------------------------------------------- rounds

// A side on its way through the rounds.
typedef struct progress {
  uint64_t next;  // the operation that comes next
  uint64_t n;     // operations in a round
  double seconds[BENCH_ROUNDS], cycles[BENCH_ROUNDS];
} progress;

static bool work(const bench_side *side, progress *p, uint64_t n, tn_speed_clock *clock) {
  *clock = (tn_speed_clock){0};
  tn_speed_resume(clock);
  const bool done = side->work(side->state, p->next, n, clock);
  tn_speed_pause(clock);
  p->next += n;
  return done;
}

// Finds how many operations fill `slice` seconds, untimed parts included; warms caches up on the way.
static bool calibrate(const bench_side *side, progress *p, double slice) {
  for (uint64_t n = 1;; n *= 2) {
    tn_speed_clock clock;
    const double start = tn_speed_now();
    if (!work(side, p, n, &clock)) return false;
    const double spent = tn_speed_now() - start;
    if (spent < slice / 4) continue;
    const double fitting = (double)n * slice / spent;
    p->n = fitting < 1 ? 1 : (uint64_t)fitting;
    return true;
  }
}

static bool same_outputs(const bench_row *row) {
  const tn_span ours = row->sides[0].output;
  if (ours.n == 0) return false;
  for (size_t s = 1; s < row->n_sides; s++) {
    const tn_span theirs = row->sides[s].output;
    if (ours.n != theirs.n || memcmp(ours.p, theirs.p, ours.n) != 0) return false;
  }
  return true;
}

// Lets every side do the same operations and compares what each of them leaves.
static bool check(const bench_row *row, uint64_t first) {
  for (uint64_t i = first; i < first + CHECKED; i++) {
    for (size_t s = 0; s < row->n_sides; s++) {
      progress p = {.next = i};
      tn_speed_clock clock;
      if (!work(&row->sides[s], &p, 1, &clock)) return false;
    }
    if (!(row->agree != NULL ? row->agree(row, i) : same_outputs(row))) return false;
  }
  return true;
}

// Of the rounds' values, which it sorts.
static bench_stat middle_of(const bench_row *row, double values[BENCH_ROUNDS], double mean) {
  bench_stat stat = bench_stat_of(values, BENCH_ROUNDS);
  if (row->varies) stat.median = mean;
  return stat;
}

static double mean_of(const double values[BENCH_ROUNDS]) {
  double sum = 0;
  for (size_t round = 0; round < BENCH_ROUNDS; round++) sum += values[round];
  return sum / BENCH_ROUNDS;
}

bench_result bench_measure(const bench_row *row, double seconds) {
  bench_result result = {.row = row};
  progress sides[BENCH_MAX_SIDES] = {0};
  const double slice = seconds * (row->varies ? LONGER : 1) / (double)(BENCH_ROUNDS * row->n_sides);
  uint64_t last = CHECKED;

  if (!check(row, 0)) return result;
  for (size_t s = 0; s < row->n_sides; s++) {
    sides[s].next = CHECKED;
    if (!calibrate(&row->sides[s], &sides[s], slice)) return result;
  }
  for (size_t round = 0; round < BENCH_ROUNDS; round++) {
    for (size_t i = 0; i < row->n_sides; i++) {
      // Every other round in reverse, so that drift favours nobody.
      const size_t s = round % 2 == 0 ? i : row->n_sides - 1 - i;
      progress *p = &sides[s];
      tn_speed_clock clock;
      if (!work(&row->sides[s], p, p->n, &clock)) return result;
      const double counted = (double)p->n * (row->times != 0 ? row->times : 1);
      p->seconds[round] = clock.seconds / counted;
      p->cycles[round] = clock.cycles / counted;
      if (p->next > last) last = p->next;
    }
  }
  result.outputs_agree = check(row, last);

  for (size_t s = 1; s < row->n_sides; s++) {
    double ratios[BENCH_ROUNDS];
    for (size_t round = 0; round < BENCH_ROUNDS; round++)
      ratios[round] = sides[s].seconds[round] / sides[0].seconds[round];
    result.ratio[s] = middle_of(row, ratios, mean_of(sides[s].seconds) / mean_of(sides[0].seconds));
  }
  for (size_t s = 0; s < row->n_sides; s++) {
    result.seconds[s] = middle_of(row, sides[s].seconds, mean_of(sides[s].seconds));
    result.cycles[s] = middle_of(row, sides[s].cycles, mean_of(sides[s].cycles)).median;
  }
  return result;
}

// ---------------------------------------------------------------- a run

bool bench_wanted(const bench *b, const char *name) {
  for (size_t i = 0; i < b->n_filters; i++)
    if (strstr(name, b->filters[i]) != NULL) return true;
  return b->n_filters == 0;
}

void bench_run(bench *b, const bench_row *row) {
  const bench_result result = bench_measure(row, b->seconds);
  bench_report_row(b, &result);
  b->rows++;
  if (!result.outputs_agree) {
    b->failures++;
    fprintf(stderr, "tenon-bench: %s: the libraries disagree, or one failed (size %zu)\n", row->name, row->size);
  }
}
