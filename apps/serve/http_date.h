// HTTP's dates (RFC 9110 section 5.6.7), independent of locale and time zone.
#ifndef TN_SERVE_HTTP_DATE_H
#define TN_SERVE_HTTP_DATE_H

#include "tenon/base.h"

#define TN_HTTP_DATE_LEN 29

// Writes seconds since 1970 as IMF-fixdate ("Sun, 06 Nov 1994 08:49:37 GMT"), with the final 0. A time
// outside the years 0 to 9999 becomes the nearest within.
void tn_http_date_format(int64_t time, char out[TN_HTTP_DATE_LEN + 1]);

// Reads IMF-fixdate, RFC 850's and asctime's format. `now` gives a year of two digits its century.
bool tn_http_date_parse(tn_span text, int64_t now, int64_t *time);

#endif
