// The system's generator: getrandom(2), which waits until the kernel's pool is ready and cannot run
// out of descriptors; /dev/urandom where a kernel or a sandbox does not offer it.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/random.h>
#include <unistd.h>

#include "crypto/rng/rng.h"

#define CHUNK ((size_t)1 << 20)  // getrandom(2) gives 2^25 - 1 bytes at most; less lets signals in

// Waits for /dev/random to become readable, once, which says that /dev/urandom has been seeded.
static bool wait_for_pool(void) {
  struct pollfd pool = {.fd = open("/dev/random", O_RDONLY | O_CLOEXEC), .events = POLLIN};
  if (pool.fd < 0) return false;
  int ready;
  do ready = poll(&pool, 1, -1);
  while (ready < 0 && errno == EINTR);
  close(pool.fd);
  return ready == 1;
}

static tn_result read_urandom(uint8_t *out, size_t n) {
  TN_ENSURE(wait_for_pool(), TN_E_NO_RANDOM);
  int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  TN_ENSURE(fd >= 0, TN_E_NO_RANDOM);
  while (n != 0) {
    ssize_t got = read(fd, out, n < CHUNK ? n : CHUNK);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    out += got;
    n -= (size_t)got;
  }
  close(fd);
  return n == 0 ? tn_success() : tn_fail(TN_E_NO_RANDOM);
}

tn_result tn_random_system(uint8_t *out, size_t n) {
  while (n != 0) {
    ssize_t got = getrandom(out, n < CHUNK ? n : CHUNK, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return read_urandom(out, n);
    out += got;
    n -= (size_t)got;
  }
  return tn_success();
}
