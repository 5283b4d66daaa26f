// The core of the benchmarks: the same work done by several libraries, in alternating rounds of one process.
#ifndef TN_BENCH_H
#define TN_BENCH_H

#include <stdio.h>

#include "cli/speed_machine.h"
#include "tenon/base.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// ---------------------------------------------------------------- one row

// One library's way to do the row's work.
typedef struct bench_side {
  const char *library;
  // Does the operations first, first + 1, ..., first + n - 1 (operation i is the same work with the same input
  // whenever and by whomever it is done). False: one of them failed. The clock runs on entry and on return.
  bool (*work)(void *state, uint64_t first, uint64_t n, tn_speed_clock *clock);
  void *state;
  tn_span output;  // where the last operation leaves its result
} bench_side;

#define BENCH_MAX_SIDES 4

typedef struct bench_row bench_row;
struct bench_row {
  const char *name;                   // as in `tenon speed`
  size_t size;                        // the bytes that one operation handles; 0: operations themselves are counted
  const char *path;                   // which of our implementations runs, or NULL
  bench_side sides[BENCH_MAX_SIDES];  // ours first, then the peers, if there are any
  size_t n_sides;
  unsigned times;  // that an operation does what the row counts; 0: once
  bool varies;     // one operation may take many times as long as the next: means count, and the rounds are longer
  // Every side has done operation i: do they agree? NULL: their outputs must be the same bytes.
  bool (*agree)(const bench_row *row, uint64_t i);
};

// ---------------------------------------------------------------- what was measured

typedef struct bench_stat {
  double median, min, max;  // of a row that varies, the mean takes the median's place
} bench_stat;

// The statistic of n values; sorts them. n > 0.
bench_stat bench_stat_of(double *values, size_t n);

typedef struct bench_result {
  const bench_row *row;
  bool outputs_agree;                   // every side agreed before and after the timed rounds, and nothing failed
  bench_stat seconds[BENCH_MAX_SIDES];  // of one operation
  double cycles[BENCH_MAX_SIDES];       // of one operation, median; 0: unknown
  bench_stat ratio[BENCH_MAX_SIDES];    // of a peer: its time over ours in the same round; above 1 we are faster
} bench_result;

#define BENCH_ROUNDS 11

// Checks, calibrates and times. `seconds` is about what all rounds of all sides take together.
bench_result bench_measure(const bench_row *row, double seconds);

// ---------------------------------------------------------------- a run

typedef struct bench {
  double seconds;  // for a row
  bool json;
  const char *const *filters;  // parts of names; none: everything
  size_t n_filters;
  size_t rows;      // reported so far
  size_t failures;  // rows whose sides disagreed
  FILE *out;
} bench;

// Whether rows of this name are asked for.
bool bench_wanted(const bench *b, const char *name);
// Measures the row and reports it.
void bench_run(bench *b, const bench_row *row);

// report.c: a text table, or a JSON array with an object for each row and peer, or for a row without peers.
void bench_report_begin(const bench *b);
void bench_report_row(const bench *b, const bench_result *result);
void bench_report_end(const bench *b);

// Says why on stderr and exits with status 1: the benchmark itself could not be set up.
_Noreturn void bench_die(const char *what, const char *why);
// For setting up: everything in it has to succeed.
#define BENCH_NEED(condition, what) ((condition) ? (void)0 : bench_die(what, "cannot set up: " #condition))

// ---------------------------------------------------------------- what there is

// The sizes that ciphers, hashes and MACs are measured at.
#define BENCH_SIZES 8
#define BENCH_MAX_SIZE 65536
extern const size_t bench_sizes[BENCH_SIZES];

// "OpenSSL 3.0.22": the library that runs, not the headers.
const char *bench_openssl_name(void);
// n bytes without a pattern, always the same for a seed.
void bench_fill(void *out, size_t n, uint64_t seed);

void bench_aead(bench *b);
void bench_cipher(bench *b);
void bench_cbc_hmac(bench *b);
void bench_hash(bench *b);
void bench_shake(bench *b);
void bench_hmac(bench *b);
void bench_shax(bench *b);
void bench_prf(bench *b);
void bench_drbg(bench *b);
void bench_random(bench *b);
void bench_kex(bench *b);
void bench_kem(bench *b);
void bench_sign(bench *b);
void bench_keygen(bench *b);
void bench_field(bench *b);
void bench_handshake(bench *b);

#endif
