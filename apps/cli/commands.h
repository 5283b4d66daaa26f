// The subcommands of `tenon`, each in a file of its own.
#ifndef TN_CLI_COMMANDS_H
#define TN_CLI_COMMANDS_H

#include "cli/command.h"
#include "serve/serve.h"

extern const tn_command tn_command_cert;
extern const tn_command tn_command_connect;
extern const tn_command tn_command_help;
extern const tn_command tn_command_speed;

#endif
