// DER (X.690), read one element at a time over a tn_reader: definite minimal lengths, low tags only, and universal
// types in their one allowed form. A read that fails changes nothing. What is read is never copied.
#ifndef TN_PKI_DER_H
#define TN_PKI_DER_H

#include "base/bytes.h"

// Identifier octets.
enum {
  TN_DER_BOOLEAN = 0x01,
  TN_DER_INTEGER = 0x02,
  TN_DER_BIT_STRING = 0x03,
  TN_DER_OCTET_STRING = 0x04,
  TN_DER_NULL = 0x05,
  TN_DER_OID = 0x06,
  TN_DER_UTF8_STRING = 0x0c,
  TN_DER_PRINTABLE_STRING = 0x13,
  TN_DER_TELETEX_STRING = 0x14,
  TN_DER_IA5_STRING = 0x16,
  TN_DER_UTC_TIME = 0x17,
  TN_DER_GENERALIZED_TIME = 0x18,
  TN_DER_VISIBLE_STRING = 0x1a,
  TN_DER_UNIVERSAL_STRING = 0x1c,
  TN_DER_BMP_STRING = 0x1e,
  TN_DER_SEQUENCE = 0x30,
  TN_DER_SET = 0x31,
};
// Context-specific tags, primitive and constructed.
#define TN_DER_CONTEXT(number) (0x80 | (number))
#define TN_DER_CONTEXT_CONSTRUCTED(number) (0xa0 | (number))

typedef struct tn_der {
  uint8_t tag;
  tn_span body;
  tn_span whole;  // with tag and length
} tn_der;

TN_MUST_USE bool tn_der_next(tn_reader *r, tn_der *out);

// Whether the next element has this tag.
static inline bool tn_der_at(const tn_reader *r, uint8_t tag) { return r->n != 0 && r->p[0] == tag; }

// The contents of the next element, which must have this tag.
TN_MUST_USE bool tn_der_read(tn_reader *r, uint8_t tag, tn_span *body);
// The same as a reader, for what has elements inside. The caller reads `body` to its end.
TN_MUST_USE bool tn_der_enter(tn_reader *r, uint8_t tag, tn_reader *body);
// The whole element, tag and length included.
TN_MUST_USE bool tn_der_read_whole(tn_reader *r, uint8_t tag, tn_span *whole);

// The contents of an INTEGER: two's complement, minimal, at least one byte.
TN_MUST_USE bool tn_der_read_integer(tn_reader *r, tn_span *out);
// An INTEGER from 0 to 2^32 - 1.
TN_MUST_USE bool tn_der_read_small(tn_reader *r, uint32_t *out);
TN_MUST_USE bool tn_der_read_null(tn_reader *r);
TN_MUST_USE bool tn_der_read_boolean(tn_reader *r, bool *out);
// The contents of an OBJECT IDENTIFIER, each of whose arcs is minimal and complete.
TN_MUST_USE bool tn_der_read_oid(tn_reader *r, tn_span *out);
// The contents of a BIT STRING under `tag` (for IMPLICIT ones): the bytes, the last of which has `unused` zero bits.
TN_MUST_USE bool tn_der_read_bits(tn_reader *r, uint8_t tag, tn_span *bytes, unsigned *unused);
// A BIT STRING that is whole bytes.
TN_MUST_USE bool tn_der_read_bit_bytes(tn_reader *r, uint8_t tag, tn_span *bytes);
// UTCTime or GeneralizedTime as RFC 5280 section 4.1.2.5 has them: in seconds, without fractions, in Z.
// Which of the two a year takes binds those who write; those who read take both.
TN_MUST_USE bool tn_der_read_time(tn_reader *r, int64_t *out);

#endif
