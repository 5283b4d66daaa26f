// Signatures: what an operation does, and the key, the messages and the signatures that it is given, which are the same
// in every library.
#ifndef TN_BENCH_SIGN_CASE_H
#define TN_BENCH_SIGN_CASE_H

#include <string.h>

#include "crypto/sign.h"
#include "way.h"

#define SIGN_MESSAGES 4  // that operations go round
#define SIGN_MESSAGE_LEN 32

typedef struct sign_signature {
  size_t n;
  uint8_t bytes[TN_SIGNATURE_MAX];
} sign_signature;

typedef struct sign_case {
  const tn_sign_scheme *scheme;
  bool verify;  // else it signs, to `out`: a sign_signature
  tn_span pkcs8;
  uint8_t message[SIGN_MESSAGES][SIGN_MESSAGE_LEN];
  sign_signature presented[SIGN_MESSAGES];  // to be verified
} sign_case;

typedef struct sign_way {
  bench_way way;  // its first member: a pointer to it is one to the whole
  bool (*verify)(bench_job *job, const uint8_t *message, const sign_signature *sig);
} sign_way;

static inline const sign_case *sign_case_of(const bench_job *job) { return job->algorithm; }

// Operation i in terms of what a library can do; sig->n is the room on entry.
static inline bool sign_one(bench_job *job, uint64_t i,
                            bool (*sign)(bench_job *job, const uint8_t *message, sign_signature *sig),
                            bool (*verify)(bench_job *job, const uint8_t *message, const sign_signature *sig)) {
  const sign_case *c = sign_case_of(job);
  const size_t k = i % SIGN_MESSAGES;
  sign_signature *made = (sign_signature *)job->out;
  if (c->verify) return verify(job, c->message[k], &c->presented[k]);
  made->n = sizeof made->bytes;
  return sign(job, c->message[k], made);
}

// Whether it is RSASSA-PSS.
static inline bool sign_is_pss(const tn_sign_scheme *scheme) { return strncmp(scheme->name, "rsa_pss_", 8) == 0; }

#endif
