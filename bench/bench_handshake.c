// TLS 1.3 from memory to memory, client and server in one thread: full handshakes, and records of a connection.
#include <stdlib.h>

#include "credentials.h"
#include "tls_library.h"

#define SERVER_NAME "server.example"
#define BATCH_BYTES 65536  // of a batch of records, which one side writes and the other then reads
#define BATCH_RECORDS 64
#define MAX_FLIGHTS 4  // a retry, the handshake, and one to spare

static const size_t record_sizes[] = {64, 16384};

typedef enum tls_part { WHOLE_HANDSHAKE, SERVER_PART, WRITES, READS } tls_part;

// A client of one library and a server of one, which may be another's.
typedef struct tls_link {
  const tls_library *client_library, *server_library;
  const tls_setup *setup;
  void *client_config, *server_config;
  void *client, *server;
  wire to_server, to_client;
} tls_link;

// A side's work.
typedef struct tls_state {
  tls_part part;      // what is timed
  tls_link link;      // both ends are the side's library's
  tls_link crossing;  // its client with another side's server, for comparison
  size_t size;        // of a record's data
  uint8_t message[TN_RECORD_MAX_PLAINTEXT];
  uint8_t out[TN_RECORD_MAX_PLAINTEXT + TLS_READ_SLACK];
} tls_state;

static bool is_handshake(const tls_state *s) { return s->part == WHOLE_HANDSHAKE || s->part == SERVER_PART; }

// ---------------------------------------------------------------- connections

static void link_configure(tls_link *l, const tls_library *client, const tls_library *server, const tls_setup *setup) {
  l->client_library = client;
  l->server_library = server;
  l->setup = setup;
  l->client_config = client->configure(TN_CLIENT, setup);
  l->server_config = server->configure(TN_SERVER, setup);
}

static void link_disconnect(tls_link *l) {
  l->client_library->free(l->client);
  l->server_library->free(l->server);
  l->client = l->server = NULL;
  l->to_server.start = l->to_server.end = l->to_client.start = l->to_client.end = 0;
}

static void link_discard(tls_link *l) {
  link_disconnect(l);
  l->client_library->discard(l->client_config);
  l->server_library->discard(l->server_config);
}

// A full handshake. With a clock the client's part is not timed.
static bool link_connect(tls_link *l, tn_speed_clock *server_clock) {
  const tls_library *client = l->client_library, *server = l->server_library;
  bool client_open = false, server_open = false, good;
  l->server = server->connect(l->server_config, &l->to_server, &l->to_client);
  if (server_clock != NULL) tn_speed_pause(server_clock);
  l->client = client->connect(l->client_config, &l->to_client, &l->to_server);
  good = l->client != NULL && l->server != NULL && client->advance(l->client, &client_open);
  if (server_clock != NULL) tn_speed_resume(server_clock);
  for (int flight = 0; good && !(client_open && server_open); flight++) {
    if (flight == MAX_FLIGHTS) return false;
    good = server->advance(l->server, &server_open);
    if (client_open) continue;
    if (server_clock != NULL) tn_speed_pause(server_clock);
    good = good && client->advance(l->client, &client_open);
    if (server_clock != NULL) tn_speed_resume(server_clock);
  }
  return good && client->as_agreed(l->client, l->setup) && server->as_agreed(l->server, l->setup);
}

// The server ends first, with the client's untimed as before.
static void link_disconnect_timed(tls_link *l, tn_speed_clock *server_clock) {
  l->server_library->free(l->server);
  l->server = NULL;
  if (server_clock != NULL) tn_speed_pause(server_clock);
  link_disconnect(l);
  if (server_clock != NULL) tn_speed_resume(server_clock);
}

// ---------------------------------------------------------------- the work

static bool work_handshakes(tls_state *s, uint64_t n, tn_speed_clock *clock) {
  tn_speed_clock *server_clock = s->part == SERVER_PART ? clock : NULL;
  bool good = true;
  for (uint64_t i = 0; i < n; i++) {
    good &= link_connect(&s->link, server_clock);
    link_disconnect_timed(&s->link, server_clock);
  }
  return good;
}

// The server writes a batch of records and the client reads it; one of the two is timed, and what was read last
// is compared.
static bool work_records(tls_state *s, uint64_t first, uint64_t n, tn_speed_clock *clock) {
  tls_link *l = &s->link;
  const size_t fitting = BATCH_BYTES / s->size;
  const uint64_t batch = fitting < BATCH_RECORDS ? fitting : BATCH_RECORDS;
  bool good = true;
  while (n != 0 && good) {
    const uint64_t now = n < batch ? n : batch;
    memcpy(s->message, &first, sizeof first);
    if (s->part == READS) tn_speed_pause(clock);
    for (uint64_t i = 0; i < now; i++) good &= l->server_library->write(l->server, s->message, s->size);
    if (s->part == READS)
      tn_speed_resume(clock);
    else
      tn_speed_pause(clock);
    for (uint64_t i = 0; i < now; i++) good &= l->client_library->read(l->client, s->out, s->size);
    if (s->part == READS) tn_speed_pause(clock);
    good &= memcmp(s->out, s->message, s->size) == 0;
    tn_speed_resume(clock);
    first += now;
    n -= now;
  }
  return good;
}

static bool work(void *state, uint64_t first, uint64_t n, tn_speed_clock *clock) {
  tls_state *s = state;
  return is_handshake(s) ? work_handshakes(s, n, clock) : work_records(s, first, n, clock);
}

// ---------------------------------------------------------------- agreement

// A client of one library and a server of another complete, and the server's record reaches the client. In rows of
// records the connection stays.
static bool crosses(tls_state *s) {
  tls_link *l = &s->crossing;
  if (is_handshake(s)) link_disconnect(l);
  if (l->client == NULL && !link_connect(l, NULL)) return false;
  return l->server_library->write(l->server, s->message, s->size) &&
         l->client_library->read(l->client, s->out, s->size) && memcmp(s->out, s->message, s->size) == 0;
}

static bool agree(const bench_row *row, uint64_t i) {
  (void)i;
  for (size_t s = 0; s < row->n_sides; s++)
    if (!crosses(row->sides[s].state)) return false;
  return true;
}

// ---------------------------------------------------------------- rows

static tls_state *state_make(const tls_library *library, const tls_library *other, const tls_setup *setup,
                             tls_part part, size_t size) {
  tls_state *s = calloc(1, sizeof *s);
  BENCH_NEED(s != NULL, "memory");
  s->part = part;
  s->size = size;
  bench_fill(s->message, sizeof s->message, 7);
  link_configure(&s->link, library, library, setup);
  link_configure(&s->crossing, library, other, setup);
  if (!is_handshake(s)) BENCH_NEED(link_connect(&s->link, NULL), library->name());
  return s;
}

static void state_free(tls_state *s) {
  link_discard(&s->link);
  link_discard(&s->crossing);
  free(s);
}

static void run_part(bench *b, const char *name, const tls_setup *setup, tls_part part, size_t size) {
  static const tls_library *const libraries[] = {&tls_tenon, &tls_openssl};
  tls_state *states[COUNT(libraries)];
  bench_row row = {.name = name, .n_sides = COUNT(libraries), .agree = agree};
  if (!bench_wanted(b, name)) return;
  for (size_t i = 0; i < COUNT(libraries); i++) {
    states[i] = state_make(libraries[i], libraries[(i + 1) % COUNT(libraries)], setup, part, size);
    row.sides[i] = (bench_side){libraries[i]->name(), work, states[i], {NULL, 0}};
  }
  if (!is_handshake(states[0])) row.size = size;
  bench_run(b, &row);
  for (size_t i = 0; i < COUNT(libraries); i++) state_free(states[i]);
}

static const struct {
  const char *name;
  const char *key_type;  // of the server's certificate
  uint16_t suite_id, group_id;
  const char *group_name;
} handshakes[] = {
    {"tls13-ecdsa-p256-x25519", "p256", 0x1301, 0x001d, "x25519"},
    {"tls13-ecdsa-p256-secp256r1", "p256", 0x1301, 0x0017, "secp256r1"},
    {"tls13-ecdsa-p384-secp384r1", "p384", 0x1301, 0x0018, "secp384r1"},
    {"tls13-rsa-2048-x25519", "rsa-2048", 0x1301, 0x001d, "x25519"},
};

static tls_setup setup_of(const credentials *c) {
  return (tls_setup){.name = SERVER_NAME,
                     .leaf_pem = {c->leaf_pem, c->leaf_len},
                     .key_pem = {c->key_pem, c->key_len},
                     .anchor_pem = {c->anchor_pem, c->anchor_len}};
}

static void run_handshake(bench *b, size_t i) {
  credentials c;
  char server[64];
  snprintf(server, sizeof server, "%s-server", handshakes[i].name);
  if (!bench_wanted(b, handshakes[i].name) && !bench_wanted(b, server)) return;
  credentials_make(&c, SERVER_NAME, handshakes[i].key_type);
  tls_setup setup = setup_of(&c);
  setup.suite = tn_suite_find(handshakes[i].suite_id);
  setup.group_id = handshakes[i].group_id;
  setup.group_name = handshakes[i].group_name;
  run_part(b, handshakes[i].name, &setup, WHOLE_HANDSHAKE, sizeof(uint64_t));
  run_part(b, server, &setup, SERVER_PART, sizeof(uint64_t));
}

void bench_handshake(bench *b) {
  credentials c;
  char name[64];
  for (size_t i = 0; i < COUNT(handshakes); i++) run_handshake(b, i);
  credentials_make(&c, SERVER_NAME, "p256");
  tls_setup setup = setup_of(&c);
  setup.group_id = handshakes[0].group_id;
  setup.group_name = handshakes[0].group_name;
  for (size_t i = 0; i < TN_SUITE_COUNT; i++) {
    setup.suite = &tn_suites[i];
    for (tls_part part = WRITES; part <= READS; part++) {
      snprintf(name, sizeof name, "tls13-%s-%s", tn_suites[i].aead->name, part == WRITES ? "write" : "read");
      for (size_t k = 0; k < COUNT(record_sizes); k++) run_part(b, name, &setup, part, record_sizes[k]);
    }
  }
}
