#include "serve/url_path.h"

#include <string.h>

#include "base/mem.h"
#include "serve/text.h"

static size_t find(tn_span s, const char *set) {
  size_t i = 0;
  while (i < s.n && (s.p[i] == 0 || strchr(set, s.p[i]) == NULL)) i++;
  return i;
}

static tn_span after(tn_span s, size_t n) { return (tn_span){s.p + n, s.n - n}; }

// Skips "https://authority"; an authority with user information is refused (RFC 9110 section 4.2.4).
static bool skip_origin(tn_span *target) {
  static const char *const schemes[] = {"https://", "http://"};
  for (size_t i = 0; i < 2; i++) {
    size_t n = strlen(schemes[i]);
    if (target->n < n || !tn_span_equal_nocase_vartime((tn_span){target->p, n}, tn_text(schemes[i]))) continue;
    tn_span rest = after(*target, n);
    size_t authority = find(rest, "/?#");
    if (authority == 0 || find((tn_span){rest.p, authority}, "@") != authority) return false;
    *target = after(rest, authority);
    return true;
  }
  return false;
}

bool tn_url_split(tn_span target, tn_span *path, tn_span *query) {
  bool absolute = target.n == 0 || target.p[0] != '/';
  if (absolute && !skip_origin(&target)) return false;
  size_t end = find(target, "?");
  *path = (tn_span){target.p, end};
  *query = after(target, end);
  if (path->n == 0) *path = tn_text("/");  // "https://example.org?x"
  return path->p[0] == '/' && find(target, "#") == target.n;
}

static int hex_digit(uint8_t c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Decodes one segment; false if it has what no segment may have.
static bool decode_segment(tn_span in, char *out, size_t *n) {
  *n = 0;
  for (size_t i = 0; i < in.n; i++) {
    uint8_t c = in.p[i];
    if (c == '%') {
      if (in.n - i < 3) return false;
      int high = hex_digit(in.p[i + 1]), low = hex_digit(in.p[i + 2]);
      if (high < 0 || low < 0) return false;
      c = (uint8_t)(high << 4 | low);
      i += 2;
    }
    if (c < 0x20 || c == 0x7f || c == '/' || c == '\\') return false;
    out[(*n)++] = (char)c;
  }
  return true;
}

// Cuts the last segment off; false at the root.
static bool go_up(tn_url_path *path) {
  if (path->n == 0) return false;
  while (path->n != 0 && path->text[--path->n] != '/') {
  }
  return true;
}

// A name that begins with a dot is the operator's own, but for the one that is there to be served (RFC 8615).
static bool is_hidden(const char *segment, size_t n, bool at_root) {
  static const char well_known[] = ".well-known";
  bool is_well_known = n == sizeof well_known - 1 && memcmp(segment, well_known, n) == 0;
  return segment[0] == '.' && !(at_root && is_well_known);
}

// Appends the segment that was decoded at path->text + at.
static unsigned append_segment(tn_url_path *path, size_t at, size_t n) {
  const char *segment = path->text + at;
  path->is_dir = true;
  if (n == 0 || (n == 1 && segment[0] == '.')) return 0;
  if (n == 2 && segment[0] == '.' && segment[1] == '.') return go_up(path) ? 0 : 400;
  if (is_hidden(segment, n, at == 0)) return 404;
  path->is_dir = false;
  if (at != 0) path->text[path->n] = '/';
  path->n = at + n;
  return 0;
}

unsigned tn_url_path_decode(tn_span path, tn_url_path *out) {
  out->n = 0;
  out->is_dir = true;
  if (path.n > TN_URL_PATH_MAX) return 404;  // the decoded text is never longer, separators included
  while (path.n != 0) {
    path = after(path, 1);  // the slash
    size_t end = find(path, "/");
    size_t at = out->n == 0 ? 0 : out->n + 1, n;
    if (!decode_segment((tn_span){path.p, end}, out->text + at, &n)) return 400;
    unsigned status = append_segment(out, at, n);
    if (status != 0) return status;
    path = after(path, end);
  }
  out->text[out->n] = 0;
  return 0;
}
