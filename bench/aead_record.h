// The record that an operation of an AEAD seals or opens: where its parts are.
#ifndef TN_BENCH_AEAD_RECORD_H
#define TN_BENCH_AEAD_RECORD_H

#include "base/bytes.h"
#include "crypto/aead/aead.h"
#include "way.h"

#define AAD_LEN 13
#define AEAD_RECORDS 64         // that are opened in turn at most,
#define AEAD_RECORDS_MAX 16384  // with so many bytes of text together, or one

typedef struct aead_record {
  uint8_t nonce[TN_AEAD_NONCE_LEN];
  uint8_t aad[AAD_LEN];
  const uint8_t *in, *tag_in;
  uint8_t *out, *tag_out;
} aead_record;

static inline int aead_tag_len(const bench_job *job) { return ((const tn_aead *)job->algorithm)->tag_len; }

static inline uint64_t aead_n_records(const bench_job *job) {
  const size_t fitting = AEAD_RECORDS_MAX / job->size;
  return fitting == 0 ? 1 : fitting < AEAD_RECORDS ? fitting : AEAD_RECORDS;
}

// Nonces never repeat in a row of the benchmark that seals: i counts on from round to round. Those that are opened were
// sealed with the nonces from 0 on.
static inline aead_record aead_record_of(const bench_job *job, uint64_t i) {
  if (job->reverse) i %= aead_n_records(job);
  aead_record r = {.nonce = {0x54, 0x4e, 0, 1}, .aad = {0, 1, 2, 3, 4, 5, 6, 7, 0x17, 3, 3, 0x40, 0}};
  tn_store_be64(r.nonce + 4, i);
  r.in = job->reverse ? job->in + i * (job->size + (size_t)aead_tag_len(job)) : job->in;
  r.tag_in = r.in + job->size;
  r.out = job->out;
  r.tag_out = job->out + job->size;
  return r;
}

#endif
