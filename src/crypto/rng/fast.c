// The library's own generator, one per thread: ChaCha20 with fast key erasure (D. J. Bernstein,
// "Fast-key-erasure random-number generators", 2017). What was handed out cannot be computed again
// from what is kept.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "crypto/aead/chacha20.h"
#include "crypto/rng/rng.h"

#define BUFFER_LEN (8 * TN_CHACHA20_BLOCK)
#define KEY_LEN 32
#define DIRECT_LEN 256                // requests of this length and more bypass the buffer
#define RESEED_LEN ((size_t)1 << 20)  // bytes handed out between two reseedings

// In pages of its own that the kernel wipes in the child of a fork: there it is all zero, so not seeded.
typedef struct generator {
  uint32_t key[KEY_LEN / 4];
  uint8_t buffer[BUFFER_LEN];
  size_t left;        // the bytes at the end of buffer that were not handed out
  size_t handed_out;  // bytes since the last reseeding
  bool seeded;
  bool compares_pid;  // the kernel does not wipe: `pid` tells
  pid_t pid;          // the process that seeded it
} generator;

static _Thread_local generator *mine;

// ---------------------------------------------------------------- a thread's generator

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t at_thread_end;
static atomic_bool have_key;

static void end(void *g) {
  tn_wipe(g, sizeof(generator));
  munmap(g, sizeof(generator));
  mine = NULL;
}

static void make_key(void) { have_key = pthread_key_create(&at_thread_end, end) == 0; }

// The library may be unloaded while threads that used it live on: they must not call end() then.
__attribute__((destructor)) static void unload(void) {
  if (!atomic_exchange(&have_key, false)) return;
  pthread_key_delete(at_thread_end);
  if (mine != NULL) end(mine);
}

static bool wiped_on_fork(void *pages, size_t n) {
#if defined(MADV_WIPEONFORK)
  // Emulators exist that say yes to any advice and follow none.
  return madvise(pages, n, -1) != 0 && madvise(pages, n, MADV_WIPEONFORK) == 0;
#else
  (void)pages, (void)n;
  return false;
#endif
}

// NULL if there is no memory, or nothing that would wipe it when the thread ends.
static generator *own(void) {
  if (mine != NULL) return mine;
  pthread_once(&once, make_key);
  if (!have_key) return NULL;
  generator *g = mmap(NULL, sizeof *g, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (g == MAP_FAILED) return NULL;
  if (pthread_setspecific(at_thread_end, g) != 0) {
    munmap(g, sizeof *g);
    return NULL;
  }
#if defined(MADV_DONTDUMP)
  madvise(g, sizeof *g, MADV_DONTDUMP);
#endif
  g->compares_pid = !wiped_on_fork(g, sizeof *g);
  return mine = g;
}

// ---------------------------------------------------------------- the generator

// Mixes 256 bits of the system's into the key, so that either alone keeps the output secret.
static tn_result seed(generator *g) {
  uint32_t fresh[KEY_LEN / 4];
  g->handed_out = 0;
  tn_result r = tn_random_system((uint8_t *)fresh, sizeof fresh);
  if (!tn_ok(r)) return r;
  for (size_t i = 0; i < KEY_LEN / 4; i++) g->key[i] ^= fresh[i];
  tn_wipe(fresh, sizeof fresh);
  tn_wipe(g->buffer, sizeof g->buffer);
  g->left = 0;
  g->pid = g->compares_pid ? getpid() : 0;
  g->seeded = true;
  return tn_success();
}

static bool needs_seed(const generator *g) { return !g->seeded || (g->compares_pid && g->pid != getpid()); }

// Every key is used once, so the nonce need not vary.
static void key_stream(const uint32_t key[KEY_LEN / 4], uint8_t *out, size_t n_blocks) {
  static const uint32_t nonce[3] = {0};
  tn_chacha20_blocks(key, 0, nonce, out, n_blocks);
  tn_wipe_stack();  // the key is erased everywhere
}

// A new buffer, whose first bytes become the next key.
static void refill(generator *g) {
  key_stream(g->key, g->buffer, BUFFER_LEN / TN_CHACHA20_BLOCK);
  memcpy(g->key, g->buffer, KEY_LEN);
  tn_wipe(g->buffer, KEY_LEN);
  g->left = BUFFER_LEN - KEY_LEN;
}

static void take(generator *g, uint8_t *out, size_t n) {
  while (n != 0) {
    if (g->left == 0) refill(g);
    uint8_t *from = g->buffer + BUFFER_LEN - g->left;
    const size_t fits = n < g->left ? n : g->left;
    memcpy(out, from, fits);
    tn_wipe(from, fits);
    g->left -= fits;
    out += fits;
    n -= fits;
  }
}

// The key stream of a key of its own, straight into `out`.
static void take_direct(generator *g, uint8_t *out, size_t n_blocks) {
  uint32_t key[KEY_LEN / 4];
  take(g, (uint8_t *)key, sizeof key);
  key_stream(key, out, n_blocks);
  tn_wipe(key, sizeof key);
}

// Reseeds in time for n more bytes. If the system has none, the generator goes on as it is.
static void account(generator *g, size_t n) {
  if (g->handed_out + n > RESEED_LEN) seed(g);
  g->handed_out += n;
}

static tn_result fill(void *ctx, uint8_t *out, size_t n) {
  (void)ctx;
  generator *g = own();
  if (g == NULL) return tn_random_system(out, n);
  if (needs_seed(g)) TN_TRY(seed(g));
  while (n >= DIRECT_LEN) {
    const size_t n_blocks = (n < RESEED_LEN ? n : RESEED_LEN) / TN_CHACHA20_BLOCK;
    const size_t taken = n_blocks * TN_CHACHA20_BLOCK;
    account(g, taken);
    take_direct(g, out, n_blocks);
    out += taken;
    n -= taken;
  }
  account(g, n);
  take(g, out, n);
  return tn_success();
}

const tn_rng tn_rng_fast = {fill, NULL};
