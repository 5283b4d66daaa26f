#include "base/cpu.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define KNOWN (1u << 31)  // the cached word has been filled

static const struct {
  const char *name;
  uint32_t features;  // those that this level adds to the levels before it
} levels[] = {
    [TN_CPU_PORTABLE] = {"portable", 0},
    [TN_CPU_SSE] = {"sse", TN_CPU_SSE41 | TN_CPU_AESNI | TN_CPU_PCLMUL | TN_CPU_SHANI},
    [TN_CPU_AVX2_LEVEL] = {"avx2", TN_CPU_AVX2 | TN_CPU_BMI2 | TN_CPU_ADX | TN_CPU_VAES | TN_CPU_VPCLMUL},
    [TN_CPU_AVX512_LEVEL] = {"avx512", TN_CPU_AVX512 | TN_CPU_IFMA | TN_CPU_VBMI},
};
#define LEVELS (sizeof levels / sizeof *levels)

#if defined(__x86_64__)
#include <cpuid.h>

static uint64_t xgetbv(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

// Intel SDM volume 2, CPUID; XCR0 says which registers the system saves.
static uint32_t detect(void) {
  unsigned a, b, c, d;
  uint32_t found = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
  if ((c & bit_SSSE3) && (c & bit_SSE4_1)) found |= TN_CPU_SSE41;
  if (c & bit_AES) found |= TN_CPU_AESNI;
  if (c & bit_PCLMUL) found |= TN_CPU_PCLMUL;
  uint64_t saved = (c & bit_OSXSAVE) ? xgetbv() : 0;
  bool ymm = (saved & 0x06) == 0x06;
  bool zmm = (saved & 0xe6) == 0xe6;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return found;
  if (b & (1u << 29)) found |= TN_CPU_SHANI;
  if ((b & (1u << 3)) && (b & (1u << 8))) found |= TN_CPU_BMI2;
  if (b & (1u << 19)) found |= TN_CPU_ADX;
  if (ymm) {
    if (b & (1u << 5)) found |= TN_CPU_AVX2;
    if (c & (1u << 9)) found |= TN_CPU_VAES;
    if (c & (1u << 10)) found |= TN_CPU_VPCLMUL;
  }
  const uint32_t f_dq_bw_vl = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;
  if (zmm && (b & f_dq_bw_vl) == f_dq_bw_vl) {
    found |= TN_CPU_AVX512;
    if (b & (1u << 21)) found |= TN_CPU_IFMA;
    if (c & (1u << 1)) found |= TN_CPU_VBMI;
  }
  return found;
}
#else
static uint32_t detect(void) { return 0; }
#endif

uint32_t tn_cpu_limit(uint32_t features, tn_cpu_level level) {
  uint32_t allowed = 0;
  for (size_t i = 0; i <= (size_t)level && i < LEVELS; i++) allowed |= levels[i].features;
  return features & allowed;
}

static uint32_t with_ceiling(uint32_t features) {
  const char *ceiling = getenv("TENON_CPU");
  if (ceiling == NULL) return features;
  for (size_t i = 0; i < LEVELS; i++)
    if (strcmp(ceiling, levels[i].name) == 0) return tn_cpu_limit(features, (tn_cpu_level)i);
  return features;
}

uint32_t tn_cpu_features(void) {
  // Every thread that races here computes the same word.
  static _Atomic uint32_t cached;
  uint32_t word = atomic_load_explicit(&cached, memory_order_relaxed);
  if (word == 0) {
    word = with_ceiling(detect()) | KNOWN;
    atomic_store_explicit(&cached, word, memory_order_relaxed);
  }
  return word & ~KNOWN;
}

const char *tn_cpu_level_name(void) {
  for (size_t i = LEVELS; i-- > 1;)
    if (tn_cpu_features() & levels[i].features) return levels[i].name;
  return levels[TN_CPU_PORTABLE].name;
}
