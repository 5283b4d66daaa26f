// Key exchange: what an operation makes, and the keys and shares that it is given, which are the same in every library.
// ML-KEM is seen as a group whose server's share is the ciphertext.
#ifndef TN_BENCH_KEX_CASE_H
#define TN_BENCH_KEX_CASE_H

#include "crypto/group.h"
#include "way.h"

#define KEX_PAIRS 4  // that operations go round

typedef enum kex_part {
  KEX_SECRET,  // the client's secret from its private key and the server's share, to `out`
  KEX_KEYGEN,  // the client's new key pair; the share to `out`
  KEX_ANSWER,  // the server's share, to `out`, and behind it the secret, from the client's share
  KEX_PARTS
} kex_part;

typedef struct kex_case {
  const tn_group *group;
  kex_part part;
  struct kex_pair {
    uint8_t priv[TN_GROUP_MAX_PRIVATE], share[TN_GROUP_MAX_SHARE];  // the client's
    uint8_t answer[TN_GROUP_MAX_SHARE], secret[TN_GROUP_MAX_SECRET];
  } pair[KEX_PAIRS];
} kex_case;

typedef struct kex_way {
  bench_way way;  // its first member: a pointer to it is one to the whole
  // After operation i of KEX_KEYGEN: the secret of the key pair that it made and a server's share.
  bool (*finish)(bench_job *job, uint64_t i, const uint8_t *answer, uint8_t *secret);
} kex_way;

static inline const kex_case *kex_case_of(const bench_job *job) { return job->algorithm; }
static inline const struct kex_pair *kex_pair_of(const bench_job *job, uint64_t i) {
  return &kex_case_of(job)->pair[i % KEX_PAIRS];
}

// A row for each part, called `name` and the part's ending; one whose ending is NULL is left out.
void bench_kex_run(bench *b, const tn_group *group, const char *name, const char *const endings[KEX_PARTS]);

#endif
