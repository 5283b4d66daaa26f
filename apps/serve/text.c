#include "serve/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tn_write_text(tn_writer *w, const char *text) { tn_write_bytes(w, text, strlen(text)); }

void tn_write_format(tn_writer *w, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (n < 0 || (size_t)n >= sizeof text) {
    w->failed = true;
    w->reason = TN_E_TOO_LONG;
    return;
  }
  tn_write_bytes(w, text, (size_t)n);
}

static bool is_alnum(uint8_t c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
static bool is_one_of(uint8_t c, const char *set) { return c != 0 && strchr(set, c) != NULL; }

static bool log_keeps(uint8_t c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }
static bool json_keeps(uint8_t c) { return log_keeps(c) && c != '<'; }  // '<': it may end up in a page
static bool path_keeps(uint8_t c) { return is_alnum(c) || is_one_of(c, "-._~/"); }
static bool query_keeps(uint8_t c) { return is_alnum(c) || is_one_of(c, "-._~/?%!$&()*+,;=:@"); }

// Bytes that `keeps` refuses become the prefix and two hexadecimal digits.
static void write_escaped(tn_writer *w, tn_span s, bool (*keeps)(uint8_t c), const char *prefix) {
  static const char hex[] = "0123456789ABCDEF";
  for (size_t i = 0; i < s.n; i++) {
    uint8_t c = s.p[i];
    if (keeps(c)) {
      tn_write_u8(w, c);
    } else {
      tn_write_text(w, prefix);
      tn_write_u8(w, (uint8_t)hex[c >> 4]);
      tn_write_u8(w, (uint8_t)hex[c & 15]);
    }
  }
}

void tn_write_log(tn_writer *w, tn_span s) { write_escaped(w, s, log_keeps, "\\x"); }
void tn_write_url_path(tn_writer *w, tn_span s) { write_escaped(w, s, path_keeps, "%"); }
void tn_write_url_query(tn_writer *w, tn_span s) { write_escaped(w, s, query_keeps, "%"); }

void tn_write_json(tn_writer *w, tn_span s) {
  tn_write_u8(w, '"');
  write_escaped(w, s, json_keeps, "\\u00");
  tn_write_u8(w, '"');
}

static bool is_blank(uint8_t c) { return c == ' ' || c == '\t'; }

tn_span tn_text_trim(tn_span s) {
  while (s.n != 0 && is_blank(s.p[0])) s.p++, s.n--;
  while (s.n != 0 && is_blank(s.p[s.n - 1])) s.n--;
  return s;
}
