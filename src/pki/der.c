#include "pki/der.h"

#include "pki/time.h"

// Whether X.690 allows this identifier octet in DER: a low tag number, and for universal types the one form they have.
static bool tag_is_allowed(uint8_t tag) {
  unsigned number = tag & 0x1f;
  bool constructed = (tag & 0x20) != 0, universal = (tag & 0xc0) == 0;
  if (number == 0x1f) return false;
  if (!universal) return true;
  // SEQUENCE, SET, EXTERNAL and EMBEDDED PDV are constructed; 0 is BER's end-of-contents.
  bool wants_constructed = number == 16 || number == 17 || number == 8 || number == 11;
  return number != 0 && constructed == wants_constructed;
}

// The long form: `width` bytes of length, as few as it takes, and more than the short form could say.
static bool read_long_length(tn_reader *r, unsigned width, size_t *out) {
  tn_span s;
  if (width == 0 || width > 4 || !tn_read_span(r, width, &s) || s.p[0] == 0) return false;
  size_t n = 0;
  for (unsigned i = 0; i < width; i++) n = n << 8 | s.p[i];
  *out = n;
  return n >= 0x80;
}

bool tn_der_next(tn_reader *r, tn_der *out) {
  tn_reader at = *r;
  tn_span head, body;
  if (!tn_read_span(&at, 2, &head) || !tag_is_allowed(head.p[0])) return false;
  size_t n = head.p[1];
  if (n >= 0x80 && !read_long_length(&at, n & 0x7f, &n)) return false;
  if (!tn_read_span(&at, n, &body)) return false;
  *out = (tn_der){head.p[0], body, {r->p, r->n - at.n}};
  *r = at;
  return true;
}

static bool next_with_tag(tn_reader *r, uint8_t tag, tn_der *out) { return tn_der_at(r, tag) && tn_der_next(r, out); }

bool tn_der_read(tn_reader *r, uint8_t tag, tn_span *body) {
  tn_der e;
  if (!next_with_tag(r, tag, &e)) return false;
  *body = e.body;
  return true;
}

bool tn_der_enter(tn_reader *r, uint8_t tag, tn_reader *body) {
  tn_der e;
  if (!next_with_tag(r, tag, &e)) return false;
  *body = tn_reader_of(e.body);
  return true;
}

bool tn_der_read_whole(tn_reader *r, uint8_t tag, tn_span *whole) {
  tn_der e;
  if (!next_with_tag(r, tag, &e)) return false;
  *whole = e.whole;
  return true;
}

static bool integer_is_minimal(tn_span s) {
  if (s.n == 0) return false;
  if (s.n == 1) return true;
  bool top = (s.p[1] & 0x80) != 0;
  return !(s.p[0] == 0x00 && !top) && !(s.p[0] == 0xff && top);
}

bool tn_der_read_integer(tn_reader *r, tn_span *out) {
  tn_reader at = *r;
  tn_span s;
  if (!tn_der_read(&at, TN_DER_INTEGER, &s) || !integer_is_minimal(s)) return false;
  *out = s;
  *r = at;
  return true;
}

bool tn_der_read_small(tn_reader *r, uint32_t *out) {
  tn_reader at = *r;
  tn_span s;
  if (!tn_der_read_integer(&at, &s) || (s.p[0] & 0x80) != 0 || s.n > 5 || (s.n == 5 && s.p[0] != 0)) return false;
  uint32_t v = 0;
  for (size_t i = 0; i < s.n; i++) v = v << 8 | s.p[i];
  *out = v;
  *r = at;
  return true;
}

bool tn_der_read_null(tn_reader *r) {
  tn_reader at = *r;
  tn_span s;
  if (!tn_der_read(&at, TN_DER_NULL, &s) || s.n != 0) return false;
  *r = at;
  return true;
}

bool tn_der_read_boolean(tn_reader *r, bool *out) {
  tn_reader at = *r;
  tn_span s;
  if (!tn_der_read(&at, TN_DER_BOOLEAN, &s) || s.n != 1 || (s.p[0] != 0x00 && s.p[0] != 0xff)) return false;
  *out = s.p[0] != 0;
  *r = at;
  return true;
}

bool tn_der_read_oid(tn_reader *r, tn_span *out) {
  tn_reader at = *r;
  tn_span s;
  if (!tn_der_read(&at, TN_DER_OID, &s) || s.n == 0) return false;
  bool starts = true;  // an arc may not start with a zero digit
  for (size_t i = 0; i < s.n; i++) {
    if (starts && s.p[i] == 0x80) return false;
    starts = (s.p[i] & 0x80) == 0;
  }
  if (!starts) return false;
  *out = s;
  *r = at;
  return true;
}

bool tn_der_read_bits(tn_reader *r, uint8_t tag, tn_span *bytes, unsigned *unused) {
  tn_reader at = *r;
  tn_span s;
  if (!tn_der_read(&at, tag, &s) || s.n == 0) return false;
  unsigned bits = s.p[0];
  if (bits > 7 || (bits != 0 && s.n == 1)) return false;
  if ((s.p[s.n - 1] & ((1u << bits) - 1)) != 0 && s.n > 1) return false;
  *bytes = (tn_span){s.p + 1, s.n - 1};
  *unused = bits;
  *r = at;
  return true;
}

bool tn_der_read_bit_bytes(tn_reader *r, uint8_t tag, tn_span *bytes) {
  tn_reader at = *r;
  tn_span s;
  unsigned unused;
  if (!tn_der_read_bits(&at, tag, &s, &unused) || unused != 0) return false;
  *bytes = s;
  *r = at;
  return true;
}

static bool read_decimal(tn_reader *r, unsigned digits, int *out) {
  tn_span s;
  if (!tn_read_span(r, digits, &s)) return false;
  int v = 0;
  for (unsigned i = 0; i < digits; i++) {
    if (s.p[i] < '0' || s.p[i] > '9') return false;
    v = v * 10 + (s.p[i] - '0');
  }
  *out = v;
  return true;
}

bool tn_der_read_time(tn_reader *r, int64_t *out) {
  tn_reader at = *r;
  tn_der e;
  if (!tn_der_next(&at, &e)) return false;
  tn_reader text = tn_reader_of(e.body);
  tn_civil c;
  if (e.tag == TN_DER_UTC_TIME) {
    if (!read_decimal(&text, 2, &c.year)) return false;
    c.year += c.year >= 50 ? 1900 : 2000;
  } else if (e.tag == TN_DER_GENERALIZED_TIME) {
    if (!read_decimal(&text, 4, &c.year)) return false;
  } else {
    return false;
  }
  uint8_t zone;
  if (!read_decimal(&text, 2, &c.month) || !read_decimal(&text, 2, &c.day) || !read_decimal(&text, 2, &c.hour) ||
      !read_decimal(&text, 2, &c.minute) || !read_decimal(&text, 2, &c.second) || !tn_read_u8(&text, &zone) ||
      zone != 'Z' || text.n != 0 || !tn_time_from_civil(&c, out))
    return false;
  *r = at;
  return true;
}
