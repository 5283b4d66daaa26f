// Answers a GET or HEAD with a file from below a list of directories.
#ifndef TN_SERVE_STATIC_FILE_H
#define TN_SERVE_STATIC_FILE_H

#include "serve/http_request.h"
#include "serve/http_response.h"

// `path` and `query` as tn_url_split() gives them. The directories (open descriptors) are searched in their order.
// A directory's path ends with a slash (301 to that if not) and stands for its index.html.
void tn_static_file_answer(const int *roots, size_t n_roots, const tn_http_request *request, tn_span path,
                           tn_span query, int64_t now, tn_http_response *response);

#endif
