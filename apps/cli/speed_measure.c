#include "cli/speed.h"

#define ROUNDS 7   // what disturbs a measurement only ever makes it slower: the fastest is the best known
#define LONGER 10  // times, where operations vary

static bool work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  *clock = (tn_speed_clock){0};
  tn_speed_resume(clock);
  const bool done = job->row->kind->work(job, n, clock);
  tn_speed_pause(clock);
  return done;
}

static bool measure_mean(tn_speed_job *job, double seconds, tn_speed_figure *figure) {
  const double start = tn_speed_now();
  tn_speed_figure sum = {0};
  double n = 0;
  do {
    tn_speed_clock clock;
    if (!work(job, 1, &clock)) return false;
    sum.seconds += clock.seconds;
    sum.cycles += clock.cycles;
    n++;
  } while (tn_speed_now() - start < LONGER * seconds);
  *figure = (tn_speed_figure){sum.seconds / n, sum.cycles / n};
  return true;
}

bool tn_speed_measure(tn_speed_job *job, double seconds, tn_speed_figure *figure) {
  if (job->varies) return measure_mean(job, seconds, figure);
  const double slice = seconds / (ROUNDS + 1);
  tn_speed_clock clock;
  uint64_t n = 1;
  // How many operations fill a slice, untimed parts included; this warms up, too.
  for (;; n *= 2) {
    const double start = tn_speed_now();
    if (!work(job, n, &clock)) return false;
    const double spent = tn_speed_now() - start;
    if (spent < slice / 4) continue;
    n = (uint64_t)((double)n * slice / spent) + 1;
    break;
  }
  *figure = (tn_speed_figure){0};
  for (int round = 0; round < ROUNDS; round++) {
    if (!work(job, n, &clock)) return false;
    if (round > 0 && clock.seconds / (double)n >= figure->seconds) continue;
    *figure = (tn_speed_figure){clock.seconds / (double)n, clock.cycles / (double)n};
  }
  return true;
}
