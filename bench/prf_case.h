// What an operation of the PRF rows derives: a key block of TLS 1.0 to 1.2, from the master secret and the two randoms.
#ifndef TN_BENCH_PRF_CASE_H
#define TN_BENCH_PRF_CASE_H

#include "crypto/hash/hash.h"
#include "way.h"

#define PRF_SECRET 48  // of the job's key
#define PRF_SEED 64    // of its input
#define PRF_OUT 104    // AES-256-CBC with HMAC-SHA1
#define PRF_LABEL "key expansion"

// The hash of TLS 1.2; NULL: TLS 1.0's PRF.
static inline const tn_hash *prf_hash(const bench_job *job) { return job->algorithm; }

#endif
