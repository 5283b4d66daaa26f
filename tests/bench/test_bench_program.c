// tenon-bench as a whole: every row is there, every output agreed, and bad usage is refused.
#include <openssl/evp.h>
#include <sys/wait.h>

#include "crypto/aead/aead.h"
#include "crypto/cbc_hmac/cbc_hmac.h"
#include "crypto/cipher/cipher.h"
#include "crypto/hash/hash.h"
#include "support/support.h"
#include "tls/suite.h"

// A row comes once for each size (one: at most 0 bytes, which is a row of operations) and peer.
typedef struct expectation {
  const json_t *rows;
  size_t n;      // rows expected so far
  bool mbedtls;  // it was there when tenon-bench was built
} expectation;

// Peers, as sums; 0: a row with none. KEM: OpenSSL where it has ML-KEM. FORM: two of OpenSSL's.
enum { OPENSSL = 1, MBEDTLS = 2, KEM = 4, FORM = 8 };

static const json_int_t all_sizes[] = {16, 64, 256, 1024, 1350, 4096, 16384, 65536};
static const json_int_t record_sizes[] = {64, 16384};
static const char *const drbg_hashes[] = {"sha1", "sha224", "sha256", "sha384", "sha512"};
static const char *const drbg_lives[] = {"no-reseed", "no-pr", "pr"};

// Runs the program and returns its exit status; its output goes to *text, which the caller frees.
static int run(const char *arguments, char **text) {
  char command[512];
  size_t length;
  int c;
  snprintf(command, sizeof command, "'%s' %s 2>&1", TENON_BENCH, arguments);
  FILE *to = open_memstream(text, &length), *from = popen(command, "r");
  assert_non_null(from);
  while ((c = getc(from)) != EOF) putc(c, to);
  fclose(to);
  const int status = pclose(from);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static double number(const json_t *row, const char *key) {
  const json_t *value = json_object_get(row, key);
  if (!json_is_number(value)) fail_msg("no number %s", key);
  return json_number_value(value);
}

static bool is_of(const json_t *row, const char *library) {
  const char *peer = json_string_value(json_object_get(row, "peer"));
  return peer != NULL && strncmp(peer, library, strlen(library)) == 0;
}

static bool is_alone(const json_t *row) { return json_is_null(json_object_get(row, "peer")); }

// OpenSSL's other ways: "OpenSSL 3.0.22 nist". Its stitched ciphers exist on some processors only.
static bool is_form(const json_t *row, const char *form) {
  const char *peer = json_string_value(json_object_get(row, "peer"));
  const char *ending = is_of(row, "OpenSSL ") ? strrchr(peer, ' ') : NULL;
  return ending != NULL && strcmp(ending + 1, form) == 0;
}

static bool openssl_has_mlkem(void) {
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "ML-KEM-768", NULL);
  EVP_PKEY_CTX_free(ctx);
  return ctx != NULL;
}

static void check_row(const json_t *row) {
  const bool sized = json_object_get(row, "size") != NULL;
  const json_t *cycles;
  const double ours = number(row, sized ? "bytes_per_s" : "ops_per_s");
  assert_true(json_is_true(json_object_get(row, "outputs_agree")));
  assert_true(ours > 0);
  if (is_alone(row)) {
    assert_null(json_object_get(row, "peer_ops_per_s"));
    assert_null(json_object_get(row, "ratio"));
  } else {
    assert_true(is_of(row, "OpenSSL ") || is_of(row, "Mbed TLS "));
    assert_true(number(row, sized ? "peer_bytes_per_s" : "peer_ops_per_s") > 0 && number(row, "ratio") > 0);
  }
  cycles = json_object_get(row, sized ? "cycles_per_byte" : "cycles_per_op");
  assert_true(json_is_null(cycles) || json_number_value(cycles) > 0);
}

// How many rows have this name, size (0: none) and kind of peer (NULL: none).
static size_t count(const json_t *rows, const char *name, json_int_t size, const char *library) {
  size_t found = 0, i;
  json_t *row;
  json_array_foreach(rows, i, row) {
    found += strcmp(json_string_value(json_object_get(row, "name")), name) == 0 &&
             json_integer_value(json_object_get(row, "size")) == size &&
             (library == NULL ? is_alone(row) : is_of(row, library) && !is_form(row, "stitched"));
  }
  return found;
}

static void expect_one(expectation *e, const char *name, json_int_t size, int peers) {
  if (!e->mbedtls) peers &= ~MBEDTLS;
  if ((peers & KEM) && openssl_has_mlkem()) peers |= OPENSSL;
  const size_t openssl = (peers & OPENSSL ? 1 : 0) + (peers & FORM ? 1 : 0), mbedtls = peers & MBEDTLS ? 1 : 0;
  const size_t alone = openssl + mbedtls == 0;
  if (count(e->rows, name, size, "OpenSSL ") != openssl || count(e->rows, name, size, "Mbed TLS ") != mbedtls ||
      count(e->rows, name, size, NULL) != alone)
    fail_msg("not once for each peer: %s %d", name, (int)size);
  e->n += openssl + mbedtls + alone;
}

// Sizes are rounded down to multiples of `unit`. `format` makes the row's name of `name`.
__attribute__((format(printf, 4, 0))) static void expect_sizes(expectation *e, int peers, size_t unit,
                                                               const char *format, const char *name) {
  char row[64];
  snprintf(row, sizeof row, format, name);
  for (size_t i = 0; i < COUNT(all_sizes); i++)
    expect_one(e, row, all_sizes[i] / (json_int_t)unit * (json_int_t)unit, peers);
}

// Every row of the tables of floor 1 and 3.
static void expect_tables(expectation *e) {
  static const char *const both[] = {"%s", "%s-open"};
  for (size_t k = 0; k < COUNT(both); k++) {
    for (const tn_aead *const *a = tn_aeads; *a != NULL; a++)
      expect_sizes(e, OPENSSL | MBEDTLS, 1, both[k], (*a)->name);
    for (const tn_cipher *const *c = tn_ciphers; *c != NULL; c++)
      expect_sizes(e, OPENSSL | MBEDTLS, (*c)->stream ? 1 : (*c)->block_len, both[k], (*c)->name);
  }
  for (const tn_cbc_hmac *const *p = tn_cbc_hmacs; *p != NULL; p++)
    for (size_t i = 0; i < COUNT(all_sizes) && all_sizes[i] <= 16384; i++)
      expect_one(e, (*p)->name, all_sizes[i], OPENSSL | MBEDTLS);
  for (const tn_hash *const *h = tn_hashes; *h != NULL; h++) {
    const int peers = strncmp((*h)->name, "sha3-", 5) == 0 ? OPENSSL : OPENSSL | MBEDTLS;
    expect_sizes(e, peers, 1, "%s", (*h)->name);
    expect_sizes(e, peers, 1, "hmac-%s", (*h)->name);
  }
  for (size_t h = 0; h < COUNT(drbg_hashes); h++) {
    char row[64];
    snprintf(row, sizeof row, "hmac-drbg-%s", drbg_hashes[h]);
    for (size_t i = 0; i < COUNT(all_sizes) && all_sizes[i] <= 1024; i++)
      expect_one(e, row, all_sizes[i], OPENSSL | MBEDTLS);
    for (size_t k = 0; k < COUNT(drbg_lives); k++) {
      snprintf(row, sizeof row, "hmac-drbg-%s-%s", drbg_hashes[h], drbg_lives[k]);
      expect_one(e, row, 0, OPENSSL | MBEDTLS);
    }
  }
  expect_sizes(e, OPENSSL, 1, "%s", "random");
  expect_sizes(e, OPENSSL, 1, "%s", "shake128");
  expect_sizes(e, OPENSSL, 1, "%s", "shake256");
  for (size_t i = 0; i < TN_SUITE_COUNT; i++) {
    for (size_t k = 0; k < COUNT(record_sizes); k++) {
      char row[64];
      snprintf(row, sizeof row, "tls13-%s-write", tn_suites[i].aead->name);
      expect_one(e, row, record_sizes[k], OPENSSL);
      snprintf(row, sizeof row, "tls13-%s-read", tn_suites[i].aead->name);
      expect_one(e, row, record_sizes[k], OPENSSL);
    }
  }
}

static const struct {
  const char *name;
  int peers;
} operations[] = {
    {"shax", OPENSSL | MBEDTLS},
    {"prf-tls10", OPENSSL | MBEDTLS},
    {"prf-sha256", OPENSSL | MBEDTLS},
    {"prf-sha384", OPENSSL | MBEDTLS},
    {"x25519", OPENSSL | MBEDTLS},
    {"x25519-keygen", OPENSSL | MBEDTLS},
    {"ecdh-p256", OPENSSL | MBEDTLS},
    {"ecdh-p256-keygen", OPENSSL | MBEDTLS},
    {"ecdh-p384", OPENSSL | MBEDTLS},
    {"ecdh-p384-keygen", OPENSSL | MBEDTLS},
    {"ecdh-p521", OPENSSL | MBEDTLS},
    {"ecdh-p521-keygen", OPENSSL | MBEDTLS},
    {"x25519mlkem768", KEM},
    {"x25519mlkem768-keygen", KEM},
    {"x25519mlkem768-answer", KEM},
    {"secp256r1mlkem768", 0},
    {"secp256r1mlkem768-keygen", KEM},
    {"secp256r1mlkem768-answer", KEM},
    {"secp384r1mlkem1024", 0},
    {"secp384r1mlkem1024-keygen", KEM},
    {"secp384r1mlkem1024-answer", KEM},
    {"ffdhe2048", OPENSSL | MBEDTLS},
    {"ffdhe2048-keygen", OPENSSL | MBEDTLS},
    {"ffdhe3072", OPENSSL | MBEDTLS},
    {"ffdhe3072-keygen", OPENSSL | MBEDTLS},
    {"ffdhe4096", OPENSSL | MBEDTLS},
    {"ffdhe4096-keygen", OPENSSL | MBEDTLS},
    {"ml-kem-512-keygen", KEM},
    {"ml-kem-512-encap", KEM},
    {"ml-kem-512-decap", KEM},
    {"ml-kem-768-keygen", KEM},
    {"ml-kem-768-encap", KEM},
    {"ml-kem-768-decap", KEM},
    {"ml-kem-1024-keygen", KEM},
    {"ml-kem-1024-encap", KEM},
    {"ml-kem-1024-decap", KEM},
    {"ecdsa-p256-sign", OPENSSL | MBEDTLS},
    {"ecdsa-p256-verify", OPENSSL | MBEDTLS},
    {"ecdsa-p384-sign", OPENSSL | MBEDTLS},
    {"ecdsa-p384-verify", OPENSSL | MBEDTLS},
    {"ecdsa-p521-sign", OPENSSL | MBEDTLS},
    {"ecdsa-p521-verify", OPENSSL | MBEDTLS},
    {"rsa-2048-sign", OPENSSL | MBEDTLS},
    {"rsa-2048-verify", OPENSSL | MBEDTLS},
    {"rsa-3072-sign", OPENSSL | MBEDTLS},
    {"rsa-3072-verify", OPENSSL | MBEDTLS},
    {"rsa-4096-sign", OPENSSL | MBEDTLS},
    {"rsa-4096-verify", OPENSSL | MBEDTLS},
    {"rsa-pss-2048-sign", OPENSSL | MBEDTLS},
    {"rsa-pss-2048-verify", OPENSSL | MBEDTLS},
    {"rsa-pss-3072-sign", OPENSSL | MBEDTLS},
    {"rsa-pss-3072-verify", OPENSSL | MBEDTLS},
    {"rsa-pss-4096-sign", OPENSSL | MBEDTLS},
    {"rsa-pss-4096-verify", OPENSSL | MBEDTLS},
    {"ed25519-keygen", OPENSSL},
    {"rsa-2048-keygen", OPENSSL},
    {"ed25519-sign", OPENSSL},
    {"ed25519-verify", OPENSSL},
    {"p256-mul", OPENSSL | MBEDTLS},
    {"p256-sqr", OPENSSL | MBEDTLS},
    {"p384-mul", OPENSSL | MBEDTLS},
    {"p384-sqr", OPENSSL | MBEDTLS},
    {"mul-6x6", OPENSSL | MBEDTLS},
    {"p384-reduce", OPENSSL | MBEDTLS | FORM},
    {"tls13-ecdsa-p256-x25519", OPENSSL},
    {"tls13-ecdsa-p256-x25519-server", OPENSSL},
    {"tls13-ecdsa-p384-secp384r1", OPENSSL},
    {"tls13-ecdsa-p384-secp384r1-server", OPENSSL},
    {"tls13-rsa-2048-x25519", OPENSSL},
    {"tls13-rsa-2048-x25519-server", OPENSSL},
    {"tls13-ecdsa-p256-secp256r1", OPENSSL},
    {"tls13-ecdsa-p256-secp256r1-server", OPENSSL},
};

static void test_every_row(void **unused) {
  (void)unused;
  char *text;
  size_t i;
  json_t *row;
  const int status = run("--quick --json --seconds 0.001", &text);
  json_t *rows = json_loads(text, 0, NULL);
  if (rows == NULL) fail_msg("not JSON: %s", text);
  expectation e = {.rows = rows};
  json_array_foreach(rows, i, row) {
    check_row(row);
    e.mbedtls |= is_of(row, "Mbed TLS ");
    e.n += is_form(row, "stitched");
  }
  assert_int_equal(status, 0);
  expect_tables(&e);
  for (i = 0; i < COUNT(operations); i++) expect_one(&e, operations[i].name, 0, operations[i].peers);
  assert_int_equal(json_array_size(rows), e.n);
  json_decref(rows);
  free(text);
}

static void test_usage(void **unused) {
  (void)unused;
  static const struct {
    const char *arguments;
    int status;
    const char *says;
  } cases[] = {
      {"--help", 0, "usage: tenon-bench"},
      {"--seconds 0.001 --filter x25519-keygen", 0, "x25519-keygen "},
      {"--seconds 0.001 --filter no-such-row", 1, "tenon-bench: --filter: no row has such a name"},
      {"--seconds", 2, "tenon-bench: --seconds: needs a value"},
      {"--seconds 0", 2, "not a number of seconds"},
      {"--seconds inf", 2, "not a number of seconds"},
      {"--seconds 1x", 2, "not a number of seconds"},
      {"--filter", 2, "needs a value"},
      {"--fast", 2, "tenon-bench: --fast: unknown option"},
      {"x25519", 2, "unknown option"},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    char *text;
    const int status = run(cases[i].arguments, &text);
    if (status != cases[i].status || strstr(text, cases[i].says) == NULL)
      fail_msg("%s: status %d, %s", cases[i].arguments, status, text);
    free(text);
  }
}

// Tenon and OpenSSL held to less than the processor has, as `make bench CPU=...` does it.
static void test_limits(void **unused) {
  (void)unused;
  static const struct {
    const char *level, *openssl;
  } cases[] = {{"portable", "0:0"}, {"sse", "~0x1000100000000000:~0x5f42d02b0128"}, {"avx2", ":~0x5842d0230000"}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    char *text;
    setenv("TENON_CPU", cases[i].level, 1);
    setenv("OPENSSL_ia32cap", cases[i].openssl, 1);
    const int status = run("--seconds 0.0005 --filter aes-128 --filter sha --filter chacha20", &text);
    unsetenv("TENON_CPU");
    unsetenv("OPENSSL_ia32cap");
    if (status != 0 || strstr(text, cases[i].openssl) == NULL) fail_msg("%s: %s", cases[i].level, text);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_row),
      cmocka_unit_test(test_usage),
      cmocka_unit_test(test_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
