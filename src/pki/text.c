#include "pki/text.h"

#include <arpa/inet.h>
#include <string.h>

tn_text tn_text_in(char *p, size_t room) {
  if (room != 0) p[0] = 0;
  return (tn_text){p, room, 0};
}

void tn_text_char(tn_text *t, char c) {
  if (t->room != 0 && t->len < t->room - 1) {
    t->p[t->len] = c;
    t->p[t->len + 1] = 0;
  }
  t->len++;
}

void tn_text_words(tn_text *t, const char *words) {
  for (; *words != 0; words++) tn_text_char(t, *words);
}

void tn_text_decimal(tn_text *t, uint64_t v) {
  char digits[20];
  size_t n = 0;
  do digits[n++] = (char)('0' + v % 10);
  while ((v /= 10) != 0);
  while (n != 0) tn_text_char(t, digits[--n]);
}

void tn_text_hex(tn_text *t, tn_span bytes) {
  static const char hex[] = "0123456789ABCDEF";
  for (size_t i = 0; i < bytes.n; i++) {
    tn_text_char(t, hex[bytes.p[i] >> 4]);
    tn_text_char(t, hex[bytes.p[i] & 15]);
  }
}

void tn_text_escaped_byte(tn_text *t, uint8_t c) {
  tn_text_char(t, '\\');
  tn_text_hex(t, (tn_span){&c, 1});
}

void tn_text_escaped(tn_text *t, tn_span bytes) {
  for (size_t i = 0; i < bytes.n; i++) {
    uint8_t c = bytes.p[i];
    bool at_edge = i == 0 || i == bytes.n - 1;
    if (c < 0x20 || c > 0x7e) {
      tn_text_escaped_byte(t, c);
      continue;
    }
    if (strchr(",+\"\\<>;", c) != NULL || (c == ' ' && at_edge) || (c == '#' && i == 0)) tn_text_char(t, '\\');
    tn_text_char(t, (char)c);
  }
}

void tn_text_address(tn_text *t, tn_span address) {
  char words[INET6_ADDRSTRLEN];
  if ((address.n == 4 && inet_ntop(AF_INET, address.p, words, sizeof words) != NULL) ||
      (address.n == 16 && inet_ntop(AF_INET6, address.p, words, sizeof words) != NULL))
    tn_text_words(t, words);
  else
    tn_text_hex(t, address);
}
