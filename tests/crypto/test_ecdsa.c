#include "crypto/ec/ecdsa_der.h"
#include "crypto/ec/p256.h"
#include "crypto/ec/p256_scalar.h"
#include "crypto/ec/rfc6979.h"
#include "p256_oracle.h"

// The digest of msg by a name that libcrypto knows: RFC 6979's "SHA-256", ACVP's "SHA2-256".
static size_t digest_of(const char *hash, bytes msg, uint8_t out[64]) {
  unsigned n = 0;
  EVP_MD *md = EVP_MD_fetch(NULL, hash, NULL);
  if (md == NULL) fail_msg("no hash %s", hash);
  assert_int_equal(EVP_Digest(msg.p, msg.n, out, &n, md, NULL), 1);
  EVP_MD_free(md);
  return n;
}

static void right_aligned(uint8_t out[32], bytes b) {
  size_t skip = 0;
  while (skip < b.n && b.p[skip] == 0) skip++;
  assert_true(b.n - skip <= 32);
  memset(out, 0, 32);
  memcpy(out + 32 - (b.n - skip), b.p + skip, b.n - skip);
}

// ---------------------------------------------------------------- RFC 6979

// The nonce for this digest; then the signature that it makes is r, s.
static void check_nonce(const tn_hash *hash, bytes x, const uint8_t *digest, size_t n, bytes k, bytes r, bytes s) {
  uint8_t octets[32], candidate[32], pub[65];
  tn_p256_scalar e, nonce, d, sum;
  tn_rfc6979 g;
  assert_true(n >= 32);
  (void)tn_p256_scalar_from_bytes(&e, digest);
  tn_p256_scalar_to_bytes(octets, &e);
  tn_rfc6979_init(&g, hash, x.p, octets, (tn_span){0});
  do tn_rfc6979_next(&g, candidate);
  while (!tn_p256_scalar_decode(&nonce, candidate));
  assert_memory_equal(candidate, k.p, 32);
  assert_ok(tn_p256_public(candidate, pub));
  assert_memory_equal(pub + 1, r.p, 32);
  assert_true(tn_p256_scalar_decode(&sum, r.p) && tn_p256_scalar_decode(&d, x.p));
  tn_p256_scalar_mul(&sum, &sum, &d);
  tn_p256_scalar_add(&sum, &sum, &e);
  tn_p256_scalar_inv(&nonce, &nonce);
  tn_p256_scalar_mul(&sum, &sum, &nonce);
  tn_p256_scalar_to_bytes(octets, &sum);
  assert_memory_equal(octets, s.p, 32);
}

static void check_rfc6979(const char *hash, const char *message, bytes x, bytes k, bytes r, bytes s) {
  static const struct {
    const char *name;
    const tn_hash *hash;
  } ours[] = {{"SHA-256", &tn_sha256}, {"SHA-384", &tn_sha384}, {"SHA-512", &tn_sha512}};
  uint8_t digest[64], pub[65], sig[64];
  size_t n = digest_of(hash, (bytes){(uint8_t *)(uintptr_t)message, strlen(message)}, digest);
  for (size_t i = 0; i < COUNT(ours); i++)
    if (strcmp(ours[i].name, hash) == 0) check_nonce(ours[i].hash, x, digest, n, k, r, s);
  assert_ok(tn_p256_public(x.p, pub));
  if (strcmp(hash, "SHA-256") == 0) {
    assert_ok(tn_p256_sign(NULL, x.p, digest, n, sig));
    assert_memory_equal(sig, r.p, 32);
    assert_memory_equal(sig + 32, s.p, 32);
  }
  memcpy(sig, r.p, 32);
  memcpy(sig + 32, s.p, 32);
  assert_ok(tn_p256_verify_vartime(tn_span_of(pub, 65), digest, n, sig));
}

// RFC 6979 A.2.5; the last row, whose first nonce is out of range, is from C2SP's CCTV.
static void the_rfcs_signatures(void **state) {
  (void)state;
  static const struct {
    const char *hash, *message, *k, *r, *s;
  } rows[] = {
      {"SHA-256", "sample", "A6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60",
       "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
       "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"},
      {"SHA-512", "test", "6915D11632ACA3C40D5D51C08DAF9C555933819548784480E93499000D9F0B7F",
       "461D93F31B6540894788FD206C07CFA0CC35F46FA3C91816FFF1040AD1581A04",
       "39AF9F15DE0DB8D97E72719C74820D304CE5226E32DEDAE67519E840D1194E55"},
      {"SHA-256", "wv[vnX", "2AE40DF9D9DAB61D688DE3DCB9867A98ECC70DD4D6C0F6C228B6E4E0B18B29BC",
       "EFD9073B652E76DA1B5A019C0E4A2E3FA529B035A6ABB91EF67F0ED7A1F21234",
       "3DB4706C9D9F4A4FE13BB5E08EF0FAB53A57DBAB2061C83A35FA411C68D2BA33"},
  };
  bytes x = bytes_from_hex("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721");
  for (size_t i = 0; i < COUNT(rows); i++) {
    bytes k = bytes_from_hex(rows[i].k), r = bytes_from_hex(rows[i].r), s = bytes_from_hex(rows[i].s);
    check_rfc6979(rows[i].hash, rows[i].message, x, k, r, s);
    bytes_free(&k);
    bytes_free(&r);
    bytes_free(&s);
  }
  bytes_free(&x);
}

static void all_of_the_rfcs_signatures(void **state) {
  (void)state;
  json_t *root = vectors_load("rfc/rfc6979.json"), *section, *row;
  size_t i, j, checked = 0;
  json_array_foreach(root, i, section) {
    if (strstr(json_string_value(json_object_get(section, "title")), "ECDSA, 256 Bits") == NULL) continue;
    bytes x = json_hex(json_object_get(section, "key"), "x");
    json_array_foreach(json_object_get(section, "signatures"), j, row) {
      bytes k = json_hex(row, "k"), r = json_hex(row, "r"), s = json_hex(row, "s");
      check_rfc6979(json_string_value(json_object_get(row, "hash")), json_string_value(json_object_get(row, "message")),
                    x, k, r, s);
      bytes_free(&k);
      bytes_free(&r);
      bytes_free(&s);
      checked++;
    }
    bytes_free(&x);
  }
  assert_int_equal(checked, 11);
  json_decref(root);
}

// 3.2 with a hash shorter and longer than the order is one loop; with 3.6's additional data the stream changes,
// and every candidate differs from the last.
static void nonces_follow_the_additional_data(void **state) {
  (void)state;
  static const uint8_t key[32] = {1}, digest[32] = {2}, extra[32] = {3};
  uint8_t first[2][32], again[32];
  for (int i = 0; i < 2; i++) {
    tn_rfc6979 g;
    tn_rfc6979_init(&g, &tn_sha256, key, digest, tn_span_of(extra, i == 0 ? 0 : 32));
    tn_rfc6979_next(&g, first[i]);
    tn_rfc6979_next(&g, again);
    assert_memory_not_equal(first[i], again, 32);
  }
  assert_memory_not_equal(first[0], first[1], 32);
}

// ---------------------------------------------------------------- signing

static void hedged_signatures_differ_and_verify(void **state) {
  (void)state;
  test_rng seed = {1};
  tn_rng rng = test_rng_as_rng(&seed);
  uint8_t priv[32], pub[65], digest[32], a[64], b[64];
  for (int i = 0; i < 20; i++) {
    assert_ok(tn_p256_generate(&rng, priv, pub));
    test_rng_bytes(&seed, digest, 32);
    assert_ok(tn_p256_sign(&rng, priv, digest, 32, a));
    assert_ok(tn_p256_sign(&rng, priv, digest, 32, b));
    assert_memory_not_equal(a, b, 32);
    assert_memory_not_equal(a + 32, b + 32, 32);
    assert_ok(tn_p256_verify_vartime(tn_span_of(pub, 65), digest, 32, a));
    assert_ok(tn_p256_verify_vartime(tn_span_of(pub, 65), digest, 32, b));
    // Without a generator: the same one each time.
    assert_ok(tn_p256_sign(NULL, priv, digest, 32, a));
    assert_ok(tn_p256_sign(NULL, priv, digest, 32, b));
    assert_memory_equal(a, b, 64);
  }
}

static tn_result no_random(void *ctx, uint8_t *out, size_t n) {
  (void)ctx, (void)out, (void)n;
  return tn_fail(TN_E_NO_RANDOM);
}

static tn_result constant(void *ctx, uint8_t *out, size_t n) {
  (void)ctx;
  memset(out, 0x55, n);
  return tn_success();
}

static void a_generator_that_fails_stops_the_signature_and_a_stuck_one_is_harmless(void **state) {
  (void)state;
  static const uint8_t priv[32] = {[31] = 9}, zeros[64];
  uint8_t digest[32] = {1}, sig[64], a[64], b[64];
  memset(sig, 0xee, sizeof sig);
  assert_fails(tn_p256_sign(&(tn_rng){no_random, NULL}, priv, digest, 32, sig), NO_RANDOM);
  assert_memory_equal(sig, zeros, 64);
  // The nonce still depends on the digest.
  assert_ok(tn_p256_sign(&(tn_rng){constant, NULL}, priv, digest, 32, a));
  digest[0] = 2;
  assert_ok(tn_p256_sign(&(tn_rng){constant, NULL}, priv, digest, 32, b));
  assert_memory_not_equal(a, b, 32);
}

static void digests_of_every_length_agree_with_libcrypto(void **state) {
  (void)state;
  test_rng seed = {2};
  tn_rng rng = test_rng_as_rng(&seed);
  for (size_t n = 0; n <= 80; n++) {
    uint8_t priv[32], pub[65], digest[80], raw[64], der[80];
    assert_ok(tn_p256_generate(&rng, priv, pub));
    test_rng_bytes(&seed, digest, sizeof digest);
    if (n % 3 == 0) memset(digest, 0xff, sizeof digest);  // above n: to be reduced
    EVP_PKEY *key = oracle_key(priv, pub);
    assert_ok(tn_p256_sign(&rng, priv, digest, n, raw));
    size_t len = tn_ecdsa_der_encode(der, raw);
    assert_true(oracle_verify(key, digest, n, der, len));
    len = oracle_sign(key, digest, n, der);
    assert_true(tn_ecdsa_der_decode(raw, tn_span_of(der, len)));
    assert_ok(tn_p256_verify_vartime(tn_span_of(pub, 65), digest, n, raw));
    EVP_PKEY_free(key);
  }
}

// ---------------------------------------------------------------- verification

static void any_change_of_one_bit_is_noticed(void **state) {
  (void)state;
  test_rng seed = {3};
  tn_rng rng = test_rng_as_rng(&seed);
  uint8_t priv[32], pub[65], digest[32], sig[64];
  assert_ok(tn_p256_generate(&rng, priv, pub));
  test_rng_bytes(&seed, digest, 32);
  assert_ok(tn_p256_sign(&rng, priv, digest, 32, sig));
  for (size_t bit = 0; bit < 64 * 8; bit++) {
    sig[bit / 8] ^= (uint8_t)(1 << bit % 8);
    assert_fails(tn_p256_verify_vartime(tn_span_of(pub, 65), digest, 32, sig), BAD_SIGNATURE);
    sig[bit / 8] ^= (uint8_t)(1 << bit % 8);
  }
  for (size_t bit = 0; bit < 32 * 8; bit++) {
    digest[bit / 8] ^= (uint8_t)(1 << bit % 8);
    assert_fails(tn_p256_verify_vartime(tn_span_of(pub, 65), digest, 32, sig), BAD_SIGNATURE);
    digest[bit / 8] ^= (uint8_t)(1 << bit % 8);
  }
  assert_fails(tn_p256_verify_vartime(tn_span_of(pub, 64), digest, 32, sig), KEY_INVALID);
  pub[64] ^= 1;
  assert_fails(tn_p256_verify_vartime(tn_span_of(pub, 65), digest, 32, sig), KEY_INVALID);
}

static void r_and_s_out_of_range_are_refused(void **state) {
  (void)state;
  static const char *const values[] = {
      "0000000000000000000000000000000000000000000000000000000000000000", P256_N,
      "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632552", P256_P,
      "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  };
  static const uint8_t priv[32] = {[31] = 5}, digest[32] = {0};
  uint8_t pub[65], sig[64], bad[64];
  assert_ok(tn_p256_public(priv, pub));
  assert_ok(tn_p256_sign(NULL, priv, digest, 32, sig));
  for (size_t i = 0; i < COUNT(values); i++)
    for (size_t half = 0; half < 2; half++) {
      bytes v = bytes_from_hex(values[i]);
      memcpy(bad, sig, 64);
      memcpy(bad + 32 * half, v.p, 32);
      assert_fails(tn_p256_verify_vartime(tn_span_of(pub, 65), digest, 32, bad), BAD_SIGNATURE);
      bytes_free(&v);
    }
}

// r is x(R) mod n; where x(R) is n or more, r is x(R) - n. Any point R with such an x makes a signature for some
// key: with s = r and e = 0, u1 G + u2 Q = Q, so Q = R is the key.
static void an_x_beyond_the_order_is_recognised(void **state) {
  (void)state;
  EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *x = oracle_bn(P256_N);
  EC_POINT *point = EC_POINT_new(group);
  static const uint8_t digest[32] = {0};
  int found = 0;
  for (uint8_t r = 1; r < 60; r++) {
    BN_add_word(x, 1);
    if (EC_POINT_set_compressed_coordinates(group, point, x, 0, ctx) != 1) continue;
    uint8_t pub[65], sig[64] = {[31] = r, [63] = r};
    EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, pub, 65, ctx);
    assert_ok(tn_p256_verify_vartime(tn_span_of(pub, 65), digest, 32, sig));
    sig[31] = sig[63] = (uint8_t)(r + 1);
    assert_fails(tn_p256_verify_vartime(tn_span_of(pub, 65), digest, 32, sig), BAD_SIGNATURE);
    found++;
  }
  assert_true(found > 10);
  EC_POINT_free(point);
  BN_free(x);
  BN_CTX_free(ctx);
  EC_GROUP_free(group);
}

// u1 G + u2 Q = infinity, and u1 G = u2 Q (a doubling).
static void sums_that_cancel_or_double(void **state) {
  (void)state;
  test_rng seed = {4};
  tn_rng rng = test_rng_as_rng(&seed);
  for (int i = 0; i < 20; i++) {
    uint8_t priv[32], pub[65], digest[32], sig[64] = {0}, der[72];
    tn_p256_scalar d, r, e, zero = {{0}};
    assert_ok(tn_p256_generate(&rng, priv, pub));
    assert_true(tn_p256_scalar_decode(&d, priv));
    sig[31] = (uint8_t)(i + 1), sig[63] = 7;
    assert_true(tn_p256_scalar_decode(&r, sig));
    tn_p256_scalar_mul(&e, &r, &d);
    tn_p256_scalar_to_bytes(digest, &e);  // e = r d: the two terms are equal
    EVP_PKEY *key = oracle_key(NULL, pub);
    size_t n = tn_ecdsa_der_encode(der, sig);
    assert_int_equal(tn_ok(tn_p256_verify_vartime(tn_span_of(pub, 65), digest, 32, sig)),
                     oracle_verify(key, digest, 32, der, n));
    // s chosen so that it is right: R = 2 r d / s G = k G with r = x(k G).
    uint8_t k_bytes[32] = {[31] = (uint8_t)(i + 2)}, point[65];
    tn_p256_scalar k, s;
    assert_true(tn_p256_scalar_decode(&k, k_bytes));
    assert_ok(tn_p256_public(k_bytes, point));
    (void)tn_p256_scalar_from_bytes(&r, point + 1);
    tn_p256_scalar_mul(&e, &r, &d);
    tn_p256_scalar_to_bytes(digest, &e);
    tn_p256_scalar_add(&s, &e, &e);
    tn_p256_scalar_inv(&k, &k);
    tn_p256_scalar_mul(&s, &s, &k);
    tn_p256_scalar_to_bytes(sig, &r);
    tn_p256_scalar_to_bytes(sig + 32, &s);
    assert_ok(tn_p256_verify_vartime(tn_span_of(pub, 65), digest, 32, sig));
    // e = -r d: the terms cancel.
    BIGNUM *order = oracle_bn(P256_N), *minus = BN_bin2bn(digest, 32, NULL);
    BN_sub(minus, order, minus);
    BN_bn2binpad(minus, digest, 32);
    tn_p256_scalar sum;
    (void)tn_p256_scalar_from_bytes(&sum, digest);
    tn_p256_scalar_add(&sum, &sum, &e);
    assert_memory_equal(&sum, &zero, sizeof sum);
    assert_fails(tn_p256_verify_vartime(tn_span_of(pub, 65), digest, 32, sig), BAD_SIGNATURE);
    BN_free(order);
    BN_free(minus);
    EVP_PKEY_free(key);
  }
}

// ---------------------------------------------------------------- DER

static void der_has_one_form(void **state) {
  (void)state;
#define FF32 "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
  static const struct {
    const char *der;
    bool valid;
  } rows[] = {
      {"3006020101020102", true},
      {"3006 02017f 02017f", true},
      {"3008 02020080 02020080", true},
      {"3007 0202007f 020101", false},  // a zero too many
      {"3006 020180 020101", false},    // negative
      {"3006 020100 020101", false},    // zero
      {"3006 020101 020100", false},
      {"3005 0200 020101", false},  // no content
      {"3005 020101 0200", false},
      {"3006 030101 020101", false},  // other tags
      {"3006 020101 030101", false},
      {"3106 020101 020101", false},
      {"3006 020101 020101 00", false},  // trailing bytes, outside and inside
      {"3007 020101 020101 00", false},
      {"3007 020101 020101", false},  // truncated
      {"3005 020101 020101", false},
      {"3006 020101 0201", false},
      {"3003 020101", false},
      {"3000", false},
      {"30", false},
      {"", false},
      {"308106 020101 020101", false},  // long and indefinite lengths
      {"3080 020101 020101 0000", false},
      {"3007 02810101 020101", false},
      {"3009 020101 020101 020101", false},
      {"3046 022100" FF32 "022100" FF32, true},
      {"3045 0220" FF32 "022100" FF32, false},
      {"3026 0221 01" FF32 "020101", false},  // 33 bytes of magnitude
      {"3027 0222 0001" FF32 "020101", false},
      {"3027 0222 00ff" FF32 "020101", false},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    bytes der = bytes_from_hex(rows[i].der);
    uint8_t raw[64], again[72];
    if (tn_ecdsa_der_decode(raw, bytes_span(der)) != rows[i].valid) fail_msg("row %zu: %s", i, rows[i].der);
    if (rows[i].valid) {
      assert_int_equal(tn_ecdsa_der_encode(again, raw), der.n);
      assert_memory_equal(again, der.p, der.n);
    }
    bytes_free(&der);
  }
}

static void der_comes_back_for_every_length_of_integer(void **state) {
  (void)state;
  test_rng seed = {5};
  for (size_t i = 0; i < 32 * 32 * 4; i++) {
    uint8_t raw[64], der[72], back[64];
    test_rng_bytes(&seed, raw, sizeof raw);
    memset(raw, 0, i % 32);
    memset(raw + 32, 0, i / 32 % 32);
    raw[i % 32] |= i & 1024 ? 0x80 : 1;
    raw[32 + i / 32 % 32] |= i & 2048 ? 0x80 : 1;
    size_t n = tn_ecdsa_der_encode(der, raw);
    assert_true(n <= TN_ECDSA_P256_DER_MAX);
    assert_true(tn_ecdsa_der_decode(back, tn_span_of(der, n)));
    assert_memory_equal(back, raw, 64);
    assert_false(tn_ecdsa_der_decode(back, tn_span_of(der, n - 1)));
  }
}

// ---------------------------------------------------------------- Wycheproof

static void wycheproof(const char *file, bool is_der) {
  json_t *root = vectors_load(file), *group, *test;
  size_t i, j, checked = 0;
  json_array_foreach(json_object_get(root, "testGroups"), i, group) {
    bytes pub = json_hex(json_object_get(group, "publicKey"), "uncompressed");
    json_array_foreach(json_object_get(group, "tests"), j, test) {
      bytes msg = json_hex(test, "msg"), sig = json_hex(test, "sig");
      bool want = strcmp(json_string_value(json_object_get(test, "result")), "valid") == 0;
      uint8_t digest[64], raw[64];
      size_t n = digest_of(json_string_value(json_object_get(group, "sha")), msg, digest);
      bool parsed = is_der ? tn_ecdsa_der_decode(raw, bytes_span(sig)) : sig.n == 64;
      if (!is_der && parsed) memcpy(raw, sig.p, 64);
      bool got = parsed && tn_ok(tn_p256_verify_vartime(bytes_span(pub), digest, n, raw));
      if (got != want) fail_msg("%s: test %d", file, (int)json_integer_value(json_object_get(test, "tcId")));
      bytes_free(&msg);
      bytes_free(&sig);
      checked++;
    }
    bytes_free(&pub);
  }
  assert_int_equal(checked, json_integer_value(json_object_get(root, "numberOfTests")));
  json_decref(root);
}

static void wycheproof_sha256(void **state) {
  (void)state;
  wycheproof("wycheproof/ecdsa_secp256r1_sha256_test.json", true);
}
static void wycheproof_sha512(void **state) {
  (void)state;
  wycheproof("wycheproof/ecdsa_secp256r1_sha512_test.json", true);
}
static void wycheproof_p1363(void **state) {
  (void)state;
  wycheproof("wycheproof/ecdsa_secp256r1_sha256_p1363_test.json", false);
}

// ---------------------------------------------------------------- NIST ACVP

static void acvp_verification(void **state) {
  (void)state;
  static const char *const files[] = {"acvp/bssl/ECDSA-sigVer.json", "acvp/awslc/ECDSA-sigVer.json"};
  size_t checked = 0;
  for (size_t f = 0; f < COUNT(files); f++) {
    json_t *root = vectors_load(files[f]), *group, *test;
    size_t i, j;
    json_array_foreach(json_object_get(root, "testGroups"), i, group) {
      const char *hash = json_string_value(json_object_get(group, "hashAlg"));
      if (strcmp(json_string_value(json_object_get(group, "curve")), "P-256") != 0) continue;
      json_array_foreach(json_object_get(group, "tests"), j, test) {
        json_t *verdict = json_object_get(json_object_get(test, "expected"), "testPassed");
        bytes msg = json_hex(test, "message"), x = json_hex(test, "qx"), y = json_hex(test, "qy");
        bytes r = json_hex(test, "r"), s = json_hex(test, "s");
        uint8_t pub[65] = {4}, raw[64], digest[64];
        right_aligned(pub + 1, x);
        right_aligned(pub + 33, y);
        right_aligned(raw, r);
        right_aligned(raw + 32, s);
        size_t n = digest_of(hash, msg, digest);
        assert_int_equal(tn_ok(tn_p256_verify_vartime(tn_span_of(pub, 65), digest, n, raw)), json_is_true(verdict));
        bytes_free(&msg);
        bytes_free(&x);
        bytes_free(&y);
        bytes_free(&r);
        bytes_free(&s);
        checked++;
      }
    }
    json_decref(root);
  }
  assert_true(checked > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rfcs_signatures),
      cmocka_unit_test(all_of_the_rfcs_signatures),
      cmocka_unit_test(nonces_follow_the_additional_data),
      cmocka_unit_test(hedged_signatures_differ_and_verify),
      cmocka_unit_test(a_generator_that_fails_stops_the_signature_and_a_stuck_one_is_harmless),
      cmocka_unit_test(digests_of_every_length_agree_with_libcrypto),
      cmocka_unit_test(any_change_of_one_bit_is_noticed),
      cmocka_unit_test(r_and_s_out_of_range_are_refused),
      cmocka_unit_test(an_x_beyond_the_order_is_recognised),
      cmocka_unit_test(sums_that_cancel_or_double),
      cmocka_unit_test(der_has_one_form),
      cmocka_unit_test(der_comes_back_for_every_length_of_integer),
      cmocka_unit_test(wycheproof_sha256),
      cmocka_unit_test(wycheproof_sha512),
      cmocka_unit_test(wycheproof_p1363),
      cmocka_unit_test(acvp_verification),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
