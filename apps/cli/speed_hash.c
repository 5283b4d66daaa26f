// Hashes and HMAC: one message an operation, from start to digest. HMAC's key is set up once.
#include <stdlib.h>
#include <string.h>

#include "cli/speed.h"
#include "crypto/kdf/hmac.h"

#define KEY_LEN 32

enum { HASH, HMAC };

typedef struct hash_state {
  tn_hmac_ctx keyed;  // copied for each message
  uint8_t *message;
  uint8_t digest[TN_HASH_MAX_DIGEST];
} hash_state;

static void hmac_once(hash_state *s, size_t size) {
  tn_hmac_ctx ctx = s->keyed;
  tn_hmac_update(&ctx, s->message, size);
  tn_hmac_final(&ctx, s->digest);
}

static bool work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  hash_state *s = job->state;
  (void)clock;
  if (job->row->variant == HMAC)
    for (; n != 0; n--) hmac_once(s, job->size);
  else
    for (; n != 0; n--) tn_hash_once(job->row->subject, s->message, job->size, s->digest);
  return true;
}

// The message in one piece has the digest that it has byte by byte, and another message has another.
static bool right(tn_speed_job *job) {
  hash_state *s = job->state;
  const tn_hash *hash = job->row->subject;
  tn_hmac_ctx hmac = s->keyed;
  tn_hash_ctx plain;
  uint8_t digest[TN_HASH_MAX_DIGEST];
  tn_hash_init(&plain, hash);
  job->path = plain.path;
  for (size_t i = 0; i < job->size; i++) {
    tn_hash_update(&plain, s->message + i, 1);
    tn_hmac_update(&hmac, s->message + i, 1);
  }
  if (job->row->variant == HMAC)
    tn_hmac_final(&hmac, digest);
  else
    tn_hash_final(&plain, digest);
  if (!work(job, 1, NULL) || memcmp(digest, s->digest, hash->digest_len) != 0) return false;
  s->message[0] ^= 1;
  return work(job, 1, NULL) && memcmp(digest, s->digest, hash->digest_len) != 0;
}

static bool start(tn_speed_job *job) {
  hash_state *s = job->state = calloc(1, sizeof *s);
  uint8_t *key = tn_speed_random_bytes(KEY_LEN);
  if (s == NULL || key == NULL) {
    free(key);
    return false;
  }
  tn_hmac_init(&s->keyed, job->row->subject, key, KEY_LEN);
  free(key);
  s->message = tn_speed_random_bytes(job->size);
  return s->message != NULL && right(job);
}

static void end(tn_speed_job *job) {
  hash_state *s = job->state;
  if (s != NULL) free(s->message);
  free(s);
}

static const tn_speed_kind kind = {true, start, work, end};

void tn_speed_list_hashes(tn_speed_rows *rows) {
  for (const tn_hash *const *h = tn_hashes; *h != NULL; h++) tn_speed_add(rows, &kind, *h, HASH, "%s", (*h)->name);
  for (const tn_hash *const *h = tn_hashes; *h != NULL; h++) tn_speed_add(rows, &kind, *h, HMAC, "hmac-%s", (*h)->name);
}
