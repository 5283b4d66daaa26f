// A client and a server in one thread, memory to memory, and what both need: a certificate authority of our own, and
// a server's certificate that it issued.
#ifndef TN_CLI_SPEED_LINK_H
#define TN_CLI_SPEED_LINK_H

#include "cli/speed_machine.h"
#include "tenon/tls.h"

// One direction: bytes are appended at `end` and taken from `start`.
#define TN_SPEED_WIRE_ROOM ((size_t)1 << 18)
typedef struct tn_speed_wire {
  size_t start, end;
  uint8_t bytes[TN_SPEED_WIRE_ROOM];
} tn_speed_wire;

typedef struct tn_speed_link {
  tn_config *client_config, *server_config;
  tn_conn *client, *server;
  tn_speed_wire to_client, to_server;
} tn_speed_link;

// Both configurations, with this one suite and this one group, and a server's certificate with this type of key, as
// tn_key_generate() names it. False if something failed; tn_speed_link_end() follows
// anyway.
TN_MUST_USE bool tn_speed_link_start(tn_speed_link *link, uint16_t suite_id, uint16_t group_id, const char *key_type);
void tn_speed_link_end(tn_speed_link *link);

// A full handshake, in which the client verifies the server's chain. Unless `server_only` is NULL, the client's part is
// not timed on it.
TN_MUST_USE bool tn_speed_link_connect(tn_speed_link *link, tn_speed_clock *server_only);
void tn_speed_link_disconnect(tn_speed_link *link, tn_speed_clock *server_only);

// n bytes from the server onto the wire; n bytes that are on the wire, to the client.
TN_MUST_USE bool tn_speed_link_write(tn_speed_link *link, const uint8_t *p, size_t n);
TN_MUST_USE bool tn_speed_link_read(tn_speed_link *link, uint8_t *p, size_t n);
// What tn_speed_link_read() may write beyond n bytes.
#define TN_SPEED_READ_SLACK 256

#endif
