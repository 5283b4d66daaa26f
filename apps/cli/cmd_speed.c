#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/speed.h"
#include "cli/speed_select.h"

#define SECONDS 0.1
#define MAX_SECONDS 3600.0
#define MAX_SIZES 32
#define LARGEST_SIZE ((long)1 << 20)

static const size_t default_sizes[] = {16, 64, 256, 1024, 1350, 4096, 16384, 65536};
#define DEFAULT_SIZES (sizeof default_sizes / sizeof *default_sizes)

static void (*const lists[])(tn_speed_rows *) = {
    tn_speed_list_aeads,  tn_speed_list_ciphers,    tn_speed_list_cbc_hmacs, tn_speed_list_hashes,
    tn_speed_list_shakes, tn_speed_list_kdfs,       tn_speed_list_prfs,      tn_speed_list_random,
    tn_speed_list_drbgs,  tn_speed_list_groups,     tn_speed_list_kems,      tn_speed_list_signatures,
    tn_speed_list_fields, tn_speed_list_handshakes, tn_speed_list_records,
};

typedef struct request {
  tn_speed_rows rows;
  bool *chosen;  // of each row
  double seconds;
  size_t sizes[MAX_SIZES];
  size_t n_sizes;
  bool json, list;
} request;

// ---------------------------------------------------------------- the words of the user

static int take_sizes(request *q, const char *text) {
  const char *given = text;
  q->n_sizes = 0;
  for (;;) {
    char number[16];
    long value;
    const size_t n = strcspn(text, ",");
    snprintf(number, sizeof number, "%.*s", n < sizeof number ? (int)n : 0, text);
    if (!tn_parse_number(number, 1, LARGEST_SIZE, &value) || q->n_sizes == MAX_SIZES)
      return tn_usage_error(&tn_command_speed, "--sizes %s: up to %d numbers from 1 to %ld, please", given, MAX_SIZES,
                            LARGEST_SIZE);
    q->sizes[q->n_sizes++] = (size_t)value;
    if (text[n] == 0) return 0;
    text += n + 1;
  }
}

static int take_seconds(request *q, const char *text) {
  char *end;
  q->seconds = strtod(text, &end);
  if (end != text && *end == 0 && q->seconds > 0 && q->seconds <= MAX_SECONDS) return 0;
  return tn_usage_error(&tn_command_speed, "--seconds %s: a number above 0, at most %g, please", text, MAX_SECONDS);
}

static int take_option(request *q, int option) {
  switch (option) {
    case 't':
      return take_seconds(q, optarg);
    case 'b':
      return take_sizes(q, optarg);
    case 'j':
      q->json = true;
      return 0;
    case 'l':
      q->list = true;
      return 0;
    default:
      return 2;
  }
}

static int take_name(request *q, const char *name) {
  char near[256];
  if (tn_speed_select(&q->rows, name, q->chosen)) return 0;
  tn_speed_near(&q->rows, name, near, sizeof near);
  return tn_usage_error(&tn_command_speed, "`%s`: there is no such row%s%s; --list has them all", name,
                        near[0] != 0 ? ". Near it: " : "", near);
}

static int take_arguments(request *q, int argc, char **argv) {
  static const struct option options[] = {{"seconds", required_argument, NULL, 't'},
                                          {"sizes", required_argument, NULL, 'b'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"list", no_argument, NULL, 'l'},
                                          {0}};
  optind = 0;
  for (int option; (option = tn_next_option(&tn_command_speed, argc, argv, "", options)) != -1;) {
    int status = take_option(q, option);
    if (status != 0) return status;
  }
  if (q->json && q->list) return tn_usage_error(&tn_command_speed, "--list and --json exclude each other");
  memset(q->chosen, optind == argc, q->rows.n * sizeof *q->chosen);
  for (int i = optind; i < argc; i++) {
    int status = take_name(q, argv[i]);
    if (status != 0) return status;
  }
  return 0;
}

// ---------------------------------------------------------------- the run

typedef struct progress {
  size_t done, all;  // rows, sizes counted
  bool shown;        // stderr is a terminal
  bool printed;      // something was reported
  int status;
} progress;

// On the terminal's current line, for as long as the row takes.
static void show_progress(const progress *p, const tn_speed_job *job) {
  if (!p->shown) return;
  fprintf(stderr, "\r[%zu/%zu] %-*s %7zu\r", p->done + 1, p->all, TN_SPEED_NAME, job->row->name, job->size);
}

static void hide_progress(const progress *p) {
  if (p->shown) fprintf(stderr, "\r%*s\r", TN_SPEED_NAME + 30, "");
}

static void run_job(const request *q, progress *p, const tn_speed_row *row, size_t size) {
  tn_speed_job job = {.row = row, .size = size};
  tn_speed_figure figure;
  show_progress(p, &job);
  const bool right = row->kind->start(&job) && tn_speed_measure(&job, q->seconds, &figure);
  row->kind->end(&job);
  hide_progress(p);
  p->done++;
  if (right) {
    tn_speed_report_row(q->json, !p->printed, &job, &figure);
    p->printed = true;
  } else {
    p->status = tn_failed(row->name, "it failed, or its result is wrong");
  }
}

// Nobody can hear the results.
static int deaf(void) {
  const int status = tn_failed("standard output", strerror(errno));
  __fpurge(stdout);  // told; not to be tried and told again at the end
  clearerr(stdout);
  return status;
}

static int run_rows(const request *q) {
  progress p = {.shown = isatty(STDERR_FILENO)};
  for (size_t i = 0; i < q->rows.n; i++)
    if (q->chosen[i]) p.all += q->rows.row[i].kind->sized ? q->n_sizes : 1;
  tn_speed_report_begin(q->json, q->seconds);
  for (size_t i = 0; i < q->rows.n; i++) {
    const tn_speed_row *row = &q->rows.row[i];
    const size_t n = row->kind->sized ? q->n_sizes : 1;
    for (size_t k = 0; q->chosen[i] && k < n; k++) {
      if (fflush(stdout) != 0) return deaf();
      run_job(q, &p, row, row->kind->sized ? q->sizes[k] : 0);
    }
  }
  tn_speed_report_end(q->json);
  return p.status;
}

static int list_rows(const request *q) {
  for (size_t i = 0; i < q->rows.n; i++)
    if (q->chosen[i] && puts(q->rows.row[i].name) == EOF) return deaf();
  return 0;
}

static int run_speed(int argc, char **argv) {
  request q = {.seconds = SECONDS, .n_sizes = DEFAULT_SIZES};
  memcpy(q.sizes, default_sizes, sizeof default_sizes);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) lists[i](&q.rows);
  q.chosen = calloc(q.rows.n, sizeof *q.chosen);
  int status = q.chosen == NULL ? tn_failed("speed", tn_reason_text(TN_E_NO_MEMORY)) : take_arguments(&q, argc, argv);
  if (status == 0) status = q.list ? list_rows(&q) : run_rows(&q);
  free(q.chosen);
  free(q.rows.row);
  return status;
}

const tn_command tn_command_speed = {
    .name = "speed",
    .summary = "measures how fast the cryptography is on this machine",
    .usage =
        "Usage: tenon speed [OPTION]... [NAME]...\n"
        "\n"
        "Measures primitives, record protection and handshakes, one thread, memory to memory, and prints a row for "
        "each,\n"
        "the fastest of several rounds. A NAME is a row's, or the beginning of several rows' names; without one, all "
        "rows\n"
        "are measured. Each row's work is checked before it is timed. Cycles are those of the time stamp counter.\n"
        "\n"
        "  aes-128-gcm ...         sealing a record: a fresh nonce, 13 bytes of additional data, the key kept; -open "
        "opens\n"
        "  aes-128-cbc ...         encrypting; -open decrypts; sizes become whole blocks\n"
        "  aes-128-cbc-hmac-sha1   sealing records of TLS 1.2, at most 16384 bytes each; -etm: encrypt-then-MAC\n"
        "  sha256, hmac-sha256 ... a message; HMAC's key is kept; shake128 and shake256 give 32 bytes\n"
        "  hkdf-sha256 ...         HKDF-Expand-Label, TLS 1.3's key derivation; prf-tls10, prf-sha256 ...: a key block "
        "of 104 bytes\n"
        "  random                  bytes of the generator that the library uses\n"
        "  hmac-drbg-sha256 ...    a request of a generator of SP 800-90A; -no-reseed, -no-pr, -pr: a short life of "
        "one\n"
        "  x25519, ecdh-p256, ffdhe2048, x25519mlkem768 ...\n"
        "                          a client's secret from the server's share; -keygen makes its key pair, -answer is "
        "the\n"
        "                          server's share and secret\n"
        "  ml-kem-768-keygen ...   ML-KEM by itself; -encap makes a secret, -decap recovers it\n"
        "  ecdsa-p256-sign, ed25519-sign, rsa-2048-sign, rsa-pss-2048-sign ...\n"
        "                          a signature of 32 bytes (rsa: PKCS#1 v1.5); -verify checks it; ed25519-keygen,\n"
        "                          rsa-2048-keygen ...: a new key; of RSA's, which take what luck gives, the mean\n"
        "  p256-mul, p256-sqr, p384-mul, p384-sqr, p384-reduce, mul-6x6\n"
        "                          arithmetic of the fields, each operation on the result of the one before;\n"
        "                          -parallel: none waits for another\n"
        "  tls13-ecdsa-p256-...    a full handshake with this group, both sides; -server counts the server's part "
        "alone;\n"
        "                          tls13-rsa-2048-x25519 ...: with another key in the server's certificate\n"
        "  tls13-...-write, -read  a connection's data, sent or received\n"
        "\n"
        "  --seconds S    for each row and size (default 0.1)\n"
        "  --sizes A,B    bytes in an operation (default 16,64,256,1024,1350,4096,16384,65536)\n"
        "  --json         an array of objects: name, size, bytes_per_s, cycles_per_byte; without a size name, "
        "ops_per_s,\n"
        "                 cycles_per_op\n"
        "  --list         prints the names and measures nothing\n"
        "\n"
        "TENON_CPU (portable, sse, avx2, avx512) is the highest level of the processor's features that is used.\n",
    .run = run_speed,
};
