// The curves against published sets: RFC 5903's, Wycheproof's, NIST's CAVP and ACVP.
#include "crypto/ec/ecdsa_der.h"
#include "curve_oracle.h"

static const tn_curve *curve;  // that is tested
static const curve_names *names;

static void use(size_t i) {
  names = &all_curves[i];
  curve = names->curve;
}

static size_t point_len(void) { return tn_curve_point_len(curve); }

// A number in curve->len bytes; false for a larger one.
static bool number(uint8_t *out, bytes b) {
  size_t skip = 0;
  while (skip < b.n && b.p[skip] == 0) skip++;
  const size_t n = b.n - skip;
  memset(out, 0, curve->len);
  if (n > curve->len) return false;
  memcpy(out + curve->len - n, b.p + skip, n);
  return true;
}

static bool json_number(const json_t *object, const char *name, uint8_t *out) {
  bytes b = json_hex(object, name);
  const bool fits = number(out, b);
  bytes_free(&b);
  return fits;
}

// By a name that libcrypto knows; 0 for another.
static size_t digest_of(const char *hash, bytes msg, uint8_t out[64]) {
  unsigned n = 0;
  EVP_MD *md = EVP_MD_fetch(NULL, hash, NULL);
  if (md != NULL) assert_int_equal(EVP_Digest(msg.p, msg.n, out, &n, md, NULL), 1);
  EVP_MD_free(md);
  return n;
}

// ---------------------------------------------------------------- RFC 5903, section 8

static void the_rfcs_key_exchanges(void **state) {
  (void)state;
  static const struct {
    const char *i, *gi, *r, *gr, *secret;
  } rows[] = {
      {"c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433",
       "04"
       "dad0b65394221cf9b051e1feca5787d098dfe637fc90b9ef945d0c3772581180"
       "5271a0461cdb8252d61f1c456fa3e59ab1f45b33accf5f58389e0577b8990bb3",
       "c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53",
       "04"
       "d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf63"
       "56fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ab",
       "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de"},
      {"099f3c7034d4a2c699884d73a375a67f7624ef7c6b3c0f160647b67414dce655e35b538041e649ee3faef896783ab194",
       "04"
       "667842d7d180ac2cde6f74f37551f55755c7645c20ef73e31634fe72b4c55ee6de3ac808acb4bdb4c88732aee95f41aa"
       "9482ed1fc0eeb9cafc4984625ccfc23f65032149e0e144ada024181535a0f38eeb9fcff3c2c947dae69b4c634573a81c",
       "41cb0779b4bdb85d47846725fbec3c9430fab46cc8dc5060855cc9bda0aa2942e0308312916b8ed2960e4bd55a7448fc",
       "04"
       "e558dbef53eecde3d3fccfc1aea08a89a987475d12fd950d83cfa41732bc509d0d1ac43a0336def96fda41d0774a3571"
       "dcfbec7aacf3196472169e838430367f66eebe3c6e70c416dd5f0c68759dd1fff83fa40142209dff5eaad96db9e6386c",
       "11187331c279962d93d604243fd592cb9d0a926f422e47187521287e7156c5c4d603135569b9e9d09cf5d4a270f59746"},
      {"0037ade9319a89f4dabdb3ef411aaccca5123c61acab57b5393dce47608172a095aa85a30fe1c2952c6771d937ba9777"
       "f5957b2639bab072462f68c27a57382d4a52",
       "04"
       "0015417e84dbf28c0ad3c278713349dc7df153c897a1891bd98bab4357c9ecbee1e3bf42e00b8e380aeae57c2d107564"
       "941885942af5a7f4601723c4195d176ced3e"
       "017cae20b6641d2eeb695786d8c946146239d099e18e1d5a514c739d7cb4a10ad8a788015ac405d7799dc75e7b7d5b6c"
       "f2261a6a7f1507438bf01beb6ca3926f9582",
       "0145ba99a847af43793fdd0e872e7cdfa16be30fdc780f97bccc3f078380201e9c677d600b343757a3bdbf2a3163e4c2"
       "f869cca7458aa4a4effc311f5cb151685eb9",
       "04"
       "00d0b3975ac4b799f5bea16d5e13e9af971d5e9b984c9f39728b5e5739735a219b97c356436adc6e95bb0352f6be64a6"
       "c2912d4ef2d0433ced2b6171640012d9460f"
       "015c68226383956e3bd066e797b623c27ce0eac2f551a10c2c724d9852077b87220b6536c5c408a1d2aebb8e86d678ae"
       "49cb57091f4732296579ab44fcd17f0fc56a",
       "01144c7d79ae6956bc8edb8e7c787c4521cb086fa64407f97894e5e6b2d79b04d1427e73ca4baa240a34786859810c06"
       "b3c715a3a8cc3151f2bee417996d19f3ddea"},
  };
  for (size_t k = 0; k < COUNT(rows); k++) {
    use(k);
    uint8_t pub[TN_CURVE_MAX_POINT], got[TN_CURVE_MAX_LEN];
    bytes i = bytes_from_hex(rows[k].i), gi = bytes_from_hex(rows[k].gi), r = bytes_from_hex(rows[k].r);
    bytes gr = bytes_from_hex(rows[k].gr), secret = bytes_from_hex(rows[k].secret);
    assert_ok(tn_ec_public(curve, i.p, pub));
    assert_memory_equal(pub, gi.p, point_len());
    assert_ok(tn_ec_public(curve, r.p, pub));
    assert_memory_equal(pub, gr.p, point_len());
    assert_ok(tn_ecdh(curve, i.p, bytes_span(gr), got));
    assert_memory_equal(got, secret.p, curve->len);
    assert_ok(tn_ecdh(curve, r.p, bytes_span(gi), got));
    assert_memory_equal(got, secret.p, curve->len);
    bytes_free(&i), bytes_free(&gi), bytes_free(&r), bytes_free(&gr), bytes_free(&secret);
  }
}

// ---------------------------------------------------------------- Wycheproof

// The usual headers of a SubjectPublicKeyInfo on a named curve, before the point.
static const char *const spki_headers[] = {
    "3059301306072a8648ce3d020106082a8648ce3d030107034200",
    "3076301006072a8648ce3d020106052b81040022036200",
    "30819b301006072a8648ce3d020106052b8104002303818600",
};

static size_t wycheproof_ecdh(const char *file, bytes header) {
  json_t *root = vectors_load(file), *group, *test;
  size_t i, j, valid = 0, checked = 0;
  json_array_foreach(json_object_get(root, "testGroups"), i, group) {
    json_array_foreach(json_object_get(group, "tests"), j, test) {
      const char *result = json_string_value(json_object_get(test, "result"));
      bytes pub = json_hex(test, "public"), want = json_hex(test, "shared");
      // Other encodings of a key are the parser's to judge.
      if (pub.n >= header.n && memcmp(pub.p, header.p, header.n) == 0) {
        uint8_t k[TN_CURVE_MAX_LEN], secret[TN_CURVE_MAX_LEN];
        assert_true(json_number(test, "private", k));
        const bool got = tn_ok(tn_ecdh(curve, k, tn_span_of(pub.p + header.n, pub.n - header.n), secret));
        // The "acceptable" ones are compressed points, which we refuse, or odd encodings of good ones.
        if (got != (strcmp(result, "valid") == 0) && strcmp(result, "acceptable") != 0)
          fail_msg("%s: test %d", file, (int)json_integer_value(json_object_get(test, "tcId")));
        if (pub.n != header.n + point_len()) assert_false(got);
        if (got) assert_memory_equal(secret, want.p, curve->len);
        valid += got;
        checked++;
      }
      bytes_free(&pub);
      bytes_free(&want);
    }
  }
  json_decref(root);
  assert_true(checked > valid);
  return valid;
}

static void wycheproof_key_exchanges(void **state) {
  (void)state;
  static const size_t valid[] = {330, 771, 632};
  for (size_t i = 0; i < COUNT(all_curves); i++) {
    char file[80];
    bytes none = bytes_from_hex(""), header = bytes_from_hex(spki_headers[i]);
    use(i);
    snprintf(file, sizeof file, "wycheproof/ecdh_%s_ecpoint_test.json", names->secg);
    assert_int_equal(wycheproof_ecdh(file, none), valid[i]);
    snprintf(file, sizeof file, "wycheproof/ecdh_%s_test.json", names->secg);
    assert_in_range(wycheproof_ecdh(file, header), valid[i], valid[i] + 5);
    bytes_free(&none);
    bytes_free(&header);
  }
}

static void wycheproof_ecdsa(const char *file, bool is_der) {
  json_t *root = vectors_load(file), *group, *test;
  size_t i, j, checked = 0;
  json_array_foreach(json_object_get(root, "testGroups"), i, group) {
    bytes pub = json_hex(json_object_get(group, "publicKey"), "uncompressed");
    json_array_foreach(json_object_get(group, "tests"), j, test) {
      bytes msg = json_hex(test, "msg"), sig = json_hex(test, "sig");
      const bool want = strcmp(json_string_value(json_object_get(test, "result")), "valid") == 0;
      uint8_t digest[64], raw[TN_CURVE_MAX_SIG];
      const size_t n = digest_of(json_string_value(json_object_get(group, "sha")), msg, digest);
      assert_true(n != 0);
      const bool parsed =
          is_der ? tn_ecdsa_der_decode(raw, curve->len, bytes_span(sig)) : sig.n == tn_curve_sig_len(curve);
      if (!is_der && parsed) memcpy(raw, sig.p, sig.n);
      const bool got = parsed && tn_ok(tn_ecdsa_verify_vartime(curve, bytes_span(pub), digest, n, raw));
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

static void wycheproof_signatures(void **state) {
  (void)state;
  static const struct {
    size_t curve;
    const char *hash;
    bool is_der;
  } files[] = {
      {0, "sha256", true},        {0, "sha512", true}, {0, "sha256_p1363", false},
      {1, "sha256", true},        {1, "sha384", true}, {1, "sha512", true},
      {1, "sha384_p1363", false}, {2, "sha512", true}, {2, "sha512_p1363", false},
  };
  for (size_t i = 0; i < COUNT(files); i++) {
    char file[80];
    use(files[i].curve);
    snprintf(file, sizeof file, "wycheproof/ecdsa_%s_%s_test.json", names->secg, files[i].hash);
    wycheproof_ecdsa(file, files[i].is_der);
  }
}

// ---------------------------------------------------------------- CAVP

#define MAX_FIELDS 12

// One record of a CAVS file: the lines `name = value` up to a line of the name that ends a record.
typedef struct {
  char section[64];  // without the brackets
  char names[MAX_FIELDS][16];
  char values[MAX_FIELDS][1024];
  int n;
} record;

static const char *field(const record *r, const char *name) {
  for (int i = r->n; i-- > 0;)
    if (strcmp(r->names[i], name) == 0) return r->values[i];
  fail_msg("no field %s in [%s]", name, r->section);
  return NULL;
}

static bytes hex_field(const record *r, const char *name) {
  const char *hex = field(r, name);
  char even[1026] = "0";
  strcat(even, hex);
  return bytes_from_hex(strlen(hex) % 2 == 0 ? hex : even);
}

static bool number_field(const record *r, const char *name, uint8_t *out) {
  bytes b = hex_field(r, name);
  const bool fits = number(out, b);
  bytes_free(&b);
  return fits;
}

// Calls check for each record in the sections of the curve: those that begin with its entry in `sections`.
static void each_record(const char *file, const char *const *sections, const char *last,
                        void (*check)(const record *)) {
  char path[512], line[2048];
  snprintf(path, sizeof path, "%s/%s", TN_VECTORS, file);
  FILE *f = fopen(path, "r");
  if (f == NULL) {
    print_message("skipped: %s is not here\n", path);
    skip();
  }
  static record r;
  size_t count[COUNT(all_curves)] = {0};
  r.n = 0;
  while (fgets(line, sizeof line, f) != NULL) {
    line[strcspn(line, "\r\n")] = 0;
    char name[16], value[1024];
    // "[B.4.2 ...]" and "[Curve selected: ...]" are remarks inside a section.
    if (line[0] == '[') {
      if (strncmp(line, "[B.4", 4) != 0)
        snprintf(r.section, sizeof r.section, "%.*s", (int)strcspn(line + 1, "]"), line + 1);
      r.n = 0;
    } else if (sscanf(line, "%15s = %1023[^\n]", name, value) == 2 && r.n < MAX_FIELDS) {
      strcpy(r.names[r.n], name);
      strcpy(r.values[r.n], value);
      r.n++;
      if (strcmp(name, last) != 0) continue;
      for (size_t i = 0; i < COUNT(all_curves); i++) {
        if (strncmp(r.section, sections[i], strlen(sections[i])) != 0) continue;
        use(i);
        check(&r);
        count[i]++;
      }
      r.n = 0;
    }
  }
  fclose(f);
  for (size_t i = 0; i < COUNT(count); i++) assert_true(count[i] > 0);
}

static bool point_fields(const record *r, const char *x, const char *y, uint8_t *out) {
  out[0] = 4;
  return number_field(r, x, out + 1) && number_field(r, y, out + 1 + curve->len);
}

static void check_key_pair(const record *r) {
  uint8_t d[TN_CURVE_MAX_LEN], want[TN_CURVE_MAX_POINT], got[TN_CURVE_MAX_POINT];
  assert_true(number_field(r, "d", d) && point_fields(r, "Qx", "Qy", want));
  assert_ok(tn_ec_public(curve, d, got));
  assert_memory_equal(got, want, point_len());
}

static void check_pkv(const record *r) {
  uint8_t point[TN_CURVE_MAX_POINT];
  const bool got =
      point_fields(r, "Qx", "Qy", point) && tn_ok(tn_ec_check_public(curve, tn_span_of(point, point_len())));
  assert_int_equal(got, field(r, "Result")[0] == 'P');
}

static bool verifies(const record *r, const uint8_t *pub) {
  const char *hash = strchr(r->section, ',') + 1;
  uint8_t sig[TN_CURVE_MAX_SIG], digest[64];
  bytes msg = hex_field(r, "Msg");
  const size_t n = digest_of(hash, msg, digest);  // one misprint of the files: "SHA-253846"
  bytes_free(&msg);
  return number_field(r, "R", sig) && number_field(r, "S", sig + curve->len) &&
         tn_ok(tn_ecdsa_verify_vartime(curve, tn_span_of(pub, point_len()), digest, n, sig));
}

static void check_sig_ver(const record *r) {
  uint8_t pub[TN_CURVE_MAX_POINT];
  const bool got = point_fields(r, "Qx", "Qy", pub) && verifies(r, pub);
  assert_int_equal(got, field(r, "Result")[0] == 'P');
}

static void check_sig_gen(const record *r) {
  uint8_t d[TN_CURVE_MAX_LEN], k[TN_CURVE_MAX_LEN], want[TN_CURVE_MAX_POINT], pub[TN_CURVE_MAX_POINT];
  uint8_t point[TN_CURVE_MAX_POINT], x[TN_CURVE_MAX_LEN];
  assert_true(number_field(r, "d", d) && number_field(r, "k", k) && number_field(r, "R", x));
  assert_true(point_fields(r, "Qx", "Qy", want));
  assert_ok(tn_ec_public(curve, d, pub));
  assert_memory_equal(pub, want, point_len());
  assert_ok(tn_ec_public(curve, k, point));
  assert_memory_equal(point + 1, x, curve->len);
  assert_true(verifies(r, pub));
}

static void check_kas(const record *r) {
  uint8_t d[TN_CURVE_MAX_LEN], peer[TN_CURVE_MAX_POINT], mine[TN_CURVE_MAX_POINT];
  uint8_t want[TN_CURVE_MAX_LEN], secret[TN_CURVE_MAX_LEN];
  const char *result = field(r, "Result");
  const bool peer_is_good = strncmp(result, "F (1", 4) != 0 && strncmp(result, "F (2", 4) != 0;
  assert_true(number_field(r, "dsIUT", d) && number_field(r, "Z", want));
  const bool peer_fits = point_fields(r, "QsCAVSx", "QsCAVSy", peer);
  const bool mine_fits = point_fields(r, "QsIUTx", "QsIUTy", mine);
  // "Its public key fails" also in ours: F (5 and F (6.
  assert_int_equal(mine_fits && tn_ok(tn_ec_check_public(curve, tn_span_of(mine, point_len()))),
                   strncmp(result, "F (5", 4) != 0 && strncmp(result, "F (6", 4) != 0);
  if (!peer_is_good) {
    if (peer_fits) assert_fails(tn_ecdh(curve, d, tn_span_of(peer, point_len()), secret), BAD_KEY_SHARE);
  } else if (result[0] == 'P') {
    assert_true(peer_fits);
    assert_ok(tn_ecdh(curve, d, tn_span_of(peer, point_len()), secret));
    assert_memory_equal(secret, want, curve->len);
  }
}

static const char *const by_nist[] = {"P-256", "P-384", "P-521"};
static const char *const by_letters[] = {"EC - SHA256", "ED - SHA384", "EE - SHA512"};

static void cavp_key_pairs(void **state) {
  (void)state;
  each_record("cavp/ecdsa/KeyPair.rsp", by_nist, "Qy", check_key_pair);
}
static void cavp_public_keys(void **state) {
  (void)state;
  each_record("cavp/ecdsa/PKV.rsp", by_nist, "Result", check_pkv);
}
static void cavp_signatures(void **state) {
  (void)state;
  each_record("cavp/ecdsa/SigGen.txt", by_nist, "S", check_sig_gen);
}
static void cavp_verification(void **state) {
  (void)state;
  each_record("cavp/ecdsa/SigVer.rsp", by_nist, "Result", check_sig_ver);
}
static void cavp_ecdh(void **state) {
  (void)state;
  each_record("cavp/ecdh/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_init.fax", by_letters, "Result", check_kas);
  each_record("cavp/ecdh/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_resp.fax", by_letters, "Result", check_kas);
}

// ---------------------------------------------------------------- ACVP

static bool acvp_point(const json_t *test, uint8_t *out) {
  out[0] = 4;
  return json_number(test, "qx", out + 1) && json_number(test, "qy", out + 1 + curve->len);
}

static bool acvp_key_is_right(const json_t *group, const json_t *test) {
  (void)group;
  uint8_t pub[TN_CURVE_MAX_POINT];
  return acvp_point(test, pub) && tn_ok(tn_ec_check_public(curve, tn_span_of(pub, point_len())));
}

static bool acvp_signature_is_right(const json_t *group, const json_t *test) {
  uint8_t pub[TN_CURVE_MAX_POINT], raw[TN_CURVE_MAX_SIG], digest[64];
  bytes msg = json_hex(test, "message");
  const size_t n = digest_of(json_string_value(json_object_get(group, "hashAlg")), msg, digest);
  bytes_free(&msg);
  assert_true(n != 0);
  return acvp_point(test, pub) && json_number(test, "r", raw) && json_number(test, "s", raw + curve->len) &&
         tn_ok(tn_ecdsa_verify_vartime(curve, tn_span_of(pub, point_len()), digest, n, raw));
}

static void acvp(const char *file, bool (*is_right)(const json_t *, const json_t *), size_t at_least) {
  static const char *const sources[] = {"bssl", "awslc"};
  size_t checked = 0;
  for (size_t s = 0; s < COUNT(sources); s++) {
    char path[80];
    snprintf(path, sizeof path, "acvp/%s/%s", sources[s], file);
    json_t *root = vectors_load(path), *group, *test;
    size_t i, j;
    json_array_foreach(json_object_get(root, "testGroups"), i, group) {
      const char *name = json_string_value(json_object_get(group, "curve"));
      size_t which = 0;
      while (which < COUNT(all_curves) && strcmp(all_curves[which].nist, name) != 0) which++;
      if (which == COUNT(all_curves)) continue;
      use(which);
      json_array_foreach(json_object_get(group, "tests"), j, test) {
        json_t *verdict = json_object_get(json_object_get(test, "expected"), "testPassed");
        if (is_right(group, test) != json_is_true(verdict))
          fail_msg("%s: test %d", path, (int)json_integer_value(json_object_get(test, "tcId")));
        checked++;
      }
    }
    json_decref(root);
  }
  assert_true(checked >= at_least);
}

static void acvp_public_keys(void **state) {
  (void)state;
  acvp("ECDSA-keyVer.json", acvp_key_is_right, 4);
}
static void acvp_verification(void **state) {
  (void)state;
  acvp("ECDSA-sigVer.json", acvp_signature_is_right, 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rfcs_key_exchanges), cmocka_unit_test(wycheproof_key_exchanges),
      cmocka_unit_test(wycheproof_signatures),  cmocka_unit_test(cavp_key_pairs),
      cmocka_unit_test(cavp_public_keys),       cmocka_unit_test(cavp_signatures),
      cmocka_unit_test(cavp_verification),      cmocka_unit_test(cavp_ecdh),
      cmocka_unit_test(acvp_public_keys),       cmocka_unit_test(acvp_verification),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
