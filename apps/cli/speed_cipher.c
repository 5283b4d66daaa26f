// Block cipher modes without authentication: one message an operation, with an IV of its own; the key schedule is kept.
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/speed.h"
#include "crypto/cipher/cipher.h"

enum { ENCRYPT, DECRYPT };

typedef struct cipher_state {
  tn_cipher_key key;
  uint64_t next;  // the next message's number, which makes its IV
  uint8_t *in, *out;
} cipher_state;

static bool crypt_one(cipher_state *s, int variant, uint64_t i, const uint8_t *from, uint8_t *to, size_t size) {
  uint8_t iv[TN_CIPHER_MAX_BLOCK] = {0};
  const tn_span in = {from, size};
  const tn_mspan out = {to, size};
  tn_store_be64(iv, i);
  return tn_ok(variant == ENCRYPT ? tn_cipher_encrypt(&s->key, iv, &in, 1, &out, 1)
                                  : tn_cipher_decrypt(&s->key, iv, &in, 1, &out, 1));
}

static bool work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  cipher_state *s = job->state;
  bool good = true;
  (void)clock;
  for (; n != 0; n--) good &= crypt_one(s, job->row->variant, s->next++, s->in, s->out, job->size);
  return good;
}

// What was encrypted is another text, and decrypts to the one that it was.
static bool right(cipher_state *s, size_t size) {
  uint8_t *text = malloc(size);
  const bool good = text != NULL && crypt_one(s, ENCRYPT, 1, s->in, s->out, size) && memcmp(s->in, s->out, size) != 0 &&
                    crypt_one(s, DECRYPT, 1, s->out, text, size) && memcmp(s->in, text, size) == 0;
  free(text);
  return good;
}

static bool start(tn_speed_job *job) {
  const tn_cipher *cipher = job->row->subject;
  cipher_state *s = job->state = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
  uint8_t *key = tn_speed_random_bytes(TN_CIPHER_MAX_KEY);
  if (s == NULL || key == NULL) {
    free(key);
    free(s);
    job->state = NULL;
    return false;
  }
  memset(s, 0, sizeof *s);
  tn_cipher_set_key(&s->key, cipher, key);
  free(key);
  if (!cipher->stream && job->size % cipher->block_len != 0) {  // whole blocks, one at least
    const size_t blocks = job->size / cipher->block_len;
    job->size = (blocks == 0 ? 1 : blocks) * cipher->block_len;
  }
  s->in = tn_speed_random_bytes(job->size);
  s->out = tn_speed_random_bytes(job->size);
  job->path = s->key.impl->path;
  return s->in != NULL && s->out != NULL && right(s, job->size);
}

static void end(tn_speed_job *job) {
  cipher_state *s = job->state;
  if (s == NULL) return;
  tn_cipher_wipe_key(&s->key);
  free(s->in);
  free(s->out);
  free(s);
}

static const tn_speed_kind kind = {true, start, work, end};

void tn_speed_list_ciphers(tn_speed_rows *rows) {
  for (const tn_cipher *const *c = tn_ciphers; *c != NULL; c++) {
    tn_speed_add(rows, &kind, *c, ENCRYPT, "%s", (*c)->name);
    tn_speed_add(rows, &kind, *c, DECRYPT, "%s-open", (*c)->name);
  }
}
