// tenon-bench as a whole: every row is there, every output agreed, and bad usage is refused.
#include <sys/wait.h>

#include "support/support.h"

#define SIZES \
  { 16, 64, 256, 1024, 1350, 4096, 16384 }
#define RECORDS \
  { 64, 16384 }
#define OPERATIONS \
  { 0 }

// Every row: its name, and the sizes it comes in (0 ends them; a row of operations has the size 0).
static const struct {
  const char *name;
  json_int_t sizes[8];
} expected[] = {
    {"aes-128-gcm", SIZES},
    {"aes-128-gcm-open", SIZES},
    {"aes-256-gcm", SIZES},
    {"aes-256-gcm-open", SIZES},
    {"chacha20-poly1305", SIZES},
    {"chacha20-poly1305-open", SIZES},
    {"sha256", SIZES},
    {"sha384", SIZES},
    {"sha512", SIZES},
    {"hmac-sha256", SIZES},
    {"hmac-sha384", SIZES},
    {"hmac-sha512", SIZES},
    {"x25519", OPERATIONS},
    {"x25519-keygen", OPERATIONS},
    {"ecdh-p256", OPERATIONS},
    {"ecdh-p256-keygen", OPERATIONS},
    {"ecdh-p384", OPERATIONS},
    {"ecdh-p384-keygen", OPERATIONS},
    {"ecdh-p521", OPERATIONS},
    {"ecdh-p521-keygen", OPERATIONS},
    {"ecdsa-p256-sign", OPERATIONS},
    {"ecdsa-p256-verify", OPERATIONS},
    {"ecdsa-p384-sign", OPERATIONS},
    {"ecdsa-p384-verify", OPERATIONS},
    {"ecdsa-p521-sign", OPERATIONS},
    {"ecdsa-p521-verify", OPERATIONS},
    {"tls13-ecdsa-p256-x25519", OPERATIONS},
    {"tls13-ecdsa-p256-x25519-server", OPERATIONS},
    {"tls13-ecdsa-p256-secp256r1", OPERATIONS},
    {"tls13-ecdsa-p256-secp256r1-server", OPERATIONS},
    {"tls13-aes-128-gcm-write", RECORDS},
    {"tls13-aes-128-gcm-read", RECORDS},
    {"tls13-aes-256-gcm-write", RECORDS},
    {"tls13-aes-256-gcm-read", RECORDS},
    {"tls13-chacha20-poly1305-write", RECORDS},
    {"tls13-chacha20-poly1305-read", RECORDS},
};

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

static void check_row(const json_t *row) {
  const bool sized = json_object_get(row, "size") != NULL;
  const json_t *peer = json_object_get(row, "peer"), *cycles;
  const double ours = number(row, sized ? "bytes_per_s" : "ops_per_s");
  const double theirs = number(row, sized ? "peer_bytes_per_s" : "peer_ops_per_s");
  assert_true(json_is_true(json_object_get(row, "outputs_agree")));
  assert_true(json_is_string(peer) && strncmp(json_string_value(peer), "OpenSSL ", 8) == 0);
  assert_true(ours > 0 && theirs > 0 && number(row, "ratio") > 0);
  cycles = json_object_get(row, sized ? "cycles_per_byte" : "cycles_per_op");
  assert_true(json_is_null(cycles) || json_number_value(cycles) > 0);
}

// How many rows have this name and size (0: none).
static size_t count(const json_t *rows, const char *name, json_int_t size) {
  size_t found = 0, i;
  json_t *row;
  json_array_foreach(rows, i, row) {
    found += strcmp(json_string_value(json_object_get(row, "name")), name) == 0 &&
             json_integer_value(json_object_get(row, "size")) == size;
  }
  return found;
}

static void test_every_row(void **unused) {
  (void)unused;
  char *text;
  size_t wanted = 0, i;
  json_t *row;
  const int status = run("--quick --json --seconds 0.001", &text);
  json_t *rows = json_loads(text, 0, NULL);
  if (rows == NULL) fail_msg("not JSON: %s", text);
  json_array_foreach(rows, i, row) check_row(row);
  assert_int_equal(status, 0);
  for (i = 0; i < COUNT(expected); i++) {
    const json_int_t *size = expected[i].sizes;
    do {
      if (count(rows, expected[i].name, *size) != 1) fail_msg("not once: %s %d", expected[i].name, (int)*size);
      wanted++;
    } while (*size++ != 0 && *size != 0);
  }
  assert_int_equal(json_array_size(rows), wanted);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_row),
      cmocka_unit_test(test_usage),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
