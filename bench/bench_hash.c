// Hashes and HMAC: one message an operation, from start to digest. HMAC's key is set up once.
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/kdf/hmac.h"
#include "mbedtls.h"

#define HMAC_KEY_LEN 32

static size_t digest_len(const bench_job *job) { return ((const tn_hash *)job->algorithm)->digest_len; }

// ---------------------------------------------------------------- ours

static bool our_hash_make(bench_job *job) {
  tn_hash_ctx probe;
  tn_hash_init(&probe, job->algorithm);
  job->path = probe.path;
  return true;
}

static bool our_hash_one(bench_job *job, uint64_t i) {
  bench_stamp(job, i);
  tn_hash_once(job->algorithm, job->in, job->size, job->out);
  return true;
}

static bool our_hmac_make(bench_job *job) {
  tn_hmac_ctx *keyed = job->state = malloc(sizeof *keyed);
  BENCH_NEED(keyed != NULL, job->name);
  tn_hmac_init(keyed, job->algorithm, job->key, HMAC_KEY_LEN);
  job->path = keyed->inner.path;
  return true;
}

static bool our_hmac_one(bench_job *job, uint64_t i) {
  tn_hmac_ctx ctx = *(const tn_hmac_ctx *)job->state;
  bench_stamp(job, i);
  tn_hmac_update(&ctx, job->in, job->size);
  tn_hmac_final(&ctx, job->out);
  return true;
}

static void our_free(bench_job *job) { free(job->state); }

// ---------------------------------------------------------------- OpenSSL's

typedef struct openssl_hash {
  EVP_MD *md;
  EVP_MD_CTX *ctx;
} openssl_hash;

static bool openssl_hash_make(bench_job *job) {
  openssl_hash *h = job->state = calloc(1, sizeof *h);
  BENCH_NEED(h != NULL, job->name);
  h->md = EVP_MD_fetch(NULL, job->name, NULL);
  h->ctx = EVP_MD_CTX_new();
  return h->md != NULL;
}

static bool openssl_hash_one(bench_job *job, uint64_t i) {
  openssl_hash *h = job->state;
  bench_stamp(job, i);
  return EVP_DigestInit_ex2(h->ctx, h->md, NULL) == 1 && EVP_DigestUpdate(h->ctx, job->in, job->size) == 1 &&
         EVP_DigestFinal_ex(h->ctx, job->out, NULL) == 1;
}

static void openssl_hash_free(bench_job *job) {
  openssl_hash *h = job->state;
  EVP_MD_CTX_free(h->ctx);
  EVP_MD_free(h->md);
  free(h);
}

static bool openssl_hmac_make(bench_job *job) {
  char digest[16];
  EVP_MAC *hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);
  EVP_MAC_CTX *ctx = job->state = EVP_MAC_CTX_new(hmac);
  EVP_MAC_free(hmac);
  snprintf(digest, sizeof digest, "%s", job->name);
  const OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string("digest", digest, 0), OSSL_PARAM_construct_end()};
  return EVP_MAC_init(ctx, job->key, HMAC_KEY_LEN, params) == 1;
}

static bool openssl_hmac_one(bench_job *job, uint64_t i) {
  size_t length;
  bench_stamp(job, i);
  return EVP_MAC_init(job->state, NULL, 0, NULL) == 1 &&  // the same key again
         EVP_MAC_update(job->state, job->in, job->size) == 1 &&
         EVP_MAC_final(job->state, job->out, &length, TN_HASH_MAX_DIGEST) == 1;
}

static void openssl_hmac_free(bench_job *job) { EVP_MAC_CTX_free(job->state); }

// ---------------------------------------------------------------- all

void bench_hash(bench *b) {
  static const bench_way ours = {bench_our_name, our_hash_make, our_hash_one, our_free};
  static const bench_way openssls = {bench_openssl_name, openssl_hash_make, openssl_hash_one, openssl_hash_free};
  static const bench_way *const ways[] = {&ours, &openssls, AND_MBEDTLS(mbedtls_hash)};
  static const bench_kind kind = {.ways = ways, .out_len = digest_len};
  for (size_t i = 0; tn_hashes[i] != NULL; i++)
    bench_kind_run(b, &kind, tn_hashes[i]->name, tn_hashes[i], tn_hashes[i]->name, false);
}

void bench_hmac(bench *b) {
  static const bench_way ours = {bench_our_name, our_hmac_make, our_hmac_one, our_free};
  static const bench_way openssls = {bench_openssl_name, openssl_hmac_make, openssl_hmac_one, openssl_hmac_free};
  static const bench_way *const ways[] = {&ours, &openssls, AND_MBEDTLS(mbedtls_hmac)};
  static const bench_kind kind = {.ways = ways, .out_len = digest_len};
  for (size_t i = 0; tn_hashes[i] != NULL; i++) {
    char row_name[40];
    snprintf(row_name, sizeof row_name, "hmac-%s", tn_hashes[i]->name);
    bench_kind_run(b, &kind, row_name, tn_hashes[i], tn_hashes[i]->name, false);
  }
}
