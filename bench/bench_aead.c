// AEADs, one record an operation: a fresh nonce, 13 bytes of additional data, the tag; the key schedule is kept.
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "bench.h"
#include "crypto/aead/aead.h"

#define AAD_LEN 13
#define SEALED_ROOM (BENCH_MAX_SIZE + 64 * TN_AEAD_MAX_TAG)

typedef struct aead_state {
  tn_aead_key ours;
  EVP_CIPHER_CTX *theirs;
  size_t size;
  size_t n_sealed;  // records in `sealed`
  uint8_t aad[AAD_LEN];
  _Alignas(64) uint8_t text[BENCH_MAX_SIZE];
  _Alignas(64) uint8_t sealed[SEALED_ROOM];  // to be opened: record i has nonce i
  _Alignas(64) uint8_t out[BENCH_MAX_SIZE + TN_AEAD_MAX_TAG];
} aead_state;

typedef struct nonce {
  uint8_t bytes[TN_AEAD_NONCE_LEN];
} nonce;

static nonce nonce_of(uint64_t i) {
  nonce result = {{0x54, 0x4e, 0, 1}};
  tn_store_be64(result.bytes + 4, i);
  return result;
}

static uint8_t *sealed_at(aead_state *s, uint64_t i) { return s->sealed + i * (s->size + TN_AEAD_MAX_TAG); }

// ---------------------------------------------------------------- ours

static bool our_seal_one(aead_state *s, uint64_t i, uint8_t *out) {
  const nonce iv = nonce_of(i);
  const tn_span in = {s->text, s->size};
  const tn_mspan to = {out, s->size};
  return tn_ok(tn_aead_seal(&s->ours, iv.bytes, (tn_span){s->aad, AAD_LEN}, &in, 1, &to, 1, out + s->size));
}

static bool our_open_one(aead_state *s, uint64_t i, const uint8_t *sealed) {
  const nonce iv = nonce_of(i);
  const tn_span in = {sealed, s->size};
  const tn_mspan to = {s->out, s->size};
  return tn_ok(tn_aead_open(&s->ours, iv.bytes, (tn_span){s->aad, AAD_LEN}, &in, 1, sealed + s->size, &to, 1));
}

// ---------------------------------------------------------------- OpenSSL's

static bool openssl_seal_one(aead_state *s, uint64_t i, uint8_t *out) {
  const nonce iv = nonce_of(i);
  int n;
  return EVP_EncryptInit_ex2(s->theirs, NULL, NULL, iv.bytes, NULL) == 1 &&
         EVP_EncryptUpdate(s->theirs, NULL, &n, s->aad, AAD_LEN) == 1 &&
         EVP_EncryptUpdate(s->theirs, out, &n, s->text, (int)s->size) == 1 &&
         EVP_EncryptFinal_ex(s->theirs, out + s->size, &n) == 1 &&
         EVP_CIPHER_CTX_ctrl(s->theirs, EVP_CTRL_AEAD_GET_TAG, TN_AEAD_MAX_TAG, out + s->size) == 1;
}

static bool openssl_open_one(aead_state *s, uint64_t i, const uint8_t *sealed) {
  const nonce iv = nonce_of(i);
  uint8_t tag[TN_AEAD_MAX_TAG];
  int n;
  memcpy(tag, sealed + s->size, sizeof tag);
  return EVP_DecryptInit_ex2(s->theirs, NULL, NULL, iv.bytes, NULL) == 1 &&
         EVP_CIPHER_CTX_ctrl(s->theirs, EVP_CTRL_AEAD_SET_TAG, TN_AEAD_MAX_TAG, tag) == 1 &&
         EVP_DecryptUpdate(s->theirs, NULL, &n, s->aad, AAD_LEN) == 1 &&
         EVP_DecryptUpdate(s->theirs, s->out, &n, sealed, (int)s->size) == 1 &&
         EVP_DecryptFinal_ex(s->theirs, s->out + s->size, &n) == 1;
}

// ---------------------------------------------------------------- both

typedef bool (*seal_one)(aead_state *, uint64_t i, uint8_t *out);
typedef bool (*open_one)(aead_state *, uint64_t i, const uint8_t *sealed);

// Nonces never repeat in a row of the benchmark: i counts on from round to round.
static inline bool seal_all(aead_state *s, uint64_t first, uint64_t n, seal_one seal) {
  bool good = true;
  for (uint64_t i = first; i < first + n; i++) good &= seal(s, i, s->out);
  return good;
}

static inline bool open_all(aead_state *s, uint64_t first, uint64_t n, open_one open) {
  bool good = true;
  uint64_t at = first % s->n_sealed;
  for (uint64_t i = 0; i < n; i++) {
    good &= open(s, at, sealed_at(s, at));
    at = at + 1 == s->n_sealed ? 0 : at + 1;
  }
  return good;
}

static bool our_seal(void *state, uint64_t first, uint64_t n, bench_clock *clock) {
  (void)clock;
  return seal_all(state, first, n, our_seal_one);
}
static bool openssl_seal(void *state, uint64_t first, uint64_t n, bench_clock *clock) {
  (void)clock;
  return seal_all(state, first, n, openssl_seal_one);
}
static bool our_open(void *state, uint64_t first, uint64_t n, bench_clock *clock) {
  (void)clock;
  return open_all(state, first, n, our_open_one);
}
static bool openssl_open(void *state, uint64_t first, uint64_t n, bench_clock *clock) {
  (void)clock;
  return open_all(state, first, n, openssl_open_one);
}

// The text came out, and a record with a wrong tag is refused.
static bool opened_well(aead_state *s, uint64_t i, open_one open) {
  if (memcmp(s->out, s->text, s->size) != 0) return false;
  uint8_t *record = sealed_at(s, i % s->n_sealed);
  record[s->size] ^= 1;
  const bool refused = !open(s, i % s->n_sealed, record);
  record[s->size] ^= 1;
  return refused;
}

static bool agree_open(const bench_row *row, uint64_t i) {
  return opened_well(row->sides[0].state, i, our_open_one) && opened_well(row->sides[1].state, i, openssl_open_one);
}

static aead_state *state_make(const tn_aead *aead, bool opens) {
  aead_state *s = aligned_alloc(64, sizeof *s);
  uint8_t key[TN_AEAD_MAX_KEY];
  BENCH_NEED(s != NULL, aead->name);
  memset(s, 0, sizeof *s);
  bench_fill(s->text, sizeof s->text, 3);
  bench_fill(s->aad, sizeof s->aad, 4);
  bench_fill(key, sizeof key, 5);
  tn_aead_set_key(&s->ours, aead, key);

  EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, aead->name, NULL);
  BENCH_NEED(cipher != NULL, aead->name);
  s->theirs = EVP_CIPHER_CTX_new();
  BENCH_NEED(EVP_CipherInit_ex2(s->theirs, cipher, key, NULL, !opens, NULL) == 1, aead->name);
  EVP_CIPHER_free(cipher);
  return s;
}

static void state_free(aead_state *s) {
  tn_aead_wipe_key(&s->ours);
  EVP_CIPHER_CTX_free(s->theirs);
  free(s);
}

// As many records as 16 KiB of text make, at most 64; each side opens what the other one sealed.
static void seal_ahead(aead_state *opener, aead_state *sealer, seal_one seal, const char *name) {
  opener->n_sealed = opener->size > BENCH_MAX_SIZE / 64 ? BENCH_MAX_SIZE / opener->size : 64;
  for (uint64_t i = 0; i < opener->n_sealed; i++) BENCH_NEED(seal(sealer, i, sealed_at(opener, i)), name);
}

static void run_sizes(bench *b, const tn_aead *aead, const char *name, bool opens) {
  aead_state *ours = state_make(aead, opens), *theirs = state_make(aead, opens);
  aead_state *sealer = state_make(aead, false);
  for (size_t i = 0; i < BENCH_SIZES; i++) {
    const size_t size = ours->size = theirs->size = sealer->size = bench_sizes[i];
    bench_row row = {
        .name = name,
        .size = size,
        .path = ours->ours.impl->path,
        .sides = {{"Tenon", our_seal, ours, {ours->out, size + TN_AEAD_MAX_TAG}},
                  {bench_openssl_name(), openssl_seal, theirs, {theirs->out, size + TN_AEAD_MAX_TAG}}},
        .n_sides = 2,
    };
    if (opens) {
      row.sides[0].work = our_open;
      row.sides[1].work = openssl_open;
      row.agree = agree_open;
      seal_ahead(ours, sealer, openssl_seal_one, name);
      seal_ahead(theirs, sealer, our_seal_one, name);
    }
    bench_run(b, &row);
  }
  state_free(ours);
  state_free(theirs);
  state_free(sealer);
}

void bench_aead(bench *b) {
  for (size_t i = 0; tn_aeads[i] != NULL; i++) {
    char name[40];
    for (int opens = 0; opens < 2; opens++) {
      snprintf(name, sizeof name, "%s%s", tn_aeads[i]->name, opens ? "-open" : "");
      if (bench_wanted(b, name)) run_sizes(b, tn_aeads[i], name, opens);
    }
  }
}
