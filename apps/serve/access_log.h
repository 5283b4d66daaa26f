// The access log: the common log format, with what TLS negotiated behind it.
#ifndef TN_SERVE_ACCESS_LOG_H
#define TN_SERVE_ACCESS_LOG_H

#include "base/bytes.h"

typedef struct tn_access {
  const char *peer;  // "192.0.2.1:443" or "[2001:db8::1]:443"
  int64_t time;
  tn_span request_line;
  unsigned status;
  uint64_t sent;        // bytes of body
  const char *version;  // "TLSv1.3"; NULL if there is none
  const char *suite;
} tn_access;

// Writes one line; whatever the peer chose is escaped.
void tn_access_log_write(tn_writer *w, const tn_access *a);

// The address in a peer's name, without port and brackets.
tn_span tn_peer_address(const char *peer);

#endif
