// The verbs of `tenon cert`.
#ifndef TN_CLI_CERT_H
#define TN_CLI_CERT_H

#include "cli/commands.h"

// argv[0] is the verb. Return the exit status.
int tn_cert_self_signed(int argc, char **argv);
int tn_cert_show(int argc, char **argv);

#endif
