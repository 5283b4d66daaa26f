// New key pairs for signatures, where no group has them: Ed25519's and RSA's.
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stdlib.h>

#include "cli/speed_names.h"
#include "pki/key.h"
#include "way.h"

#define MAX_BITS 2048  // longer keys take seconds

static const tn_speed_signer *signer_of(const bench_job *job) { return job->algorithm; }

// ---------------------------------------------------------------- ours

static bool our_make(bench_job *job) {
  job->path = signer_of(job)->scheme->path();
  return true;
}

static bool our_one(bench_job *job, uint64_t i) {
  tn_key *key = NULL;
  (void)i;
  tn_key_free(job->state);
  const bool good = tn_ok(tn_key_generate(NULL, signer_of(job)->name, &key));
  job->state = key;
  return good;
}

static void our_free(bench_job *job) { tn_key_free(job->state); }

// ---------------------------------------------------------------- OpenSSL's

typedef struct openssl_maker {
  EVP_PKEY_CTX *generator;
  EVP_PKEY *key;
} openssl_maker;

static bool openssl_make(bench_job *job) {
  const tn_speed_signer *signer = signer_of(job);
  openssl_maker *s = job->state = calloc(1, sizeof *s);
  BENCH_NEED(s != NULL, job->name);
  s->generator = EVP_PKEY_CTX_new_from_name(NULL, signer->bits != 0 ? "RSA" : signer->name, NULL);
  if (s->generator == NULL || EVP_PKEY_keygen_init(s->generator) != 1) return false;
  return signer->bits == 0 || EVP_PKEY_CTX_set_rsa_keygen_bits(s->generator, (int)signer->bits) == 1;
}

static bool openssl_one(bench_job *job, uint64_t i) {
  openssl_maker *s = job->state;
  (void)i;
  EVP_PKEY_free(s->key);
  s->key = NULL;
  return EVP_PKEY_generate(s->generator, &s->key) == 1;
}

static void openssl_free(bench_job *job) {
  openssl_maker *s = job->state;
  EVP_PKEY_CTX_free(s->generator);
  EVP_PKEY_free(s->key);
  free(s);
}

// ---------------------------------------------------------------- both

// What the one signs the other accepts: a key in both libraries.
static bool works(const tn_sign_scheme *scheme, const tn_key *signing, EVP_PKEY *verifying) {
  static const uint8_t message[] = "a new key";
  uint8_t sig[TN_SIGNATURE_MAX];
  size_t n = sizeof sig;
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  const bool inside = tn_key_get_type(signing) == TN_KEY_ED25519;  // hashes
  const bool good =
      ctx != NULL && tn_ok(tn_key_sign(signing, scheme, NULL, tn_span_of(message, sizeof message), sig, &n)) &&
      EVP_DigestVerifyInit_ex(ctx, NULL, inside ? NULL : scheme->hash->name, NULL, NULL, verifying, NULL) == 1 &&
      EVP_DigestVerify(ctx, sig, n, message, sizeof message) == 1;
  EVP_MD_CTX_free(ctx);
  return good;
}

static bool our_key_works(const tn_sign_scheme *scheme, const tn_key *key) {
  uint8_t der[TN_KEY_MAX_DER];
  const uint8_t *at = der;
  size_t n = sizeof der;
  if (!tn_ok(tn_key_to_pkcs8(key, der, &n))) return false;
  EVP_PKEY *theirs = d2i_AutoPrivateKey(NULL, &at, (long)n);
  const bool good = theirs != NULL && works(scheme, key, theirs);
  EVP_PKEY_free(theirs);
  tn_wipe(der, sizeof der);
  return good;
}

static bool openssl_key_works(const tn_sign_scheme *scheme, EVP_PKEY *key) {
  PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(key);
  uint8_t *der = NULL;
  tn_key *ours = NULL;
  const int n = i2d_PKCS8_PRIV_KEY_INFO(info, &der);
  const bool good = n > 0 && tn_ok(tn_key_parse(NULL, tn_span_of(der, (size_t)n), &ours)) && works(scheme, ours, key);
  tn_key_free(ours);
  OPENSSL_free(der);
  PKCS8_PRIV_KEY_INFO_free(info);
  return good;
}

static bool agree(const bench_row *row, uint64_t i) {
  const bench_job *ours = &bench_worker_of(row, 0)->job;
  const tn_sign_scheme *scheme = signer_of(ours)->scheme;
  (void)i;
  if (!our_key_works(scheme, ours->state)) return false;
  if (row->n_sides == 1) return true;
  const openssl_maker *theirs = bench_worker_of(row, 1)->job.state;
  return openssl_key_works(scheme, theirs->key);
}

void bench_keygen(bench *b) {
  static const bench_way ours = {bench_our_name, our_make, our_one, our_free};
  static const bench_way openssls = {bench_openssl_name, openssl_make, openssl_one, openssl_free};
  static const bench_way *const ways[] = {&ours, &openssls, NULL};
  tn_speed_signer signers[TN_SPEED_SIGNERS];
  const size_t n = tn_speed_signers_list(signers);
  for (size_t i = 0; i < n; i++) {
    const bench_kind kind = {
        .ways = ways, .by_operation = true, .alone = true, .varies = signers[i].bits != 0, .agree = agree};
    char row[TN_SPEED_SIGNER_NAME + 8];
    if (!signers[i].makes_keys || signers[i].bits > MAX_BITS) continue;
    snprintf(row, sizeof row, "%s-keygen", signers[i].name);
    bench_kind_run(b, &kind, row, &signers[i], signers[i].name, false);
  }
}
