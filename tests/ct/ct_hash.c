// The compression functions that a level passes over for a better one: neither state nor message may be seen.
#include "base/ct.h"
#include "crypto/hash/compress.h"
#include "support/support.h"

static const struct {
  uint32_t cpu;
  void (*compress)(void *state, const uint8_t *p, size_t n_blocks);
} functions[] = {
#if defined(__x86_64__)
    {TN_CPU_SHANI | TN_CPU_SSE41, tn_sha1_compress_shani},
    {TN_CPU_AVX2 | TN_CPU_BMI2, tn_sha1_compress_avx2},
    {TN_CPU_SHANI | TN_CPU_SSE41, tn_sha256_compress_shani},
    {TN_CPU_AVX2 | TN_CPU_BMI2, tn_sha256_compress_avx2},
    {TN_CPU_AVX2 | TN_CPU_BMI2, tn_sha512_compress_avx2},
    {TN_CPU_AVX512 | TN_CPU_AVX2 | TN_CPU_BMI2, tn_sha512_compress_avx512},
#endif
};

int main(void) {
  static uint8_t message[3 * 128];
  uint64_t state[8], seen = 0;
  test_rng rng = {1};
  for (size_t i = 0; i < COUNT(functions); i++) {
    if (!tn_cpu_has(functions[i].cpu)) continue;
    for (size_t n = 1; n <= 3; n++) {
      test_rng_bytes(&rng, state, sizeof state);
      test_rng_bytes(&rng, message, sizeof message);
      TN_SECRET(state, sizeof state);
      TN_SECRET(message, sizeof message);
      functions[i].compress(state, message, n);
      TN_PUBLIC(state, sizeof state);
      for (size_t w = 0; w < COUNT(state); w++) seen = seen * 31 + state[w];
    }
  }
  printf("%llu\n", (unsigned long long)seen);
  return 0;
}
