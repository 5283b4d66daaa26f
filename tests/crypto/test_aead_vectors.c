// AEADs against published vectors.
#include "crypto/aead/aead.h"
#include "support/cavp_gcm.h"
#include "support/support.h"

typedef struct sealed_case {
  bytes key, nonce, aad, text, sealed, tag;
  bool valid;
} sealed_case;

static void check(const tn_aead *aead, const sealed_case *c, const char *name) {
  assert_int_equal(c->key.n, aead->key_len);
  assert_int_equal(c->nonce.n, TN_AEAD_NONCE_LEN);
  assert_int_equal(c->tag.n, TN_AEAD_MAX_TAG);
  size_t n = c->sealed.n;
  uint8_t *out = malloc(n + 1), tag[TN_AEAD_MAX_TAG];
  const tn_mspan to = {out, n};
  const tn_span sealed = bytes_span(c->sealed);
  tn_aead_key key;
  tn_aead_set_key(&key, aead, c->key.p);
  tn_result r = tn_aead_open(&key, c->nonce.p, bytes_span(c->aad), &sealed, 1, c->tag.p, &to, 1);
  if (tn_ok(r) != c->valid) fail_msg("%s %s: open says %s", aead->name, name, tn_reason_name(r.reason));
  if (c->valid) {
    const tn_span text = bytes_span(c->text);
    assert_int_equal(text.n, n);
    assert_memory_equal(out, text.p, n);
    assert_ok(tn_aead_seal(&key, c->nonce.p, bytes_span(c->aad), &text, 1, &to, 1, tag));
    assert_memory_equal(out, c->sealed.p, n);
    assert_memory_equal(tag, c->tag.p, sizeof tag);
  } else {
    assert_int_equal(r.reason, TN_E_BAD_RECORD_MAC);
    for (size_t i = 0; i < n; i++) assert_int_equal(out[i], 0);
  }
  tn_aead_wipe_key(&key);
  free(out);
}

// ---------------------------------------------------------------- embedded

#define ZEROS_16 "00000000000000000000000000000000"
#define KEY_3 "feffe9928665731c6d6a8f9467308308"
#define NONCE_3 "cafebabefacedbaddecaf888"
#define AAD_4 "feedfacedeadbeeffeedfacedeadbeefabaddad2"
#define TEXT_4                                                     \
  "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a" \
  "721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
#define SEALED_4                                                   \
  "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca1" \
  "2e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
#define SEALED_16                                                  \
  "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1" \
  "aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"

static const struct {
  const char *name;
  const tn_aead *aead;
  const char *key, *nonce, *aad, *text, *sealed, *tag;
} vectors[] = {
    // McGrew and Viega, "The Galois/Counter Mode of Operation (GCM)", appendix B.
    {"GCM test case 1", &tn_aes_128_gcm, ZEROS_16, "000000000000000000000000", "", "", "",
     "58e2fccefa7e3061367f1d57a4e7455a"},
    {"GCM test case 2", &tn_aes_128_gcm, ZEROS_16, "000000000000000000000000", "", ZEROS_16,
     "0388dace60b6a392f328c2b971b2fe78", "ab6e47d42cec13bdf53a67b21257bddf"},
    {"GCM test case 3", &tn_aes_128_gcm, KEY_3, NONCE_3, "", TEXT_4 "1aafd255", SEALED_4 "473f5985",
     "4d5c2af327cd64a62cf35abd2ba6fab4"},
    {"GCM test case 4", &tn_aes_128_gcm, KEY_3, NONCE_3, AAD_4, TEXT_4, SEALED_4, "5bc94fbc3221a5db94fae95ae7121a47"},
    {"GCM test case 13", &tn_aes_256_gcm, ZEROS_16 ZEROS_16, "000000000000000000000000", "", "", "",
     "530f8afbc74536b9a963b4f1c4cb738b"},
    {"GCM test case 14", &tn_aes_256_gcm, ZEROS_16 ZEROS_16, "000000000000000000000000", "", ZEROS_16,
     "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919"},
    {"GCM test case 15", &tn_aes_256_gcm, KEY_3 KEY_3, NONCE_3, "", TEXT_4 "1aafd255", SEALED_16 "898015ad",
     "b094dac5d93471bdec1a502270e3cc6c"},
    {"GCM test case 16", &tn_aes_256_gcm, KEY_3 KEY_3, NONCE_3, AAD_4, TEXT_4, SEALED_16,
     "76fc6ece0f4e1768cddf8853bb2d551b"},
    {"RFC 8439 section 2.8.2", &tn_chacha20_poly1305,
     "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f", "070000004041424344454647",
     "50515253c0c1c2c3c4c5c6c7",
     "4c616469657320616e642047656e746c656d656e206f662074686520636c617373206f66202739393a204966204920636f756c64206f"
     "6666657220796f75206f6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73637265656e20776f756c6420"
     "62652069742e",
     "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e06"
     "0b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d265"
     "86cec64b6116",
     "1ae10b594f09e26a7e902ecbd0600691"},
};

static void the_standards_examples_hold(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(vectors); i++) {
    sealed_case c = {bytes_from_hex(vectors[i].key),
                     bytes_from_hex(vectors[i].nonce),
                     bytes_from_hex(vectors[i].aad),
                     bytes_from_hex(vectors[i].text),
                     bytes_from_hex(vectors[i].sealed),
                     bytes_from_hex(vectors[i].tag),
                     true};
    check(vectors[i].aead, &c, vectors[i].name);
    c.tag.p[15] ^= 1;
    c.valid = false;
    check(vectors[i].aead, &c, vectors[i].name);
    bytes *all[] = {&c.key, &c.nonce, &c.aad, &c.text, &c.sealed, &c.tag};
    for (size_t j = 0; j < COUNT(all); j++) bytes_free(all[j]);
  }
}

// ---------------------------------------------------------------- Wycheproof

static size_t size_of(const json_t *group, const char *key) {
  return (size_t)json_integer_value(json_object_get(group, key));
}

// Runs the groups of 12-byte nonces, 16-byte tags and the key lengths of these rows; the rest is not offered.
static void wycheproof(const char *path, const tn_aead *const *rows, size_t n_rows) {
  json_t *root = vectors_load(path);
  size_t i, j, ran = 0;
  json_t *group, *test;
  json_array_foreach(json_object_get(root, "testGroups"), i, group) {
    const tn_aead *aead = NULL;
    for (size_t r = 0; r < n_rows; r++)
      if (8u * rows[r]->key_len == size_of(group, "keySize")) aead = rows[r];
    if (aead == NULL || size_of(group, "ivSize") != 8 * TN_AEAD_NONCE_LEN ||
        size_of(group, "tagSize") != 8 * TN_AEAD_MAX_TAG) {
      print_message("not offered: %s, key of %zu bits, nonce of %zu, tag of %zu\n", path, size_of(group, "keySize"),
                    size_of(group, "ivSize"), size_of(group, "tagSize"));
      continue;
    }
    json_array_foreach(json_object_get(group, "tests"), j, test) {
      sealed_case c = {json_hex(test, "key"),
                       json_hex(test, "iv"),
                       json_hex(test, "aad"),
                       json_hex(test, "msg"),
                       json_hex(test, "ct"),
                       json_hex(test, "tag"),
                       strcmp(json_string_value(json_object_get(test, "result")), "valid") == 0};
      char name[64];
      snprintf(name, sizeof name, "Wycheproof %zu", size_of(test, "tcId"));
      check(aead, &c, name);
      ran++;
      bytes *all[] = {&c.key, &c.nonce, &c.aad, &c.text, &c.sealed, &c.tag};
      for (size_t k = 0; k < COUNT(all); k++) bytes_free(all[k]);
    }
  }
  json_decref(root);
  assert_true(ran > 100);
}

static void wycheproof_aes_gcm(void **state) {
  (void)state;
  static const tn_aead *const rows[] = {&tn_aes_128_gcm, &tn_aes_256_gcm};
  wycheproof("wycheproof/aes_gcm_test.json", rows, COUNT(rows));
}

static void wycheproof_chacha20_poly1305(void **state) {
  (void)state;
  static const tn_aead *const rows[] = {&tn_chacha20_poly1305};
  wycheproof("wycheproof/chacha20_poly1305_test.json", rows, COUNT(rows));
}

// GMAC is GCM without a text: the MAC of what is associated.
static void wycheproof_gmac(void **state) {
  (void)state;
  json_t *root = vectors_load("wycheproof/aes_gmac_test.json"), *group, *test;
  size_t i, j, ran = 0;
  json_array_foreach(json_object_get(root, "testGroups"), i, group) {
    if (size_of(group, "ivSize") != 8 * TN_AEAD_NONCE_LEN || size_of(group, "keySize") == 192) continue;
    json_array_foreach(json_object_get(group, "tests"), j, test) {
      const bytes none = {NULL, 0};
      sealed_case c = {json_hex(test, "key"),
                       json_hex(test, "iv"),
                       json_hex(test, "msg"),
                       none,
                       none,
                       json_hex(test, "tag"),
                       strcmp(json_string_value(json_object_get(test, "result")), "valid") == 0};
      char name[64];
      snprintf(name, sizeof name, "Wycheproof GMAC %zu", size_of(test, "tcId"));
      check(c.key.n == 16 ? &tn_aes_128_gcm : &tn_aes_256_gcm, &c, name);
      ran++;
      bytes *all[] = {&c.key, &c.nonce, &c.aad, &c.tag};
      for (size_t k = 0; k < COUNT(all); k++) bytes_free(all[k]);
    }
  }
  json_decref(root);
  assert_true(ran > 100);
}

// ---------------------------------------------------------------- NIST ACVP

// Sealing; the shorter tags that these sets ask for are the beginning of ours.
static size_t acvp_file(const char *path) {
  json_t *root = vectors_load(path), *group, *test;
  size_t i, j, ran = 0;
  json_array_foreach(json_object_get(root, "testGroups"), i, group) {
    if (strcmp(json_string_value(json_object_get(group, "direction")), "encrypt") != 0 ||
        size_of(group, "ivLen") != 8 * TN_AEAD_NONCE_LEN || size_of(group, "keyLen") == 192)
      continue;
    json_array_foreach(json_object_get(group, "tests"), j, test) {
      const json_t *expected = json_object_get(test, "expected");
      bytes raw = json_hex(test, "key"), nonce = json_hex(test, "iv"), aad = json_hex(test, "aad");
      bytes text = json_object_get(test, "pt") != NULL ? json_hex(test, "pt") : bytes_from_hex("");
      bytes sealed = json_hex(expected, "ct"), tag = json_hex(expected, "tag");
      uint8_t out[256], got[TN_AEAD_MAX_TAG];
      const tn_span in = bytes_span(text);
      const tn_mspan to = {out, text.n};
      tn_aead_key key;
      assert_true(text.n <= sizeof out && 8 * tag.n == size_of(group, "tagLen"));
      tn_aead_set_key(&key, raw.n == 16 ? &tn_aes_128_gcm : &tn_aes_256_gcm, raw.p);
      assert_ok(tn_aead_seal(&key, nonce.p, bytes_span(aad), &in, 1, &to, 1, got));
      assert_memory_equal(out, sealed.p, text.n);
      assert_memory_equal(got, tag.p, tag.n);
      tn_aead_wipe_key(&key);
      bytes *all[] = {&raw, &nonce, &aad, &text, &sealed, &tag};
      for (size_t k = 0; k < COUNT(all); k++) bytes_free(all[k]);
      ran++;
    }
  }
  json_decref(root);
  return ran;
}

static void acvp(void **state) {
  (void)state;
  assert_true(acvp_file("acvp/bssl/ACVP-AES-GCM.json") >= 10);
  assert_true(acvp_file("acvp/bssl/ACVP-AES-GMAC.json") > 100);
}

// ---------------------------------------------------------------- CAVP

static void check_cavp(void *ctx, const cavp_gcm_case *c) {
  if (c->iv.n != TN_AEAD_NONCE_LEN || c->tag.n != TN_AEAD_MAX_TAG) return;
  size_t *ran = ctx;
  const sealed_case s = {c->key, c->iv, c->aad, c->text, c->sealed, c->tag, !c->fails};
  char name[32];
  snprintf(name, sizeof name, "CAVP case %zu", ++*ran);
  check(c->key.n == 16 ? &tn_aes_128_gcm : &tn_aes_256_gcm, &s, name);
}

static void cavp(void **state) {
  (void)state;
  static const char *const files[] = {"gcmDecrypt128.rsp", "gcmDecrypt256.rsp", "gcmEncryptExtIV128.rsp",
                                      "gcmEncryptExtIV256.rsp"};
  for (size_t i = 0; i < COUNT(files); i++) {
    size_t ran = 0;
    cavp_gcm_each(files[i], check_cavp, &ran);
    if (ran < 20) fail_msg("%s: only %zu cases were run", files[i], ran);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_standards_examples_hold),
      cmocka_unit_test(wycheproof_aes_gcm),
      cmocka_unit_test(wycheproof_chacha20_poly1305),
      cmocka_unit_test(wycheproof_gmac),
      cmocka_unit_test(acvp),
      cmocka_unit_test(cavp),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
