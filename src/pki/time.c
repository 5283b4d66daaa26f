#include "pki/time.h"

// Years are counted from March, so that the leap day is the last day of its year; an era is 400 years.
#define DAYS_PER_ERA 146097
#define DAYS_FROM_MARCH_0000_TO_1970 719468
#define SECONDS_PER_DAY 86400

// Days from March 1st to the first of the m-th month after March: lengths 31 30 31 30 31 | 31 30 31 30 31 | 31 (28).
static int days_before_month(int m) { return (153 * m + 2) / 5; }

static int days_in_month(int year, int month) {
  static const uint8_t days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return days[month - 1] + (month == 2 && leap);
}

bool tn_time_from_civil(const tn_civil *c, int64_t *out) {
  if (c->year < 0 || c->year > 9999 || c->month < 1 || c->month > 12 || c->day < 1 ||
      c->day > days_in_month(c->year, c->month) || c->hour < 0 || c->hour > 23 || c->minute < 0 || c->minute > 59 ||
      c->second < 0 || c->second > 59)
    return false;
  int month = (c->month + 9) % 12;            // March is 0
  int year = c->year - (c->month < 3) + 400;  // never negative
  int days = year * 365 + year / 4 - year / 100 + year / 400 + days_before_month(month) + c->day - 1;
  int64_t since_1970 = (int64_t)days - DAYS_PER_ERA - DAYS_FROM_MARCH_0000_TO_1970;
  *out = since_1970 * SECONDS_PER_DAY + c->hour * 3600 + c->minute * 60 + c->second;
  return true;
}

tn_civil tn_time_to_civil(int64_t time) {
  if (time < TN_TIME_MIN) time = TN_TIME_MIN;
  if (time > TN_TIME_MAX) time = TN_TIME_MAX;
  int64_t shifted = time + (int64_t)(DAYS_PER_ERA + DAYS_FROM_MARCH_0000_TO_1970) * SECONDS_PER_DAY;  // positive
  int days = (int)(shifted / SECONDS_PER_DAY), seconds = (int)(shifted % SECONDS_PER_DAY);
  int era = days / DAYS_PER_ERA, day_of_era = days % DAYS_PER_ERA;
  // 1460, 36524 and 146096: the last day of 4 years, of 100 and of 400, where the division must not round up.
  int year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  int day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  int month = (5 * day_of_year + 2) / 153;
  return (tn_civil){
      .year = era * 400 + year_of_era - 400 + (month >= 10),
      .month = month < 10 ? month + 3 : month - 9,
      .day = day_of_year - days_before_month(month) + 1,
      .hour = seconds / 3600,
      .minute = seconds / 60 % 60,
      .second = seconds % 60,
  };
}

static char *put_decimal(char *p, int v, int digits) {
  for (int i = digits - 1; i >= 0; i--, v /= 10) p[i] = (char)('0' + v % 10);
  return p + digits;
}

void tn_time_text(int64_t time, char out[24]) {
  tn_civil c = tn_time_to_civil(time);
  char *p = put_decimal(out, c.year, 4);
  *p++ = '-';
  p = put_decimal(p, c.month, 2);
  *p++ = '-';
  p = put_decimal(p, c.day, 2);
  *p++ = ' ';
  p = put_decimal(p, c.hour, 2);
  *p++ = ':';
  p = put_decimal(p, c.minute, 2);
  *p++ = ':';
  p = put_decimal(p, c.second, 2);
  for (const char *zone = " UTC"; *zone != 0; zone++) *p++ = *zone;
  *p = 0;
}
