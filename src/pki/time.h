// Seconds since 1970-01-01T00:00:00Z and the civil calendar (proleptic Gregorian, no leap seconds).
#ifndef TN_PKI_TIME_H
#define TN_PKI_TIME_H

#include "tenon/pki.h"

typedef struct tn_civil {
  int year, month, day, hour, minute, second;  // month and day from 1
} tn_civil;

// The years that both directions know: those that GeneralizedTime can write.
#define TN_TIME_MIN INT64_C(-62167219200)  // 0000-01-01 00:00:00
#define TN_TIME_MAX INT64_C(253402300799)  // 9999-12-31 23:59:59

// False if there is no such date or time of day.
TN_MUST_USE bool tn_time_from_civil(const tn_civil *c, int64_t *out);
// A time outside TN_TIME_MIN..TN_TIME_MAX becomes the nearer of the two.
tn_civil tn_time_to_civil(int64_t time);

#endif
