#include "serve/http_date.h"

#include <stdio.h>
#include <string.h>

typedef struct civil {
  int64_t year;
  int64_t month;  // 1 to 12
  int64_t day;    // 1 to 31
} civil;

// Days since 1970-01-01 in the proleptic Gregorian calendar. The year is counted from March, so that the leap day
// is its last, in cycles of 400 years, which have 146097 days.
static int64_t days_of(civil c) {
  int64_t year = c.month > 2 ? c.year : c.year - 1;
  int64_t cycle = (year >= 0 ? year : year - 399) / 400;
  int64_t of_cycle = year - cycle * 400;
  int64_t of_year = (153 * (c.month > 2 ? c.month - 3 : c.month + 9) + 2) / 5 + c.day - 1;
  return cycle * 146097 + of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + of_year - 719468;
}

static civil civil_of(int64_t days) {
  days += 719468;
  int64_t cycle = (days >= 0 ? days : days - 146096) / 146097;
  int64_t of_cycle = days - cycle * 146097;
  int64_t year = (of_cycle - of_cycle / 1460 + of_cycle / 36524 - of_cycle / 146096) / 365;
  int64_t of_year = of_cycle - (365 * year + year / 4 - year / 100);
  int64_t month = (5 * of_year + 2) / 153;  // 0 is March
  return (civil){year + cycle * 400 + (month >= 10), month < 10 ? month + 3 : month - 9,
                 of_year - (153 * month + 2) / 5 + 1};
}

static const char *const weekdays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

void tn_http_date_format(int64_t time, char out[TN_HTTP_DATE_LEN + 1]) {
  int64_t days = (time >= 0 ? time : time - 86399) / 86400;
  int64_t second = time - days * 86400;
  civil c = civil_of(days);
  int64_t weekday = ((days + 4) % 7 + 7) % 7;  // 1970-01-01 was a Thursday
  char text[64];
  snprintf(text, sizeof text, "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT", weekdays[weekday], (int)c.day,
           months + 3 * (c.month - 1), (int)c.year % 10000, (int)(second / 3600), (int)(second / 60 % 60),
           (int)(second % 60));
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
  civil date;
  int64_t hour, minute, second;
  bool short_year;
} parsed;

static bool take(tn_span *in, const char *text, size_t n) {
  if (in->n < n || memcmp(in->p, text, n) != 0) return false;
  in->p += n;
  in->n -= n;
  return true;
}

static bool take_number(tn_span *in, size_t digits, int64_t *out) {
  if (in->n < digits) return false;
  int64_t v = 0;
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

static bool take_month(tn_span *in, int64_t *month) {
  for (int64_t i = 0; i < 12; i++) {
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
      return take_number(in, 2, &out->hour);
    case 'm':
      return take_number(in, 2, &out->minute);
    default:
      return take_number(in, 2, &out->second);
  }
}

static bool take_format(tn_span in, const char *format, parsed *out) {
  for (; *format != 0; format++) {
    if (*format == '%' ? !take_part(&in, *++format, out) : !take(&in, format, 1)) return false;
  }
  return in.n == 0;
}

static bool is_in_calendar(const parsed *p) {
  static const uint8_t lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int64_t year = p->date.year;
  bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  int64_t length = lengths[p->date.month - 1] + (leap && p->date.month == 2);
  return p->date.day >= 1 && p->date.day <= length && p->hour < 24 && p->minute < 60 && p->second <= 60;
}

bool tn_http_date_parse(tn_span text, int64_t now, int64_t *time) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    parsed p = {0};
    if (!take_format(text, formats[i], &p)) continue;
    if (p.short_year) {
      // A year that seems to be more than 50 years ahead is the last one in the past with these digits.
      int64_t this_year = civil_of(now / 86400).year;
      p.date.year += this_year - this_year % 100;
      if (p.date.year > this_year + 50) p.date.year -= 100;
    }
    if (!is_in_calendar(&p)) return false;
    *time = days_of(p.date) * 86400 + p.hour * 3600 + p.minute * 60 + p.second;
    return true;
  }
  return false;
}
