// TLS 1.3 from memory to memory: full handshakes, and the data of a connection.
#include <stdlib.h>
#include <string.h>

#include "cli/speed.h"
#include "cli/speed_link.h"
#include "crypto/group.h"
#include "tls/suite.h"

#define BATCH_BYTES 65536  // that the server writes before the client reads them, or one operation's
#define BATCH_MAX 64       // operations, likewise

// ---------------------------------------------------------------- handshakes

// A variant is whose part is timed, and twice the server's key.
enum { BOTH, SERVER, PARTS };

static const struct {
  const char *name, *type;
  bool all_groups;  // else X25519 alone
} keys[] = {{"ecdsa-p256", "p256", true},
            {"ecdsa-p384", "p384", false},
            {"ed25519", "ed25519", false},
            {"rsa-2048", "rsa-2048", false}};
#define P256 0
#define LARGEST_SECRET 512  // of ffdhe4096: handshakes with larger groups take tens of milliseconds

static bool handshake_work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  tn_speed_clock *server_only = job->row->variant % PARTS == SERVER ? clock : NULL;
  bool good = true;
  for (; n != 0 && good; n--) {
    good = tn_speed_link_connect(job->state, server_only);
    tn_speed_link_disconnect(job->state, server_only);
  }
  return good;
}

// What the server says after a handshake reaches the client.
static bool handshake_start(tn_speed_job *job) {
  const tn_group *group = job->row->subject;
  tn_speed_link *link = job->state = malloc(sizeof *link);
  uint8_t answer[sizeof "hello" + TN_SPEED_READ_SLACK];
  if (link == NULL || !tn_speed_link_start(link, tn_suites[0].id, group->id, keys[job->row->variant / PARTS].type))
    return false;
  const bool good = tn_speed_link_connect(link, NULL) && tn_speed_link_write(link, (const uint8_t *)"hello", 5) &&
                    tn_speed_link_read(link, answer, 5) && memcmp(answer, "hello", 5) == 0;
  tn_speed_link_disconnect(link, NULL);
  return good;
}

static void handshake_end(tn_speed_job *job) {
  if (job->state != NULL) tn_speed_link_end(job->state);
  free(job->state);
}

static const tn_speed_kind handshake = {false, handshake_start, handshake_work, handshake_end};

void tn_speed_list_handshakes(tn_speed_rows *rows) {
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    for (const tn_group *const *g = tn_groups; *g != NULL; g++) {
      if (!keys[k].all_groups && *g != &tn_group_x25519) continue;
      if ((*g)->secret_len > LARGEST_SECRET) continue;
      tn_speed_add(rows, &handshake, *g, (int)k * PARTS + BOTH, "tls13-%s-%s", keys[k].name, (*g)->name);
      tn_speed_add(rows, &handshake, *g, (int)k * PARTS + SERVER, "tls13-%s-%s-server", keys[k].name, (*g)->name);
    }
  }
}

// ---------------------------------------------------------------- data

enum { WRITE, READ };

typedef struct data_state {
  uint8_t *sent, *got;
  tn_speed_link link;
} data_state;

// A batch is written, then read; one of the two is timed.
static bool batch(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  data_state *s = job->state;
  bool good = true;
  if (job->row->variant == READ) tn_speed_pause(clock);
  for (uint64_t i = 0; i < n; i++) good &= tn_speed_link_write(&s->link, s->sent, job->size);
  if (job->row->variant == READ)
    tn_speed_resume(clock);
  else
    tn_speed_pause(clock);
  for (uint64_t i = 0; i < n; i++) good &= tn_speed_link_read(&s->link, s->got, job->size);
  if (job->row->variant == WRITE) tn_speed_resume(clock);
  return good;
}

static bool data_work(tn_speed_job *job, uint64_t n, tn_speed_clock *clock) {
  const uint64_t fitting = BATCH_BYTES / job->size;
  const uint64_t most = fitting == 0 ? 1 : fitting < BATCH_MAX ? fitting : BATCH_MAX;
  bool good = true;
  while (n != 0 && good) {
    const uint64_t now = n < most ? n : most;
    good = batch(job, now, clock);
    n -= now;
  }
  return good;
}

static const char *path_of(const tn_aead *aead) {
  static const uint8_t zeros[TN_AEAD_MAX_KEY];
  tn_aead_key key;
  tn_aead_set_key(&key, aead, zeros);
  return key.impl->path;
}

static bool data_start(tn_speed_job *job) {
  const tn_suite *suite = job->row->subject;
  data_state *s = job->state = calloc(1, sizeof *s);
  tn_speed_clock clock = {0};
  if (s == NULL) return false;
  if (job->size > TN_SPEED_WIRE_ROOM / 2) job->size = TN_SPEED_WIRE_ROOM / 2;
  job->path = path_of(suite->aead);
  s->sent = tn_speed_random_bytes(job->size);
  s->got = calloc(1, job->size + TN_SPEED_READ_SLACK);
  return s->sent != NULL && s->got != NULL &&
         tn_speed_link_start(&s->link, suite->id, tn_groups[0]->id, keys[P256].type) &&
         tn_speed_link_connect(&s->link, NULL) && data_work(job, 1, &clock) && memcmp(s->sent, s->got, job->size) == 0;
}

static void data_end(tn_speed_job *job) {
  data_state *s = job->state;
  if (s == NULL) return;
  tn_speed_link_end(&s->link);
  free(s->sent);
  free(s->got);
  free(s);
}

static const tn_speed_kind data = {true, data_start, data_work, data_end};

void tn_speed_list_records(tn_speed_rows *rows) {
  for (size_t i = 0; i < TN_SUITE_COUNT; i++) {
    tn_speed_add(rows, &data, &tn_suites[i], WRITE, "tls13-%s-write", tn_suites[i].aead->name);
    tn_speed_add(rows, &data, &tn_suites[i], READ, "tls13-%s-read", tn_suites[i].aead->name);
  }
}
