// Random bytes: one request an operation.
#include <stdlib.h>
#include <string.h>

#include "cli/speed.h"
#include "crypto/rng/rng.h"

static bool work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  bool good = true;
  (void)clock;
  for (; n != 0; n--) good &= tn_ok(tn_random(job->row->subject, job->state, job->size));
  return good;
}

// Two requests do not give the same bytes (where that could hardly be chance), nor are bytes left as they were.
static bool start(tn_speed_job *job) {
  const size_t n = job->size;
  job->state = tn_speed_random_bytes(n);
  uint8_t *before = malloc(n);
  bool good = job->state != NULL && before != NULL;
  for (int i = 0; i < 2 && good; i++) {
    memcpy(before, job->state, n);
    good = work(job, 1, NULL) && (n < 16 || memcmp(before, job->state, n) != 0);
  }
  free(before);
  return good;
}

static void end(tn_speed_job *job) { free(job->state); }

static const tn_speed_kind kind = {true, start, work, end};

void tn_speed_list_random(tn_speed_rows *rows) { tn_speed_add(rows, &kind, &tn_rng_fast, 0, "random"); }
