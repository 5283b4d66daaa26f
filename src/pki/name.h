// Name ::= SEQUENCE OF RelativeDistinguishedName (RFC 5280 section 4.1.2.4).
#ifndef TN_PKI_NAME_H
#define TN_PKI_NAME_H

#include "pki/der.h"
#include "tenon/pki.h"

// The next Name of r, whole, with its structure checked.
TN_MUST_USE bool tn_name_read(tn_reader *r, tn_span *name);

static inline bool tn_name_is_empty(tn_span name) { return name.n <= 2; }

#endif
