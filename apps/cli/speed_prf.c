// The PRF of TLS before 1.3 at its longest: the key block of AES-256-CBC with HMAC-SHA1, from the master secret.
#include <stdlib.h>
#include <string.h>

#include "cli/speed.h"
#include "crypto/kdf/hmac.h"
#include "crypto/kdf/prf.h"

#define SECRET_LEN 48
#define SEED_LEN 64
#define OUT_LEN 104
#define LABEL "key expansion"
#define LABEL_LEN (sizeof LABEL - 1)

typedef struct prf_state {
  uint8_t secret[SECRET_LEN], seed[SEED_LEN], out[OUT_LEN];
} prf_state;

static void once(const tn_hash *hash, prf_state *s) {
  const tn_span secret = {s->secret, SECRET_LEN}, seed = {s->seed, SEED_LEN};
  if (hash != NULL)
    tn_prf_tls12(hash, secret, LABEL, &seed, 1, s->out, OUT_LEN);
  else
    tn_prf_tls10(secret, LABEL, &seed, 1, s->out, OUT_LEN);
}

static bool work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  (void)clock;
  for (; n != 0; n--) once(job->row->subject, job->state);
  return true;
}

// The first block of P_hash, RFC 5246 section 5: HMAC(secret, A(1) + seed), A(1) being HMAC(secret, seed).
static void first_block(const tn_hash *hash, const uint8_t *secret, size_t secret_len, const prf_state *s,
                        uint8_t *block) {
  uint8_t text[TN_HASH_MAX_DIGEST + LABEL_LEN + SEED_LEN];
  uint8_t *labelled = text + hash->digest_len;
  memcpy(labelled, LABEL, LABEL_LEN);
  memcpy(labelled + LABEL_LEN, s->seed, SEED_LEN);
  tn_hmac(hash, secret, secret_len, labelled, LABEL_LEN + SEED_LEN, text);
  tn_hmac(hash, secret, secret_len, text, hash->digest_len + LABEL_LEN + SEED_LEN, block);
}

static bool start(tn_speed_job *job) {
  const tn_hash *hash = job->row->subject;
  prf_state *s = job->state = tn_speed_random_bytes(sizeof *s);
  uint8_t expected[TN_HASH_MAX_DIGEST], other[TN_HASH_MAX_DIGEST];
  size_t n = tn_md5.digest_len;
  if (s == NULL) return false;
  once(hash, s);
  if (hash != NULL) {
    first_block(hash, s->secret, SECRET_LEN, s, expected);
    n = hash->digest_len;
  } else {  // RFC 4346 section 5: a half of the secret each
    first_block(&tn_md5, s->secret, SECRET_LEN / 2, s, expected);
    first_block(&tn_sha1, s->secret + SECRET_LEN / 2, SECRET_LEN / 2, s, other);
    for (size_t i = 0; i < n; i++) expected[i] ^= other[i];
  }
  return memcmp(expected, s->out, n) == 0;
}

static void end(tn_speed_job *job) { free(job->state); }

static const tn_speed_kind kind = {false, start, work, end};

void tn_speed_list_prfs(tn_speed_rows *rows) {
  tn_speed_add(rows, &kind, NULL, 0, "prf-tls10");
  tn_speed_add(rows, &kind, &tn_sha256, 0, "prf-sha256");
  tn_speed_add(rows, &kind, &tn_sha384, 0, "prf-sha384");
}
