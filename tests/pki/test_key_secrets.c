#define _GNU_SOURCE
// What reading and writing a private key leaves behind: nothing of it on the stack, which is searched after each, and
// nothing in memory that was given back, which the allocator looks at.
#include <ucontext.h>

#include "pki/key.h"
#include "pki_support.h"
#include "support/rsa_key.h"

#define STACK_LEN (256 * 1024)

static _Alignas(64) uint8_t stack[STACK_LEN];
static ucontext_t here, there;

static void on_stack(void (*run)(void)) {
  memset(stack, 0, sizeof stack);
  assert_int_equal(getcontext(&there), 0);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = sizeof stack;
  there.uc_link = &here;
  makecontext(&there, run, 0);
  assert_int_equal(swapcontext(&here, &there), 0);
}

// Whether four bytes of the secret in a row stand in the memory.
static bool found(const uint8_t *memory, size_t n, tn_span secret) {
  for (size_t i = 0; i + 4 <= secret.n; i++) {
    const uint8_t *at = memmem(memory, n, secret.p + i, 4);
    if (at == NULL) continue;
    print_error("bytes %zu to %zu of %zu stand at %zu of %zu\n", i, i + 3, secret.n, (size_t)(at - memory), n);
    return true;
  }
  return false;
}

// ---------------------------------------------------------------- an allocator that looks at what it gets back

static size_t unwiped;

static void *allocate(void *ctx, size_t n) {
  (void)ctx;
  return malloc(n);
}

static void release(void *ctx, void *p, size_t n) {
  (void)ctx;
  for (size_t i = 0; i < n; i++) unwiped += ((const uint8_t *)p)[i] != 0;
  free(p);
}

static const tn_allocator watchful = {allocate, release, NULL};

// ---------------------------------------------------------------- what is done with a key

static tn_key *key;
static uint8_t der[2000], text[3000];
static size_t der_len, text_len;
static bool good;

static void decode(void) {
  tn_span in = tn_span_of(text, text_len), label, body;
  uint8_t *out = der;
  good = tn_ok(tn_pem_next(&in, NULL, &label, &body));
  size_t n = sizeof der;
  good = good && tn_ok(tn_pem_decode(body, out, &n)) && n == der_len;
}

static void encode(void) {
  size_t n = sizeof text;
  good = tn_ok(tn_pem_encode("PRIVATE KEY", tn_span_of(der, der_len), text, &n)) && n == text_len;
}

static void to_pkcs8(void) {
  size_t n = sizeof der;
  good = tn_ok(tn_key_to_pkcs8(key, der, &n));
}

static void to_sec1(void) {
  size_t n = sizeof der;
  good = tn_ok(tn_key_to_sec1(key, der, &n));
}

static void to_pkcs1(void) {
  size_t n = sizeof der;
  good = tn_ok(tn_key_to_pkcs1(key, der, &n));
}

static void copy(void) {
  tn_key *other = NULL;
  good = tn_ok(tn_key_copy(&watchful, key, &other));
  tn_key_free(other);
}

static void parse_text(void) {
  tn_key *parsed = NULL;
  good = tn_ok(tn_key_parse(&watchful, tn_span_of(text, text_len), &parsed));
  tn_key_free(parsed);
}

static void parse_der(void) {
  tn_key *parsed = NULL;
  good = tn_ok(tn_key_parse(&watchful, tn_span_of(der, der_len), &parsed));
  tn_key_free(parsed);
}

// A text that breaks off after the secret.
static void parse_broken(void) {
  uint8_t broken[sizeof text];
  tn_key *parsed = NULL;
  memcpy(broken, text, text_len);
  memset(memmem(broken, text_len, "-----END", 8) - 8, '*', 1);
  tn_result r = tn_key_parse(&watchful, tn_span_of(broken, text_len), &parsed);
  tn_wipe(broken, sizeof broken);
  good = r.reason == TN_E_PEM && parsed == NULL;
}

static void nothing_of_a_key_stays_behind(void **state) {
  (void)state;
  void (*const steps[])(void) = {to_sec1, to_pkcs8, encode, decode, parse_text, parse_der, parse_broken};
  for (int round = 0; round < 8; round++) {
    assert_ok(tn_key_generate_p256(NULL, &key));
    der_len = sizeof der, text_len = sizeof text;
    assert_ok(tn_key_to_pkcs8(key, der, &der_len));
    assert_ok(tn_pem_encode("PRIVATE KEY", tn_span_of(der, der_len), text, &text_len));
    uint8_t scalar[32];
    memcpy(scalar, der + 36, sizeof scalar);  // PKCS#8's P-256: always there
    const tn_span letters = {text + strlen("-----BEGIN PRIVATE KEY-----\n") + 49, 15};
    for (size_t i = 0; i < COUNT(steps); i++) {
      good = false;
      on_stack(steps[i]);
      if (!good) fail_msg("step %zu", i);
      // The first round is the dynamic linker's, which saves all registers where it looks a function up.
      if (round == 0) continue;
      if (found(stack, sizeof stack, tn_span_of(scalar, sizeof scalar)) || found(stack, sizeof stack, letters))
        fail_msg("step %zu left a part of the key on the stack", i);
      assert_int_equal(unwiped, 0);
    }
    tn_key_free(key);
  }
}

// A prime of an RSA key, as it stands in the file and as a number in memory does.
static void nothing_of_an_rsa_key_stays_behind(void **state) {
  (void)state;
  void (*const steps[])(void) = {to_pkcs1, to_pkcs8, copy, encode, decode, parse_text, parse_der, parse_broken};
  static uint8_t number[sizeof rsa_key_p];
  for (size_t i = 0; i < sizeof number; i++) number[i] = rsa_key_p[sizeof number - 1 - i];
  key = calloc(1, sizeof *key);
  assert_ok(tn_secret_key_load_rsa(&key->secret, NULL, TN_KEY_RSA, rsa_key_parts));
  der_len = sizeof der, text_len = sizeof text;
  assert_ok(tn_key_to_pkcs8(key, der, &der_len));
  assert_ok(tn_pem_encode("PRIVATE KEY", tn_span_of(der, der_len), text, &text_len));
  const size_t at = (size_t)((uint8_t *)memmem(der, der_len, rsa_key_p, sizeof rsa_key_p) - der);
  // The line after the one that it begins in is its own: 48 bytes are 64 letters and a line's end.
  const tn_span letters = {text + strlen("-----BEGIN PRIVATE KEY-----\n") + (at / 48 + 1) * 65, 15};
  for (int round = 0; round < 2; round++)
    for (size_t i = 0; i < COUNT(steps); i++) {
      good = false;
      on_stack(steps[i]);
      if (!good) fail_msg("step %zu", i);
      if (round == 0) continue;
      if (found(stack, sizeof stack, tn_span_of(rsa_key_p, sizeof rsa_key_p)) ||
          found(stack, sizeof stack, tn_span_of(number, sizeof number)) || found(stack, sizeof stack, letters))
        fail_msg("step %zu left a part of the key on the stack", i);
      assert_int_equal(unwiped, 0);
    }
  tn_key_free(key);
}

// The last three bytes are what a decoder of base64 has in its hands at the end. So short a pattern may stand there by
// chance: only one that is found again with other bytes counts.
static void the_last_bytes_do_not_stay_either(void **state) {
  (void)state;
  static const uint8_t patterns[][3] = {{0xe7, 0x5a, 0xc3}, {0x9d, 0xb1, 0x6e}, {0x35, 0xd4, 0x8b}};
  bool stays = true;
  for (size_t i = 0; i < COUNT(patterns); i++) {
    for (size_t j = 0; j < 48; j++) der[j] = patterns[i][j % 3];
    der_len = 48, text_len = sizeof text;
    assert_ok(tn_pem_encode("X", tn_span_of(der, der_len), text, &text_len));
    for (int warm = 0; warm < 2; warm++) on_stack(decode);
    assert_true(good);
    stays = stays && memmem(stack, sizeof stack, patterns[i], 3) != NULL;
  }
  assert_false(stays);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_of_a_key_stays_behind),
                                     cmocka_unit_test(nothing_of_an_rsa_key_stays_behind),
                                     cmocka_unit_test(the_last_bytes_do_not_stay_either)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
