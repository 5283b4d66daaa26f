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
  bool no_wipe_on_fork;    // as on an old kernel
  bool obeys_any_advice;   // as emulators do
  bool no_memory;          // mmap(2) fails
  size_t seedings;         // calls of tn_random_system()
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
  if (fake.obeys_any_advice) return 0;
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

// Seeds that a test can know: the number of the seeding, in every byte.
static tn_result fake_system(uint8_t *out, size_t n) {
  fake.seedings++;
  memset(out, (int)fake.seedings, n);
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

static void the_stream_is_chacha20_under_the_seed(void **state) {
  (void)state;
  static const uint32_t nonce[3] = {0};
  uint32_t key[8], direct_key[8];
  uint8_t stream[BUFFER_LEN], want[640], got[640];
  draw(got, 100);
  memset(key, 1, sizeof key);
  tn_chacha20_blocks(key, 0, nonce, stream, BUFFER_LEN / 64);
  assert_memory_equal(got, stream + 32, 100);

  // A request past the buffer: the next 32 bytes are the key of its own stream; its last bytes come after.
  draw(got, 640 - 3);
  memcpy(direct_key, stream + 132, 32);
  tn_chacha20_blocks(direct_key, 0, nonce, want, 10);
  assert_memory_equal(got, want, 576);
  assert_memory_equal(got + 576, stream + 164, 61);

  // The rest of the buffer, then the first of the next, whose key is the first 32 bytes of this one.
  draw(got, BUFFER_LEN - 225 - 50);
  assert_memory_equal(got, stream + 225, BUFFER_LEN - 225 - 50);
  draw(got, 100);
  assert_memory_equal(got, stream + BUFFER_LEN - 50, 50);
  memcpy(key, stream, 32);
  tn_chacha20_blocks(key, 0, nonce, stream, BUFFER_LEN / 64);
  assert_memory_equal(got + 50, stream + 32, 50);
  assert_int_equal(fake.seedings, 1);
}

static void nothing_handed_out_is_kept(void **state) {
  (void)state;
  uint8_t out[48];
  for (int i = 0; i < 100; i++) {
    draw(out, sizeof out);
    for (size_t at = 0; at < BUFFER_LEN - mine->left; at++) assert_int_equal(mine->buffer[at], 0);
    const uint8_t *p = (const uint8_t *)mine;
    for (size_t at = 0; at + 16 <= sizeof *mine; at++) assert_memory_not_equal(p + at, out + 32, 16);
  }
}

static void the_key_is_erased_by_each_refill(void **state) {
  (void)state;
  uint8_t out[BUFFER_LEN];
  draw(out, 1);
  for (int i = 0; i < 5; i++) {
    uint32_t before[8];
    memcpy(before, mine->key, sizeof before);
    const uint8_t *p = (const uint8_t *)mine;
    draw(out, 200);
    draw(out, 200);
    draw(out, 200);
    for (size_t at = 0; at + 32 <= sizeof *mine; at++) assert_memory_not_equal(p + at, before, 32);
  }
}

static void small_and_large_requests_reseed_in_time(void **state) {
  (void)state;
  static uint8_t out[5 << 20];
  static const struct {
    size_t request, times, seedings;
  } cases[] = {{200, (5 << 20) / 200, 5}, {1 << 20, 5, 5}, {5 << 20, 1, 5}, {1, 1000, 1}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    set_up(NULL);
    for (size_t n = 0; n < cases[i].times; n++) draw(out, cases[i].request);
    assert_in_range(fake.seedings, cases[i].seedings, cases[i].seedings + 1);
  }
}

static void a_reseeding_keeps_what_was_in_the_key(void **state) {
  (void)state;
  uint8_t out[16];
  draw(out, sizeof out);
  uint32_t before[8], second[8];
  memcpy(before, mine->key, sizeof before);
  memset(second, 2, sizeof second);
  assert_ok(seed(mine));
  for (size_t i = 0; i < 8; i++) assert_int_equal(mine->key[i], before[i] ^ second[i]);
  assert_int_equal(mine->left, 0);
}

static void unseeded_it_fails_and_seeded_it_never_does(void **state) {
  (void)state;
  static uint8_t out[1 << 20];
  fake.no_random = true;
  memset(out, 0x55, 32);
  assert_fails(tn_random(NULL, out, 32), NO_RANDOM);
  for (size_t i = 0; i < 32; i++) assert_int_equal(out[i], 0);
  assert_fails(tn_random(NULL, out, 32), NO_RANDOM);

  fake.no_random = false;
  draw(out, 32);
  fake.no_random = true;
  const size_t before = fake.seedings;
  for (size_t i = 0; i < 3; i++) draw(out, sizeof out);
  draw(out, 32);
  assert_true(fake.seedings > before);
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

typedef enum { WIPES, OLD_KERNEL, EMULATOR } kernel;

// Returns what the child has to say: 0 is good.
static int in_child(int (*run)(void)) {
  pid_t pid = fork();
  if (pid == 0) _exit(run());
  int status;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static int child_seeds_itself(void) {
  uint8_t out[32];
  const size_t before = fake.seedings;
  if (!mine->compares_pid) {
    for (size_t i = 0; i < sizeof *mine; i++)
      if (((const uint8_t *)mine)[i] != 0) return 1;
  }
  if (!tn_ok(tn_random(NULL, out, 1)) || fake.seedings != before + 1) return 2;
  if (!tn_ok(tn_random(NULL, out, 1)) || fake.seedings != before + 1) return 3;
  return 0;
}

static int child_without_system_fails(void) {
  uint8_t out[32];
  fake.no_random = true;
  for (int i = 0; i < 3; i++)
    if (tn_ok(tn_random(NULL, out, sizeof out))) return 1;
  return 0;
}

static void a_child_seeds_itself_on_any_kernel(void **state) {
  (void)state;
  for (kernel k = WIPES; k <= EMULATOR; k++) {
    set_up(NULL);
    fake.no_wipe_on_fork = k == OLD_KERNEL;
    fake.obeys_any_advice = k == EMULATOR;
    uint8_t out[32];
    draw(out, sizeof out);
    if (k != WIPES) assert_true(mine->compares_pid);
    assert_int_equal(in_child(child_seeds_itself), 0);
    assert_int_equal(in_child(child_without_system_fails), 0);
    assert_int_equal(fake.seedings, 1);
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
      cmocka_unit_test_setup(the_stream_is_chacha20_under_the_seed, set_up),
      cmocka_unit_test_setup(nothing_handed_out_is_kept, set_up),
      cmocka_unit_test_setup(the_key_is_erased_by_each_refill, set_up),
      cmocka_unit_test_setup(small_and_large_requests_reseed_in_time, set_up),
      cmocka_unit_test_setup(a_reseeding_keeps_what_was_in_the_key, set_up),
      cmocka_unit_test_setup(unseeded_it_fails_and_seeded_it_never_does, set_up),
      cmocka_unit_test_setup(without_memory_the_system_answers, set_up),
      cmocka_unit_test_setup(a_child_seeds_itself_on_any_kernel, set_up),
      cmocka_unit_test_setup(the_end_of_a_thread_wipes_its_generator, set_up),
      cmocka_unit_test_setup(once_unloaded_no_generator_is_made, set_up),  // last: it is for good
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
