#define _GNU_SOURCE
#include "serve/static_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/byte_range.h"
#include "serve/conditional.h"
#include "serve/http_date.h"
#include "serve/mime.h"
#include "serve/open_beneath.h"
#include "serve/text.h"
#include "serve/url_path.h"

static const char index_name[] = "index.html";

typedef struct found_file {
  int fd;
  struct stat stat;
} found_file;

static unsigned status_of_errno(int error) {
  switch (error) {
    case EACCES:
      return 403;
    case ENOENT:
    case ENOTDIR:
    case ELOOP:
    case EXDEV:  // a symbolic link that leaves the directory
    case ENAMETOOLONG:
      return 404;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EAGAIN:
      return 503;
    default:
      return 500;
  }
}

// 0 and an open file or directory, or a status.
static unsigned open_file(int root, const char *path, found_file *out) {
  out->fd = tn_open_beneath(root, path);
  if (out->fd < 0) return status_of_errno(errno);
  if (fstat(out->fd, &out->stat) == 0 && (S_ISREG(out->stat.st_mode) || S_ISDIR(out->stat.st_mode))) return 0;
  close(out->fd);
  return 403;
}

// 200 and an open regular file, or another status.
static unsigned find_in(int root, const tn_url_path *path, found_file *out) {
  unsigned status = open_file(root, path->text, out);
  if (status != 0) return status;
  if (S_ISREG(out->stat.st_mode) && !path->is_dir) return 200;
  bool is_dir = S_ISDIR(out->stat.st_mode);
  close(out->fd);
  if (!is_dir) return 404;
  if (!path->is_dir) return 301;

  char index[TN_URL_PATH_MAX + sizeof index_name + 1];
  snprintf(index, sizeof index, "%s%s%s", path->text, path->n == 0 ? "" : "/", index_name);
  status = open_file(root, index, out);
  if (status != 0) return status;
  if (S_ISREG(out->stat.st_mode)) return 200;
  close(out->fd);
  return 404;
}

// The first directory that has it rules; of several refusals, the first that says more than 404.
static unsigned find(const int *roots, size_t n, const tn_url_path *path, found_file *out) {
  unsigned worst = 404;
  for (size_t i = 0; i < n; i++) {
    unsigned status = find_in(roots[i], path, out);
    if (status < 400) return status;
    if (worst == 404) worst = status;
  }
  return worst;
}

static void answer_redirect(const tn_url_path *path, tn_span query, tn_http_response *response) {
  tn_http_response_page(response, 301);
  tn_write_text(&response->fields, "Location: /");
  tn_write_url_path(&response->fields, tn_span_of(path->text, path->n));
  tn_write_text(&response->fields, "/");
  tn_write_url_query(&response->fields, query);
  tn_write_text(&response->fields, "\r\n");
}

static void set_validators(const struct stat *s, tn_validators *v) {
  v->modified = s->st_mtim.tv_sec;
  snprintf(v->etag, sizeof v->etag, "\"%llx.%lx-%llx-%llx\"", (unsigned long long)s->st_mtim.tv_sec,
           (unsigned long)s->st_mtim.tv_nsec, (unsigned long long)s->st_size, (unsigned long long)s->st_ino);
}

static void write_validators(const tn_validators *v, int64_t now, tn_http_response *response) {
  char date[TN_HTTP_DATE_LEN + 1];
  tn_http_date_format(v->modified < now ? v->modified : now, date);  // never later than Date (RFC 9110 8.8.2.1)
  tn_http_response_field(response, "ETag", v->etag);
  tn_http_response_field(response, "Last-Modified", date);
}

// Narrows the response to the range that was asked for, if one was and it counts. False if it was answered with 416.
static bool apply_range(const tn_http_request *request, const tn_validators *v, int64_t now,
                        tn_http_response *response) {
  const tn_span *range = tn_http_request_single(request, "range");
  if (range == NULL || !tn_http_method_is(request, "GET") || !tn_http_if_range(request, v, now)) return true;
  uint64_t size = response->end;
  switch (tn_byte_range(*range, size, &response->at, &response->end)) {
    case TN_RANGE_PART:
      response->status = 206;
      tn_write_format(&response->fields, "Content-Range: bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64 "\r\n", response->at,
                      response->end - 1, size);
      return true;
    case TN_RANGE_UNSATISFIABLE:
      tn_http_response_page(response, 416);
      tn_write_format(&response->fields, "Content-Range: bytes */%" PRIu64 "\r\n", size);
      return false;
    default:
      return true;
  }
}

static void answer_file(const found_file *file, const char *type, const tn_http_request *request, int64_t now,
                        tn_http_response *response) {
  tn_validators v;
  set_validators(&file->stat, &v);
  unsigned status = tn_http_precondition(request, &v, now);
  if (status == 412) {
    close(file->fd);
    tn_http_response_page(response, 412);
    return;
  }
  if (status == 304) {
    close(file->fd);
    response->status = 304;
    write_validators(&v, now, response);
    return;
  }
  response->end = (uint64_t)file->stat.st_size;
  tn_http_response_field(response, "Accept-Ranges", "bytes");
  if (!apply_range(request, &v, now, response)) {
    close(file->fd);
    return;
  }
  response->fd = file->fd;
  tn_http_response_field(response, "Content-Type", type);
  write_validators(&v, now, response);
}

void tn_static_file_answer(const int *roots, size_t n_roots, const tn_http_request *request, tn_span path,
                           tn_span query, int64_t now, tn_http_response *response) {
  tn_url_path decoded;
  found_file file;
  unsigned status = tn_url_path_decode(path, &decoded);
  if (status == 0) status = find(roots, n_roots, &decoded, &file);
  if (status == 200) {
    answer_file(&file, tn_mime_type(decoded.is_dir ? index_name : decoded.text), request, now, response);
  } else if (status == 301) {
    answer_redirect(&decoded, query, response);
  } else {
    tn_http_response_page(response, status);
  }
}
