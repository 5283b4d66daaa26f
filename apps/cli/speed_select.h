// Which rows a user's words mean.
#ifndef TN_CLI_SPEED_SELECT_H
#define TN_CLI_SPEED_SELECT_H

#include "cli/speed.h"

// Marks the row of this name, or else every row whose name begins so; letter case does not matter. False: there is
// none.
TN_MUST_USE bool tn_speed_select(const tn_speed_rows *rows, const char *word, bool *chosen);

// The names most like this one, with commas between them; an empty text if none is.
void tn_speed_near(const tn_speed_rows *rows, const char *word, char *out, size_t room);

#endif
