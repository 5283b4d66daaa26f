#define _GNU_SOURCE
#include "serve/open_beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { OPEN_FLAGS = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY };

int tn_open_beneath(int directory, const char *path) {
  struct open_how how = {.flags = OPEN_FLAGS, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
  long fd = -1;
  // EAGAIN: somebody renamed a directory on the way and the kernel could not tell that we stayed below.
  for (int attempt = 0; attempt < 8; attempt++) {
    fd = syscall(SYS_openat2, directory, path[0] == 0 ? "." : path, &how, sizeof how);
    if (fd >= 0 || errno != EAGAIN) break;
  }
  // EPERM is what a sandbox answers that does not know the call.
  if (fd < 0 && (errno == ENOSYS || errno == EPERM)) return tn_open_beneath_walk(directory, path);
  return (int)fd;
}

int tn_open_beneath_walk(int directory, const char *path) {
  if (path[0] == '/') {
    errno = EXDEV;
    return -1;
  }
  if (path[0] == 0) return openat(directory, ".", OPEN_FLAGS);
  int at = directory;
  for (;;) {
    size_t n = strcspn(path, "/");
    char name[256];
    bool last = path[n] == 0;
    int fd = -1;
    if (n >= sizeof name) {
      errno = ENAMETOOLONG;
    } else {
      memcpy(name, path, n);
      name[n] = 0;
      // A name that goes up, and an empty one, are for url_path.c to remove.
      errno = EXDEV;
      if (n != 0 && strcmp(name, "..") != 0)
        fd = openat(at, name, last ? OPEN_FLAGS | O_NOFOLLOW : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }
    if (at != directory) {
      int saved = errno;
      close(at);
      errno = saved;
    }
    if (fd < 0 || last) return fd;
    at = fd;
    path += n + 1;
  }
}
