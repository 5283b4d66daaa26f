// Key exchange: a new key pair with its share, and the secret from a peer's share. Each side has key pairs of its
// own; side A's operation i meets side B's key pair i, so that both must find the same secret.
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "crypto/group.h"

#define PAIRS 4

typedef struct kind {
  const char *name;  // as in `tenon speed`
  const tn_group *group;
  const char *openssl_type, *openssl_group;  // key type, and the group's name for types that have several
} kind;

static const kind kinds[] = {
    {"x25519", &tn_group_x25519, "X25519", NULL},
    {"ecdh-p256", &tn_group_secp256r1, "EC", "P-256"},
    {"ecdh-p384", &tn_group_secp384r1, "EC", "P-384"},
    {"ecdh-p521", &tn_group_secp521r1, "EC", "P-521"},
};

typedef struct kex_state {
  const kind *kind;
  // Ours.
  uint8_t priv[PAIRS][TN_GROUP_MAX_PRIVATE];
  uint8_t share[PAIRS][TN_GROUP_MAX_SHARE];
  // OpenSSL's.
  EVP_PKEY_CTX *generator;
  EVP_PKEY *key[PAIRS];
  EVP_PKEY_CTX *derive[PAIRS];  // with the peer's share set
  uint8_t *openssl_share[PAIRS];
  uint8_t secret[TN_GROUP_MAX_SECRET];
} kex_state;

// ---------------------------------------------------------------- ours

static bool our_generate(void *state, uint64_t first, uint64_t n, tn_speed_clock *clock) {
  kex_state *s = state;
  bool good = true;
  (void)clock;
  for (uint64_t i = first; i < first + n; i++)
    good &= tn_ok(s->kind->group->generate(NULL, s->priv[i % PAIRS], s->share[i % PAIRS]));
  return good;
}

// The peer's share is decoded and checked each time.
static bool our_derive(void *state, uint64_t first, uint64_t n, tn_speed_clock *clock) {
  kex_state *s = state;
  const tn_group *group = s->kind->group;
  bool good = true;
  (void)clock;
  for (uint64_t i = first; i < first + n; i++) {
    const tn_span peer = {s->openssl_share[i % PAIRS], group->server_share_len};
    good &= tn_ok(group->finish(s->priv[i % PAIRS], peer, s->secret));
  }
  return good;
}

// ---------------------------------------------------------------- OpenSSL's

static bool openssl_generate_one(kex_state *s, size_t pair) {
  EVP_PKEY_free(s->key[pair]);
  OPENSSL_free(s->openssl_share[pair]);
  s->key[pair] = NULL;
  return EVP_PKEY_generate(s->generator, &s->key[pair]) == 1 &&
         EVP_PKEY_get1_encoded_public_key(s->key[pair], &s->openssl_share[pair]) == s->kind->group->client_share_len;
}

static bool openssl_generate(void *state, uint64_t first, uint64_t n, tn_speed_clock *clock) {
  bool good = true;
  (void)clock;
  for (uint64_t i = first; i < first + n; i++) good &= openssl_generate_one(state, i % PAIRS);
  return good;
}

// The peer's share was decoded and checked beforehand, which flatters OpenSSL.
static bool openssl_derive(void *state, uint64_t first, uint64_t n, tn_speed_clock *clock) {
  kex_state *s = state;
  bool good = true;
  (void)clock;
  for (uint64_t i = first; i < first + n; i++) {
    size_t length = sizeof s->secret;
    good &= EVP_PKEY_derive(s->derive[i % PAIRS], s->secret, &length) == 1;
  }
  return good;
}

// Readies key pair `pair` of `s` for deriving with a peer's share.
static bool openssl_meet(kex_state *s, size_t pair, const uint8_t *share, size_t n) {
  EVP_PKEY *peer = EVP_PKEY_new();
  EVP_PKEY_CTX_free(s->derive[pair]);
  s->derive[pair] = EVP_PKEY_CTX_new_from_pkey(NULL, s->key[pair], NULL);
  const bool good = EVP_PKEY_copy_parameters(peer, s->key[pair]) == 1 &&
                    EVP_PKEY_set1_encoded_public_key(peer, share, n) == 1 &&
                    EVP_PKEY_derive_init(s->derive[pair]) == 1 && EVP_PKEY_derive_set_peer(s->derive[pair], peer) == 1;
  EVP_PKEY_free(peer);
  return good;
}

// ---------------------------------------------------------------- both

// Copies OpenSSL's share to where our side looks for its peer's, and makes OpenSSL meet ours.
static bool introduce(kex_state *ours, kex_state *theirs, size_t pair) {
  const size_t n = ours->kind->group->client_share_len;
  OPENSSL_free(ours->openssl_share[pair]);
  ours->openssl_share[pair] = OPENSSL_memdup(theirs->openssl_share[pair], n);
  return ours->openssl_share[pair] != NULL && openssl_meet(theirs, pair, ours->share[pair], n);
}

// New key pairs work if the two find the same secret.
static bool agree_generated(const bench_row *row, uint64_t i) {
  kex_state *ours = row->sides[0].state, *theirs = row->sides[1].state;
  return introduce(ours, theirs, i % PAIRS) && our_derive(ours, i, 1, NULL) && openssl_derive(theirs, i, 1, NULL) &&
         memcmp(ours->secret, theirs->secret, ours->kind->group->secret_len) == 0;
}

static kex_state *state_make(const kind *k) {
  kex_state *s = calloc(1, sizeof *s);
  BENCH_NEED(s != NULL, k->name);
  s->kind = k;
  s->generator = EVP_PKEY_CTX_new_from_name(NULL, k->openssl_type, NULL);
  BENCH_NEED(EVP_PKEY_keygen_init(s->generator) == 1, k->name);
  if (k->openssl_group != NULL) BENCH_NEED(EVP_PKEY_CTX_set_group_name(s->generator, k->openssl_group) == 1, k->name);
  return s;
}

static void state_free(kex_state *s) {
  for (size_t i = 0; i < PAIRS; i++) {
    EVP_PKEY_free(s->key[i]);
    EVP_PKEY_CTX_free(s->derive[i]);
    OPENSSL_free(s->openssl_share[i]);
  }
  EVP_PKEY_CTX_free(s->generator);
  free(s);
}

static void run_kind(bench *b, const kind *k) {
  kex_state *ours = state_make(k), *theirs = state_make(k);
  const size_t secret_len = k->group->secret_len;
  char name[40];
  if (bench_wanted(b, k->name)) {
    BENCH_NEED(our_generate(ours, 0, PAIRS, NULL) && openssl_generate(theirs, 0, PAIRS, NULL), k->name);
    for (size_t i = 0; i < PAIRS; i++) BENCH_NEED(introduce(ours, theirs, i), k->name);
    bench_run(b, &(bench_row){
                     .name = k->name,
                     .sides = {{"Tenon", our_derive, ours, {ours->secret, secret_len}},
                               {bench_openssl_name(), openssl_derive, theirs, {theirs->secret, secret_len}}},
                     .n_sides = 2,
                 });
  }
  snprintf(name, sizeof name, "%s-keygen", k->name);
  if (bench_wanted(b, name))
    bench_run(b, &(bench_row){
                     .name = name,
                     .sides = {{"Tenon", our_generate, ours, {NULL, 0}},
                               {bench_openssl_name(), openssl_generate, theirs, {NULL, 0}}},
                     .n_sides = 2,
                     .agree = agree_generated,
                 });
  state_free(ours);
  state_free(theirs);
}

void bench_kex(bench *b) {
  for (size_t i = 0; i < COUNT(kinds); i++) run_kind(b, &kinds[i]);
}
