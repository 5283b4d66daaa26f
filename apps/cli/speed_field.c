// Arithmetic of the fields of P-256 and P-384, a function call an operation: in a chain, where each takes the result of
// the one before as point arithmetic mostly has them, and in parallel, where none waits for another.
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "cli/speed.h"
#include "crypto/ec/field_ops.h"

enum { CHAIN, PARALLEL };

typedef uint64_t number[TN_FIELD_OP_MAX_WORDS];

typedef struct field_state {
  number a, b, r;
} field_state;

static bool work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  const tn_field_op *op = job->row->subject;
  field_state *s = job->state;
  (void)clock;
  if (job->row->variant == PARALLEL) {
    for (; n != 0; n--) op->op(s->r, s->a, s->b);
    return true;
  }
  for (; n > 1; n -= 2) {  // what is written never overlaps what is read
    op->op(s->r, s->a, s->b);
    op->op(s->a, s->r, s->b);
  }
  if (n != 0) op->op(s->r, s->a, s->b);
  return true;
}

// The operation gives the same on every other path.
static bool right(const tn_field_op *op, const field_state *s) {
  number wanted, found;
  memcpy(wanted, s->r, sizeof wanted);
  memcpy(found, s->r, sizeof found);
  op->op(wanted, s->a, s->b);
  for (const tn_field_op *other = op + 1; other->name != NULL; other++) {
    if (strcmp(other->name, op->name) != 0 || !tn_cpu_has(other->cpu)) continue;
    other->op(found, s->a, s->b);
    if (memcmp(wanted, found, sizeof found) != 0) return false;
  }
  return true;
}

static bool start(tn_speed_job *job) {
  const tn_field_op *op = job->row->subject;
  field_state *s = job->state = tn_speed_random_bytes(sizeof *s);
  job->path = op->path;
  if (s == NULL) return false;
  // Below p if they are of 4 or 6 words, below p^2 if of 12.
  for (size_t i = 0; i < TN_FIELD_OP_MAX_WORDS; i++) s->a[i] >>= 1, s->b[i] >>= 1, s->r[i] >>= 1;
  return right(op, s);
}

static void end(tn_speed_job *job) { free(job->state); }

static const tn_speed_kind kind = {.start = start, .work = work, .end = end};

// The best path of each operation.
void tn_speed_list_fields(tn_speed_rows *rows) {
  const char *listed = "";
  for (const tn_field_op *op = tn_field_ops; op->name != NULL; op++) {
    if (!tn_cpu_has(op->cpu) || strcmp(op->name, listed) == 0) continue;
    listed = op->name;
    tn_speed_add(rows, &kind, op, CHAIN, "%s", op->name);
    tn_speed_add(rows, &kind, op, PARALLEL, "%s-parallel", op->name);
  }
}
