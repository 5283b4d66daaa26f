#include "base/cpu.h"
#include "support/support.h"

// Each level allows its own features and those below it, nothing above.
static void the_ceiling_cuts_by_level(void **state) {
  (void)state;
  const uint32_t all = UINT32_MAX;
  uint32_t portable = tn_cpu_limit(all, TN_CPU_PORTABLE), sse = tn_cpu_limit(all, TN_CPU_SSE);
  uint32_t avx2 = tn_cpu_limit(all, TN_CPU_AVX2_LEVEL), avx512 = tn_cpu_limit(all, TN_CPU_AVX512_LEVEL);
  assert_int_equal(portable, 0);
  assert_true((sse & TN_CPU_AESNI) && !(sse & TN_CPU_AVX2) && !(sse & TN_CPU_ADX) && !(sse & TN_CPU_AVX512));
  assert_true((avx2 & sse) == sse && (avx2 & TN_CPU_VAES) && !(avx2 & TN_CPU_AVX512) && !(avx2 & TN_CPU_IFMA));
  assert_true((avx512 & avx2) == avx2 && (avx512 & TN_CPU_AVX512) && (avx512 & TN_CPU_VBMI));
  assert_int_equal(tn_cpu_limit(0, TN_CPU_AVX512_LEVEL), 0);
}

static void the_environment_is_obeyed(void **state) {
  (void)state;
  static const char *const levels[] = {"portable", "sse", "avx2", "avx512"};
  // A child for each, since the features are found once a process.
  for (size_t i = 0; i < COUNT(levels); i++) {
    char command[512];
    snprintf(command, sizeof command, "TENON_CPU=%s %s --child", levels[i], (const char *)*state);
    FILE *child = popen(command, "r");
    assert_non_null(child);
    unsigned features = 0;
    assert_int_equal(fscanf(child, "%x", &features), 1);
    pclose(child);
    assert_int_equal(features, tn_cpu_limit(features, (tn_cpu_level)i));
    assert_int_equal(features, tn_cpu_limit(tn_cpu_features(), (tn_cpu_level)i));
  }
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--child") == 0) {
    printf("%x\n", tn_cpu_features());
    return 0;
  }
  unsetenv("TENON_CPU");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_ceiling_cuts_by_level),
      cmocka_unit_test_prestate(the_environment_is_obeyed, argv[0]),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
