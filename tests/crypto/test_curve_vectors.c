// P-256 against the larger published sets: Wycheproof's ECDH, NIST's CAVP for ECDSA and ECDH.
#include "crypto/ec/p256.h"
#include "p256_oracle.h"

// ---------------------------------------------------------------- Wycheproof

// The public keys of `encoding` "asn" are SubjectPublicKeyInfo: those of the usual header for named P-256 are ours.
static const char spki_header[] = "3059301306072a8648ce3d020106082a8648ce3d030107034200";

static void wycheproof_ecdh(const char *file, bool is_spki) {
  json_t *root = vectors_load(file), *group, *test;
  size_t i, j, valid = 0, checked = 0;
  bytes header = bytes_from_hex(spki_header);
  json_array_foreach(json_object_get(root, "testGroups"), i, group) {
    json_array_foreach(json_object_get(group, "tests"), j, test) {
      const char *result = json_string_value(json_object_get(test, "result"));
      bytes pub = json_hex(test, "public"), priv = json_hex(test, "private"), want = json_hex(test, "shared");
      tn_span point = bytes_span(pub);
      bool usable = !is_spki || (pub.n == header.n + 65 && memcmp(pub.p, header.p, header.n) == 0);
      if (usable) {
        uint8_t k[32] = {0}, secret[32];
        if (is_spki) point = tn_span_of(pub.p + header.n, 65);
        size_t skip = priv.n > 32 ? priv.n - 32 : 0;
        memcpy(k + 32 - (priv.n - skip), priv.p + skip, priv.n - skip);
        bool got = tn_ok(tn_p256_ecdh(k, point, secret));
        bool acceptable = strcmp(result, "acceptable") == 0;
        // The "acceptable" ones are compressed points, which we refuse.
        if (got != (strcmp(result, "valid") == 0) && !acceptable)
          fail_msg("%s: test %d", file, (int)json_integer_value(json_object_get(test, "tcId")));
        if (acceptable && !is_spki) assert_false(got);
        if (got) assert_memory_equal(secret, want.p, 32);
        valid += got;
        checked++;
      }
      bytes_free(&pub);
      bytes_free(&priv);
      bytes_free(&want);
    }
  }
  assert_true(valid >= 330);
  assert_true(checked > valid);
  bytes_free(&header);
  json_decref(root);
}

static void wycheproof_ecdh_points(void **state) {
  (void)state;
  wycheproof_ecdh("wycheproof/ecdh_secp256r1_ecpoint_test.json", false);
}
static void wycheproof_ecdh_spki(void **state) {
  (void)state;
  wycheproof_ecdh("wycheproof/ecdh_secp256r1_test.json", true);
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

// false for more than 32 bytes.
static bool number_field(const record *r, const char *name, uint8_t out[32]) {
  bytes b = hex_field(r, name);
  bool fits = b.n <= 32;
  memset(out, 0, 32);
  if (fits) memcpy(out + 32 - b.n, b.p, b.n);
  bytes_free(&b);
  return fits;
}

// Calls check for each record in the sections that begin with `section`; returns how many.
static size_t each_record(const char *file, const char *section, const char *last, void (*check)(const record *)) {
  char path[512], line[2048];
  snprintf(path, sizeof path, "%s/%s", TN_VECTORS, file);
  FILE *f = fopen(path, "r");
  if (f == NULL) {
    print_message("skipped: %s is not here\n", path);
    skip();
  }
  static record r;
  size_t count = 0;
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
      if (strncmp(r.section, section, strlen(section)) == 0) {
        check(&r);
        count++;
      }
      r.n = 0;
    }
  }
  fclose(f);
  return count;
}

static bool point_fields(const record *r, const char *x, const char *y, uint8_t out[65]) {
  out[0] = 4;
  return number_field(r, x, out + 1) && number_field(r, y, out + 33);
}

static void check_key_pair(const record *r) {
  uint8_t d[32], want[65], got[65];
  assert_true(number_field(r, "d", d) && point_fields(r, "Qx", "Qy", want));
  assert_ok(tn_p256_public(d, got));
  assert_memory_equal(got, want, 65);
}

static void check_pkv(const record *r) {
  uint8_t point[65];
  bool got = point_fields(r, "Qx", "Qy", point) && tn_ok(tn_p256_check_public(tn_span_of(point, 65)));
  assert_int_equal(got, field(r, "Result")[0] == 'P');
}

static bool verifies(const record *r, const uint8_t pub[65]) {
  const char *hash = strchr(r->section, ',') + 1;
  uint8_t sig[64], digest[64];
  unsigned n = 0;
  bytes msg = hex_field(r, "Msg");
  EVP_MD *md = EVP_MD_fetch(NULL, hash, NULL);
  // One misprint of the file: "SHA-253846".
  if (md != NULL) assert_int_equal(EVP_Digest(msg.p, msg.n, digest, &n, md, NULL), 1);
  EVP_MD_free(md);
  bytes_free(&msg);
  return number_field(r, "R", sig) && number_field(r, "S", sig + 32) &&
         tn_ok(tn_p256_verify_vartime(tn_span_of(pub, 65), digest, n, sig));
}

static void check_sig_ver(const record *r) {
  uint8_t pub[65];
  bool got = point_fields(r, "Qx", "Qy", pub) && verifies(r, pub);
  assert_int_equal(got, field(r, "Result")[0] == 'P');
}

static void check_sig_gen(const record *r) {
  uint8_t d[32], k[32], want[65], pub[65], point[65], x[32];
  assert_true(number_field(r, "d", d) && number_field(r, "k", k) && number_field(r, "R", x));
  assert_true(point_fields(r, "Qx", "Qy", want));
  assert_ok(tn_p256_public(d, pub));
  assert_memory_equal(pub, want, 65);
  assert_ok(tn_p256_public(k, point));
  assert_memory_equal(point + 1, x, 32);
  assert_true(verifies(r, pub));
}

static void check_kas(const record *r) {
  uint8_t d[32], peer[65], mine[65], want[32], secret[32];
  const char *result = field(r, "Result");
  bool peer_is_good = strncmp(result, "F (1", 4) != 0 && strncmp(result, "F (2", 4) != 0;
  assert_true(number_field(r, "dsIUT", d) && point_fields(r, "QsCAVSx", "QsCAVSy", peer));
  assert_true(number_field(r, "Z", want) && point_fields(r, "QsIUTx", "QsIUTy", mine));
  // "Its public key fails" also in ours: F (5 and F (6.
  assert_int_equal(tn_ok(tn_p256_check_public(tn_span_of(mine, 65))),
                   strncmp(result, "F (5", 4) != 0 && strncmp(result, "F (6", 4) != 0);
  if (!peer_is_good) {
    assert_fails(tn_p256_ecdh(d, tn_span_of(peer, 65), secret), BAD_KEY_SHARE);
  } else if (result[0] == 'P') {
    assert_ok(tn_p256_ecdh(d, tn_span_of(peer, 65), secret));
    assert_memory_equal(secret, want, 32);
  }
}

static void cavp_key_pairs(void **state) {
  (void)state;
  assert_true(each_record("cavp/ecdsa/KeyPair.rsp", "P-256", "Qy", check_key_pair) > 0);
}
static void cavp_public_keys(void **state) {
  (void)state;
  assert_true(each_record("cavp/ecdsa/PKV.rsp", "P-256", "Result", check_pkv) > 0);
}
static void cavp_signatures(void **state) {
  (void)state;
  assert_true(each_record("cavp/ecdsa/SigGen.txt", "P-256", "S", check_sig_gen) > 0);
}
static void cavp_verification(void **state) {
  (void)state;
  assert_true(each_record("cavp/ecdsa/SigVer.rsp", "P-256", "Result", check_sig_ver) > 0);
}
static void cavp_ecdh(void **state) {
  (void)state;
  assert_true(each_record("cavp/ecdh/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_init.fax", "EC - SHA256", "Result",
                          check_kas) > 0);
  assert_true(each_record("cavp/ecdh/KASValidityTest_ECCStaticUnified_NOKC_ZZOnly_resp.fax", "EC - SHA256", "Result",
                          check_kas) > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wycheproof_ecdh_points),
      cmocka_unit_test(wycheproof_ecdh_spki),
      cmocka_unit_test(cavp_key_pairs),
      cmocka_unit_test(cavp_public_keys),
      cmocka_unit_test(cavp_signatures),
      cmocka_unit_test(cavp_verification),
      cmocka_unit_test(cavp_ecdh),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
