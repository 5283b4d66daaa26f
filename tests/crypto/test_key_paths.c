// Which implementation of each key exchange and of each signature scheme runs.
#include "base/cpu.h"
#include "crypto/group.h"
#include "crypto/sign.h"
#include "support/support.h"

#define ADX (TN_CPU_AVX2 | TN_CPU_BMI2 | TN_CPU_ADX)
#define AVX2 (TN_CPU_AVX2 | TN_CPU_BMI2)

typedef struct way {
  uint32_t cpu;
  const char *path;
} way;

// Each best first.
static const way adx[] = {{ADX, "adx"}, {0, "portable"}};
static const way curve25519[] = {{TN_CPU_AVX2 | TN_CPU_AVX512 | TN_CPU_IFMA, "ifma"}, {ADX, "adx"}, {0, "portable"}};
static const way modp[] = {{ADX | TN_CPU_AVX512 | TN_CPU_IFMA, "ifma"}, {ADX, "adx"}, {0, "portable"}};
static const way mlkem[] = {{TN_CPU_AVX512 | AVX2, "avx512"}, {AVX2, "avx2"}, {0, "portable"}};

static void assert_best(const char *name, const char *path, const way *w) {
  while (!tn_cpu_has(w->cpu)) w++;
  if (strcmp(path, w->path) != 0) fail_msg("%s runs on %s, not on %s", name, path, w->path);
}

static void groups(void **state) {
  (void)state;
  static const struct {
    const tn_group *group;
    const way *ways;
    const tn_group *half;
  } expected[] = {
      {&tn_group_x25519, curve25519, NULL},
      {&tn_group_secp256r1, adx, NULL},
      {&tn_group_secp384r1, adx, NULL},
      {&tn_group_secp521r1, adx, NULL},
      {&tn_group_x25519_mlkem768, mlkem, &tn_group_x25519},
      {&tn_group_secp256r1_mlkem768, mlkem, &tn_group_secp256r1},
      {&tn_group_secp384r1_mlkem1024, mlkem, &tn_group_secp384r1},
      {&tn_group_ffdhe2048, modp, NULL},
      {&tn_group_ffdhe3072, modp, NULL},
      {&tn_group_ffdhe4096, modp, NULL},
      {&tn_group_ffdhe6144, modp, NULL},
      {&tn_group_ffdhe8192, modp, NULL},
  };
  size_t all = 0;
  while (tn_groups[all] != NULL) all++;
  assert_int_equal(COUNT(expected), all);
  for (size_t i = 0; i < COUNT(expected); i++) {
    assert_best(expected[i].group->name, expected[i].group->path(), expected[i].ways);
    assert_ptr_equal(expected[i].group->half, expected[i].half);
  }
}

static void signature_schemes(void **state) {
  (void)state;
  static const way *const of[] = {[TN_KEY_P256] = adx,           [TN_KEY_P384] = adx, [TN_KEY_P521] = adx,
                                  [TN_KEY_ED25519] = curve25519, [TN_KEY_RSA] = modp, [TN_KEY_RSA_PSS] = modp};
  for (size_t i = 0; tn_sign_schemes[i] != NULL; i++) {
    const tn_sign_scheme *scheme = tn_sign_schemes[i];
    assert_true((size_t)scheme->key_type < COUNT(of) && of[scheme->key_type] != NULL);
    assert_best(scheme->name, scheme->path(), of[scheme->key_type]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(groups), cmocka_unit_test(signature_schemes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
