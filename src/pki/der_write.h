// DER, written over a tn_writer. The length of what has elements inside is known only at its end: it is opened with
// room for a short length, and closed by moving the contents along if the length needs more.
#ifndef TN_PKI_DER_WRITE_H
#define TN_PKI_DER_WRITE_H

#include "base/bytes.h"
#include "pki/der.h"
#include "pki/oid.h"

// Returns where the contents begin, for tn_der_close().
TN_MUST_USE size_t tn_der_open(tn_writer *w, uint8_t tag);
void tn_der_close(tn_writer *w, size_t contents_at);

// A whole element with these contents.
void tn_der_write(tn_writer *w, uint8_t tag, tn_span contents);
void tn_der_write_small(tn_writer *w, uint32_t v);
// An INTEGER from a big-endian number, leading zeros allowed. Constant time. leaks: how many bytes it takes.
void tn_der_write_number(tn_writer *w, tn_span number);
void tn_der_write_boolean(tn_writer *w, bool v);
void tn_der_write_null(tn_writer *w);
void tn_der_write_oid(tn_writer *w, tn_oid oid);
// A BIT STRING of whole bytes.
void tn_der_write_bit_bytes(tn_writer *w, uint8_t tag, tn_span bytes);
// A BIT STRING with a named bit list: bit i of the list is 1 << i here. `flags` is not zero.
void tn_der_write_flags(tn_writer *w, uint16_t flags);
// UTCTime through 2049, GeneralizedTime from 2050 (RFC 5280 section 4.1.2.5). time is within TN_TIME_MIN..TN_TIME_MAX
// and not before 1950.
void tn_der_write_time(tn_writer *w, int64_t time);

#endif
