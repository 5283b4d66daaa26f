// Which rows a user's words mean.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cli/speed.h"
#include "cli/speed_select.h"

#define NEAR 5  // names that are suggested at most

bool tn_speed_select(const tn_speed_rows *rows, const char *word, bool *chosen) {
  const size_t n = strlen(word);
  for (size_t i = 0; i < rows->n; i++) {
    if (strcasecmp(rows->row[i].name, word) != 0) continue;
    chosen[i] = true;
    return true;
  }
  bool found = false;
  for (size_t i = 0; i < rows->n && n != 0; i++) {
    if (strncasecmp(rows->row[i].name, word, n) != 0) continue;
    chosen[i] = found = true;
  }
  return found;
}

// How many characters have to be added, dropped or changed to get from one name to the other (Levenshtein).
static size_t distance(const char *a, const char *b) {
  size_t row[TN_SPEED_NAME + 1];
  const size_t n = strlen(b);
  for (size_t j = 0; j <= n; j++) row[j] = j;
  for (; *a != 0; a++) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= n; j++) {
      const size_t changed = diagonal + (*a != b[j - 1]);
      diagonal = row[j];
      const size_t other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      row[j] = changed < other ? changed : other;
    }
  }
  return row[n];
}

void tn_speed_near(const tn_speed_rows *rows, const char *word, char *out, size_t room) {
  size_t used = 0;
  const size_t tolerated = strlen(word) / 2;
  *out = 0;
  for (size_t d = 1, listed = 0; d <= tolerated && listed < NEAR; d++) {
    for (size_t i = 0; i < rows->n && listed < NEAR; i++) {
      if (distance(word, rows->row[i].name) != d) continue;
      const int n = snprintf(out + used, room - used, "%s%s", listed == 0 ? "" : ", ", rows->row[i].name);
      if (n < 0 || (size_t)n >= room - used) return;
      used += (size_t)n;
      listed++;
    }
  }
}
