#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

int tn_usage_error(const tn_command *command, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  fputs("tenon: ", stderr);
  vfprintf(stderr, fmt, args);
  va_end(args);
  fprintf(stderr, "\nTry `tenon %s --help`.\n", command->name);
  return 2;
}

int tn_failed(const char *thing, const char *why) {
  fprintf(stderr, "tenon: %s: %s\n", thing, why);
  return 1;
}

int tn_next_option(const tn_command *command, int argc, char **argv, const char *letters, const struct option *names) {
  char spec[64];
  snprintf(spec, sizeof spec, ":%s", letters);  // the colon: report nothing, tell a missing argument apart
  opterr = 0;
  int at = optind == 0 ? 1 : optind;
  int option = getopt_long(argc, argv, spec, names, NULL);
  if (option != '?' && option != ':') return option;
  const char *given = argv[optind > at ? optind - 1 : at];
  const char *what = option == ':' ? "needs a value" : "is not an option here, or takes no value";
  if (optopt != 0 && strncmp(given, "--", 2) != 0) {
    tn_usage_error(command, "-%c %s", optopt, what);
  } else {
    tn_usage_error(command, "%s %s", given, what);
  }
  return '?';
}

bool tn_parse_number(const char *text, long low, long high, long *out) {
  if (*text < '0' || *text > '9') return false;
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (errno != 0 || *end != 0 || value < low || value > high) return false;
  *out = value;
  return true;
}

static tn_result system_error(int error) {
  errno = error;
  return tn_fail(TN_E_SYSTEM);
}

// Reads fd to its end into *buf of *cap bytes, which grows.
static int read_to_end(int fd, size_t limit, uint8_t **buf, size_t *cap, size_t *used) {
  for (;;) {
    if (*used == *cap) {
      size_t larger = *cap == 0 ? 1 << 14 : *cap * 2;
      uint8_t *p = tn_alloc(NULL, larger);
      if (p == NULL) return ENOMEM;
      tn_copy(p, *buf, *used);
      tn_release(NULL, *buf, *cap);
      *buf = p;
      *cap = larger;
    }
    ssize_t n = read(fd, *buf + *used, *cap - *used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0) return 0;
    *used += (size_t)n;
    if (*used > limit) return EFBIG;
  }
}

tn_result tn_read_file(const char *path, size_t limit, uint8_t **out, size_t *n) {
  bool is_stdin = strcmp(path, "-") == 0;
  int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return tn_fail(TN_E_SYSTEM);
  uint8_t *buf = NULL;
  size_t cap = 0, used = 0;
  int error = read_to_end(fd, limit, &buf, &cap, &used);
  if (!is_stdin) close(fd);
  if (error == 0) {
    *n = used;
    *out = used == 0 ? NULL : tn_duplicate(NULL, buf, used);
    if (used != 0 && *out == NULL) error = ENOMEM;
  }
  tn_release(NULL, buf, cap);
  return error == 0 ? tn_success() : system_error(error);
}

const char *tn_file_why(tn_result result) {
  return result.reason == TN_E_SYSTEM ? strerror(errno) : tn_reason_text(result.reason);
}

void tn_file_free(uint8_t *p, size_t n) { tn_release(NULL, p, n); }

bool tn_write_all(int fd, const void *p, size_t n) {
  const uint8_t *at = p;
  while (n > 0) {
    ssize_t written = write(fd, at, n);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {  // whoever shares the descriptor made it non-blocking
      struct pollfd room = {.fd = fd, .events = POLLOUT};
      poll(&room, 1, -1);
      continue;
    }
    if (written < 0) return false;
    at += written;
    n -= (size_t)written;
  }
  return true;
}
