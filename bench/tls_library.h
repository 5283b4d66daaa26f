// One shape for every TLS library that the benchmarks drive, memory to memory. Any library's client can meet
// any library's server.
#ifndef TN_BENCH_TLS_LIBRARY_H
#define TN_BENCH_TLS_LIBRARY_H

#include <string.h>

#include "bench.h"
#include "tenon/tls.h"
#include "tls/suite.h"

// One direction between two ends: bytes are appended at `end` and taken from `start`.
#define WIRE_ROOM (1u << 17)
typedef struct wire {
  size_t start, end;
  uint8_t bytes[WIRE_ROOM];
} wire;

// Drops n bytes from the front. An empty wire starts over.
static inline void wire_drop(wire *w, size_t n) {
  w->start += n;
  if (w->start == w->end) w->start = w->end = 0;
}

// What both ends of every library are given: the server's certificate and key, the anchor that its client trusts (PEM),
// and the one suite and the one group that they may use.
typedef struct tls_setup {
  const char *name;  // of the server
  tn_span leaf_pem, key_pem, anchor_pem;
  const tn_suite *suite;
  uint16_t group_id;
  const char *group_name;  // IANA's
} tls_setup;

typedef struct tls_library {
  const char *(*name)(void);
  // A configuration is made once and serves any number of connections. Dies if it cannot be made.
  void *(*configure)(tn_role role, const tls_setup *setup);
  void (*discard)(void *config);
  // A connection that reads from one wire and writes to the other; NULL: it failed.
  void *(*connect)(void *config, wire *in, wire *out);
  void (*free)(void *conn);  // NULL is allowed
  // Handshakes as far as the bytes on the wire allow; *open: it is done. False: it failed.
  bool (*advance)(void *conn, bool *open);
  // Whether it is TLS 1.3 with the suite of the setup, and a client has verified its server's chain.
  bool (*as_agreed)(void *conn, const tls_setup *setup);
  // Writes n bytes, at most 2^14, as one record.
  bool (*write)(void *conn, const uint8_t *p, size_t n);
  // Reads exactly n bytes that are on the wire. `p` has room for n + TLS_READ_SLACK bytes.
  bool (*read)(void *conn, uint8_t *p, size_t n);
} tls_library;

#define TLS_READ_SLACK 256

extern const tls_library tls_tenon, tls_openssl;

#endif
