// Block cipher modes without authentication: one message an operation, with an IV of its own; the key schedule is kept.
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "cipher_message.h"
#include "mbedtls.h"

// ---------------------------------------------------------------- ours

static bool our_make(bench_job *job) {
  tn_cipher_key *key = job->state = aligned_alloc(64, (sizeof *key + 63) / 64 * 64);
  BENCH_NEED(key != NULL, job->name);
  tn_cipher_set_key(key, job->algorithm, job->key);
  job->path = key->impl->path;
  return true;
}

static bool our_one(bench_job *job, uint64_t i) {
  cipher_iv iv = cipher_iv_of(i);
  const tn_span in = {job->in, job->size};
  const tn_mspan out = {job->out, job->size};
  return tn_ok(job->reverse ? tn_cipher_decrypt(job->state, iv.bytes, &in, 1, &out, 1)
                            : tn_cipher_encrypt(job->state, iv.bytes, &in, 1, &out, 1));
}

static void our_free(bench_job *job) {
  tn_cipher_wipe_key(job->state);
  free(job->state);
}

static const bench_way ours = {bench_our_name, our_make, our_one, our_free};

// ---------------------------------------------------------------- OpenSSL's

static bool openssl_make(bench_job *job) {
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, strcmp(job->name, "3des-cbc") == 0 ? "DES-EDE3-CBC" : job->name, NULL);
  if (cipher == NULL) return false;
  EVP_CIPHER_CTX *ctx = job->state = EVP_CIPHER_CTX_new();
  BENCH_NEED(EVP_CipherInit_ex2(ctx, cipher, job->key, NULL, !job->reverse, NULL) == 1, job->name);
  BENCH_NEED(EVP_CIPHER_CTX_set_padding(ctx, 0) == 1, job->name);
  EVP_CIPHER_free(cipher);
  return true;
}

static bool openssl_one(bench_job *job, uint64_t i) {
  const cipher_iv iv = cipher_iv_of(i);
  int n;
  return EVP_CipherInit_ex2(job->state, NULL, NULL, iv.bytes, -1, NULL) == 1 &&
         EVP_CipherUpdate(job->state, job->out, &n, job->in, (int)job->size) == 1 && n == (int)job->size;
}

static void openssl_free(bench_job *job) { EVP_CIPHER_CTX_free(job->state); }

static const bench_way openssls = {bench_openssl_name, openssl_make, openssl_one, openssl_free};

// ---------------------------------------------------------------- all

// Whole blocks.
static size_t fit(const bench_job *job, size_t size) {
  const tn_cipher *cipher = job->algorithm;
  return cipher->stream ? size : size / cipher->block_len * cipher->block_len;
}

void bench_cipher(bench *b) {
  static const bench_way *const ways[] = {&ours, &openssls, AND_MBEDTLS(mbedtls_cipher)};
  static const bench_kind kind = {.ways = ways, .fit = fit};
  for (size_t i = 0; tn_ciphers[i] != NULL; i++) {
    const char *name = tn_ciphers[i]->name;
    char row_name[40];
    bench_kind_run(b, &kind, name, tn_ciphers[i], name, false);
    snprintf(row_name, sizeof row_name, "%s-open", name);
    bench_kind_run(b, &kind, row_name, tn_ciphers[i], name, true);
  }
}
