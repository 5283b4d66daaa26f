// What every subcommand of `tenon` is made of, and how it speaks: exit status 0 on success, 1 on a failed
// operation, 2 on bad usage; errors on stderr as "tenon: what: why".
#ifndef TN_CLI_COMMAND_H
#define TN_CLI_COMMAND_H

#include <getopt.h>

#include "tenon/base.h"

typedef struct tn_command {
  const char *name;
  const char *summary;                // one line, for `tenon help`
  const char *usage;                  // the whole text of `tenon NAME --help`
  int (*run)(int argc, char **argv);  // argv[0] is the command's name; returns the exit status
} tn_command;

// "tenon: MESSAGE" and where to find help, on stderr. Returns 2.
int tn_usage_error(const tn_command *command, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

// "tenon: thing: why" on stderr. Returns 1.
int tn_failed(const char *thing, const char *why);

// getopt_long() with its errors told our way: the option's letter (or val), -1 after the last, '?' after a usage
// error, which was reported. Start with optind = 0.
int tn_next_option(const tn_command *command, int argc, char **argv, const char *letters, const struct option *names);

// A whole number from low to high, in decimal; false for anything else.
bool tn_parse_number(const char *text, long low, long high, long *out);

// The contents of a file, or of standard input for "-", whatever kind of file it is. TN_E_SYSTEM when it cannot be
// read or is longer than `limit`, with errno set: tn_file_why() puts that into words. tn_file_free() wipes and frees.
TN_MUST_USE tn_result tn_read_file(const char *path, size_t limit, uint8_t **out, size_t *n);
const char *tn_file_why(tn_result result);
void tn_file_free(uint8_t *p, size_t n);

// All n bytes to a descriptor; false with errno set.
TN_MUST_USE bool tn_write_all(int fd, const void *p, size_t n);

#endif
