// CBC records of TLS 1.2: one record an operation, MAC-then-encrypt with an explicit IV that is given; keys are kept.
// OpenSSL twice: its stitched ciphers, which seal and open records themselves, and EVP's CBC and HMAC one after the
// other, which programs without them use.
#include <openssl/evp.h>
#include <stdlib.h>

#include "cbc_record.h"
#include "mbedtls.h"

static tn_cbc_hmac_record record_of(uint64_t i) {
  return (tn_cbc_hmac_record){.sequence = i, .type = 0x17, .version = 0x0303};
}

// ---------------------------------------------------------------- ours

static bool our_make(bench_job *job) {
  tn_cbc_hmac_key *key = job->state = aligned_alloc(64, (sizeof *key + 63) / 64 * 64);
  BENCH_NEED(key != NULL, job->name);
  tn_cbc_hmac_set_key(key, cbc_pair(job), false, job->key + CBC_MAC_KEY_AT, job->key, NULL);
  job->path = key->cipher.impl->path;
  return true;
}

// As a generator it gives operation i's IV.
static tn_result give_iv(void *ctx, uint8_t *out, size_t n) {
  const cbc_iv iv = cbc_iv_of(*(const uint64_t *)ctx);
  if (n > sizeof iv.bytes) return tn_fail(TN_E_NO_RANDOM);
  memcpy(out, iv.bytes, n);
  return tn_success();
}

static bool our_seal(bench_job *job, uint64_t i) {
  const tn_cbc_hmac_record record = record_of(i);
  const tn_span text = {job->in + CBC_TEXT_AT, job->size};
  const tn_rng ivs = {give_iv, &i};
  return tn_ok(
      tn_cbc_hmac_seal(job->state, &record, &text, 1, &ivs, (tn_mspan){job->out, job->size + CBC_SEALED_ROOM}));
}

// Opens the fragment, to where opened text is expected.
static bool our_open_one(bench_job *job, uint64_t i, const uint8_t *sealed) {
  const tn_cbc_hmac_record record = record_of(i);
  size_t n;
  return tn_ok(tn_cbc_hmac_open(job->state, &record, tn_span_of(sealed, cbc_sealed_len(job)),
                                (tn_mspan){job->out + CBC_TEXT_AT, job->size + CBC_SEALED_ROOM}, &n)) &&
         n == job->size;
}

static bool our_one(bench_job *job, uint64_t i) {
  if (!job->reverse) return our_seal(job, i);
  i %= cbc_n_records(job);
  return our_open_one(job, i, cbc_sealed_at(job, i));
}

static void our_free(bench_job *job) {
  tn_cbc_hmac_wipe_key(job->state);
  free(job->state);
}

static const bench_way ours = {bench_our_name, our_make, our_one, our_free};

// ---------------------------------------------------------------- OpenSSL's stitched ciphers

static const char *stitched_name(void) {
  static char name[48];
  if (name[0] == 0) snprintf(name, sizeof name, "%s stitched", bench_openssl_name());
  return name;
}

static bool stitched_make(bench_job *job) {
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, job->name, NULL);
  if (cipher == NULL) return false;
  EVP_CIPHER_CTX *ctx = job->state = EVP_CIPHER_CTX_new();
  const cbc_iv iv = cbc_iv_of(0);
  BENCH_NEED(EVP_CipherInit_ex2(ctx, cipher, job->key, iv.bytes, !job->reverse, NULL) == 1, job->name);
  BENCH_NEED(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_MAC_KEY, (int)cbc_mac_len(job), job->key + CBC_MAC_KEY_AT) == 1,
             job->name);
  EVP_CIPHER_free(cipher);
  return true;
}

// The explicit IV counts as a part of the text, and leaves encrypted.
static bool stitched_one(bench_job *job, uint64_t i) {
  const size_t n = cbc_sealed_len(job);
  const uint8_t *in = job->in;
  if (job->reverse) {
    i %= cbc_n_records(job);
    in = cbc_sealed_at(job, i);
  } else {
    const cbc_iv iv = cbc_iv_of(i);
    memcpy(job->in, iv.bytes, sizeof iv.bytes);
  }
  cbc_header header = cbc_header_of(i, job->reverse ? n : CBC_TEXT_AT + job->size);
  return EVP_CIPHER_CTX_ctrl(job->state, EVP_CTRL_AEAD_TLS1_AAD, sizeof header.bytes, header.bytes) > 0 &&
         EVP_Cipher(job->state, job->out, in, (unsigned)n) > 0;
}

static void stitched_free(bench_job *job) { EVP_CIPHER_CTX_free(job->state); }

static const bench_way stitched = {stitched_name, stitched_make, stitched_one, stitched_free};

// ---------------------------------------------------------------- OpenSSL's parts

typedef struct parts {
  EVP_CIPHER_CTX *cipher;
  EVP_MAC_CTX *mac;
} parts;

static bool parts_make(bench_job *job) {
  const tn_cbc_hmac *pair = cbc_pair(job);
  parts *p = job->state = calloc(1, sizeof *p);
  char digest[16];
  BENCH_NEED(p != NULL, job->name);
  const char *name = strcmp(pair->cipher->name, "3des-cbc") == 0 ? "DES-EDE3-CBC" : pair->cipher->name;
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
  EVP_MAC *hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);
  BENCH_NEED(cipher != NULL && hmac != NULL, job->name);
  p->cipher = EVP_CIPHER_CTX_new();
  p->mac = EVP_MAC_CTX_new(hmac);
  snprintf(digest, sizeof digest, "%s", pair->hash->name);
  const OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string("digest", digest, 0), OSSL_PARAM_construct_end()};
  BENCH_NEED(EVP_CipherInit_ex2(p->cipher, cipher, job->key, NULL, 1, NULL) == 1, job->name);
  BENCH_NEED(EVP_CIPHER_CTX_set_padding(p->cipher, 0) == 1, job->name);
  BENCH_NEED(EVP_MAC_init(p->mac, job->key + CBC_MAC_KEY_AT, cbc_mac_len(job), params) == 1, job->name);
  EVP_CIPHER_free(cipher);
  EVP_MAC_free(hmac);
  return true;
}

static bool parts_one(bench_job *job, uint64_t i) {
  parts *p = job->state;
  const uint8_t *text = job->in + CBC_TEXT_AT;
  const size_t block = cbc_block(job), whole = job->size / block * block;
  const cbc_header header = cbc_header_of(i, job->size);
  const cbc_iv iv = cbc_iv_of(i);
  uint8_t mac[TN_HASH_MAX_DIGEST], tail[CBC_SEALED_ROOM];
  size_t length;
  int n;
  if (EVP_MAC_init(p->mac, NULL, 0, NULL) != 1 || EVP_MAC_update(p->mac, header.bytes, sizeof header.bytes) != 1 ||
      EVP_MAC_update(p->mac, text, job->size) != 1 || EVP_MAC_final(p->mac, mac, &length, sizeof mac) != 1)
    return false;
  memcpy(job->out, iv.bytes, block);
  return EVP_CipherInit_ex2(p->cipher, NULL, NULL, iv.bytes, -1, NULL) == 1 &&
         EVP_CipherUpdate(p->cipher, job->out + block, &n, text, (int)whole) == 1 &&
         EVP_CipherUpdate(p->cipher, job->out + block + whole, &n, tail, (int)cbc_tail(job, mac, tail)) == 1;
}

static void parts_free(bench_job *job) {
  parts *p = job->state;
  EVP_CIPHER_CTX_free(p->cipher);
  EVP_MAC_CTX_free(p->mac);
  free(p);
}

static const bench_way in_parts = {bench_openssl_name, parts_make, parts_one, parts_free};

// ---------------------------------------------------------------- all

static void fill_text(bench_job *job) { bench_fill(job->in + CBC_TEXT_AT, job->size, 3); }

// Every side's record opens to the text. All but the stitched cipher's, whose IV is another, are the same.
static bool sealed_well(const bench_row *row, uint64_t i) {
  const bench_job *first = &bench_worker_of(row, 0)->job;
  const size_t n = cbc_sealed_len(first);
  bench_job opener = *first;
  bool good = our_make(&opener);
  opener.out = malloc(BENCH_MAX_SIZE);
  for (size_t s = 0; s < row->n_sides; s++) {
    const bench_worker *w = bench_worker_of(row, s);
    good &= our_open_one(&opener, i, w->job.out) &&
            memcmp(opener.out + CBC_TEXT_AT, w->job.in + CBC_TEXT_AT, w->job.size) == 0;
    good &= w->way == &stitched || memcmp(w->job.out, first->out, n) == 0;
  }
  free(opener.out);
  our_free(&opener);
  return good;
}

// Records to be opened are ours.
static void seal_ahead(bench_job *opener) {
  bench_job sealer = *opener;
  sealer.reverse = false;
  BENCH_NEED(our_make(&sealer), opener->name);
  sealer.in = malloc(CBC_TEXT_AT + opener->size);
  bench_fill(sealer.in + CBC_TEXT_AT, opener->size, 3);
  for (uint64_t i = 0; i < cbc_n_records(opener); i++) {
    BENCH_NEED(our_seal(&sealer, i), opener->name);
    memcpy(cbc_sealed_at(opener, i), sealer.out, cbc_sealed_len(opener));
  }
  free(sealer.in);
  our_free(&sealer);
}

// The text came out, and a record with another MAC is refused.
static bool opened_well(const bench_row *row, uint64_t i) {
  uint8_t *text = malloc(BENCH_MAX_SIZE);
  bool good = text != NULL;
  for (size_t s = 0; s < row->n_sides && good; s++) {
    bench_worker *w = bench_worker_of(row, s);
    bench_fill(text, w->job.size, 3);
    good = memcmp(w->job.out + CBC_TEXT_AT, text, w->job.size) == 0;
    uint8_t *byte = cbc_sealed_at(&w->job, i % cbc_n_records(&w->job)) + cbc_block(&w->job);
    *byte ^= 1;
    good &= !w->way->one(&w->job, i);
    *byte ^= 1;
  }
  free(text);
  return good;
}

// A record's text is 2^14 bytes at most.
static size_t fit(const bench_job *job, size_t size) {
  (void)job;
  return size > CBC_RECORDS_MAX ? 0 : size;
}

void bench_cbc_hmac(bench *b) {
  static const bench_way *const sealing[] = {&ours, &in_parts, &stitched, AND_MBEDTLS(mbedtls_cbc_hmac)};
  static const bench_way *const opening[] = {&ours, &stitched, NULL};
  static const bench_kind seal = {.ways = sealing,
                                  .in_room = CBC_TEXT_AT,
                                  .out_room = CBC_SEALED_ROOM,
                                  .fit = fit,
                                  .prepare = fill_text,
                                  .agree = sealed_well};
  static const bench_kind open = {.ways = opening,
                                  .in_room = CBC_RECORDS * CBC_SEALED_ROOM,
                                  .out_room = CBC_TEXT_AT + CBC_SEALED_ROOM,
                                  .fit = fit,
                                  .prepare = seal_ahead,
                                  .agree = opened_well};
  for (size_t i = 0; tn_cbc_hmacs[i] != NULL; i++) {
    const char *name = tn_cbc_hmacs[i]->name;
    char row_name[40];
    bench_kind_run(b, &seal, name, tn_cbc_hmacs[i], name, false);
    snprintf(row_name, sizeof row_name, "%s-open", name);
    bench_kind_run(b, &open, row_name, tn_cbc_hmacs[i], name, true);
  }
}
