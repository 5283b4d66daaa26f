// Names in words: the common name, and RFC 4514-like text.
#include "base/mem.h"
#include "pki/name.h"
#include "pki/oid.h"
#include "pki/text.h"

typedef struct {
  tn_span type;  // an OID's contents
  tn_der value;
} attribute;

static bool read_attribute(tn_reader *set, attribute *out) {
  tn_reader pair;
  return tn_der_enter(set, TN_DER_SEQUENCE, &pair) && tn_der_read_oid(&pair, &out->type) &&
         tn_der_next(&pair, &out->value) && pair.n == 0;
}

static bool set_is_well_formed(tn_reader set) {
  attribute ignored;
  if (set.n == 0) return false;
  while (set.n != 0)
    if (!read_attribute(&set, &ignored)) return false;
  return true;
}

bool tn_name_read(tn_reader *r, tn_span *name) {
  tn_reader at = *r, whole_reader, sets, set;
  tn_span whole;
  if (!tn_der_read_whole(&at, TN_DER_SEQUENCE, &whole)) return false;
  whole_reader = tn_reader_of(whole);
  if (!tn_der_enter(&whole_reader, TN_DER_SEQUENCE, &sets)) return false;
  while (sets.n != 0)
    if (!tn_der_enter(&sets, TN_DER_SET, &set) || !set_is_well_formed(set)) return false;
  *name = whole;
  *r = at;
  return true;
}

// The sets of a Name; false if it is not one.
static bool enter_name(tn_span name, tn_reader *sets) {
  tn_reader r = tn_reader_of(name);
  return tn_name_read(&r, &name) && r.n == 0 && (r = tn_reader_of(name), tn_der_enter(&r, TN_DER_SEQUENCE, sets));
}

bool tn_name_common_name(tn_span name, tn_span *common_name) {
  tn_reader sets, set;
  attribute a;
  bool found = false;
  if (!enter_name(name, &sets)) return false;
  while (sets.n != 0 && tn_der_enter(&sets, TN_DER_SET, &set))
    while (set.n != 0 && read_attribute(&set, &a))
      if (tn_oid_find(a.type) == TN_OID_COMMON_NAME) {
        *common_name = a.value.body;
        found = true;
      }
  return found;
}

// Dotted decimal; an arc beyond 64 bits is shown as "?".
static void put_oid(tn_text *t, tn_span oid) {
  bool first = true, too_large = false;
  uint64_t v = 0;
  for (size_t i = 0; i < oid.n; i++) {
    too_large |= v >> 57 != 0;
    v = v << 7 | (oid.p[i] & 0x7f);
    if (oid.p[i] & 0x80) continue;
    if (first) {  // the first two arcs share one number
      unsigned top = v < 40 ? 0 : v < 80 ? 1 : 2;
      tn_text_decimal(t, top);
      v -= 40 * top;
    }
    tn_text_char(t, '.');
    if (too_large)
      tn_text_char(t, '?');
    else
      tn_text_decimal(t, v);
    first = too_large = false;
    v = 0;
  }
}

// BMPString: ASCII in its 16 bits as itself, anything else as the \XX of its bytes.
static void put_bmp(tn_text *t, tn_span s) {
  for (size_t i = 0; i < s.n; i += 2) {
    size_t n = s.n - i < 2 ? 1 : 2;
    if (n == 2 && s.p[i] == 0)
      tn_text_escaped(t, (tn_span){s.p + i + 1, 1});
    else
      for (size_t j = 0; j < n; j++) tn_text_escaped_byte(t, s.p[i + j]);
  }
}

static void put_value(tn_text *t, const tn_der *value) {
  switch (value->tag) {
    case TN_DER_UTF8_STRING:
    case TN_DER_PRINTABLE_STRING:
    case TN_DER_TELETEX_STRING:
    case TN_DER_IA5_STRING:
    case TN_DER_VISIBLE_STRING:
      tn_text_escaped(t, value->body);
      break;
    case TN_DER_BMP_STRING:
      put_bmp(t, value->body);
      break;
    default:  // RFC 4514 section 2.4
      tn_text_char(t, '#');
      tn_text_hex(t, value->whole);
  }
}

static void put_set(tn_text *t, tn_reader set) {
  attribute a;
  for (bool first = true; set.n != 0 && read_attribute(&set, &a); first = false) {
    if (!first) tn_text_char(t, '+');
    tn_oid type = tn_oid_find(a.type);
    if (type == TN_OID_UNKNOWN)
      put_oid(t, a.type);
    else
      tn_text_words(t, tn_oid_words(type));
    tn_text_char(t, '=');
    put_value(t, &a.value);
  }
}

// The text begins with the last set; of a longer name the first sets are left out.
#define MAX_SETS_SHOWN 32

size_t tn_name_text(tn_span name, char *out, size_t room) {
  tn_text t = tn_text_in(out, room);
  tn_reader sets, shown[MAX_SETS_SHOWN];
  size_t n = 0;
  if (!enter_name(name, &sets)) {
    tn_text_words(&t, "(malformed)");
    return t.len;
  }
  while (sets.n != 0 && tn_der_enter(&sets, TN_DER_SET, &shown[n % MAX_SETS_SHOWN])) n++;
  for (size_t i = 0; i < n && i < MAX_SETS_SHOWN; i++) {
    if (i != 0) tn_text_words(&t, ", ");
    put_set(&t, shown[(n - 1 - i) % MAX_SETS_SHOWN]);
  }
  if (n > MAX_SETS_SHOWN) tn_text_words(&t, ", ...");
  return t.len;
}
