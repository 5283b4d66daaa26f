// A file that is written whole or not at all.
#ifndef TN_CLI_OUTPUT_FILE_H
#define TN_CLI_OUTPUT_FILE_H

#include <limits.h>
#include <sys/types.h>

#include "tenon/base.h"

typedef struct tn_output_file {
  const char *path;
  int fd;                       // -1: closed
  char written_path[PATH_MAX];  // the file that is being written; empty for what is not a regular file
} tn_output_file;

// Opens `path`, which must not exist; with `replace` an existing file is replaced at the end, when all was written.
// "-" is standard output. Every function answers false with errno set.
TN_MUST_USE bool tn_output_open(tn_output_file *file, const char *path, mode_t mode, bool replace);
// Closes it and puts it in its place.
TN_MUST_USE bool tn_output_commit(tn_output_file *file);
// Closes it and leaves nothing behind; also after a failed tn_output_open().
void tn_output_discard(tn_output_file *file);

#endif
