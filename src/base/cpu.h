// What this processor can do, found once, lowered by the environment variable TENON_CPU.
#ifndef TN_BASE_CPU_H
#define TN_BASE_CPU_H

#include <stdbool.h>
#include <stdint.h>

// Feature bits. A bit is set only if the processor and the operating system both support it.
enum {
  TN_CPU_SSE41 = 1 << 0,  // SSSE3 and SSE4.1
  TN_CPU_AESNI = 1 << 1,
  TN_CPU_PCLMUL = 1 << 2,
  TN_CPU_SHANI = 1 << 3,
  TN_CPU_AVX2 = 1 << 4,
  TN_CPU_BMI2 = 1 << 5,  // and BMI1
  TN_CPU_ADX = 1 << 6,
  TN_CPU_VAES = 1 << 7,  // with 256-bit registers at least
  TN_CPU_VPCLMUL = 1 << 8,
  TN_CPU_AVX512 = 1 << 9,  // F, BW, DQ and VL
  TN_CPU_IFMA = 1 << 10,
  TN_CPU_VBMI = 1 << 11,
};

// The levels of TENON_CPU: the highest whose features may be used. Unset or unknown means no ceiling.
typedef enum tn_cpu_level { TN_CPU_PORTABLE, TN_CPU_SSE, TN_CPU_AVX2_LEVEL, TN_CPU_AVX512_LEVEL } tn_cpu_level;

// The usable features. Found at the first call; safe from any thread.
uint32_t tn_cpu_features(void);

// Whether every bit of `needed` is usable.
static inline bool tn_cpu_has(uint32_t needed) { return (tn_cpu_features() & needed) == needed; }

// `features` without those above `level`. Public so that its table can be tested.
uint32_t tn_cpu_limit(uint32_t features, tn_cpu_level level);

// "portable", "sse", "avx2", "avx512": the level that tn_cpu_features() allows.
const char *tn_cpu_level_name(void);

#endif
