// ML-KEM against every published vector at hand: NIST's ACVP (by way of BoringSSL and AWS-LC), Wycheproof, BoringSSL's.
#include "crypto/mlkem/mlkem.h"
#include "support/support.h"

static const tn_mlkem *set_named(const char *name) {
  static const tn_mlkem *const sets[] = {&tn_mlkem512, &tn_mlkem768, &tn_mlkem1024};
  for (size_t i = 0; i < COUNT(sets); i++)
    if (strcmp(sets[i]->name, name) == 0) return sets[i];
  fail_msg("no parameter set %s", name);
  return NULL;
}

static const char *text(const json_t *object, const char *key) {
  const char *s = json_string_value(json_object_get(object, key));
  return s == NULL ? "" : s;
}

static void assert_bytes(const uint8_t *got, const json_t *object, const char *key, size_t n) {
  bytes wanted = json_hex(object, key);
  assert_int_equal(wanted.n, n);
  assert_memory_equal(got, wanted.p, n);
  bytes_free(&wanted);
}

// ---------------------------------------------------------------- what a vector can ask for

static void key_pair(const tn_mlkem *p, const uint8_t seed[TN_MLKEM_SEED_LEN], const json_t *wanted) {
  uint8_t public[TN_MLKEM_MAX_PUBLIC], private[TN_MLKEM_MAX_PRIVATE];
  tn_mlkem_generate_internal(p, seed, public, private);
  assert_bytes(public, wanted, "ek", p->public_len);
  if (json_object_get(wanted, "dk") != NULL) assert_bytes(private, wanted, "dk", p->private_len);
  assert_ok(tn_mlkem_check_public(p, tn_span_of(public, p->public_len)));
  assert_ok(tn_mlkem_check_private(p, tn_span_of(private, p->private_len)));
}

static void encapsulation(const tn_mlkem *p, const json_t *test, const json_t *wanted, const char *secret_key) {
  uint8_t ciphertext[TN_MLKEM_MAX_CIPHERTEXT], secret[TN_MLKEM_SECRET_LEN];
  bytes public = json_hex(test, "ek"), m = json_hex(test, "m");
  assert_int_equal(m.n, TN_MLKEM_MESSAGE_LEN);
  assert_ok(tn_mlkem_check_public(p, bytes_span(public)));
  tn_mlkem_encapsulate_internal(p, public.p, m.p, ciphertext, secret);
  assert_bytes(ciphertext, wanted, "c", p->ciphertext_len);
  assert_bytes(secret, wanted, secret_key, sizeof secret);
  bytes_free(&public);
  bytes_free(&m);
}

static void decapsulation(const tn_mlkem *p, const uint8_t *private, const json_t *test, const json_t *wanted,
                          const char *secret_key) {
  uint8_t secret[TN_MLKEM_SECRET_LEN];
  bytes ciphertext = json_hex(test, "c");
  assert_ok(tn_mlkem_decapsulate(p, private, bytes_span(ciphertext), secret));
  assert_bytes(secret, wanted, secret_key, sizeof secret);
  bytes_free(&ciphertext);
}

// ---------------------------------------------------------------- ACVP

static void acvp_test(const tn_mlkem *p, const char *function, const json_t *test, const json_t *group) {
  const json_t *wanted = json_object_get(test, "expected");
  if (strcmp(function, "encapsulation") == 0) {
    encapsulation(p, test, wanted, "k");
  } else if (strcmp(function, "encapsulationKeyCheck") == 0) {
    bytes key = json_hex(test, "ek");
    const bool good = json_is_true(json_object_get(wanted, "testPassed"));
    assert_int_equal(tn_ok(tn_mlkem_check_public(p, bytes_span(key))), good);
    bytes_free(&key);
  } else if (strcmp(function, "decapsulationKeyCheck") == 0) {
    bytes key = json_hex(test, "dk");
    const bool good = json_is_true(json_object_get(wanted, "testPassed"));
    assert_int_equal(tn_ok(tn_mlkem_check_private(p, bytes_span(key))), good);
    bytes_free(&key);
  } else if (strcmp(function, "decapsulation") == 0) {
    const json_t *holder = json_object_get(test, "dk") != NULL || json_object_get(test, "d") != NULL ? test : group;
    uint8_t public[TN_MLKEM_MAX_PUBLIC], private[TN_MLKEM_MAX_PRIVATE];
    if (json_object_get(holder, "dk") != NULL) {
      bytes key = json_hex(holder, "dk");
      assert_ok(tn_mlkem_check_private(p, bytes_span(key)));
      memcpy(private, key.p, key.n);
      bytes_free(&key);
    } else {
      uint8_t seed[TN_MLKEM_SEED_LEN];
      bytes d = json_hex(holder, "d"), z = json_hex(holder, "z");
      assert_true(d.n == 32 && z.n == 32);
      memcpy(seed, d.p, 32);
      memcpy(seed + 32, z.p, 32);
      tn_mlkem_generate_internal(p, seed, public, private);
      bytes_free(&d);
      bytes_free(&z);
    }
    decapsulation(p, private, test, wanted, "k");
  } else {
    fail_msg("no function %s", function);
  }
}

static void acvp_key_pair(const tn_mlkem *p, const json_t *test) {
  uint8_t seed[TN_MLKEM_SEED_LEN];
  bytes d = json_hex(test, "d"), z = json_hex(test, "z");
  assert_true(d.n == 32 && z.n == 32);
  memcpy(seed, d.p, 32);
  memcpy(seed + 32, z.p, 32);
  key_pair(p, seed, json_object_get(test, "expected"));
  bytes_free(&d);
  bytes_free(&z);
}

static void acvp(void **state) {
  (void)state;
  static const char *const files[] = {
      "acvp/bssl/ML-KEM-keyGen.json", "acvp/bssl/ML-KEM-encapDecap.json", "acvp/bssl/ML-KEM-encap-key-check.json",
      "acvp/bssl/ML-KEM-seed.json",   "acvp/awslc/ML-KEM.json",
  };
  for (size_t i = 0; i < COUNT(files); i++) {
    json_t *root = vectors_load(files[i]), *group, *test;
    size_t g, t, ran = 0;
    json_array_foreach(json_object_get(root, "testGroups"), g, group) {
      const tn_mlkem *p = set_named(text(group, "parameterSet"));
      json_array_foreach(json_object_get(group, "tests"), t, test) {
        if (strcmp(text(root, "mode"), "keyGen") == 0)
          acvp_key_pair(p, test);
        else
          acvp_test(p, text(group, "function"), test, group);
        ran++;
      }
    }
    assert_true(ran >= 2);
    json_decref(root);
  }
}

// ---------------------------------------------------------------- Wycheproof

static void wycheproof_test(const tn_mlkem *p, const char *type, const json_t *test) {
  const bool valid = strcmp(text(test, "result"), "valid") == 0;
  if (strcmp(type, "MLKEMKeyGen") == 0) {
    bytes seed = json_hex(test, "seed");
    assert_true(valid && seed.n == TN_MLKEM_SEED_LEN);
    key_pair(p, seed.p, test);
    bytes_free(&seed);
  } else if (strcmp(type, "MLKEMEncapsTest") == 0) {
    if (valid) {
      encapsulation(p, test, test, "K");
      return;
    }
    bytes key = json_hex(test, "ek");
    uint8_t ciphertext[TN_MLKEM_MAX_CIPHERTEXT], secret[TN_MLKEM_SECRET_LEN];
    assert_fails(tn_mlkem_encapsulate(p, NULL, bytes_span(key), ciphertext, secret), KEY_INVALID);
    bytes_free(&key);
  } else if (strcmp(type, "MLKEMTest") == 0) {
    uint8_t public[TN_MLKEM_MAX_PUBLIC], private[TN_MLKEM_MAX_PRIVATE], secret[TN_MLKEM_SECRET_LEN];
    bytes seed = json_hex(test, "seed"), ciphertext = json_hex(test, "c");
    const bool good = seed.n == TN_MLKEM_SEED_LEN;  // the type of the argument asks for that
    if (good) {
      tn_mlkem_generate_internal(p, seed.p, public, private);
      if (valid) assert_bytes(public, test, "ek", p->public_len);
    }
    if (valid)
      decapsulation(p, private, test, test, "K");
    else if (good)
      assert_fails(tn_mlkem_decapsulate(p, private, bytes_span(ciphertext), secret), DECODE);
    bytes_free(&seed);
    bytes_free(&ciphertext);
  } else if (strcmp(type, "MLKEMDecapsValidationTest") == 0) {
    uint8_t secret[TN_MLKEM_SECRET_LEN];
    bytes private = json_hex(test, "dk"), ciphertext = json_hex(test, "c");
    tn_result r = tn_mlkem_check_private(p, bytes_span(private));
    if (tn_ok(r)) r = tn_mlkem_decapsulate(p, private.p, bytes_span(ciphertext), secret);
    if (tn_ok(r) != valid) fail_msg("test %lld", json_integer_value(json_object_get(test, "tcId")));
    if (valid) assert_bytes(secret, test, "K", sizeof secret);
    bytes_free(&private);
    bytes_free(&ciphertext);
  } else {
    fail_msg("no type %s", type);
  }
}

// As vectors_load(), gzipped or not.
static json_t *load(const char *path) {
  char full[512], command[600];
  json_error_t error;
  if (strstr(path, ".gz") == NULL) return vectors_load(path);
  vectors_path(path, full, sizeof full);
  snprintf(command, sizeof command, "gzip -dc '%s'", full);
  FILE *file = popen(command, "r");
  assert_non_null(file);
  json_t *root = json_loadf(file, 0, &error);
  if (root == NULL) fail_msg("%s: %s", full, error.text);
  pclose(file);
  return root;
}

static void wycheproof(void **state) {
  (void)state;
  static const char *const files[] = {
      "wycheproof/mlkem_512_test.json.gz",
      "wycheproof/mlkem_768_test.json.gz",
      "wycheproof/mlkem_1024_test.json.gz",
      "wycheproof/mlkem_768_encaps_test.json.gz",
      "wycheproof/mlkem_1024_encaps_test.json.gz",
      "wycheproof/mlkem_768_keygen_seed_test.json.gz",
      "wycheproof/mlkem_1024_keygen_seed_test.json.gz",
      "wycheproof/mlkem_512_semi_expanded_decaps_test.json",
      "wycheproof/mlkem_768_semi_expanded_decaps_test.json",
      "wycheproof/mlkem_1024_semi_expanded_decaps_test.json",
  };
  for (size_t i = 0; i < COUNT(files); i++) {
    json_t *root = load(files[i]), *group, *test;
    size_t g, t;
    json_int_t ran = 0;
    json_array_foreach(json_object_get(root, "testGroups"), g, group) {
      const tn_mlkem *p = set_named(text(group, "parameterSet"));
      json_array_foreach(json_object_get(group, "tests"), t, test) {
        wycheproof_test(p, text(group, "type"), test);
        ran++;
      }
    }
    assert_int_equal(ran, json_integer_value(json_object_get(root, "numberOfTests")));
    json_decref(root);
  }
}

// ---------------------------------------------------------------- BoringSSL's text files

// The next line "NAME = VALUE", "NAME: VALUE" or "[NAME: VALUE]", or "NAME" with an empty value; others are skipped.
typedef struct lines {
  FILE *file;
  char line[16384];
  const char *name, *value;
} lines;

static void lines_open(lines *l, const char *path) {
  char full[512];
  vectors_path(path, full, sizeof full);
  l->file = fopen(full, "r");
  assert_non_null(l->file);
}

static bool lines_next(lines *l) {
  while (fgets(l->line, sizeof l->line, l->file) != NULL) {
    char *start = l->line + (l->line[0] == '[');
    start[strcspn(start, "]\n")] = 0;
    if (start[0] == 0 || start[0] == '#') continue;
    char *separator = strstr(start, " = ");
    size_t width = 3;
    if (separator == NULL) separator = strstr(start, ": "), width = 2;
    l->name = start;
    l->value = "";
    if (separator != NULL) {
      *separator = 0;
      l->value = separator + width;
    }
    return true;
  }
  fclose(l->file);
  return false;
}

static void take(bytes *field, const char *hex) {
  bytes_free(field);
  *field = bytes_from_hex(hex);
}

static void boringssl_nist(void **state) {
  (void)state;
  const tn_mlkem *p = &tn_mlkem1024;
  bytes d = {0}, z = {0}, ek = {0}, dk = {0}, c = {0}, k = {0};
  uint8_t public[TN_MLKEM_MAX_PUBLIC], private[TN_MLKEM_MAX_PRIVATE], secret[TN_MLKEM_SECRET_LEN];
  size_t ran = 0;
  lines l;
  lines_open(&l, "evp/boringssl/mlkem1024_nist_keygen_tests.txt");
  while (lines_next(&l)) {
    if (strcmp(l.name, "z") == 0) take(&z, l.value);
    if (strcmp(l.name, "d") == 0) take(&d, l.value);
    if (strcmp(l.name, "ek") == 0) take(&ek, l.value);
    if (strcmp(l.name, "dk") != 0) continue;
    take(&dk, l.value);
    uint8_t seed[TN_MLKEM_SEED_LEN];
    assert_true(d.n == 32 && z.n == 32 && ek.n == p->public_len && dk.n == p->private_len);
    memcpy(seed, d.p, 32);
    memcpy(seed + 32, z.p, 32);
    tn_mlkem_generate_internal(p, seed, public, private);
    assert_memory_equal(public, ek.p, ek.n);
    assert_memory_equal(private, dk.p, dk.n);
    ran++;
  }
  assert_true(ran >= 20);
  ran = 0;
  lines_open(&l, "evp/boringssl/mlkem1024_nist_decap_tests.txt");
  while (lines_next(&l)) {
    if (strcmp(l.name, "dk") == 0) take(&dk, l.value);
    if (strcmp(l.name, "c") == 0) take(&c, l.value);
    if (strcmp(l.name, "k") != 0) continue;
    take(&k, l.value);
    assert_ok(tn_mlkem_check_private(p, bytes_span(dk)));
    assert_ok(tn_mlkem_decapsulate(p, dk.p, bytes_span(c), secret));
    assert_int_equal(k.n, sizeof secret);
    assert_memory_equal(secret, k.p, k.n);
    ran++;
  }
  assert_true(ran >= 9);
  bytes_free(&d), bytes_free(&z), bytes_free(&ek), bytes_free(&dk), bytes_free(&c), bytes_free(&k);
}

static void boringssl_evp(void **state) {
  (void)state;
  const tn_mlkem *p = NULL;
  bytes raw = {0}, seed = {0}, input = {0}, output = {0};
  uint8_t public[TN_MLKEM_MAX_PUBLIC], private[TN_MLKEM_MAX_PRIVATE], secret[TN_MLKEM_SECRET_LEN];
  char key[64] = "";
  size_t keys = 0, decapsulations = 0, failures = 0;
  lines l;
  lines_open(&l, "evp/boringssl/mlkem_tests.txt");
  while (lines_next(&l)) {
    if (strcmp(l.name, "Key") == 0) {
      p = strncmp(l.value, tn_mlkem768.name, strlen(tn_mlkem768.name)) == 0 ? &tn_mlkem768 : &tn_mlkem1024;
      snprintf(key, sizeof key, "%.50s/Private", l.value);
    } else if (strcmp(l.name, "RawPublic") == 0) {
      take(&raw, l.value);
    } else if (strcmp(l.name, "PrivateSeed") == 0) {
      take(&seed, l.value);
      if (seed.n != TN_MLKEM_SEED_LEN) continue;  // an error of who reads the seed
      tn_mlkem_generate_internal(p, seed.p, public, private);
      assert_int_equal(raw.n, p->public_len);
      assert_memory_equal(public, raw.p, raw.n);
      keys++;
    } else if (strcmp(l.name, "Decapsulate") == 0) {
      assert_string_equal(l.value, key);
    } else if (strcmp(l.name, "Input") == 0) {
      take(&input, l.value);
    } else if (strcmp(l.name, "Output") == 0) {
      take(&output, l.value);
      assert_ok(tn_mlkem_decapsulate(p, private, bytes_span(input), secret));
      assert_memory_equal(secret, output.p, sizeof secret);
      decapsulations++;
    } else if (strcmp(l.name, "DecapsulateFail") == 0) {
      assert_fails(tn_mlkem_decapsulate(p, private, bytes_span(input), secret), DECODE);
      failures++;
    }
  }
  assert_true(keys >= 8 && decapsulations >= 4 && failures >= 4);
  bytes_free(&raw), bytes_free(&seed), bytes_free(&input), bytes_free(&output);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(acvp),
      cmocka_unit_test(wycheproof),
      cmocka_unit_test(boringssl_nist),
      cmocka_unit_test(boringssl_evp),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
