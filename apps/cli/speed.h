// `tenon speed`: what can be measured. Each kind of work lists its rows by walking the tables of the floors below, so
// that what is added there appears here.
#ifndef TN_CLI_SPEED_H
#define TN_CLI_SPEED_H

#include "cli/speed_machine.h"
#include "tenon/base.h"

#define TN_SPEED_NAME 48  // room for a name

typedef struct tn_speed_row tn_speed_row;

// A row made ready at one size.
typedef struct tn_speed_job {
  const tn_speed_row *row;
  size_t size;       // bytes that one operation handles; 0: operations themselves are counted
  const char *path;  // which implementation runs, or NULL
  bool varies;       // one operation may take many times as long as the next: the mean counts
  void *state;
} tn_speed_job;

// How rows of a kind are worked.
typedef struct tn_speed_kind {
  bool sized;
  // Fills path and state (and varies) for job->size, and may change that to a size near it that the row can do (whole
  // blocks). Does the work once and compares: false if it came out wrong, or for want of memory or random bytes. end()
  // follows anyway.
  bool (*start)(tn_speed_job *job);
  // Does n operations. The clock runs on entry and on return. False: one of them failed.
  bool (*work)(tn_speed_job *job, uint64_t n, tn_speed_clock *clock);
  void (*end)(tn_speed_job *job);  // state may be NULL
} tn_speed_kind;

struct tn_speed_row {
  char name[TN_SPEED_NAME];
  const tn_speed_kind *kind;
  const void *subject;  // a row of a table below
  int variant;          // the kind's own: which of the things that are done with the subject
};

typedef struct tn_speed_rows {
  tn_speed_row *row;  // malloc's
  size_t n, room;
} tn_speed_rows;

// Adds a row; its name is in small letters. Exits with status 1 if there is no memory.
void tn_speed_add(tn_speed_rows *rows, const tn_speed_kind *kind, const void *subject, int variant, const char *name,
                  ...) __attribute__((format(printf, 5, 6)));

// Each adds its kinds' rows.
void tn_speed_list_aeads(tn_speed_rows *rows);
void tn_speed_list_ciphers(tn_speed_rows *rows);
void tn_speed_list_cbc_hmacs(tn_speed_rows *rows);
void tn_speed_list_hashes(tn_speed_rows *rows);
void tn_speed_list_shakes(tn_speed_rows *rows);
void tn_speed_list_kdfs(tn_speed_rows *rows);
void tn_speed_list_prfs(tn_speed_rows *rows);
void tn_speed_list_random(tn_speed_rows *rows);
void tn_speed_list_drbgs(tn_speed_rows *rows);
void tn_speed_list_groups(tn_speed_rows *rows);
void tn_speed_list_kems(tn_speed_rows *rows);
void tn_speed_list_signatures(tn_speed_rows *rows);
void tn_speed_list_fields(tn_speed_rows *rows);
void tn_speed_list_handshakes(tn_speed_rows *rows);
void tn_speed_list_records(tn_speed_rows *rows);

// n bytes at a multiple of 64, random; NULL if there is no memory. free() them.
uint8_t *tn_speed_random_bytes(size_t n);

// ---------------------------------------------------------------- what was measured

typedef struct tn_speed_figure {
  double seconds;  // of one operation
  double cycles;   // of one operation; 0: unknown
} tn_speed_figure;

// Warms up, then the fastest of several rounds that take about `seconds` together; or, where operations vary, the mean
// of all in ten times as long. False: the work failed.
TN_MUST_USE bool tn_speed_measure(tn_speed_job *job, double seconds, tn_speed_figure *figure);

// ---------------------------------------------------------------- what is printed, on standard output

void tn_speed_report_begin(bool json, double seconds);
void tn_speed_report_row(bool json, bool first, const tn_speed_job *job, const tn_speed_figure *figure);
void tn_speed_report_end(bool json);

#endif
