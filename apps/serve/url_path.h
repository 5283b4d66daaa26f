// From a request-target to the path of a file: what cannot be a harmless path below a directory is refused here.
#ifndef TN_SERVE_URL_PATH_H
#define TN_SERVE_URL_PATH_H

#include "tenon/base.h"

#define TN_URL_PATH_MAX 8192

typedef struct tn_url_path {
  char text[TN_URL_PATH_MAX + 1];  // decoded and normalised, no slash at either end: "a/b.txt"; "" is the root
  size_t n;
  bool is_dir;  // a slash ended it
} tn_url_path;

// Splits a request-target in origin-form or absolute-form (RFC 9112 section 3.2) into its path, still encoded, and
// its query with the question mark (empty if there is none). False for any other target.
bool tn_url_split(tn_span target, tn_span *path, tn_span *query);

// Decodes and normalises the path. 0, or the status to answer with: 400 for a malformed escape, a control character,
// a backslash, an encoded slash, or dot segments that leave the root; 404 for a hidden name (one that begins with a
// dot, but for "/.well-known") and for a path that is too long.
unsigned tn_url_path_decode(tn_span path, tn_url_path *out);

#endif
