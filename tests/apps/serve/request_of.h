// Requests for tests, parsed from text.
#ifndef TN_TESTS_REQUEST_OF_H
#define TN_TESTS_REQUEST_OF_H

#include "serve/http_request.h"
#include "serve/text.h"
#include "support/support.h"

// A good GET with these further field lines ("Range: bytes=0-1\r\n", ...); free() it.
static inline tn_http_request *request_of(const char *method, const char *field_lines) {
  char text[4096];
  int n = snprintf(text, sizeof text, "%s / HTTP/1.1\r\nHost: x\r\n%s\r\n", method, field_lines);
  assert_in_range(n, 1, sizeof text - 1);
  tn_http_request *r = malloc(sizeof *r);
  assert_non_null(r);
  tn_http_request_init(r);
  assert_int_equal(tn_http_request_feed(r, tn_span_of(text, (size_t)n)), n);
  assert_int_equal(r->stage, TN_HTTP_DONE);
  assert_int_equal(r->error, 0);
  return r;
}

#endif
