// AEADs, one record an operation: a fresh nonce, 13 bytes of additional data, the tag; the key schedule is kept.
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "aead_record.h"
#include "mbedtls.h"

// ---------------------------------------------------------------- ours

static bool our_make(bench_job *job) {
  tn_aead_key *key = job->state = aligned_alloc(64, (sizeof *key + 63) / 64 * 64);
  BENCH_NEED(key != NULL, job->name);
  tn_aead_set_key(key, job->algorithm, job->key);
  job->path = key->impl->path;
  return true;
}

static bool our_one(bench_job *job, uint64_t i) {
  const aead_record r = aead_record_of(job, i);
  const tn_span aad = {r.aad, AAD_LEN}, in = {r.in, job->size};
  const tn_mspan out = {r.out, job->size};
  return tn_ok(job->reverse ? tn_aead_open(job->state, r.nonce, aad, &in, 1, r.tag_in, &out, 1)
                            : tn_aead_seal(job->state, r.nonce, aad, &in, 1, &out, 1, r.tag_out));
}

static void our_free(bench_job *job) {
  tn_aead_wipe_key(job->state);
  free(job->state);
}

static const bench_way ours = {bench_our_name, our_make, our_one, our_free};

// ---------------------------------------------------------------- OpenSSL's

static bool is_ccm(const bench_job *job) { return strstr(job->name, "-ccm") != NULL; }

static bool openssl_make(bench_job *job) {
  char name[32];
  snprintf(name, sizeof name, "%s", job->name);
  char *short_tag = strstr(name, "-ccm-8");
  if (short_tag != NULL) short_tag[4] = 0;
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
  if (cipher == NULL) return false;
  EVP_CIPHER_CTX *ctx = job->state = EVP_CIPHER_CTX_new();
  BENCH_NEED(EVP_CipherInit_ex2(ctx, cipher, NULL, NULL, !job->reverse, NULL) == 1, job->name);
  if (is_ccm(job)) {
    const int tag_len = aead_tag_len(job);
    BENCH_NEED(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, TN_AEAD_NONCE_LEN, NULL) == 1, job->name);
    BENCH_NEED(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, tag_len, NULL) == 1, job->name);
  }
  BENCH_NEED(EVP_CipherInit_ex2(ctx, NULL, job->key, NULL, -1, NULL) == 1, job->name);
  EVP_CIPHER_free(cipher);
  return true;
}

static bool openssl_one(bench_job *job, uint64_t i) {
  EVP_CIPHER_CTX *ctx = job->state;
  const aead_record r = aead_record_of(job, i);
  const int tag_len = aead_tag_len(job);
  uint8_t tag[TN_AEAD_MAX_TAG];
  int n;
  if (EVP_CipherInit_ex2(ctx, NULL, NULL, r.nonce, -1, NULL) != 1) return false;
  if (job->reverse) {
    memcpy(tag, r.tag_in, (size_t)tag_len);
    if (EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, tag_len, tag) != 1) return false;
  }
  if (is_ccm(job) && EVP_CipherUpdate(ctx, NULL, &n, NULL, (int)job->size) != 1)
    return false;  // the length comes first
  if (EVP_CipherUpdate(ctx, NULL, &n, r.aad, AAD_LEN) != 1 ||
      EVP_CipherUpdate(ctx, r.out, &n, r.in, (int)job->size) != 1)
    return false;
  if (job->reverse) return is_ccm(job) || EVP_CipherFinal_ex(ctx, r.out + job->size, &n) == 1;
  return EVP_CipherFinal_ex(ctx, r.out + job->size, &n) == 1 &&
         EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, tag_len, r.tag_out) == 1;
}

static void openssl_free(bench_job *job) { EVP_CIPHER_CTX_free(job->state); }

static const bench_way openssls = {bench_openssl_name, openssl_make, openssl_one, openssl_free};

// ---------------------------------------------------------------- all

static size_t sealed_len(const bench_job *job) { return job->size + (size_t)aead_tag_len(job); }

// Records to be opened: what OpenSSL sealed; we must seal the same.
static void seal_ahead(bench_job *opener) {
  bench_job sealer = *opener, mine = *opener;
  sealer.reverse = mine.reverse = false;
  BENCH_NEED(openssl_make(&sealer) && our_make(&mine), opener->name);
  sealer.in = mine.in = opener->out;
  bench_fill(opener->out, opener->size, 3);
  mine.out = malloc(sealed_len(opener));
  for (uint64_t i = 0; i < aead_n_records(opener); i++) {
    sealer.out = opener->in + i * sealed_len(opener);
    BENCH_NEED(openssl_one(&sealer, i) && our_one(&mine, i), opener->name);
    BENCH_NEED(memcmp(sealer.out, mine.out, sealed_len(opener)) == 0, opener->name);
  }
  free(mine.out);
  openssl_free(&sealer);
  our_free(&mine);
  memset(opener->out, 0, opener->size);
}

// The text came out, and a record with a wrong tag is refused.
static bool opened_well(bench_worker *w, uint64_t i, uint8_t *text) {
  bench_job *job = &w->job;
  bench_fill(text, job->size, 3);
  if (memcmp(job->out, text, job->size) != 0) return false;
  uint8_t *tag = job->in + (i % aead_n_records(job)) * sealed_len(job) + job->size;
  *tag ^= 1;
  const bool refused = !w->way->one(job, i);
  *tag ^= 1;
  return refused;
}

static bool all_opened_well(const bench_row *row, uint64_t i) {
  uint8_t *text = malloc(BENCH_MAX_SIZE);
  bool good = text != NULL;
  for (size_t s = 0; s < row->n_sides && good; s++) good = opened_well(bench_worker_of(row, s), i, text);
  free(text);
  return good;
}

void bench_aead(bench *b) {
  static const bench_way *const ways[] = {&ours, &openssls, AND_MBEDTLS(mbedtls_aead)};
  static const bench_kind seal = {.ways = ways, .out_room = TN_AEAD_MAX_TAG, .out_len = sealed_len};
  static const bench_kind open = {
      .ways = ways, .in_room = AEAD_RECORDS * TN_AEAD_MAX_TAG, .prepare = seal_ahead, .agree = all_opened_well};
  for (size_t i = 0; tn_aeads[i] != NULL; i++) {
    const char *name = tn_aeads[i]->name;
    char row_name[40];
    bench_kind_run(b, &seal, name, tn_aeads[i], name, false);
    snprintf(row_name, sizeof row_name, "%s-open", name);
    bench_kind_run(b, &open, row_name, tn_aeads[i], name, true);
  }
}
