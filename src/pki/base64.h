// Base64 (RFC 4648 section 4) in time that does not depend on what is encoded.
#ifndef TN_PKI_BASE64_H
#define TN_PKI_BASE64_H

#include "base/bytes.h"

// Decodes text, in which white space counts for nothing, to `out`. Strict otherwise: padded, and the bits that carry
// nothing are zero. TN_E_PEM or TN_E_NO_SPACE. leaks: which characters are white space, padding or not of the alphabet.
TN_MUST_USE tn_result tn_base64_decode(tn_span text, tn_writer *out);

// Encodes one line without its end; `out` must have room for 4 characters for every 3 bytes begun.
void tn_base64_encode(tn_span bytes, tn_writer *out);

// Room enough for what n characters decode to.
static inline size_t tn_base64_room(size_t n) { return n / 4 * 3 + 3; }

#endif
