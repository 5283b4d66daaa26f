#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "cli/cert.h"
#include "cli/output_file.h"
#include "pki/cert.h"
#include "tenon/pki.h"

#define KEY_LIMIT ((size_t)1 << 20)
#define COMMON_NAME_MAX 64  // ub-common-name of RFC 5280
#define CLOCK_SKEW 3600     // valid from an hour ago: other machines' clocks may be behind

typedef struct request {
  const char *cert_path;
  const char *key_path;
  const char *existing_key;
  const char *key_type;
  const char *common_name;
  long days;
  bool replace;
  tn_span *dns;
  size_t n_dns;
  tn_span *ips;
  size_t n_ips;
  uint8_t (*addresses)[16];
} request;

// ---------------------------------------------------------------- names

// Sorts the names into the request. False for the first that is neither a host name nor an address.
static bool take_name(request *q, const char *name) {
  uint8_t *address = q->addresses[q->n_ips];
  tn_span text = tn_span_of(name, strlen(name));
  size_t n = tn_ip_parse(text, address);
  if (n != 0) {
    q->ips[q->n_ips++] = tn_span_of(address, n);
  } else if (tn_host_name_is_valid(text, true)) {
    q->dns[q->n_dns++] = text;
  } else {
    return false;
  }
  return true;
}

// ---------------------------------------------------------------- making

static int get_key(const request *q, tn_key **key) {
  if (q->existing_key == NULL) {
    tn_result r = tn_key_generate(NULL, q->key_type, key);
    if (r.reason == TN_E_KEY_UNSUPPORTED)
      return tn_usage_error(&tn_command_cert,
                            "--key-type %s: there is p256, p384, p521, ed25519, rsa-2048, rsa-3072, rsa-4096",
                            q->key_type);
    if (r.reason == TN_E_KEY_SIZE)
      return tn_usage_error(&tn_command_cert, "--key-type %s: an RSA key has 2048 to 8192 bits, in steps of 8",
                            q->key_type);
    return tn_ok(r) ? 0 : tn_failed("a new key", tn_reason_text(r.reason));
  }
  uint8_t *file = NULL;
  size_t n = 0;
  tn_result r = tn_read_file(q->existing_key, KEY_LIMIT, &file, &n);
  if (!tn_ok(r)) return tn_failed(q->existing_key, tn_file_why(r));
  r = tn_key_parse(NULL, tn_span_of(file, n), key);
  tn_file_free(file, n);
  return tn_ok(r) ? 0 : tn_failed(q->existing_key, tn_reason_text(r.reason));
}

// Writes der to the file as PEM.
static bool write_pem(tn_output_file *file, const char *label, tn_span der) {
  size_t room = der.n * 4 / 3 + der.n / 48 + 100, n = room;
  uint8_t *pem = tn_alloc(NULL, room);
  if (pem == NULL || !tn_ok(tn_pem_encode(label, der, pem, &n))) {
    tn_release(NULL, pem, room);
    errno = ENOMEM;
    return false;
  }
  bool done = tn_write_all(file->fd, pem, n);
  int error = errno;
  tn_release(NULL, pem, room);
  errno = error;
  return done;
}

typedef struct piece {
  const char *path;
  mode_t mode;
  const char *label;
  tn_span der;
} piece;

// The piece that could not be written, with errno set, or NULL. All files are opened before any is written, and put
// in place only when all are whole.
static const piece *write_pieces(const piece *pieces, size_t n, bool replace, tn_output_file *files) {
  for (size_t i = 0; i < n; i++)
    if (!tn_output_open(&files[i], pieces[i].path, pieces[i].mode, replace)) return &pieces[i];
  for (size_t i = 0; i < n; i++)
    if (!write_pem(&files[i], pieces[i].label, pieces[i].der)) return &pieces[i];
  for (size_t i = 0; i < n; i++)
    if (!tn_output_commit(&files[i])) return &pieces[i];
  return NULL;
}

static int write_files(const request *q, tn_span cert, tn_span key) {
  const piece pieces[] = {
      {q->cert_path, 0644, "CERTIFICATE", cert},
      {q->key_path, 0600, "PRIVATE KEY", key},
  };
  size_t n = q->existing_key == NULL ? 2 : 1;
  tn_output_file files[2] = {{.fd = -1}, {.fd = -1}};
  const piece *failed = write_pieces(pieces, n, q->replace, files);
  if (failed == NULL) return 0;
  const char *why = errno == EEXIST ? "File exists (-f replaces it)" : strerror(errno);
  for (size_t i = 0; i < n; i++) tn_output_discard(&files[i]);
  return tn_failed(strcmp(failed->path, "-") == 0 ? "standard output" : failed->path, why);
}

static int make(const request *q) {
  tn_key *key = NULL;
  int status = get_key(q, &key);
  if (status != 0) return status;
  time_t now = time(NULL);
  tn_cert_spec spec = {
      .common_name = tn_span_of(q->common_name, strlen(q->common_name)),
      .dns_names = q->dns,
      .n_dns_names = q->n_dns,
      .ip_addresses = q->ips,
      .n_ip_addresses = q->n_ips,
      .not_before = now - CLOCK_SKEW,
      .not_after = now + q->days * 86400,
      .ext_key_usage = TN_EKU_SERVER_AUTH,
  };
  size_t room = 4096 + 2 * strlen(q->common_name), cert_n;
  for (size_t i = 0; i < q->n_dns; i++) room += q->dns[i].n + 8;
  room += q->n_ips * 24;
  cert_n = room;
  uint8_t *cert = tn_alloc(NULL, room), secret[TN_KEY_MAX_DER];
  size_t secret_n = sizeof secret;
  tn_result r = cert == NULL ? tn_fail(TN_E_NO_MEMORY) : tn_cert_make(&spec, key, NULL, NULL, cert, &cert_n);
  if (tn_ok(r)) r = tn_key_to_pkcs8(key, secret, &secret_n);
  if (tn_ok(r)) {
    status = write_files(q, tn_span_of(cert, cert_n), tn_span_of(secret, secret_n));
  } else if (r.reason == TN_E_BAD_ARGUMENT) {  // the names were checked, so was the time
    status = tn_usage_error(&tn_command_cert, "--cn: a common name has 1 to %d printable characters", COMMON_NAME_MAX);
  } else {
    status = tn_failed("the certificate", tn_reason_text(r.reason));
  }
  tn_wipe(secret, sizeof secret);
  tn_release(NULL, cert, room);
  tn_key_free(key);
  return status;
}

// ---------------------------------------------------------------- the words of the user

static int take_options(request *q, int argc, char **argv) {
  enum { DAYS = 256, KEY, KEY_TYPE, CN };
  static const struct option options[] = {
      {"days", required_argument, NULL, DAYS},
      {"key", required_argument, NULL, KEY},
      {"key-type", required_argument, NULL, KEY_TYPE},
      {"cn", required_argument, NULL, CN},
      {"force", no_argument, NULL, 'f'},
      {0},
  };
  optind = 0;
  for (int option; (option = tn_next_option(&tn_command_cert, argc, argv, "o:k:f", options)) != -1;) {
    switch (option) {
      case 'o':
        q->cert_path = optarg;
        break;
      case 'k':
        q->key_path = optarg;
        break;
      case 'f':
        q->replace = true;
        break;
      case KEY:
        q->existing_key = optarg;
        break;
      case KEY_TYPE:
        q->key_type = optarg;
        break;
      case CN:
        q->common_name = optarg;
        break;
      case DAYS:
        if (tn_parse_number(optarg, 1, 36500, &q->days)) break;
        return tn_usage_error(&tn_command_cert, "--days %s: a number from 1 to 36500, please", optarg);
      default:
        return 2;
    }
  }
  if (q->existing_key != NULL && q->key_path != NULL) {
    return tn_usage_error(&tn_command_cert, "-k writes a new key, --key uses an old one: one of them, please");
  }
  if (q->existing_key != NULL && q->key_type != NULL) {
    return tn_usage_error(&tn_command_cert, "--key-type is for a new key, --key uses an old one: one of them, please");
  }
  if (q->key_type == NULL) q->key_type = "p256";
  if (q->cert_path == NULL) q->cert_path = "-";
  if (q->key_path == NULL) q->key_path = "-";
  if (strcmp(q->cert_path, "-") != 0 && strcmp(q->cert_path, q->key_path) == 0) {
    return tn_usage_error(&tn_command_cert, "-o and -k name the same file");
  }
  return 0;
}

// A common name is a label for people: the first name that is not too long for one.
static const char *label_of(const char *const *names, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (strlen(names[i]) <= COMMON_NAME_MAX) return names[i];
  }
  return "self-signed";
}

int tn_cert_self_signed(int argc, char **argv) {
  static const char *const default_names[] = {"localhost", "127.0.0.1", "::1"};
  request q = {.days = 365};
  int status = take_options(&q, argc, argv);
  if (status != 0) return status;
  size_t n = (size_t)(argc - optind);
  const char *const *names = (const char *const *)argv + optind;
  if (n == 0) n = sizeof default_names / sizeof *default_names, names = default_names;

  q.dns = calloc(n, sizeof *q.dns);
  q.ips = calloc(n, sizeof *q.ips);
  q.addresses = calloc(n, sizeof *q.addresses);
  if (q.dns == NULL || q.ips == NULL || q.addresses == NULL) {
    status = tn_failed("the names", tn_reason_text(TN_E_NO_MEMORY));
  }
  for (size_t i = 0; i < n && status == 0; i++) {
    if (take_name(&q, names[i])) continue;
    status = tn_usage_error(&tn_command_cert, "`%s` is neither a host name nor an IP address", names[i]);
  }
  if (q.common_name == NULL) q.common_name = label_of(names, n);
  if (status == 0) status = make(&q);
  free(q.dns);
  free(q.ips);
  free(q.addresses);
  return status;
}
