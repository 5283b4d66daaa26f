// A reader of NIST CAVS response files (*.rsp): stanzas of "NAME = VALUE" lines, set apart by blank
// lines, under "[NAME = VALUE]" headings that hold for every stanza below them.
#ifndef TN_TESTS_RSP_H
#define TN_TESTS_RSP_H

#include "support/support.h"

typedef struct rsp rsp;

// A file below ../shared/vectors, e.g. "cavp/sha/SHA256ShortMsg.rsp"; skips and fails as vectors_load().
rsp *rsp_open(const char *path);
void rsp_close(rsp *r);

// Moves to the next stanza; false at the end.
bool rsp_next(rsp *r);

// A value of this stanza or, if it has none of that name, of the headings above it; else NULL.
// A heading without a value, "[ENCRYPT]", has an empty one. Valid until the next rsp_next().
const char *rsp_text(const rsp *r, const char *name);
// The same as bytes and as a number; they fail the test where there is no such value.
bytes rsp_hex(const rsp *r, const char *name);
size_t rsp_number(const rsp *r, const char *name);

#endif
