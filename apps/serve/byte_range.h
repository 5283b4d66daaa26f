// The Range field: RFC 9110 section 14.
#ifndef TN_SERVE_BYTE_RANGE_H
#define TN_SERVE_BYTE_RANGE_H

#include "tenon/base.h"

typedef enum tn_range_kind {
  TN_RANGE_WHOLE,          // malformed, not in bytes, or several: the field is ignored
  TN_RANGE_PART,           // bytes *first to *end - 1
  TN_RANGE_UNSATISFIABLE,  // nothing of it is in the representation
} tn_range_kind;

tn_range_kind tn_byte_range(tn_span value, uint64_t size, uint64_t *first, uint64_t *end);

#endif
