#include "cli/speed_link.h"

#include <string.h>
#include <time.h>

#include "tenon/pki.h"

#define SERVER_NAME "server.example"
#define DAY 86400
#define CERT_ROOM 1024
#define MAX_FLIGHTS 4  // a retry, the handshake, and one to spare

// ---------------------------------------------------------------- configurations

typedef struct credentials {
  tn_key *anchor_key, *leaf_key;
  uint8_t anchor[CERT_ROOM], leaf[CERT_ROOM];
  size_t anchor_len, leaf_len;
} credentials;

static tn_span name_span(const char *name) { return tn_span_of(name, strlen(name)); }

static tn_result make_credentials(credentials *c, const char *key_type) {
  const int64_t now = time(NULL);
  const tn_span dns_name = name_span(SERVER_NAME);
  const tn_cert_spec anchor = {
      .common_name = name_span("Benchmark CA"), .not_before = now - DAY, .not_after = now + DAY, .is_ca = true};
  const tn_cert_spec leaf = {.common_name = dns_name,
                             .dns_names = &dns_name,
                             .n_dns_names = 1,
                             .not_before = now - DAY,
                             .not_after = now + DAY,
                             .ext_key_usage = TN_EKU_SERVER_AUTH};
  tn_cert issuer;
  *c = (credentials){.anchor_len = CERT_ROOM, .leaf_len = CERT_ROOM};
  tn_result r = tn_key_generate_p256(NULL, &c->anchor_key);
  if (tn_ok(r)) r = tn_key_generate(NULL, key_type, &c->leaf_key);
  if (tn_ok(r)) r = tn_cert_make(&anchor, c->anchor_key, NULL, NULL, c->anchor, &c->anchor_len);
  if (tn_ok(r)) r = tn_cert_parse(&issuer, tn_span_of(c->anchor, c->anchor_len));
  if (tn_ok(r)) r = tn_cert_make(&leaf, c->leaf_key, &issuer, c->anchor_key, c->leaf, &c->leaf_len);
  return r;
}

static tn_result set_identity(tn_config *server, const credentials *c) {
  tn_identity *identity = NULL;
  tn_result r = tn_identity_from_der(NULL, tn_span_of(c->leaf, c->leaf_len), c->leaf_key, &identity);
  if (tn_ok(r)) r = tn_config_add_identity(server, identity);
  tn_identity_unref(identity);
  return r;
}

static tn_result set_trust(tn_config *client, const credentials *c) {
  tn_trust *trust = NULL;
  tn_result r = tn_trust_new(NULL, &trust);
  if (tn_ok(r)) r = tn_trust_add_der(trust, tn_span_of(c->anchor, c->anchor_len));
  if (tn_ok(r)) r = tn_config_set_trust(client, trust);
  tn_trust_unref(trust);
  return r;
}

static tn_result configure(tn_config **config, tn_role role, uint16_t suite_id, uint16_t group_id) {
  tn_result r = tn_config_new(role, NULL, config);
  if (tn_ok(r)) r = tn_config_set_suites(*config, &suite_id, 1);
  if (tn_ok(r)) r = tn_config_set_groups(*config, &group_id, 1);
  return r;
}

bool tn_speed_link_start(tn_speed_link *link, uint16_t suite_id, uint16_t group_id, const char *key_type) {
  credentials c;
  memset(link, 0, sizeof *link);
  tn_result r = make_credentials(&c, key_type);
  if (tn_ok(r)) r = configure(&link->server_config, TN_SERVER, suite_id, group_id);
  if (tn_ok(r)) r = set_identity(link->server_config, &c);
  if (tn_ok(r)) r = configure(&link->client_config, TN_CLIENT, suite_id, group_id);
  if (tn_ok(r)) r = set_trust(link->client_config, &c);
  tn_key_free(c.anchor_key);
  tn_key_free(c.leaf_key);
  return tn_ok(r);
}

void tn_speed_link_end(tn_speed_link *link) {
  tn_speed_link_disconnect(link, NULL);
  tn_config_unref(link->client_config);
  tn_config_unref(link->server_config);
}

// ---------------------------------------------------------------- bytes

// Sends n bytes of data and whatever the protocol has to say.
static bool send_all(tn_conn *conn, tn_speed_wire *out, const uint8_t *p, size_t n) {
  while (n != 0 || tn_conn_status(conn) & TN_CONN_PENDING) {
    const tn_span data = {p, n};
    const tn_mspan room = {out->bytes + out->end, TN_SPEED_WIRE_ROOM - out->end};
    size_t taken, written;
    if (!tn_ok(tn_conn_send(conn, &data, n != 0, room, &taken, &written)) || written == 0) return false;
    out->end += written;
    p += taken;
    n -= taken;
  }
  return true;
}

// Takes a record, with its data to `out`. False: it failed, or there is none.
static bool take(tn_conn *conn, tn_speed_wire *in, tn_mspan out, tn_received *got) {
  const tn_mspan bytes = {in->bytes + in->start, in->end - in->start};
  if (!tn_ok(tn_conn_receive(conn, bytes, out, got)) || got->used == 0) return false;
  in->start += got->used;
  if (in->start == in->end) in->start = in->end = 0;
  return true;
}

bool tn_speed_link_write(tn_speed_link *link, const uint8_t *p, size_t n) {
  return send_all(link->server, &link->to_client, p, n);
}

bool tn_speed_link_read(tn_speed_link *link, uint8_t *p, size_t n) {
  while (n != 0) {
    tn_received got;
    if (!take(link->client, &link->to_client, (tn_mspan){p, n + TN_SPEED_READ_SLACK}, &got)) return false;
    if (got.data.n > n || (got.data.n != 0 && got.data.p != p)) return false;
    p += got.data.n;
    n -= got.data.n;
  }
  return true;
}

// ---------------------------------------------------------------- handshakes

static void resume(tn_speed_clock *clock) {
  if (clock != NULL) tn_speed_resume(clock);
}

static void pause_clock(tn_speed_clock *clock) {
  if (clock != NULL) tn_speed_pause(clock);
}

// As far as the bytes on the wire allow.
static bool advance(tn_conn *conn, tn_speed_wire *in, tn_speed_wire *out) {
  tn_received got;
  while (in->start != in->end)
    if (!take(conn, in, (tn_mspan){NULL, 0}, &got) || got.data.n != 0) return false;
  return send_all(conn, out, NULL, 0);
}

static bool is_open(const tn_conn *conn) { return (tn_conn_status(conn) & TN_CONN_OPEN) != 0; }

bool tn_speed_link_connect(tn_speed_link *link, tn_speed_clock *server_only) {
  tn_conn_info info;
  bool good = tn_ok(tn_conn_new(link->server_config, tn_span_of(NULL, 0), &link->server));
  pause_clock(server_only);
  good = good && tn_ok(tn_conn_new(link->client_config, name_span(SERVER_NAME), &link->client)) &&
         advance(link->client, &link->to_client, &link->to_server);
  resume(server_only);
  for (int flight = 0; good && !(is_open(link->client) && is_open(link->server)); flight++) {
    good = flight < MAX_FLIGHTS && advance(link->server, &link->to_server, &link->to_client);
    pause_clock(server_only);
    good = good && advance(link->client, &link->to_client, &link->to_server);
    resume(server_only);
  }
  if (!good) return false;
  tn_conn_get_info(link->client, &info);
  return info.verified;
}

void tn_speed_link_disconnect(tn_speed_link *link, tn_speed_clock *server_only) {
  tn_conn_free(link->server);
  pause_clock(server_only);
  tn_conn_free(link->client);
  link->client = link->server = NULL;
  link->to_client.start = link->to_client.end = link->to_server.start = link->to_server.end = 0;
  resume(server_only);
}
