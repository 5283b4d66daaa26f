// The shape of most rows: an algorithm under a key, and an operation that makes of its input bytes that are the same in
// every library.
#ifndef TN_BENCH_WAY_H
#define TN_BENCH_WAY_H

#include "bench.h"

#define BENCH_KEY_LEN 96  // bytes of key that there are; an algorithm takes as many as it needs

// What an operation works with. Each side has its own.
typedef struct bench_job {
  const void *algorithm;  // its row in one of our tables
  const char *name;       // its name, by which peers find it
  bool reverse;           // decrypts, opens
  size_t size;            // of the text
  uint8_t key[BENCH_KEY_LEN];
  uint8_t *in, *out;
  const char *path;  // ours: the implementation that runs
  void *state;       // the way's own
} bench_job;

// How one library does it.
typedef struct bench_way {
  const char *(*library)(void);
  // Sets state up for the algorithm and the key. False: the library does not have it; free() follows even so.
  bool (*make)(bench_job *job);
  // Operation i, from `in` to `out`.
  bool (*one)(bench_job *job, uint64_t i);
  void (*free)(bench_job *job);
} bench_way;

// A kind of work.
typedef struct bench_kind {
  const bench_way *const *ways;  // ours first, then the peers, then NULL
  size_t in_room, out_room;      // bytes beyond the text that `in` and `out` hold
  bool by_operation;             // counts operations, not bytes: one row, with the largest size's room
  bool alone;                    // without a peer, too
  bool varies;                   // as in bench_row
  unsigned times;                // likewise
  // What `out` holds after an operation, if not size bytes.
  size_t (*out_len)(const bench_job *job);
  // Changes a size to one near it that the algorithm can do, or to 0: none. NULL: any.
  size_t (*fit)(const bench_job *job, size_t size);
  // Readies `in`, which is random text otherwise.
  void (*prepare)(bench_job *job);
  // Whether operation i, just done by each, was right. NULL: their outputs must be the same.
  bool (*agree)(const bench_row *row, uint64_t i);
} bench_kind;

// A row for each size, if rows of this name are wanted and a peer has the algorithm or the kind goes without.
void bench_kind_run(bench *b, const bench_kind *kind, const char *row_name, const void *algorithm, const char *name,
                    bool reverse);

// The job and the way of a row's side.
typedef struct bench_worker {
  const bench_way *way;
  bench_job job;
} bench_worker;
static inline bench_worker *bench_worker_of(const bench_row *row, size_t side) { return row->sides[side].state; }

// Makes operation i's input its own.
static inline void bench_stamp(bench_job *job, uint64_t i) {
  for (size_t k = 0; k < sizeof i && k < job->size; k++) job->in[k] = (uint8_t)(i >> 8 * k);
}

const char *bench_our_name(void);

#endif
