// Which media type a file's name says it has.
#ifndef TN_SERVE_MIME_H
#define TN_SERVE_MIME_H

// The Content-Type for a file name or path; "application/octet-stream" if its extension says nothing. Static.
const char *tn_mime_type(const char *name);

#endif
