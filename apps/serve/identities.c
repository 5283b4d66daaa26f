#include "serve/identities.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cli/command.h"

enum { FILE_LIMIT = 1 << 20 };

// A file of -C or -K.
typedef struct pem_file {
  const char *name;
  uint8_t *text;
  size_t n;
  tn_key *key;  // the private key in it, or NULL
  bool paired;  // the key has a certificate
} pem_file;

static int read_pem(pem_file *f, bool needs_key) {
  tn_result r = tn_read_file(f->name, FILE_LIMIT, &f->text, &f->n);
  if (!tn_ok(r)) return tn_failed(f->name, tn_file_why(r));
  r = tn_key_parse(NULL, tn_span_of(f->text, f->n), &f->key);
  if (tn_ok(r) || (r.reason == TN_E_NO_KEY_FOUND && !needs_key)) return 0;
  return tn_failed(f->name, tn_reason_text(r.reason));
}

// It is served all the same: whoever asks may have another clock, or not care.
static void warn_of_dates(const char *name, const tn_cert *leaf) {
  int64_t now = (int64_t)time(NULL);
  if (now >= leaf->not_before && now <= leaf->not_after) return;
  bool over = now > leaf->not_after;
  char date[24];
  tn_time_text(over ? leaf->not_after : leaf->not_before, date);
  fprintf(stderr, "tenon: %s: warning: the certificate %s %s\n", name, over ? "expired on" : "is not valid before",
          date);
}

// Finds the keys of the certificates in one file: a bundle may have several.
static int pair(const pem_file *cert, pem_file *files, size_t n, tn_config *config) {
  bool found = false, any_key = false;
  for (size_t i = 0; i < n; i++) {
    if (files[i].key == NULL) continue;
    any_key = true;
    tn_identity *identity = NULL;
    tn_result r = tn_identity_from_pem(NULL, tn_span_of(cert->text, cert->n), files[i].key, &identity);
    if (tn_ok(r)) {
      found = files[i].paired = true;
      warn_of_dates(cert->name, tn_identity_leaf(identity));
      r = tn_config_add_identity(config, identity);
      tn_identity_unref(identity);
      if (!tn_ok(r)) return tn_failed(cert->name, tn_reason_text(r.reason));
    } else if (r.reason != TN_E_KEY_MISMATCH) {
      return tn_failed(cert->name, tn_reason_text(r.reason));
    }
  }
  if (found) return 0;
  return tn_failed(cert->name, any_key ? "no private key that was given belongs to this certificate"
                                       : "the private key of this certificate is missing (-K)");
}

static int pair_all(pem_file *files, size_t n_certs, size_t n, tn_config *config) {
  for (size_t i = 0; i < n_certs; i++) {
    if (pair(&files[i], files, n, config) != 0) return 1;
  }
  for (size_t i = n_certs; i < n; i++) {
    if (!files[i].paired) return tn_failed(files[i].name, "no certificate that was given belongs to this private key");
  }
  return 0;
}

static int load(const tn_serve_options *o, tn_config *config) {
  size_t n = o->certs.n + o->keys.n;
  pem_file *files = calloc(n, sizeof *files);
  if (files == NULL) return tn_failed("serve", tn_reason_text(TN_E_NO_MEMORY));
  int status = 0;
  for (size_t i = 0; status == 0 && i < n; i++) {
    bool is_key = i >= o->certs.n;
    files[i].name = is_key ? o->keys.items[i - o->certs.n] : o->certs.items[i];
    status = read_pem(&files[i], is_key);
  }
  if (status == 0) status = pair_all(files, o->certs.n, n, config);
  for (size_t i = 0; i < n; i++) {
    tn_key_free(files[i].key);
    tn_file_free(files[i].text, files[i].n);
  }
  free(files);
  return status;
}

static int make(const tn_serve_options *o, tn_config *config) {
  tn_identity *identity = NULL;
  tn_result r = tn_serve_self_signed(&o->addresses, (int64_t)time(NULL), &identity);
  if (tn_ok(r)) r = tn_config_add_identity(config, identity);
  tn_identity_unref(identity);
  return tn_ok(r) ? 0 : tn_failed("making a certificate", tn_reason_text(r.reason));
}

int tn_serve_add_identities(const tn_serve_options *options, tn_config *config) {
  return options->certs.n != 0 ? load(options, config) : make(options, config);
}
