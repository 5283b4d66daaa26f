// Mbed TLS's ways with what is built on hashes.
#include "mbedtls.h"

#if defined(BENCH_MBEDTLS)
#include <mbedtls/hmac_drbg.h>
#include <mbedtls/ssl.h>
#include <mbedtls/version.h>
#include <stdlib.h>
#include <string.h>

#include "drbg_case.h"
#include "mbedtls_md.h"
#include "prf_case.h"
#include "shax.h"

// ---------------------------------------------------------------- hashes

// NULL: it does not have it.
static const mbedtls_md_info_t *md_of(const char *name) {
  char upper[16];
  size_t i = 0;
  for (; name[i] != 0 && i < sizeof upper - 1; i++)
    upper[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
  upper[i] = 0;
  return mbedtls_md_info_from_string(upper);
}

mbedtls_md_context_t *bench_mbedtls_md(const char *name, int hmac) {
  const mbedtls_md_info_t *info = md_of(name);
  mbedtls_md_context_t *ctx = malloc(sizeof *ctx);
  BENCH_NEED(ctx != NULL, name);
  mbedtls_md_init(ctx);
  if (info != NULL && mbedtls_md_setup(ctx, info, hmac) == 0) return ctx;
  free(ctx);
  return NULL;
}

static bool hash_make(bench_job *job) { return (job->state = bench_mbedtls_md(job->name, 0)) != NULL; }

static bool hash_one(bench_job *job, uint64_t i) {
  bench_stamp(job, i);
  return mbedtls_md_starts(job->state) == 0 && mbedtls_md_update(job->state, job->in, job->size) == 0 &&
         mbedtls_md_finish(job->state, job->out) == 0;
}

#define HMAC_KEY_LEN 32

static bool hmac_make(bench_job *job) {
  return (job->state = bench_mbedtls_md(job->name, 1)) != NULL &&
         mbedtls_md_hmac_starts(job->state, job->key, HMAC_KEY_LEN) == 0;
}

static bool hmac_one(bench_job *job, uint64_t i) {
  bench_stamp(job, i);
  return mbedtls_md_hmac_reset(job->state) == 0 &&  // the same key again
         mbedtls_md_hmac_update(job->state, job->in, job->size) == 0 &&
         mbedtls_md_hmac_finish(job->state, job->out) == 0;
}

static void md_free(bench_job *job) {
  mbedtls_md_free(job->state);
  free(job->state);
}

const bench_way mbedtls_hash = {bench_mbedtls_name, hash_make, hash_one, md_free};
const bench_way mbedtls_hmac = {bench_mbedtls_name, hmac_make, hmac_one, md_free};

// ---------------------------------------------------------------- the hash suite

static bool shax_start(void *ctx) { return mbedtls_md_starts(ctx) == 0; }
static bool shax_update(void *ctx, const uint8_t *p, size_t n) { return mbedtls_md_update(ctx, p, n) == 0; }
static bool shax_finish(void *ctx, uint8_t *digest) { return mbedtls_md_finish(ctx, digest) == 0; }

static bool shax_make(bench_job *job) {
  void **ctx = job->state = calloc(SHAX_HASHES, sizeof *ctx);
  BENCH_NEED(ctx != NULL, job->name);
  for (size_t h = 0; h < SHAX_HASHES; h++)
    BENCH_NEED((ctx[h] = bench_mbedtls_md(shax_hashes[h], 0)) != NULL, shax_hashes[h]);
  return true;
}

static bool shax_one(bench_job *job, uint64_t i) {
  static const shax_hash hash = {shax_start, shax_update, shax_finish};
  bench_stamp(job, i);
  return shax_run(&hash, job->state, job->in, job->out);
}

static void shax_free(bench_job *job) {
  void **ctx = job->state;
  for (size_t h = 0; h < SHAX_HASHES; h++) {
    mbedtls_md_free(ctx[h]);
    free(ctx[h]);
  }
  free(ctx);
}

const bench_way mbedtls_shax = {bench_mbedtls_name, shax_make, shax_one, shax_free};

// ---------------------------------------------------------------- PRFs of TLS

// MBEDTLS_SSL_TLS_PRF_NONE: it does not have it; its release 3 left TLS before 1.2 behind.
static mbedtls_tls_prf_types prf_of(const bench_job *job) {
  if (prf_hash(job) == &tn_sha256) return MBEDTLS_SSL_TLS_PRF_SHA256;
  if (prf_hash(job) == &tn_sha384) return MBEDTLS_SSL_TLS_PRF_SHA384;
#if MBEDTLS_VERSION_MAJOR < 3
  return MBEDTLS_SSL_TLS_PRF_TLS1;
#else
  return MBEDTLS_SSL_TLS_PRF_NONE;
#endif
}

static bool prf_make(bench_job *job) { return prf_of(job) != MBEDTLS_SSL_TLS_PRF_NONE; }

static bool prf_one(bench_job *job, uint64_t i) {
  bench_stamp(job, i);
  return mbedtls_ssl_tls_prf(prf_of(job), job->key, PRF_SECRET, PRF_LABEL, job->in, PRF_SEED, job->out, PRF_OUT) == 0;
}

static void prf_free(bench_job *job) { (void)job; }

const bench_way mbedtls_prf = {bench_mbedtls_name, prf_make, prf_one, prf_free};

// ---------------------------------------------------------------- HMAC_DRBG

typedef struct drbg_state {
  mbedtls_hmac_drbg_context drbg;
  size_t asked;  // how often the source was, since the instantiation
} drbg_state;

// The entropy comes first, then the nonce, then entropy again.
static int give_entropy(void *ctx, unsigned char *out, size_t n) {
  drbg_state *s = ctx;
  memcpy(out, s->asked++ == 1 ? drbg_nonce : drbg_entropy, n);
  return 0;
}

static bool drbg_instantiate(bench_job *job, uint64_t i) {
  drbg_state *s = job->state;
  const drbg_personalization p = drbg_personalization_of(i);
  s->asked = 0;
  mbedtls_hmac_drbg_free(&s->drbg);
  mbedtls_hmac_drbg_init(&s->drbg);
  if (mbedtls_hmac_drbg_seed(&s->drbg, md_of(job->name), give_entropy, s, p.bytes, sizeof p.bytes) != 0) return false;
  mbedtls_hmac_drbg_set_reseed_interval(&s->drbg, DRBG_RESEED_LATE);
  if (drbg_case_of(job)->life == DRBG_PR)
    mbedtls_hmac_drbg_set_prediction_resistance(&s->drbg, MBEDTLS_HMAC_DRBG_PR_ON);
  return true;
}

static bool drbg_make(bench_job *job) {
  drbg_state *s = job->state = calloc(1, sizeof *s);
  BENCH_NEED(s != NULL, job->name);
  mbedtls_hmac_drbg_init(&s->drbg);
  return drbg_instantiate(job, 0);
}

static bool drbg_one(bench_job *job, uint64_t i) {
  drbg_state *s = job->state;
  const drbg_life life = drbg_case_of(job)->life;
  const size_t n = drbg_request(job), additional = life == DRBG_NO_RESEED ? 0 : DRBG_ADDITIONAL;
  if (life == DRBG_REQUESTS) return mbedtls_hmac_drbg_random(&s->drbg, job->out, job->size) == 0;
  bool good = drbg_instantiate(job, i);
  if (life == DRBG_NO_PR) good &= mbedtls_hmac_drbg_reseed(&s->drbg, drbg_additional, DRBG_ADDITIONAL) == 0;
  for (int request = 0; request < 2; request++)
    good &= mbedtls_hmac_drbg_random_with_add(&s->drbg, job->out, n, drbg_additional, additional) == 0;
  return good;
}

static void drbg_free(bench_job *job) {
  mbedtls_hmac_drbg_free(&((drbg_state *)job->state)->drbg);
  free(job->state);
}

const bench_way mbedtls_drbg = {bench_mbedtls_name, drbg_make, drbg_one, drbg_free};

#endif
