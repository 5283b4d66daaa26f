// What tests share: cmocka, vector files, hex, and a deterministic generator.
#ifndef TN_TESTS_SUPPORT_H
#define TN_TESTS_SUPPORT_H

// cmocka.h asks for these four before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/rng/rng.h"
#include "tenon/base.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

// Asserts that a tn_result is a success, or names the reason.
#define assert_ok(call)                                                                 \
  do {                                                                                  \
    tn_result assert_r_ = (call);                                                       \
    if (!tn_ok(assert_r_)) fail_msg("%s: %s", #call, tn_reason_text(assert_r_.reason)); \
  } while (0)
// Asserts a failure for this reason (the part of TN_E_ after the prefix).
#define assert_fails(call, name)                                                         \
  do {                                                                                   \
    tn_result assert_r_ = (call);                                                        \
    if (assert_r_.reason != TN_E_##name)                                                 \
      fail_msg("%s: wanted %s, got %s", #call, #name, tn_reason_name(assert_r_.reason)); \
  } while (0)

// Bytes that the test owns. Freed by bytes_free(); `p` is never NULL, even for n = 0.
typedef struct bytes {
  uint8_t *p;
  size_t n;
} bytes;

bytes bytes_from_hex(const char *hex);  // blanks allowed; fails the test on anything else
void bytes_free(bytes *b);
static inline tn_span bytes_span(bytes b) { return (tn_span){b.p, b.n}; }
// The hex string that object[key] holds; fails the test when it is missing.
bytes json_hex(const json_t *object, const char *key);

// The whole path of a file below ../shared/vectors; skips the running test where the folder is absent.
void vectors_path(const char *path, char *full, size_t room);
// A JSON file below ../shared/vectors, e.g. "wycheproof/aes_gcm_test.json"; skips the running test where
// the folder is absent, fails it where the file is broken. json_decref() it.
json_t *vectors_load(const char *path);

// Fails the test if a vector register holds anything above its low 128 bits, or if one that only AVX-512 has holds
// anything, at the CPU level that is tested. Ask right after the call in question: copying and comparing change
// registers, though the C library leaves no upper half behind.
void assert_upper_vectors_wiped(void);

// A generator that gives the same bytes for the same seed.
typedef struct test_rng {
  uint64_t state;
} test_rng;
uint64_t test_rng_next(test_rng *r);
void test_rng_bytes(test_rng *r, void *out, size_t n);
// As a tn_rng for the library. `r` lives as long as it is used.
tn_rng test_rng_as_rng(test_rng *r);

#endif
