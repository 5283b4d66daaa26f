// RSA: the published vectors.
#include <ctype.h>
#include <openssl/x509.h>

#include "rsa_oracle.h"
#include "support/rsp.h"

static tn_rsa_private_max memory;
static tn_rsa_private *const key = &memory.key;
static rsa_number parts[TN_RSA_PARTS];
static tn_rsa_public public;
static uint64_t words[TN_BN_MAX_WORDS];

// NULL for one that we have not. Names are written "SHA-256", "SHA256" and "SHA2-256".
static const tn_hash *hash_named(const char *name) {
  static const struct {
    const char *name;
    const tn_hash *hash;
  } hashes[] = {{"1", &tn_sha1},         {"224", &tn_sha224},     {"256", &tn_sha256},
                {"384", &tn_sha384},     {"512", &tn_sha512},     {"3-224", &tn_sha3_224},
                {"3-256", &tn_sha3_256}, {"3-384", &tn_sha3_384}, {"3-512", &tn_sha3_512}};
  assert_memory_equal(name, "SHA", 3);
  name += strncmp(name, "SHA2-", 5) == 0 ? 5 : name[3] == '-' ? 4 : 3;
  for (size_t i = 0; i < COUNT(hashes); i++)
    if (strcmp(name, hashes[i].name) == 0) return hashes[i].hash;
  return NULL;
}

// With `public`.
static bool verifies(bool pss, const tn_hash *hash, const tn_hash *mgf, size_t salt, tn_span msg, tn_span sig) {
  uint8_t digest[TN_HASH_MAX_DIGEST];
  tn_hash_once(hash, msg.p, msg.n, digest);
  const tn_span d = {digest, hash->digest_len};
  return tn_ok(pss ? tn_rsa_pss_verify(&public, hash, mgf, salt, d, sig) : tn_rsa_pkcs1_verify(&public, hash, d, sig));
}

static const char *text(const json_t *object, const char *name) {
  const char *s = json_string_value(json_object_get(object, name));
  return s == NULL ? "" : s;
}

// ---------------------------------------------------------------- Wycheproof
static const char *const signature_files[] = {
    "rsa_signature_2048_sha224_test",
    "rsa_signature_2048_sha256_test",
    "rsa_signature_2048_sha384_test",
    "rsa_signature_2048_sha512_test",
    "rsa_signature_2048_sha3_256_test",
    "rsa_signature_3072_sha256_test",
    "rsa_signature_3072_sha384_test",
    "rsa_signature_3072_sha512_test",
    "rsa_signature_4096_sha256_test",
    "rsa_signature_4096_sha384_test",
    "rsa_signature_4096_sha512_test",
    "rsa_pss_2048_sha1_mgf1_20_test",
    "rsa_pss_2048_sha256_mgf1_0_test",
    "rsa_pss_2048_sha256_mgf1_0_params_test",
    "rsa_pss_2048_sha256_mgf1_32_test",
    "rsa_pss_2048_sha256_mgf1_32_params_test",
    "rsa_pss_2048_sha256_mgf1sha1_20_test",
    "rsa_pss_2048_sha384_mgf1_48_test",
    "rsa_pss_2048_sha512_mgf1sha256_32_params_test",
    "rsa_pss_3072_sha256_mgf1_32_test",
    "rsa_pss_3072_sha256_mgf1_32_params_test",
    "rsa_pss_4096_sha256_mgf1_32_test",
    "rsa_pss_4096_sha384_mgf1_48_test",
    "rsa_pss_4096_sha512_mgf1_32_test",
    "rsa_pss_4096_sha512_mgf1_32_params_test",
    "rsa_pss_4096_sha512_mgf1_64_test",
    "rsa_pss_4096_sha512_mgf1_64_params_test",
    "rsa_pss_misc_test",
    "rsa_pss_misc_params_test",
    "rsa_pkcs1_1024_sig_gen_test",
    "rsa_pkcs1_1536_sig_gen_test",
    "rsa_pkcs1_2048_sig_gen_test",
    "rsa_pkcs1_3072_sig_gen_test",
    "rsa_pkcs1_4096_sig_gen_test",
};

// The private key of a group, if it is long enough for us to sign with.
static bool load_pkcs8(const json_t *group) {
  if (json_object_get(group, "privateKeyPkcs8") == NULL || public.n.bits < TN_RSA_MIN_SIGN_BITS) return false;
  bytes der = json_hex(group, "privateKeyPkcs8");
  const unsigned char *at = der.p;
  EVP_PKEY *k = d2i_AutoPrivateKey(NULL, &at, (long)der.n);
  assert_non_null(k);
  rsa_parts_of(k, parts);
  EVP_PKEY_free(k);
  bytes_free(&der);
  // Some have primes of a third and two thirds of the bits.
  if (parts[TN_RSA_P].n > public.len / 2) {
    assert_fails(rsa_load(key, parts), KEY_UNSUPPORTED);
    return false;
  }
  assert_ok(rsa_load(key, parts));
  return true;
}

static void wycheproof_signatures(void **state) {
  (void)state;
  for (size_t f = 0; f < COUNT(signature_files); f++) {
    char path[128];
    snprintf(path, sizeof path, "wycheproof/%s.json", signature_files[f]);
    json_t *file = vectors_load(path), *group, *test;
    size_t i, j, seen = 0;
    json_array_foreach(json_object_get(file, "testGroups"), i, group) {
      const json_t *k = json_object_get(group, "publicKey");
      if (k == NULL) k = json_object_get(group, "privateKey");
      bytes n = json_hex(k, "modulus"), e = json_hex(k, "publicExponent");
      assert_ok(tn_rsa_public_load(&public, words, bytes_span(n), bytes_span(e)));
      const bool pss = strcmp(text(group, "mgf"), "MGF1") == 0, signs = load_pkcs8(group);
      const tn_hash *hash = hash_named(text(group, "sha")), *mgf = pss ? hash_named(text(group, "mgfSha")) : NULL;
      const size_t salt = (size_t)json_integer_value(json_object_get(group, "sLen"));
      assert_non_null(hash);
      json_array_foreach(json_object_get(group, "tests"), j, test) {
        bytes msg = json_hex(test, "msg"), sig = json_hex(test, "sig");
        const bool good = verifies(pss, hash, mgf, salt, bytes_span(msg), bytes_span(sig));
        const char *want = text(test, "result");
        if (strcmp(want, "acceptable") != 0 && good != (strcmp(want, "valid") == 0))
          fail_msg("%s: test %d: wanted %s", path, (int)json_integer_value(json_object_get(test, "tcId")), want);
        if (signs) {
          uint8_t ours[TN_RSA_MAX_BYTES], digest[TN_HASH_MAX_DIGEST];
          size_t len = sizeof ours;
          tn_hash_once(hash, msg.p, msg.n, digest);
          assert_ok(tn_rsa_pkcs1_sign(key, NULL, hash, (tn_span){digest, hash->digest_len}, ours, &len));
          assert_int_equal(len, sig.n);
          assert_memory_equal(ours, sig.p, len);
        }
        // Those of keys or hashes that others may refuse are right, too.
        if (json_object_get(group, "privateKey") != NULL) assert_true(good);
        seen++;
        bytes_free(&msg), bytes_free(&sig);
      }
      bytes_free(&n), bytes_free(&e);
    }
    assert_int_equal(seen, json_integer_value(json_object_get(file, "numberOfTests")));
    json_decref(file);
  }
}

// What a padded message holds, RFC 8017 section 7.2.2; false if it is not one.
static bool unpad(const uint8_t *em, size_t len, tn_span *msg) {
  size_t at = 2;
  while (at < len && em[at] != 0) at++;
  *msg = tn_span_of(em + at + 1, at < len ? len - at - 1 : 0);
  return em[0] == 0 && em[1] == 2 && at < len && at >= 10;
}

// Whether the premaster secret is that message. If it is not, it is another one each time.
static bool is_premaster(const tn_span msg, tn_span sealed) {
  uint8_t out[2][TN_RSA_PREMASTER];
  const uint16_t version = msg.n >= 2 ? (uint16_t)(msg.p[0] << 8 | msg.p[1]) : 0x0303;
  for (size_t i = 0; i < 2; i++) assert_ok(tn_rsa_decrypt_premaster(key, NULL, version, sealed, out[i]));
  const bool is = msg.n == sizeof out[0] && memcmp(msg.p, out[0], msg.n) == 0;
  assert_int_equal(memcmp(out[0], out[1], sizeof out[0]) == 0, is);
  return is;
}

static void wycheproof_ciphertexts(void **state) {
  (void)state;
  static const char *const names[] = {"modulus", "publicExponent", "privateExponent", "prime1",
                                      "prime2",  "exponent1",      "exponent2",       "coefficient"};
  static const int sizes[] = {2048, 3072, 4096};
  for (size_t f = 0; f < COUNT(sizes); f++) {
    char path[128];
    snprintf(path, sizeof path, "wycheproof/rsa_pkcs1_%d_test.json", sizes[f]);
    json_t *file = vectors_load(path), *group, *test;
    size_t i, j, valid = 0, invalid = 0, premasters = 0;
    json_array_foreach(json_object_get(file, "testGroups"), i, group) {
      for (size_t p = 0; p < TN_RSA_PARTS; p++) {
        bytes b = json_hex(json_object_get(group, "privateKey"), names[p]);
        assert_true(b.n <= sizeof parts[p].bytes);
        memcpy(parts[p].bytes, b.p, parts[p].n = b.n);
        bytes_free(&b);
      }
      assert_ok(rsa_load(key, parts));
      json_array_foreach(json_object_get(group, "tests"), j, test) {
        bytes msg = json_hex(test, "msg"), sealed = json_hex(test, "ct");
        uint8_t em[TN_RSA_MAX_BYTES], out[TN_RSA_PREMASTER];
        tn_span is;
        if (sealed.n != key->public.len) {
          assert_string_equal(text(test, "result"), "invalid");
          assert_fails(tn_rsa_decrypt_premaster(key, NULL, 0x0303, bytes_span(sealed), out), DECODE);
          invalid++;
        } else if (memcmp(sealed.p, parts[TN_RSA_N].bytes + parts[TN_RSA_N].n - sealed.n, sealed.n) >= 0) {
          assert_string_equal(text(test, "result"), "invalid");
          assert_fails(tn_rsa_private_op(key, NULL, sealed.p, em), BAD_ARGUMENT);
          assert_fails(tn_rsa_decrypt_premaster(key, NULL, 0x0303, bytes_span(sealed), out), BAD_ARGUMENT);
          invalid++;
        } else if (strcmp(text(test, "result"), "valid") == 0) {
          assert_ok(tn_rsa_private_op(key, NULL, sealed.p, em));
          assert_true(unpad(em, sealed.n, &is));
          assert_int_equal(is.n, msg.n);
          assert_memory_equal(is.p, msg.p, msg.n);
          assert_int_equal(is_premaster(bytes_span(msg), bytes_span(sealed)), msg.n == TN_RSA_PREMASTER);
          premasters += msg.n == TN_RSA_PREMASTER;
          valid++;
        } else {
          assert_ok(tn_rsa_private_op(key, NULL, sealed.p, em));
          assert_false(unpad(em, sealed.n, &is));
          assert_false(is_premaster(bytes_span(msg), bytes_span(sealed)));
          // Nor with any other version that it may hold.
          assert_false(is_premaster(tn_span_of(em + sealed.n - 48, 48), bytes_span(sealed)));
          invalid++;
        }
        bytes_free(&msg), bytes_free(&sealed);
      }
    }
    print_message("%s: %zu valid, %zu of them of 48 bytes, %zu invalid\n", path, valid, premasters, invalid);
    assert_int_equal(valid + invalid, json_integer_value(json_object_get(file, "numberOfTests")));
    assert_true(valid > 20 && invalid > 10);
    json_decref(file);
  }
}

// ---------------------------------------------------------------- NIST
static const struct {
  const char *file;
  bool pss;
  size_t salt;
  bool all_bad;
} cavp[] = {{"SigVer15_186-3.rsp", false, 0, false},
            {"SigVer15EMTest.txt", false, 0, true},
            {"SigVerPSS_186-3.rsp", true, 10, false},
            {"SigGen15_186-3.rsp", false, 0, false},
            {"SigGenPSS_186-3.rsp", true, 0, false}};

// Signatures, good and bad, by keys of 1024 bits and more. Those made by NIST's generator are all good.
static void cavp_verdicts(void **state) {
  (void)state;
  for (size_t f = 0; f < COUNT(cavp); f++) {
    char path[128];
    snprintf(path, sizeof path, "cavp/rsa/%s", cavp[f].file);
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
      assert_non_null(hash);
      assert_ok(tn_rsa_public_load(&public, words, bytes_span(n), bytes_span(e)));
      const bool is = verifies(cavp[f].pss, hash, NULL, cavp[f].salt, bytes_span(msg), bytes_span(sig));
      if (is != (verdict == NULL || verdict[0] == 'P')) fail_msg("%s: stanza %zu", path, seen);
      good += is;
      seen++;
      bytes_free(&msg), bytes_free(&sig);
    }
    assert_true(seen > 20 && (good > 5) == !cavp[f].all_bad);
    bytes_free(&n), bytes_free(&e);
    rsp_close(file);
  }
}

static void acvp_verdicts(void **state) {
  (void)state;
  static const char *const files[] = {"awslc/RSA-sigVer-0", "awslc/RSA-sigVer-1", "bssl/RSA"};
  for (size_t f = 0; f < COUNT(files); f++) {
    char path[128];
    snprintf(path, sizeof path, "acvp/%s.json", files[f]);
    json_t *file = vectors_load(path), *group, *test;
    size_t i, j, good = 0, seen = 0;
    json_array_foreach(json_object_get(file, "testGroups"), i, group) {
      const tn_hash *hash =
          strncmp(text(group, "hashAlg"), "SHA", 3) == 0 && strstr(text(group, "hashAlg"), "SHAKE") == NULL
              ? hash_named(text(group, "hashAlg"))
              : NULL;
      if (hash == NULL || strncmp(text(group, "maskFunction"), "shake", 5) == 0) continue;
      bytes n = json_hex(group, "n"), e = json_hex(group, "e");
      assert_ok(tn_rsa_public_load(&public, words, bytes_span(n), bytes_span(e)));
      const bool pss = strcmp(text(group, "sigType"), "pss") == 0;
      const size_t salt = (size_t)json_integer_value(json_object_get(group, "saltLen"));
      json_array_foreach(json_object_get(group, "tests"), j, test) {
        bytes msg = json_hex(test, "message"), sig = json_hex(test, "signature");
        const bool is = verifies(pss, hash, NULL, salt, bytes_span(msg), bytes_span(sig));
        if (is != json_is_true(json_object_get(json_object_get(test, "expected"), "testPassed")))
          fail_msg("%s: test %d", path, (int)json_integer_value(json_object_get(test, "tcId")));
        good += is;
        seen++;
        bytes_free(&msg), bytes_free(&sig);
      }
      bytes_free(&n), bytes_free(&e);
    }
    print_message("%s: %zu of %zu are good\n", path, good, seen);
    assert_true(seen > 20 && good > 5);
    json_decref(file);
  }
}

// The private operation itself: numbers that are not below n are refused.
static void acvp_primitives(void **state) {
  (void)state;
  static const struct {
    const char *file, *in, *out;
  } files[] = {{"RSA-DecryptionPrimitive", "ct", "pt"}, {"RSA-SignaturePrimitive", "message", "signature"}};
  static const char *const names[] = {"n", "e", "d", "p", "q"};
  for (size_t f = 0; f < COUNT(files); f++) {
    char path[128];
    snprintf(path, sizeof path, "acvp/awslc/%s.json", files[f].file);
    json_t *file = vectors_load(path), *group, *test;
    size_t i, j, good = 0;
    json_array_foreach(json_object_get(file, "testGroups"), i, group)
        json_array_foreach(json_object_get(group, "tests"), j, test) {
      for (size_t p = 0; p < COUNT(names); p++) {
        bytes b = json_hex(test, names[p]);
        memcpy(parts[p].bytes, b.p, parts[p].n = b.n);
        bytes_free(&b);
      }
      rsa_complete(parts);
      assert_ok(rsa_load(key, parts));
      bytes in = json_hex(test, files[f].in);
      uint8_t out[TN_RSA_MAX_BYTES];
      assert_int_equal(in.n, key->public.len);
      const json_t *expected = json_object_get(test, "expected");
      if (json_is_true(json_object_get(expected, "testPassed"))) {
        bytes want = json_hex(expected, files[f].out);
        assert_ok(tn_rsa_private_op(key, NULL, in.p, out));
        assert_memory_equal(out, want.p, want.n);
        bytes_free(&want);
        good++;
      } else if (tn_ok(tn_rsa_private_op(key, NULL, in.p, out))) {
        // SP 800-56B, unlike RFC 8017, wants 0, 1 and n - 1 refused.
        assert_memory_equal(out, in.p, in.n);
      } else {
        assert_fails(tn_rsa_private_op(key, NULL, in.p, out), BAD_ARGUMENT);
      }
      bytes_free(&in);
    }
    assert_true(good != 0);
    json_decref(file);
  }
}

// ---------------------------------------------------------------- RSA Security's, for PKCS#1 v1.5
// Sections "# Name:" of hexadecimal lines, each of which ends with a comment; the first empties what follows it.
typedef enum field { MODULUS, EXPONENT, D, P, Q, DP, DQ, QINV, MESSAGE, SEED, RESULT, FIELDS } field;
static const char *const field_names[FIELDS] = {
    "Modulus",          "Exponent",    "",        "Prime 1", "Prime 2",   "Prime exponent 1",
    "Prime exponent 2", "Coefficient", "Message", "Seed",    "Encryption"};

// A test of the file is in `fields` when its last section has ended.
static void each_test(const char *path, const char *result, void (*run)(rsa_number fields[FIELDS]), size_t count) {
  char full[512], line[256];
  static rsa_number fields[FIELDS];
  vectors_path(path, full, sizeof full);
  FILE *in = fopen(full, "r");
  assert_non_null(in);
  size_t seen = 0;
  int now = -1;
  bool is_private = false;
  while (fgets(line, sizeof line, in) != NULL) {
    if (isxdigit((unsigned char)line[0]) && now >= 0) {
      unsigned byte;
      for (const char *at = line; sscanf(at, "%2x", &byte) == 1; at += 3) {
        assert_true(fields[now].n < sizeof fields[now].bytes);
        fields[now].bytes[fields[now].n++] = (uint8_t)byte;
        if (strlen(at) < 3) break;
      }
      continue;
    }
    if (now == RESULT && fields[RESULT].n != 0) run(fields), seen++;
    if (line[0] == '#' || now == RESULT) now = -1;
    if (line[0] != '#') continue;
    if (strstr(line, "Private key") != NULL) is_private = true;
    if (strstr(line, "Public key") != NULL) is_private = false;
    for (int i = 0; i < FIELDS; i++) {
      const char *name = i == RESULT                   ? result
                         : i == D && is_private        ? "Exponent"
                         : i == EXPONENT && is_private ? "Public exponent"
                                                       : field_names[i];
      const size_t n = strlen(name);
      if (n != 0 && strncmp(line + 2, name, n) == 0 && (i == MESSAGE || line[2 + n] == ':')) now = i, fields[i].n = 0;
    }
  }
  if (now == RESULT && fields[RESULT].n != 0) run(fields), seen++;
  fclose(in);
  print_message("%s: %zu tests\n", path, seen);
  assert_int_equal(seen, count);
}

static tn_span span_of(const rsa_number *f) { return tn_span_of(f->bytes, f->n); }

static bool load_fields(rsa_number fields[FIELDS]) {
  assert_ok(tn_rsa_public_load(&public, words, span_of(&fields[MODULUS]), span_of(&fields[EXPONENT])));
  if (public.n.bits < TN_RSA_MIN_SIGN_BITS) return false;
  assert_ok(rsa_load(key, fields));
  return true;
}

// The file's padding and its ciphertext belong together, both ways.
static void check_encryption(rsa_number fields[FIELDS]) {
  uint8_t em[TN_RSA_MAX_BYTES] = {0, 2}, out[TN_RSA_MAX_BYTES];
  const bool decrypts = load_fields(fields);
  const size_t len = public.len, msg = fields[MESSAGE].n;
  assert_int_equal(fields[SEED].n, len - msg - 3);
  memcpy(em + 2, fields[SEED].bytes, fields[SEED].n);
  em[len - msg - 1] = 0;
  memcpy(em + len - msg, fields[MESSAGE].bytes, msg);
  assert_ok(tn_rsa_public_op(&public, em, out));
  assert_int_equal(fields[RESULT].n, len);
  assert_memory_equal(out, fields[RESULT].bytes, len);
  if (!decrypts) return;
  assert_ok(tn_rsa_private_op(key, NULL, fields[RESULT].bytes, out));
  assert_memory_equal(out, em, len);
  assert_int_equal(is_premaster(span_of(&fields[MESSAGE]), span_of(&fields[RESULT])), msg == TN_RSA_PREMASTER);
}

static void check_signature(rsa_number fields[FIELDS]) {
  uint8_t digest[20], sig[TN_RSA_MAX_BYTES];
  size_t n = sizeof sig;
  const bool signs = load_fields(fields);
  assert_true(verifies(false, &tn_sha1, NULL, 0, span_of(&fields[MESSAGE]), span_of(&fields[RESULT])));
  if (!signs) return;
  tn_hash_once(&tn_sha1, fields[MESSAGE].bytes, fields[MESSAGE].n, digest);
  assert_ok(tn_rsa_pkcs1_sign(key, NULL, &tn_sha1, (tn_span){digest, sizeof digest}, sig, &n));
  assert_memory_equal(sig, fields[RESULT].bytes, n);
}

static void rsa_security_vectors(void **state) {
  (void)state;
  each_test("cavp/rsa/pkcs1v15crypt-vectors.txt", "Encryption", check_encryption, 300);
  each_test("cavp/rsa/pkcs1v15sign-vectors.txt", "Signature", check_signature, 300);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wycheproof_signatures), cmocka_unit_test(wycheproof_ciphertexts),
      cmocka_unit_test(cavp_verdicts),         cmocka_unit_test(acvp_verdicts),
      cmocka_unit_test(acvp_primitives),       cmocka_unit_test(rsa_security_vectors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
