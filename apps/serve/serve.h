// `tenon serve`: static files over HTTPS.
#ifndef TN_SERVE_SERVE_H
#define TN_SERVE_SERVE_H

#include "cli/command.h"

extern const tn_command tn_command_serve;

#endif
