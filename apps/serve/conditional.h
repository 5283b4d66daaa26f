// Conditional requests: RFC 9110 section 13.
#ifndef TN_SERVE_CONDITIONAL_H
#define TN_SERVE_CONDITIONAL_H

#include "serve/http_request.h"

// What a representation is compared by.
typedef struct tn_validators {
  char etag[64];  // strong, with its quotes
  int64_t modified;
} tn_validators;

// Evaluates If-Match, If-Unmodified-Since, If-None-Match and If-Modified-Since in the order of section 13.2.2 for a
// GET or HEAD of something that exists. 0: go on; else the status: 304 or 412.
unsigned tn_http_precondition(const tn_http_request *r, const tn_validators *v, int64_t now);

// Whether If-Range, if there is one, lets the Range field count.
bool tn_http_if_range(const tn_http_request *r, const tn_validators *v, int64_t now);

#endif
