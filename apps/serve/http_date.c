#include "serve/http_date.h"

#include <stdio.h>
#include <string.h>

#include "pki/time.h"

static const char *const weekdays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

void tn_http_date_format(int64_t time, char out[TN_HTTP_DATE_LEN + 1]) {
  if (time < TN_TIME_MIN) time = TN_TIME_MIN;  // files may be of any time
  if (time > TN_TIME_MAX) time = TN_TIME_MAX;
  tn_civil c = tn_time_to_civil(time);
  int64_t days = (time >= 0 ? time : time - 86399) / 86400;
  int64_t weekday = ((days + 4) % 7 + 7) % 7;  // 1970-01-01 was a Thursday
  char text[96];
  snprintf(text, sizeof text, "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT", weekdays[weekday], c.day,
           months + 3 * (c.month - 1), c.year, c.hour, c.minute, c.second);
  memcpy(out, text, TN_HTTP_DATE_LEN);
  out[TN_HTTP_DATE_LEN] = 0;
}

// ---------------------------------------------------------------- reading

// %w weekday of 3 letters, %W in full, %D day of 2 digits, %e day of 2 places, %M month's name, %Y year of 4 digits,
// %y of 2, %h %m %s hour, minute and second. Everything else stands for itself.
static const char *const formats[] = {
    "%w, %D %M %Y %h:%m:%s GMT",
    "%W, %D-%M-%y %h:%m:%s GMT",
    "%w %M %e %h:%m:%s %Y",
};

typedef struct parsed {
  tn_civil date;
  bool short_year;
} parsed;

static bool take(tn_span *in, const char *text, size_t n) {
  if (in->n < n || memcmp(in->p, text, n) != 0) return false;
  in->p += n;
  in->n -= n;
  return true;
}

static bool take_number(tn_span *in, size_t digits, int *out) {
  if (in->n < digits) return false;
  int v = 0;
  for (size_t i = 0; i < digits; i++) {
    if (in->p[i] < '0' || in->p[i] > '9') return false;
    v = v * 10 + (in->p[i] - '0');
  }
  in->p += digits;
  in->n -= digits;
  *out = v;
  return true;
}

static bool take_weekday(tn_span *in, bool full) {
  for (size_t i = 0; i < 7; i++) {
    if (take(in, weekdays[i], full ? strlen(weekdays[i]) : 3)) return true;
  }
  return false;
}

static bool take_month(tn_span *in, int *month) {
  for (int i = 0; i < 12; i++) {
    *month = i + 1;
    if (take(in, months + 3 * i, 3)) return true;
  }
  return false;
}

static bool take_part(tn_span *in, char part, parsed *out) {
  switch (part) {
    case 'w':
    case 'W':
      return take_weekday(in, part == 'W');
    case 'D':
      return take_number(in, 2, &out->date.day);
    case 'e':
      return take(in, " ", 1) ? take_number(in, 1, &out->date.day) : take_number(in, 2, &out->date.day);
    case 'M':
      return take_month(in, &out->date.month);
    case 'Y':
      return take_number(in, 4, &out->date.year);
    case 'y':
      out->short_year = true;
      return take_number(in, 2, &out->date.year);
    case 'h':
      return take_number(in, 2, &out->date.hour);
    case 'm':
      return take_number(in, 2, &out->date.minute);
    default:
      return take_number(in, 2, &out->date.second);
  }
}

static bool take_format(tn_span in, const char *format, parsed *out) {
  for (; *format != 0; format++) {
    if (*format == '%' ? !take_part(&in, *++format, out) : !take(&in, format, 1)) return false;
  }
  return in.n == 0;
}

// A leap second is the one after the 59th.
static bool time_of(tn_civil c, int64_t *time) {
  int leap = c.second == 60;
  c.second -= leap;
  if (!tn_time_from_civil(&c, time)) return false;
  *time += leap;
  return true;
}

bool tn_http_date_parse(tn_span text, int64_t now, int64_t *time) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    parsed p = {0};
    if (!take_format(text, formats[i], &p)) continue;
    if (p.short_year) {
      // A year that seems to be more than 50 years ahead is the last one in the past with these digits.
      int this_year = tn_time_to_civil(now).year;
      p.date.year += this_year - this_year % 100;
      if (p.date.year > this_year + 50) p.date.year -= 100;
    }
    return time_of(p.date, time);
  }
  return false;
}
