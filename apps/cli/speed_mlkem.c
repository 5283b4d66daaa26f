// ML-KEM by itself; with a curve it is among the groups.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/speed.h"
#include "crypto/mlkem/mlkem.h"

enum { KEYGEN, ENCAPSULATE, DECAPSULATE };

typedef struct kem_state {
  uint8_t public[TN_MLKEM_MAX_PUBLIC], private[TN_MLKEM_MAX_PRIVATE];
  uint8_t ciphertext[TN_MLKEM_MAX_CIPHERTEXT];
  uint8_t sent[TN_MLKEM_SECRET_LEN], received[TN_MLKEM_SECRET_LEN];
} kem_state;

static bool operate(const tn_mlkem *p, int variant, kem_state *s) {
  const tn_span key = {s->public, p->public_len}, ciphertext = {s->ciphertext, p->ciphertext_len};
  if (variant == KEYGEN) return tn_ok(tn_mlkem_generate(p, NULL, s->public, s->private));
  if (variant == ENCAPSULATE) return tn_ok(tn_mlkem_encapsulate(p, NULL, key, s->ciphertext, s->sent));
  return tn_ok(tn_mlkem_decapsulate(p, s->private, ciphertext, s->received));
}

static bool work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  bool good = true;
  (void)clock;
  for (; n != 0; n--) good &= operate(job->row->subject, job->row->variant, job->state);
  return good;
}

static bool start(tn_speed_job *job) {
  kem_state *s = job->state = tn_speed_random_bytes(sizeof *s);
  job->path = tn_mlkem_path();
  if (s == NULL) return false;
  for (int variant = KEYGEN; variant <= DECAPSULATE; variant++)
    if (!operate(job->row->subject, variant, s)) return false;
  return memcmp(s->sent, s->received, TN_MLKEM_SECRET_LEN) == 0;
}

static void end(tn_speed_job *job) {
  if (job->state != NULL) tn_wipe(job->state, sizeof(kem_state));
  free(job->state);
}

static const tn_speed_kind kind = {false, start, work, end};

void tn_speed_list_kems(tn_speed_rows *rows) {
  static const struct {
    const tn_mlkem *set;
    const char *name;
  } sets[] = {{&tn_mlkem512, "ml-kem-512"}, {&tn_mlkem768, "ml-kem-768"}, {&tn_mlkem1024, "ml-kem-1024"}};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    tn_speed_add(rows, &kind, sets[i].set, KEYGEN, "%s-keygen", sets[i].name);
    tn_speed_add(rows, &kind, sets[i].set, ENCAPSULATE, "%s-encap", sets[i].name);
    tn_speed_add(rows, &kind, sets[i].set, DECAPSULATE, "%s-decap", sets[i].name);
  }
}
