#include "crypto/ec/ecdsa_der.h"

#include <string.h>

#include "base/bytes.h"

#define TAG_INTEGER 0x02
#define TAG_SEQUENCE 0x30

// X.690 8.3: two's complement in the fewest bytes, so a zero goes before a first bit that is set, and nowhere else.
static void write_integer(tn_writer *w, const uint8_t value[32]) {
  size_t skip = 0;
  while (skip < 31 && value[skip] == 0) skip++;
  tn_write_u8(w, TAG_INTEGER);
  tn_scope scope = tn_write_open(w, 1);
  if (value[skip] & 0x80) tn_write_u8(w, 0);
  tn_write_bytes(w, value + skip, 32 - skip);
  tn_write_close(w, scope);
}

size_t tn_ecdsa_der_encode(uint8_t der[TN_ECDSA_P256_DER_MAX], const uint8_t raw[64]) {
  // At most 2 + 2 * (2 + 33) = 72 bytes, so every length is one byte (X.690 8.1.3.4) and all of it fits.
  tn_writer w = tn_writer_fixed(der, TN_ECDSA_P256_DER_MAX);
  tn_write_u8(&w, TAG_SEQUENCE);
  tn_scope scope = tn_write_open(&w, 1);
  write_integer(&w, raw);
  write_integer(&w, raw + 32);
  tn_write_close(&w, scope);
  return w.len;
}

// A length of 0x80 and more is a long form, longer than any content here: read as a plain count, it is refused
// as more than there is or as too long a number.
static bool read_element(tn_reader *r, uint8_t tag, tn_reader *content) {
  uint8_t found;
  return tn_read_u8(r, &found) && found == tag && tn_read_block8(r, content);
}

static bool read_integer(tn_reader *r, uint8_t value[32]) {
  tn_reader content;
  if (!read_element(r, TAG_INTEGER, &content) || content.n == 0) return false;
  if (content.p[0] & 0x80) return false;  // negative
  if (content.p[0] == 0) {
    // Zero itself, or a zero that must be there for the sign.
    if (content.n == 1 || !(content.p[1] & 0x80)) return false;
    content = (tn_reader){content.p + 1, content.n - 1};
  }
  if (content.n > 32) return false;
  memset(value, 0, 32);
  return tn_read_copy(&content, value + 32 - content.n, content.n);
}

bool tn_ecdsa_der_decode(uint8_t raw[64], tn_span der) {
  tn_reader all = tn_reader_of(der), pair;
  if (der.n > TN_ECDSA_P256_DER_MAX) return false;
  return read_element(&all, TAG_SEQUENCE, &pair) && all.n == 0 && read_integer(&pair, raw) &&
         read_integer(&pair, raw + 32) && pair.n == 0;
}
