// Key exchange: a new key pair with its share, a server's answer, and the secret from a peer's share.
#include <openssl/core_names.h>
#include <openssl/dh.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <stdlib.h>
#include <string.h>

#include "cli/speed_names.h"
#include "kex_case.h"
#include "mbedtls.h"

// ---------------------------------------------------------------- ours

// The private keys that were made.
typedef struct our_keys {
  uint8_t priv[KEX_PAIRS][TN_GROUP_MAX_PRIVATE];
} our_keys;

static bool our_make(bench_job *job) {
  job->path = tn_speed_group_path(kex_case_of(job)->group);
  job->state = calloc(1, sizeof(our_keys));
  return job->state != NULL;
}

// Shares are decoded and checked each time.
static bool our_one(bench_job *job, uint64_t i) {
  const tn_group *group = kex_case_of(job)->group;
  const struct kex_pair *pair = kex_pair_of(job, i);
  our_keys *made = job->state;
  switch (kex_case_of(job)->part) {
    case KEX_KEYGEN:
      return tn_ok(group->generate(NULL, made->priv[i % KEX_PAIRS], job->out));
    case KEX_ANSWER:
      return tn_ok(group->answer(NULL, tn_span_of(pair->share, group->client_share_len), job->out,
                                 job->out + group->server_share_len));
    default:
      return tn_ok(group->finish(pair->priv, tn_span_of(pair->answer, group->server_share_len), job->out));
  }
}

static bool our_finish(bench_job *job, uint64_t i, const uint8_t *answer, uint8_t *secret) {
  const tn_group *group = kex_case_of(job)->group;
  const our_keys *made = job->state;
  return tn_ok(group->finish(made->priv[i % KEX_PAIRS], tn_span_of(answer, group->server_share_len), secret));
}

static void our_free(bench_job *job) {
  if (job->state != NULL) tn_wipe(job->state, sizeof(our_keys));
  free(job->state);
}

static const kex_way ours = {{bench_our_name, our_make, our_one, our_free}, our_finish};

// ---------------------------------------------------------------- OpenSSL's

// Where OpenSSL has a group: the type of its keys, and the group's name for types that have several. Those that are not
// here have a type of their own with IANA's name, and are KEMs.
static const struct openssl_name {
  const char *iana, *type, *group;
} openssl_names[] = {
    {"x25519", "X25519", NULL},       {"secp256r1", "EC", "P-256"},     {"secp384r1", "EC", "P-384"},
    {"secp521r1", "EC", "P-521"},     {"ffdhe2048", "DH", "ffdhe2048"}, {"ffdhe3072", "DH", "ffdhe3072"},
    {"ffdhe4096", "DH", "ffdhe4096"}, {"ffdhe6144", "DH", "ffdhe6144"}, {"ffdhe8192", "DH", "ffdhe8192"},
};

typedef struct openssl_kex {
  struct openssl_name name;
  bool kem;
  EVP_PKEY_CTX *generator;
  EVP_PKEY *key[KEX_PAIRS];        // the case's, or those that were made
  EVP_PKEY_CTX *ready[KEX_PAIRS];  // with the peer's share set, or the client's share itself
} openssl_kex;

// The case's private key or, of KEMs, the public one.
static EVP_PKEY *openssl_import(const openssl_kex *s, const tn_group *group, const struct kex_pair *pair, bool public) {
  EVP_PKEY *key = NULL;
  if (public) return EVP_PKEY_new_raw_public_key_ex(NULL, s->name.type, NULL, pair->share, group->client_share_len);
  if (s->name.group == NULL)
    return EVP_PKEY_new_raw_private_key_ex(NULL, s->name.type, NULL, pair->priv, group->private_len);
  OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
  BIGNUM *number = BN_bin2bn(pair->priv, group->private_len, NULL);
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, s->name.type, NULL);
  BENCH_NEED(OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, s->name.group, 0) == 1 &&
                 OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, number) == 1,
             group->name);
  OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(builder);
  BENCH_NEED(EVP_PKEY_fromdata_init(ctx) == 1 && EVP_PKEY_fromdata(ctx, &key, EVP_PKEY_KEYPAIR, params) == 1,
             group->name);
  OSSL_PARAM_free(params);
  OSSL_PARAM_BLD_free(builder);
  EVP_PKEY_CTX_free(ctx);
  BN_clear_free(number);
  return key;
}

// Readies a key for what it does with shares. With Diffie-Hellman the peer's share is decoded and checked here, and of
// a KEM the client's (`answering`), which flatters OpenSSL.
static EVP_PKEY_CTX *openssl_ready(const openssl_kex *s, EVP_PKEY *key, tn_span answer, bool answering) {
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL);
  bool good = ctx != NULL;
  if (s->kem) {
    good = good && (answering ? EVP_PKEY_encapsulate_init(ctx, NULL) : EVP_PKEY_decapsulate_init(ctx, NULL)) == 1;
  } else {
    EVP_PKEY *peer = EVP_PKEY_new();
    good = good && EVP_PKEY_copy_parameters(peer, key) == 1 &&
           EVP_PKEY_set1_encoded_public_key(peer, answer.p, answer.n) == 1 && EVP_PKEY_derive_init(ctx) == 1 &&
           (strcmp(s->name.type, "DH") != 0 || EVP_PKEY_CTX_set_dh_pad(ctx, 1) == 1) &&
           EVP_PKEY_derive_set_peer(ctx, peer) == 1;
    EVP_PKEY_free(peer);
  }
  if (good) return ctx;
  EVP_PKEY_CTX_free(ctx);
  return NULL;
}

static bool openssl_make(bench_job *job) {
  const kex_case *c = kex_case_of(job);
  const tn_group *group = c->group;
  openssl_kex *s = job->state = calloc(1, sizeof *s);
  BENCH_NEED(s != NULL, job->name);
  s->name = (struct openssl_name){group->name, group->name, NULL};
  s->kem = true;
  for (size_t i = 0; i < COUNT(openssl_names); i++) {
    if (strcmp(openssl_names[i].iana, group->name) != 0) continue;
    s->name = openssl_names[i];
    s->kem = false;
  }
  if (c->part == KEX_ANSWER && !s->kem) return false;  // it is a key generation and a secret
  s->generator = EVP_PKEY_CTX_new_from_name(NULL, s->name.type, NULL);
  if (s->generator == NULL || EVP_PKEY_keygen_init(s->generator) != 1) return false;
  if (s->name.group != NULL && EVP_PKEY_CTX_set_group_name(s->generator, s->name.group) != 1) return false;
  for (size_t i = 0; i < KEX_PAIRS && c->part != KEX_KEYGEN; i++) {
    const tn_span answer = {c->pair[i].answer, group->server_share_len};
    s->key[i] = openssl_import(s, group, &c->pair[i], c->part == KEX_ANSWER);
    if (s->key[i] == NULL) return false;  // hybrids on NIST's curves take no private keys from outside
    s->ready[i] = openssl_ready(s, s->key[i], answer, c->part == KEX_ANSWER);
    BENCH_NEED(s->ready[i] != NULL, job->name);
  }
  return true;
}

static bool openssl_secret(const openssl_kex *s, EVP_PKEY_CTX *ready, tn_span answer, uint8_t *secret) {
  size_t n = TN_GROUP_MAX_SECRET;
  if (s->kem) return EVP_PKEY_decapsulate(ready, secret, &n, answer.p, answer.n) == 1;
  return EVP_PKEY_derive(ready, secret, &n) == 1;
}

static bool openssl_generate(openssl_kex *s, const tn_group *group, EVP_PKEY **key, uint8_t *share) {
  uint8_t *encoded = NULL;
  EVP_PKEY_free(*key);
  *key = NULL;
  const bool good = EVP_PKEY_generate(s->generator, key) == 1 &&
                    EVP_PKEY_get1_encoded_public_key(*key, &encoded) == group->client_share_len;
  if (good) memcpy(share, encoded, group->client_share_len);
  OPENSSL_free(encoded);
  return good;
}

static bool openssl_one(bench_job *job, uint64_t i) {
  const tn_group *group = kex_case_of(job)->group;
  openssl_kex *s = job->state;
  const size_t k = i % KEX_PAIRS;
  size_t share_n = group->server_share_len, secret_n = group->secret_len;
  switch (kex_case_of(job)->part) {
    case KEX_KEYGEN:
      return openssl_generate(s, group, &s->key[k], job->out);
    case KEX_ANSWER:
      return EVP_PKEY_encapsulate(s->ready[k], job->out, &share_n, job->out + share_n, &secret_n) == 1;
    default:
      return openssl_secret(s, s->ready[k], tn_span_of(kex_pair_of(job, i)->answer, share_n), job->out);
  }
}

static bool openssl_finish(bench_job *job, uint64_t i, const uint8_t *answer, uint8_t *secret) {
  const tn_span share = {answer, kex_case_of(job)->group->server_share_len};
  openssl_kex *s = job->state;
  EVP_PKEY_CTX *ready = openssl_ready(s, s->key[i % KEX_PAIRS], share, false);
  const bool good = ready != NULL && openssl_secret(s, ready, share, secret);
  EVP_PKEY_CTX_free(ready);
  return good;
}

static void openssl_free(bench_job *job) {
  openssl_kex *s = job->state;
  for (size_t i = 0; i < KEX_PAIRS; i++) {
    EVP_PKEY_free(s->key[i]);
    EVP_PKEY_CTX_free(s->ready[i]);
  }
  EVP_PKEY_CTX_free(s->generator);
  free(s);
}

static const kex_way openssls = {{bench_openssl_name, openssl_make, openssl_one, openssl_free}, openssl_finish};

// ---------------------------------------------------------------- all

static size_t out_len(const bench_job *job) {
  const tn_group *group = kex_case_of(job)->group;
  const size_t lengths[] = {
      [KEX_SECRET] = group->secret_len,
      [KEX_KEYGEN] = group->client_share_len,
      [KEX_ANSWER] = (size_t)group->server_share_len + group->secret_len,
  };
  return lengths[kex_case_of(job)->part];
}

// A new key pair finds the secret that our server found when it answered its share.
static bool pair_works(bench_worker *w, uint64_t i) {
  const tn_group *group = kex_case_of(&w->job)->group;
  const kex_way *way = (const kex_way *)w->way;
  uint8_t answer[TN_GROUP_MAX_SHARE], wanted[TN_GROUP_MAX_SECRET], found[TN_GROUP_MAX_SECRET];
  return tn_ok(group->answer(NULL, tn_span_of(w->job.out, group->client_share_len), answer, wanted)) &&
         way->finish(&w->job, i, answer, found) && memcmp(wanted, found, group->secret_len) == 0;
}

// Our client finds the secret that it was answered with.
static bool answer_works(const bench_job *job, uint64_t i) {
  const tn_group *group = kex_case_of(job)->group;
  uint8_t found[TN_GROUP_MAX_SECRET];
  const size_t n = group->server_share_len;
  return tn_ok(group->finish(kex_pair_of(job, i)->priv, tn_span_of(job->out, n), found)) &&
         memcmp(job->out + n, found, group->secret_len) == 0;
}

static bool agree(const bench_row *row, uint64_t i) {
  bool good = true;
  for (size_t s = 0; s < row->n_sides; s++) {
    bench_worker *w = bench_worker_of(row, s);
    const kex_case *c = kex_case_of(&w->job);
    switch (c->part) {
      case KEX_KEYGEN:
        good &= pair_works(w, i);
        break;
      case KEX_ANSWER:
        good &= answer_works(&w->job, i);
        break;
      default:
        good &= memcmp(w->job.out, kex_pair_of(&w->job, i)->secret, c->group->secret_len) == 0;
    }
  }
  return good;
}

void bench_kex_run(bench *b, const tn_group *group, const char *name, const char *const endings[KEX_PARTS]) {
  static const bench_way *const ways[] = {&ours.way, &openssls.way, AND_MBEDTLS_2(mbedtls_kex.way)};
  static const bench_kind kind = {
      .ways = ways, .by_operation = true, .alone = true, .out_len = out_len, .agree = agree};
  static kex_case c;
  c.group = group;
  for (size_t i = 0; i < KEX_PAIRS; i++) {
    struct kex_pair *p = &c.pair[i];
    BENCH_NEED(tn_ok(group->generate(NULL, p->priv, p->share)), name);
    BENCH_NEED(tn_ok(group->answer(NULL, tn_span_of(p->share, group->client_share_len), p->answer, p->secret)), name);
  }
  for (c.part = KEX_SECRET; c.part < KEX_PARTS; c.part++) {
    char row[64];
    if (endings[c.part] == NULL) continue;
    snprintf(row, sizeof row, "%s%s", name, endings[c.part]);
    bench_kind_run(b, &kind, row, &c, name, false);
  }
}

// ---------------------------------------------------------------- rows

// Groups of 6144 bits and more take some peers a tenth of a second, and nobody offers them by default.
#define LARGEST_SECRET 512

void bench_kex(bench *b) {
  static const char *const of_dh[KEX_PARTS] = {[KEX_SECRET] = "", [KEX_KEYGEN] = "-keygen", [KEX_ANSWER] = NULL};
  static const char *const of_hybrid[KEX_PARTS] = {
      [KEX_SECRET] = "", [KEX_KEYGEN] = "-keygen", [KEX_ANSWER] = "-answer"};
  for (const tn_group *const *g = tn_groups; *g != NULL; g++)
    if ((*g)->secret_len <= LARGEST_SECRET)
      bench_kex_run(b, *g, tn_speed_group_name(*g), (*g)->half != NULL ? of_hybrid : of_dh);
}
