// HMAC_DRBG: NIST's vectors, libcrypto's on random input, and the envelope of SP 800-90A section 9.
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "crypto/rng/hmac_drbg.h"
#include "support/rsp.h"
#include "support/support.h"

static const tn_hash *const hashes[] = {&tn_sha1,   &tn_sha224,   &tn_sha256,   &tn_sha384,
                                        &tn_sha512, &tn_sha3_224, &tn_sha3_256, &tn_sha3_512};
static const tn_span none = {NULL, 0};

// A source that gives the bytes it was loaded with, one after the other, and fails when there are no more.
typedef struct well {
  const uint8_t *p;
  size_t n;
  size_t draws;
} well;

static tn_result draw(void *ctx, uint8_t *out, size_t n) {
  well *w = ctx;
  w->draws++;
  if (n > w->n) return tn_fail(TN_E_NO_RANDOM);
  memcpy(out, w->p, n);
  w->p += n;
  w->n -= n;
  return tn_success();
}

static tn_rng source_of(well *w) { return (tn_rng){draw, w}; }

// ---------------------------------------------------------------- published vectors

// NIST CAVS 14.3, drbgvectors_no_reseed and drbgvectors_pr_true. Two requests; `out` is the second's. `entropy` is
// EntropyInput, Nonce and both of EntropyInputPR.
static const struct {
  const tn_hash *hash;
  tn_drbg_mode mode;
  const char *entropy, *personalization, *additional[2], *out;
} cavs[] = {
    {&tn_sha1,
     TN_DRBG_PREDICTION_RESISTANCE,
     "a0c9ab58f1e2e5a4de3ebd4ff73e9c5b64efd8ca028cf81148a584fe69ab5aee42aa4d42176099d45e1397dc404d86a37bf55954756951e4",
     "",
     {"", ""},
     "9a00a2d00ed59bfe31ecb1399b608148d1969d250d3c1e94101098129325cab8fccc2d54731970c0107aa4892519955e"
     "4bc6001d7f4e6a2bf8a301ab46055c09a67188f1a740eef3e15c029b44af0344"},
    {&tn_sha1,
     TN_DRBG_PREDICTION_RESISTANCE,
     "d92b39ff610db66427613c111c002b75329734372847a88f53c1d289b30d3584d34efb884ce6d1d7174a3c20508ca0171ed9610622d454fd",
     "",
     {"9980d97c65cc8b3c61b390e48abc6523", "76213356e359e94984cfa7db15220518"},
     "e0b298f7cd1112527a506201e38f7e60d762f591603db72aca3a2cd1b9d115c3ddbc7dcb7643f2f40f53e96e6ca1590c"
     "a27abb77a6234754ff1edef86f75fd5f298872ad1544fb88a62936e238f22aef"},
    {&tn_sha1,
     TN_DRBG_PREDICTION_RESISTANCE,
     "db8128c27eaf3a39d5019785aa35b20c3977437fd75e8032ed340ddbe1b29eb9bedb3048a3fdd06aa957c5cff00eb87549c307400d4059d0",
     "4f8060506daf40819c7c58630151edc7",
     {"", ""},
     "4ac933b7de803c266461493a19dbb00e9db25ee768165781fc9a70c67c4e8a92db36471e3cb1714fbb65e17d74770061"
     "b0abae52be34a604d87e56a4ae1e90c6533cc764aa7419b5439e3efa193934bb"},
    {&tn_sha512,
     TN_DRBG_PREDICTION_RESISTANCE,
     "ae767959378e9f031c8f68d778cfc0dce1f9b4cc176c5f9f9f4c9c3aed9435f482585a0711812c3c79bda619b942c6eb"
     "8f5abbe8540aaeeedeaaeb52c156d07d8669179fc6967884db69c17186cb8fc96f2de9b0ac5922ab53c595df1e3513bb"
     "3f2642b458d96e3782dbb975a8b4faed",
     "830f178cf5f544140d2d8c0737790b97bc6f150784865548d73f1f37a5a39a65",
     {"cb12a2b9a02aaaeae4c7c76cad9e006186d978bc046c1ea81532bc51601ede00",
      "2d3dde3b3581b863e1590bdc638c33bfd170555445e225f3a450d9e9762abec1"},
     "fddf7f1b906861d49da9660e7716b5ef987163e7e2f51f4fef2cb3e8d01b736067765aaea11a7d193266b2e0071e4d4c"
     "8cc776399464563adb9deae22bd721ed03b148516100b9f340a00d2632c80c5b3e1f93825ffeb112fb90e658d638740e"
     "62d8031fabfe40f79c20532e667aeacc6be635f64a0580236d7d978c5db017c76a6767dc419ba2f89102a88e53254f41"
     "205866e875225380ae04943bcc8f152c9fd79a680557d1f2a0a8ac7b27900bba33db63e26e0d7363034af1430b6546a3"
     "ce2c01c8cfe0e152f106baa5b2fae1fe00cef10154b735fdfae354ececc7da44c914b054cd97d99866a9d5df42765cd6"
     "2eaf1b8adc885fa2263911c837b4643f"},
    {&tn_sha384,
     TN_DRBG_NO_RESEED,
     "5e919d353357671566d2c6ab6e1acd46f47d0c878fe36114d7fea9fecb88a3a27efca9e3d1e1b09d7f16832f3af75141",
     "",
     {"442f17cb3cb1482a19729bfd58f46f6ef16285554892c01b0718968d6e011082",
      "f9557c93eb841bfd7b5d4b71da928efcbe3f55e1870493ef90d16eb238380d65"},
     "36902134f1989cfe7eb518a56c06aada98997d9bacd04aee21f879a57b515ca3b5e0c2d5fed05ca1a8b054e8c46b389d"
     "9d9186feb0abe8e2e60b3a267281cc5b4b7341116ced35a0e07bc2b0330bbfd8b07f07248fa6d8fc5c9df13445324162"
     "bdfa22a91ba71453ab123c92f91c70b8bd540b3b180b11ab45ae2c59e57c7c43dab7576594959a96eb502d182267c865"
     "76b1846ccee1a694cabdfb42e0c8214192efb502926fa3c27eed020b7cc8866a5af9d838a57e78bf7acd230e1f4d8361"},
    {&tn_sha512,
     TN_DRBG_NO_RESEED,
     "45784684d6004731689e33e45b344d7b68dc4fa841133cb2dd65c4b326dffa901109dfac2e48bf17f2fea33b412dc653",
     "7c6f4675f7a0b8c424d5be9e809efa305493874d9a950cb343afdfb64e77ecb5",
     {"2b2dbe3834d8be93f1396b19be83bd96823dd82740da71c5eeb7b21865021884",
      "49c322fc1bec86d3e20628d9bdc1644e6f5e0237c7c694746bfee32a00145696"},
     "9110cec7d07e6e32724bf043e73021b3ca0e4516b619d036ac9a00914e12f01ece71989f55c1caccd542c60a9cccffb9"
     "1e203fd39dca2d92c8eb03ee7ee88abf21dc6891de326c3190f25ee9ab44ca72d178db0f846969465b25a07dcc83777e"
     "6b63a7f9f1a8246dd31ce50cd9eb70e6e383c9ad4dae19f7cec8bfe079b36d309c28b10161c28b8d66c357c7ee01f074"
     "03a596366725fd5bd3a5de3cb40dcf60aac10635615b866ae633fbdb7ece41695d533757d9d16c6d44fd170fae77c15b"
     "7426ed6ec8c9d6e9245cd5e19e8dc3c8c7e671007ce8454413bd07407e8a2248bee95a7669db6ee47377b4490a6251ab"
     "b60cd4e2e404ab88aa4948e71ecec50c"},
};

static void nist_cavs(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(cavs); i++) {
    bytes entropy = bytes_from_hex(cavs[i].entropy), personal = bytes_from_hex(cavs[i].personalization);
    bytes want = bytes_from_hex(cavs[i].out);
    uint8_t got[300];
    well w = {entropy.p, entropy.n, 0};
    const tn_rng source = source_of(&w);
    const tn_hmac_drbg_options options = {cavs[i].hash, cavs[i].mode, &source, 0};
    tn_hmac_drbg g;
    assert_ok(tn_hmac_drbg_instantiate(&g, &options, bytes_span(personal)));
    for (size_t k = 0; k < 2; k++) {
      bytes additional = bytes_from_hex(cavs[i].additional[k]);
      assert_ok(tn_hmac_drbg_generate(&g, got, want.n, bytes_span(additional)));
      bytes_free(&additional);
    }
    assert_memory_equal(got, want.p, want.n);
    assert_int_equal(w.n, 0);
    tn_hmac_drbg_uninstantiate(&g);
    bytes_free(&entropy);
    bytes_free(&personal);
    bytes_free(&want);
  }
}

static bytes optional_hex(const rsp *r, const char *name) {
  const char *hex = rsp_text(r, name);
  return bytes_from_hex(hex == NULL ? "" : hex);
}

// drbgvectors_pr_false: reseeded once, before two requests.
static void nist_cavs_with_reseeding(void **state) {
  (void)state;
  static const struct {
    const char *heading;
    const tn_hash *hash;
  } sections[] = {
      {"SHA-1", &tn_sha1},     {"SHA-224", &tn_sha224}, {"SHA-256", &tn_sha256},
      {"SHA-384", &tn_sha384}, {"SHA-512", &tn_sha512},
  };
  size_t ran[COUNT(sections)] = {0};
  rsp *r = rsp_open("evp/botan/hmac_drbg.vec");
  while (rsp_next(r)) {
    size_t s = 0;
    while (s < COUNT(sections) && rsp_text(r, sections[s].heading) == NULL) s++;
    if (s == COUNT(sections)) continue;  // SHA-512/224 and SHA-512/256
    bytes entropy = rsp_hex(r, "EntropyInput"), fresh = rsp_hex(r, "EntropyInputReseed"), want = rsp_hex(r, "Out");
    bytes first = optional_hex(r, "AdditionalInput1"), second = optional_hex(r, "AdditionalInput2");
    uint8_t got[400];
    assert_true(want.n <= sizeof got);
    const tn_hmac_drbg_options options = {sections[s].hash, TN_DRBG_RESEED, NULL, 0};
    tn_hmac_drbg g;
    assert_ok(tn_hmac_drbg_instantiate_with(&g, &options, bytes_span(entropy), none, none));
    assert_ok(tn_hmac_drbg_reseed_with(&g, bytes_span(fresh), none));
    assert_ok(tn_hmac_drbg_generate(&g, got, want.n, bytes_span(first)));
    assert_ok(tn_hmac_drbg_generate(&g, got, want.n, bytes_span(second)));
    assert_memory_equal(got, want.p, want.n);
    tn_hmac_drbg_uninstantiate(&g);
    bytes_free(&entropy);
    bytes_free(&fresh);
    bytes_free(&want);
    bytes_free(&first);
    bytes_free(&second);
    ran[s]++;
  }
  for (size_t s = 0; s < COUNT(sections); s++) assert_true(ran[s] > 200);
  rsp_close(r);
}

static void acvp_step(tn_hmac_drbg *g, const json_t *step, bool prediction_resistance, uint8_t *got, size_t n) {
  const char *use = json_string_value(json_object_get(step, "intendedUse"));
  bytes additional = json_hex(step, "additionalInput"), entropy = json_hex(step, "entropyInput");
  if (strcmp(use, "reSeed") == 0) {
    assert_ok(tn_hmac_drbg_reseed_with(g, bytes_span(entropy), bytes_span(additional)));
  } else {
    assert_string_equal(use, "generate");
    if (prediction_resistance) *(well *)g->options.source->ctx = (well){entropy.p, entropy.n, 0};
    assert_ok(tn_hmac_drbg_generate(g, got, n, bytes_span(additional)));
  }
  bytes_free(&additional);
  bytes_free(&entropy);
}

static void nist_acvp(void **state) {
  (void)state;
  json_t *root = vectors_load("acvp/bssl/hmacDRBG.json"), *group, *test, *step;
  size_t i, t, k, ran = 0;
  json_array_foreach(json_object_get(root, "testGroups"), i, group) {
    const bool resistant = json_is_true(json_object_get(group, "predResistance"));
    const bool reseeds = json_is_true(json_object_get(group, "reSeed"));
    assert_string_equal(json_string_value(json_object_get(group, "mode")), "SHA2-256");
    json_array_foreach(json_object_get(group, "tests"), t, test) {
      bytes entropy = json_hex(test, "entropyInput"), nonce = json_hex(test, "nonce");
      bytes personal = json_hex(test, "persoString"),
            want = json_hex(json_object_get(test, "expected"), "returnedBits");
      uint8_t got[400];
      assert_true(want.n <= sizeof got);
      well w = {0};
      const tn_rng source = source_of(&w);
      const tn_hmac_drbg_options options = {&tn_sha256,
                                            resistant ? TN_DRBG_PREDICTION_RESISTANCE
                                            : reseeds ? TN_DRBG_RESEED
                                                      : TN_DRBG_NO_RESEED,
                                            &source, 0};
      tn_hmac_drbg g;
      assert_ok(
          tn_hmac_drbg_instantiate_with(&g, &options, bytes_span(entropy), bytes_span(nonce), bytes_span(personal)));
      json_array_foreach(json_object_get(test, "otherInput"), k, step) acvp_step(&g, step, resistant, got, want.n);
      assert_memory_equal(got, want.p, want.n);
      tn_hmac_drbg_uninstantiate(&g);
      bytes_free(&entropy);
      bytes_free(&nonce);
      bytes_free(&personal);
      bytes_free(&want);
      ran++;
    }
  }
  assert_true(ran != 0);
  json_decref(root);
}

// The first output of instances that RFC 6979 makes; a digest is "digest:NAME", a value "hexentropy:HEX".
static void openssl_kdf(void **state) {
  (void)state;
  rsp *r = rsp_open("evp/openssl/evpkdf_hmac_drbg.txt");
  size_t ran = 0;
  while (rsp_next(r)) {
    const char *digest = rsp_text(r, "Ctrl.digest"), *output = rsp_text(r, "Output");
    if (output == NULL) continue;  // those that must fail are in what_is_too_short_is_refused
    const tn_hash *hash = strcmp(digest, "digest:SHA1") == 0 ? &tn_sha1 : &tn_sha256;
    bytes entropy = bytes_from_hex(strchr(rsp_text(r, "Ctrl.hexentropy"), ':') + 1);
    bytes nonce = bytes_from_hex(strchr(rsp_text(r, "Ctrl.hexnonce"), ':') + 1), want = bytes_from_hex(output);
    uint8_t got[64];
    const tn_hmac_drbg_options options = {hash, TN_DRBG_NO_RESEED, NULL, 0};
    tn_hmac_drbg g;
    assert_ok(tn_hmac_drbg_instantiate_with(&g, &options, bytes_span(entropy), bytes_span(nonce), none));
    assert_ok(tn_hmac_drbg_generate(&g, got, want.n, none));
    assert_memory_equal(got, want.p, want.n);
    tn_hmac_drbg_uninstantiate(&g);
    bytes_free(&entropy);
    bytes_free(&nonce);
    bytes_free(&want);
    ran++;
  }
  assert_int_equal(ran, 3);
  rsp_close(r);
}

// ---------------------------------------------------------------- libcrypto

typedef struct oracle {
  EVP_RAND_CTX *source, *drbg;
  unsigned strength;
} oracle;

static void oracle_load(oracle *o, const uint8_t *entropy, size_t n) {
  OSSL_PARAM p[2] = {OSSL_PARAM_construct_octet_string(OSSL_RAND_PARAM_TEST_ENTROPY, (void *)(uintptr_t)entropy, n),
                     OSSL_PARAM_construct_end()};
  assert_int_equal(EVP_RAND_CTX_set_params(o->source, p), 1);
}

static EVP_RAND_CTX *rand_new(const char *name, EVP_RAND_CTX *parent) {
  EVP_RAND *kind = EVP_RAND_fetch(NULL, name, NULL);
  assert_non_null(kind);
  EVP_RAND_CTX *ctx = EVP_RAND_CTX_new(kind, parent);
  assert_non_null(ctx);
  EVP_RAND_free(kind);
  return ctx;
}

static void oracle_start(oracle *o, const tn_hash *hash, const uint8_t *entropy, size_t n, const uint8_t *nonce,
                         size_t nonce_len, tn_span personal, bool resistant) {
  o->strength = 8 * (unsigned)tn_hmac_drbg_strength(hash);
  o->source = rand_new("TEST-RAND", NULL);
  OSSL_PARAM p[3] = {OSSL_PARAM_construct_uint(OSSL_RAND_PARAM_STRENGTH, &o->strength),
                     OSSL_PARAM_construct_octet_string(OSSL_RAND_PARAM_TEST_NONCE, (void *)(uintptr_t)nonce, nonce_len),
                     OSSL_PARAM_construct_end()};
  assert_int_equal(EVP_RAND_CTX_set_params(o->source, p), 1);
  oracle_load(o, entropy, n);
  assert_int_equal(EVP_RAND_instantiate(o->source, o->strength, 0, NULL, 0, NULL), 1);
  o->drbg = rand_new("HMAC-DRBG", o->source);
  OSSL_PARAM q[3] = {OSSL_PARAM_construct_utf8_string(OSSL_DRBG_PARAM_MAC, (char[]){"HMAC"}, 0),
                     OSSL_PARAM_construct_utf8_string(OSSL_DRBG_PARAM_DIGEST, (char *)(uintptr_t)hash->name, 0),
                     OSSL_PARAM_construct_end()};
  assert_int_equal(EVP_RAND_CTX_set_params(o->drbg, q), 1);
  assert_int_equal(EVP_RAND_instantiate(o->drbg, o->strength, resistant, personal.p, personal.n, NULL), 1);
}

static void oracle_end(oracle *o) {
  EVP_RAND_CTX_free(o->drbg);
  EVP_RAND_CTX_free(o->source);
}

static void any_sequence_agrees_with_libcrypto(void **state) {
  (void)state;
  test_rng rng = {1};
  for (size_t h = 0; h < COUNT(hashes); h++) {
    for (int round = 0; round < 12; round++) {
      const bool resistant = round % 2 != 0;
      const size_t strength = tn_hmac_drbg_strength(hashes[h]);
      uint8_t seed[48], personal[100], additional[100], want[700], got[702];
      test_rng_bytes(&rng, seed, sizeof seed);
      test_rng_bytes(&rng, personal, sizeof personal);
      const tn_span person = {personal, round % 3 == 0 ? 0 : test_rng_next(&rng) % sizeof personal};
      well w = {seed, strength + strength / 2, 0};
      const tn_rng source = source_of(&w);
      const tn_hmac_drbg_options options = {hashes[h], resistant ? TN_DRBG_PREDICTION_RESISTANCE : TN_DRBG_RESEED,
                                            &source, 0};
      oracle o;
      oracle_start(&o, hashes[h], seed, strength, seed + strength, strength / 2, person, resistant);
      tn_hmac_drbg g;
      assert_ok(tn_hmac_drbg_instantiate(&g, &options, person));
      for (int step = 0; step < 8; step++) {
        uint8_t fresh[32];
        test_rng_bytes(&rng, fresh, sizeof fresh);
        test_rng_bytes(&rng, additional, sizeof additional);
        const size_t n = 1 + test_rng_next(&rng) % sizeof want;
        const tn_span more = {additional, step % 3 == 0 ? 0 : test_rng_next(&rng) % sizeof additional};
        w = (well){fresh, strength, 0};
        oracle_load(&o, fresh, strength);
        if (step % 4 == 3) {
          assert_ok(tn_hmac_drbg_reseed(&g, more));
          assert_int_equal(EVP_RAND_reseed(o.drbg, 0, NULL, 0, more.p, more.n), 1);
          continue;
        }
        memset(got, 0xa5, sizeof got);
        assert_ok(tn_hmac_drbg_generate(&g, got + 1, n, more));
        assert_int_equal(EVP_RAND_generate(o.drbg, want, n, o.strength, resistant, more.p, more.n), 1);
        assert_memory_equal(got + 1, want, n);
        assert_int_equal(got[0], 0xa5);
        assert_int_equal(got[n + 1], 0xa5);
        assert_int_equal(w.draws, resistant);
      }
      tn_hmac_drbg_uninstantiate(&g);
      oracle_end(&o);
    }
  }
}

// ---------------------------------------------------------------- the envelope

static const uint8_t entropy[48] = {1, 2, 3};
static const tn_span seed = {entropy, sizeof entropy};

static void assert_wiped(const tn_hmac_drbg *g) {
  for (size_t i = 0; i < sizeof *g; i++) assert_int_equal(((const uint8_t *)g)[i], 0);
}

static void what_is_too_short_is_refused(void **state) {
  (void)state;
  for (size_t h = 0; h < COUNT(hashes); h++) {
    const tn_hmac_drbg_options options = {hashes[h], TN_DRBG_RESEED, NULL, 0};
    const size_t n = tn_hmac_drbg_strength(hashes[h]);
    tn_hmac_drbg g = {0};
    assert_fails(tn_hmac_drbg_instantiate_with(&g, &options, (tn_span){entropy, n - 1}, seed, none), BAD_ARGUMENT);
    assert_fails(tn_hmac_drbg_instantiate_with(&g, &options, (tn_span){entropy, n}, none, none), BAD_ARGUMENT);
    assert_fails(
        tn_hmac_drbg_instantiate_with(&g, &options, (tn_span){entropy, n}, (tn_span){entropy, n / 2 - 1}, none),
        BAD_ARGUMENT);
    assert_wiped(&g);
    assert_ok(tn_hmac_drbg_instantiate_with(&g, &options, (tn_span){entropy, n}, (tn_span){entropy, n / 2}, none));
    assert_fails(tn_hmac_drbg_reseed_with(&g, (tn_span){entropy, n - 1}, seed), BAD_ARGUMENT);
    assert_ok(tn_hmac_drbg_reseed_with(&g, (tn_span){entropy, n}, none));
  }
}

// Of lengths only: none of these is read.
static void what_is_too_long_is_refused(void **state) {
  (void)state;
  const tn_span endless = {entropy, (size_t)TN_DRBG_MAX_INPUT + 1};
  const tn_hmac_drbg_options options = {&tn_sha256, TN_DRBG_RESEED, &tn_rng_fast, 0};
  static uint8_t out[TN_DRBG_MAX_REQUEST + 1];
  tn_hmac_drbg g = {0};
  assert_fails(tn_hmac_drbg_instantiate_with(&g, &options, endless, none, none), BAD_ARGUMENT);
  assert_fails(tn_hmac_drbg_instantiate_with(&g, &options, seed, endless, none), BAD_ARGUMENT);
  assert_fails(tn_hmac_drbg_instantiate_with(&g, &options, seed, none, endless), BAD_ARGUMENT);
  assert_fails(tn_hmac_drbg_instantiate(&g, &options, endless), BAD_ARGUMENT);
  assert_ok(tn_hmac_drbg_instantiate(&g, &options, none));
  assert_fails(tn_hmac_drbg_reseed(&g, endless), BAD_ARGUMENT);
  assert_fails(tn_hmac_drbg_reseed_with(&g, endless, none), BAD_ARGUMENT);
  assert_fails(tn_hmac_drbg_reseed_with(&g, seed, endless), BAD_ARGUMENT);
  assert_fails(tn_hmac_drbg_generate(&g, out, 1, endless), BAD_ARGUMENT);
  memset(out, 0x55, sizeof out);
  assert_fails(tn_hmac_drbg_generate(&g, out, sizeof out, none), BAD_ARGUMENT);
  for (size_t i = 0; i < sizeof out; i++) assert_int_equal(out[i], 0);
  assert_ok(tn_hmac_drbg_generate(&g, out, TN_DRBG_MAX_REQUEST, none));
  assert_ok(tn_hmac_drbg_generate(&g, out, 0, none));
  tn_hmac_drbg_uninstantiate(&g);
}

static void options_out_of_range_are_refused(void **state) {
  (void)state;
  const tn_hmac_drbg_options wrong[] = {
      {&tn_md5, TN_DRBG_RESEED, &tn_rng_fast, 0},
      {&tn_sha256, TN_DRBG_RESEED, &tn_rng_fast, TN_DRBG_MAX_INTERVAL + 1},
      {&tn_sha256, TN_DRBG_PREDICTION_RESISTANCE, NULL, 0},
  };
  tn_hmac_drbg g = {0};
  for (size_t i = 0; i < COUNT(wrong); i++) {
    assert_fails(tn_hmac_drbg_instantiate_with(&g, &wrong[i], seed, none, none), BAD_ARGUMENT);
    assert_fails(tn_hmac_drbg_instantiate(&g, &wrong[i], none), BAD_ARGUMENT);
  }
  const tn_hmac_drbg_options no_source = {&tn_sha256, TN_DRBG_RESEED, NULL, 0};
  assert_fails(tn_hmac_drbg_instantiate(&g, &no_source, none), BAD_ARGUMENT);
  assert_wiped(&g);
}

static void a_call_out_of_its_state_is_refused(void **state) {
  (void)state;
  uint8_t out[8];
  tn_hmac_drbg g = {0};
  assert_fails(tn_hmac_drbg_generate(&g, out, sizeof out, none), BAD_STATE);
  assert_fails(tn_hmac_drbg_reseed(&g, none), BAD_STATE);
  assert_fails(tn_hmac_drbg_reseed_with(&g, seed, none), BAD_STATE);
  const tn_hmac_drbg_options once = {&tn_sha256, TN_DRBG_NO_RESEED, &tn_rng_fast, 0};
  assert_ok(tn_hmac_drbg_instantiate(&g, &once, none));
  assert_fails(tn_hmac_drbg_reseed(&g, none), BAD_STATE);
  assert_fails(tn_hmac_drbg_reseed_with(&g, seed, none), BAD_STATE);
  const tn_hmac_drbg_options no_source = {&tn_sha256, TN_DRBG_RESEED, NULL, 0};
  assert_ok(tn_hmac_drbg_instantiate_with(&g, &no_source, seed, none, none));
  assert_fails(tn_hmac_drbg_reseed(&g, none), BAD_STATE);
  assert_ok(tn_hmac_drbg_generate(&g, out, sizeof out, none));
  tn_hmac_drbg_uninstantiate(&g);
  assert_wiped(&g);
  assert_fails(tn_hmac_drbg_generate(&g, out, sizeof out, none), BAD_STATE);
}

static void a_seed_serves_its_requests_and_no_more(void **state) {
  (void)state;
  uint8_t out[8];
  static const tn_drbg_mode modes[] = {TN_DRBG_RESEED, TN_DRBG_NO_RESEED};
  for (size_t m = 0; m < COUNT(modes); m++) {
    const tn_hmac_drbg_options options = {&tn_sha256, modes[m], NULL, 3};
    tn_hmac_drbg g;
    assert_ok(tn_hmac_drbg_instantiate_with(&g, &options, seed, none, none));
    for (int i = 0; i < 3; i++) assert_ok(tn_hmac_drbg_generate(&g, out, sizeof out, none));
    for (int i = 0; i < 2; i++) {
      memset(out, 0x55, sizeof out);
      assert_fails(tn_hmac_drbg_generate(&g, out, sizeof out, seed), SEED_EXHAUSTED);
      for (size_t k = 0; k < sizeof out; k++) assert_int_equal(out[k], 0);
    }
    if (modes[m] == TN_DRBG_NO_RESEED) continue;
    assert_ok(tn_hmac_drbg_reseed_with(&g, seed, none));
    for (int i = 0; i < 3; i++) assert_ok(tn_hmac_drbg_generate(&g, out, sizeof out, none));
    assert_fails(tn_hmac_drbg_generate(&g, out, sizeof out, none), SEED_EXHAUSTED);
  }
  // The standard's own limit, reached by setting the count.
  const tn_hmac_drbg_options options = {&tn_sha256, TN_DRBG_RESEED, NULL, 0};
  tn_hmac_drbg g;
  assert_ok(tn_hmac_drbg_instantiate_with(&g, &options, seed, none, none));
  g.requests = TN_DRBG_MAX_INTERVAL - 1;
  assert_ok(tn_hmac_drbg_generate(&g, out, sizeof out, none));
  assert_fails(tn_hmac_drbg_generate(&g, out, sizeof out, none), SEED_EXHAUSTED);
}

// Reseeding by itself is reseeding by hand with the additional input of the request, which has none then.
static void with_a_source_it_reseeds_itself(void **state) {
  (void)state;
  uint8_t stock[48 + 32], out[50], want[50];
  test_rng rng = {2};
  test_rng_bytes(&rng, stock, sizeof stock);
  well w = {stock, sizeof stock, 0};
  const tn_rng source = source_of(&w);
  const tn_hmac_drbg_options options = {&tn_sha256, TN_DRBG_RESEED, &source, 2};
  const tn_hmac_drbg_options by_hand = {&tn_sha256, TN_DRBG_RESEED, NULL, 2};
  tn_hmac_drbg g, h;
  assert_ok(tn_hmac_drbg_instantiate(&g, &options, none));
  assert_ok(tn_hmac_drbg_instantiate_with(&h, &by_hand, (tn_span){stock, 32}, (tn_span){stock + 32, 16}, none));
  for (int i = 0; i < 4; i++) {
    if (i == 2) assert_ok(tn_hmac_drbg_reseed_with(&h, (tn_span){stock + 48, 32}, seed));
    assert_ok(tn_hmac_drbg_generate(&g, out, sizeof out, i == 2 ? seed : none));
    assert_ok(tn_hmac_drbg_generate(&h, want, sizeof want, none));
    assert_memory_equal(out, want, sizeof want);
    assert_int_equal(w.draws, i < 2 ? 2 : 3);
  }
  assert_fails(tn_hmac_drbg_generate(&g, out, sizeof out, none), NO_RANDOM);
}

// Once a source has failed, nothing comes, be it well again or not.
static void a_failing_source_ends_the_generator(void **state) {
  (void)state;
  uint8_t stock[1000] = {0}, out[8];
  well w = {0};
  const tn_rng source = source_of(&w);
  const tn_hmac_drbg_options options = {&tn_sha256, TN_DRBG_PREDICTION_RESISTANCE, &source, 0};
  tn_hmac_drbg g;
  static const size_t too_little[] = {0, 31, 32, 47};
  for (size_t i = 0; i < COUNT(too_little); i++) {
    w = (well){stock, too_little[i], 0};
    memset(&g, 0xee, sizeof g);
    assert_fails(tn_hmac_drbg_instantiate(&g, &options, none), NO_RANDOM);
    assert_wiped(&g);
  }
  for (int by_request = 0; by_request < 2; by_request++) {
    w = (well){stock, 48 + 32, 0};
    assert_ok(tn_hmac_drbg_instantiate(&g, &options, none));
    assert_ok(tn_hmac_drbg_generate(&g, out, sizeof out, none));
    memset(out, 0x55, sizeof out);
    if (by_request) {
      assert_fails(tn_hmac_drbg_generate(&g, out, sizeof out, none), NO_RANDOM);
      for (size_t k = 0; k < sizeof out; k++) assert_int_equal(out[k], 0);
    } else {
      assert_fails(tn_hmac_drbg_reseed(&g, none), NO_RANDOM);
    }
    assert_wiped(&g);
    w = (well){stock, sizeof stock, 0};
    assert_fails(tn_hmac_drbg_generate(&g, out, sizeof out, none), BAD_STATE);
    assert_fails(tn_hmac_drbg_reseed(&g, none), BAD_STATE);
    assert_ok(tn_hmac_drbg_instantiate(&g, &options, none));
    assert_ok(tn_hmac_drbg_generate(&g, out, sizeof out, none));
  }
  tn_hmac_drbg_uninstantiate(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nist_cavs),
      cmocka_unit_test(nist_cavs_with_reseeding),
      cmocka_unit_test(nist_acvp),
      cmocka_unit_test(openssl_kdf),
      cmocka_unit_test(any_sequence_agrees_with_libcrypto),
      cmocka_unit_test(what_is_too_short_is_refused),
      cmocka_unit_test(what_is_too_long_is_refused),
      cmocka_unit_test(options_out_of_range_are_refused),
      cmocka_unit_test(a_call_out_of_its_state_is_refused),
      cmocka_unit_test(a_seed_serves_its_requests_and_no_more),
      cmocka_unit_test(with_a_source_it_reseeds_itself),
      cmocka_unit_test(a_failing_source_ends_the_generator),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
