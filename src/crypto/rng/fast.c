// The library's own generator, one per thread: ChaCha20 with fast key erasure (D. J. Bernstein,
// "Fast-key-erasure random-number generators", 2017), into whose key every request mixes 256 fresh bits of the
// system's. What was handed out cannot be computed again from what is kept; and nothing can be computed from it ahead,
// so that two copies of it (a forked child's, the clone's of a virtual machine, those of a snapshot that is restored
// twice) go apart at once, whether or not anything told this process. Only a copy that is made while a request is
// served repeats that one.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "crypto/aead/chacha20.h"
#include "crypto/rng/rng.h"

#define KEY_LEN 32
#define REQUEST_LEN ((size_t)1 << 30)  // one key's blocks have 32-bit numbers: longer requests are several

// In pages of its own that the kernel wipes in the child of a fork.
typedef struct generator {
  uint32_t key[KEY_LEN / 4];
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
  // Where the kernel knows no such advice, the key is in core dumps and in children, where it is worth no more than
  // any other that fresh bits are mixed into.
#if defined(MADV_DONTDUMP)
  madvise(g, sizeof *g, MADV_DONTDUMP);
#endif
#if defined(MADV_WIPEONFORK)
  madvise(g, sizeof *g, MADV_WIPEONFORK);
#endif
  return mine = g;
}

// ---------------------------------------------------------------- the generator

// Either of the two alone, the key or the system's bits, keeps the output secret. Without the latter it is not given:
// this may be a copy.
static tn_result mix(generator *g) {
  uint32_t fresh[KEY_LEN / 4];
  TN_TRY(tn_random_system((uint8_t *)fresh, sizeof fresh));
  for (size_t i = 0; i < KEY_LEN / 4; i++) g->key[i] ^= fresh[i];
  tn_wipe(fresh, sizeof fresh);
  return tn_success();
}

// One request: the key stream's first KEY_LEN bytes become the next key. Every key is used once, so the nonce need not
// vary.
static tn_result serve(generator *g, uint8_t *out, size_t n) {
  static const uint32_t nonce[3] = {0};
  uint8_t first[TN_CHACHA20_BLOCK], last[TN_CHACHA20_BLOCK];
  TN_TRY(mix(g));
  tn_chacha20_blocks(g->key, 0, nonce, first, 1);
  const size_t from_first = n < sizeof first - KEY_LEN ? n : sizeof first - KEY_LEN;
  const size_t whole = (n - from_first) / sizeof last, rest = (n - from_first) % sizeof last;
  memcpy(out, first + KEY_LEN, from_first);
  out += from_first;
  tn_chacha20_blocks(g->key, 1, nonce, out, whole);
  out += whole * sizeof last;
  if (rest != 0) {
    tn_chacha20_blocks(g->key, 1 + (uint32_t)whole, nonce, last, 1);
    memcpy(out, last, rest);
    tn_wipe(last, sizeof last);
  }
  memcpy(g->key, first, KEY_LEN);
  tn_wipe(first, sizeof first);
  tn_wipe_stack();  // the key is erased everywhere
  return tn_success();
}

static tn_result fill(void *ctx, uint8_t *out, size_t n) {
  (void)ctx;
  generator *g = own();
  if (g == NULL) return tn_random_system(out, n);
  while (n != 0) {
    const size_t piece = n < REQUEST_LEN ? n : REQUEST_LEN;
    TN_TRY(serve(g, out, piece));
    out += piece;
    n -= piece;
  }
  return tn_success();
}

const tn_rng tn_rng_fast = {fill, NULL};
