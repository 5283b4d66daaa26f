// Opening MAC-then-encrypt executes the same instructions in the same order for all fragments of one length, whatever
// their padding and whether it or the MAC is right: the processor's trap flag stops it after each. (Valgrind watches
// the addresses that it reads: tests/ct/ct_cbc_hmac.c.)
#if defined(__linux__) && defined(__x86_64__)

#define _GNU_SOURCE
#include <signal.h>
#include <ucontext.h>

#include "base/cpu.h"
#include "base/mem.h"
#include "crypto/cbc_hmac_oracle.h"

static const struct {
  size_t padding;
  oddity odd;  // but for the blocks of padding
} cases[] = {
    {0, {0}},           {100, {0}},         {255, {0}},          // right
    {0, {0, 0, 0xff}},  {7, {0, 0, 1}},     {255, {0, 0, 1}},    // a wrong padding length
    {1, {0, 1, 0x80}},  {100, {0, 50, 4}},  {255, {0, 255, 1}},  // wrong padding
    {0, {0, 20, 0x80}}, {100, {0, 105, 4}}, {255, {0, 256, 4}},  // a wrong MAC
};

// What was executed: up to the last wiping of the stack, which comes before the verdict; from there on it may show.
typedef struct trace {
  uint64_t hash;
  uint64_t count;
} trace;
static volatile trace now, kept;

static void step(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info;
  const uintptr_t at = (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
  if (at == (uintptr_t)tn_wipe_stack) kept = now;
  now.hash = (now.hash ^ at) * 0x100000001b3;
  now.count++;
}

// Set and clear the trap flag, bit 8 of RFLAGS; below the red zone.
static inline void begin(void) {
  now = (trace){0xcbf29ce484222325, 0};
  __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushf\n\torq $0x100, (%%rsp)\n\tpopf\n\tlea 128(%%rsp), %%rsp" ::
                       : "cc", "memory");
}
static inline void end(void) {
  __asm__ volatile("lea -128(%%rsp), %%rsp\n\tpushf\n\tandq $~0x100, (%%rsp)\n\tpopf\n\tlea 128(%%rsp), %%rsp" ::
                       : "cc", "memory");
}

static void compare(const tn_cbc_hmac *pair, size_t len) {
  static uint8_t text[1024], fragment[1024], out[1024];
  test_rng rng = {1};
  test_rng_bytes(&rng, text, sizeof text);
  const oracle o = oracle_of(&rng, pair, true, false);
  const size_t block_len = pair->cipher->block_len;
  // Without AES-NI a record takes ten times the steps; and the steps beyond AES are the same at all levels.
  const size_t stride = tn_cpu_has(TN_CPU_AESNI) ? 1 : 4;
  trace first = {0, 0};
  for (size_t i = 0; i < COUNT(cases); i += stride) {
    oracle seals = o;
    oddity odd = cases[i].odd;
    odd.more = cases[i].padding / block_len;
    const size_t n = len - pair->hash->digest_len - 1 - cases[i].padding;
    const size_t fragment_len = oracle_seal(&seals, text, n, odd, fragment);
    assert_int_equal(fragment_len, block_len + len);
    tn_cbc_hmac_key key = oracle_key(&o);
    size_t text_len;
    const tn_span from = {fragment, fragment_len};
    const tn_mspan to = {out, sizeof out};
    // The very first call binds symbols besides.
    if (i == 0) assert_ok(tn_cbc_hmac_open(&key, &o.record, from, to, &text_len));
    begin();
    const tn_result r = tn_cbc_hmac_open(&key, &o.record, from, to, &text_len);
    end();
    assert_int_equal(tn_ok(r), odd.change == 0);
    const trace t = kept;
    if (i == 0) first = t;
    if (t.count != first.count || t.hash != first.hash)
      fail_msg("%s: padding %zu, byte %zu from the end changed by %u: %llu instructions, not %llu, or others",
               pair->name, cases[i].padding, odd.at, odd.change, (unsigned long long)t.count,
               (unsigned long long)first.count);
  }
  assert_true(first.count > 1000);
  print_message("%s, %zu bytes: %llu instructions\n", pair->name, len, (unsigned long long)first.count);
}

static void every_fragment_takes_the_same_steps(void **state) {
  (void)state;
  struct sigaction action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};
  assert_int_equal(sigaction(SIGTRAP, &action, NULL), 0);
  compare(&tn_aes_128_cbc_hmac_sha1, 320);
  compare(&tn_aes_128_cbc_hmac_sha256, 320);
  compare(&tn_aes_256_cbc_hmac_sha384, 336);
}

int main(void) {
#if defined(__SANITIZE_ADDRESS__)
  return 77;  // other code than what is installed
#endif
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_fragment_takes_the_same_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
int main(void) { return 77; }
#endif
