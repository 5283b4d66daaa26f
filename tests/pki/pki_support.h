// What the tests of this floor share: an allocator that counts and fails, certificates of ours, certificates of
// libcrypto's, and the files of the corpora.
#ifndef TN_TESTS_PKI_SUPPORT_H
#define TN_TESTS_PKI_SUPPORT_H

#include <ftw.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "support/support.h"
#include "tenon/pki.h"

#define NOW INT64_C(1800000000)
#define DAY INT64_C(86400)

static inline tn_span text_span(const char *s) { return tn_span_of(s, strlen(s)); }

// ---------------------------------------------------------------- an allocator that counts, and fails at one call

typedef struct counting {
  tn_allocator allocator;
  size_t calls, live;
  size_t fail_at;  // the call that fails, from 1; 0 for none
} counting;

static inline void *counting_allocate(void *ctx, size_t n) {
  counting *c = ctx;
  if (++c->calls == c->fail_at) return NULL;
  c->live++;
  return malloc(n);
}

static inline void counting_release(void *ctx, void *p, size_t n) {
  (void)n;
  ((counting *)ctx)->live--;
  free(p);
}

static inline void counting_init(counting *c, size_t fail_at) {
  *c = (counting){.allocator = {counting_allocate, counting_release, c}, .fail_at = fail_at};
}

// ---------------------------------------------------------------- certificates of ours

typedef struct issued {
  tn_key *key;
  uint8_t der[1024];
  size_t n;
  tn_cert cert;
} issued;

static inline void issue(issued *out, const tn_cert_spec *spec, const issued *issuer) {
  assert_ok(tn_key_generate_p256(NULL, &out->key));
  out->n = sizeof out->der;
  assert_ok(tn_cert_make(spec, out->key, issuer == NULL ? NULL : &issuer->cert, issuer == NULL ? NULL : issuer->key,
                         out->der, &out->n));
  assert_ok(tn_cert_parse(&out->cert, tn_span_of(out->der, out->n)));
}

static inline void issued_free(issued *i) { tn_key_free(i->key); }

// ---------------------------------------------------------------- certificates of libcrypto's

static inline EVP_PKEY *new_evp_key(const char *curve) {
  EVP_PKEY *key = EVP_EC_gen(curve);
  assert_non_null(key);
  return key;
}

static inline X509_NAME *new_x509_name(const char *common_name) {
  X509_NAME *name = X509_NAME_new();
  if (common_name[0] != 0)
    assert_true(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, (const unsigned char *)common_name, -1, -1, 0));
  return name;
}

// `extensions`: "name=value" separated by ';', in the language of openssl's configuration files.
static inline bytes x509_issue(const char *subject, EVP_PKEY *key, const char *issuer, EVP_PKEY *issuer_key,
                               int64_t from, int64_t to, const char *extensions, const EVP_MD *md) {
  X509 *x = X509_new();
  X509_NAME *subject_name = new_x509_name(subject), *issuer_name = new_x509_name(issuer);
  assert_true(X509_set_version(x, extensions[0] == 0 ? 0 : 2));
  assert_true(ASN1_INTEGER_set(X509_get_serialNumber(x), 4711));
  assert_true(X509_set_subject_name(x, subject_name) && X509_set_issuer_name(x, issuer_name));
  assert_non_null(ASN1_TIME_set(X509_getm_notBefore(x), (time_t)from));
  assert_non_null(ASN1_TIME_set(X509_getm_notAfter(x), (time_t)to));
  assert_true(X509_set_pubkey(x, key));
  char copy[512], *rest = copy;
  snprintf(copy, sizeof copy, "%s", extensions);
  X509V3_CTX ctx;
  X509V3_set_ctx(&ctx, x, x, NULL, NULL, 0);
  for (char *one; rest != NULL && (one = strsep(&rest, ";")) != NULL && one[0] != 0;) {
    char *value = strchr(one, '=');
    *value++ = 0;
    X509_EXTENSION *e = X509V3_EXT_nconf(NULL, &ctx, one, value);
    if (e == NULL) fail_msg("libcrypto does not like %s=%s", one, value);
    assert_true(X509_add_ext(x, e, -1));
    X509_EXTENSION_free(e);
  }
  assert_true(X509_sign(x, issuer_key, md) > 0);
  bytes out = {NULL, 0};
  int n = i2d_X509(x, &out.p);
  assert_true(n > 0);
  out.n = (size_t)n;
  X509_NAME_free(subject_name);
  X509_NAME_free(issuer_name);
  X509_free(x);
  return out;
}

// A PEM text of DER certificates.
static inline bytes pem_of(const char *label, const tn_span *ders, size_t n) {
  size_t room = 1;
  for (size_t i = 0; i < n; i++) room += ders[i].n * 4 / 3 + ders[i].n / 48 + 100;
  bytes out = {malloc(room), 0};
  for (size_t i = 0; i < n; i++) {
    size_t len = room - out.n;
    assert_ok(tn_pem_encode(label, ders[i], out.p + out.n, &len));
    out.n += len;
  }
  return out;
}

// ---------------------------------------------------------------- corpora

static void (*corpus_visitor)(tn_span file);
static size_t corpus_files;

static inline int corpus_visit(const char *path, const struct stat *info, int type) {
  if (type != FTW_F || info->st_size > 1 << 22) return 0;
  FILE *f = fopen(path, "rb");
  if (f == NULL) return 0;
  size_t n = (size_t)info->st_size;
  uint8_t *p = malloc(n + (n == 0));  // exactly as long as the file, for the sanitizer
  if (fread(p, 1, n, f) == n) corpus_visitor(tn_span_of(p, n));
  free(p);
  fclose(f);
  corpus_files++;
  return 0;
}

// Gives every file below ../shared/vectors/FOLDER to visit; skips the test where the folder is absent.
static inline void corpus_walk(const char *folder, void (*visit)(tn_span file)) {
  char full[512];
  snprintf(full, sizeof full, "%s/%s", TN_VECTORS, folder);
  corpus_visitor = visit;
  corpus_files = 0;
  if (ftw(full, corpus_visit, 16) != 0) {
    print_message("skipped: %s is not here\n", full);
    skip();
  }
  assert_true(corpus_files != 0);
}

#endif
