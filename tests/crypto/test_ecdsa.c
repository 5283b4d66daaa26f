#include "crypto/ec/ecdsa_der.h"
#include "crypto/ec/rfc6979.h"
#include "curve_oracle.h"

#define EACH_CURVE(c) for (const tn_curve *c = tn_curves[0], *const *each_ = tn_curves; (c = *each_) != NULL; each_++)

static tn_span point_of(const tn_curve *c, const uint8_t *pub) { return tn_span_of(pub, tn_curve_point_len(c)); }

static BIGNUM *number_of(const tn_curve *c, const uint8_t *in) { return BN_bin2bn(in, c->len, NULL); }

// ---------------------------------------------------------------- RFC 6979

// The signature with this hash's own nonce; our hash, or NULL where we lack it, makes the nonces themselves.
typedef struct rfc_row {
  const char *hash, *message, *k, *r, *s;
} rfc_row;

static void padded(const tn_curve *c, uint8_t *out, const char *hex) {
  BIGNUM *a = NULL;
  assert_true(BN_hex2bn(&a, hex) > 0);
  number_bytes(c, out, a);
  BN_free(a);
}

static size_t digest_of(const char *hash, const char *message, uint8_t out[64]) {
  unsigned n = 0;
  EVP_MD *md = EVP_MD_fetch(NULL, hash, NULL);
  if (md == NULL) fail_msg("no hash %s", hash);
  assert_int_equal(EVP_Digest(message, strlen(message), out, &n, md, NULL), 1);
  EVP_MD_free(md);
  return n;
}

// bits2octets() of section 2.3.4, by libcrypto.
static void bits_to_octets(const tn_curve *c, uint8_t *out, const uint8_t *digest, size_t n) {
  BN_CTX *ctx = BN_CTX_new();
  BIGNUM *e = BN_bin2bn(digest, (int)n, NULL);
  if (8 * n > c->bits) BN_rshift(e, e, (int)(8 * n - c->bits));
  BN_nnmod(e, e, oracle_n(c), ctx);
  number_bytes(c, out, e);
  BN_free(e);
  BN_CTX_free(ctx);
}

static void check_rfc6979(const tn_curve *c, const char *key, const rfc_row *row) {
  static const struct {
    const char *name;
    const tn_hash *hash;
  } ours[] = {{"SHA-256", &tn_sha256}, {"SHA-384", &tn_sha384}, {"SHA-512", &tn_sha512}};
  uint8_t x[TN_CURVE_MAX_LEN], k[TN_CURVE_MAX_LEN], want[TN_CURVE_MAX_SIG], sig[TN_CURVE_MAX_SIG];
  uint8_t digest[64], octets[TN_CURVE_MAX_LEN], candidate[TN_CURVE_MAX_LEN], pub[TN_CURVE_MAX_POINT];
  padded(c, x, key);
  padded(c, k, row->k);
  padded(c, want, row->r);
  padded(c, want + c->len, row->s);
  const size_t n = digest_of(row->hash, row->message, digest);
  bits_to_octets(c, octets, digest, n);
  for (size_t i = 0; i < COUNT(ours); i++) {
    if (strcmp(ours[i].name, row->hash) != 0) continue;
    tn_rfc6979 g;
    uint64_t scalar[TN_CURVE_MAX_WORDS];
    tn_rfc6979_init(&g, ours[i].hash, c->bits, x, octets, (tn_span){0});
    do tn_rfc6979_next(&g, candidate);
    while (!tn_curve_scalar(c, scalar, candidate));
    assert_memory_equal(candidate, k, c->len);
    if (ours[i].hash != c->nonce_hash) continue;
    assert_ok(tn_ecdsa_sign(c, NULL, x, digest, n, sig));
    assert_memory_equal(sig, want, tn_curve_sig_len(c));
  }
  assert_ok(tn_ec_public(c, k, pub));
  BIGNUM *r = number_of(c, pub + 1);
  if (BN_cmp(r, oracle_n(c)) >= 0) BN_sub(r, r, oracle_n(c));
  number_bytes(c, octets, r);
  BN_free(r);
  assert_memory_equal(octets, want, c->len);
  assert_ok(tn_ec_public(c, x, pub));
  assert_ok(tn_ecdsa_verify_vartime(c, point_of(c, pub), digest, n, want));
}

// RFC 6979 A.2.5 to A.2.7; the third row, whose first nonce is out of range, is from C2SP's CCTV.
static void the_rfcs_signatures(void **state) {
  (void)state;
  static const char key256[] = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721";
  static const char key384[] =
      "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D8"
      "96D5724E4C70A825F872C9EA60D2EDF5";
  static const char key521[] =
      "00FAD06DAA62BA3B25D2FB40133DA757205DE67F5BB0018FEE8C86E1B68C7E75CAA896EB32F1F47C70855836A6D16FCC"
      "1466F6D8FBEC67DB89EC0C08B0E996B83538";
  static const struct {
    const tn_curve *curve;
    const char *key;
    rfc_row row;
  } rows[] = {
      {&tn_p256,
       key256,
       {"SHA-256", "sample", "A6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60",
        "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
        "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"}},
      {&tn_p256,
       key256,
       {"SHA-512", "test", "6915D11632ACA3C40D5D51C08DAF9C555933819548784480E93499000D9F0B7F",
        "461D93F31B6540894788FD206C07CFA0CC35F46FA3C91816FFF1040AD1581A04",
        "39AF9F15DE0DB8D97E72719C74820D304CE5226E32DEDAE67519E840D1194E55"}},
      {&tn_p256,
       key256,
       {"SHA-256", "wv[vnX", "2AE40DF9D9DAB61D688DE3DCB9867A98ECC70DD4D6C0F6C228B6E4E0B18B29BC",
        "EFD9073B652E76DA1B5A019C0E4A2E3FA529B035A6ABB91EF67F0ED7A1F21234",
        "3DB4706C9D9F4A4FE13BB5E08EF0FAB53A57DBAB2061C83A35FA411C68D2BA33"}},
      {&tn_p384,
       key384,
       {"SHA-384", "sample",
        "94ED910D1A099DAD3254E9242AE85ABDE4BA15168EAF0CA87A555FD56D10FBCA2907E3E83BA95368623B8C4686915CF9",
        "94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46",
        "99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8"}},
      {&tn_p384,
       key384,
       {"SHA-256", "test",
        "0CFAC37587532347DC3389FDC98286BBA8C73807285B184C83E62E26C401C0FAA48DD070BA79921A3457ABFF2D630AD7",
        "6D6DEFAC9AB64DABAFE36C6BF510352A4CC27001263638E5B16D9BB51D451559F918EEDAF2293BE5B475CC8F0188636B",
        "2D46F3BECBCC523D5F1A1256BF0C9B024D879BA9E838144C8BA6BAEB4B53B47D51AB373F9845C0514EEFB14024787265"}},
      {&tn_p521,
       key521,
       {"SHA-512", "sample",
        "1DAE2EA071F8110DC26882D4D5EAE0621A3256FC8847FB9022E2B7D28E6F10198B1574FDD03A9053C08A1854A168AA5A"
        "57470EC97DD5CE090124EF52A2F7ECBFFD3",
        "0C328FAFCBD79DD77850370C46325D987CB525569FB63C5D3BC53950E6D4C5F174E25A1EE9017B5D450606ADD152B534"
        "931D7D4E8455CC91F9B15BF05EC36E377FA",
        "0617CCE7CF5064806C467F678D3B4080D6F1CC50AF26CA209417308281B68AF282623EAA63E5B5C0723D8B8C37FF0777"
        "B1A20F8CCB1DCCC43997F1EE0E44DA4A67A"}},
      {&tn_p521,
       key521,
       {"SHA-384", "test",
        "1F1FC4A349A7DA9A9E116BFDD055DC08E78252FF8E23AC276AC88B1770AE0B5DCEB1ED14A4916B769A523CE1E90BA228"
        "46AF11DF8B300C38818F713DADD85DE0C88",
        "14BEE21A18B6D8B3C93FAB08D43E739707953244FDBE924FA926D76669E7AC8C89DF62ED8975C2D8397A65A49DCC09F6"
        "B0AC62272741924D479354D74FF6075578C",
        "133330865C067A0EAF72362A65E2D7BC4E461E8C8995C3B6226A21BD1AA78F0ED94FE536A0DCA35534F0CD1510C41525"
        "D163FE9D74D134881E35141ED5E8E95B979"}},
  };
  for (size_t i = 0; i < COUNT(rows); i++) check_rfc6979(rows[i].curve, rows[i].key, &rows[i].row);
}

static void all_of_the_rfcs_signatures(void **state) {
  (void)state;
  json_t *root = vectors_load("rfc/rfc6979.json"), *section, *entry;
  size_t i, j, checked = 0;
  EACH_CURVE(c) {
    char title[32];
    snprintf(title, sizeof title, "ECDSA, %d Bits", c->bits);
    json_array_foreach(root, i, section) {
      if (strstr(json_string_value(json_object_get(section, "title")), title) == NULL) continue;
      const char *key = json_string_value(json_object_get(json_object_get(section, "key"), "x"));
      json_array_foreach(json_object_get(section, "signatures"), j, entry) {
#define TEXT(name) json_string_value(json_object_get(entry, name))
        const rfc_row row = {TEXT("hash"), TEXT("message"), TEXT("k"), TEXT("r"), TEXT("s")};
        check_rfc6979(c, key, &row);
        checked++;
      }
    }
  }
  assert_int_equal(checked, 31);
  json_decref(root);
}

// With 3.6's additional data the stream changes, and every candidate differs from the last.
static void nonces_follow_the_additional_data(void **state) {
  (void)state;
  static const uint8_t key[TN_CURVE_MAX_LEN] = {1}, digest[TN_CURVE_MAX_LEN] = {2}, extra[TN_CURVE_MAX_LEN] = {3};
  EACH_CURVE(c) {
    uint8_t first[2][TN_CURVE_MAX_LEN], again[TN_CURVE_MAX_LEN];
    for (int i = 0; i < 2; i++) {
      tn_rfc6979 g;
      tn_rfc6979_init(&g, c->nonce_hash, c->bits, key, digest, tn_span_of(extra, i == 0 ? 0u : c->len));
      tn_rfc6979_next(&g, first[i]);
      tn_rfc6979_next(&g, again);
      assert_memory_not_equal(first[i], again, c->len);
    }
    assert_memory_not_equal(first[0], first[1], c->len);
  }
}

// ---------------------------------------------------------------- signing

static void hedged_signatures_differ_and_verify(void **state) {
  (void)state;
  test_rng seed = {1};
  tn_rng rng = test_rng_as_rng(&seed);
  EACH_CURVE(c) {
    uint8_t priv[TN_CURVE_MAX_LEN], pub[TN_CURVE_MAX_POINT], digest[32], a[TN_CURVE_MAX_SIG], b[TN_CURVE_MAX_SIG];
    for (int i = 0; i < 20; i++) {
      assert_ok(tn_ec_generate(c, &rng, priv, pub));
      test_rng_bytes(&seed, digest, 32);
      assert_ok(tn_ecdsa_sign(c, &rng, priv, digest, 32, a));
      assert_ok(tn_ecdsa_sign(c, &rng, priv, digest, 32, b));
      assert_memory_not_equal(a, b, c->len);
      assert_memory_not_equal(a + c->len, b + c->len, c->len);
      assert_ok(tn_ecdsa_verify_vartime(c, point_of(c, pub), digest, 32, a));
      assert_ok(tn_ecdsa_verify_vartime(c, point_of(c, pub), digest, 32, b));
      // Without a generator: the same one each time.
      assert_ok(tn_ecdsa_sign(c, NULL, priv, digest, 32, a));
      assert_ok(tn_ecdsa_sign(c, NULL, priv, digest, 32, b));
      assert_memory_equal(a, b, tn_curve_sig_len(c));
    }
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
  static const uint8_t zeros[TN_CURVE_MAX_SIG];
  EACH_CURVE(c) {
    uint8_t priv[TN_CURVE_MAX_LEN], digest[32] = {1}, sig[TN_CURVE_MAX_SIG], a[TN_CURVE_MAX_SIG], b[TN_CURVE_MAX_SIG];
    small_number(c, priv, 9);
    memset(sig, 0xee, sizeof sig);
    assert_fails(tn_ecdsa_sign(c, &(tn_rng){no_random, NULL}, priv, digest, 32, sig), NO_RANDOM);
    assert_memory_equal(sig, zeros, tn_curve_sig_len(c));
    // The nonce still depends on the digest.
    assert_ok(tn_ecdsa_sign(c, &(tn_rng){constant, NULL}, priv, digest, 32, a));
    digest[0] = 2;
    assert_ok(tn_ecdsa_sign(c, &(tn_rng){constant, NULL}, priv, digest, 32, b));
    assert_memory_not_equal(a, b, c->len);
  }
}

static void digests_of_every_length_agree_with_libcrypto(void **state) {
  (void)state;
  test_rng seed = {2};
  tn_rng rng = test_rng_as_rng(&seed);
  EACH_CURVE(c)
  for (size_t n = 0; n <= 80; n++) {
    uint8_t priv[TN_CURVE_MAX_LEN], pub[TN_CURVE_MAX_POINT], digest[80], raw[TN_CURVE_MAX_SIG], der[ORACLE_SIG_ROOM];
    assert_ok(tn_ec_generate(c, &rng, priv, pub));
    test_rng_bytes(&seed, digest, sizeof digest);
    if (n % 3 == 0) memset(digest, 0xff, sizeof digest);  // above n: to be reduced
    EVP_PKEY *key = oracle_key(c, priv, pub);
    assert_ok(tn_ecdsa_sign(c, &rng, priv, digest, n, raw));
    size_t len = tn_ecdsa_der_encode(der, raw, c->len);
    assert_true(oracle_verify(key, digest, n, der, len));
    len = oracle_sign(key, digest, n, der);
    assert_true(tn_ecdsa_der_decode(raw, c->len, tn_span_of(der, len)));
    assert_ok(tn_ecdsa_verify_vartime(c, point_of(c, pub), digest, n, raw));
    EVP_PKEY_free(key);
  }
}

// ---------------------------------------------------------------- verification

static void any_change_of_one_bit_is_noticed(void **state) {
  (void)state;
  test_rng seed = {3};
  tn_rng rng = test_rng_as_rng(&seed);
  EACH_CURVE(c) {
    uint8_t priv[TN_CURVE_MAX_LEN], pub[TN_CURVE_MAX_POINT], digest[32], sig[TN_CURVE_MAX_SIG];
    assert_ok(tn_ec_generate(c, &rng, priv, pub));
    test_rng_bytes(&seed, digest, 32);
    assert_ok(tn_ecdsa_sign(c, &rng, priv, digest, 32, sig));
    for (size_t bit = 0; bit < tn_curve_sig_len(c) * 8; bit++) {
      sig[bit / 8] ^= (uint8_t)(1 << bit % 8);
      assert_fails(tn_ecdsa_verify_vartime(c, point_of(c, pub), digest, 32, sig), BAD_SIGNATURE);
      sig[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    for (size_t bit = 0; bit < 32 * 8; bit += 5) {
      digest[bit / 8] ^= (uint8_t)(1 << bit % 8);
      assert_fails(tn_ecdsa_verify_vartime(c, point_of(c, pub), digest, 32, sig), BAD_SIGNATURE);
      digest[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_fails(tn_ecdsa_verify_vartime(c, tn_span_of(pub, 2u * c->len), digest, 32, sig), KEY_INVALID);
    pub[2 * c->len] ^= 1;
    assert_fails(tn_ecdsa_verify_vartime(c, point_of(c, pub), digest, 32, sig), KEY_INVALID);
  }
}

static void r_and_s_out_of_range_are_refused(void **state) {
  (void)state;
  static const uint8_t digest[32] = {0};
  EACH_CURVE(c) {
    uint8_t priv[TN_CURVE_MAX_LEN], pub[TN_CURVE_MAX_POINT], sig[TN_CURVE_MAX_SIG], bad[TN_CURVE_MAX_SIG];
    uint8_t values[6][TN_CURVE_MAX_LEN];
    small_number(c, values[0], 0);
    number_near(c, values[1], oracle_n(c), 0);
    number_near(c, values[2], oracle_n(c), 1);
    number_near(c, values[3], oracle_p(c), 0);
    memset(values[4], 0xff, sizeof values[4]);
    small_number(c, priv, 5);
    assert_ok(tn_ec_public(c, priv, pub));
    assert_ok(tn_ecdsa_sign(c, NULL, priv, digest, 32, sig));
    for (size_t half = 0; half < 2; half++) {
      // The number itself and n more, where there is room for it.
      BIGNUM *more = number_of(c, sig + half * c->len);
      BN_add(more, more, oracle_n(c));
      if (BN_num_bytes(more) > c->len) BN_copy(more, oracle_n(c));
      number_bytes(c, values[5], more);
      BN_free(more);
      for (size_t i = 0; i < COUNT(values); i++) {
        memcpy(bad, sig, sizeof bad);
        memcpy(bad + half * c->len, values[i], c->len);
        assert_fails(tn_ecdsa_verify_vartime(c, point_of(c, pub), digest, 32, bad), BAD_SIGNATURE);
      }
    }
  }
}

// r is x(R) mod n; where x(R) is n or more, r is x(R) - n. Any point R with such an x makes a signature for some
// key: with s = r and e = 0, u1 G + u2 Q = Q, so Q = R is the key.
static void an_x_beyond_the_order_is_recognised(void **state) {
  (void)state;
  static const uint8_t digest[32] = {0};
  BN_CTX *ctx = BN_CTX_new();
  EACH_CURVE(c) {
    const EC_GROUP *group = oracle_group(c);
    BIGNUM *x = BN_dup(oracle_n(c));
    EC_POINT *point = EC_POINT_new(group);
    int found = 0;
    for (unsigned r = 1; r < 60; r++) {
      BN_add_word(x, 1);
      if (EC_POINT_set_compressed_coordinates(group, point, x, 0, ctx) != 1) continue;
      uint8_t pub[TN_CURVE_MAX_POINT], sig[TN_CURVE_MAX_SIG];
      EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, pub, sizeof pub, ctx);
      small_number(c, sig, r);
      small_number(c, sig + c->len, r);
      assert_ok(tn_ecdsa_verify_vartime(c, point_of(c, pub), digest, 32, sig));
      small_number(c, sig, r + 1);
      small_number(c, sig + c->len, r + 1);
      assert_fails(tn_ecdsa_verify_vartime(c, point_of(c, pub), digest, 32, sig), BAD_SIGNATURE);
      found++;
    }
    assert_true(found > 10);
    EC_POINT_free(point);
    BN_free(x);
  }
  BN_CTX_free(ctx);
}

// u1 G + u2 Q where the terms are equal, e = r d (a doubling), and where they cancel, e = -r d.
static void sums_that_cancel_or_double(void **state) {
  (void)state;
  test_rng seed = {4};
  tn_rng rng = test_rng_as_rng(&seed);
  BN_CTX *ctx = BN_CTX_new();
  EACH_CURVE(c)
  for (unsigned i = 1; i <= 20; i++) {
    uint8_t priv[TN_CURVE_MAX_LEN], pub[TN_CURVE_MAX_POINT], k[TN_CURVE_MAX_LEN], point[TN_CURVE_MAX_POINT];
    uint8_t octets[TN_CURVE_MAX_LEN + 8], sig[TN_CURVE_MAX_SIG];
    const BIGNUM *n = oracle_n(c);
    // A digest of more bits than n has is shifted: P-521's are written so that its 521 bits lead.
    const int shift = 8 * c->len - c->bits;
    assert_ok(tn_ec_generate(c, &rng, priv, pub));
    // s chosen so that it is right: R = 2 r d / s G = k G with r = x(k G).
    small_number(c, k, i);
    assert_ok(tn_ec_public(c, k, point));
    BIGNUM *r = number_of(c, point + 1), *d = number_of(c, priv), *e = BN_new(), *s = BN_new(), *inverse = BN_new();
    BN_nnmod(r, r, n, ctx);
    BN_mod_mul(e, r, d, n, ctx);
    BN_mod_add(s, e, e, n, ctx);
    BN_set_word(inverse, i);
    assert_non_null(BN_mod_inverse(inverse, inverse, n, ctx));
    BN_mod_mul(s, s, inverse, n, ctx);
    number_bytes(c, sig, r);
    number_bytes(c, sig + c->len, s);
    BN_lshift(s, e, shift);
    number_bytes(c, octets, s);
    assert_ok(tn_ecdsa_verify_vartime(c, point_of(c, pub), octets, c->len, sig));
    BN_sub(e, n, e);
    BN_lshift(s, e, shift);
    number_bytes(c, octets, s);
    assert_fails(tn_ecdsa_verify_vartime(c, point_of(c, pub), octets, c->len, sig), BAD_SIGNATURE);
    BN_free(r), BN_free(d), BN_free(e), BN_free(s), BN_free(inverse);
  }
  BN_CTX_free(ctx);
}

// ---------------------------------------------------------------- DER

static void der_has_one_form(void **state) {
  (void)state;
#define FF32 "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
#define FF63 FF32 "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
#define FF66 FF63 "ffffff"
  static const struct {
    size_t len;
    const char *der;
    bool valid;
  } rows[] = {
      {32, "3006020101020102", true},
      {32, "3006 02017f 02017f", true},
      {32, "3008 02020080 02020080", true},
      {32, "3007 0202007f 020101", false},  // a zero too many
      {32, "3006 020180 020101", false},    // negative
      {32, "3006 020100 020101", false},    // zero
      {32, "3006 020101 020100", false},
      {32, "3005 0200 020101", false},  // no content
      {32, "3005 020101 0200", false},
      {32, "3006 030101 020101", false},  // other tags
      {32, "3006 020101 030101", false},
      {32, "3106 020101 020101", false},
      {32, "3006 020101 020101 00", false},  // trailing bytes, outside and inside
      {32, "3007 020101 020101 00", false},
      {32, "3007 020101 020101", false},  // truncated
      {32, "3005 020101 020101", false},
      {32, "3006 020101 0201", false},
      {32, "3003 020101", false},
      {32, "3000", false},
      {32, "30", false},
      {32, "", false},
      {32, "308106 020101 020101", false},  // long and indefinite lengths
      {32, "3080 020101 020101 0000", false},
      {32, "3007 02810101 020101", false},
      {32, "3009 020101 020101 020101", false},
      {32, "3046 022100" FF32 "022100" FF32, true},
      {32, "3045 0220" FF32 "022100" FF32, false},
      {32, "3026 0221 01" FF32 "020101", false},  // 33 bytes of magnitude
      {32, "3027 0222 0001" FF32 "020101", false},
      {32, "3027 0222 00ff" FF32 "020101", false},
      // Lengths of 127 and 128, and the longest.
      {66, "307f 023b 01" FF32 "ffffffffffffffffffffffffffffffffffffffffffffffffffff 0240 01" FF63, true},
      {66, "308180 023c 01" FF32 "ffffffffffffffffffffffffffffffffffffffffffffffffffffff 0240 01" FF63, true},
      {66, "3080 023c 01" FF32 "ffffffffffffffffffffffffffffffffffffffffffffffffffffff 0240 01" FF63, false},
      {66, "30820080 023c 01" FF32 "ffffffffffffffffffffffffffffffffffffffffffffffffffffff 0240 01" FF63, false},
      {66, "30817f 023b 01" FF32 "ffffffffffffffffffffffffffffffffffffffffffffffffffff 0240 01" FF63, false},
      {66, "30818a 024300" FF66 "024300" FF66, true},
      {66, "308189 0242" FF66 "024300" FF66, false},
      {66, "30818b 02440000" FF66 "024300" FF66, false},
      {66, "30818b 0281 43 00" FF66 "024300" FF66, false},
      {66, "30818a 024300" FF66 "024300" FF66 "00", false},
      {66, "3081", false},
      {66, "308180", false},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    bytes der = bytes_from_hex(rows[i].der);
    uint8_t raw[TN_CURVE_MAX_SIG], again[TN_ECDSA_DER_MAX];
    if (tn_ecdsa_der_decode(raw, rows[i].len, bytes_span(der)) != rows[i].valid)
      fail_msg("row %zu: %s", i, rows[i].der);
    if (rows[i].valid) {
      assert_int_equal(tn_ecdsa_der_encode(again, raw, rows[i].len), der.n);
      assert_memory_equal(again, der.p, der.n);
    }
    bytes_free(&der);
  }
}

static void der_comes_back_for_every_length_of_integer(void **state) {
  (void)state;
  test_rng seed = {5};
  EACH_CURVE(c)
  for (size_t i = 0; i < c->len; i++)
    for (size_t j = 0; j < c->len; j++)
      for (unsigned tops = 0; tops < 4; tops++) {
        uint8_t raw[TN_CURVE_MAX_SIG], der[TN_ECDSA_DER_MAX], back[TN_CURVE_MAX_SIG];
        const size_t len = c->len;
        test_rng_bytes(&seed, raw, sizeof raw);
        memset(raw, 0, i);
        memset(raw + len, 0, j);
        raw[i] = (uint8_t)((raw[i] & 0x7f) | (tops & 1 ? 0x80 : 1));
        raw[len + j] = (uint8_t)((raw[len + j] & 0x7f) | (tops & 2 ? 0x80 : 1));
        const size_t n = tn_ecdsa_der_encode(der, raw, len);
        assert_true(n <= TN_ECDSA_DER_MAX);
        assert_true(tn_ecdsa_der_decode(back, len, tn_span_of(der, n)));
        assert_memory_equal(back, raw, 2 * len);
        assert_false(tn_ecdsa_der_decode(back, len, tn_span_of(der, n - 1)));
        // What libcrypto reads of it.
        const uint8_t *p = der;
        ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &p, (long)n);
        assert_non_null(sig);
        assert_int_equal(BN_bn2binpad(ECDSA_SIG_get0_r(sig), back, (int)len), (int)len);
        assert_int_equal(BN_bn2binpad(ECDSA_SIG_get0_s(sig), back + len, (int)len), (int)len);
        assert_memory_equal(back, raw, 2 * len);
        ECDSA_SIG_free(sig);
      }
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
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
