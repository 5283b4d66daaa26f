// Key exchange: the secret from our private key and the peer's share, which is decoded and checked each time; and a
// new key pair with its share.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/speed.h"
#include "crypto/group.h"

enum { SECRET, KEYGEN };

typedef struct group_state {
  uint8_t priv[TN_GROUP_MAX_PRIVATE];
  uint8_t share[TN_GROUP_MAX_SHARE], peer_share[TN_GROUP_MAX_SHARE];
  uint8_t secret[TN_GROUP_MAX_SECRET];
} group_state;

static bool finish(const tn_group *group, group_state *s) {
  return tn_ok(group->finish(s->priv, tn_span_of(s->peer_share, group->server_share_len), s->secret));
}

static bool work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  const tn_group *group = job->row->subject;
  group_state *s = job->state;
  bool good = true;
  (void)clock;
  if (job->row->variant == SECRET)
    for (; n != 0; n--) good &= finish(group, s);
  else
    for (; n != 0; n--) good &= tn_ok(group->generate(NULL, s->priv, s->share));
  return good;
}

// Both sides of an exchange find the same secret.
static bool start(tn_speed_job *job) {
  const tn_group *group = job->row->subject;
  group_state *s = job->state = calloc(1, sizeof *s);
  uint8_t answered[TN_GROUP_MAX_SECRET];
  job->path = path_of(group);
  return s != NULL && tn_ok(group->generate(NULL, s->priv, s->share)) &&
         tn_ok(group->answer(NULL, tn_span_of(s->share, group->client_share_len), s->peer_share, answered)) &&
         finish(group, s) && memcmp(answered, s->secret, group->secret_len) == 0;
}

static void end(tn_speed_job *job) { free(job->state); }

static const tn_speed_kind kind = {false, start, work, end};

// Names that say what is computed, where IANA's says which curve.
static const struct {
  const char *iana, *name;
} names[] = {{"secp256r1", "ecdh-p256"}, {"secp384r1", "ecdh-p384"}, {"secp521r1", "ecdh-p521"}};

static const char *name_of(const tn_group *group) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i].iana, group->name) == 0) return names[i].name;
  return group->name;
}

void tn_speed_list_groups(tn_speed_rows *rows) {
  for (const tn_group *const *g = tn_groups; *g != NULL; g++) {
    tn_speed_add(rows, &kind, *g, SECRET, "%s", name_of(*g));
    tn_speed_add(rows, &kind, *g, KEYGEN, "%s-keygen", name_of(*g));
  }
}
