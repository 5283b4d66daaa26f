// HMAC_DRBG: a request an operation; and the lives of a generator in NIST's CAVS, each an operation: instantiated
// without a way to reseed, or reseeded, or reseeded at each request, and two requests of four digests.
#include <stdlib.h>
#include <string.h>

#include "cli/speed.h"
#include "crypto/rng/hmac_drbg.h"

#define INPUT_LEN 32  // of each of the inputs

enum { REQUESTS, NO_RESEED, NO_PR, PR };

typedef struct drbg_state {
  tn_hmac_drbg drbg;
  tn_rng source;
  uint8_t entropy[INPUT_LEN], nonce[INPUT_LEN], personalization[INPUT_LEN], additional[INPUT_LEN];
  uint8_t *out;
} drbg_state;

static tn_result give_entropy(void *ctx, uint8_t *out, size_t n) {
  if (n > INPUT_LEN) return tn_fail(TN_E_NO_RANDOM);
  memcpy(out, ((const drbg_state *)ctx)->entropy, n);
  return tn_success();
}

static bool instantiate(drbg_state *s, const tn_speed_row *row) {
  static const tn_drbg_mode modes[] = {TN_DRBG_RESEED, TN_DRBG_NO_RESEED, TN_DRBG_RESEED,
                                       TN_DRBG_PREDICTION_RESISTANCE};
  const tn_hmac_drbg_options options = {.hash = row->subject, .mode = modes[row->variant], .source = &s->source};
  return tn_ok(tn_hmac_drbg_instantiate_with(&s->drbg, &options, tn_span_of(s->entropy, INPUT_LEN),
                                             tn_span_of(s->nonce, INPUT_LEN),
                                             tn_span_of(s->personalization, INPUT_LEN)));
}

// As many requests as the standard makes of that many bytes.
static bool generate(drbg_state *s, size_t n, tn_span additional) {
  bool good = true;
  for (size_t at = 0; at < n; at += TN_DRBG_MAX_REQUEST) {
    const size_t part = n - at < TN_DRBG_MAX_REQUEST ? n - at : TN_DRBG_MAX_REQUEST;
    good &= tn_ok(tn_hmac_drbg_generate(&s->drbg, s->out + at, part, additional));
  }
  return good;
}

static bool live(drbg_state *s, const tn_speed_row *row) {
  const size_t n = 4 * (size_t)((const tn_hash *)row->subject)->digest_len;
  const tn_span additional = {s->additional, row->variant == NO_RESEED ? 0 : INPUT_LEN};
  bool good = instantiate(s, row);
  if (row->variant == NO_PR) good &= tn_ok(tn_hmac_drbg_reseed(&s->drbg, additional));
  for (int request = 0; request < 2; request++) good &= generate(s, n, additional);
  return good;
}

static bool work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  bool good = true;
  (void)clock;
  if (job->row->variant == REQUESTS)
    for (; n != 0; n--) good &= generate(job->state, job->size, tn_span_of(NULL, 0));
  else
    for (; n != 0; n--) good &= live(job->state, job->row);
  return good;
}

// The same seed gives the same bytes, another gives others.
static bool right(tn_speed_job *job, size_t room) {
  drbg_state *s = job->state;
  uint8_t *first = malloc(room);
  bool good = first != NULL && instantiate(s, job->row) && work(job, 1, NULL);
  if (good) memcpy(first, s->out, room);
  good = good && instantiate(s, job->row) && work(job, 1, NULL) && memcmp(first, s->out, room) == 0;
  s->personalization[0] ^= 1;
  good = good && instantiate(s, job->row) && work(job, 1, NULL) && (room < 8 || memcmp(first, s->out, room) != 0);
  free(first);
  return good;
}

static bool start(tn_speed_job *job) {
  const size_t room = job->size != 0 ? job->size : 4 * (size_t)((const tn_hash *)job->row->subject)->digest_len;
  drbg_state *s = job->state = tn_speed_random_bytes(sizeof *s);
  if (s == NULL) return false;
  memset(&s->drbg, 0, sizeof s->drbg);
  s->source = (tn_rng){give_entropy, s};
  s->out = tn_speed_random_bytes(room);
  return s->out != NULL && right(job, room);
}

static void end(tn_speed_job *job) {
  drbg_state *s = job->state;
  if (s == NULL) return;
  tn_hmac_drbg_uninstantiate(&s->drbg);
  free(s->out);
  free(s);
}

static const tn_speed_kind requests = {true, start, work, end}, lives = {false, start, work, end};

void tn_speed_list_drbgs(tn_speed_rows *rows) {
  static const tn_hash *const hashes[] = {&tn_sha1, &tn_sha224, &tn_sha256, &tn_sha384, &tn_sha512};
  for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++) {
    tn_speed_add(rows, &requests, hashes[i], REQUESTS, "hmac-drbg-%s", hashes[i]->name);
    tn_speed_add(rows, &lives, hashes[i], NO_RESEED, "hmac-drbg-%s-no-reseed", hashes[i]->name);
    tn_speed_add(rows, &lives, hashes[i], NO_PR, "hmac-drbg-%s-no-pr", hashes[i]->name);
    tn_speed_add(rows, &lives, hashes[i], PR, "hmac-drbg-%s-pr", hashes[i]->name);
  }
}
