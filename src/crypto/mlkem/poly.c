#include "crypto/mlkem/poly.h"

#include "base/cpu.h"
#include "crypto/mlkem/mlkem.h"

// Best first.
static const tn_poly_arithmetic *const paths[] = {
#if defined(__x86_64__)
    &tn_poly_avx512, &tn_poly_avx2,
#endif
    &tn_poly_portable};

const tn_poly_arithmetic *tn_poly_best(void) {
  const tn_poly_arithmetic *const *p = paths;
  while (!tn_cpu_has((*p)->cpu)) p++;
  return *p;
}

const char *tn_mlkem_path(void) { return tn_poly_best()->path; }

void tn_poly_noise3(tn_poly *f, const uint8_t in[192]) {
  for (size_t i = 0; i < 64; i++, in += 3) {
    const uint32_t bits = in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16;
    const uint32_t sums = (bits & 0x249249) + (bits >> 1 & 0x249249) + (bits >> 2 & 0x249249);
    for (size_t j = 0; j < 4; j++)
      f->c[4 * i + j] = (int16_t)((int)(sums >> 6 * j & 7) - (int)(sums >> (6 * j + 3) & 7));
  }
}
