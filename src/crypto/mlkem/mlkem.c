#include "crypto/mlkem/mlkem.h"

#include <string.h>

#include "base/ct.h"
#include "base/mem.h"
#include "crypto/hash/hash.h"
#include "crypto/hash/sponges.h"
#include "crypto/mlkem/pke.h"
#include "crypto/mlkem/poly.h"

#define SET(bits, k_, eta1_, du_, dv_)                                                                  \
  {                                                                                                     \
    .name = "ML-KEM-" #bits, .k = k_, .eta1 = eta1_, .du = du_, .dv = dv_, .public_len = 384 * k_ + 32, \
    .private_len = 768 * k_ + 96, .ciphertext_len = 32 * (du_ * k_ + dv_)                               \
  }

// Section 8.
const tn_mlkem tn_mlkem512 = SET(512, 2, 3, 10, 4);
const tn_mlkem tn_mlkem768 = SET(768, 3, 2, 10, 4);
const tn_mlkem tn_mlkem1024 = SET(1024, 4, 2, 11, 5);

// The parts of a decapsulation key: K-PKE's key, the encapsulation key, its hash, and z.
typedef struct parts {
  const uint8_t *pke, *public, *hash, *z;
} parts;

static parts parts_of(const tn_mlkem *p, const uint8_t *private) {
  const uint8_t *public = private + tn_pke_vector_len(p), *hash = public + p->public_len;
  return (parts){private, public, hash, hash + 32};
}

// What hashing and copying left behind; the callers wipe what is their own.
static void wipe_traces(void) {
  tn_wipe_stack();
  tn_poly_best()->wipe_registers();
}

static void hash_of(const tn_mlkem *p, const uint8_t *public, uint8_t hash[32]) {
  tn_hash_once(&tn_sha3_256, public, p->public_len, hash);
}

void tn_mlkem_generate_internal(const tn_mlkem *p, const uint8_t seed[TN_MLKEM_SEED_LEN], uint8_t *public,
                                uint8_t *private) {
  const size_t vector_len = tn_pke_vector_len(p);
  uint8_t *copy = private + vector_len, *hash = copy + p->public_len;
  tn_pke_generate(p, seed, public, private);
  TN_PUBLIC(public, p->public_len);
  memcpy(copy, public, p->public_len);
  hash_of(p, public, hash);
  memcpy(hash + 32, seed + 32, 32);
  wipe_traces();
}

tn_result tn_mlkem_generate(const tn_mlkem *p, const tn_rng *rng, uint8_t *public, uint8_t *private) {
  uint8_t seed[TN_MLKEM_SEED_LEN];
  TN_TRY(tn_random(rng, seed, sizeof seed));
  TN_SECRET(seed, sizeof seed);
  tn_mlkem_generate_internal(p, seed, public, private);
  tn_wipe(seed, sizeof seed);
  return tn_success();
}

// The secret K, and the coins of the encryption.
static void secret_and_coins(const uint8_t m[32], const uint8_t hash[32], uint8_t out[64]) {
  uint8_t in[64];
  memcpy(in, m, 32);
  memcpy(in + 32, hash, 32);
  tn_hash_once(&tn_sha3_512, in, sizeof in, out);
  tn_wipe(in, sizeof in);
}

// A sponge whose first 32 bytes of output are all that is wanted.
typedef struct digest {
  tn_sponge sponge;
  uint8_t *out;
} digest;

static bool take_digest(tn_sponge *sponge, const uint8_t *block) {
  memcpy(((digest *)sponge)->out, block, 32);
  return true;
}

void tn_mlkem_encapsulate_internal(const tn_mlkem *p, const uint8_t *public, const uint8_t m[TN_MLKEM_MESSAGE_LEN],
                                   uint8_t *ciphertext, uint8_t secret[TN_MLKEM_SECRET_LEN]) {
  tn_poly a_hat[TN_MLKEM_MAX_K * TN_MLKEM_MAX_K];
  uint8_t hash[32], secret_coins[64];
  digest h = {{TN_KECCAK_RATE(512), TN_SHA3_DOMAIN, {{public, p->public_len}}, take_digest}, hash};
  tn_pke_matrix(p, public, a_hat, &h.sponge);
  secret_and_coins(m, hash, secret_coins);
  tn_pke_encrypt(p, public, a_hat, m, secret_coins + 32, ciphertext);
  TN_PUBLIC(ciphertext, p->ciphertext_len);
  memcpy(secret, secret_coins, TN_MLKEM_SECRET_LEN);
  tn_wipe(secret_coins, sizeof secret_coins);
  wipe_traces();
}

tn_result tn_mlkem_check_public(const tn_mlkem *p, tn_span public) {
  TN_ENSURE(public.n == p->public_len && tn_pke_reduced(p, public.p), TN_E_KEY_INVALID);
  return tn_success();
}

tn_result tn_mlkem_encapsulate(const tn_mlkem *p, const tn_rng *rng, tn_span public, uint8_t *ciphertext,
                               uint8_t secret[TN_MLKEM_SECRET_LEN]) {
  uint8_t m[TN_MLKEM_MESSAGE_LEN];
  TN_TRY(tn_mlkem_check_public(p, public));
  TN_TRY(tn_random(rng, m, sizeof m));
  TN_SECRET(m, sizeof m);
  tn_mlkem_encapsulate_internal(p, public.p, m, ciphertext, secret);
  tn_wipe(m, sizeof m);
  return tn_success();
}

// leaks: whether the key is sound.
tn_result tn_mlkem_check_private(const tn_mlkem *p, tn_span private) {
  uint8_t hash[32];
  TN_ENSURE(private.n == p->private_len, TN_E_KEY_INVALID);
  const parts key = parts_of(p, private.p);
  hash_of(p, key.public, hash);
  TN_ENSURE(tn_ct_equal(hash, key.hash, sizeof hash), TN_E_KEY_INVALID);
  return tn_success();
}

tn_result tn_mlkem_decapsulate(const tn_mlkem *p, const uint8_t *private, tn_span ciphertext,
                               uint8_t secret[TN_MLKEM_SECRET_LEN]) {
  tn_poly a_hat[TN_MLKEM_MAX_K * TN_MLKEM_MAX_K];
  struct {
    uint8_t m[TN_MLKEM_MESSAGE_LEN];
    uint8_t secret_coins[64];
    uint8_t rejected[TN_MLKEM_SECRET_LEN];
    uint8_t again[TN_MLKEM_MAX_CIPHERTEXT];
  } w;
  TN_ENSURE(ciphertext.n == p->ciphertext_len, TN_E_DECODE);
  const parts key = parts_of(p, private);
  tn_pke_decrypt(p, key.pke, ciphertext.p, w.m);
  secret_and_coins(w.m, key.hash, w.secret_coins);
  // J of section 4.1: the secret of a ciphertext that is refused.
  digest j = {{TN_SHAKE256_RATE, TN_SHAKE_DOMAIN, {{key.z, 32}, ciphertext}, take_digest}, w.rejected};
  tn_pke_matrix(p, key.public, a_hat, &j.sponge);
  tn_pke_encrypt(p, key.public, a_hat, w.m, w.secret_coins + 32, w.again);
  const uint64_t honest = tn_ct_equal_mask(ciphertext.p, w.again, ciphertext.n);
  for (size_t i = 0; i < TN_MLKEM_SECRET_LEN; i++)
    secret[i] = (uint8_t)tn_ct_select(honest, w.secret_coins[i], w.rejected[i]);
  tn_wipe(&w, sizeof w);
  wipe_traces();
  return tn_success();
}
