// tenon-bench: our code and other libraries' on the same work, side by side.
#include <math.h>
#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "bench.h"
#include "mbedtls.h"

#define MAX_FILTERS 32
#define SECONDS 1.0
#define QUICK_SECONDS 0.1

static const char usage[] =
    "usage: tenon-bench [--quick] [--seconds S] [--filter NAME]... [--json]\n"
    "  --quick        0.1 seconds a row instead of 1\n"
    "  --seconds S    about S seconds a row\n"
    "  --filter NAME  only rows whose name contains NAME (repeatable: any of them)\n"
    "  --json         an array of rows instead of a table\n"
    "The ratio is the peer's time over ours: above 1 we are faster. docs/benchmarks.md says how it is made.\n";

static void (*const kinds[])(bench *) = {
    bench_aead, bench_cipher, bench_cbc_hmac, bench_hash, bench_shake, bench_hmac,   bench_shax,  bench_prf,
    bench_drbg, bench_random, bench_kex,      bench_kem,  bench_sign,  bench_keygen, bench_field, bench_handshake};

const size_t bench_sizes[BENCH_SIZES] = {16, 64, 256, 1024, 1350, 4096, 16384, BENCH_MAX_SIZE};

void bench_die(const char *what, const char *why) {
  fprintf(stderr, "tenon-bench: %s: %s\n", what, why);
  exit(1);
}

const char *bench_openssl_name(void) {
  static char name[40];
  if (name[0] == 0) snprintf(name, sizeof name, "OpenSSL %s", OpenSSL_version(OPENSSL_VERSION_STRING));
  return name;
}

void bench_fill(void *out, size_t n, uint64_t seed) {
  uint8_t *p = out;
  uint64_t x = seed * 0x9e3779b97f4a7c15 + 1;
  for (size_t i = 0; i < n; i++) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    p[i] = (uint8_t)(x >> 32);
  }
}

static _Noreturn void misused(const char *what, const char *why) {
  fprintf(stderr, "tenon-bench: %s: %s\n%s", what, why, usage);
  exit(2);
}

static void parse(bench *b, const char **filters, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(option, "--help") == 0) {
      fputs(usage, stdout);
      exit(0);
    } else if (strcmp(option, "--quick") == 0) {
      b->seconds = QUICK_SECONDS;
    } else if (strcmp(option, "--json") == 0) {
      b->json = true;
    } else if (strcmp(option, "--seconds") == 0 || strcmp(option, "--filter") == 0) {
      if (value == NULL) misused(option, "needs a value");
      i++;
      if (option[2] == 'f') {
        if (b->n_filters == MAX_FILTERS) misused(option, "too many");
        filters[b->n_filters++] = value;
      } else {
        char *end;
        b->seconds = strtod(value, &end);
        if (end == value || *end != 0 || !isfinite(b->seconds) || b->seconds <= 0)
          misused(option, "not a number of seconds");
      }
    } else {
      misused(option, "unknown option");
    }
  }
}

int main(int argc, char **argv) {
  const char *filters[MAX_FILTERS];
  bench b = {.seconds = SECONDS, .filters = filters, .out = stdout};
  parse(&b, filters, argc, argv);
  if (!b.json) {
    char processor[128];
    const char *mbedtls = bench_mbedtls_name();
    tn_speed_processor(processor, sizeof processor);
    fprintf(b.out, "%s\nTenon at CPU level %s\n%s, %s\n%s\n%g s a row, %d alternating rounds\n\n", processor,
            tn_cpu_level_name(), bench_openssl_name(), OpenSSL_version(OPENSSL_CPU_INFO),
            mbedtls != NULL ? mbedtls : "no Mbed TLS: it was missing when this was built (Debian: libmbedtls-dev)",
            b.seconds, BENCH_ROUNDS);
  }
  bench_report_begin(&b);
  for (size_t i = 0; i < COUNT(kinds); i++) kinds[i](&b);
  bench_report_end(&b);
  if (b.rows == 0) bench_die("--filter", "no row has such a name");
  if (fflush(b.out) != 0 || ferror(b.out)) bench_die("output", "cannot be written");
  return b.failures != 0;
}
