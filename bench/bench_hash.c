// Hashes and HMAC: one message an operation, one shot. HMAC's key is set up once.
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "crypto/kdf/hmac.h"

#define KEY_LEN 32

typedef struct hash_state {
  const tn_hash *hash;
  tn_hmac_ctx keyed;  // copied for each message
  EVP_MD *md;
  EVP_MD_CTX *md_ctx;
  EVP_MAC_CTX *mac_ctx;
  size_t size;
  _Alignas(64) uint8_t message[BENCH_MAX_SIZE];
  uint8_t digest[TN_HASH_MAX_DIGEST];
} hash_state;

// Makes the message operation i's own.
static void number(hash_state *s, uint64_t i) { memcpy(s->message, &i, sizeof i); }

static bool our_hash(void *state, uint64_t first, uint64_t n, bench_clock *clock) {
  hash_state *s = state;
  (void)clock;
  for (uint64_t i = first; i < first + n; i++) {
    number(s, i);
    tn_hash_once(s->hash, s->message, s->size, s->digest);
  }
  return true;
}

static bool openssl_hash(void *state, uint64_t first, uint64_t n, bench_clock *clock) {
  hash_state *s = state;
  bool good = true;
  (void)clock;
  for (uint64_t i = first; i < first + n; i++) {
    number(s, i);
    good &= EVP_DigestInit_ex2(s->md_ctx, s->md, NULL) == 1;
    good &= EVP_DigestUpdate(s->md_ctx, s->message, s->size) == 1;
    good &= EVP_DigestFinal_ex(s->md_ctx, s->digest, NULL) == 1;
  }
  return good;
}

static bool our_hmac(void *state, uint64_t first, uint64_t n, bench_clock *clock) {
  hash_state *s = state;
  (void)clock;
  for (uint64_t i = first; i < first + n; i++) {
    tn_hmac_ctx ctx = s->keyed;
    number(s, i);
    tn_hmac_update(&ctx, s->message, s->size);
    tn_hmac_final(&ctx, s->digest);
  }
  return true;
}

static bool openssl_hmac(void *state, uint64_t first, uint64_t n, bench_clock *clock) {
  hash_state *s = state;
  bool good = true;
  size_t length;
  (void)clock;
  for (uint64_t i = first; i < first + n; i++) {
    number(s, i);
    good &= EVP_MAC_init(s->mac_ctx, NULL, 0, NULL) == 1;  // the same key again
    good &= EVP_MAC_update(s->mac_ctx, s->message, s->size) == 1;
    good &= EVP_MAC_final(s->mac_ctx, s->digest, &length, sizeof s->digest) == 1;
  }
  return good;
}

static hash_state *state_make(const tn_hash *hash) {
  hash_state *s = aligned_alloc(64, sizeof *s);
  uint8_t key[KEY_LEN];
  char name[16];
  BENCH_NEED(s != NULL, hash->name);
  memset(s, 0, sizeof *s);
  s->hash = hash;
  bench_fill(s->message, sizeof s->message, 1);
  bench_fill(key, sizeof key, 2);
  tn_hmac_init(&s->keyed, hash, key, sizeof key);

  s->md = EVP_MD_fetch(NULL, hash->name, NULL);
  BENCH_NEED(s->md != NULL, hash->name);
  s->md_ctx = EVP_MD_CTX_new();
  EVP_MAC *hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);
  s->mac_ctx = EVP_MAC_CTX_new(hmac);
  EVP_MAC_free(hmac);
  snprintf(name, sizeof name, "%s", hash->name);
  const OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string("digest", name, 0), OSSL_PARAM_construct_end()};
  BENCH_NEED(EVP_MAC_init(s->mac_ctx, key, sizeof key, params) == 1, hash->name);
  return s;
}

static void state_free(hash_state *s) {
  EVP_MD_CTX_free(s->md_ctx);
  EVP_MD_free(s->md);
  EVP_MAC_CTX_free(s->mac_ctx);
  free(s);
}

static const struct {
  const char *prefix;
  bool (*ours)(void *, uint64_t, uint64_t, bench_clock *);
  bool (*openssl)(void *, uint64_t, uint64_t, bench_clock *);
} uses[] = {{"", our_hash, openssl_hash}, {"hmac-", our_hmac, openssl_hmac}};

void bench_hash(bench *b) {
  for (size_t u = 0; u < COUNT(uses); u++) {
    for (size_t h = 0; tn_hashes[h] != NULL; h++) {
      const tn_hash *hash = tn_hashes[h];
      char name[32];
      snprintf(name, sizeof name, "%s%s", uses[u].prefix, hash->name);
      if (!bench_wanted(b, name)) continue;
      hash_state *ours = state_make(hash), *theirs = state_make(hash);
      tn_hash_ctx probe;
      tn_hash_init(&probe, hash);
      for (size_t i = 0; i < BENCH_SIZES; i++) {
        ours->size = theirs->size = bench_sizes[i];
        bench_run(b, &(bench_row){
                         .name = name,
                         .size = bench_sizes[i],
                         .path = probe.path,
                         .sides = {{"Tenon", uses[u].ours, ours, {ours->digest, hash->digest_len}},
                                   {bench_openssl_name(), uses[u].openssl, theirs, {theirs->digest, hash->digest_len}}},
                         .n_sides = 2,
                     });
      }
      state_free(ours);
      state_free(theirs);
    }
  }
}
