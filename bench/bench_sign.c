// Signatures: from a 32-byte message to the signature in the form that TLS carries, and back. All libraries have the
// same key; what each of them signs all others must accept.
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <stdlib.h>

#include "bench_pkcs8.h"
#include "cli/speed_names.h"
#include "mbedtls.h"
#include "pki/key.h"
#include "sign_case.h"

// ---------------------------------------------------------------- ours

static bool our_make(bench_job *job) {
  const sign_case *c = sign_case_of(job);
  tn_key *key = NULL;
  BENCH_NEED(tn_ok(tn_key_parse(NULL, c->pkcs8, &key)), job->name);
  job->state = key;
  job->path = c->scheme->path();
  return true;
}

static bool our_sign(bench_job *job, const uint8_t *message, sign_signature *sig) {
  return tn_ok(tn_key_sign(job->state, sign_case_of(job)->scheme, NULL, tn_span_of(message, SIGN_MESSAGE_LEN),
                           sig->bytes, &sig->n));
}

// The public key is decoded and checked each time.
static bool our_verify(bench_job *job, const uint8_t *message, const sign_signature *sig) {
  const tn_public_key key = tn_key_public(job->state);
  return tn_ok(
      sign_case_of(job)->scheme->verify(&key, tn_span_of(message, SIGN_MESSAGE_LEN), tn_span_of(sig->bytes, sig->n)));
}

static bool our_one(bench_job *job, uint64_t i) { return sign_one(job, i, our_sign, our_verify); }

static void our_free(bench_job *job) { tn_key_free(job->state); }

static const sign_way ours = {{bench_our_name, our_make, our_one, our_free}, our_verify};

// ---------------------------------------------------------------- OpenSSL's

typedef struct openssl_signer {
  EVP_MD *md;  // NULL: the scheme hashes inside, and these two do everything
  EVP_MD_CTX *md_sign, *md_verify;
  EVP_MD_CTX *digest;
  EVP_PKEY_CTX *sign, *verify;  // of a digest
} openssl_signer;

static bool openssl_configure(EVP_PKEY_CTX *ctx, const sign_case *c, const EVP_MD *md) {
  if (tn_key_curve(c->scheme->key_type) != NULL) return true;
  if (EVP_PKEY_CTX_set_signature_md(ctx, md) != 1) return false;
  if (!sign_is_pss(c->scheme)) return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PADDING) == 1;
  return EVP_PKEY_CTX_set_rsa_padding(ctx, RSA_PKCS1_PSS_PADDING) == 1 &&
         EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx, RSA_PSS_SALTLEN_DIGEST) == 1;
}

// The key is decoded beforehand, with what a verification needs of it, which flatters OpenSSL.
static bool openssl_make(bench_job *job) {
  const sign_case *c = sign_case_of(job);
  const uint8_t *der = c->pkcs8.p;
  openssl_signer *s = job->state = calloc(1, sizeof *s);
  EVP_PKEY *key = d2i_AutoPrivateKey(NULL, &der, (long)c->pkcs8.n);
  BENCH_NEED(s != NULL && key != NULL, job->name);
  if (c->scheme == &tn_ed25519) {
    s->md_sign = EVP_MD_CTX_new();
    s->md_verify = EVP_MD_CTX_new();
    BENCH_NEED(EVP_DigestSignInit_ex(s->md_sign, NULL, NULL, NULL, NULL, key, NULL) == 1 &&
                   EVP_DigestVerifyInit_ex(s->md_verify, NULL, NULL, NULL, NULL, key, NULL) == 1,
               job->name);
  } else {
    s->md = EVP_MD_fetch(NULL, c->scheme->hash->name, NULL);
    s->digest = EVP_MD_CTX_new();
    s->sign = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    s->verify = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
    BENCH_NEED(s->md != NULL && EVP_PKEY_sign_init(s->sign) == 1 && EVP_PKEY_verify_init(s->verify) == 1, job->name);
    BENCH_NEED(openssl_configure(s->sign, c, s->md) && openssl_configure(s->verify, c, s->md), job->name);
  }
  EVP_PKEY_free(key);
  return true;
}

static bool openssl_digest(openssl_signer *s, const uint8_t *message, uint8_t *digest) {
  return EVP_DigestInit_ex2(s->digest, s->md, NULL) == 1 &&
         EVP_DigestUpdate(s->digest, message, SIGN_MESSAGE_LEN) == 1 &&
         EVP_DigestFinal_ex(s->digest, digest, NULL) == 1;
}

// With the key that it has. From release 3.4 on it must be told; it takes no time.
static bool again(EVP_MD_CTX *ctx, int (*init)(EVP_MD_CTX *, EVP_PKEY_CTX **, const char *, OSSL_LIB_CTX *,
                                               const char *, EVP_PKEY *, const OSSL_PARAM *)) {
  return init(ctx, NULL, NULL, NULL, NULL, NULL, NULL) == 1;
}

static bool openssl_sign(bench_job *job, const uint8_t *message, sign_signature *sig) {
  openssl_signer *s = job->state;
  uint8_t digest[TN_HASH_MAX_DIGEST];
  if (s->md == NULL)
    return again(s->md_sign, EVP_DigestSignInit_ex) &&
           EVP_DigestSign(s->md_sign, sig->bytes, &sig->n, message, SIGN_MESSAGE_LEN) == 1;
  return openssl_digest(s, message, digest) &&
         EVP_PKEY_sign(s->sign, sig->bytes, &sig->n, digest, sign_case_of(job)->scheme->hash->digest_len) == 1;
}

static bool openssl_verify(bench_job *job, const uint8_t *message, const sign_signature *sig) {
  openssl_signer *s = job->state;
  uint8_t digest[TN_HASH_MAX_DIGEST];
  if (s->md == NULL)
    return again(s->md_verify, EVP_DigestVerifyInit_ex) &&
           EVP_DigestVerify(s->md_verify, sig->bytes, sig->n, message, SIGN_MESSAGE_LEN) == 1;
  return openssl_digest(s, message, digest) &&
         EVP_PKEY_verify(s->verify, sig->bytes, sig->n, digest, sign_case_of(job)->scheme->hash->digest_len) == 1;
}

static bool openssl_one(bench_job *job, uint64_t i) { return sign_one(job, i, openssl_sign, openssl_verify); }

static void openssl_free(bench_job *job) {
  openssl_signer *s = job->state;
  EVP_MD_free(s->md);
  EVP_MD_CTX_free(s->md_sign);
  EVP_MD_CTX_free(s->md_verify);
  EVP_MD_CTX_free(s->digest);
  EVP_PKEY_CTX_free(s->sign);
  EVP_PKEY_CTX_free(s->verify);
  free(s);
}

static const sign_way openssls = {{bench_openssl_name, openssl_make, openssl_one, openssl_free}, openssl_verify};

// ---------------------------------------------------------------- all

static size_t out_len(const bench_job *job) {
  (void)job;
  return sizeof(sign_signature);
}

static bool verifies(bench_worker *w, const uint8_t *message, const sign_signature *sig) {
  return ((const sign_way *)w->way)->verify(&w->job, message, sig);
}

// Signing: each accepts what each made. Verifying: all accepted, and all must refuse the signature of another message.
static bool agree(const bench_row *row, uint64_t i) {
  bool good = true;
  for (size_t s = 0; s < row->n_sides; s++) {
    bench_worker *w = bench_worker_of(row, s);
    const sign_case *c = sign_case_of(&w->job);
    const uint8_t *message = c->message[i % SIGN_MESSAGES], *other = c->message[(i + 1) % SIGN_MESSAGES];
    if (c->verify) good &= !verifies(w, other, &c->presented[i % SIGN_MESSAGES]);
    for (size_t t = 0; t < row->n_sides && !c->verify; t++)
      good &= verifies(bench_worker_of(row, t), message, (const sign_signature *)w->job.out);
  }
  return good;
}

static void run_signer(bench *b, const tn_speed_signer *signer) {
  static const bench_way *const ways[] = {&ours.way, &openssls.way, AND_MBEDTLS_2(mbedtls_sign.way)};
  static const bench_kind kind = {
      .ways = ways, .by_operation = true, .alone = true, .out_len = out_len, .agree = agree};
  sign_case c = {.scheme = signer->scheme};
  char sign_row[TN_SPEED_SIGNER_NAME + 8], verify_row[TN_SPEED_SIGNER_NAME + 8];
  snprintf(sign_row, sizeof sign_row, "%s-sign", signer->name);
  snprintf(verify_row, sizeof verify_row, "%s-verify", signer->name);
  if (!bench_wanted(b, sign_row) && !bench_wanted(b, verify_row)) return;

  c.pkcs8 = bench_pkcs8(signer->scheme->key_type, signer->bits);
  bench_fill(c.message, sizeof c.message, 6);
  bench_kind_run(b, &kind, sign_row, &c, signer->name, false);

  bench_job signing = {.algorithm = &c, .name = signer->name};
  BENCH_NEED(our_make(&signing), signer->name);
  for (size_t i = 0; i < SIGN_MESSAGES; i++) {
    c.presented[i].n = TN_SIGNATURE_MAX;
    BENCH_NEED(our_sign(&signing, c.message[i], &c.presented[i]), signer->name);
  }
  our_free(&signing);
  c.verify = true;
  bench_kind_run(b, &kind, verify_row, &c, signer->name, false);
}

void bench_sign(bench *b) {
  tn_speed_signer signers[TN_SPEED_SIGNERS];
  const size_t n = tn_speed_signers_list(signers);
  for (size_t i = 0; i < n; i++) run_signer(b, &signers[i]);
}
