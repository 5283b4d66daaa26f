// Signatures: from a 32-byte message to the signature in the form that TLS carries, and back. Each side signs with a
// key of its own, and the other one must accept it; both verify the same signatures.
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "crypto/sign.h"

#define MESSAGES 4
#define MESSAGE_LEN 32

typedef struct kind {
  const char *name;  // as in `tenon speed`, without -sign or -verify
  const tn_sign_scheme *scheme;
  const char *openssl_type, *openssl_group;
} kind;

static const kind kinds[] = {
    {"ecdsa-p256", &tn_ecdsa_secp256r1_sha256, "EC", "P-256"},
    {"ecdsa-p384", &tn_ecdsa_secp384r1_sha384, "EC", "P-384"},
    {"ecdsa-p521", &tn_ecdsa_secp521r1_sha512, "EC", "P-521"},
};

typedef struct signature {
  uint8_t bytes[TN_SIGNATURE_MAX];
  size_t n;
} signature;

typedef struct sign_state {
  const kind *kind;
  uint8_t message[MESSAGES][MESSAGE_LEN];
  signature made[MESSAGES];       // by this side
  signature presented[MESSAGES];  // for this side to verify
  // Ours.
  tn_secret_key own;
  uint8_t point[TN_CURVE_MAX_POINT];
  tn_public_key signer;  // whose signatures are presented
  // OpenSSL's.
  EVP_MD *md;
  EVP_MD_CTX *md_ctx;
  EVP_PKEY_CTX *sign, *verify;
} sign_state;

// ---------------------------------------------------------------- ours

static bool our_sign(void *state, uint64_t first, uint64_t n, tn_speed_clock *clock) {
  sign_state *s = state;
  bool good = true;
  (void)clock;
  for (uint64_t i = first; i < first + n; i++) {
    signature *sig = &s->made[i % MESSAGES];
    sig->n = sizeof sig->bytes;
    good &= tn_ok(s->kind->scheme->sign(&tn_rng_fast, &s->own, (tn_span){s->message[i % MESSAGES], MESSAGE_LEN},
                                        sig->bytes, &sig->n));
  }
  return good;
}

static bool our_verify_one(sign_state *s, const uint8_t *message, const signature *sig) {
  return tn_ok(s->kind->scheme->verify(&s->signer, (tn_span){message, MESSAGE_LEN}, (tn_span){sig->bytes, sig->n}));
}

// ---------------------------------------------------------------- OpenSSL's

static bool openssl_digest(sign_state *s, const uint8_t *message, uint8_t *digest) {
  return EVP_DigestInit_ex2(s->md_ctx, s->md, NULL) == 1 && EVP_DigestUpdate(s->md_ctx, message, MESSAGE_LEN) == 1 &&
         EVP_DigestFinal_ex(s->md_ctx, digest, NULL) == 1;
}

static bool openssl_sign(void *state, uint64_t first, uint64_t n, tn_speed_clock *clock) {
  sign_state *s = state;
  const size_t digest_len = s->kind->scheme->hash->digest_len;
  bool good = true;
  (void)clock;
  for (uint64_t i = first; i < first + n; i++) {
    uint8_t digest[TN_HASH_MAX_DIGEST];
    signature *sig = &s->made[i % MESSAGES];
    sig->n = sizeof sig->bytes;
    good &= openssl_digest(s, s->message[i % MESSAGES], digest);
    good &= EVP_PKEY_sign(s->sign, sig->bytes, &sig->n, digest, digest_len) == 1;
  }
  return good;
}

static bool openssl_verify_one(sign_state *s, const uint8_t *message, const signature *sig) {
  uint8_t digest[TN_HASH_MAX_DIGEST];
  return openssl_digest(s, message, digest) &&
         EVP_PKEY_verify(s->verify, sig->bytes, sig->n, digest, s->kind->scheme->hash->digest_len) == 1;
}

// ---------------------------------------------------------------- both

typedef bool (*verify_one)(sign_state *, const uint8_t *message, const signature *sig);

static inline bool verify_all(sign_state *s, uint64_t first, uint64_t n, verify_one verify) {
  bool good = true;
  for (uint64_t i = first; i < first + n; i++) good &= verify(s, s->message[i % MESSAGES], &s->presented[i % MESSAGES]);
  return good;
}

static bool our_verify(void *state, uint64_t first, uint64_t n, tn_speed_clock *clock) {
  (void)clock;
  return verify_all(state, first, n, our_verify_one);
}
static bool openssl_verify(void *state, uint64_t first, uint64_t n, tn_speed_clock *clock) {
  (void)clock;
  return verify_all(state, first, n, openssl_verify_one);
}

// What one made the other accepts.
static bool agree_signed(const bench_row *row, uint64_t i) {
  sign_state *ours = row->sides[0].state, *theirs = row->sides[1].state;
  const uint8_t *message = ours->message[i % MESSAGES];
  return our_verify_one(ours, message, &theirs->made[i % MESSAGES]) &&
         openssl_verify_one(theirs, message, &ours->made[i % MESSAGES]);
}

// Both accepted; both must refuse the signature of another message.
static bool agree_verified(const bench_row *row, uint64_t i) {
  sign_state *ours = row->sides[0].state, *theirs = row->sides[1].state;
  const uint8_t *other = ours->message[(i + 1) % MESSAGES];
  return !our_verify_one(ours, other, &ours->presented[i % MESSAGES]) &&
         !openssl_verify_one(theirs, other, &theirs->presented[i % MESSAGES]);
}

static sign_state *state_make(const kind *k) {
  sign_state *s = calloc(1, sizeof *s);
  BENCH_NEED(s != NULL, k->name);
  s->kind = k;
  bench_fill(s->message, sizeof s->message, 6);
  s->md = EVP_MD_fetch(NULL, k->scheme->hash->name, NULL);
  s->md_ctx = EVP_MD_CTX_new();
  BENCH_NEED(s->md != NULL && s->md_ctx != NULL, k->name);
  return s;
}

static void state_free(sign_state *s) {
  tn_wipe(&s->own, sizeof s->own);
  EVP_MD_free(s->md);
  EVP_MD_CTX_free(s->md_ctx);
  EVP_PKEY_CTX_free(s->sign);
  EVP_PKEY_CTX_free(s->verify);
  free(s);
}

// A key in OpenSSL from its public bytes.
static EVP_PKEY *openssl_public(const kind *k, tn_span point) {
  EVP_PKEY *key = NULL;
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, k->openssl_type, NULL);
  BENCH_NEED(OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, k->openssl_group, 0) == 1, k->name);
  BENCH_NEED(OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, point.p, point.n) == 1, k->name);
  OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(builder);
  BENCH_NEED(EVP_PKEY_fromdata_init(ctx) == 1, k->name);
  BENCH_NEED(EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_PUBLIC_KEY, params) == 1, k->name);
  OSSL_PARAM_free(params);
  OSSL_PARAM_BLD_free(builder);
  EVP_PKEY_CTX_free(ctx);
  return key;
}

// Gives both sides a key to sign with and the other's public key to verify with.
static void exchange_keys(sign_state *ours, sign_state *theirs) {
  const kind *k = ours->kind;
  EVP_PKEY *their_key = EVP_PKEY_Q_keygen(NULL, NULL, k->openssl_type, k->openssl_group);
  size_t n = 0;
  BENCH_NEED(their_key != NULL, k->name);
  BENCH_NEED(tn_ok(tn_secret_key_generate(&ours->own, NULL, k->scheme->key_type, 0, NULL)), k->name);
  EVP_PKEY *our_key = openssl_public(k, tn_public_of(&ours->own).point);

  BENCH_NEED(EVP_PKEY_get_octet_string_param(their_key, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, ours->point,
                                             sizeof ours->point, &n) == 1,
             k->name);
  ours->signer = (tn_public_key){.type = k->scheme->key_type, .point = {ours->point, n}};
  theirs->sign = EVP_PKEY_CTX_new_from_pkey(NULL, their_key, NULL);
  theirs->verify = EVP_PKEY_CTX_new_from_pkey(NULL, our_key, NULL);
  BENCH_NEED(EVP_PKEY_sign_init(theirs->sign) == 1 && EVP_PKEY_verify_init(theirs->verify) == 1, k->name);
  EVP_PKEY_free(their_key);
  EVP_PKEY_free(our_key);
}

// Presents our signatures to both.
static void present(sign_state *ours, sign_state *theirs) {
  BENCH_NEED(our_sign(ours, 0, MESSAGES, NULL), ours->kind->name);
  memcpy(ours->presented, ours->made, sizeof ours->made);
  memcpy(theirs->presented, ours->made, sizeof ours->made);
  ours->signer = tn_public_of(&ours->own);
}

static void run_kind(bench *b, const kind *k) {
  sign_state *ours = state_make(k), *theirs = state_make(k);
  const char *library = bench_openssl_name();
  char name[40];
  exchange_keys(ours, theirs);
  snprintf(name, sizeof name, "%s-sign", k->name);
  if (bench_wanted(b, name))
    bench_run(b, &(bench_row){
                     .name = name,
                     .sides = {{"Tenon", our_sign, ours, {NULL, 0}}, {library, openssl_sign, theirs, {NULL, 0}}},
                     .n_sides = 2,
                     .agree = agree_signed,
                 });
  snprintf(name, sizeof name, "%s-verify", k->name);
  if (bench_wanted(b, name)) {
    present(ours, theirs);
    bench_run(b, &(bench_row){
                     .name = name,
                     .sides = {{"Tenon", our_verify, ours, {NULL, 0}}, {library, openssl_verify, theirs, {NULL, 0}}},
                     .n_sides = 2,
                     .agree = agree_verified,
                 });
  }
  state_free(ours);
  state_free(theirs);
}

void bench_sign(bench *b) {
  for (size_t i = 0; i < COUNT(kinds); i++) run_kind(b, &kinds[i]);
}
