#include "crypto/aead/chacha20.h"

#include <string.h>

#include "base/cpu.h"
#include "base/mem.h"
#include "crypto/aead/chacha20_poly1305.h"

void tn_chacha20_state(uint32_t state[16], const uint32_t key[8], uint32_t counter, const uint32_t nonce[3]) {
  static const uint32_t constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  memcpy(state, constants, sizeof constants);
  memcpy(state + 4, key, 8 * sizeof *key);
  state[12] = counter;
  memcpy(state + 13, nonce, 3 * sizeof *nonce);
}

static tn_chacha20_run *best(void) {
  static const struct {
    uint32_t cpu;
    tn_chacha20_run *run;
  } runs[] = {
#if defined(__x86_64__)
    {TN_CPU_AVX512 | TN_CPU_BMI2, tn_chacha20_run_avx512},
    {TN_CPU_AVX2 | TN_CPU_BMI2, tn_chacha20_run_avx2},
    {TN_CPU_SSE41, tn_chacha20_run_ssse3},
#endif
    {0, tn_chacha20_run_portable},
  };
  size_t i = 0;
  while (!tn_cpu_has(runs[i].cpu)) i++;
  return runs[i].run;
}

void tn_chacha20_blocks(const uint32_t key[8], uint32_t counter, const uint32_t nonce[3], uint8_t *out,
                        size_t n_blocks) {
  tn_chacha20_xor(key, counter, nonce, NULL, out, n_blocks);
}

void tn_chacha20_xor(const uint32_t key[8], uint32_t counter, const uint32_t nonce[3], const uint8_t *in, uint8_t *out,
                     size_t n_blocks) {
  uint32_t state[16];
  tn_chacha20_state(state, key, counter, nonce);
  best()(state, in, out, n_blocks);
  tn_wipe(state, sizeof state);
}
