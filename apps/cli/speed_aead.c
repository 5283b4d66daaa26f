// AEADs, one record an operation: a fresh nonce, 13 bytes of additional data, the tag; the key schedule is kept.
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/speed.h"
#include "crypto/aead/aead.h"

#define AAD_LEN 13
#define MAX_SEALED 64       // records that are opened in turn
#define SEALED_BYTES 16384  // of text in them together, or one record

enum { SEAL, OPEN };

typedef struct aead_state {
  tn_aead_key key;
  uint64_t next;    // the next record's number, which makes its nonce
  size_t n_sealed;  // records in `sealed`, numbered from 0
  size_t stride;    // from one record to the next
  uint8_t aad[AAD_LEN];
  uint8_t *text, *sealed, *out;
} aead_state;

static bool seal(aead_state *s, uint64_t i, size_t size, uint8_t *to) {
  uint8_t nonce[TN_AEAD_NONCE_LEN] = {0};
  const tn_span in = {s->text, size};
  const tn_mspan out = {to, size};
  tn_store_be64(nonce + 4, i);
  return tn_ok(tn_aead_seal(&s->key, nonce, tn_span_of(s->aad, AAD_LEN), &in, 1, &out, 1, to + size));
}

static bool open_sealed(aead_state *s, uint64_t i, size_t size) {
  uint8_t nonce[TN_AEAD_NONCE_LEN] = {0};
  const uint8_t *record = s->sealed + i * s->stride;
  const tn_span in = {record, size};
  const tn_mspan out = {s->out, size};
  tn_store_be64(nonce + 4, i);
  return tn_ok(tn_aead_open(&s->key, nonce, tn_span_of(s->aad, AAD_LEN), &in, 1, record + size, &out, 1));
}

static bool work_seal(aead_state *s, size_t size, uint64_t n) {
  bool good = true;
  for (; n != 0; n--) good &= seal(s, s->next++, size, s->out);
  return good;
}

static bool work_open(aead_state *s, size_t size, uint64_t n) {
  bool good = true;
  for (; n != 0; n--) {
    good &= open_sealed(s, s->next, size);
    s->next = s->next + 1 == s->n_sealed ? 0 : s->next + 1;
  }
  return good;
}

static bool work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  (void)clock;
  return job->row->variant == SEAL ? work_seal(job->state, job->size, n) : work_open(job->state, job->size, n);
}

// What was sealed opens to the text, and does not with a bit of the tag changed.
static bool right(aead_state *s, size_t size) {
  for (size_t i = 0; i < s->n_sealed; i++) {
    if (!seal(s, i, size, s->sealed + i * s->stride)) return false;
    if (!open_sealed(s, i, size) || memcmp(s->out, s->text, size) != 0) return false;
  }
  s->sealed[size] ^= 1;
  const bool refused = !open_sealed(s, 0, size);
  s->sealed[size] ^= 1;
  return refused;
}

static bool start(tn_speed_job *job) {
  const tn_aead *aead = job->row->subject;
  aead_state *s = job->state = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
  uint8_t *key = tn_speed_random_bytes(TN_AEAD_MAX_KEY);
  if (s == NULL || key == NULL) {
    free(key);
    free(s);
    job->state = NULL;
    return false;
  }
  memset(s, 0, sizeof *s);
  tn_aead_set_key(&s->key, aead, key);
  free(key);
  const size_t fitting = SEALED_BYTES / job->size;
  s->n_sealed = fitting == 0 ? 1 : fitting < MAX_SEALED ? fitting : MAX_SEALED;
  s->stride = job->size + TN_AEAD_MAX_TAG;
  s->text = tn_speed_random_bytes(job->size);
  s->sealed = tn_speed_random_bytes(s->n_sealed * s->stride);
  s->out = tn_speed_random_bytes(s->stride);
  job->path = s->key.impl->path;
  return s->text != NULL && s->sealed != NULL && s->out != NULL && right(s, job->size);
}

static void end(tn_speed_job *job) {
  aead_state *s = job->state;
  if (s == NULL) return;
  tn_aead_wipe_key(&s->key);
  free(s->text);
  free(s->sealed);
  free(s->out);
  free(s);
}

static const tn_speed_kind kind = {true, start, work, end};

void tn_speed_list_aeads(tn_speed_rows *rows) {
  for (const tn_aead *const *a = tn_aeads; *a != NULL; a++) {
    tn_speed_add(rows, &kind, *a, SEAL, "%s", (*a)->name);
    tn_speed_add(rows, &kind, *a, OPEN, "%s-open", (*a)->name);
  }
}
