// The words of the user that `tenon connect` has to take apart.
#ifndef TN_CLI_TARGET_H
#define TN_CLI_TARGET_H

#include "cli/command.h"

// HOST, HOST:PORT, [v6]:PORT, [v6] or a bare IPv6 address.
typedef struct tn_target {
  char host[256];
  uint16_t port;
} tn_target;

TN_MUST_USE bool tn_parse_target(const char *text, uint16_t default_port, tn_target *out);

// Numbers of suites or groups out of their comma-separated names, in any letter case; `at` is tn_suite_at() or
// tn_group_at(). 0, or 2 after a usage error was reported, which lists what there is.
#define TN_MAX_IDS 32
int tn_parse_ids(const tn_command *command, const char *option, const char *text,
                 bool (*at)(size_t i, uint16_t *id, const char **name), uint16_t *ids, size_t *n);

// Application protocols, comma-separated: spans into text. Likewise.
#define TN_MAX_PROTOCOLS 32
int tn_parse_protocols(const tn_command *command, const char *text, tn_span *protocols, size_t *n);

#endif
