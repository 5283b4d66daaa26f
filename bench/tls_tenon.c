// Tenon as a library that the benchmarks drive.
#include <stdlib.h>

#include "tls_library.h"

typedef struct config {
  tn_config *tls;
  tn_role role;
  const char *peer_name;
} config;

typedef struct conn {
  tn_conn *tls;
  tn_role role;
  wire *in, *out;
} conn;

static const char *name(void) { return "Tenon"; }

static void need(tn_result r, const char *what) {
  if (!tn_ok(r)) bench_die(what, tn_reason_text(r.reason));
}

static void set_identity(tn_config *tls, const tls_setup *setup) {
  tn_key *key;
  tn_identity *identity;
  need(tn_key_parse(NULL, setup->key_pem, &key), "key");
  need(tn_identity_from_pem(NULL, setup->leaf_pem, key, &identity), "identity");
  need(tn_config_add_identity(tls, identity), "identity");
  tn_identity_unref(identity);
  tn_key_free(key);
}

static void set_trust(tn_config *tls, const tls_setup *setup) {
  tn_trust *trust;
  need(tn_trust_new(NULL, &trust), "trust");
  need(tn_trust_add_pem(trust, setup->anchor_pem, NULL, NULL), "trust");
  need(tn_config_set_trust(tls, trust), "trust");
  tn_trust_unref(trust);
}

static void *configure(tn_role role, const tls_setup *setup) {
  config *c = calloc(1, sizeof *c);
  BENCH_NEED(c != NULL, "configuration");
  c->role = role;
  c->peer_name = role == TN_CLIENT ? setup->name : "";
  need(tn_config_new(role, NULL, &c->tls), "configuration");
  need(tn_config_set_suites(c->tls, &setup->suite->id, 1), "suite");
  need(tn_config_set_groups(c->tls, &setup->group_id, 1), "group");
  if (role == TN_SERVER)
    set_identity(c->tls, setup);
  else
    set_trust(c->tls, setup);
  return c;
}

static void discard(void *state) {
  config *c = state;
  tn_config_unref(c->tls);
  free(c);
}

static void *connect_wires(void *state, wire *in, wire *out) {
  const config *cfg = state;
  conn *c = malloc(sizeof *c);
  BENCH_NEED(c != NULL, "connection");
  *c = (conn){NULL, cfg->role, in, out};
  if (tn_ok(tn_conn_new(cfg->tls, tn_span_of(cfg->peer_name, strlen(cfg->peer_name)), &c->tls))) return c;
  free(c);
  return NULL;
}

static void free_conn(void *state) {
  conn *c = state;
  if (c == NULL) return;
  tn_conn_free(c->tls);
  free(c);
}

// Sends n bytes of data and whatever the protocol has to say.
static bool send_all(conn *c, const uint8_t *p, size_t n) {
  while (n != 0 || tn_conn_status(c->tls) & TN_CONN_PENDING) {
    const tn_span data = {p, n};
    size_t taken, written;
    const tn_mspan room = {c->out->bytes + c->out->end, WIRE_ROOM - c->out->end};
    if (!tn_ok(tn_conn_send(c->tls, &data, n != 0, room, &taken, &written)) || written == 0) return false;
    c->out->end += written;
    p += taken;
    n -= taken;
  }
  return true;
}

static bool advance(void *state, bool *open) {
  conn *c = state;
  for (;;) {
    tn_received got;
    const tn_mspan in = {c->in->bytes + c->in->start, c->in->end - c->in->start};
    if (in.n == 0) break;
    if (!tn_ok(tn_conn_receive(c->tls, in, (tn_mspan){NULL, 0}, &got)) || got.data.n != 0) return false;
    if (got.used == 0) break;
    wire_drop(c->in, got.used);
  }
  *open = tn_conn_status(c->tls) & TN_CONN_OPEN;
  return send_all(c, NULL, 0);
}

static bool as_agreed(void *state, const tls_setup *setup) {
  const conn *c = state;
  tn_conn_info info;
  tn_conn_get_info(c->tls, &info);
  return strcmp(info.version, "TLSv1.3") == 0 && info.suite_id == setup->suite->id &&
         info.group_id == setup->group_id && (c->role == TN_SERVER || info.verified);
}

static bool write_record(void *state, const uint8_t *p, size_t n) { return send_all(state, p, n); }

static bool read_bytes(void *state, uint8_t *p, size_t n) {
  conn *c = state;
  while (n != 0) {
    tn_received got;
    const tn_mspan in = {c->in->bytes + c->in->start, c->in->end - c->in->start};
    if (!tn_ok(tn_conn_receive(c->tls, in, (tn_mspan){p, n + TLS_READ_SLACK}, &got))) return false;
    if (got.used == 0 || got.data.n > n || (got.data.n != 0 && got.data.p != p)) return false;
    wire_drop(c->in, got.used);
    p += got.data.n;
    n -= got.data.n;
  }
  return true;
}

const tls_library tls_tenon = {
    .name = name,
    .configure = configure,
    .discard = discard,
    .connect = connect_wires,
    .free = free_conn,
    .advance = advance,
    .as_agreed = as_agreed,
    .write = write_record,
    .read = read_bytes,
};
