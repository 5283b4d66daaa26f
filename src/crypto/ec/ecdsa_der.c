#include "crypto/ec/ecdsa_der.h"

#include <string.h>

#include "base/bytes.h"

#define TAG_INTEGER 0x02
#define TAG_SEQUENCE 0x30
#define LONG_FORM 0x80

// X.690 8.3: two's complement in the fewest bytes, so a zero goes before a first bit that is set, and nowhere else.
static void write_integer(tn_writer *w, const uint8_t *value, size_t len) {
  size_t skip = 0;
  while (skip < len - 1 && value[skip] == 0) skip++;
  tn_write_u8(w, TAG_INTEGER);
  tn_scope scope = tn_write_open(w, 1);
  if (value[skip] & 0x80) tn_write_u8(w, 0);
  tn_write_bytes(w, value + skip, len - skip);
  tn_write_close(w, scope);
}

size_t tn_ecdsa_der_encode(uint8_t der[TN_ECDSA_DER_MAX], const uint8_t *raw, size_t len) {
  uint8_t contents[TN_ECDSA_DER_MAX];
  tn_writer pair = tn_writer_fixed(contents, sizeof contents), w = tn_writer_fixed(der, TN_ECDSA_DER_MAX);
  write_integer(&pair, raw, len);
  write_integer(&pair, raw + len, len);
  tn_write_u8(&w, TAG_SEQUENCE);
  if (pair.len >= LONG_FORM) tn_write_u8(&w, LONG_FORM | 1);  // X.690 8.1.3.5: one byte of length follows
  tn_scope scope = tn_write_open(&w, 1);
  tn_write_bytes(&w, contents, pair.len);
  tn_write_close(&w, scope);
  return w.len;
}

// An element whose length is in the short form, or in the long one where its length asks for it (X.690 10.1); none here
// needs more than one byte of it.
static bool read_element(tn_reader *r, uint8_t tag, tn_reader *content) {
  uint8_t found;
  if (!tn_read_u8(r, &found) || found != tag || r->n == 0) return false;
  const uint8_t first = r->p[0];
  if (first == (LONG_FORM | 1)) return tn_read_u8(r, &found) && tn_read_block8(r, content) && content->n >= LONG_FORM;
  return first < LONG_FORM && tn_read_block8(r, content);
}

static bool read_integer(tn_reader *r, uint8_t *value, size_t len) {
  tn_reader content;
  if (!read_element(r, TAG_INTEGER, &content) || content.n == 0) return false;
  if (content.p[0] & 0x80) return false;  // negative
  if (content.p[0] == 0) {
    // Zero itself, or a zero that must be there for the sign.
    if (content.n == 1 || !(content.p[1] & 0x80)) return false;
    content = (tn_reader){content.p + 1, content.n - 1};
  }
  if (content.n > len) return false;
  memset(value, 0, len);
  return tn_read_copy(&content, value + len - content.n, content.n);
}

bool tn_ecdsa_der_decode(uint8_t *raw, size_t len, tn_span der) {
  tn_reader all = tn_reader_of(der), pair;
  if (der.n > TN_ECDSA_DER_MAX) return false;
  return read_element(&all, TAG_SEQUENCE, &pair) && all.n == 0 && read_integer(&pair, raw, len) &&
         read_integer(&pair, raw + len, len) && pair.n == 0;
}
