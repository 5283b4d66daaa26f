#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "cli/cert.h"
#include "cli/cert_text.h"

#define FILE_LIMIT ((size_t)64 << 20)

typedef struct showing {
  const char *path;
  int64_t now;
  json_t *json;  // NULL: text
  size_t seen;   // certificates, good and bad
  size_t shown;
  int status;
} showing;

static void complain(showing *s, tn_result why) {
  char thing[4200];
  snprintf(thing, sizeof thing, "%s: certificate %zu", s->path, s->seen);
  s->status = tn_failed(thing, tn_reason_text(why.reason));
}

static void show(showing *s, const tn_cert *cert) {
  if (s->json != NULL) {
    json_array_append_new(s->json, tn_cert_json(cert, s->now));
  } else {
    printf("%scertificate %zu\n", s->shown == 0 ? "" : "\n", s->seen);
    tn_cert_print(stdout, cert, s->now);
  }
  s->shown++;
}

static void show_pem_body(showing *s, tn_span body) {
  s->seen++;
  size_t room = body.n, n = room;
  uint8_t *der = tn_alloc(NULL, room);
  tn_cert cert;
  tn_result r = der == NULL && room != 0 ? tn_fail(TN_E_NO_MEMORY) : tn_pem_decode(body, der, &n);
  if (tn_ok(r)) r = tn_cert_parse(&cert, tn_span_of(der, n));
  if (tn_ok(r)) {
    show(s, &cert);
  } else {
    complain(s, r);
  }
  tn_release(NULL, der, room);
}

// Every certificate of a PEM text.
static void show_pem(showing *s, tn_span text) {
  for (;;) {
    tn_span label, body;
    tn_result r = tn_pem_next(&text, "CERTIFICATE", &label, &body);
    if (r.reason == TN_E_NO_CERTIFICATE_FOUND) break;
    if (!tn_ok(r)) {
      s->seen++;
      complain(s, r);
      break;
    }
    show_pem_body(s, body);
  }
  if (s->seen == 0) s->status = tn_failed(s->path, tn_reason_text(TN_E_NO_CERTIFICATE_FOUND));
}

static void show_file(showing *s, tn_span file) {
  static const char begin[] = "-----BEGIN ";
  bool is_pem = file.n > 0 && memmem(file.p, file.n, begin, sizeof begin - 1) != NULL;
  bool is_der = file.n > 0 && file.p[0] == 0x30;  // a SEQUENCE; a text may begin with the digit 0, too
  tn_cert cert;
  tn_result r = is_der ? tn_cert_parse(&cert, file) : tn_fail(TN_E_NO_CERTIFICATE_FOUND);
  if (tn_ok(r)) {
    s->seen++;
    show(s, &cert);
  } else if (is_der && !is_pem) {
    s->seen++;
    complain(s, r);
  } else {
    show_pem(s, file);
  }
}

int tn_cert_show(int argc, char **argv) {
  static const struct option options[] = {{"json", no_argument, NULL, 'j'}, {0}};
  bool json = false;
  optind = 0;
  for (int option; (option = tn_next_option(&tn_command_cert, argc, argv, "", options)) != -1;) {
    if (option == '?') return 2;
    json = true;
  }
  if (argc - optind != 1) return tn_usage_error(&tn_command_cert, "cert show: takes one file");

  showing s = {.path = argv[optind], .now = time(NULL)};
  uint8_t *file = NULL;
  size_t n = 0;
  tn_result r = tn_read_file(s.path, FILE_LIMIT, &file, &n);
  if (!tn_ok(r)) return tn_failed(s.path, tn_file_why(r));
  if (json && (s.json = json_array()) == NULL) {
    tn_file_free(file, n);
    return tn_failed(s.path, tn_reason_text(TN_E_NO_MEMORY));
  }
  show_file(&s, tn_span_of(file, n));
  if (s.shown > 0 && json) {
    json_dumpf(s.json, stdout, JSON_INDENT(2));
    putchar('\n');
  }
  json_decref(s.json);
  tn_file_free(file, n);
  return s.status;
}
