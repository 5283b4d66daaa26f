// Key exchange: the client's secret from its private key and the server's share, which is decoded and checked each
// time; a new key pair with its share; and the server's answer to a share, which is its share and the secret.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/speed.h"
#include "cli/speed_names.h"
#include "crypto/group.h"

enum { SECRET, KEYGEN, ANSWER };

typedef struct group_state {
  uint8_t priv[TN_GROUP_MAX_PRIVATE];
  uint8_t share[TN_GROUP_MAX_SHARE], peer_share[TN_GROUP_MAX_SHARE];
  uint8_t secret[TN_GROUP_MAX_SECRET];
} group_state;

static bool finish(const tn_group *group, group_state *s) {
  return tn_ok(group->finish(s->priv, tn_span_of(s->peer_share, group->server_share_len), s->secret));
}

static bool answer(const tn_group *group, group_state *s, uint8_t *secret) {
  return tn_ok(group->answer(NULL, tn_span_of(s->share, group->client_share_len), s->peer_share, secret));
}

static bool work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  const tn_group *group = job->row->subject;
  group_state *s = job->state;
  const int variant = job->row->variant;
  bool good = true;
  (void)clock;
  for (; n != 0; n--)
    good &= variant == SECRET   ? finish(group, s)
            : variant == KEYGEN ? tn_ok(group->generate(NULL, s->priv, s->share))
                                : answer(group, s, s->secret);
  return good;
}

// Both sides of an exchange find the same secret.
static bool start(tn_speed_job *job) {
  const tn_group *group = job->row->subject;
  group_state *s = job->state = calloc(1, sizeof *s);
  uint8_t answered[TN_GROUP_MAX_SECRET];
  job->path = tn_speed_group_path(group);
  return s != NULL && tn_ok(group->generate(NULL, s->priv, s->share)) && answer(group, s, answered) &&
         finish(group, s) && memcmp(answered, s->secret, group->secret_len) == 0;
}

static void end(tn_speed_job *job) {
  if (job->state != NULL) tn_wipe(job->state, sizeof(group_state));
  free(job->state);
}

static const tn_speed_kind kind = {.start = start, .work = work, .end = end};

void tn_speed_list_groups(tn_speed_rows *rows) {
  for (const tn_group *const *g = tn_groups; *g != NULL; g++) {
    const char *name = tn_speed_group_name(*g);
    tn_speed_add(rows, &kind, *g, SECRET, "%s", name);
    tn_speed_add(rows, &kind, *g, KEYGEN, "%s-keygen", name);
    tn_speed_add(rows, &kind, *g, ANSWER, "%s-answer", name);
  }
}
