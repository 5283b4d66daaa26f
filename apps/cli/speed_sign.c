// Signatures of a 32-byte message, in the form that TLS carries.
#include <stdlib.h>

#include "base/mem.h"
#include "cli/speed.h"
#include "crypto/sign.h"

#define MESSAGE_LEN 32

enum { SIGN, VERIFY };

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

static bool work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  bool good = true;
  (void)clock;
  if (job->row->variant == SIGN)
    for (; n != 0; n--) good &= sign(job->row->subject, job->state);
  else
    for (; n != 0; n--) good &= verify(job->row->subject, job->state);
  return good;
}

// The signature is good for the message, and not for another.
static bool start(tn_speed_job *job) {
  const tn_sign_scheme *scheme = job->row->subject;
  sign_state *s = job->state = tn_speed_random_bytes(sizeof *s);
  job->path = scheme->path();
  if (s == NULL || !tn_ok(tn_secret_key_generate(&s->key, scheme->key_type, NULL))) return false;
  if (!sign(scheme, s) || !verify(scheme, s)) return false;
  s->message[0] ^= 1;
  const bool refused = !verify(scheme, s);
  s->message[0] ^= 1;
  return refused;
}

static void end(tn_speed_job *job) {
  if (job->state != NULL) tn_wipe(job->state, sizeof(sign_state));
  free(job->state);
}

static const tn_speed_kind kind = {false, start, work, end};

// The short names of IANA's schemes.
static const struct {
  const tn_sign_scheme *scheme;
  const char *name;
} schemes[] = {{&tn_ecdsa_secp256r1_sha256, "ecdsa-p256"},
               {&tn_ecdsa_secp384r1_sha384, "ecdsa-p384"},
               {&tn_ecdsa_secp521r1_sha512, "ecdsa-p521"},
               {&tn_ed25519, "ed25519"}};

void tn_speed_list_signatures(tn_speed_rows *rows) {
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    tn_speed_add(rows, &kind, schemes[i].scheme, SIGN, "%s-sign", schemes[i].name);
    tn_speed_add(rows, &kind, schemes[i].scheme, VERIFY, "%s-verify", schemes[i].name);
  }
}
