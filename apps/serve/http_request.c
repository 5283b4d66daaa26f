#include "serve/http_request.h"

#include <stddef.h>
#include <string.h>

#include "base/mem.h"
#include "serve/text.h"

static const llhttp_settings_t settings;

void tn_http_request_init(tn_http_request *r) {
  memset(r, 0, offsetof(tn_http_request, fields));
  memset(&r->parser, 0, offsetof(tn_http_request, head) - offsetof(tn_http_request, parser));
  llhttp_init(&r->parser, HTTP_REQUEST, &settings);
  r->parser.data = r;
}

static void refuse(tn_http_request *r, unsigned status) {
  r->error = status;
  r->keep_alive = false;
  r->stage = TN_HTTP_DONE;
}

const tn_span *tn_http_request_value(const tn_http_request *r, const char *name, size_t i) {
  for (size_t f = 0; f < r->n_fields; f++) {
    if (tn_span_equal_nocase_vartime(r->fields[f].name, tn_text(name)) && i-- == 0) return &r->fields[f].value;
  }
  return NULL;
}

const tn_span *tn_http_request_single(const tn_http_request *r, const char *name) {
  return tn_http_request_value(r, name, 1) == NULL ? tn_http_request_value(r, name, 0) : NULL;
}

tn_span tn_http_request_line(const tn_http_request *r) {
  const char *end = memchr(r->head, '\r', r->head_len);
  return tn_span_of(r->head, end != NULL ? (size_t)(end - r->head) : r->head_len);
}

// ---------------------------------------------------------------- what a head must say

static bool is_token_char(uint8_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         (c != 0 && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

static bool is_digits(tn_span s) {
  for (size_t i = 0; i < s.n; i++) {
    if (s.p[i] < '0' || s.p[i] > '9') return false;
  }
  return s.n != 0;
}

// uri-host [":" port] (RFC 9110 section 7.2), by its characters; https has no empty host.
static bool is_host(tn_span s) {
  for (size_t i = 0; i < s.n; i++) {
    uint8_t c = s.p[i];
    if (c <= 0x20 || c >= 0x7f || strchr("\"#/<>?@\\^`{|},", c) != NULL) return false;
  }
  return s.n != 0 && s.p[0] != ':';
}

// Whether the request line ends as " HTTP/d.d": a version that we do not have, rather than none.
static bool has_version(tn_span line) {
  if (line.n < 9) return false;
  const uint8_t *p = line.p + line.n - 9;
  return memcmp(p, " HTTP/", 6) == 0 && is_digits((tn_span){p + 6, 1}) && p[7] == '.' && is_digits((tn_span){p + 8, 1});
}

// The request line is exactly method SP target SP HTTP/1.x: llhttp would take more spaces, and other protocols.
static unsigned check_request_line(tn_http_request *r) {
  static const char version[] = " HTTP/1.x";
  enum { VERSION_LEN = sizeof version - 1 };
  tn_span line = tn_http_request_line(r);
  const uint8_t *space = memchr(line.p, ' ', line.n);
  if (!has_version(line) || r->target.p != space + 1) return 400;
  r->method = tn_span_of(line.p, (size_t)(space - line.p));
  if (line.n != r->method.n + 1 + r->target.n + VERSION_LEN) return 400;
  if (memcmp(r->target.p + r->target.n, version, VERSION_LEN - 1) != 0 || r->parser.http_minor > 1) return 505;
  r->minor = r->parser.http_minor;
  return 0;
}

// llhttp lets a name of no length pass.
static unsigned check_names(tn_http_request *r) {
  for (size_t i = 0; i < r->n_fields; i++) {
    tn_span name = r->fields[i].name;
    size_t n = 0;
    while (n < name.n && is_token_char(name.p[n])) n++;
    if (n == 0 || n != name.n) return 400;
  }
  return 0;
}

// RFC 9110 section 7.2.
static unsigned check_host(tn_http_request *r) {
  const tn_span *host = tn_http_request_value(r, "host", 0);
  if (host == NULL) return r->minor == 0 ? 0 : 400;
  return tn_http_request_single(r, "host") == NULL || !is_host(*host) ? 400 : 0;
}

// RFC 9112 section 6: whatever could be framed in two ways is refused.
static unsigned check_framing(tn_http_request *r) {
  const tn_span *length = tn_http_request_value(r, "content-length", 0);
  const tn_span *coding = tn_http_request_value(r, "transfer-encoding", 0);
  if (coding != NULL) {
    if (length != NULL || r->minor == 0 || tn_http_request_single(r, "transfer-encoding") == NULL) return 400;
    if (!tn_span_equal_nocase_vartime(*coding, tn_text("chunked"))) return 501;
    // Nobody in front of us can see the end of the chunks elsewhere if nothing may follow it.
    r->keep_alive = false;
  }
  if (length != NULL && (tn_http_request_single(r, "content-length") == NULL || !is_digits(*length))) return 400;
  return r->parser.content_length > TN_HTTP_BODY_MAX ? 413 : 0;
}

// RFC 9110 section 10.1.1.
static unsigned check_expect(tn_http_request *r) {
  const tn_span *expect = tn_http_request_value(r, "expect", 0);
  if (expect == NULL || r->minor == 0) return 0;
  r->expects_continue = tn_span_equal_nocase_vartime(*expect, tn_text("100-continue"));
  return r->expects_continue ? 0 : 417;
}

static unsigned check_head(tn_http_request *r) {
  static unsigned (*const checks[])(tn_http_request *) = {check_request_line, check_names, check_host, check_framing,
                                                          check_expect};
  unsigned status = 0;
  for (size_t i = 0; status == 0 && i < sizeof checks / sizeof *checks; i++) status = checks[i](r);
  return status;
}

// ---------------------------------------------------------------- llhttp's callbacks

static int on_target(llhttp_t *parser, const char *at, size_t n) {
  tn_http_request *r = parser->data;
  r->target = tn_span_of(at, n);
  return 0;
}

static int on_field_name(llhttp_t *parser, const char *at, size_t n) {
  tn_http_request *r = parser->data;
  if (r->stage != TN_HTTP_IN_HEAD) return 0;  // a trailer
  if (r->n_fields == TN_HTTP_FIELDS_MAX) {
    refuse(r, 431);
    return HPE_USER;
  }
  r->fields[r->n_fields++] = (tn_http_field){tn_span_of(at, n), {NULL, 0}};
  return 0;
}

static int on_field_value(llhttp_t *parser, const char *at, size_t n) {
  tn_http_request *r = parser->data;
  if (r->stage == TN_HTTP_IN_HEAD) r->fields[r->n_fields - 1].value = tn_text_trim(tn_span_of(at, n));
  return 0;
}

static int on_head_complete(llhttp_t *parser) {
  tn_http_request *r = parser->data;
  r->keep_alive = llhttp_should_keep_alive(parser) != 0 && parser->method != HTTP_CONNECT;
  unsigned status = check_head(r);
  if (status != 0) {
    refuse(r, status);
    return -1;
  }
  r->stage = TN_HTTP_IN_BODY;
  return 0;
}

static int on_message_complete(llhttp_t *parser) {
  tn_http_request *r = parser->data;
  r->stage = TN_HTTP_DONE;
  return HPE_PAUSED;  // what follows is another request's
}

static const llhttp_settings_t settings = {
    .on_url = on_target,
    .on_header_field = on_field_name,
    .on_header_value = on_field_value,
    .on_headers_complete = on_head_complete,
    .on_message_complete = on_message_complete,
};

// ---------------------------------------------------------------- feeding

// Whether the request line starts as a method that we do not have would.
static bool has_method(tn_span line) {
  size_t n = 0;
  while (n < line.n && is_token_char(line.p[n])) n++;
  return n != 0 && n < line.n && line.p[n] == ' ';
}

static unsigned status_of(llhttp_errno_t error, tn_span line) {
  switch (error) {
    case HPE_INVALID_METHOD:
      return has_method(line) ? 501 : 400;
    case HPE_INVALID_VERSION:
    case HPE_PAUSED_H2_UPGRADE:
      return has_version(line) ? 505 : 400;
    default:
      return 400;
  }
}

static void parse_head(tn_http_request *r) {
  llhttp_errno_t error = llhttp_execute(&r->parser, r->head, r->head_len);
  if (r->error == 0 && error != HPE_OK && r->stage != TN_HTTP_DONE)
    refuse(r, status_of(error, tn_http_request_line(r)));
  // llhttp wants more than a head: it takes it for HTTP/2's preface.
  if (r->stage == TN_HTTP_IN_HEAD) refuse(r, status_of(HPE_PAUSED_H2_UPGRADE, tn_http_request_line(r)));
}

// One byte of the head. 0, or the status to refuse it with.
static unsigned check_byte(tn_http_request *r, uint8_t c) {
  if (r->after_cr) return c == '\n' ? 0 : 400;
  if (c == '\n' || c == 0) return 400;
  if (c == '\r') return 0;
  if (r->line != 0) return r->line_len == 0 && (c == ' ' || c == '\t') ? 400 : 0;  // a folded line
  if (c == ' ') {
    r->words++;
    r->word_len = 0;
    return 0;
  }
  r->word_len++;
  if (r->words == 0 && r->word_len > TN_HTTP_METHOD_MAX) return 501;
  return r->words == 1 && r->word_len > TN_HTTP_TARGET_MAX ? 414 : 0;
}

static size_t feed_head(tn_http_request *r, tn_span in) {
  for (size_t i = 0; i < in.n; i++) {
    uint8_t c = in.p[i];
    unsigned status = check_byte(r, c);
    if (status == 0 && r->head_len == sizeof r->head) status = 431;
    if (status != 0) {
      refuse(r, status);
      return i + 1;
    }
    r->head[r->head_len++] = (char)c;
    bool line_ends = r->after_cr;
    r->after_cr = c == '\r';
    if (line_ends && r->line_len == 0) {
      if (r->line == 0) {  // an empty line before the request line is ignored (RFC 9112 section 2.2)
        r->head_len = 0;
        continue;
      }
      parse_head(r);
      return i + 1;
    }
    if (line_ends) {
      r->line++;
      r->line_len = 0;
    } else if (c != '\r') {
      r->line_len++;
    }
  }
  return in.n;
}

static size_t feed_body(tn_http_request *r, tn_span in) {
  llhttp_errno_t error = llhttp_execute(&r->parser, (const char *)in.p, in.n);
  size_t used = in.n;
  if (r->stage == TN_HTTP_DONE) {
    used = (size_t)(llhttp_get_error_pos(&r->parser) - (const char *)in.p);
  } else if (error != HPE_OK) {
    refuse(r, 400);
  }
  r->body_len += used;
  if (r->body_len > TN_HTTP_BODY_MAX) refuse(r, 413);
  return used;
}

size_t tn_http_request_feed(tn_http_request *r, tn_span in) {
  if (in.n == 0 || r->stage == TN_HTTP_DONE) return 0;
  return r->stage == TN_HTTP_IN_HEAD ? feed_head(r, in) : feed_body(r, in);
}
