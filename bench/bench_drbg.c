// HMAC_DRBG, NIST SP 800-90A, on entropy that is known; and the generators that the libraries use themselves.
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <stdlib.h>
#include <string.h>

#include "drbg_case.h"
#include "mbedtls.h"

// ---------------------------------------------------------------- ours

static tn_result give_entropy(void *ctx, uint8_t *out, size_t n) {
  (void)ctx;
  if (n > sizeof drbg_entropy) return tn_fail(TN_E_NO_RANDOM);
  memcpy(out, drbg_entropy, n);
  return tn_success();
}

static bool our_instantiate(bench_job *job, uint64_t i) {
  static const tn_rng source = {give_entropy, NULL};
  static const tn_drbg_mode modes[] = {TN_DRBG_NO_RESEED, TN_DRBG_NO_RESEED, TN_DRBG_RESEED,
                                       TN_DRBG_PREDICTION_RESISTANCE};
  const drbg_case *c = drbg_case_of(job);
  const drbg_personalization p = drbg_personalization_of(i);
  const size_t strength = tn_hmac_drbg_strength(c->hash);
  const tn_hmac_drbg_options options = {.hash = c->hash, .mode = modes[c->life], .source = &source};
  return tn_ok(tn_hmac_drbg_instantiate_with(job->state, &options, tn_span_of(drbg_entropy, strength),
                                             tn_span_of(drbg_nonce, strength / 2), tn_span_of(p.bytes, sizeof p)));
}

static bool our_make(bench_job *job) {
  job->state = calloc(1, sizeof(tn_hmac_drbg));
  BENCH_NEED(job->state != NULL && our_instantiate(job, 0), job->name);
  return true;
}

static bool our_one(bench_job *job, uint64_t i) {
  const drbg_life life = drbg_case_of(job)->life;
  const size_t n = drbg_request(job);
  const tn_span none = {NULL, 0}, given = {drbg_additional, DRBG_ADDITIONAL};
  const tn_span additional = life == DRBG_NO_RESEED ? none : given;
  if (life == DRBG_REQUESTS) return tn_ok(tn_hmac_drbg_generate(job->state, job->out, job->size, none));
  bool good = our_instantiate(job, i);
  if (life == DRBG_NO_PR) good &= tn_ok(tn_hmac_drbg_reseed(job->state, given));
  for (int request = 0; request < 2; request++)
    good &= tn_ok(tn_hmac_drbg_generate(job->state, job->out, n, additional));
  return good;
}

static void our_free(bench_job *job) {
  tn_hmac_drbg_uninstantiate(job->state);
  free(job->state);
}

// ---------------------------------------------------------------- OpenSSL's

typedef struct openssl_drbg {
  EVP_RAND_CTX *source, *drbg;
  unsigned strength;  // bits
} openssl_drbg;

static bool openssl_instantiate(openssl_drbg *d, uint64_t i, bool prediction_resistance) {
  const drbg_personalization p = drbg_personalization_of(i);
  return EVP_RAND_instantiate(d->drbg, d->strength, prediction_resistance, p.bytes, sizeof p, NULL) == 1;
}

static EVP_RAND_CTX *openssl_rand(const char *name, EVP_RAND_CTX *parent) {
  EVP_RAND *rand = EVP_RAND_fetch(NULL, name, NULL);
  BENCH_NEED(rand != NULL, name);
  EVP_RAND_CTX *ctx = EVP_RAND_CTX_new(rand, parent);
  EVP_RAND_free(rand);
  return ctx;
}

static bool openssl_make(bench_job *job) {
  const tn_hash *hash = drbg_case_of(job)->hash;
  openssl_drbg *d = job->state = calloc(1, sizeof *d);
  BENCH_NEED(d != NULL, job->name);
  const size_t strength = tn_hmac_drbg_strength(hash);
  uint8_t entropy[sizeof drbg_entropy], nonce[sizeof drbg_nonce];
  char digest[16], mac[] = "HMAC";
  unsigned bits = d->strength = (unsigned)strength * 8, late = DRBG_RESEED_LATE;
  time_t never = 0;
  memcpy(entropy, drbg_entropy, sizeof entropy);
  memcpy(nonce, drbg_nonce, sizeof nonce);
  snprintf(digest, sizeof digest, "%s", hash->name);
  const OSSL_PARAM source[] = {OSSL_PARAM_construct_uint(OSSL_RAND_PARAM_STRENGTH, &bits),
                               OSSL_PARAM_construct_octet_string(OSSL_RAND_PARAM_TEST_ENTROPY, entropy, strength),
                               OSSL_PARAM_construct_octet_string(OSSL_RAND_PARAM_TEST_NONCE, nonce, strength / 2),
                               OSSL_PARAM_construct_end()};
  const OSSL_PARAM drbg[] = {OSSL_PARAM_construct_utf8_string(OSSL_DRBG_PARAM_MAC, mac, 0),
                             OSSL_PARAM_construct_utf8_string(OSSL_DRBG_PARAM_DIGEST, digest, 0),
                             OSSL_PARAM_construct_uint(OSSL_DRBG_PARAM_RESEED_REQUESTS, &late),
                             OSSL_PARAM_construct_time_t(OSSL_DRBG_PARAM_RESEED_TIME_INTERVAL, &never),
                             OSSL_PARAM_construct_end()};
  d->source = openssl_rand("TEST-RAND", NULL);
  BENCH_NEED(EVP_RAND_instantiate(d->source, bits, 0, NULL, 0, source) == 1, job->name);
  d->drbg = openssl_rand("HMAC-DRBG", d->source);
  return EVP_RAND_CTX_set_params(d->drbg, drbg) == 1 && openssl_instantiate(d, 0, false);
}

static bool openssl_one(bench_job *job, uint64_t i) {
  openssl_drbg *d = job->state;
  const drbg_life life = drbg_case_of(job)->life;
  const size_t n = drbg_request(job), additional = life == DRBG_NO_RESEED ? 0 : DRBG_ADDITIONAL;
  const bool pr = life == DRBG_PR;
  if (life == DRBG_REQUESTS) return EVP_RAND_generate(d->drbg, job->out, job->size, d->strength, 0, NULL, 0) == 1;
  bool good = EVP_RAND_uninstantiate(d->drbg) == 1 && openssl_instantiate(d, i, pr);
  if (life == DRBG_NO_PR) good &= EVP_RAND_reseed(d->drbg, 0, NULL, 0, drbg_additional, DRBG_ADDITIONAL) == 1;
  for (int request = 0; request < 2; request++)
    good &= EVP_RAND_generate(d->drbg, job->out, n, d->strength, pr, additional != 0 ? drbg_additional : NULL,
                              additional) == 1;
  return good;
}

static void openssl_free(bench_job *job) {
  openssl_drbg *d = job->state;
  EVP_RAND_CTX_free(d->drbg);
  EVP_RAND_CTX_free(d->source);
  free(d);
}

// ---------------------------------------------------------------- all

// Generators that live on have given different numbers of bytes: new ones are compared.
static bool start_the_same(const bench_row *row, uint64_t i) {
  bool good = true;
  for (size_t s = 0; s < row->n_sides; s++) {
    bench_worker *w = bench_worker_of(row, s);
    w->way->free(&w->job);
    good &= w->way->make(&w->job) && w->way->one(&w->job, i);
    good &= memcmp(w->job.out, bench_worker_of(row, 0)->job.out, w->job.size) == 0;
  }
  return good;
}

static size_t fit(const bench_job *job, size_t size) {
  (void)job;
  return size > DRBG_MAX_REQUEST ? 0 : size;
}

void bench_drbg(bench *b) {
  static const bench_way ours = {bench_our_name, our_make, our_one, our_free};
  static const bench_way openssls = {bench_openssl_name, openssl_make, openssl_one, openssl_free};
  static const bench_way *const ways[] = {&ours, &openssls, AND_MBEDTLS(mbedtls_drbg)};
  static const bench_kind requests = {.ways = ways, .fit = fit, .agree = start_the_same};
  static const bench_kind lives = {.ways = ways, .by_operation = true, .out_len = drbg_request};
  static const tn_hash *const hashes[] = {&tn_sha1, &tn_sha224, &tn_sha256, &tn_sha384, &tn_sha512};
  static const char *const suffixes[] = {"", "-no-reseed", "-no-pr", "-pr"};
  for (size_t h = 0; h < COUNT(hashes); h++) {
    for (drbg_life life = DRBG_REQUESTS; life <= DRBG_PR; life++) {
      const drbg_case c = {life, hashes[h]};
      char row_name[40];
      snprintf(row_name, sizeof row_name, "hmac-drbg-%s%s", hashes[h]->name, suffixes[life]);
      bench_kind_run(b, life == DRBG_REQUESTS ? &requests : &lives, row_name, &c, hashes[h]->name, false);
    }
  }
}

// ---------------------------------------------------------------- the libraries' own generators

static bool nothing_to_make(bench_job *job) {
  (void)job;
  return true;
}
static void nothing_to_free(bench_job *job) { (void)job; }

static bool our_random(bench_job *job, uint64_t i) {
  (void)i;
  return tn_ok(tn_random(NULL, job->out, job->size));
}

static bool openssl_random(bench_job *job, uint64_t i) {
  (void)i;
  return RAND_bytes(job->out, (int)job->size) == 1;
}

// No two requests give the same.
static bool is_new(const bench_row *row, uint64_t i) {
  bool good = true;
  for (size_t s = 0; s < row->n_sides; s++) {
    bench_worker *w = bench_worker_of(row, s);
    memcpy(w->job.in, w->job.out, w->job.size);
    good &= w->way->one(&w->job, i) && memcmp(w->job.in, w->job.out, w->job.size) != 0;
  }
  return good;
}

void bench_random(bench *b) {
  static const bench_way ours = {bench_our_name, nothing_to_make, our_random, nothing_to_free};
  static const bench_way openssls = {bench_openssl_name, nothing_to_make, openssl_random, nothing_to_free};
  static const bench_way *const ways[] = {&ours, &openssls, NULL};
  static const bench_kind kind = {.ways = ways, .agree = is_new};
  bench_kind_run(b, &kind, "random", NULL, "random", false);
}
