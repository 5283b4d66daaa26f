#include "serve/byte_range.h"

#include "base/mem.h"
#include "serve/text.h"

// Takes digits; a number too large for the type stands at its maximum. False if there is none.
static bool take_number(tn_span *in, uint64_t *out) {
  size_t n = 0;
  uint64_t v = 0;
  for (; n < in->n && in->p[n] >= '0' && in->p[n] <= '9'; n++) {
    if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, (uint64_t)(in->p[n] - '0'), &v)) v = UINT64_MAX;
  }
  *in = tn_span_of(in->p + n, in->n - n);
  *out = v;
  return n != 0;
}

tn_range_kind tn_byte_range(tn_span value, uint64_t size, uint64_t *first, uint64_t *end) {
  tn_span unit = tn_text("bytes=");
  if (value.n < unit.n || !tn_span_equal_nocase_vartime(tn_span_of(value.p, unit.n), unit)) return TN_RANGE_WHOLE;
  tn_span in = tn_text_trim(tn_span_of(value.p + unit.n, value.n - unit.n));

  uint64_t from = 0, last = UINT64_MAX;
  bool has_from = take_number(&in, &from);
  if (in.n == 0 || in.p[0] != '-') return TN_RANGE_WHOLE;
  in = tn_span_of(in.p + 1, in.n - 1);
  bool has_last = take_number(&in, &last);
  if (in.n != 0 || (!has_from && !has_last)) return TN_RANGE_WHOLE;

  if (!has_from) {  // the last so many bytes
    if (last == 0) return TN_RANGE_UNSATISFIABLE;
    if (size == 0) return TN_RANGE_WHOLE;  // satisfiable, but no Content-Range can say it
    *first = last < size ? size - last : 0;
    *end = size;
    return TN_RANGE_PART;
  }
  if (has_last && from > last) return TN_RANGE_WHOLE;
  if (from >= size) return TN_RANGE_UNSATISFIABLE;
  *first = from;
  *end = has_last && last < size - 1 ? last + 1 : size;
  return TN_RANGE_PART;
}
