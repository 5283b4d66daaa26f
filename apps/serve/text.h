// Text into a tn_writer: plain, formatted, and escaped for the place where it goes.
#ifndef TN_SERVE_TEXT_H
#define TN_SERVE_TEXT_H

#include "base/bytes.h"

void tn_write_text(tn_writer *w, const char *text);
// At most 511 bytes of text; more fails the writer.
void tn_write_format(tn_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

// For a log line: \xHH for all but printable ASCII, and for the quote and the backslash.
void tn_write_log(tn_writer *w, tn_span s);
// A JSON string with its quotes. Bytes beyond ASCII are taken for Latin-1, so that any bytes give valid JSON.
void tn_write_json(tn_writer *w, tn_span s);
// A URL's path: percent-encodes all but RFC 3986's unreserved characters and the slash.
void tn_write_url_path(tn_writer *w, tn_span s);
// A URL's query that was received as such: percent-encodes what may not be in one, keeps '%'.
void tn_write_url_query(tn_writer *w, tn_span s);

static inline tn_span tn_text(const char *s) { return tn_span_of(s, __builtin_strlen(s)); }
// Without the spaces and tabs around it.
tn_span tn_text_trim(tn_span s);

#endif
