// RSA: the published vectors.
#include "crypto/rsa/rsa.h"
#include "support/rsp.h"
#include "support/support.h"

static tn_rsa_public public;
static uint64_t words[TN_BN_MAX_WORDS];

static const tn_hash *const hashes[] = {&tn_sha1, &tn_sha224, &tn_sha256, &tn_sha384, &tn_sha512};

static const struct {
  const char *file;
  const tn_hash *hash;
  bool pss;
} wycheproof[] = {
    {"rsa_signature_2048_sha224_test", &tn_sha224, false},  {"rsa_signature_2048_sha256_test", &tn_sha256, false},
    {"rsa_signature_2048_sha384_test", &tn_sha384, false},  {"rsa_signature_2048_sha512_test", &tn_sha512, false},
    {"rsa_signature_3072_sha256_test", &tn_sha256, false},  {"rsa_signature_3072_sha384_test", &tn_sha384, false},
    {"rsa_signature_3072_sha512_test", &tn_sha512, false},  {"rsa_signature_4096_sha256_test", &tn_sha256, false},
    {"rsa_signature_4096_sha384_test", &tn_sha384, false},  {"rsa_signature_4096_sha512_test", &tn_sha512, false},
    {"rsa_pss_2048_sha1_mgf1_20_test", &tn_sha1, true},     {"rsa_pss_2048_sha256_mgf1_0_test", &tn_sha256, true},
    {"rsa_pss_2048_sha256_mgf1_32_test", &tn_sha256, true}, {"rsa_pss_2048_sha384_mgf1_48_test", &tn_sha384, true},
    {"rsa_pss_3072_sha256_mgf1_32_test", &tn_sha256, true}, {"rsa_pss_4096_sha256_mgf1_32_test", &tn_sha256, true},
    {"rsa_pss_4096_sha384_mgf1_48_test", &tn_sha384, true}, {"rsa_pss_4096_sha512_mgf1_32_test", &tn_sha512, true},
    {"rsa_pss_4096_sha512_mgf1_64_test", &tn_sha512, true},
};

static void wycheproof_verdicts(void **state) {
  (void)state;
  for (size_t f = 0; f < COUNT(wycheproof); f++) {
    char path[128];
    snprintf(path, sizeof path, "wycheproof/%s.json", wycheproof[f].file);
    json_t *file = vectors_load(path), *group, *test;
    size_t i, j, seen = 0;
    json_array_foreach(json_object_get(file, "testGroups"), i, group) {
      const json_t *k = json_object_get(group, "publicKey");
      bytes n = json_hex(k, "modulus"), e = json_hex(k, "publicExponent");
      assert_ok(tn_rsa_public_load(&public, words, bytes_span(n), bytes_span(e)));
      size_t salt = (size_t)json_integer_value(json_object_get(group, "sLen"));
      json_array_foreach(json_object_get(group, "tests"), j, test) {
        bytes msg = json_hex(test, "msg"), sig = json_hex(test, "sig");
        uint8_t digest[64];
        const tn_hash *hash = wycheproof[f].hash;
        tn_hash_once(hash, msg.p, msg.n, digest);
        tn_span d = {digest, hash->digest_len};
        bool good = tn_ok(wycheproof[f].pss ? tn_rsa_pss_verify(&public, hash, NULL, salt, d, bytes_span(sig))
                                            : tn_rsa_pkcs1_verify(&public, hash, d, bytes_span(sig)));
        const char *want = json_string_value(json_object_get(test, "result"));
        if (strcmp(want, "acceptable") != 0 && good != (strcmp(want, "valid") == 0))
          fail_msg("%s: test %d: wanted %s", path, (int)json_integer_value(json_object_get(test, "tcId")), want);
        seen++;
        bytes_free(&msg), bytes_free(&sig);
      }
      bytes_free(&n), bytes_free(&e);
    }
    assert_true(seen > 50);
    json_decref(file);
  }
}

static const tn_hash *hash_named(const char *name) {
  static const char *const names[] = {"SHA1", "SHA224", "SHA256", "SHA384", "SHA512"};
  for (size_t i = 0; i < COUNT(names); i++)
    if (strcmp(name, names[i]) == 0) return hashes[i];
  fail_msg("%s", name);
  return NULL;
}

static const struct {
  const char *file;
  bool pss;
  size_t salt;
} cavp[] = {{"SigVer15_186-3", false, 0},
            {"SigVerPSS_186-3", true, 10},
            {"SigGen15_186-3", false, 0},
            {"SigGenPSS_186-3", true, 0}};

// NIST's signatures, good and bad, by keys of 1024 bits and more. Those made by its generator are all good.
static void cavp_verdicts(void **state) {
  (void)state;
  for (size_t f = 0; f < COUNT(cavp); f++) {
    char path[128];
    snprintf(path, sizeof path, "cavp/rsa/%s.rsp", cavp[f].file);
    rsp *file = rsp_open(path);
    bytes n = bytes_from_hex(""), e = bytes_from_hex("");
    size_t good = 0, seen = 0;
    while (rsp_next(file)) {
      if (rsp_text(file, "n") != NULL) bytes_free(&n), n = rsp_hex(file, "n");
      if (rsp_text(file, "e") != NULL) bytes_free(&e), e = rsp_hex(file, "e");
      if (rsp_text(file, "S") == NULL) continue;
      bytes msg = rsp_hex(file, "Msg"), sig = rsp_hex(file, "S");
      const tn_hash *hash = hash_named(rsp_text(file, "SHAAlg"));
      const char *verdict = rsp_text(file, "Result");
      uint8_t digest[64];
      tn_hash_once(hash, msg.p, msg.n, digest);
      tn_span d = {digest, hash->digest_len};
      assert_ok(tn_rsa_public_load(&public, words, bytes_span(n), bytes_span(e)));
      bool is = tn_ok(cavp[f].pss ? tn_rsa_pss_verify(&public, hash, NULL, cavp[f].salt, d, bytes_span(sig))
                                  : tn_rsa_pkcs1_verify(&public, hash, d, bytes_span(sig)));
      if (is != (verdict == NULL || verdict[0] == 'P')) fail_msg("%s: stanza %zu", path, seen);
      good += is;
      seen++;
      bytes_free(&msg), bytes_free(&sig);
    }
    assert_true(seen > 20 && good > 5);
    bytes_free(&n), bytes_free(&e);
    rsp_close(file);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wycheproof_verdicts),
      cmocka_unit_test(cavp_verdicts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
