// HKDF against NIST's ACVP sets: SP 800-56C's two-step derivation, and the key schedule of TLS 1.3.
#include "base/bytes.h"
#include "crypto/kdf/hkdf.h"
#include "support/support.h"

// NULL for a hash that is not offered (SHA-512/224, SHA-512/256).
static const tn_hash *hash_of(const json_t *object, const char *key) {
  static const struct {
    const char *name;
    const tn_hash *hash;
  } rows[] = {{"SHA-1", &tn_sha1},
              {"SHA2-224", &tn_sha224},
              {"SHA2-256", &tn_sha256},
              {"SHA2-384", &tn_sha384},
              {"SHA2-512", &tn_sha512}};
  const char *name = json_string_value(json_object_get(object, key));
  for (size_t i = 0; i < COUNT(rows); i++)
    if (strcmp(rows[i].name, name) == 0) return rows[i].hash;
  return NULL;
}

static void add(tn_writer *w, bytes b) {
  tn_write_bytes(w, b.p, b.n);
  bytes_free(&b);
}

// ---------------------------------------------------------------- SP 800-56C revision 1, section 5

static void add_party(tn_writer *w, const json_t *test, const char *key) {
  const json_t *party = json_object_get(test, key);
  add(w, json_hex(party, "partyId"));
  if (json_object_get(party, "ephemeralData") != NULL) add(w, json_hex(party, "ephemeralData"));
}

static void check_kda(const json_t *group, const json_t *test, size_t *ran) {
  const json_t *configuration = json_object_get(group, "kdfConfiguration"),
               *given = json_object_get(test, "kdfParameter");
  const tn_hash *hash = hash_of(configuration, "hmacAlg");
  if (hash == NULL) return;
  const json_int_t bits = json_integer_value(json_object_get(configuration, "l"));
  uint8_t info[20000], prk[TN_HASH_MAX_DIGEST], out[1024];
  tn_writer w = tn_writer_fixed(info, sizeof info);
  add_party(&w, test, "fixedInfoPartyU");
  add_party(&w, test, "fixedInfoPartyV");
  const char *pattern = json_string_value(json_object_get(configuration, "fixedInfoPattern"));
  if (strcmp(pattern, "uPartyInfo||vPartyInfo||l") == 0)
    tn_write_u32(&w, (uint32_t)bits);
  else
    assert_string_equal(pattern, "uPartyInfo||vPartyInfo");
  assert_ok(tn_writer_result(&w));

  bytes salt = json_hex(given, "salt"), z = json_hex(given, "z");
  // The tests of validation come with a key that may be wrong.
  const json_t *expected = json_object_get(test, "expected"), *verdict = json_object_get(expected, "testPassed");
  bytes want = json_hex(verdict != NULL ? test : expected, "dkm");
  tn_hkdf_extract(hash, bytes_span(salt), bytes_span(z), prk);
  assert_true(want.n == (size_t)bits / 8 && want.n <= sizeof out);
  assert_ok(tn_hkdf_expand(hash, tn_span_of(prk, hash->digest_len), tn_span_of(info, w.len), out, want.n));
  assert_int_equal(memcmp(out, want.p, want.n) == 0, verdict == NULL || json_is_true(verdict));
  bytes_free(&salt);
  bytes_free(&z);
  bytes_free(&want);
  ++*ran;
}

// ---------------------------------------------------------------- RFC 9846 section 7.1

// The hash of the messages so far.
static tn_span transcript(const tn_hash *hash, const tn_writer *messages, uint8_t digest[TN_HASH_MAX_DIGEST]) {
  tn_hash_once(hash, messages->buf, messages->len, digest);
  return tn_span_of(digest, hash->digest_len);
}

static void check_secret(const tn_hash *hash, const uint8_t *secret, const char *label, const tn_writer *messages,
                         const json_t *test, const char *key) {
  uint8_t digest[TN_HASH_MAX_DIGEST], out[TN_HASH_MAX_DIGEST];
  bytes want = json_hex(json_object_get(test, "expected"), key);
  assert_ok(tn_hkdf_expand_label(hash, secret, label, transcript(hash, messages, digest), out, hash->digest_len));
  assert_int_equal(want.n, hash->digest_len);
  assert_memory_equal(out, want.p, want.n);
  bytes_free(&want);
}

// HKDF-Extract(Derive-Secret(secret, "derived", ""), input); the input is zeros where the test has none.
static void advance(const tn_hash *hash, uint8_t secret[TN_HASH_MAX_DIGEST], const json_t *test, const char *input) {
  const tn_writer nothing = {0};
  uint8_t digest[TN_HASH_MAX_DIGEST], zeros[TN_HASH_MAX_DIGEST] = {0};
  tn_span ikm = tn_span_of(zeros, hash->digest_len);
  bytes given = {0};
  if (input != NULL && json_object_get(test, input) != NULL) given = json_hex(test, input), ikm = bytes_span(given);
  assert_ok(
      tn_hkdf_expand_label(hash, secret, "derived", transcript(hash, &nothing, digest), secret, hash->digest_len));
  tn_hkdf_extract(hash, tn_span_of(secret, hash->digest_len), ikm, secret);
  if (given.p != NULL) bytes_free(&given);
}

static void check_tls13(const json_t *group, const json_t *test, size_t *ran) {
  const tn_hash *hash = hash_of(group, "hmacAlg");
  uint8_t messages[512], secret[TN_HASH_MAX_DIGEST], zeros[TN_HASH_MAX_DIGEST] = {0};
  tn_writer w = tn_writer_fixed(messages, sizeof messages);
  bytes psk = {0};
  if (json_object_get(test, "psk") != NULL) psk = json_hex(test, "psk");
  tn_hkdf_extract(hash, (tn_span){NULL, 0}, psk.p != NULL ? bytes_span(psk) : tn_span_of(zeros, hash->digest_len),
                  secret);
  if (psk.p != NULL) bytes_free(&psk);
  add(&w, json_hex(test, "helloClientRandom"));
  check_secret(hash, secret, "c e traffic", &w, test, "clientEarlyTrafficSecret");
  check_secret(hash, secret, "e exp master", &w, test, "earlyExporterMasterSecret");
  advance(hash, secret, test, "dhe");
  add(&w, json_hex(test, "helloServerRandom"));
  check_secret(hash, secret, "c hs traffic", &w, test, "clientHandshakeTrafficSecret");
  check_secret(hash, secret, "s hs traffic", &w, test, "serverHandshakeTrafficSecret");
  advance(hash, secret, test, NULL);
  add(&w, json_hex(test, "finishedServerRandom"));
  check_secret(hash, secret, "c ap traffic", &w, test, "clientApplicationTrafficSecret");
  check_secret(hash, secret, "s ap traffic", &w, test, "serverApplicationTrafficSecret");
  check_secret(hash, secret, "exp master", &w, test, "exporterMasterSecret");
  add(&w, json_hex(test, "finishedClientRandom"));
  check_secret(hash, secret, "res master", &w, test, "resumptionMasterSecret");
  assert_ok(tn_writer_result(&w));
  ++*ran;
}

// ---------------------------------------------------------------- the files

static size_t each_test(const char *file, void (*check)(const json_t *group, const json_t *test, size_t *ran)) {
  json_t *root = vectors_load(file), *group, *test;
  size_t i, j, ran = 0;
  json_array_foreach(json_object_get(root, "testGroups"), i, group)
      json_array_foreach(json_object_get(group, "tests"), j, test) check(group, test, &ran);
  json_decref(root);
  return ran;
}

static void acvp_two_step_derivation(void **state) {
  (void)state;
  assert_int_equal(each_test("acvp/bssl/HKDF.json", check_kda), 4);
  assert_int_equal(each_test("acvp/bssl/KDA.json", check_kda), 12);
  assert_int_equal(each_test("acvp/awslc/KDA-HKDF.json", check_kda), 69);
}

static void acvp_key_schedule_of_tls13(void **state) {
  (void)state;
  assert_int_equal(each_test("acvp/bssl/TLS13.json", check_tls13), 8);
  assert_int_equal(each_test("acvp/awslc/TLS-v1.3.json", check_tls13), 154);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(acvp_two_step_derivation),
      cmocka_unit_test(acvp_key_schedule_of_tls13),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
