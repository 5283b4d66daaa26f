// One HTTP/1 response: its head, and a body that is in memory or a part of a file.
#ifndef TN_SERVE_HTTP_RESPONSE_H
#define TN_SERVE_HTTP_RESPONSE_H

#include "base/bytes.h"

typedef struct tn_http_response {
  unsigned status;
  tn_writer fields;  // field lines, beyond those that every response has
  tn_writer text;    // the body, where fd is -1
  int fd;            // the file that is the body, or -1; owned
  uint64_t at;       // what of the file is sent: from here
  uint64_t end;      // to here
} tn_http_response;

void tn_http_response_init(tn_http_response *r);
void tn_http_response_free(tn_http_response *r);

// Adds a field line.
void tn_http_response_field(tn_http_response *r, const char *name, const char *value);
// Makes it a status with a small page that says so.
void tn_http_response_page(tn_http_response *r, unsigned status);

uint64_t tn_http_response_length(const tn_http_response *r);
// Whether everything that was written into the response is there.
bool tn_http_response_is_whole(const tn_http_response *r);
// Writes the status line and all fields. `minor`: the HTTP/1.minor that the client speaks.
void tn_http_response_write_head(const tn_http_response *r, tn_writer *out, int64_t now, unsigned minor,
                                 bool keep_alive);

// "Not Found"; "Unknown" for a status that we never send. Static.
const char *tn_http_status_text(unsigned status);

#endif
