// One HTTP/1 request, read from bytes that come in any pieces.
//
// The head is collected whole, held to RFC 9112's line discipline byte by byte (every line ends with CRLF; no bare CR
// or LF, no NUL, no folded lines), and then parsed in place by llhttp. The body is framed by llhttp and dropped.
#ifndef TN_SERVE_HTTP_REQUEST_H
#define TN_SERVE_HTTP_REQUEST_H

#include <llhttp.h>

#include "tenon/base.h"

enum {
  TN_HTTP_HEAD_MAX = 16 * 1024,   // request line and fields; more: 431
  TN_HTTP_TARGET_MAX = 8 * 1024,  // request-target; more: 414
  TN_HTTP_METHOD_MAX = 32,        // more: 501
  TN_HTTP_BODY_MAX = 64 * 1024,   // as it is on the wire, framing included; more: 413
  TN_HTTP_FIELDS_MAX = 100,       // more: 431
};

typedef enum tn_http_stage { TN_HTTP_IN_HEAD, TN_HTTP_IN_BODY, TN_HTTP_DONE } tn_http_stage;

typedef struct tn_http_field {
  tn_span name;
  tn_span value;  // without blanks around it
} tn_http_field;

typedef struct tn_http_request {
  tn_http_stage stage;
  unsigned error;         // done and not to be served: the status to answer with; then the connection closes
  bool keep_alive;        // the client and its framing allow another request on the connection
  bool expects_continue;  // the client waits for "100 Continue" before it sends the body
  unsigned minor;         // HTTP/1.minor
  tn_span method;
  tn_span target;
  size_t n_fields;
  tn_http_field fields[TN_HTTP_FIELDS_MAX];  // all spans point into `head`

  llhttp_t parser;
  size_t body_len;
  // The line discipline: where in the head we are.
  size_t line;      // number, 0 is the request line
  size_t line_len;  // bytes of it so far, without CR
  size_t words;     // spaces seen in the request line
  size_t word_len;  // bytes since the last of them
  bool after_cr;
  size_t head_len;
  char head[TN_HTTP_HEAD_MAX];
} tn_http_request;

void tn_http_request_init(tn_http_request *r);

// Takes bytes while the request is not done; returns how many it used. It stops at the end of the head and at the
// end of the request: call again for what is left.
size_t tn_http_request_feed(tn_http_request *r, tn_span in);

// Value `i` among the fields of that name; NULL past the last.
const tn_span *tn_http_request_value(const tn_http_request *r, const char *name, size_t i);
// The value of a field that has meaning only if there is exactly one of it: NULL otherwise.
const tn_span *tn_http_request_single(const tn_http_request *r, const char *name);

// The request line as far as it arrived, for the log.
tn_span tn_http_request_line(const tn_http_request *r);

static inline bool tn_http_method_is(const tn_http_request *r, const char *method) {
  size_t n = __builtin_strlen(method);
  return r->method.n == n && __builtin_memcmp(r->method.p, method, n) == 0;
}

#endif
