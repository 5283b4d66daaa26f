// Signatures of a 32-byte message, in the form that TLS carries, and new keys for them.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/speed.h"
#include "cli/speed_names.h"
#include "crypto/sign.h"

#define MESSAGE_LEN 32

enum { SIGN, VERIFY, KEYGEN };  // a variant is one of them and, for RSA, a key's bits in units of VARIANTS
#define VARIANTS 4
#define MAX_KEPT 8

static int part_of(const tn_speed_job *job) { return job->row->variant % VARIANTS; }
static size_t bits_of(const tn_speed_job *job) { return (size_t)job->row->variant / VARIANTS; }

typedef struct sign_state {
  tn_secret_key key;
  uint8_t message[MESSAGE_LEN];
  uint8_t signature[TN_SIGNATURE_MAX];
  size_t signature_len;
} sign_state;

static bool sign(const tn_sign_scheme *scheme, sign_state *s) {
  s->signature_len = sizeof s->signature;
  return tn_ok(scheme->sign(NULL, &s->key, tn_span_of(s->message, MESSAGE_LEN), s->signature, &s->signature_len));
}

static bool verify(const tn_sign_scheme *scheme, const sign_state *s) {
  const tn_public_key key = tn_public_of(&s->key);
  return tn_ok(scheme->verify(&key, tn_span_of(s->message, MESSAGE_LEN), tn_span_of(s->signature, s->signature_len)));
}

static bool generate(const tn_speed_job *job, sign_state *s) {
  const tn_sign_scheme *scheme = job->row->subject;
  tn_secret_key_free(&s->key);
  return tn_ok(tn_secret_key_generate(&s->key, NULL, scheme->key_type, bits_of(job), NULL));
}

// RSA keys take long to make: one of each size serves all rows that do not count that.
static bool take_key(const tn_speed_job *job, sign_state *s) {
  static tn_secret_key kept[MAX_KEPT];
  static size_t n;
  const tn_sign_scheme *scheme = job->row->subject;
  if (bits_of(job) == 0 || part_of(job) == KEYGEN) return generate(job, s);
  for (size_t i = 0; i < n; i++) {
    const tn_public_key key = tn_public_of(&kept[i]);
    if (key.type == scheme->key_type && tn_public_key_bits(&key) == bits_of(job))
      return tn_ok(tn_secret_key_copy(&s->key, NULL, &kept[i]));
  }
  if (!generate(job, s)) return false;
  if (n < MAX_KEPT && tn_ok(tn_secret_key_copy(&kept[n], NULL, &s->key))) n++;
  return true;
}

static bool work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  const tn_sign_scheme *scheme = job->row->subject;
  const int part = part_of(job);
  bool good = true;
  (void)clock;
  for (; n != 0; n--)
    good &= part == SIGN     ? sign(scheme, job->state)
            : part == VERIFY ? verify(scheme, job->state)
                             : generate(job, job->state);
  return good;
}

// The signature is good for the message, and not for another.
static bool start(tn_speed_job *job) {
  const tn_sign_scheme *scheme = job->row->subject;
  sign_state *s = job->state = calloc(1, sizeof *s);
  job->path = scheme->path();
  job->varies = part_of(job) == KEYGEN && bits_of(job) != 0;
  if (s == NULL || !take_key(job, s) || !sign(scheme, s) || !verify(scheme, s)) return false;
  s->message[0] ^= 1;
  const bool refused = !verify(scheme, s);
  s->message[0] ^= 1;
  return refused;
}

static void end(tn_speed_job *job) {
  sign_state *s = job->state;
  if (s != NULL) tn_secret_key_free(&s->key);
  free(s);
}

static const tn_speed_kind kind = {false, start, work, end};

void tn_speed_list_signatures(tn_speed_rows *rows) {
  tn_speed_signer signers[TN_SPEED_SIGNERS];
  const size_t n = tn_speed_signers_list(signers);
  for (size_t i = 0; i < n; i++) {
    const tn_speed_signer *s = &signers[i];
    const int bits = (int)s->bits * VARIANTS;
    tn_speed_add(rows, &kind, s->scheme, bits + SIGN, "%s-sign", s->name);
    tn_speed_add(rows, &kind, s->scheme, bits + VERIFY, "%s-verify", s->name);
    if (s->makes_keys) tn_speed_add(rows, &kind, s->scheme, bits + KEYGEN, "%s-keygen", s->name);
  }
}
