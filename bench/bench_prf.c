// The PRFs of TLS before 1.3: a key block an operation.
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include "crypto/kdf/prf.h"
#include "mbedtls.h"
#include "prf_case.h"

static bool our_make(bench_job *job) {
  (void)job;
  return true;
}

static bool our_one(bench_job *job, uint64_t i) {
  const tn_span secret = {job->key, PRF_SECRET}, seed = {job->in, PRF_SEED};
  bench_stamp(job, i);
  if (prf_hash(job) != NULL)
    tn_prf_tls12(prf_hash(job), secret, PRF_LABEL, &seed, 1, job->out, PRF_OUT);
  else
    tn_prf_tls10(secret, PRF_LABEL, &seed, 1, job->out, PRF_OUT);
  return true;
}

static void our_free(bench_job *job) { (void)job; }

static bool openssl_make(bench_job *job) {
  EVP_KDF *kdf = EVP_KDF_fetch(NULL, "TLS1-PRF", NULL);
  job->state = EVP_KDF_CTX_new(kdf);
  EVP_KDF_free(kdf);
  return job->state != NULL;
}

// Seeds add up in a context, so that it starts afresh.
static bool openssl_one(bench_job *job, uint64_t i) {
  char digest[16], label[] = PRF_LABEL;
  bench_stamp(job, i);
  snprintf(digest, sizeof digest, "%s", prf_hash(job) != NULL ? prf_hash(job)->name : "MD5-SHA1");
  const OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
                               OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SECRET, job->key, PRF_SECRET),
                               OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SEED, label, sizeof label - 1),
                               OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SEED, job->in, PRF_SEED),
                               OSSL_PARAM_construct_end()};
  EVP_KDF_CTX_reset(job->state);
  return EVP_KDF_derive(job->state, job->out, PRF_OUT, params) == 1;
}

static void openssl_free(bench_job *job) { EVP_KDF_CTX_free(job->state); }

static size_t out_len(const bench_job *job) {
  (void)job;
  return PRF_OUT;
}

void bench_prf(bench *b) {
  static const bench_way ours = {bench_our_name, our_make, our_one, our_free};
  static const bench_way openssls = {bench_openssl_name, openssl_make, openssl_one, openssl_free};
  static const bench_way *const ways[] = {&ours, &openssls, AND_MBEDTLS(mbedtls_prf)};
  static const bench_kind kind = {.ways = ways, .by_operation = true, .out_len = out_len};
  bench_kind_run(b, &kind, "prf-tls10", NULL, "tls10", false);
  bench_kind_run(b, &kind, "prf-sha256", &tn_sha256, "sha256", false);
  bench_kind_run(b, &kind, "prf-sha384", &tn_sha384, "sha384", false);
}
