#include "serve/conditional.h"

#include <string.h>

#include "serve/http_date.h"
#include "serve/text.h"

// Takes an entity tag, `W/` included in *weak; false if there is none at the start of *in.
static bool take_etag(tn_span *in, tn_span *tag, bool *weak) {
  *weak = in->n >= 2 && in->p[0] == 'W' && in->p[1] == '/';
  tn_span rest = *weak ? tn_span_of(in->p + 2, in->n - 2) : *in;
  if (rest.n < 2 || rest.p[0] != '"') return false;
  const uint8_t *end = memchr(rest.p + 1, '"', rest.n - 1);
  if (end == NULL) return false;
  *tag = tn_span_of(rest.p, (size_t)(end + 1 - rest.p));
  *in = tn_span_of(end + 1, rest.n - tag->n);
  return true;
}

static bool same(tn_span a, const char *b) { return a.n == strlen(b) && memcmp(a.p, b, a.n) == 0; }

// Whether a list of entity tags (or "*") has ours. Ours is strong, so a weak one matches only in weak comparison.
static bool list_matches(tn_span list, const char *etag, bool weak_comparison) {
  if (same(list, "*")) return true;
  for (;;) {
    while (list.n != 0 && strchr(", \t", list.p[0]) != NULL) list.p++, list.n--;
    tn_span tag;
    bool weak;
    if (list.n == 0 || !take_etag(&list, &tag, &weak)) return false;
    if (same(tag, etag) && (weak_comparison || !weak)) return true;
  }
}

static bool any_matches(const tn_http_request *r, const char *name, const char *etag, bool weak_comparison) {
  const tn_span *list;
  for (size_t i = 0; (list = tn_http_request_value(r, name, i)) != NULL; i++) {
    if (list_matches(*list, etag, weak_comparison)) return true;
  }
  return false;
}

static bool has(const tn_http_request *r, const char *name) { return tn_http_request_value(r, name, 0) != NULL; }

// The date of a field; false if it is absent or invalid, which is the same (sections 13.1.3 and 13.1.4).
static bool date_of(const tn_http_request *r, const char *name, int64_t now, int64_t *time) {
  const tn_span *value = tn_http_request_single(r, name);
  return value != NULL && tn_http_date_parse(*value, now, time);
}

unsigned tn_http_precondition(const tn_http_request *r, const tn_validators *v, int64_t now) {
  int64_t date;
  if (has(r, "if-match")) {
    if (!any_matches(r, "if-match", v->etag, false)) return 412;
  } else if (date_of(r, "if-unmodified-since", now, &date) && v->modified > date) {
    return 412;
  }
  if (has(r, "if-none-match")) return any_matches(r, "if-none-match", v->etag, true) ? 304 : 0;
  return date_of(r, "if-modified-since", now, &date) && v->modified <= date ? 304 : 0;
}

bool tn_http_if_range(const tn_http_request *r, const tn_validators *v, int64_t now) {
  if (!has(r, "if-range")) return true;
  const tn_span *value = tn_http_request_single(r, "if-range");
  int64_t date;
  if (value == NULL) return false;
  if (same(*value, v->etag)) return true;
  // A date is a strong validator only once its second is over (section 8.8.2.2).
  return tn_http_date_parse(*value, now, &date) && date == v->modified && v->modified < now;
}
