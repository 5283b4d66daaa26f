// A certificate in words for people, and as JSON for machines.
#ifndef TN_CLI_CERT_TEXT_H
#define TN_CLI_CERT_TEXT_H

#include <jansson.h>
#include <stdio.h>

#include "tenon/pki.h"

// "expires in 30 days", "expired 2 hours ago", "is not valid for another day".
void tn_validity_text(const tn_cert *cert, int64_t now, char *out, size_t room);

// All that `tenon cert show` says of one certificate, several lines, indented.
void tn_cert_print(FILE *to, const tn_cert *cert, int64_t now);

// The same as an object; NULL without memory.
json_t *tn_cert_json(const tn_cert *cert, int64_t now);

// A span as a JSON string, its bytes beyond printable ASCII escaped as \xNN.
json_t *tn_span_json(tn_span text);

#endif
