// Key derivation of TLS 1.3: HKDF-Expand-Label from a secret to a secret of the same length.
#include <stdlib.h>
#include <string.h>

#include "cli/speed.h"
#include "crypto/kdf/hkdf.h"
#include "crypto/kdf/hmac.h"
#include "tls/suite.h"

typedef struct kdf_state {
  uint8_t secret[TN_HASH_MAX_DIGEST], out[TN_HASH_MAX_DIGEST];
} kdf_state;

static bool hkdf_work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  kdf_state *s = job->state;
  const tn_hash *hash = job->row->subject;
  bool good = true;
  (void)clock;
  for (; n != 0; n--)
    good &= tn_ok(tn_hkdf_expand_label(hash, s->secret, "traffic upd", tn_span_of(NULL, 0), s->out, hash->digest_len));
  return good;
}

// One block of HKDF-Expand is one HMAC, RFC 5869 section 2.3; its input is HkdfLabel, RFC 9846 section 7.1.
static bool hkdf_start(tn_speed_job *job) {
  static const char label[] = "\x11tls13 traffic upd\0\1";  // lengths of label and context, the block's number
  const tn_hash *hash = job->row->subject;
  kdf_state *s = job->state = tn_speed_random_bytes(sizeof *s);
  uint8_t info[2 + sizeof label - 1] = {0, hash->digest_len}, expected[TN_HASH_MAX_DIGEST];
  if (s == NULL) return false;
  memcpy(info + 2, label, sizeof label - 1);
  tn_hmac(hash, s->secret, hash->digest_len, info, sizeof info, expected);
  return hkdf_work(job, 1, NULL) && memcmp(expected, s->out, hash->digest_len) == 0;
}

static void end(tn_speed_job *job) { free(job->state); }

static const tn_speed_kind hkdf = {false, hkdf_start, hkdf_work, end};

// Whether a suite before number i has its hash.
static bool seen(size_t i) {
  for (size_t k = 0; k < i; k++)
    if (tn_suites[k].hash == tn_suites[i].hash) return true;
  return false;
}

void tn_speed_list_kdfs(tn_speed_rows *rows) {
  for (size_t i = 0; i < TN_SUITE_COUNT; i++)
    if (!seen(i)) tn_speed_add(rows, &hkdf, tn_suites[i].hash, 0, "hkdf-%s", tn_suites[i].hash->name);
}
