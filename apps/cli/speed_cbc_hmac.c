// CBC records of TLS 1.2: as many records an operation as the text makes, with an explicit IV each; keys are kept.
#include <stdlib.h>
#include <string.h>

#include "cli/speed.h"
#include "crypto/cbc_hmac/cbc_hmac.h"

#define RECORD_TEXT ((size_t)16384)
#define MAX_SEALED 64       // texts that are opened in turn at most,
#define SEALED_BYTES 16384  // with so many bytes together, or one

enum { OPEN = 1, ENCRYPT_THEN_MAC = 2 };  // variants: sums of these

typedef struct cbc_hmac_state {
  tn_cbc_hmac_key key;
  uint64_t next;    // the next text's number, and its records' sequence
  size_t n_sealed;  // texts in `sealed`, numbered from 0
  size_t stride;    // from one to the next
  uint8_t *text, *sealed, *out;
} cbc_hmac_state;

static tn_cbc_hmac_record record_of(uint64_t i) {
  return (tn_cbc_hmac_record){.sequence = i, .type = 0x17, .version = 0x0303};
}

// The part of a text of `size` bytes that the record at `at` holds.
static size_t part(size_t size, size_t at) { return size - at < RECORD_TEXT ? size - at : RECORD_TEXT; }

static bool seal(cbc_hmac_state *s, uint64_t i, size_t size, uint8_t *to) {
  const tn_cbc_hmac_record record = record_of(i);
  bool good = true;
  for (size_t at = 0; at < size; at += RECORD_TEXT) {
    const tn_span in = {s->text + at, part(size, at)};
    const size_t n = tn_cbc_hmac_sealed_len(&s->key, in.n);
    good &= tn_ok(tn_cbc_hmac_seal(&s->key, &record, &in, 1, NULL, (tn_mspan){to, n}));
    to += n;
  }
  return good;
}

static bool open_sealed(cbc_hmac_state *s, uint64_t i, size_t size) {
  const tn_cbc_hmac_record record = record_of(i);
  const uint8_t *from = s->sealed + i * s->stride;
  bool good = true;
  for (size_t at = 0; at < size; at += RECORD_TEXT) {
    const size_t n = tn_cbc_hmac_sealed_len(&s->key, part(size, at));
    const tn_mspan out = {s->out + at, tn_cbc_hmac_open_room(&s->key, n)};
    size_t length;
    good &= tn_ok(tn_cbc_hmac_open(&s->key, &record, tn_span_of(from, n), out, &length)) && length == part(size, at);
    from += n;
  }
  return good;
}

static bool work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  cbc_hmac_state *s = job->state;
  bool good = true;
  (void)clock;
  for (; n != 0; n--) {
    if (job->row->variant & OPEN) {
      good &= open_sealed(s, s->next, job->size);
      s->next = s->next + 1 == s->n_sealed ? 0 : s->next + 1;
    } else {
      good &= seal(s, s->next++, job->size, s->out);
    }
  }
  return good;
}

// What was sealed opens to the text, and does not with a bit changed.
static bool right(cbc_hmac_state *s, size_t size) {
  for (size_t i = 0; i < s->n_sealed; i++) {
    if (!seal(s, i, size, s->sealed + i * s->stride)) return false;
    if (!open_sealed(s, i, size) || memcmp(s->out, s->text, size) != 0) return false;
  }
  uint8_t *last = s->sealed + s->stride - 1;
  *last ^= 1;
  const bool refused = !open_sealed(s, 0, size);
  *last ^= 1;
  return refused;
}

static bool set_key(cbc_hmac_state *s, const tn_speed_row *row) {
  const tn_cbc_hmac *pair = row->subject;
  uint8_t *raw = tn_speed_random_bytes(TN_CIPHER_MAX_KEY + TN_HASH_MAX_DIGEST);
  if (raw == NULL) return false;
  tn_cbc_hmac_set_key(&s->key, pair, row->variant & ENCRYPT_THEN_MAC, raw + TN_CIPHER_MAX_KEY, raw, NULL);
  free(raw);
  return true;
}

static bool start(tn_speed_job *job) {
  const size_t size = job->size, fitting = SEALED_BYTES / size;
  cbc_hmac_state *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
  if (s == NULL) return false;
  memset(s, 0, sizeof *s);
  job->state = s;
  if (!set_key(s, job->row)) return false;
  job->path = s->key.cipher.impl->path;
  s->n_sealed = fitting == 0 ? 1 : fitting < MAX_SEALED ? fitting : MAX_SEALED;
  for (size_t at = 0; at < size; at += RECORD_TEXT) s->stride += tn_cbc_hmac_sealed_len(&s->key, part(size, at));
  s->text = tn_speed_random_bytes(size);
  s->sealed = tn_speed_random_bytes(s->n_sealed * s->stride);
  s->out = tn_speed_random_bytes(s->stride);
  return s->text != NULL && s->sealed != NULL && s->out != NULL && right(s, size);
}

static void end(tn_speed_job *job) {
  cbc_hmac_state *s = job->state;
  if (s == NULL) return;
  tn_cbc_hmac_wipe_key(&s->key);
  free(s->text);
  free(s->sealed);
  free(s->out);
  free(s);
}

static const tn_speed_kind kind = {true, start, work, end};

void tn_speed_list_cbc_hmacs(tn_speed_rows *rows) {
  for (const tn_cbc_hmac *const *p = tn_cbc_hmacs; *p != NULL; p++) {
    for (int etm = 0; etm <= ENCRYPT_THEN_MAC; etm += ENCRYPT_THEN_MAC) {
      const char *how = etm ? "-etm" : "";
      tn_speed_add(rows, &kind, *p, etm, "%s%s", (*p)->name, how);
      tn_speed_add(rows, &kind, *p, etm | OPEN, "%s%s-open", (*p)->name, how);
    }
  }
}
