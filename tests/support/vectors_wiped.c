#include "base/cpu.h"
#include "support/support.h"

#if defined(__x86_64__)

// The registers as they are on entry.
__attribute__((naked, noinline)) static void store_ymm(__attribute__((unused)) uint8_t out[16 * 32]) {
  __asm__(
      ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n\t"
      "vmovdqu %ymm\\i, 32*\\i(%rdi)\n\t"
      ".endr\n\t"
      "ret");
}

__attribute__((naked, noinline)) static void store_zmm(__attribute__((unused)) uint8_t out[32 * 64]) {
  __asm__(
      ".irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, "
      "28, 29, 30, 31\n\t"
      "vmovdqu64 %zmm\\i, 64*\\i(%rdi)\n\t"
      ".endr\n\t"
      "ret");
}

static void must_be_zero(const uint8_t *p, size_t n, const char *name, size_t i) {
  for (size_t k = 0; k < n; k++)
    if (p[k] != 0) fail_msg("%s%zu holds something above its low half", name, i);
}

void assert_upper_vectors_wiped(void) {
  uint8_t registers[32 * 64];
  if (tn_cpu_has(TN_CPU_AVX512)) {
    store_zmm(registers);
    for (size_t i = 0; i < 16; i++) must_be_zero(registers + 64 * i + 16, 48, "zmm", i);
    for (size_t i = 16; i < 32; i++) must_be_zero(registers + 64 * i, 64, "zmm", i);
  } else if (tn_cpu_has(TN_CPU_AVX2)) {
    store_ymm(registers);
    for (size_t i = 0; i < 16; i++) must_be_zero(registers + 32 * i + 16, 16, "ymm", i);
  }
}

#else

void assert_upper_vectors_wiped(void) {}

#endif
