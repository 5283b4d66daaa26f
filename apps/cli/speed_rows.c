#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "cli/command.h"
#include "cli/speed.h"
#include "crypto/rng/rng.h"

void tn_speed_add(tn_speed_rows *rows, const tn_speed_kind *kind, const void *subject, int variant, const char *name,
                  ...) {
  if (rows->n == rows->room) {
    rows->room = rows->room == 0 ? 64 : 2 * rows->room;
    rows->row = realloc(rows->row, rows->room * sizeof *rows->row);
    if (rows->row == NULL) exit(tn_failed("speed", tn_reason_text(TN_E_NO_MEMORY)));
  }
  tn_speed_row *row = &rows->row[rows->n++];
  *row = (tn_speed_row){.kind = kind, .subject = subject, .variant = variant};
  va_list args;
  va_start(args, name);
  vsnprintf(row->name, sizeof row->name, name, args);
  va_end(args);
  for (char *c = row->name; *c != 0; c++) *c = (char)tn_ascii_lower((uint8_t)*c);
}

uint8_t *tn_speed_random_bytes(size_t n) {
  uint8_t *p = aligned_alloc(64, (n + 63) / 64 * 64);
  if (p == NULL || tn_ok(tn_random(NULL, p, n))) return p;
  free(p);
  return NULL;
}
