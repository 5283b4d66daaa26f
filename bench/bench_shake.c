// SHAKE: one message an operation, from start to 32 bytes of output.
#include <openssl/evp.h>

#include "crypto/hash/shake.h"
#include "way.h"

#define OUT_LEN 32

typedef struct shake {
  const char *name;
  void (*once)(const void *p, size_t n, void *out, size_t out_len);
} shake;

static bool our_make(bench_job *job) {
  job->path = tn_keccak_path();
  return true;
}

static bool our_one(bench_job *job, uint64_t i) {
  bench_stamp(job, i);
  ((const shake *)job->algorithm)->once(job->in, job->size, job->out, OUT_LEN);
  return true;
}

static void our_free(bench_job *job) { (void)job; }

static bool openssl_make(bench_job *job) {
  EVP_MD *md = EVP_MD_fetch(NULL, job->name, NULL);
  job->state = EVP_MD_CTX_new();
  const bool good = md != NULL && EVP_DigestInit_ex2(job->state, md, NULL) == 1;
  EVP_MD_free(md);
  return good;
}

static bool openssl_one(bench_job *job, uint64_t i) {
  bench_stamp(job, i);
  return EVP_DigestInit_ex2(job->state, NULL, NULL) == 1 && EVP_DigestUpdate(job->state, job->in, job->size) == 1 &&
         EVP_DigestFinalXOF(job->state, job->out, OUT_LEN) == 1;
}

static void openssl_free(bench_job *job) { EVP_MD_CTX_free(job->state); }

static size_t out_len(const bench_job *job) {
  (void)job;
  return OUT_LEN;
}

void bench_shake(bench *b) {
  static const shake shakes[] = {{"shake128", tn_shake128}, {"shake256", tn_shake256}};
  static const bench_way ours = {bench_our_name, our_make, our_one, our_free};
  static const bench_way openssls = {bench_openssl_name, openssl_make, openssl_one, openssl_free};
  static const bench_way *const ways[] = {&ours, &openssls, NULL};
  static const bench_kind kind = {.ways = ways, .out_room = OUT_LEN, .out_len = out_len};
  for (size_t i = 0; i < COUNT(shakes); i++)
    bench_kind_run(b, &kind, shakes[i].name, &shakes[i], shakes[i].name, false);
}
