#include "cli/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_special(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

// A new file beside `path`, which it will replace.
static int open_beside(tn_output_file *file, mode_t mode) {
  int n = snprintf(file->written_path, sizeof file->written_path, "%s.XXXXXX", file->path);
  if (n < 0 || (size_t)n >= sizeof file->written_path) {
    file->written_path[0] = 0;
    errno = ENAMETOOLONG;
    return -1;
  }
  int fd = mkstemp(file->written_path);
  if (fd < 0) {
    file->written_path[0] = 0;
    return -1;
  }
  mode_t mask = umask(0);
  umask(mask);
  if (fchmod(fd, mode & ~mask) == 0) return fd;
  close(fd);
  return -1;
}

static int open_new(tn_output_file *file, mode_t mode) {
  int n = snprintf(file->written_path, sizeof file->written_path, "%s", file->path);
  if (n < 0 || (size_t)n >= sizeof file->written_path) errno = ENAMETOOLONG;
  int fd = (size_t)n < sizeof file->written_path ? open(file->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) : -1;
  if (fd < 0) file->written_path[0] = 0;  // whatever is there is not ours to remove
  return fd;
}

bool tn_output_open(tn_output_file *file, const char *path, mode_t mode, bool replace) {
  *file = (tn_output_file){.path = path, .fd = -1};
  if (strcmp(path, "-") == 0) {
    file->fd = dup(STDOUT_FILENO);
  } else if (is_special(path)) {  // a device or a pipe: there is nothing to lose in it
    file->fd = open(path, O_WRONLY | O_CLOEXEC);
  } else if (replace) {
    file->fd = open_beside(file, mode);
  } else {
    file->fd = open_new(file, mode);
  }
  return file->fd >= 0;
}

bool tn_output_commit(tn_output_file *file) {
  int fd = file->fd;
  file->fd = -1;
  if (close(fd) != 0) return false;
  if (file->written_path[0] != 0 && strcmp(file->written_path, file->path) != 0) {
    if (rename(file->written_path, file->path) != 0) return false;
  }
  file->written_path[0] = 0;
  return true;
}

void tn_output_discard(tn_output_file *file) {
  if (file->fd >= 0) close(file->fd);
  file->fd = -1;
  if (file->written_path[0] != 0) unlink(file->written_path);
  file->written_path[0] = 0;
}
