#include "pki/der_write.h"

#include "base/ct.h"
#include "base/mem.h"
#include "pki/time.h"

size_t tn_der_open(tn_writer *w, uint8_t tag) {
  tn_write_u8(w, tag);
  tn_write_u8(w, 0);
  return w->len;
}

void tn_der_close(tn_writer *w, size_t contents_at) {
  if (w->failed) return;
  size_t n = w->len - contents_at;
  if (n < 0x80) {
    w->buf[contents_at - 1] = (uint8_t)n;
    return;
  }
  unsigned width = 1;
  while (n >> (8 * width) != 0) width++;
  if (tn_write_space(w, width) == NULL) return;
  tn_copy(w->buf + contents_at + width, w->buf + contents_at, n);
  w->buf[contents_at - 1] = (uint8_t)(0x80 | width);
  for (unsigned i = 0; i < width; i++) w->buf[contents_at + i] = (uint8_t)(n >> (8 * (width - 1 - i)));
}

void tn_der_write(tn_writer *w, uint8_t tag, tn_span contents) {
  size_t at = tn_der_open(w, tag);
  tn_write_span(w, contents);
  tn_der_close(w, at);
}

void tn_der_write_small(tn_writer *w, uint32_t v) {
  uint8_t bytes[5] = {0, (uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v};
  size_t from = 0;
  while (from < 4 && bytes[from] == 0 && (bytes[from + 1] & 0x80) == 0) from++;
  tn_der_write(w, TN_DER_INTEGER, (tn_span){bytes + from, sizeof bytes - from});
}

void tn_der_write_number(tn_writer *w, tn_span number) {
  // A byte less for each zero in front, and one more where the first bit is set; of zero itself one byte stays.
  uint64_t zeros = 0, leading = ~UINT64_C(0);
  for (size_t i = 0; i + 1 < number.n; i++) {
    leading &= tn_ct_is_zero(number.p[i]);
    zeros += leading & 1;
  }
  TN_PUBLIC(&zeros, sizeof zeros);
  number = (tn_span){number.p + zeros, number.n - zeros};
  size_t at = tn_der_open(w, TN_DER_INTEGER);
  if (number.n == 0 || tn_ct_declassify(tn_ct_mask_bit(number.p[0] >> 7))) tn_write_u8(w, 0);
  tn_write_span(w, number);
  tn_der_close(w, at);
}

void tn_der_write_boolean(tn_writer *w, bool v) {
  uint8_t byte = v ? 0xff : 0x00;
  tn_der_write(w, TN_DER_BOOLEAN, (tn_span){&byte, 1});
}

void tn_der_write_null(tn_writer *w) { tn_der_write(w, TN_DER_NULL, (tn_span){NULL, 0}); }

void tn_der_write_oid(tn_writer *w, tn_oid oid) { tn_der_write(w, TN_DER_OID, tn_oid_contents(oid)); }

void tn_der_write_bit_bytes(tn_writer *w, uint8_t tag, tn_span bytes) {
  size_t at = tn_der_open(w, tag);
  tn_write_u8(w, 0);
  tn_write_span(w, bytes);
  tn_der_close(w, at);
}

void tn_der_write_flags(tn_writer *w, uint16_t flags) {
  uint8_t bytes[2] = {0, 0};
  unsigned last = 0;
  for (unsigned i = 0; i < 16; i++)
    if (flags >> i & 1) {
      bytes[i / 8] |= (uint8_t)(0x80 >> i % 8);
      last = i;
    }
  size_t at = tn_der_open(w, TN_DER_BIT_STRING);
  tn_write_u8(w, (uint8_t)(7 - last % 8));
  tn_write_bytes(w, bytes, last / 8 + 1);
  tn_der_close(w, at);
}

static void write_decimal(tn_writer *w, int v, int digits) {
  uint8_t *p = tn_write_space(w, (size_t)digits);
  if (p == NULL) return;
  for (int i = digits - 1; i >= 0; i--, v /= 10) p[i] = (uint8_t)('0' + v % 10);
}

void tn_der_write_time(tn_writer *w, int64_t time) {
  tn_civil c = tn_time_to_civil(time);
  bool utc = c.year < 2050;
  size_t at = tn_der_open(w, utc ? TN_DER_UTC_TIME : TN_DER_GENERALIZED_TIME);
  write_decimal(w, utc ? c.year % 100 : c.year, utc ? 2 : 4);
  write_decimal(w, c.month, 2);
  write_decimal(w, c.day, 2);
  write_decimal(w, c.hour, 2);
  write_decimal(w, c.minute, 2);
  write_decimal(w, c.second, 2);
  tn_write_u8(w, 'Z');
  tn_der_close(w, at);
}
