// SHAKE: one message an operation, from start to 32 bytes of output.
#include <stdlib.h>
#include <string.h>

#include "cli/speed.h"
#include "crypto/hash/shake.h"

#define OUT_LEN 32

typedef struct shake {
  const char *name;
  void (*once)(const void *p, size_t n, void *out, size_t out_len);
  void (*init)(tn_shake *s);
} shake;

static const shake shakes[] = {{"shake128", tn_shake128, tn_shake128_init},
                               {"shake256", tn_shake256, tn_shake256_init}};

typedef struct shake_state {
  uint8_t out[OUT_LEN];
  uint8_t *message;
} shake_state;

static bool work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  const shake *subject = job->row->subject;
  shake_state *s = job->state;
  (void)clock;
  for (; n != 0; n--) subject->once(s->message, job->size, s->out, OUT_LEN);
  return true;
}

// The message in one piece gives what it gives byte by byte.
static bool start(tn_speed_job *job) {
  const shake *subject = job->row->subject;
  shake_state *s = job->state = calloc(1, sizeof *s);
  tn_shake piecewise;
  uint8_t out[OUT_LEN];
  if (s == NULL || (s->message = tn_speed_random_bytes(job->size)) == NULL) return false;
  job->path = tn_keccak_path();
  subject->init(&piecewise);
  for (size_t i = 0; i < job->size; i++) tn_shake_absorb(&piecewise, s->message + i, 1);
  for (size_t i = 0; i < OUT_LEN; i++) tn_shake_squeeze(&piecewise, out + i, 1);
  tn_shake_wipe(&piecewise);
  return work(job, 1, NULL) && memcmp(out, s->out, OUT_LEN) == 0;
}

static void end(tn_speed_job *job) {
  shake_state *s = job->state;
  if (s != NULL) free(s->message);
  free(s);
}

static const tn_speed_kind kind = {true, start, work, end};

void tn_speed_list_shakes(tn_speed_rows *rows) {
  for (size_t i = 0; i < sizeof shakes / sizeof *shakes; i++)
    tn_speed_add(rows, &kind, &shakes[i], 0, "%s", shakes[i].name);
}
