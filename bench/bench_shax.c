// The hash suite: SHA-1 and SHA-2 over short and long messages, the whole of it an operation.
#include "shax.h"

#include <openssl/evp.h>
#include <stdlib.h>

#include "crypto/hash/hash.h"
#include "mbedtls.h"

// ---------------------------------------------------------------- ours

typedef struct our_ctx {
  const tn_hash *hash;
  tn_hash_ctx running;
} our_ctx;

static bool our_start(void *ctx) {
  our_ctx *c = ctx;
  tn_hash_init(&c->running, c->hash);
  return true;
}
static bool our_update(void *ctx, const uint8_t *p, size_t n) {
  tn_hash_update(&((our_ctx *)ctx)->running, p, n);
  return true;
}
static bool our_finish(void *ctx, uint8_t *digest) {
  tn_hash_final(&((our_ctx *)ctx)->running, digest);
  return true;
}

static const tn_hash *find(const char *name) {
  for (const tn_hash *const *h = tn_hashes; *h != NULL; h++)
    if (strcmp((*h)->name, name) == 0) return *h;
  return NULL;
}

static bool our_make(bench_job *job) {
  our_ctx *c = job->state = calloc(SHAX_HASHES, sizeof *c);
  BENCH_NEED(c != NULL, job->name);
  for (size_t h = 0; h < SHAX_HASHES; h++) BENCH_NEED((c[h].hash = find(shax_hashes[h])) != NULL, shax_hashes[h]);
  return true;
}

static bool our_one(bench_job *job, uint64_t i) {
  static const shax_hash hash = {our_start, our_update, our_finish};
  our_ctx *c = job->state;
  void *ctx[SHAX_HASHES];
  for (size_t h = 0; h < SHAX_HASHES; h++) ctx[h] = &c[h];
  bench_stamp(job, i);
  return shax_run(&hash, ctx, job->in, job->out);
}

static void our_free(bench_job *job) { free(job->state); }

// ---------------------------------------------------------------- OpenSSL's

typedef struct openssl_ctx {
  EVP_MD *md;
  EVP_MD_CTX *running;
} openssl_ctx;

static bool openssl_start(void *ctx) {
  openssl_ctx *c = ctx;
  return EVP_DigestInit_ex2(c->running, c->md, NULL) == 1;
}
static bool openssl_update(void *ctx, const uint8_t *p, size_t n) {
  return EVP_DigestUpdate(((openssl_ctx *)ctx)->running, p, n) == 1;
}
static bool openssl_finish(void *ctx, uint8_t *digest) {
  return EVP_DigestFinal_ex(((openssl_ctx *)ctx)->running, digest, NULL) == 1;
}

static bool openssl_make(bench_job *job) {
  openssl_ctx *c = job->state = calloc(SHAX_HASHES, sizeof *c);
  BENCH_NEED(c != NULL, job->name);
  for (size_t h = 0; h < SHAX_HASHES; h++) {
    c[h].md = EVP_MD_fetch(NULL, shax_hashes[h], NULL);
    c[h].running = EVP_MD_CTX_new();
    BENCH_NEED(c[h].md != NULL && c[h].running != NULL, shax_hashes[h]);
  }
  return true;
}

static bool openssl_one(bench_job *job, uint64_t i) {
  static const shax_hash hash = {openssl_start, openssl_update, openssl_finish};
  openssl_ctx *c = job->state;
  void *ctx[SHAX_HASHES];
  for (size_t h = 0; h < SHAX_HASHES; h++) ctx[h] = &c[h];
  bench_stamp(job, i);
  return shax_run(&hash, ctx, job->in, job->out);
}

static void openssl_free(bench_job *job) {
  openssl_ctx *c = job->state;
  for (size_t h = 0; h < SHAX_HASHES; h++) {
    EVP_MD_CTX_free(c[h].running);
    EVP_MD_free(c[h].md);
  }
  free(c);
}

// ---------------------------------------------------------------- all

static void blank(bench_job *job) {
  memset(job->out, 0, SHAX_DIGESTS * SHAX_DIGEST);
}  // digests are of several lengths
static size_t out_len(const bench_job *job) {
  (void)job;
  return SHAX_DIGESTS * SHAX_DIGEST;
}

void bench_shax(bench *b) {
  static const bench_way ours = {bench_our_name, our_make, our_one, our_free};
  static const bench_way openssls = {bench_openssl_name, openssl_make, openssl_one, openssl_free};
  static const bench_way *const ways[] = {&ours, &openssls, AND_MBEDTLS(mbedtls_shax)};
  static const bench_kind kind = {.ways = ways, .by_operation = true, .prepare = blank, .out_len = out_len};
  bench_kind_run(b, &kind, "shax", NULL, "shax", false);
}
