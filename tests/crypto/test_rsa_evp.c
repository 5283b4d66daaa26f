// RSA: the tests of OpenSSL's and BoringSSL's own, as far as they ask for what we have.
#include <ctype.h>
#include <openssl/pem.h>
#include <strings.h>

#include "rsa_oracle.h"

// ---------------------------------------------------------------- their format: blocks of "NAME = VALUE"
typedef struct block {
  size_t n;
  const char *name[40];
  char *value[40];
  const char *pem;  // that belongs to the last value
  char text[65536];
} block;

static char *trim(char *s) {
  while (isspace((unsigned char)*s)) s++;
  for (size_t n = strlen(s); n != 0 && isspace((unsigned char)s[n - 1]); n--) s[n - 1] = 0;
  return s;
}

// The next block.
static bool next_block(FILE *in, block *b) {
  size_t used = 0;
  bool pem = false;
  b->n = 0;
  b->pem = NULL;
  while (used + 20000 < sizeof b->text && fgets(b->text + used, 20000, in) != NULL) {
    char *line = b->text + used, *equals = strchr(line, '=');
    const bool begins = strncmp(line, "-----BEGIN", 10) == 0;
    if (begins) pem = true;
    if (pem && b->n != 0) {
      if (begins) b->pem = line;
      used += strlen(line);
      if (strncmp(line, "-----END", 8) == 0) pem = false, used++;
      continue;
    }
    if (line[0] == '#') continue;
    if (*trim(line) == 0) {
      if (b->n != 0) return true;
      continue;
    }
    if (equals == NULL || b->n == COUNT(b->name)) continue;
    used += strlen(equals + 1) + (size_t)(equals + 1 - line) + 1;
    *equals = 0;
    b->name[b->n] = trim(line);
    b->value[b->n++] = trim(equals + 1);
  }
  return b->n != 0;
}

static const char *get(const block *b, const char *name) {
  for (size_t i = 0; i < b->n; i++)
    if (strcmp(b->name[i], name) == 0) return b->value[i];
  return NULL;
}

// OpenSSL's "Ctrl = name:value".
static const char *control(const block *b, const char *name) {
  const size_t n = strlen(name);
  for (size_t i = 0; i < b->n; i++)
    if (strcmp(b->name[i], "Ctrl") == 0 && strncmp(b->value[i], name, n) == 0 && b->value[i][n] == ':')
      return b->value[i] + n + 1;
  return NULL;
}

// Hexadecimal, or a text in quotes.
static bytes data(const char *value) {
  if (value == NULL) return bytes_from_hex("");
  if (value[0] != '"') return bytes_from_hex(value);
  const size_t n = strlen(value) - 2;
  bytes b = {malloc(n + 1), n};
  memcpy(b.p, value + 1, n);
  return b;
}

// ---------------------------------------------------------------- keys
typedef struct named_key {
  char name[64];
  EVP_PKEY *key;
} named_key;
static named_key keys[64];
static size_t key_count;

static void add_key(const char *name, EVP_PKEY *k) {
  if (k == NULL || !EVP_PKEY_is_a(k, "RSA") || key_count == COUNT(keys)) {
    EVP_PKEY_free(k);
    return;
  }
  snprintf(keys[key_count].name, sizeof keys[key_count].name, "%s", name);
  keys[key_count++].key = k;
}

static EVP_PKEY *key_named(const char *name) {
  for (size_t i = 0; i < key_count; i++)
    if (strcmp(keys[i].name, name) == 0) return keys[i].key;
  return NULL;
}

static void forget_keys(void) {
  while (key_count != 0) EVP_PKEY_free(keys[--key_count].key);
}

static EVP_PKEY *key_of_pem(const char *pem, bool is_private) {
  BIO *bio = BIO_new_mem_buf(pem, -1);
  EVP_PKEY *k =
      is_private ? PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL) : PEM_read_bio_PUBKEY(bio, NULL, NULL, NULL);
  BIO_free(bio);
  return k;
}

static EVP_PKEY *key_of_der(const char *hex, bool is_private) {
  bytes der = bytes_from_hex(hex);
  const unsigned char *at = der.p;
  EVP_PKEY *k = is_private ? d2i_AutoPrivateKey(NULL, &at, (long)der.n) : d2i_PUBKEY(NULL, &at, (long)der.n);
  bytes_free(&der);
  return k;
}

static tn_rsa_private_max memory;
static tn_rsa_private *const key = &memory.key;
static rsa_number parts[TN_RSA_PARTS];
static tn_rsa_public public;
static uint64_t words[TN_BN_MAX_WORDS];

static bool load_public(EVP_PKEY *k) {
  for (size_t i = 0; i < 2; i++) {
    BIGNUM *v = NULL;
    assert_int_equal(EVP_PKEY_get_bn_param(k, rsa_part_names[i], &v), 1);
    parts[i].n = (size_t)BN_bn2bin(v, parts[i].bytes);
    BN_free(v);
  }
  return tn_ok(tn_rsa_public_load(&public, words, tn_span_of(parts[0].bytes, parts[0].n),
                                  tn_span_of(parts[1].bytes, parts[1].n)));
}

static bool load_private(EVP_PKEY *k) {
  if (EVP_PKEY_get_bits(k) < TN_RSA_MIN_SIGN_BITS) return false;
  rsa_parts_of(k, parts);
  return tn_ok(rsa_load(key, parts));
}

// ---------------------------------------------------------------- tests
typedef struct params {
  const tn_hash *hash, *mgf;
  bool pss, known;
  size_t salt;
} params;

static const tn_hash *hash_named(const char *name) {
  static const struct {
    const char *name;
    const tn_hash *hash;
  } hashes[] = {{"sha1", &tn_sha1},
                {"sha224", &tn_sha224},
                {"sha256", &tn_sha256},
                {"sha384", &tn_sha384},
                {"sha512", &tn_sha512}};
  for (size_t i = 0; name != NULL && i < COUNT(hashes); i++)
    if (strcasecmp(name, hashes[i].name) == 0) return hashes[i].hash;
  return NULL;
}

static const char *first_of(const char *a, const char *b) { return a != NULL ? a : b; }

static params params_of(const block *b) {
  const char *padding = first_of(control(b, "rsa_padding_mode"), get(b, "RSAPadding"));
  const char *salt = first_of(control(b, "rsa_pss_saltlen"), get(b, "PSSSaltLength"));
  const char *mgf = first_of(control(b, "rsa_mgf1_md"), get(b, "MGF1Digest"));
  params p = {.hash = hash_named(first_of(control(b, "digest"), get(b, "Digest"))), .mgf = hash_named(mgf)};
  p.pss = padding != NULL && strcasecmp(padding, "pss") == 0;
  if (p.pss && first_of(control(b, "digest"), get(b, "Digest")) == NULL) p.hash = &tn_sha1;
  p.known = p.hash != NULL && (mgf == NULL || p.mgf != NULL) &&
            (padding == NULL || p.pss || strcasecmp(padding, "pkcs1") == 0);
  if (!p.pss || !p.known) return p;
  if (salt == NULL || strcmp(salt, "digest") == 0 || strcmp(salt, "-1") == 0)
    p.salt = p.hash->digest_len;
  else if (isdigit((unsigned char)salt[0]))
    p.salt = (size_t)strtoul(salt, NULL, 10);
  else
    p.known = false;  // looked for in the signature, or the longest
  return p;
}

// Whether the block is one of ours to judge.
static bool check_verify(const block *b, EVP_PKEY *k) {
  const params p = params_of(b);
  if (!p.known || !load_public(k) || get(b, "Output") == NULL) return false;
  bytes digest = data(get(b, "Input")), sig = data(get(b, "Output"));
  const bool good = tn_ok(p.pss ? tn_rsa_pss_verify(&public, p.hash, p.mgf, p.salt, bytes_span(digest), bytes_span(sig))
                                : tn_rsa_pkcs1_verify(&public, p.hash, bytes_span(digest), bytes_span(sig)));
  if (good != (get(b, "Result") == NULL && get(b, "Error") == NULL))
    fail_msg("%s: %.40s", b->value[0], get(b, "Output"));
  bytes_free(&digest), bytes_free(&sig);
  return true;
}

static bool check_sign(const block *b, EVP_PKEY *k) {
  const params p = params_of(b);
  if (!p.known || p.pss || !load_private(k)) return false;
  bytes digest = data(get(b, "Input")), want = data(get(b, "Output"));
  uint8_t sig[TN_RSA_MAX_BYTES];
  size_t n = sizeof sig;
  const bool good = tn_ok(tn_rsa_pkcs1_sign(key, NULL, p.hash, bytes_span(digest), sig, &n));
  assert_int_equal(good, get(b, "Result") == NULL && get(b, "Error") == NULL);
  if (good) assert_true(n == want.n && memcmp(sig, want.p, n) == 0);
  bytes_free(&digest), bytes_free(&want);
  return true;
}

// A message that is well padded arrives. Others OpenSSL replaces by ones that it makes of the key.
static bool check_decrypt(const block *b, EVP_PKEY *k) {
  if (control(b, "rsa_padding_mode") != NULL || get(b, "Result") != NULL || get(b, "RSAPadding") != NULL ||
      !load_private(k))
    return false;
  bytes in = data(get(b, "Input")), want = data(get(b, "Output"));
  uint8_t em[TN_RSA_MAX_BYTES];
  bool judged = false;
  if (in.n == key->public.len) {
    size_t at = 2;
    assert_ok(tn_rsa_private_op(key, NULL, in.p, em));
    while (at < in.n && em[at] != 0) at++;
    judged = em[0] == 0 && em[1] == 2 && at >= 10 && at < in.n;
    if (judged) {
      assert_int_equal(in.n - at - 1, want.n);
      assert_memory_equal(em + at + 1, want.p, want.n);
    }
  }
  bytes_free(&in), bytes_free(&want);
  return judged;
}

// The numbers that a key block gives are those that we load, and give back.
static bool check_parts(const block *b) {
  static const char *const names[] = {"RSAParamN", "RSAParamE",    "RSAParamD",    "RSAParamP",
                                      "RSAParamQ", "RSAParamDMP1", "RSAParamDMQ1", "RSAParamIQMP"};
  for (size_t i = 0; i < TN_RSA_PARTS; i++) {
    if (get(b, names[i]) == NULL) return false;
    bytes v = bytes_from_hex(get(b, names[i]));
    if (v.n > sizeof parts[i].bytes) return false;
    memcpy(parts[i].bytes, v.p, parts[i].n = v.n);
    bytes_free(&v);
  }
  if (tn_rsa_bits(tn_span_of(parts[0].bytes, parts[0].n)) < TN_RSA_MIN_SIGN_BITS) return false;
  assert_ok(rsa_load(key, parts));
  for (tn_rsa_part i = 0; i < TN_RSA_PARTS; i++) {
    uint8_t out[TN_RSA_MAX_BYTES];
    assert_int_equal(tn_rsa_private_part(key, i, out), parts[i].n);
    assert_memory_equal(out, parts[i].bytes, parts[i].n);
  }
  return true;
}

static void run_file(const char *path, size_t counts[4]) {
  static block b;
  char full[512];
  vectors_path(path, full, sizeof full);
  FILE *in = fopen(full, "r");
  assert_non_null(in);
  while (next_block(in, &b)) {
    const char *what = b.name[0], *name = b.value[0];
    if (strcmp(what, "Key") == 0) {
      char private_name[64];
      snprintf(private_name, sizeof private_name, "%s/Private", name);
      if (get(&b, "Error") != NULL) continue;
      if (get(&b, "SPKI") != NULL) add_key(name, key_of_der(get(&b, "SPKI"), false));
      if (get(&b, "PKCS8") != NULL) add_key(private_name, key_of_der(get(&b, "PKCS8"), true));
      counts[3] += check_parts(&b);
      continue;
    }
    if (b.pem != NULL) {
      const size_t last = b.n - 1;
      add_key(b.value[last], key_of_pem(b.pem, strcmp(b.name[last], "PrivateKey") == 0));
      continue;
    }
    EVP_PKEY *k = key_named(name);
    if (k == NULL) continue;
    if (strcmp(what, "Verify") == 0) counts[0] += check_verify(&b, k);
    if (strcmp(what, "Sign") == 0) counts[1] += check_sign(&b, k);
    if (strcmp(what, "Decrypt") == 0) counts[2] += check_decrypt(&b, k);
  }
  fclose(in);
  print_message("%s: %zu verified, %zu signed, %zu decrypted, %zu keys\n", path, counts[0], counts[1], counts[2],
                counts[3]);
  forget_keys();
}

static void their_tests(void **state) {
  (void)state;
  size_t openssl[4] = {0}, boringssl[4] = {0};
  run_file("evp/openssl/evppkey_rsa_common.txt", openssl);
  run_file("evp/boringssl/rsa_tests.txt", boringssl);
  assert_true(openssl[0] >= 30 && openssl[2] >= 10);
  assert_true(boringssl[0] >= 10 && boringssl[1] >= 1 && boringssl[3] >= 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(their_tests)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
