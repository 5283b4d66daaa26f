// Results: how a failure travels from where it is found to the one place that sends its alert.
#ifndef TN_BASE_ERROR_H
#define TN_BASE_ERROR_H

#include "tenon/base.h"

// Passes a failure on to the caller.
#define TN_TRY(call)                     \
  do {                                   \
    tn_result tn_try_ = (call);          \
    if (!tn_ok(tn_try_)) return tn_try_; \
  } while (0)

// Fails for `reason` unless `condition` holds.
#define TN_ENSURE(condition, reason)          \
  do {                                        \
    if (!(condition)) return tn_fail(reason); \
  } while (0)

// As TN_ENSURE, with an alert that differs from the reason's own.
#define TN_ENSURE_ALERT(condition, reason, alert)          \
  do {                                                     \
    if (!(condition)) return tn_fail_alert(reason, alert); \
  } while (0)

// For the reads of bytes.h: anything that does not parse is a decode_error.
#define TN_READ(read) TN_ENSURE(read, TN_E_DECODE)

#endif
