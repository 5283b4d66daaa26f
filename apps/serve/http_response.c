#include "serve/http_response.h"

#include <inttypes.h>
#include <unistd.h>

#include "serve/http_date.h"
#include "serve/text.h"

enum { FIELDS_LIMIT = 32 * 1024, TEXT_LIMIT = 64 * 1024 };

static const struct {
  unsigned status;
  const char *text;
} statuses[] = {
    {100, "Continue"},
    {200, "OK"},
    {206, "Partial Content"},
    {301, "Moved Permanently"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {503, "Service Unavailable"},
    {505, "HTTP Version Not Supported"},
};

const char *tn_http_status_text(unsigned status) {
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
    if (statuses[i].status == status) return statuses[i].text;
  }
  return "Unknown";
}

void tn_http_response_init(tn_http_response *r) {
  *r = (tn_http_response){.status = 200, .fd = -1};
  r->fields = tn_writer_growing(NULL, FIELDS_LIMIT);
  r->text = tn_writer_growing(NULL, TEXT_LIMIT);
}

void tn_http_response_free(tn_http_response *r) {
  tn_writer_free(&r->fields);
  tn_writer_free(&r->text);
  if (r->fd >= 0) close(r->fd);
  r->fd = -1;
}

void tn_http_response_field(tn_http_response *r, const char *name, const char *value) {
  tn_write_text(&r->fields, name);
  tn_write_text(&r->fields, ": ");
  tn_write_text(&r->fields, value);
  tn_write_text(&r->fields, "\r\n");
}

void tn_http_response_page(tn_http_response *r, unsigned status) {
  const char *text = tn_http_status_text(status);
  r->status = status;
  tn_http_response_field(r, "Content-Type", "text/html; charset=utf-8");
  tn_write_format(&r->text,
                  "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>%u %s</title>\n"
                  "<h1>%u %s</h1>\n",
                  status, text, status, text);
}

uint64_t tn_http_response_length(const tn_http_response *r) { return r->fd >= 0 ? r->end - r->at : r->text.len; }

bool tn_http_response_is_whole(const tn_http_response *r) {
  return tn_ok(tn_writer_result(&r->fields)) && tn_ok(tn_writer_result(&r->text));
}

void tn_http_response_write_head(const tn_http_response *r, tn_writer *out, int64_t now, unsigned minor,
                                 bool keep_alive) {
  char date[TN_HTTP_DATE_LEN + 1];
  tn_http_date_format(now, date);
  tn_write_format(out, "HTTP/1.1 %u %s\r\nDate: %s\r\n", r->status, tn_http_status_text(r->status), date);
  // A 304 has no body; a length in it would be the file's (RFC 9110 section 8.6).
  if (r->status != 304) tn_write_format(out, "Content-Length: %" PRIu64 "\r\n", tn_http_response_length(r));
  if (!keep_alive) tn_write_text(out, "Connection: close\r\n");
  if (keep_alive && minor == 0) tn_write_text(out, "Connection: keep-alive\r\n");
  tn_write_text(out, "X-Content-Type-Options: nosniff\r\n");
  tn_write_span(out, tn_writer_span(&r->fields));
  tn_write_text(out, "\r\n");
}
