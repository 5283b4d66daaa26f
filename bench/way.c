#include "way.h"

#include <stdlib.h>
#include <string.h>

const char *bench_our_name(void) { return "Tenon"; }

static bool work(void *state, uint64_t first, uint64_t n, tn_speed_clock *clock) {
  bench_worker *w = state;
  bool good = true;
  (void)clock;
  for (uint64_t i = first; i < first + n; i++) good &= w->way->one(&w->job, i);
  return good;
}

static uint8_t *room(size_t n) {
  uint8_t *p = aligned_alloc(64, (n + 63) / 64 * 64);
  BENCH_NEED(p != NULL, "memory");
  return p;
}

// False: the library does not have it.
static bool worker_make(bench_worker *w, const bench_kind *kind, const bench_way *way, const bench_job *like) {
  *w = (bench_worker){way, *like};
  bench_fill(w->job.key, sizeof w->job.key, 5);
  if (!way->make(&w->job)) {
    way->free(&w->job);
    return false;
  }
  w->job.in = room(BENCH_MAX_SIZE + kind->in_room);
  w->job.out = room(BENCH_MAX_SIZE + kind->out_room);
  return true;
}

static void worker_free(bench_worker *w) {
  w->way->free(&w->job);
  free(w->job.in);
  free(w->job.out);
}

static void run_size(bench *b, const bench_kind *kind, bench_row *row, size_t size) {
  row->size = kind->by_operation ? 0 : size;
  for (size_t s = 0; s < row->n_sides; s++) {
    bench_job *job = &bench_worker_of(row, s)->job;
    job->size = size;
    bench_fill(job->in, size, 3);
    bench_fill(job->out, size, 6 + s);  // what is left alone is not the same
    if (kind->prepare != NULL) kind->prepare(job);
    row->sides[s].output = (tn_span){job->out, kind->out_len != NULL ? kind->out_len(job) : size};
  }
  bench_run(b, row);
}

void bench_kind_run(bench *b, const bench_kind *kind, const char *row_name, const void *algorithm, const char *name,
                    bool reverse) {
  bench_worker workers[BENCH_MAX_SIDES];
  bench_row row = {.name = row_name, .times = kind->times, .varies = kind->varies, .agree = kind->agree};
  const bench_job like = {.algorithm = algorithm, .name = name, .reverse = reverse};
  if (!bench_wanted(b, row_name)) return;
  for (const bench_way *const *way = kind->ways; *way != NULL; way++) {
    bench_worker *w = &workers[row.n_sides];
    if (worker_make(w, kind, *way, &like)) row.sides[row.n_sides++] = (bench_side){(*way)->library(), work, w, {0}};
  }
  row.path = workers[0].job.path;
  for (size_t i = 0; i < BENCH_SIZES && (kind->alone || row.n_sides > 1); i++) {
    const size_t wanted = kind->by_operation ? BENCH_MAX_SIZE : bench_sizes[i];
    const size_t size = kind->fit != NULL ? kind->fit(&workers[0].job, wanted) : wanted;
    if (size != 0) run_size(b, kind, &row, size);
    if (kind->by_operation) break;
  }
  for (size_t s = 0; s < row.n_sides; s++) worker_free(&workers[s]);
}
