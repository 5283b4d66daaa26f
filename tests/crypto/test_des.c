// 3DES against published vectors.
#include "cipher_case.h"
#include "support/rsp.h"

static void free_all(bytes *all, size_t n) {
  for (size_t i = 0; i < n; i++) bytes_free(&all[i]);
}

static bytes joined(const bytes parts[3]) {
  bytes all = {malloc(parts[0].n + parts[1].n + parts[2].n + 1), 0};
  for (size_t i = 0; i < 3; i++) {
    memcpy(all.p + all.n, parts[i].p, parts[i].n);
    all.n += parts[i].n;
  }
  return all;
}

// ---------------------------------------------------------------- embedded

#define DES_3 "0123456789abcdeff1e0d3c2b5a49786fedcba9876543210"

static const struct {
  const char *name, *key, *iv, *text, *sealed;
} vectors[] = {
    {"SP 800-67 appendix B.1, block 1", "0123456789abcdef23456789abcdef01456789abcdef0123", "0000000000000000",
     "5468652071756663", "a826fd8ce53b855f"},
    {"SP 800-67 appendix B.1, block 2", "0123456789abcdef23456789abcdef01456789abcdef0123", "0000000000000000",
     "6b2062726f776e20", "cce21c8112256fe6"},
    {"SP 800-67 appendix B.1, block 3", "0123456789abcdef23456789abcdef01456789abcdef0123", "0000000000000000",
     "666f78206a756d70", "68d5c05dd9b6b900"},
    // Three equal keys are DES itself; the known answers of FIPS 81's example and of SP 800-17's tables.
    {"FIPS 81 table C1, block 1", "0123456789abcdef0123456789abcdef0123456789abcdef", "0000000000000000",
     "4e6f772069732074", "3fa40e8a984d4815"},
    {"SP 800-17 table 1", "010101010101010101010101010101010101010101010101", "0000000000000000", "8000000000000000",
     "95f8a5e5dd31d900"},
    {"OpenSSL's destest", DES_3, "fedcba9876543210", "37363534333231204e6f77206973207468652074696d6520666f722000000000",
     "3fe301c962ac01d02213763c1cbd4cdc799657c064ecf5d41c673812cfde9675"},
};

static void the_standards_examples_hold(void **state) {
  (void)state;
  for (size_t i = 0; i < COUNT(vectors); i++) {
    bytes all[] = {bytes_from_hex(vectors[i].key), bytes_from_hex(vectors[i].iv), bytes_from_hex(vectors[i].text),
                   bytes_from_hex(vectors[i].sealed)};
    check_cipher_case(&tn_3des_cbc, all[0], all[1], all[2], all[3], vectors[i].name);
    // The lowest bit of each byte of a key is its parity, which counts for nothing.
    for (size_t j = 0; j < all[0].n; j++) all[0].p[j] ^= (uint8_t)(i & 1);
    check_cipher_case(&tn_3des_cbc, all[0], all[1], all[2], all[3], vectors[i].name);
    free_all(all, COUNT(all));
  }
}

// ---------------------------------------------------------------- CAVP

// KEY1 to KEY3, or KEYs for three equal ones.
static bytes cavp_key(const rsp *r) {
  const bool equal = rsp_text(r, "KEYs") != NULL;
  bytes parts[3];
  for (size_t i = 0; i < 3; i++) parts[i] = rsp_hex(r, equal ? "KEYs" : (const char *[]){"KEY1", "KEY2", "KEY3"}[i]);
  const bytes key = joined(parts);
  free_all(parts, 3);
  return key;
}

static size_t cavp_file(const char *path) {
  rsp *r = rsp_open(path);
  size_t ran = 0;
  for (; rsp_next(r); ran++) {
    bytes all[] = {cavp_key(r), rsp_hex(r, "IV"), rsp_hex(r, "PLAINTEXT"), rsp_hex(r, "CIPHERTEXT")};
    check_cipher_case(&tn_3des_cbc, all[0], all[1], all[2], all[3], path);
    free_all(all, COUNT(all));
  }
  rsp_close(r);
  return ran;
}

// The interleaved mode is three of CBC that take turns, each with its IV. A stanza has what belongs to number i by
// itself (NAME1 to NAME3), or once for all three that are equal (NAME1, or NAME of one block), or all blocks in a row
// (NAME).
static bytes interleaved(const rsp *r, const char *name, size_t i) {
  char by_itself[16], first[16];
  snprintf(by_itself, sizeof by_itself, "%s%zu", name, i + 1);
  snprintf(first, sizeof first, "%s1", name);
  if (rsp_text(r, by_itself) != NULL) return rsp_hex(r, by_itself);
  if (rsp_text(r, first) != NULL) return rsp_hex(r, first);
  bytes all = rsp_hex(r, name), part = {malloc(all.n), 0};
  for (size_t at = all.n == 8 ? 0 : 8 * i; at < all.n; at += 24, part.n += 8) memcpy(part.p + part.n, all.p + at, 8);
  bytes_free(&all);
  return part;
}

static size_t cavp_interleaved_file(const char *path) {
  rsp *r = rsp_open(path);
  size_t ran = 0;
  for (; rsp_next(r); ran++) {
    for (size_t i = 0; i < 3; i++) {
      bytes all[] = {cavp_key(r), interleaved(r, "IV", i), interleaved(r, "PLAINTEXT", i),
                     interleaved(r, "CIPHERTEXT", i)};
      check_cipher_case(&tn_3des_cbc, all[0], all[1], all[2], all[3], path);
      free_all(all, COUNT(all));
    }
  }
  rsp_close(r);
  return ran;
}

static void cavp(void **state) {
  (void)state;
  static const struct {
    const char *path;
    size_t (*run)(const char *path);
    size_t at_least;
  } files[] = {
      {"cavp/tdes_cbc/TCBCinvperm.rsp", cavp_file, 64},
      {"cavp/tdes_cbc/TCBCpermop.rsp", cavp_file, 32},
      {"cavp/tdes_cbc/TCBCvarkey.rsp", cavp_file, 56},
      {"cavp/tdes_cbc/TCBCMMT2.rsp", cavp_file, 10},
      {"cavp/tdes_cbc/TCBCIinvperm.rsp", cavp_interleaved_file, 64},
      {"cavp/tdes_cbc/TCBCIsubtab.rsp", cavp_interleaved_file, 19},
      {"cavp/tdes_cbc/TCBCIvarkey.rsp", cavp_interleaved_file, 56},
      {"cavp/tdes_cbc/TCBCIvartext.rsp", cavp_interleaved_file, 64},
      {"cavp/tdes_cbc/TCBCIMMT1.rsp", cavp_interleaved_file, 10},
      {"cavp/tdes_cbc/TCBCIMMT2.rsp", cavp_interleaved_file, 10},
  };
  for (size_t i = 0; i < COUNT(files); i++) {
    size_t ran = files[i].run(files[i].path);
    if (ran < files[i].at_least) fail_msg("%s: only %zu cases were run", files[i].path, ran);
  }
}

// ---------------------------------------------------------------- other libraries' own

// BoringSSL's copy of the known answers, all of them, in stanzas of "Name: value". One without an IV is ECB.
static void boringssl(void **state) {
  (void)state;
  static const char *const paths[] = {"evp/boringssl/tdes_cbc.txt", "evp/boringssl/tdes_ecb.txt"};
  for (size_t i = 0; i < COUNT(paths); i++) {
    char full[512], line[4096], name[32], value[4000];
    vectors_path(paths[i], full, sizeof full);
    FILE *file = fopen(full, "r");
    assert_non_null(file);
    bytes all[4] = {{0}};  // key, IV, text, sealed
    static const char *const names[] = {"Key", "IV", "Plaintext", "Ciphertext"};
    size_t ran = 0;
    while (fgets(line, sizeof line, file) != NULL) {
      if (sscanf(line, "%31[A-Za-z]: %3999s", name, value) != 2) continue;
      for (size_t j = 0; j < COUNT(names); j++)
        if (strcmp(name, names[j]) == 0) all[j] = bytes_from_hex(value);
      if (all[2].p == NULL || all[3].p == NULL) continue;
      if (all[0].n == 24 && all[1].p != NULL)
        check_cipher_case(&tn_3des_cbc, all[0], all[1], all[2], all[3], paths[i]);
      else if (all[0].n == 24)
        check_ecb_case(&tn_3des_cbc, all[0], all[2], all[3], paths[i]);
      ran += all[0].n == 24;
      free_all(all, COUNT(all));
    }
    fclose(file);
    if (ran < 200) fail_msg("%s: only %zu cases were run", paths[i], ran);
  }
}

static void openssl(void **state) {
  (void)state;
  rsp *r = rsp_open("evp/openssl/evpciph_des3_common.txt");
  size_t ran = 0;
  while (rsp_next(r)) {
    const char *name = rsp_text(r, "Cipher");
    if (name == NULL || rsp_text(r, "Result") != NULL || strncmp(name, "DES-EDE3-", 9) != 0) continue;
    const bool ecb = strcmp(name + 9, "ECB") == 0;
    if (!ecb && strcmp(name + 9, "CBC") != 0) continue;
    bytes all[] = {rsp_hex(r, "Key"), ecb ? bytes_from_hex("") : rsp_hex(r, "IV"), rsp_hex(r, "Plaintext"),
                   rsp_hex(r, "Ciphertext")};
    if (ecb)
      check_ecb_case(&tn_3des_cbc, all[0], all[2], all[3], name);
    else
      check_cipher_case(&tn_3des_cbc, all[0], all[1], all[2], all[3], name);
    ran++;
    free_all(all, COUNT(all));
  }
  rsp_close(r);
  assert_true(ran >= 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_standards_examples_hold),
      cmocka_unit_test(cavp),
      cmocka_unit_test(boringssl),
      cmocka_unit_test(openssl),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
