// Text for people, written into a fixed space: cut where it does not fit, its whole length counted, always ended by 0.
// Foreign bytes pass through tn_text_escaped(), so that nothing hostile reaches a terminal or a log.
#ifndef TN_PKI_TEXT_H
#define TN_PKI_TEXT_H

#include "tenon/base.h"

typedef struct tn_text {
  char *p;
  size_t room;
  size_t len;  // of the whole text
} tn_text;

tn_text tn_text_in(char *p, size_t room);
void tn_text_char(tn_text *t, char c);
void tn_text_words(tn_text *t, const char *words);
void tn_text_decimal(tn_text *t, uint64_t v);
void tn_text_hex(tn_text *t, tn_span bytes);
// Printable ASCII as it is, with a backslash before RFC 4514's specials; any other byte as \XX.
void tn_text_escaped(tn_text *t, tn_span bytes);
// Any byte as \XX.
void tn_text_escaped_byte(tn_text *t, uint8_t c);
// An IP address of 4 or 16 bytes; anything else as hex.
void tn_text_address(tn_text *t, tn_span address);

#endif
