// The random floor from inside, with a system that fails as told.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/support.h"

static struct {
  int getrandom_error;     // what getrandom(2) fails with
  int interruptions;       // how often a call is interrupted first
  bool gives_little;       // a byte a call
  bool no_devices;         // open(2) fails
  bool no_random;          // tn_random_system() fails
  bool same_random;        // tn_random_system() gives the same again and again
  bool no_wipe_on_fork;    // as on an old kernel
  bool no_memory;          // mmap(2) fails
  size_t draws;            // calls of tn_random_system()
  size_t unmapped, dirty;  // pages given back, and those that were not all zero
  bool device_read;
} fake;

static bool interrupted(void) {
  if (fake.interruptions == 0) return false;
  fake.interruptions--;
  errno = EINTR;
  return true;
}

static ssize_t fake_getrandom(void *out, size_t n, unsigned flags) {
  if (interrupted()) return -1;
  if (fake.getrandom_error != 0) {
    errno = fake.getrandom_error;
    return -1;
  }
  return getrandom(out, fake.gives_little ? 1 : n, flags);
}

static ssize_t fake_read(int fd, void *out, size_t n) {
  fake.device_read = true;
  return interrupted() ? -1 : read(fd, out, fake.gives_little ? 1 : n);
}

static int fake_poll(struct pollfd *fds, nfds_t n, int timeout) { return interrupted() ? -1 : poll(fds, n, timeout); }

static int fake_open(const char *path, int flags) {
  if (fake.no_devices) {
    errno = EMFILE;
    return -1;
  }
  return open(path, flags);
}

static int fake_madvise(void *p, size_t n, int advice) {
  if (fake.no_wipe_on_fork && advice == MADV_WIPEONFORK) return -1;
  return madvise(p, n, advice);
}

static void *fake_mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset) {
  return fake.no_memory ? MAP_FAILED : mmap(at, n, protection, flags, fd, offset);
}

static int fake_munmap(void *p, size_t n) {
  bool clean = true;
  for (size_t i = 0; i < n; i++) clean = clean && ((uint8_t *)p)[i] == 0;
  fake.unmapped++;
  fake.dirty += !clean;
  return munmap(p, n);
}

#define getrandom fake_getrandom
#define read fake_read
#define poll(fds, n, timeout) fake_poll(fds, n, timeout)
#define open fake_open
#include "crypto/rng/system.c"
#undef getrandom
#undef read
#undef poll
#undef open

// Bytes that a test can know: the number of the draw, in every byte.
static tn_result fake_system(uint8_t *out, size_t n) {
  fake.draws++;
  memset(out, fake.same_random ? 0xee : (int)fake.draws, n);
  return fake.no_random ? tn_fail(TN_E_NO_RANDOM) : tn_success();
}

#define madvise fake_madvise
#define mmap fake_mmap
#define munmap fake_munmap
#define tn_random_system fake_system
#include "crypto/rng/fast.c"
#undef madvise
#undef mmap
#undef munmap
#undef tn_random_system

// Each test begins with a sound system and a thread without a generator.
static int set_up(void **state) {
  (void)state;
  if (mine != NULL) {
    pthread_setspecific(at_thread_end, NULL);
    end(mine);
  }
  memset(&fake, 0, sizeof fake);
  return 0;
}

// ---------------------------------------------------------------- the system

static void assert_system_fills(size_t n) {
  uint8_t seen[1000] = {0}, out[1001];
  for (int round = 0; round < 8; round++) {
    memset(out, 0, sizeof out);
    assert_ok(tn_random_system(out, n));
    assert_int_equal(out[n], 0);
    for (size_t i = 0; i < n; i++) seen[i] |= out[i];
  }
  for (size_t i = 0; i < n; i++) assert_int_not_equal(seen[i], 0);
}

static void interruptions_and_short_answers_are_continued(void **state) {
  (void)state;
  fake.interruptions = 3;
  assert_system_fills(1000);
  assert_int_equal(fake.interruptions, 0);
  fake.gives_little = true;
  assert_system_fills(1000);
  assert_false(fake.device_read);
}

static void without_getrandom_the_device_is_read(void **state) {
  (void)state;
  static const int errors[] = {ENOSYS, EPERM};
  for (size_t i = 0; i < COUNT(errors); i++) {
    fake.getrandom_error = errors[i];
    fake.interruptions = 3;
    fake.device_read = false;
    assert_system_fills(1000);
    assert_true(fake.device_read);
  }
  fake.gives_little = true;
  assert_system_fills(100);
}

static void without_either_there_is_no_random(void **state) {
  (void)state;
  uint8_t out[8];
  fake.getrandom_error = ENOSYS;
  fake.no_devices = true;
  assert_fails(tn_random_system(out, sizeof out), NO_RANDOM);
}

static void devices_are_closed(void **state) {
  (void)state;
  fake.getrandom_error = ENOSYS;
  uint8_t out[8];
  int before = dup(0);
  close(before);
  for (int i = 0; i < 10; i++) assert_ok(tn_random_system(out, sizeof out));
  int after = dup(0);
  close(after);
  assert_int_equal(before, after);
}

// ---------------------------------------------------------------- the generator

static void draw(uint8_t *out, size_t n) { assert_ok(tn_rng_fast.fill(tn_rng_fast.ctx, out, n)); }

// Short of the first block's second half, that half, and with whole and broken blocks after it.
static const size_t lengths[] = {1, 16, 31, 32, 33, 64, 95, 96, 97, 160, 1000};

static void the_stream_is_chacha20_under_the_mixed_key(void **state) {
  (void)state;
  static const uint32_t nonce[3] = {0};
  uint32_t key[8] = {0};
  for (size_t i = 0; i < COUNT(lengths); i++) {
    uint8_t stream[1088], got[1002];
    for (size_t k = 0; k < 8; k++) key[k] ^= 0x01010101 * (uint32_t)(i + 1);
    tn_chacha20_blocks(key, 0, nonce, stream, sizeof stream / 64);
    memset(got, 0xa5, sizeof got);
    draw(got + 1, lengths[i]);
    assert_memory_equal(got + 1, stream + 32, lengths[i]);
    assert_int_equal(got[0], 0xa5);
    assert_int_equal(got[lengths[i] + 1], 0xa5);
    memcpy(key, stream, sizeof key);
    assert_memory_equal(mine->key, key, sizeof key);
  }
}

static void a_request_asks_the_system_once(void **state) {
  (void)state;
  static uint8_t out[5 << 20];
  draw(out, 0);
  assert_int_equal(fake.draws, 0);
  for (size_t i = 0; i < COUNT(lengths); i++) draw(out, lengths[i]);
  draw(out, sizeof out);
  assert_int_equal(fake.draws, COUNT(lengths) + 1);
}

// A virtual machine that is cloned, or a snapshot that is restored twice: the same memory goes on in two places.
static void two_clones_go_apart(void **state) {
  (void)state;
  uint8_t one[1000], other[1000];
  for (size_t i = 0; i < COUNT(lengths); i++) {
    draw(one, sizeof one);
    const generator snapshot = *mine;
    draw(one, lengths[i]);
    draw(one, sizeof one);
    *mine = snapshot;
    draw(other, lengths[i]);
    draw(other, sizeof other);
    // Not one word of the streams that follow is the same.
    for (size_t at = 0; at + 8 <= sizeof one; at++) assert_memory_not_equal(one + at, other + at, 8);
    assert_memory_not_equal(mine, &snapshot, sizeof snapshot);
  }
  for (size_t n = 16; n <= sizeof one; n += 41) {
    const generator snapshot = *mine;
    draw(one, n);
    *mine = snapshot;
    draw(other, n);
    assert_memory_not_equal(one, other, n);
  }
  // It is the system's bytes that set them apart.
  fake.same_random = true;
  const generator snapshot = *mine;
  draw(one, sizeof one);
  *mine = snapshot;
  draw(other, sizeof other);
  assert_memory_equal(one, other, sizeof one);
}

// A system that repeats itself does not make the generator do so.
static void the_key_alone_varies_the_stream(void **state) {
  (void)state;
  uint8_t seen[50][32];
  fake.same_random = true;
  for (size_t i = 0; i < COUNT(seen); i++) {
    draw(seen[i], sizeof seen[i]);
    for (size_t k = 0; k < i; k++) assert_memory_not_equal(seen[i], seen[k], sizeof seen[i]);
  }
}

static void nothing_handed_out_is_kept(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(lengths); i++) {
    if (lengths[i] < 16) continue;
    uint8_t out[1000];
    draw(out, lengths[i]);
    const uint8_t *p = (const uint8_t *)mine;
    for (size_t from = 0; from + 16 <= lengths[i]; from++)
      for (size_t at = 0; at + 16 <= sizeof *mine; at++) assert_memory_not_equal(p + at, out + from, 16);
  }
}

static void the_key_is_erased_by_each_request(void **state) {
  (void)state;
  uint8_t out[1000];
  draw(out, 1);
  for (size_t i = 0; i < COUNT(lengths); i++) {
    const generator before = *mine;
    generator mixed = before;
    draw(out, lengths[i]);
    for (size_t k = 0; k < 8; k++) mixed.key[k] ^= 0x01010101 * (uint32_t)fake.draws;
    for (size_t k = 0; k < 8; k++) {
      assert_int_not_equal(mine->key[k], before.key[k]);
      assert_int_not_equal(mine->key[k], mixed.key[k]);
    }
  }
}

// Early or late: bytes that no fresh ones are in are not given.
static void without_the_system_it_fails(void **state) {
  (void)state;
  uint8_t out[1000];
  for (int seeded = 0; seeded < 2; seeded++) {
    fake.no_random = true;
    for (size_t i = 0; i < COUNT(lengths); i++) {
      memset(out, 0x55, sizeof out);
      assert_fails(tn_random(NULL, out, lengths[i]), NO_RANDOM);
      for (size_t k = 0; k < lengths[i]; k++) assert_int_equal(out[k], 0);
    }
    fake.no_random = false;
    draw(out, sizeof out);
  }
}

static void without_memory_the_system_answers(void **state) {
  (void)state;
  uint8_t out[32], want[32];
  fake.no_memory = true;
  draw(out, sizeof out);
  memset(want, 1, sizeof want);
  assert_memory_equal(out, want, sizeof want);
  fake.no_random = true;
  assert_fails(tn_random(NULL, out, sizeof out), NO_RANDOM);
}

// ---------------------------------------------------------------- forks and threads

// Returns what the child has to say: 0 is good.
static int in_child(int (*run)(void)) {
  pid_t pid = fork();
  if (pid == 0) _exit(run());
  int status;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static bool wiped;
static uint8_t parents[32];  // what the parent drew after its child was born; the child draws as many times

static int child_goes_its_own_way(void) {
  uint8_t out[32], zeros[sizeof *mine] = {0};
  if ((memcmp(mine, zeros, sizeof zeros) == 0) != wiped) return 1;
  fake.draws += 100;  // another kernel call, other bytes
  if (!tn_ok(tn_random(NULL, out, sizeof out))) return 2;
  return memcmp(out, parents, sizeof out) == 0 ? 3 : 0;
}

static int child_without_system_fails(void) {
  uint8_t out[32];
  fake.no_random = true;
  for (int i = 0; i < 3; i++)
    if (tn_ok(tn_random(NULL, out, sizeof out))) return 1;
  return 0;
}

static void a_child_goes_its_own_way_on_any_kernel(void **state) {
  (void)state;
  for (int old_kernel = 0; old_kernel < 2; old_kernel++) {
    set_up(NULL);
    fake.no_wipe_on_fork = old_kernel;
    wiped = !old_kernel;
    uint8_t out[32];
    draw(out, sizeof out);
    const generator before = *mine;
    draw(parents, sizeof parents);
    *mine = before;
    assert_int_equal(in_child(child_goes_its_own_way), 0);
    assert_int_equal(in_child(child_without_system_fails), 0);
  }
}

static void *draw_once(void *out) {
  draw(out, 32);
  return NULL;
}

static void the_end_of_a_thread_wipes_its_generator(void **state) {
  (void)state;
  for (size_t i = 1; i <= 3; i++) {
    pthread_t thread;
    uint8_t out[32];
    assert_int_equal(pthread_create(&thread, NULL, draw_once, out), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(fake.unmapped, i);
    assert_int_equal(fake.dirty, 0);
  }
  assert_null(mine);
}

// After unloading, the library's destructor is gone: nothing may be left for it to do.
static void once_unloaded_no_generator_is_made(void **state) {
  (void)state;
  uint8_t out[32], want[32];
  draw(out, sizeof out);
  unload();
  assert_int_equal(fake.unmapped, 1);
  assert_int_equal(fake.dirty, 0);
  draw(out, sizeof out);
  memset(want, 2, sizeof want);
  assert_memory_equal(out, want, sizeof want);
  assert_null(mine);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(interruptions_and_short_answers_are_continued, set_up),
      cmocka_unit_test_setup(without_getrandom_the_device_is_read, set_up),
      cmocka_unit_test_setup(without_either_there_is_no_random, set_up),
      cmocka_unit_test_setup(devices_are_closed, set_up),
      cmocka_unit_test_setup(the_stream_is_chacha20_under_the_mixed_key, set_up),
      cmocka_unit_test_setup(a_request_asks_the_system_once, set_up),
      cmocka_unit_test_setup(two_clones_go_apart, set_up),
      cmocka_unit_test_setup(the_key_alone_varies_the_stream, set_up),
      cmocka_unit_test_setup(nothing_handed_out_is_kept, set_up),
      cmocka_unit_test_setup(the_key_is_erased_by_each_request, set_up),
      cmocka_unit_test_setup(without_the_system_it_fails, set_up),
      cmocka_unit_test_setup(without_memory_the_system_answers, set_up),
      cmocka_unit_test_setup(a_child_goes_its_own_way_on_any_kernel, set_up),
      cmocka_unit_test_setup(the_end_of_a_thread_wipes_its_generator, set_up),
      cmocka_unit_test_setup(once_unloaded_no_generator_is_made, set_up),  // last: it is for good
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
