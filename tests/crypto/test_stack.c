// What a primitive leaves behind on the stack: no word of a key, of a shared secret, of a nonce's scalar. Each runs on
// a stack of its own, which is searched when it has returned.
#include <ucontext.h>

#include "base/bytes.h"
#include "crypto/aead/aead.h"
#include "crypto/cbc_hmac/cbc_hmac.h"
#include "crypto/cipher/cipher.h"
#include "crypto/dh/dh.h"
#include "crypto/ec/curve.h"
#include "crypto/ec/ed25519.h"
#include "crypto/ec/ed25519_scalar.h"
#include "crypto/ec/rfc6979.h"
#include "crypto/ec/x25519.h"
#include "crypto/hash/shake.h"
#include "crypto/kdf/hkdf.h"
#include "crypto/kdf/hmac.h"
#include "crypto/kdf/prf.h"
#include "crypto/mlkem/mlkem.h"
#include "crypto/rng/hmac_drbg.h"
#include "crypto/rsa/rsa.h"
#include "support/rsa_key.h"
#include "support/support.h"

// The generator, for its key, which a system of zeros leaves as it is.
static tn_result zeros(uint8_t *out, size_t n) {
  memset(out, 0, n);
  return tn_success();
}
#define tn_random_system zeros
#include "crypto/rng/fast.c"
#undef tn_random_system

#define STACK_LEN 131072

static _Alignas(64) uint8_t stack[STACK_LEN];
static ucontext_t here, there;
static uint8_t key[TN_CURVE_MAX_LEN], other[TN_CURVE_MAX_POINT];
static _Alignas(16) uint8_t made[TN_AEAD_KEY_STATE];  // what the primitive made of the key and is secret too
static size_t made_len;
_Static_assert(TN_CIPHER_KEY_STATE == TN_AEAD_KEY_STATE, "there is room for either");

static void on_stack(void (*run)(void)) {
  memset(stack, 0, sizeof stack);
  assert_int_equal(getcontext(&there), 0);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = sizeof stack;
  there.uc_link = &here;
  makecontext(&there, run, 0);
  assert_int_equal(swapcontext(&here, &there), 0);
}

// Eight bytes as code may hold them: as they are, as a big-endian word of 64 bits or as two of 32 bits, and either
// half in two lanes of a vector.
enum { FORMS = 7 };
static void make_forms(uint8_t form[FORMS][8], const uint8_t secret[8]) {
  for (size_t j = 0; j < 8; j++) {
    form[0][j] = secret[j];
    form[1][j] = secret[7 - j];
    form[2][j] = secret[j ^ 3];
    form[3][j] = secret[j % 4];
    form[4][j] = secret[4 + j % 4];
    form[5][j] = secret[3 - j % 4];
    form[6][j] = secret[7 - j % 4];
  }
}

static bool found(const uint8_t *secret, size_t n) {
  bool any = false;
  // Words of a number count from its end.
  for (size_t i = 0; i + 8 <= n; i += n % 8 == 0 ? 8 : n % 8) {
    uint8_t form[FORMS][8];
    size_t zeros = 0;
    for (size_t j = 0; j < 8; j++) zeros += secret[i + j] == 0;
    if (zeros > 2) continue;  // unused, or a number that may stand anywhere
    make_forms(form, secret + i);
    for (size_t at = 0; at + 8 <= sizeof stack; at += 4)
      for (size_t f = 0; f < FORMS; f++)
        if (memcmp(stack + at, form[f], 8) == 0) {
          print_error("%s %zu to %zu stand %zu bytes below the top\n", secret == key ? "key" : "made", i, i + 7,
                      sizeof stack - at);
          any = true;
        }
  }
  return any;
}

// ---------------------------------------------------------------- the primitives

static void x25519(void) {
  tn_x25519(made, key, other);
  made_len = 32;
}

static void x25519_base(void) { tn_x25519_base(other, key); }

static uint8_t ed25519_pub[32];
static void ed25519_public(void) { tn_ed25519_public(key, ed25519_pub); }

// What the key is expanded to: the scalar before it is clamped, and the prefix.
static void ed25519_expanded(void) {
  tn_hash_once(&tn_sha512, key, 32, made);
  made_len = 64;
}

static void ed25519_sign(void) {
  uint8_t sig[64];
  assert_ok(tn_ed25519_sign(key, ed25519_pub, tn_span_of(other, 65), sig));
}

// The scalar of R in ed25519_sign().
static void ed25519_nonce(void) {
  uint8_t digest[64];
  uint64_t r[4];
  tn_hash_ctx ctx;
  ed25519_public();
  ed25519_expanded();
  tn_hash_init(&ctx, &tn_sha512);
  tn_hash_update(&ctx, made + 32, 32);
  tn_hash_update(&ctx, other, 65);
  tn_hash_final(&ctx, digest);
  tn_ed25519_scalar_reduce(r, digest);
  memcpy(made + 64, digest, sizeof digest);
  memcpy(made + 128, r, sizeof r);
  made_len = 160;
}

static const tn_curve *curve;
static void ec_public(void) { assert_ok(tn_ec_public(curve, key, other)); }

static void ecdh(void) {
  assert_ok(tn_ecdh(curve, key, tn_span_of(other, tn_curve_point_len(curve)), made));
  made_len = curve->len;
}

static void ecdsa(void) {
  uint8_t sig[TN_CURVE_MAX_SIG];
  assert_ok(tn_ecdsa_sign(curve, NULL, key, other, curve->nonce_hash->digest_len, sig));
}

// The nonce of ecdsa(), in words as the curve's code has it, and in bytes before that. The digest is below the order.
static void nonce(void) {
  tn_rfc6979 g;
  uint8_t digest[TN_CURVE_MAX_LEN] = {0};
  const size_t n = curve->nonce_hash->digest_len;
  other[0] = 0;
  memcpy(digest + curve->len - n, other, n);
  tn_rfc6979_init(&g, curve->nonce_hash, curve->bits, key, digest, (tn_span){NULL, 0});
  tn_rfc6979_next(&g, made);
  made_len = curve->len;
}

// The key is the private key of ffdhe2048, and what a generator gives.
static uint8_t dh_priv[TN_DH_MAX_PRIVATE], dh_share[TN_DH_MAX_BYTES], dh_secret[TN_DH_MAX_BYTES];
static tn_result give_key(void *ctx, uint8_t *out, size_t n) {
  (void)ctx;
  memcpy(out, key, n);
  return tn_success();
}
static const tn_rng key_rng = {give_key, NULL};
static const tn_span dh_peer = {other, 64};

static void dh_generate(void) { assert_ok(tn_dh_generate(&tn_dh_groups[0], &key_rng, dh_priv, dh_share)); }
static void dh_derive(void) { assert_ok(tn_dh_secret(&tn_dh_groups[0], key, dh_peer, dh_secret)); }
static void dh_exchange(void) { assert_ok(tn_dh_exchange(&tn_dh_groups[0], &key_rng, dh_peer, dh_share, dh_secret)); }

// The secret of dh_exchange(); the top bit of its key is set.
static void dh_made(void) {
  key[0] = 1;
  dh_exchange();
  made_len = tn_dh_groups[0].len;
  memcpy(made, dh_secret, made_len);
}

static uint8_t kem_public[TN_MLKEM_MAX_PUBLIC], kem_private[TN_MLKEM_MAX_PRIVATE];
static uint8_t kem_ciphertext[TN_MLKEM_MAX_CIPHERTEXT], kem_secret[TN_MLKEM_SECRET_LEN];

static void mlkem_generate(void) { tn_mlkem_generate_internal(&tn_mlkem768, key, kem_public, kem_private); }

static void mlkem_encapsulate(void) {
  tn_mlkem_encapsulate_internal(&tn_mlkem768, kem_public, key, kem_ciphertext, kem_secret);
  memcpy(made, kem_secret, sizeof kem_secret);
  made_len = sizeof kem_secret;
}

static void mlkem_decapsulate(void) {
  const tn_span ciphertext = {kem_ciphertext, tn_mlkem768.ciphertext_len};
  assert_ok(tn_mlkem_decapsulate(&tn_mlkem768, kem_private, ciphertext, kem_secret));
}

// Any key, with another seed than what is searched for.
static void mlkem_key(void) {
  tn_mlkem_generate_internal(&tn_mlkem768, (const uint8_t[64]){1}, kem_public, kem_private);
}

// The secret vector of mlkem_generate(), as it is kept and as coefficients, and the secret of a ciphertext for it.
static void mlkem_vector(void) {
  mlkem_generate();
  tn_mlkem_encapsulate_internal(&tn_mlkem768, kem_public, other, kem_ciphertext, kem_secret);
  memcpy(made, kem_private, 48);
  memcpy(made + 48, kem_secret, sizeof kem_secret);
  made_len = 48 + sizeof kem_secret;
  for (size_t i = 0; i < 48; i += 3, made_len += 4) {
    const uint32_t pair = kem_private[i] | (uint32_t)kem_private[i + 1] << 8 | (uint32_t)kem_private[i + 2] << 16;
    const int first = pair & 0xfff, second = pair >> 12;
    const int16_t centred[2] = {(int16_t)(first > 1664 ? first - 3329 : first),
                                (int16_t)(second > 1664 ? second - 3329 : second)};
    memcpy(made + made_len, centred, 4);
  }
}

// The secret that takes the place of that of a ciphertext that was changed.
static void mlkem_mismatch(void) {
  mlkem_vector();
  kem_ciphertext[0] ^= 1;
  mlkem_decapsulate();
  memcpy(made + 48, kem_secret, sizeof kem_secret);
}

static const tn_hash *hash;
static void hmac(void) {
  tn_hmac(hash, key, hash->digest_len, other, 65, made);
  made_len = hash->digest_len;
}

// The state that stands for the key in hmac().
static void hmac_state(void) {
  tn_hmac_ctx ctx;
  tn_hmac_init(&ctx, hash, key, hash->digest_len);
  memcpy(made, &ctx.inner.state, hash->digest_len);
  made_len = hash->digest_len;
}

// The state that stands for the key in shake().
static void shake_state(void) {
  tn_shake s;
  tn_shake256_init(&s);
  tn_shake_absorb(&s, key, sizeof key);
  tn_shake_squeeze(&s, made, 1);
  memcpy(made, s.state, sizeof s.state);
  made_len = sizeof s.state;
}

static void shake(void) { tn_shake256(key, sizeof key, other, 32); }

static tn_hmac_drbg drbg;
static void drbg_seed(void) {
  const tn_hmac_drbg_options options = {hash, TN_DRBG_RESEED, NULL, 0};
  const tn_span seed = {key, sizeof key}, none = {NULL, 0};
  assert_ok(tn_hmac_drbg_instantiate_with(&drbg, &options, seed, none, none));
}

static void drbg_state(void) {
  drbg_seed();
  memcpy(made, drbg.k, hash->digest_len);
  made_len = hash->digest_len;
}

static void drbg_use(void) {
  drbg_seed();
  assert_ok(tn_hmac_drbg_generate(&drbg, other, 65, (tn_span){NULL, 0}));
  tn_hmac_drbg_uninstantiate(&drbg);
}

// The same with a kept key.
static tn_hmac_key kept;
static void hmac_set_key(void) { tn_hmac_set_key(&kept, hash, key, hash->digest_len); }
static void hmac_kept(void) {
  tn_hmac_ctx ctx;
  tn_hmac_start(&ctx, &kept);
  tn_hmac_update(&ctx, other, 65);
  tn_hmac_final(&ctx, made);
  made_len = hash->digest_len;
}
static void set_kept(void) {
  hmac_state();
  hmac_set_key();
}

static const tn_span prf_seed = {other, 65};
static void prf_tls12(void) {
  tn_prf_tls12(hash, (tn_span){key, hash->digest_len}, "key expansion", &prf_seed, 1, made, sizeof made);
  made_len = sizeof made;
}
static void prf_tls10(void) {
  tn_prf_tls10((tn_span){key, 64}, "key expansion", &prf_seed, 1, made, sizeof made);
  made_len = sizeof made;
}

static void hkdf(void) {
  assert_ok(tn_hkdf_expand_label(hash, key, "key", (tn_span){NULL, 0}, made, 32));
  made_len = 32;
}

static const tn_aead *aead;
static tn_aead_key aead_key;
static void aead_set_key(void) { tn_aead_set_key(&aead_key, aead, key); }

static void aead_state(void) {
  aead_set_key();
  made_len = sizeof made - sizeof(void *);
  memcpy(made, aead_key.state + sizeof(void *), made_len);  // not the pointer that it may begin with
}

static void aead_use(void) {
  static uint8_t text[1000], tag[16];
  const tn_span in = {text, sizeof text};
  const tn_mspan to = {text, sizeof text};
  assert_ok(tn_aead_seal(&aead_key, other, (tn_span){other, 13}, &in, 1, &to, 1, tag));
  tn_aead_wipe_key(&aead_key);
}

static uint8_t drawn[200];
static void random_use(void) { assert_ok(tn_random(NULL, drawn, sizeof drawn)); }
static const tn_cipher *cipher;
static tn_cipher_key cipher_key;
static void cipher_set_key(void) { tn_cipher_set_key(&cipher_key, cipher, key); }

// A piece of a block, so that one is cut.
static void cipher_use(void) {
  static uint8_t text[1000];
  const tn_span in[] = {{text, 5}, {text + 5, 955}};
  const tn_mspan to = {text, 960};
  uint8_t iv[TN_CIPHER_MAX_BLOCK] = {0};
  assert_ok(tn_cipher_encrypt(&cipher_key, iv, in, 2, &to, 1));
  assert_ok(tn_cipher_decrypt(&cipher_key, iv, in, 2, &to, 1));
  tn_cipher_wipe_key(&cipher_key);
}

static tn_cbc_hmac_key record_key;
static const tn_cbc_hmac_record record = {1, 23, 0x303};
static uint8_t record_text[500], fragment[700], opened[700];
static void record_seal(void) {
  const tn_span in = {record_text, sizeof record_text};
  assert_ok(tn_cbc_hmac_seal(&record_key, &record, &in, 1, NULL, (tn_mspan){fragment, sizeof fragment}));
}

// A record that is right, and one whose last block is not.
static void record_open(void) {
  const size_t n = tn_cbc_hmac_sealed_len(&record_key, sizeof record_text);
  const tn_mspan to = {opened, sizeof opened};
  size_t len;
  assert_ok(tn_cbc_hmac_open(&record_key, &record, (tn_span){fragment, n}, to, &len));
}
static void record_refuse(void) {
  const size_t n = tn_cbc_hmac_sealed_len(&record_key, sizeof record_text);
  const tn_mspan to = {opened, sizeof opened};
  size_t len;
  fragment[n - 1] ^= 1;
  assert_fails(tn_cbc_hmac_open(&record_key, &record, (tn_span){fragment, n}, to, &len), BAD_RECORD_MAC);
}

static void random_key(void) {
  random_use();
  memcpy(made, mine->key, KEY_LEN);
  made_len = KEY_LEN;
}

static const struct {
  const char *what;
  void (*before)(void);  // makes what is searched for besides the key; not on the stack that is searched
  void (*run)(void);
  size_t key_len;
  const tn_hash *hash;
  const tn_aead *aead;
  const tn_curve *curve;
} primitives[] = {
    {"x25519", NULL, x25519, 32, NULL, NULL, NULL},
    {"x25519, base point", NULL, x25519_base, 32, NULL, NULL, NULL},
    {"ed25519, public key", ed25519_expanded, ed25519_public, 32, NULL, NULL, NULL},
    {"ed25519, signature", ed25519_nonce, ed25519_sign, 32, NULL, NULL, NULL},
    {"p256, public key", NULL, ec_public, 32, NULL, NULL, &tn_p256},
    {"p256, ecdh", NULL, ecdh, 32, NULL, NULL, &tn_p256},
    {"p256, signature", nonce, ecdsa, 32, NULL, NULL, &tn_p256},
    {"p384, public key", NULL, ec_public, 48, NULL, NULL, &tn_p384},
    {"p384, ecdh", NULL, ecdh, 48, NULL, NULL, &tn_p384},
    {"p384, signature", nonce, ecdsa, 48, NULL, NULL, &tn_p384},
    {"p521, public key", NULL, ec_public, 66, NULL, NULL, &tn_p521},
    {"p521, ecdh", NULL, ecdh, 66, NULL, NULL, &tn_p521},
    {"p521, signature", nonce, ecdsa, 66, NULL, NULL, &tn_p521},
    {"ffdhe2048, key pair", dh_made, dh_generate, 29, NULL, NULL, NULL},
    {"ffdhe2048, secret", dh_made, dh_derive, 29, NULL, NULL, NULL},
    {"ffdhe2048, both", dh_made, dh_exchange, 29, NULL, NULL, NULL},
    {"ml-kem-768, key pair", mlkem_vector, mlkem_generate, 64, NULL, NULL, NULL},
    {"ml-kem-768, encapsulation", mlkem_key, mlkem_encapsulate, 32, NULL, NULL, NULL},
    {"ml-kem-768, decapsulation", mlkem_vector, mlkem_decapsulate, 64, NULL, NULL, NULL},
    {"ml-kem-768, rejection", mlkem_mismatch, mlkem_decapsulate, 64, NULL, NULL, NULL},
    {"hmac-sha256", NULL, hmac, 32, &tn_sha256, NULL, NULL},
    {"hmac-sha384", NULL, hmac, 48, &tn_sha384, NULL, NULL},
    {"hmac-sha3-256", NULL, hmac, 32, &tn_sha3_256, NULL, NULL},
    {"shake256", shake_state, shake, 64, NULL, NULL, NULL},
    {"hmac-drbg-sha256", drbg_state, drbg_use, 64, &tn_sha256, NULL, NULL},
    {"hmac-drbg-sha512", drbg_state, drbg_use, 64, &tn_sha512, NULL, NULL},
    {"hkdf-sha256", hmac_state, hkdf, 32, &tn_sha256, NULL, NULL},
    {"hkdf-sha384", hmac_state, hkdf, 48, &tn_sha384, NULL, NULL},
    {"aes-128-gcm, set-up", aead_state, aead_set_key, 16, NULL, &tn_aes_128_gcm, NULL},
    {"aes-256-gcm, set-up", aead_state, aead_set_key, 32, NULL, &tn_aes_256_gcm, NULL},
    {"aes-128-gcm, use", aead_state, aead_use, 16, NULL, &tn_aes_128_gcm, NULL},
    {"aes-256-gcm, use", aead_state, aead_use, 32, NULL, &tn_aes_256_gcm, NULL},
    {"chacha20-poly1305, use", aead_state, aead_use, 32, NULL, &tn_chacha20_poly1305, NULL},
    {"hmac-sha3-256", NULL, hmac, 32, &tn_sha3_256, NULL, NULL},
    {"shake256", shake_state, shake, 64, NULL, NULL, NULL},
    {"hmac-drbg-sha256", drbg_state, drbg_use, 64, &tn_sha256, NULL, NULL},
    {"hmac-drbg-sha512", drbg_state, drbg_use, 64, &tn_sha512, NULL, NULL},
    {"hmac-md5", hmac_state, hmac, 16, &tn_md5, NULL, NULL},
    {"hmac-sha1", hmac_state, hmac, 20, &tn_sha1, NULL, NULL},
    {"hmac-sha512", hmac_state, hmac, 64, &tn_sha512, NULL, NULL},
    {"hmac-sha1, set-up", hmac_state, hmac_set_key, 20, &tn_sha1, NULL, NULL},
    {"hmac-sha384, set-up", hmac_state, hmac_set_key, 48, &tn_sha384, NULL, NULL},
    {"hmac-md5, kept key", set_kept, hmac_kept, 16, &tn_md5, NULL, NULL},
    {"hmac-sha1, kept key", set_kept, hmac_kept, 20, &tn_sha1, NULL, NULL},
    {"hmac-sha256, kept key", set_kept, hmac_kept, 32, &tn_sha256, NULL, NULL},
    {"hmac-sha384, kept key", set_kept, hmac_kept, 48, &tn_sha384, NULL, NULL},
    {"prf of tls 1.0", NULL, prf_tls10, 64, NULL, NULL, NULL},
    {"prf of tls 1.2, sha256", hmac_state, prf_tls12, 32, &tn_sha256, NULL, NULL},
    {"prf of tls 1.2, sha384", hmac_state, prf_tls12, 48, &tn_sha384, NULL, NULL},
    {"aes-128-ccm, set-up", aead_state, aead_set_key, 16, NULL, &tn_aes_128_ccm, NULL},
    {"aes-256-ccm, set-up", aead_state, aead_set_key, 32, NULL, &tn_aes_256_ccm, NULL},
    {"aes-128-ccm, use", aead_state, aead_use, 16, NULL, &tn_aes_128_ccm, NULL},
    {"aes-256-ccm-8, use", aead_state, aead_use, 32, NULL, &tn_aes_256_ccm_8, NULL},
    {"the generator", random_key, random_use, 0, NULL, NULL, NULL},
};

static void primitives_leave_no_secret(void **state) {
  (void)state;
  bool any = false;
  test_rng rng = {1};
  for (size_t i = 0; i < COUNT(primitives); i++) {
    uint8_t peer[TN_CURVE_MAX_LEN];
    curve = primitives[i].curve == NULL ? &tn_p256 : primitives[i].curve;
    test_rng_bytes(&rng, key, sizeof key);
    test_rng_bytes(&rng, peer, sizeof peer);
    if (curve == &tn_p521) key[0] = peer[0] = 0;
    assert_ok(tn_ec_public(curve, peer, other));
    made_len = 0;
    hash = primitives[i].hash;
    aead = primitives[i].aead;
    if (primitives[i].before != NULL) primitives[i].before();
    on_stack(primitives[i].run);
    bool bad = found(key, primitives[i].key_len);
    bad |= found(made, made_len);
    if (bad) print_error("%s\n", primitives[i].what);
    any |= bad;
  }
  assert_false(any);
}

static void ciphers_leave_no_secret(void **state) {
  (void)state;
  bool any = false;
  test_rng rng = {3};
  for (const tn_cipher *const *c = tn_ciphers; *c != NULL; c++) {
    static void (*const runs[])(void) = {cipher_set_key, cipher_use};
    cipher = *c;
    test_rng_bytes(&rng, key, sizeof key);
    for (size_t i = 0; i < COUNT(runs); i++) {
      cipher_set_key();
      memcpy(made, cipher_key.state, sizeof made);
      on_stack(runs[i]);
      bool bad = found(key, cipher->key_len);
      bad |= found(made, sizeof made);
      if (bad) print_error("%s, %s\n", cipher->name, i == 0 ? "set-up" : "use");
      any |= bad;
    }
  }
  assert_false(any);
}

// Nor a word of the text.
static void records_leave_no_secret(void **state) {
  (void)state;
  bool any = false;
  test_rng rng = {4};
  test_rng_bytes(&rng, record_text, sizeof record_text);
  for (const tn_cbc_hmac *const *pair = tn_cbc_hmacs; *pair != NULL; pair++)
    for (size_t etm = 0; etm < 2; etm++) {
      static void (*const runs[])(void) = {record_seal, record_open, record_refuse};
      test_rng_bytes(&rng, key, sizeof key);
      tn_cbc_hmac_set_key(&record_key, *pair, etm, key, key + 32, NULL);
      for (size_t i = 0; i < COUNT(runs); i++) {
        on_stack(runs[i]);
        bool bad = found(record_key.mac.inner, (*pair)->hash->digest_len);
        bad |= found(record_key.mac.outer, (*pair)->hash->digest_len);
        bad |= found(record_key.cipher.state, sizeof record_key.cipher.state);
        bad |= found(record_text + sizeof record_text - 64, 64);
        if (bad) print_error("%s, %s\n", (*pair)->name, i == 0 ? "seal" : i == 1 ? "open" : "refuse");
        any |= bad;
      }
    }
  assert_false(any);
}

static tn_rsa_private_max rsa_memory;
static tn_rsa_private *const rsa = &rsa_memory.key;
static uint8_t rsa_out[256];
static const uint8_t rsa_digest[32] = {1};
static void rsa_load(void) { assert_ok(tn_rsa_private_load(rsa, rsa_key_parts)); }

static void rsa_sign(void) {
  size_t n = sizeof rsa_out;
  assert_ok(tn_rsa_pkcs1_sign(rsa, NULL, &tn_sha256, (tn_span){rsa_digest, sizeof rsa_digest}, rsa_out, &n));
}

static void rsa_generate(void) { assert_ok(tn_rsa_generate(rsa, 2048, NULL)); }

static void rsa_decrypt(void) {
  uint8_t out[TN_RSA_PREMASTER];
  assert_ok(tn_rsa_decrypt_premaster(rsa, NULL, 0x0303, (tn_span){rsa_out, 256}, out));
  tn_wipe(out, sizeof out);
}

static void rsa_export(void) {
  for (tn_rsa_part i = TN_RSA_D; i < TN_RSA_PARTS; i++) (void)tn_rsa_private_part(rsa, i, rsa_out);
}

// Neither the key's numbers, as they are and in bytes, nor the blinding, nor a premaster secret.
static void rsa_leaves_no_secret(void **state) {
  (void)state;
  static const struct {
    const char *what;
    void (*run)(void);
  } runs[] = {{"loaded", rsa_load},        {"first signature", rsa_sign}, {"signature", rsa_sign},
              {"decryption", rsa_decrypt}, {"export", rsa_export},        {"generated", rsa_generate}};
  uint8_t premaster[TN_RSA_PREMASTER];
  test_rng rng = {5};
  bool any = false;
  test_rng_bytes(&rng, premaster, sizeof premaster);
  premaster[0] = premaster[1] = 3;
  rsa_load();
  for (size_t i = 0; i < COUNT(runs); i++) {
    if (runs[i].run == rsa_decrypt)
      assert_ok(tn_rsa_pkcs1_encrypt(&rsa->public, NULL, (tn_span){premaster, sizeof premaster}, rsa_out));
    on_stack(runs[i].run);
    bool bad = found(premaster, sizeof premaster);
    const uint64_t *const numbers[] = {rsa->p.n,  rsa->q.n,   rsa->dp,      rsa->dq,
                                       rsa->qinv, rsa->blind, rsa->unblind, rsa->d};
    for (size_t j = 0; j < COUNT(numbers); j++) bad |= found((const uint8_t *)numbers[j], 8 * rsa->p.words);
    for (tn_rsa_part part = TN_RSA_D; part < TN_RSA_PARTS; part++) {
      uint8_t number[256];
      bad |= found(number, tn_rsa_private_part(rsa, part, number));
    }
    if (bad) print_error("rsa, %s\n", runs[i].what);
    any |= bad;
  }
  assert_false(any);
}

// The search finds what there is: this one leaves its key.
static void careless(void) {
  uint8_t copy[32];
  for (size_t i = 0; i < sizeof copy; i++) copy[i] = key[i];
  __asm__ volatile("" : : "r"(copy) : "memory");
}

static void the_search_finds_something(void **state) {
  (void)state;
  test_rng rng = {2};
  test_rng_bytes(&rng, key, sizeof key);
  on_stack(careless);
  assert_true(found(key, 32));
}

int main(void) {
#if defined(__SANITIZE_ADDRESS__)
  return 77;  // its stack is another
#endif
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_search_finds_something), cmocka_unit_test(primitives_leave_no_secret),
      cmocka_unit_test(ciphers_leave_no_secret),    cmocka_unit_test(records_leave_no_secret),
      cmocka_unit_test(rsa_leaves_no_secret),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
