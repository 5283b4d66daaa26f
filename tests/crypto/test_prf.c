#include "crypto/kdf/prf.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include "support/rsp.h"
#include "support/support.h"

#define MAX_OUT 1024

// The PRF that a digest of libcrypto's stands for: "MD5-SHA1" is that of TLS 1.0.
static void prf(const tn_hash *hash, tn_span secret, const char *label, const tn_span *seed, size_t n_seed,
                uint8_t *out, size_t n) {
  if (hash == NULL)
    tn_prf_tls10(secret, label, seed, n_seed, out, n);
  else
    tn_prf_tls12(hash, secret, label, seed, n_seed, out, n);
}

static void assert_prf(const tn_hash *hash, tn_span secret, const char *label, const tn_span *seed, size_t n_seed,
                       tn_span want) {
  uint8_t got[MAX_OUT + 1];
  assert_true(want.n <= MAX_OUT);
  got[want.n] = 0xa5;
  prf(hash, secret, label, seed, n_seed, got, want.n);
  assert_memory_equal(got, want.p, want.n);
  assert_int_equal(got[want.n], 0xa5);
}

// The vectors for TLS 1.2's PRF that the IETF's TLS working group published on its list (2009).
static const struct {
  const tn_hash *hash;
  const char *secret, *seed, *label, *output;
} published[] = {
    {&tn_sha256, "9bbe436ba940f017b17652849a71db35", "a0ba9f936cda311827a6f796ffd5198c", "test label",
     "e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a6b301791e90d35c9c9a46b4e14baf9af0fa0"
     "22f7077def17abfd3797c0564bab4fbc91666e9def9b97fce34f796789baa48082d122ee42c5a72e5a5110fff70187347b66"},
    {&tn_sha384, "b80b733d6ceefcdc71566ea48e5567df", "cd665cf6a8447dd6ff8b27555edb7465", "test label",
     "7b0c18e9ced410ed1804f2cfa34a336a1c14dffb4900bb5fd7942107e81c83cde9ca0faa60be9fe34f82b1233c9146a0e534"
     "cb400fed2700884f9dc236f80edd8bfa961144c9e8d792eca722a7b32fc3d416d473ebc2c5fd4abfdad05d9184259b5bf8cd"
     "4d90fa0d31e2dec479e4f1a26066f2eea9a69236a3e52655c9e9aee691c8f3a26854308d5eaa3be85e0990703d73e56f"},
};

static void the_published_vectors(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(published); i++) {
    bytes secret = bytes_from_hex(published[i].secret), seed = bytes_from_hex(published[i].seed);
    bytes output = bytes_from_hex(published[i].output);
    const tn_span span = bytes_span(seed);
    assert_prf(published[i].hash, bytes_span(secret), published[i].label, &span, 1, bytes_span(output));
    bytes_free(&secret), bytes_free(&seed), bytes_free(&output);
  }
}

// ---------------------------------------------------------------- libcrypto

static void oracle(const char *digest, tn_span secret, tn_span seed, uint8_t *out, size_t n) {
  EVP_KDF *kdf = EVP_KDF_fetch(NULL, "TLS1-PRF", NULL);
  EVP_KDF_CTX *ctx = EVP_KDF_CTX_new(kdf);
  const OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)(uintptr_t)digest, 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SECRET, (void *)(uintptr_t)secret.p, secret.n),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SEED, (void *)(uintptr_t)seed.p, seed.n),
      OSSL_PARAM_construct_end(),
  };
  assert_int_equal(EVP_KDF_derive(ctx, out, n, params), 1);
  EVP_KDF_CTX_free(ctx);
  EVP_KDF_free(kdf);
}

static const struct {
  const char *digest;
  const tn_hash *hash;
} prfs[] = {{"MD5-SHA1", NULL}, {"SHA256", &tn_sha256}, {"SHA384", &tn_sha384}, {"SHA512", &tn_sha512}};

static void random_inputs_agree_with_libcrypto(void **state) {
  (void)state;
  static const char *const labels[] = {"master secret", "key expansion", "client finished", "x", ""};
  test_rng rng = {1};
  for (size_t h = 0; h < COUNT(prfs); h++) {
    for (size_t round = 0; round < 300; round++) {
      const char *label = labels[round % COUNT(labels)];
      uint8_t secret[200], seed[300], want[MAX_OUT];
      const size_t label_len = strlen(label), seed_len = label_len + 1 + test_rng_next(&rng) % 200;
      const tn_span key = {secret, round < 100 ? round : test_rng_next(&rng) % sizeof secret};
      const size_t n = 1 + test_rng_next(&rng) % (round % 2 == 0 ? 200 : sizeof want);
      test_rng_bytes(&rng, secret, sizeof secret);
      test_rng_bytes(&rng, seed, sizeof seed);
      memcpy(seed, label, label_len);
      oracle(prfs[h].digest, key, tn_span_of(seed, seed_len), want, n);

      // The seed in three parts, some of them empty.
      const size_t first = label_len + test_rng_next(&rng) % (seed_len - label_len + 1);
      const tn_span parts[] = {
          tn_span_of(seed + label_len, first - label_len), {NULL, 0}, tn_span_of(seed + first, seed_len - first)};
      assert_prf(prfs[h].hash, key, label, parts, COUNT(parts), tn_span_of(want, n));
    }
  }
}

static void every_length_is_the_beginning_of_a_longer_one(void **state) {
  (void)state;
  const uint8_t secret[] = "an odd secret.", seed_bytes[] = "seed";
  const tn_span seed = tn_span_of(seed_bytes, 4);
  for (size_t h = 0; h < COUNT(prfs); h++) {
    uint8_t longest[200];
    prf(prfs[h].hash, tn_span_of(secret, 13), "label", &seed, 1, longest, sizeof longest);
    for (size_t n = 0; n <= sizeof longest; n++)
      assert_prf(prfs[h].hash, tn_span_of(secret, 13), "label", &seed, 1, tn_span_of(longest, n));
    prf(prfs[h].hash, tn_span_of(secret, 13), "label", &seed, 1, NULL, 0);
  }
}

static void nothing_may_be_null(void **state) {
  (void)state;
  const uint8_t x[] = "x";
  for (size_t h = 0; h < COUNT(prfs); h++) {
    uint8_t want[100];
    oracle(prfs[h].digest, tn_span_of(x, 0), tn_span_of(x, 1), want, sizeof want);
    assert_prf(prfs[h].hash, (tn_span){0}, "x", NULL, 0, tn_span_of(want, sizeof want));
  }
}

// ---------------------------------------------------------------- files

// Whether `digest`, as libcrypto names it, is one of TLS, and its hash.
static bool hash_named(const char *digest, const tn_hash **hash) {
  for (size_t h = 0; h < COUNT(prfs); h++) {
    *hash = prfs[h].hash;
    if (strcmp(digest, prfs[h].digest) == 0) return true;
  }
  return false;
}

// The text after "hexseed:" and the like.
static const char *after_colon(const char *value) { return value == NULL ? NULL : strchr(value, ':') + 1; }

// OpenSSL's own, which are NIST's: a label and two randoms, in the order of its use.
static void openssl_vectors(void **state) {
  (void)state;
  static const char *const files[] = {"evp/openssl/evpkdf_tls11_prf.txt", "evp/openssl/evpkdf_tls12_prf.txt"};
  for (size_t i = 0; i < COUNT(files); i++) {
    size_t ran = 0;
    rsp *r = rsp_open(files[i]);
    while (rsp_next(r)) {
      const char *label = after_colon(rsp_text(r, "Ctrl.label"));
      const tn_hash *hash;
      if (label == NULL || rsp_text(r, "Result") != NULL || rsp_text(r, "Output") == NULL) continue;
      if (!hash_named(after_colon(rsp_text(r, "Ctrl.digest")), &hash)) continue;
      bytes secret = bytes_from_hex(after_colon(rsp_text(r, "Ctrl.Secret"))), output = rsp_hex(r, "Output");
      bytes client = bytes_from_hex(after_colon(rsp_text(r, "Ctrl.client_random")));
      bytes server = bytes_from_hex(after_colon(rsp_text(r, "Ctrl.server_random")));
      const bool client_first = strcmp(label, "key expansion") != 0;
      const tn_span seed[] = {bytes_span(client_first ? client : server), bytes_span(client_first ? server : client)};
      assert_prf(hash, bytes_span(secret), label, seed, 2, bytes_span(output));
      bytes_free(&secret), bytes_free(&output), bytes_free(&client), bytes_free(&server);
      ran++;
    }
    assert_true(ran >= 2);
    rsp_close(r);
  }
}

// A master secret, from the hello's randoms or (RFC 7627) the session's hash, and the key block that is made of it.
static void check_acvp(const tn_hash *hash, const json_t *test, bool extended) {
  const json_t *expected = json_object_get(test, "expected");
  bytes premaster = json_hex(test, "preMasterSecret"), client = json_hex(test, "clientRandom");
  bytes server = json_hex(test, "serverRandom"), master = json_hex(expected, "masterSecret");
  bytes block = json_hex(expected, "keyBlock");
  const tn_span for_block[] = {bytes_span(server), bytes_span(client)};
  if (extended) {
    bytes session = json_hex(test, "sessionHash");
    const tn_span seed = bytes_span(session);
    assert_prf(hash, bytes_span(premaster), "extended master secret", &seed, 1, bytes_span(master));
    bytes_free(&session);
  } else {
    bytes client_hello = json_hex(test, "clientHelloRandom"), server_hello = json_hex(test, "serverHelloRandom");
    const tn_span seed[] = {bytes_span(client_hello), bytes_span(server_hello)};
    assert_prf(hash, bytes_span(premaster), "master secret", seed, 2, bytes_span(master));
    bytes_free(&client_hello), bytes_free(&server_hello);
  }
  assert_prf(hash, bytes_span(master), "key expansion", for_block, 2, bytes_span(block));
  bytes_free(&premaster), bytes_free(&client), bytes_free(&server), bytes_free(&master), bytes_free(&block);
}

static void nist_acvp(void **state) {
  (void)state;
  static const struct {
    const char *file;
    bool extended;
  } files[] = {{"acvp/awslc/kdf-components-tls.json", false},
               {"acvp/bssl/kdf-components.json", false},
               {"acvp/awslc/TLS-1.2-KDF.json", true},
               {"acvp/bssl/TLS12.json", true}};
  static const char *const digests[][2] = {
      {"SHA-1", "MD5-SHA1"}, {"SHA2-256", "SHA256"}, {"SHA2-384", "SHA384"}, {"SHA2-512", "SHA512"}};
  for (size_t i = 0; i < COUNT(files); i++) {
    json_t *root = vectors_load(files[i].file), *group, *test;
    size_t g, t, ran = 0;
    json_array_foreach(json_object_get(root, "testGroups"), g, group) {
      const char *name = json_string_value(json_object_get(group, "hashAlg"));
      const tn_hash *hash;
      size_t d = 0;
      while (strcmp(name, digests[d][0]) != 0) d++;
      assert_true(hash_named(digests[d][1], &hash));
      json_array_foreach(json_object_get(group, "tests"), t, test) {
        check_acvp(hash, test, files[i].extended);
        ran++;
      }
    }
    assert_true(ran != 0);
    json_decref(root);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_published_vectors),
      cmocka_unit_test(random_inputs_agree_with_libcrypto),
      cmocka_unit_test(every_length_is_the_beginning_of_a_longer_one),
      cmocka_unit_test(nothing_may_be_null),
      cmocka_unit_test(openssl_vectors),
      cmocka_unit_test(nist_acvp),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
