// PEM (RFC 7468): blocks found in a text, decoded and written.
//
// leaks: where dashes and line ends are, never what the base64 says.
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "pki/base64.h"
#include "tenon/pki.h"

#define DASHES "-----"
#define BEGIN "-----BEGIN "
#define END "-----END "
#define LINE_BYTES 48  // 64 columns

static bool starts_with(tn_span text, const char *prefix) {
  size_t n = strlen(prefix);
  return text.n >= n && memcmp(text.p, prefix, n) == 0;
}

static tn_span after(tn_span text, size_t n) { return (tn_span){text.p + n, text.n - n}; }

// Finds the next line of text that begins with `mark`. A line ends with CR, LF or both; `at_line_start` says whether
// text begins one.
static bool find_line(tn_span text, const char *mark, bool at_line_start, size_t *found) {
  size_t at = 0;
  while (at < text.n) {
    const uint8_t *dash = memchr(text.p + at, '-', text.n - at);
    if (dash == NULL) return false;
    at = (size_t)(dash - text.p);
    bool first = at == 0 ? at_line_start : text.p[at - 1] == '\n' || text.p[at - 1] == '\r';
    if (first && starts_with(after(text, at), mark)) {
      *found = at;
      return true;
    }
    while (at < text.n && text.p[at] == '-') at++;
  }
  return false;
}

static bool is_blank(uint8_t c) { return c == ' ' || c == '\t'; }

// Reads the rest of a BEGIN or END line, "LABEL-----" and blanks; *text is then what follows it.
static bool read_label(tn_span *text, tn_span *label) {
  size_t n = 0;
  while (n < text->n && text->p[n] >= 0x20 && text->p[n] <= 0x7e && !starts_with(after(*text, n), DASHES)) n++;
  tn_span rest = after(*text, n);
  if (!starts_with(rest, DASHES)) return false;
  *label = (tn_span){text->p, n};
  rest = after(rest, strlen(DASHES));
  while (rest.n != 0 && is_blank(rest.p[0])) rest = after(rest, 1);
  if (rest.n != 0 && rest.p[0] != '\r' && rest.p[0] != '\n') return false;
  *text = rest;
  return true;
}

// The block whose BEGIN line is at the start of *text.
static bool read_block(tn_span *text, tn_span *label, tn_span *body) {
  tn_span rest = after(*text, strlen(BEGIN)), end_label;
  if (!read_label(&rest, label)) return false;
  size_t n;
  if (!find_line(rest, DASHES, false, &n)) return false;
  *body = (tn_span){rest.p, n};
  rest = after(rest, n);
  if (!starts_with(rest, END)) return false;
  rest = after(rest, strlen(END));
  if (!read_label(&rest, &end_label) || !tn_span_equal_vartime(*label, end_label)) return false;
  *text = rest;
  return true;
}

tn_result tn_pem_next(tn_span *text, const char *label, tn_span *found_label, tn_span *body) {
  tn_span rest = *text;
  bool at_line_start = true;
  if (starts_with(rest, "\xef\xbb\xbf")) rest = after(rest, 3);
  size_t at;
  while (rest.n != 0 && find_line(rest, BEGIN, at_line_start, &at)) {
    rest = after(rest, at);
    tn_span its_label, its_body;
    TN_ENSURE(read_block(&rest, &its_label, &its_body), TN_E_PEM);
    if (label == NULL || (its_label.n == strlen(label) && starts_with(its_label, label))) {
      *found_label = its_label;
      *body = its_body;
      *text = rest;
      return tn_success();
    }
    at_line_start = false;
  }
  return tn_fail(TN_E_NO_CERTIFICATE_FOUND);
}

// Leaves nothing of a failed output behind, and tells the length of a good one.
static tn_result finish(tn_result r, const tn_writer *w, size_t *n) {
  if (tn_ok(r))
    *n = w->len;
  else
    tn_wipe(w->buf, w->len);
  return r;
}

tn_result tn_pem_decode(tn_span body, uint8_t *out, size_t *n) {
  tn_writer w = tn_writer_fixed(out, *n);
  return finish(tn_base64_decode(body, &w), &w, n);
}

static void write_boundary(tn_writer *w, const char *start, const char *label) {
  tn_write_bytes(w, start, strlen(start));
  tn_write_bytes(w, label, strlen(label));
  tn_write_bytes(w, DASHES "\n", strlen(DASHES "\n"));
}

tn_result tn_pem_encode(const char *label, tn_span der, uint8_t *out, size_t *n) {
  tn_writer w = tn_writer_fixed(out, *n);
  write_boundary(&w, BEGIN, label);
  for (size_t i = 0; i < der.n; i += LINE_BYTES) {
    tn_base64_encode((tn_span){der.p + i, der.n - i < LINE_BYTES ? der.n - i : LINE_BYTES}, &w);
    tn_write_u8(&w, '\n');
  }
  write_boundary(&w, END, label);
  return finish(tn_writer_result(&w), &w, n);
}
